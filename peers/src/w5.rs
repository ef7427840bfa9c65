//! W5, casts: does a moving convex polygon hit another one, when and how? Straight on, and with both spinning.

use std::f64::consts::TAU;

use ::carom::{Placed, Shape, distance};

use crate::input::{self, Input, Pair, Pools, Pose, Record, Vec2};
use crate::options::Options;
use crate::race::{Library, Outcome, Question, progress, race};
use crate::report::{Cell, Report, Row};
use crate::{box2d, carom, parry};

/// What the numbers are; stands above the table.
const ABOUT: &str = "ns per cast of processor time, median of the interleaved rounds. Timed: poses, motions in; time, normal and point of the impact out. \
Convex polygons of 3–8 vertices, targets 3…10 away, ways of 8…14, aimed so that half of them hit; spinning: both turn by up to ±1.5 radians. \
The truth is found by steps no longer than the distance over the greatest speed. Libraries in f32 get the same numbers rounded; Box2D's shape \
cast stops a slop of 0.005 early, and its time of impact turns shapes by mixing the rotations at both ends, not evenly, so grazes differ.";

/// Names, whether the shapes spin, the share of the records that is enough, and the share of a million on which another library may differ from the truth.
const ROWS: [(&str, bool, usize, usize); 2] = [("casts, straight", false, 1, 10_000), ("casts, spinning", true, 4, 60_000)];

/// Casts that the tuning of the aim looks at, and its halvings.
const SAMPLE: usize = 4096;
const HALVINGS: usize = 10;
/// A gap that counts as contact for the truth.
const CONTACT: f64 = 1e-7;

/// One cast: b moves toward a, and both may turn meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    /// Shapes and where they start.
    pub(crate) start: Record<Pose>,
    /// How far b moves.
    pub(crate) translation: Vec2,
    /// By how much a and b turn, in radians.
    pub(crate) turns: [f64; 2],
}

/// Everything a row is about.
pub(crate) struct Casts {
    /// Vertices, counter-clockwise.
    pub(crate) outlines: Vec<Vec<Vec2>>,
    /// In the order in which they are asked.
    pub(crate) all: Vec<Cast>,
    /// Do the shapes turn?
    pub(crate) spinning: bool,
}

/// Runs the rows that the options ask for.
pub(crate) fn run(options: &Options) -> Report {
    let rows =
        ROWS.iter().filter(|(name, ..)| name.contains(&options.row)).map(|row| progress(row.0, || self::row(row, options))).collect();
    Report { title: "W5 casts", about: ABOUT, rows }
}

fn row(&(name, spinning, share, allowed): &(&'static str, bool, usize, usize), options: &Options) -> Row {
    let records = options.records.div_ceil(share);
    let (input, spread, truth) = random(spinning, records, options.seed);
    let mut contestants = parry::casts(&input);
    contestants.extend(box2d::casts(&input));
    contestants.extend(carom::casts(&input));
    let outcomes = race(contestants, options.rounds);
    let disputed = (0..records).filter(|&i| outcomes.iter().any(|o| o.answers[i] != truth[i])).count();
    let cells = outcomes.iter().map(|o| cell(o, &truth, allowed)).collect();
    Row { name, records, spread, hits: yes(&truth), disputed, cells }
}

fn cell(outcome: &Outcome<Vec<bool>>, truth: &[bool], allowed: usize) -> Cell {
    let records = truth.len();
    // Of carom none; of the others a share that their own tolerances and motions explain.
    let allowed = if outcome.call.library == Library::Carom { 0 } else { 1 + records * allowed / 1_000_000 };
    debug_assert_eq!(outcome.call.question, Question::How);
    Cell {
        call: outcome.call,
        nanoseconds: outcome.median() / records as f64,
        quickest: outcome.quickest() / records as f64,
        hits: yes(&outcome.answers),
        wrong: outcome.answers.iter().zip(truth).filter(|(a, t)| a != t).count(),
        allowed,
    }
}

fn yes(answers: &[bool]) -> usize {
    answers.iter().filter(|&&a| a).count()
}

/// Casts of which half hit, the spread of the aim that makes it so, and the truth.
fn random(spinning: bool, count: usize, seed: u64) -> (Casts, f64, Vec<bool>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let Pools::Polygons(outlines) = Input::random(Pair::Polygons(3, 8), 1, seed).pools else { unreachable!("polygons were asked for") };
    let shapes: Vec<Shape> = outlines.iter().map(|o| Shape::polygon(o).expect("convex polygons")).collect();
    let reaches: Vec<f64> = outlines.iter().map(|o| o.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max)).collect();
    let sample: Vec<Draft> = (0..SAMPLE).map(|_| Draft::random(spinning, outlines.len(), &mut rng)).collect();
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let hits = sample.iter().filter(|draft| hits(&shapes, &reaches, &draft.aimed(&reaches, middle))).count();
        if 2 * hits > SAMPLE { low = middle } else { high = middle }
    }
    let casts: Vec<Cast> = (0..count).map(|_| Draft::random(spinning, outlines.len(), &mut rng).aimed(&reaches, high)).collect();
    let truth = casts.iter().map(|cast| hits(&shapes, &reaches, cast)).collect();
    (Casts { outlines, all: casts, spinning }, high, truth)
}

