//! Benchmarks the pair kernels on random pairs of which about half overlap.
use std::hint::black_box;
use std::time::Instant;

use carom::{DVec2, Pose, Shape};

use super::broad_phases::median;
use crate::error::CliError;

/// Number of shapes of each kind.
const POOL: usize = 256;
/// Pairs per row. They fit in the cache, so the time of the kernels is measured and not that of
/// memory.
const PAIRS: usize = 10_000;
const ROUNDS: usize = 15;

/// Result of one kernel.
pub(super) struct KernelRow {
    pub(super) pair: &'static str,
    pub(super) question: &'static str,
    pub(super) count: usize,
    /// Median time of a round, divided by the number of pairs. Includes placing both shapes.
    pub(super) nanoseconds: f64,
    /// Number of pairs that overlap.
    pub(super) pairs: usize,
}

/// Shapes of a pair: circles, rectangles, or polygons with a range of vertex counts.
#[derive(Clone, Copy)]
enum PairKind {
    Circle,
    Rectangle,
    Polygon(usize, usize),
}

const ROWS: [(&str, [PairKind; 2]); 6] = [
    ("circle, circle", [PairKind::Circle, PairKind::Circle]),
    ("circle, rectangle", [PairKind::Circle, PairKind::Rectangle]),
    ("rectangle, rectangle", [PairKind::Rectangle, PairKind::Rectangle]),
    ("polygons of 3 to 8", [PairKind::Polygon(3, 8), PairKind::Polygon(3, 8)]),
    ("polygons of 8", [PairKind::Polygon(8, 8), PairKind::Polygon(8, 8)]),
    ("polygons of 64", [PairKind::Polygon(64, 64), PairKind::Polygon(64, 64)]),
];

pub(super) const TURNS: usize = ROWS.len() * ROUNDS;

/// Runs all rows. Calls `done` after each round.
pub(super) fn run(seed: u64, done: &mut dyn FnMut()) -> Result<Vec<KernelRow>, CliError> {
    let mut rows = Vec::new();
    for (pair, kinds) in ROWS {
        let mut random = fastrand::Rng::with_seed(seed);
        let pools = kinds.map(|kind| (0..POOL).map(|_| shape(kind, &mut random)).collect::<Result<Vec<_>, _>>());
        let [first, second] = pools.map(|pool| pool.map_err(|error| CliError::new(error.to_string())));
        let (first, second) = (first?, second?);
        let records = records(&first, &second, &mut random)?;
        let [mut yes, mut how] = [Vec::new(), Vec::new()];
        let mut found = [0, 0];
        for _ in 0..ROUNDS {
            found[0] = timed(&mut yes, &records, |r| {
                carom::intersects(first[r.a].placed(r.poses[0]), second[r.b].placed(r.poses[1]))
            });
            found[1] = timed(&mut how, &records, |r| {
                black_box(carom::collide(first[r.a].placed(r.poses[0]), second[r.b].placed(r.poses[1]))).is_some()
            });
            done();
        }
        for (question, times, pairs) in [("intersects", &mut yes, found[0]), ("collide", &mut how, found[1])] {
            rows.push(KernelRow {
                pair,
                question,
                count: PAIRS,
                nanoseconds: median(times) * 1e9 / PAIRS as f64,
                pairs,
            });
        }
    }
    Ok(rows)
}

struct Record {
    a: usize,
    b: usize,
    poses: [Pose; 2],
}

fn timed(times: &mut Vec<f64>, records: &[Record], test: impl Fn(&Record) -> bool) -> usize {
    let started = Instant::now();
    let count = records.iter().filter(|record| test(record)).count();
    times.push(started.elapsed().as_secs_f64());
    count
}

fn shape(kind: PairKind, random: &mut fastrand::Rng) -> Result<Shape, carom::Error> {
    let size = 0.5 + random.f64();
    let flat = 0.6 + 0.4 * random.f64();
    match kind {
        PairKind::Circle => Shape::circle(size),
        PairKind::Rectangle => Shape::rectangle(2.0 * size, 2.0 * size * flat),
        PairKind::Polygon(least, most) => {
            let corners = random.usize(least..=most);
            let step = std::f64::consts::TAU / corners as f64;
            let corner = |n: usize, random: &mut fastrand::Rng| {
                let (sin, cos) = (step * (n as f64 + 0.7 * (random.f64() - 0.5))).sin_cos();
                DVec2::new(size * cos, size * flat * sin)
            };
            Shape::polygon(&(0..corners).map(|n| corner(n, random)).collect::<Vec<_>>())
        }
    }
}

/// Generates pairs at distances up to twice the mean bounding radius, so that about half of them
/// overlap.
fn records(first: &[Shape], second: &[Shape], random: &mut fastrand::Rng) -> Result<Vec<Record>, CliError> {
    let record = |random: &mut fastrand::Rng| {
        let (a, b) = (random.usize(..POOL), random.usize(..POOL));
        let [p, q] = [&first[a], &second[b]].map(|shape| shape.placed(Pose::IDENTITY).aabb());
        let far = 0.75 * ((p.max() - p.min()).length() + (q.max() - q.min()).length()) * random.f64();
        let at = DVec2::new(random.f64() - 0.5, random.f64() - 0.5) * 100.0;
        let [turn, u, v] = [random.f64(), random.f64(), random.f64()].map(|x| x * std::f64::consts::TAU);
        let poses = [Pose::new(at, u)?, Pose::new(at + DVec2::from_angle(turn) * far, v)?];
        Ok::<_, carom::Error>(Record { a, b, poses })
    };
    (0..PAIRS).map(|_| record(random)).collect::<Result<_, _>>().map_err(|error| CliError::new(error.to_string()))
}
