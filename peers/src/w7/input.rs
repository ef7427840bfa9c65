//! Makes the work of W7: candidate pairs and points of a set of outlines, and random nested stars.

use std::f64::consts::TAU;
use std::io::{self, Write};

use fastrand::Rng;

use super::Question;
use super::outlines::{Outlines, Point};

/// Stars in a nest: each about the same centre as the one before, and smaller.
const NEST: usize = 4;
/// Radius of the largest star of a nest, and distance of the centres of two neighbours.
const RADIUS: f64 = 100.0;
const SPACING: f64 = 170.0;
/// Fewest and most vertices of a star. The logarithm of the number is uniform.
const VERTICES: [f64; 2] = [100.0, 10_000.0];
/// Points for each outline.
const POINTS: usize = 8;

/// Outlines, and the queries about them.
pub(super) struct Input {
    pub(super) outlines: Outlines,
    /// Pairs whose boxes intersect. The first one has the box with the larger area.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Points with the index of an outline whose box contains them.
    pub(super) points: Vec<(u32, Point)>,
}

impl Input {
    pub(super) fn new(outlines: Outlines, seed: u64) -> Self {
        let pairs = candidates(&outlines);
        let mut rng = Rng::with_seed(seed);
        let mut points = Vec::new();
        for outline in 0..outlines.len() {
            let owner = outline as u32;
            points.extend((0..POINTS).map(|i| (owner, point(outlines.points(outline), i, &mut rng))));
        }
        Self { outlines, pairs, points }
    }

    /// Returns the number of answers to a question.
    pub(super) fn query_count(&self, question: Question) -> usize {
        if question == Question::Point { self.points.len() } else { self.pairs.len() }
    }

    /// Writes all of it for the process of GEOS.
    pub(super) fn write(&self, file: &mut impl Write) -> io::Result<()> {
        self.outlines.write(file)?;
        let count = |n: usize| u32::try_from(n).expect("fewer than 2³² pairs").to_le_bytes();
        file.write_all(&count(self.pairs.len()))?;
        self.pairs.iter().flatten().try_for_each(|i| file.write_all(&i.to_le_bytes()))?;
        file.write_all(&count(self.points.len()))?;
        self.points.iter().try_for_each(|p| file.write_all(&p.0.to_le_bytes()))?;
        self.points.iter().flat_map(|p| p.1).try_for_each(|x| file.write_all(&x.to_le_bytes()))
    }
}

/// Returns a point in the box of an outline: a vertex, the rounded middle of two, or a random one.
fn point(outline: &[Point], kind: usize, rng: &mut Rng) -> Point {
    let vertex = rng.usize(..outline.len());
    let (p, q) = (outline[vertex], outline[(vertex + 1) % outline.len()]);
    match kind {
        0 => p,
        1 => [0, 1].map(|axis| f64::midpoint(p[axis], q[axis])),
        _ => {
            let [min, max] = bounds(outline);
            [0, 1].map(|axis| (min[axis] + rng.f64() * (max[axis] - min[axis])).clamp(min[axis], max[axis]))
        }
    }
}

/// Returns the low and the high corner of the box.
pub(super) fn bounds(points: &[Point]) -> [Point; 2] {
    let extreme = |start: f64, of: fn(f64, f64) -> f64| {
        points.iter().fold([start; 2], |corner, point| [0, 1].map(|axis| of(corner[axis], point[axis])))
    };
    [extreme(f64::INFINITY, f64::min), extreme(f64::NEG_INFINITY, f64::max)]
}

/// Returns the pairs whose boxes intersect, by sort and sweep.
fn candidates(outlines: &Outlines) -> Vec<[u32; 2]> {
    let boxes: Vec<[Point; 2]> = (0..outlines.len()).map(|i| bounds(outlines.points(i))).collect();
    let area = |i: u32| {
        let [min, max] = boxes[i as usize];
        (max[0] - min[0]) * (max[1] - min[1])
    };
    let mut order: Vec<u32> = (0..outlines.len() as u32).collect();
    order.sort_by(|&a, &b| boxes[a as usize][0][0].total_cmp(&boxes[b as usize][0][0]));
    let mut pairs = Vec::new();
    for (i, &a) in order.iter().enumerate() {
        let [min, max] = boxes[a as usize];
        for &b in order[i + 1..].iter().take_while(|&&b| boxes[b as usize][0][0] <= max[0]) {
            let [low, high] = boxes[b as usize];
            if low[1] <= max[1] && min[1] <= high[1] {
                let larger_first = area(a).total_cmp(&area(b)).then(b.cmp(&a)).is_ge();
                pairs.push(if larger_first { [a, b] } else { [b, a] });
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns stars in nests on a square lattice, in random order.
pub(super) fn stars(count: usize, seed: u64) -> Outlines {
    let mut rng = Rng::with_seed(seed);
    let side = count.div_ceil(NEST).isqrt() + 1;
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let nest = all.len() / NEST;
        let centre = [nest % side, nest / side].map(|i| SPACING * i as f64);
        let phase = TAU * rng.f64();
        let mut scale = RADIUS / 1.5;
        for _ in 0..NEST.min(count - all.len()) {
            let vertices = vertex_count(&mut rng);
            let centre = centre.map(|x| x + 0.1 * scale * (rng.f64() - 0.5));
            all.push(star(vertices, centre, scale, phase, &mut rng));
            scale *= 0.5 + 0.5 * rng.f64();
        }
    }
    rng.shuffle(&mut all);
    let mut outlines = Outlines::empty();
    for ring in &all {
        outlines.push([[&ring[..]]]);
    }
    outlines
}

/// Returns a random number whose logarithm is uniform.
#[expect(clippy::cast_sign_loss, reason = "it is at least 100")]
fn vertex_count(rng: &mut Rng) -> usize {
    (VERTICES[0] * (VERTICES[1] / VERTICES[0]).powf(rng.f64())) as usize
}

/// Returns a star with a vertex in each of `n` directions: waves and noise about the radius `scale`.
fn star(n: usize, centre: Point, scale: f64, phase: f64, rng: &mut Rng) -> Vec<Point> {
    let vertex = |i: usize| {
        let angle = TAU * i as f64 / n as f64;
        let waves = 0.3 * (5.0 * angle + phase).sin() + 0.1 * (23.0 * angle).cos();
        let radius = scale * (1.0 + waves + 0.1 * (rng.f64() - 0.5));
        [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
    };
    (0..n).map(vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_all_pairs_whose_boxes_intersect() {
        let outlines = stars(60, 5);
        let boxes: Vec<[Point; 2]> = (0..60).map(|i| bounds(outlines.points(i))).collect();
        let intersect =
            |a: usize, b: usize| (0..2).all(|x| boxes[a][0][x] <= boxes[b][1][x] && boxes[b][0][x] <= boxes[a][1][x]);
        let count = (0..60).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| intersect(a, b)).count();
        let pairs = candidates(&outlines);
        assert!(pairs.iter().all(|&[a, b]| a != b && intersect(a as usize, b as usize)));
        assert_eq!(pairs.len(), count);
    }

    #[test]
    fn stars_have_the_stated_sizes() {
        let outlines = stars(400, 1);
        let sizes: Vec<usize> = (0..400).map(|i| outlines.points(i).len()).collect();
        assert!(sizes.iter().all(|n| (100..=10_000).contains(n)));
        let small = sizes.iter().filter(|&&n| n < 1_000).count();
        assert!((150..250).contains(&small), "half of the stars have fewer than 1000 vertices: {small}");
    }
}
