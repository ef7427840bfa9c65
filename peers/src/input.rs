//! Generates the input of all libraries from a seed: pools of shapes and a stream of placed pairs,
//! in f64. Libraries that compute in f32 receive rounded numbers.

use std::f64::consts::TAU;

/// Number of shapes in a pool.
const POOL: usize = 1024;
/// Largest coordinate of a centre.
const EXTENT: f64 = 50.0;
/// Number of records for tuning the spread. The share of hits is then accurate to about half a
/// percent.
const SAMPLE: usize = 32_768;
/// Number of bisections of the spread: to a thousandth of the bounding radius.
const HALVINGS: usize = 12;

/// A point or a vector.
pub(crate) type Vec2 = [f64; 2];

/// Translation and rotation. The rotation is cosine and sine, because every library stores it so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    /// Position of the shape's origin.
    pub(crate) translation: Vec2,
    /// Cosine of the rotation.
    pub(crate) cos: f64,
    /// Sine of the rotation.
    pub(crate) sin: f64,
}

/// One pair: indices into the pools and a pose for each. `P` is the pose type of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record<P> {
    /// Index of the first shape.
    pub(crate) a: u32,
    /// Index of the second shape.
    pub(crate) b: u32,
    /// Pose of the first shape.
    pub(crate) pose_a: P,
    /// Pose of the second shape.
    pub(crate) pose_b: P,
}

/// Kinds of a pair, as in a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    /// A circle and a circle.
    Circles,
    /// A circle and a rectangle.
    CircleRectangle,
    /// Two rotated rectangles.
    Rectangles,
    /// Two convex polygons with this many vertices at least and at most.
    Polygons(usize, usize),
}

/// Shapes of both sides of a pair. If both have one kind they share a pool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pools {
    /// Radii.
    Circles(Vec<f64>),
    /// Radii, and half extents.
    CirclesAndRectangles(Vec<f64>, Vec<Vec2>),
    /// Half extents.
    Rectangles(Vec<Vec2>),
    /// Vertices, counter-clockwise.
    Polygons(Vec<Vec<Vec2>>),
}

impl Pools {
    /// Shapes of a pair of kinds.
    pub(crate) fn random(pair: Pair, rng: &mut fastrand::Rng) -> Self {
        let circles = |rng: &mut fastrand::Rng| (0..POOL).map(|_| size(rng)[0]).collect();
        match pair {
            Pair::Circles => Self::Circles(circles(rng)),
            Pair::CircleRectangle => {
                let circles = circles(rng);
                Self::CirclesAndRectangles(circles, (0..POOL).map(|_| size(rng)).collect())
            }
            Pair::Rectangles => Self::Rectangles((0..POOL).map(|_| size(rng)).collect()),
            Pair::Polygons(least, most) => Self::Polygons(
                (0..POOL)
                    .map(|_| {
                        let count = rng.usize(least..=most);
                        polygon(count, rng)
                    })
                    .collect(),
            ),
        }
    }

    /// Returns the bounding radius about the shape's origin, for a shape of each side.
    fn bounding_radii(&self, a: usize, b: usize) -> [f64; 2] {
        let corner = |half: &Vec2| half[0].hypot(half[1]);
        let farthest = |points: &Vec<Vec2>| points.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max);
        match self {
            Self::Circles(radii) => [radii[a], radii[b]],
            Self::CirclesAndRectangles(radii, halves) => [radii[a], corner(&halves[b])],
            Self::Rectangles(halves) => [corner(&halves[a]), corner(&halves[b])],
            Self::Polygons(outlines) => [farthest(&outlines[a]), farthest(&outlines[b])],
        }
    }
}

/// Input of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Input {
    /// The shapes.
    pub(crate) pools: Pools,
    /// Pairs in the order of the calls.
    pub(crate) records: Vec<Record<Pose>>,
    /// Largest distance of the centres, relative to the sum of the bounding radii.
    pub(crate) spread: f64,
}

