//! Measures rays against one shape: streams of random rays of which about half hit.

use std::hint::black_box;
use std::rc::Rc;

use carom::{Pose, Ray, Shape, ray_cast};
use fastrand::Rng;
use parry2d::math::{Pose as ParryPose, Rotation, Vector};
use parry2d::query::{Ray as ParryRay, RayCast};
use parry2d::shape::{Ball, Compound, ConvexPolygon, Cuboid, Polyline, SharedShape};

use crate::options::Options;
use crate::race::{Call, Contestant, Library, Outcome, Question, progress, race};
use crate::report::{Cell, Report, Row};

const PARRY: Call = Call { library: Library::Parry, column: "parry ray", question: Question::Contact };
const CAROM: Call = Call { library: Library::Carom, column: "carom ray", question: Question::Contact };

/// Number of rays of a million on which f32 may be wrong. Its steps are 8e-6 at the shapes. The
/// crowded hill side has about 700 units of line in 16 square units. So about one ray in a thousand
/// ends within rounding of a line.
const WRONG_PER_MILLION: usize = 1_000;

const ABOUT: &str = "ns per ray of processor time, median of the interleaved rounds. Timed: ray and pose in, time \
and normal out, by each library's own call for a placed shape. Not included: building shapes, poses and rays. Rays \
between two random points of a square about the shape; parry in f32 with the same numbers rounded, its polylines and \
compounds (of carom's exact parts) and carom's chains and polygons all with their trees.";

/// Target of a row's rays, and the share of the records that suffices.
const ROWS: [(&str, Target, usize); 7] = [
    ("circle", Target::Circle, 1),
    ("rectangle", Target::Rectangle, 1),
    ("convex polygon of 8", Target::Convex(8), 1),
    ("convex polygon of 64", Target::Convex(64), 2),
    ("concave polygon of 1000, star-shaped", Target::Cave(1_000), 4),
    ("closed chain of 1000, star-shaped", Target::Star(1_000), 4),
    ("chain of 10000, a hill side", Target::Hills(10_000), 4),
];

#[derive(Clone, Copy)]
enum Target {
    Circle,
    Rectangle,
    Convex(usize),
    Cave(usize),
    Star(usize),
    Hills(usize),
}

/// Ray and pose of the target, in the types of both libraries.
struct Record {
    ray: Ray,
    pose: Pose,
    parry_ray: ParryRay,
    parry_pose: ParryPose,
}

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Report {
    let chosen = ROWS.iter().filter(|(name, ..)| name.contains(&options.row));
    let rows = chosen
        .map(|&(name, target, share)| progress(name, || row(name, target, options.records.div_ceil(share), options)))
        .collect();
    Report { title: "Rays", about: ABOUT, rows }
}

fn row(name: &'static str, target: Target, records: usize, options: &Options) -> Row {
    let mut rng = Rng::with_seed(options.seed);
    let points = outline(target, &mut rng);
    let records: Rc<[Record]> = (0..records).map(|_| record(target, &mut rng)).collect();
    let (shape, other) = (carom_shape(target, &points), parry_shape(target, &points));
    let contestants = vec![
        stream(PARRY, &records, move |r| {
            let hit = other.cast_ray_and_get_normal(&r.parry_pose, &r.parry_ray, 1.0, true);
            black_box(hit).is_some()
        }),
        stream(CAROM, &records, move |r| black_box(ray_cast(r.ray, shape.placed(r.pose))).is_some()),
    ];
    let outcomes = race(contestants, options.rounds);
    let exact = &outcomes[1].answers;
    let cells = outcomes.iter().map(|o| cell(o, exact)).collect();
    let disputed = (0..exact.len()).filter(|&i| outcomes[0].answers[i] != exact[i]).count();
    Row { name, records: records.len(), spread: 2.0, hits: exact.iter().filter(|&&a| a).count(), disputed, cells }
}

fn stream(call: Call, records: &Rc<[Record]>, query: impl Fn(&Record) -> bool + 'static) -> Contestant<Vec<bool>> {
    let records = Rc::clone(records);
    Contestant {
        call,
        run: Box::new(move |answers: &mut Vec<bool>| {
            answers.clear();
            answers.extend(records.iter().map(&query));
        }),
    }
}

fn cell(outcome: &Outcome<Vec<bool>>, exact: &[bool]) -> Cell {
    let records = exact.len();
    Cell {
        call: outcome.call,
        nanoseconds: outcome.median() / records as f64,
        quickest: outcome.quickest() / records as f64,
        hits: outcome.answers.iter().filter(|&&a| a).count(),
        wrong: outcome.answers.iter().zip(exact).filter(|(a, e)| a != e).count(),
        allowed: if outcome.call.library == Library::Carom { 0 } else { 2 + records * WRONG_PER_MILLION / 1_000_000 },
    }
}