/// A cast before it is known how well it is aimed.
struct Draft {
    shapes: [usize; 2],
    center: Vec2,
    angles: [f64; 2],
    direction: f64,
    distance: f64,
    length: f64,
    aside: f64,
    turns: [f64; 2],
}

impl Draft {
    fn random(spinning: bool, pool: usize, rng: &mut fastrand::Rng) -> Self {
        let mut between = |low: f64, high: f64| low + (high - low) * rng.f64();
        let spin = if spinning { 1.5 } else { 0.0 };
        Self {
            center: [between(-50.0, 50.0), between(-50.0, 50.0)],
            angles: [between(0.0, TAU), between(0.0, TAU)],
            direction: between(0.0, TAU),
            distance: between(3.0, 10.0),
            length: between(8.0, 14.0),
            aside: between(-1.0, 1.0),
            turns: [between(-spin, spin), between(-spin, spin)],
            shapes: [rng.usize(..pool), rng.usize(..pool)],
        }
    }

    /// Aimed past the target's centre by up to `spread` times both reaches.
    fn aimed(&self, reaches: &[f64], spread: f64) -> Cast {
        let [a, b] = self.shapes;
        let (sin, cos) = self.direction.sin_cos();
        let from = [self.center[0] + self.distance * cos, self.center[1] + self.distance * sin];
        let aside = self.aside * spread * (reaches[a] + reaches[b]);
        let way = [-self.distance * cos - aside * sin, -self.distance * sin + aside * cos];
        let length = way[0].hypot(way[1]);
        let start = Record {
            a: a as u32,
            b: b as u32,
            pose_a: input::pose(self.center, self.angles[0]),
            pose_b: input::pose(from, self.angles[1]),
        };
        Cast { start, translation: way.map(|x| x / length * self.length), turns: self.turns }
    }
}

/// Does anything meet? By steps no longer than the distance over the greatest speed: nothing is jumped over.
fn hits(shapes: &[Shape], reaches: &[f64], cast: &Cast) -> bool {
    let Record { a, b, pose_a, pose_b } = cast.start;
    let (a, b) = (a as usize, b as usize);
    let way = cast.translation;
    let speed = way[0].hypot(way[1]) + reaches[a] * cast.turns[0].abs() + reaches[b] * cast.turns[1].abs();
    let mut time = 0.0;
    while time <= 1.0 {
        let first = placed(&shapes[a], pose_a, cast.turns[0] * time, [0.0; 2]);
        let second = placed(&shapes[b], pose_b, cast.turns[1] * time, way.map(|x| x * time));
        let gap = distance(first, second).distance;
        if gap <= CONTACT {
            return true;
        }
        time += gap / speed;
    }
    false
}

fn placed(shape: &Shape, pose: Pose, turn: f64, moved: Vec2) -> Placed<'_> {
    let angle = pose.sin.atan2(pose.cos) + turn;
    let place = [pose.translation[0] + moved[0], pose.translation[1] + moved[1]];
    shape.placed(::carom::Pose::new(place, angle).expect("the race stays within the range of carom"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_answers_alike_up_to_tolerances() {
        let options = Options { rounds: 1, records: 20_000, seed: 5, ..Options::default() };
        let report = run(&options);
        assert_eq!(report.failures(), Vec::<String>::new());
        assert_eq!(report.rows.iter().map(|r| r.cells.len()).collect::<Vec<_>>(), [4, 3]);
        assert!(report.rows.iter().all(|r| (45..=55).contains(&(100 * r.hits / r.records))));
    }
}