impl Input {
    /// Generates pools and `count` records of one pair of kinds. Half of the records overlap.
    /// `hits` counts the overlaps.
    pub(crate) fn random(pair: Pair, count: usize, seed: u64, hits: impl Fn(&Pools, &[Record<Pose>]) -> usize) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let pools = Pools::random(pair, &mut rng);
        let mut sample_rng = fastrand::Rng::with_seed(seed ^ 0x5eed);
        let sample = Draft::many(SAMPLE, &mut sample_rng);
        let (mut low, mut high) = (0.0, 4.0);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            let records: Vec<_> = sample.iter().map(|d| d.at(&pools, middle)).collect();
            if 2 * hits(&pools, &records) > SAMPLE {
                low = middle;
            } else {
                high = middle;
            }
        }
        let records = Draft::many(count, &mut rng).iter().map(|d| d.at(&pools, high)).collect();
        Self { pools, records, spread: high }
    }
}

/// Record before the spread is known.
struct Draft {
    a: usize,
    b: usize,
    center: Vec2,
    turns: [f64; 2],
    direction: f64,
    share: f64,
}

impl Draft {
    fn many(count: usize, rng: &mut fastrand::Rng) -> Vec<Self> {
        (0..count)
            .map(|_| Self {
                a: rng.usize(..POOL),
                b: rng.usize(..POOL),
                center: [between(rng, -EXTENT, EXTENT), between(rng, -EXTENT, EXTENT)],
                turns: [rng.f64() * TAU, rng.f64() * TAU],
                direction: rng.f64() * TAU,
                share: rng.f64(),
            })
            .collect()
    }

    fn at(&self, pools: &Pools, spread: f64) -> Record<Pose> {
        let [radius_a, radius_b] = pools.bounding_radii(self.a, self.b);
        let distance = self.share * spread * (radius_a + radius_b);
        let (sin, cos) = self.direction.sin_cos();
        let other = [self.center[0] + distance * cos, self.center[1] + distance * sin];
        Record {
            a: self.a as u32,
            b: self.b as u32,
            pose_a: pose(self.center, self.turns[0]),
            pose_b: pose(other, self.turns[1]),
        }
    }
}

/// Returns a pose from an angle.
pub(crate) fn pose(translation: Vec2, angle: f64) -> Pose {
    let (sin, cos) = angle.sin_cos();
    Pose { translation, cos, sin }
}

fn between(rng: &mut fastrand::Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// The two half axes of an ellipse: radius 0.5…1.5, aspect 0.6…1.
fn size(rng: &mut fastrand::Rng) -> Vec2 {
    let radius = between(rng, 0.5, 1.5);
    [radius, radius * between(rng, 0.6, 1.0)]
}

/// Convex polygon on an ellipse, with jittered vertices, about its mean vertex, with a random
/// rotation.
fn polygon(count: usize, rng: &mut fastrand::Rng) -> Vec<Vec2> {
    let [half_x, half_y] = size(rng);
    let mut points: Vec<Vec2> = (0..count)
        .map(|i| {
            let angle = TAU / count as f64 * (i as f64 + between(rng, -0.35, 0.35));
            [half_x * angle.cos(), half_y * angle.sin()]
        })
        .collect();
    let mean = [0, 1].map(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / count as f64);
    let (sin, cos) = (rng.f64() * TAU).sin_cos();
    for point in &mut points {
        let [x, y] = [point[0] - mean[0], point[1] - mean[1]];
        *point = [cos * x - sin * y, sin * x + cos * y];
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::textbook;

    const PAIRS: [Pair; 6] = [
        Pair::Circles,
        Pair::CircleRectangle,
        Pair::Rectangles,
        Pair::Polygons(3, 8),
        Pair::Polygons(8, 8),
        Pair::Polygons(64, 64),
    ];

    #[test]
    fn half_of_the_records_overlap() {
        for pair in PAIRS {
            let input = Input::random(pair, 40_000, 1, textbook::hits);
            let hits = textbook::hits(&input.pools, &input.records);
            assert!((19_500..=20_500).contains(&hits), "{pair:?}: {hits} of 40 000 at seed 1");
        }
    }

    #[test]
    fn a_seed_is_a_race() {
        let input = |seed| Input::random(Pair::Rectangles, 100, seed, textbook::hits);
        assert_eq!(input(7), input(7));
        assert_ne!(input(7).records, input(8).records);
    }

    #[test]
    fn polygons_are_convex_and_counter_clockwise() {
        let mut rng = fastrand::Rng::with_seed(3);
        for count in [3, 4, 5, 8, 64].repeat(200) {
            let points = polygon(count, &mut rng);
            for i in 0..count {
                let [a, b, c] = [0, 1, 2].map(|k| points[(i + k) % count]);
                let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
                assert!(turn > 0.0, "{points:?} at seed 3");
            }
        }
    }
}
