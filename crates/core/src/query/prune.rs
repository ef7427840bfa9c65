//! The best face of polygons with many corners, without a look at every corner from every edge.
//!
//! Some corners of the other polygon, all around it, are in front of an edge by no less than all of them are: that bounds every edge's separation from above, and lanes
//! are edges. Edges whose bound is below the separation of the most promising one are done with; those that remain lie side by side, and so do their lowest corners.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::face::Face;
use super::pair::Relative;
use super::support::climb;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, widest};
use crate::math::vector::{U, norm1};
use crate::shape::convex::{Block, Convex};

/// Corners of the other polygon that bounds are made of.
const SAMPLES: usize = 8;

/// Blocks of edges for whose bounds there is room.
const ROOM: usize = 64;

/// Is there room for the edges of a polygon?
#[inline(always)]
pub(super) fn has_room(own: &Convex) -> bool {
    own.edge_count() <= 4 * ROOM
}

/// The best face of `own` against `other`, whose pose in the frame of `own` is given, if it is better than `floor`; else whatever is not. Of several the first.
#[inline(never)]
pub(super) fn best_face_above(own: &Convex, other: &Convex, pose: Relative, floor: f64) -> Face {
    let (edges, count) = (own.blocks(), other.corner_count());
    let (edges, mut samples) = (edges.as_slice(), [DVec2::ZERO; SAMPLES]);
    for (i, sample) in samples.iter_mut().enumerate() {
        *sample = other.corner(i * count / SAMPLES);
    }
    let mut bounds = [[0.0; 4]; ROOM];
    let bounds = &mut bounds[..edges.len().min(ROOM)];
    let promising = widest(Bounds { edges, samples, pose, place: bounds });

    let noise = 64.0 * U * (own.reach + other.reach + norm1(pose.translation));
    let (mut best, mut corner) = (Face { separation: floor, edge: 0 }, None);
    if bounds[promising / 4][promising % 4] + noise < floor {
        return best;
    }
    let mut look = |edge: usize, best: &mut Face| {
        let (block, lane) = (&edges[edge / 4], edge % 4);
        let normal = DVec2::new(block.normal_x[lane], block.normal_y[lane]);
        let direction = pose.unrotate(normal);
        let low = climb(other, direction, corner.unwrap_or_else(|| lowest_sample(&samples, direction) * count / SAMPLES));
        corner = Some(low);
        let separation = direction.dot(other.corner(low)) + normal.dot(pose.translation) - block.offset[lane];
        // Looked at out of order, so of equal ones the first is not the one that came first.
        if separation > best.separation || (separation == best.separation && edge < best.edge) {
            *best = Face { separation, edge };
        }
    };
    look(promising, &mut best);
    let words = widest(Above { bounds, level: best.separation - noise });
    for (first, mut bits) in (0..).step_by(64).zip(words) {
        while bits != 0 {
            let edge = first + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if bounds[edge / 4][edge % 4] + noise >= best.separation && edge != promising {
                look(edge, &mut best);
            }
        }
    }
    best
}

/// The sample that is lowest along a direction.
#[inline(always)]
fn lowest_sample(samples: &[DVec2; SAMPLES], direction: DVec2) -> usize {
    let mut least = (f64::INFINITY, 0);
    for (i, sample) in samples.iter().enumerate() {
        let height = direction.dot(*sample);
        least = select_unpredictable(height < least.0, (height, i), least);
    }
    least.1
}

/// The edges whose bounds are no less than a level, a bit for each.
struct Above<'a> {
    bounds: &'a [[f64; 4]],
    level: f64,
}

impl Kernel for Above<'_> {
    type Output = [u64; ROOM / 16];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u64; ROOM / 16] {
        let (mut words, level) = ([0; ROOM / 16], f64x4::splat(simd, self.level));
        for (i, bounds) in self.bounds.iter().enumerate().take(ROOM) {
            words[i / 16] |= f64x4::from_slice(simd, bounds).simd_ge(level).to_bitmask() << (4 * (i % 16));
        }
        words
    }
}

