//! Generates the input of W5 from a seed: casts of which half hit, with the exact result.

use std::f64::consts::TAU;

use carom::{Placed, Shape, distance};

use crate::input::{self, Pair, Pools, Pose, Record, Vec2};

/// Casts for tuning the aim, and the number of bisections.
const SAMPLE: usize = 4096;
const HALVINGS: usize = 10;
/// Gap that counts as contact in the exact result.
const CONTACT: f64 = 1e-7;

/// One cast: b moves towards a, and both may rotate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    /// Shapes and their start poses.
    pub(crate) start: Record<Pose>,
    /// Translation of b.
    pub(crate) translation: Vec2,
    /// Rotations of a and b in radians.
    pub(crate) turns: [f64; 2],
}

/// Input of a row.
pub(crate) struct Casts {
    /// Vertices, counter-clockwise.
    pub(crate) outlines: Vec<Vec<Vec2>>,
    /// In the order of the calls.
    pub(crate) all: Vec<Cast>,
    /// True if the shapes rotate.
    pub(crate) spinning: bool,
}

/// Casts of which half hit, the spread of the aim, and the exact results.
pub(crate) fn random(spinning: bool, count: usize, seed: u64) -> (Casts, f64, Vec<bool>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let Pools::Polygons(outlines) = Pools::random(Pair::Polygons(3, 8), &mut fastrand::Rng::with_seed(seed)) else {
        unreachable!("polygons were asked for")
    };
    let shapes: Vec<Shape> = outlines.iter().map(|o| Shape::polygon(o).expect("convex polygons")).collect();
    let bounding_radii: Vec<f64> =
        outlines.iter().map(|o| o.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max)).collect();
    let sample: Vec<Draft> = (0..SAMPLE).map(|_| Draft::random(spinning, outlines.len(), &mut rng)).collect();
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let hits =
            sample.iter().filter(|draft| hits(&shapes, &bounding_radii, &draft.aimed(&bounding_radii, middle))).count();
        if 2 * hits > SAMPLE { low = middle } else { high = middle }
    }
    let casts: Vec<Cast> =
        (0..count).map(|_| Draft::random(spinning, outlines.len(), &mut rng).aimed(&bounding_radii, high)).collect();
    let truth = casts.iter().map(|cast| hits(&shapes, &bounding_radii, cast)).collect();
    (Casts { outlines, all: casts, spinning }, high, truth)
}

/// Cast before its aim is chosen.
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

    /// Aimed beside the target's centre by up to `spread` times the sum of the bounding radii.
    fn aimed(&self, bounding_radii: &[f64], spread: f64) -> Cast {
        let [a, b] = self.shapes;
        let (sin, cos) = self.direction.sin_cos();
        let from = [self.center[0] + self.distance * cos, self.center[1] + self.distance * sin];
        let aside = self.aside * spread * (bounding_radii[a] + bounding_radii[b]);
        let displacement = [-self.distance * cos - aside * sin, -self.distance * sin + aside * cos];
        let length = displacement[0].hypot(displacement[1]);
        let start = Record {
            a: a as u32,
            b: b as u32,
            pose_a: input::pose(self.center, self.angles[0]),
            pose_b: input::pose(from, self.angles[1]),
        };
        Cast { start, translation: displacement.map(|x| x / length * self.length), turns: self.turns }
    }
}

/// Returns whether the shapes touch. Steps are at most the distance over the largest speed, so no
/// contact is missed.
fn hits(shapes: &[Shape], bounding_radii: &[f64], cast: &Cast) -> bool {
    let Record { a, b, pose_a, pose_b } = cast.start;
    let (a, b) = (a as usize, b as usize);
    let displacement = cast.translation;
    let speed = displacement[0].hypot(displacement[1])
        + bounding_radii[a] * cast.turns[0].abs()
        + bounding_radii[b] * cast.turns[1].abs();
    let mut time = 0.0;
    while time <= 1.0 {
        let first = placed(&shapes[a], pose_a, cast.turns[0] * time, [0.0; 2]);
        let second = placed(&shapes[b], pose_b, cast.turns[1] * time, displacement.map(|x| x * time));
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
    let position = [pose.translation[0] + moved[0], pose.translation[1] + moved[1]];
    shape.placed(carom::Pose::new(position, angle).expect("the race stays within the range of carom"))
}