/// Points of a target of about unit size, exact in f32 so that both libraries have the same.
fn outline(target: Target, rng: &mut Rng) -> Vec<[f64; 2]> {
    let round = |p: [f64; 2]| p.map(|v| f64::from(v as f32));
    let around = |i: usize, n: usize| (i as f64 * std::f64::consts::TAU / n as f64).sin_cos();
    let ring = |n: usize, radius: &mut dyn FnMut() -> f64| {
        (0..n).map(|i| (around(i, n), radius())).map(|((sin, cos), r)| round([cos * r, sin * r])).collect()
    };
    match target {
        Target::Circle | Target::Rectangle => Vec::new(),
        Target::Convex(n) => ring(n, &mut || 1.0),
        Target::Cave(n) | Target::Star(n) => ring(n, &mut || 0.6 + 0.4 * rng.f64()),
        Target::Hills(n) => (0..n).map(|i| round([4.0 * i as f64 / n as f64 - 2.0, rng.f64() * 0.2 - 0.1])).collect(),
    }
}

fn record(target: Target, rng: &mut Rng) -> Record {
    let mut number = |extent: f64| f64::from(((rng.f64() * 2.0 - 1.0) * extent) as f32);
    let at = [number(100.0), number(100.0)].map(f64::trunc);
    let angle = if matches!(target, Target::Hills(_)) { 0.0 } else { number(3.0) };
    let (sin, cos) = (f64::from(angle.sin() as f32), f64::from(angle.cos() as f32));
    let from = [number(2.0), number(2.0)];
    let to = [number(2.0), number(2.0)];
    let direction = [0, 1].map(|k| f64::from((to[k] - from[k]) as f32));
    let start = [0, 1].map(|k| f64::from((at[k] + from[k]) as f32));
    let norm = (sin * sin + cos * cos).sqrt();
    let in_range = "the race stays within the range of carom";
    let vector = |v: [f64; 2]| Vector::new(v[0] as f32, v[1] as f32);
    Record {
        ray: Ray::new(start, direction).expect(in_range),
        pose: Pose::from_cos_sin(at, cos / norm, sin / norm).expect(in_range),
        parry_ray: ParryRay::new(vector(start), vector(direction)),
        parry_pose: ParryPose::from_parts(vector(at), Rotation::from_cos_sin_unchecked(cos as f32, sin as f32)),
    }
}

fn carom_shape(target: Target, points: &[[f64; 2]]) -> Shape {
    match target {
        Target::Circle => Shape::circle(1.0),
        Target::Rectangle => Shape::rectangle(2.0, 1.0),
        Target::Convex(_) | Target::Cave(_) => Shape::polygon(points),
        Target::Star(_) => Shape::closed_chain(points),
        Target::Hills(_) => Shape::chain(points),
    }
    .expect("points that both libraries take")
}

fn parry_shape(target: Target, points: &[[f64; 2]]) -> Box<dyn RayCast> {
    let vectors: Vec<Vector> = points.iter().map(|p| Vector::new(p[0] as f32, p[1] as f32)).collect();
    match target {
        Target::Circle => Box::new(Ball::new(1.0)),
        Target::Rectangle => Box::new(Cuboid::new(Vector::new(1.0, 0.5))),
        Target::Convex(_) => Box::new(ConvexPolygon::from_convex_polyline(vectors).expect("a convex outline")),
        Target::Cave(_) => Box::new(compound(&carom_shape(target, points))),
        Target::Star(n) => {
            let n = u32::try_from(n).expect("a thousand or so");
            Box::new(Polyline::new(vectors, Some((0..n).map(|i| [i, (i + 1) % n]).collect())))
        }
        Target::Hills(_) => Box::new(Polyline::new(vectors, None)),
    }
}

/// parry's decomposition changes the area, so it gets carom's exact parts.
fn compound(cave: &Shape) -> Compound {
    let vector = |p: &carom::DVec2| Vector::new(p.x as f32, p.y as f32);
    let convex =
        |part: &Shape| SharedShape::convex_polyline(part.points().iter().map(vector).collect()).expect("a convex part");
    Compound::new(cave.parts().map(|(part, _)| (ParryPose::identity(), convex(&part))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_have_the_same_hits() {
        let options = Options { rounds: 1, records: 20_000, seed: 5, ..Options::default() };
        let report = run(&options);
        assert_eq!(report.failures(), Vec::<String>::new());
        assert_eq!(report.rows.len(), ROWS.len());
    }
}