/// Bounds of the separations of all edges; comes out with the edge of the greatest.
struct Bounds<'a> {
    edges: &'a [Block],
    samples: [DVec2; SAMPLES],
    pose: Relative,
    place: &'a mut [[f64; 4]],
}

impl Kernel for Bounds<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { edges, samples, pose, place } = self;
        let (mut most, mut first) = (f64x4::splat(simd, f64::NEG_INFINITY), f64x4::splat(simd, 0.0));
        let (mut number, four) = (f64x4::simd_from(simd, [0.0, 1.0, 2.0, 3.0]), f64x4::splat(simd, 4.0));
        for (block, bound) in edges.iter().zip(place) {
            let (normal_x, normal_y) = (f64x4::from_slice(simd, &block.normal_x), f64x4::from_slice(simd, &block.normal_y));
            let x = normal_x * pose.cos + normal_y * pose.sin;
            let y = normal_y * pose.cos - normal_x * pose.sin;
            let mut least = f64x4::splat(simd, f64::INFINITY);
            for sample in samples {
                least = least.min(x * sample.x + y * sample.y);
            }
            let moved = normal_x * pose.translation.x + normal_y * pose.translation.y - f64x4::from_slice(simd, &block.offset);
            let here = least + moved;
            here.store_slice(bound);
            let better = here.simd_gt(most);
            (most, first) = (better.select(here, most), better.select(number, first));
            number += four;
        }
        let (most, first): ([f64; 4], [f64; 4]) = (most.into(), first.into());
        let lane = (1..4).fold(0, |best, lane| if most[lane] > most[best] { lane } else { best });
        first[lane] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::pose::Pose;
    use crate::shape::{Form, Shape};

    fn polygon(count: usize, rng: &mut fastrand::Rng) -> Convex {
        let (radius, aspect, turn) = (0.5 + rng.f64(), 0.05 + rng.f64(), rng.f64());
        let angle = |i: usize| core::f64::consts::TAU * (i as f64 + 0.7 * rng.f64()) / count as f64;
        let angles: alloc::vec::Vec<f64> = (0..count).map(angle).collect();
        let points: alloc::vec::Vec<[f64; 2]> =
            angles.iter().map(|a| [radius * libm::cos(a + turn), radius * aspect * libm::sin(a + turn)]).collect();
        match Shape::polygon(&points).unwrap().0 {
            Form::Convex(convex) => convex,
            Form::Composite(_) => unreachable!(),
        }
    }

    #[test]
    fn no_edge_is_better_than_the_best_face() {
        let seed = 17;
        let mut rng = fastrand::Rng::with_seed(seed);
        for round in 0..2000 {
            let (own, other) = (polygon(rng.usize(14..90), &mut rng), polygon(rng.usize(14..90), &mut rng));
            let place = [3.0 * rng.f64() - 1.5, 3.0 * rng.f64() - 1.5];
            let pose = Relative::between(&Pose::IDENTITY, &Pose::new(place, 7.0 * rng.f64()).unwrap());
            let separation = |edge: usize| {
                let (normal, start) = (own.normal(edge), own.corner(edge));
                (0..other.corner_count()).map(|i| normal.dot(pose.apply(other.corner(i)) - start)).fold(f64::INFINITY, f64::min)
            };
            let most = (0..own.edge_count()).map(separation).fold(f64::NEG_INFINITY, f64::max);
            let found = best_face_above(&own, &other, pose, f64::NEG_INFINITY);
            let wrong = (found.separation - most).abs().max((separation(found.edge) - most).abs());
            assert!(wrong < 1e-13, "seed {seed}, round {round}: {} at edge {}, not {most}", found.separation, found.edge);
            assert_eq!(best_face_above(&own, &other, pose, most - 0.01).edge, found.edge, "seed {seed}, round {round}");
            assert!(best_face_above(&own, &other, pose, most + 0.01).separation <= most + 0.01, "seed {seed}, round {round}");
        }
    }
}
