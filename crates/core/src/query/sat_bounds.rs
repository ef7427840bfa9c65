//! Finds the best edge of polygons with many vertices from upper bounds of the separations.
//!
//! Input and output are those of [`sat`](super::sat). The simple version there tests every edge
//! against every vertex. The separation of an edge is a minimum over all vertices of the other
//! polygon. The minimum over a few of these vertices is therefore an upper bound.
//!
//! ```text
//! bounds = for each edge, minimum over 8 vertices spread around the other polygon   (f32, 8 edges per SIMD step)
//! best = f64 separation of the edge with the greatest bound, by hill climbing
//! near = 5 vertices around the lowest vertex of that edge
//! for each block of 8 edges that has a bound ≥ best
//!     bounds = min(bounds, minimum over near)
//!     for each edge with a bound ≥ best: compute its f64 separation; update best
//! return best
//! ```
//!
//! The remaining edges mostly lie beside the best one, so the second bounds remove nearly all of
//! them. Bounds may be too high without harm, so single precision suffices. Its rounding error is
//! subtracted from the level of comparison.
//!
//! Polygons with more edges than fit, and those out of the range of single precision, have no bounds. Then rotating
//! calipers compute the separations of all edges.

use glam::DVec2;

use super::max_separation::MaxSeparation;
use super::pair::Relative;
use super::support::hill_climb;
use crate::math::simd::{Simd, SimdKernel, dispatch, f32x8};
use crate::math::vector::norm1;
use crate::shape::convex::edges_f32::EdgesF32;
use crate::shape::convex::{Convex, VertexBlock4};

/// Number of vertices around the other polygon for the first bounds.
const GLOBAL_SAMPLES: usize = 8;

/// Number of neighboring vertices for the second bounds.
const LOCAL_SAMPLES: usize = 5;

/// Capacity for bounds, in blocks of eight edges.
const MAX_EDGE_BLOCKS: usize = 32;

/// Returns true if the edges fit the capacity and single precision neither overflows nor underflows.
fn is_applicable(own: &Convex, other: &Convex, pose: Relative) -> bool {
    own.edge_count() <= 8 * MAX_EDGE_BLOCKS && (1e-30..1e30).contains(&scale(own, other, pose))
}

/// Returns a length that no term of a bound exceeds.
#[inline(always)]
fn scale(own: &Convex, other: &Convex, pose: Relative) -> f64 {
    own.bounding_radius + other.bounding_radius + norm1(pose.translation)
}

/// Returns the edge of `own` with the greatest separation from `other`. Tie: lowest edge index.
///
/// `pose` is the pose of `other` in the frame of `own`.
#[inline(never)]
pub(super) fn best_edge(own: &Convex, other: &Convex, pose: Relative) -> MaxSeparation {
    let (edges, edges_f32, vertices) = (own.blocks(), own.edges_f32(), other.blocks());
    // Fewer than 24 roundings: normal and its rotation, vertices, offset and translation, their sums, and the level
    // that bounds are compared with.
    let noise = scale(own, other, pose) * (32.0 * f64::from(f32::EPSILON));
    let (edges, edges_f32, vertices) = (edges.as_slice(), edges_f32.as_slice(), vertices.as_slice());
    let sat = BoundedSat { edges, edges_f32, vertices, other, pose, noise };
    if is_applicable(own, other, pose) { dispatch(sat) } else { sat.rotating_calipers(own.edge_count()) }
}

/// Two polygons with many vertices: the owner of the edges and the other one.
struct BoundedSat<'a> {
    /// Edges in `f64`.
    edges: &'a [VertexBlock4],
    /// The same edges in `f32`.
    edges_f32: &'a [EdgesF32],
    /// Vertices of the other polygon.
    vertices: &'a [VertexBlock4],
    /// The other polygon.
    other: &'a Convex,
    /// Pose of the other polygon in the frame of the edges.
    pose: Relative,
    /// Bounds may be too low by at most this length.
    noise: f64,
}

/// Some vertices of the other polygon, in single precision.
struct SampledVertices<const N: usize> {
    /// The x coordinates.
    x: [f32; N],
    /// The y coordinates.
    y: [f32; N],
}

impl SimdKernel for BoundedSat<'_> {
    type Output = MaxSeparation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> MaxSeparation {
        let (count, noise) = (self.other.hull_vertex_count(), self.noise);
        let (samples, mut bounds) = (self.sample_vertices(|i| i * count / GLOBAL_SAMPLES), [[0.0; 8]; MAX_EDGE_BLOCKS]);
        let promising = self.upper_bounds(simd, &samples, &mut bounds);
        let mut best = MaxSeparation::NONE;
        let start = samples.lowest(simd, self.direction(promising)) * count / GLOBAL_SAMPLES;
        let mut vertex = self.evaluate_edge(promising, start, &mut best);
        let near: SampledVertices<LOCAL_SAMPLES> = self.sample_vertices(|i| neighbor_index(vertex, i, count));
        let level = f32x8::splat(simd, (best.separation - noise) as f32);
        let mut left = 0_u32;
        for (i, bounds) in bounds.iter().enumerate().take(self.edges_f32.len()) {
            left |= u32::from(f32x8::from_slice(simd, bounds).simd_ge(level).any_true()) << i;
        }
        while left != 0 {
            let i = left.trailing_zeros() as usize % MAX_EDGE_BLOCKS;
            left &= left - 1;
            let bounds = f32x8::from_slice(simd, &bounds[i]).min(self.separations(simd, &self.edges_f32[i], &near));
            let (mut bits, bounds): (_, [f32; 8]) = (bounds.simd_ge(level).to_bitmask(), bounds.to_array());
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize % 8;
                bits &= bits - 1;
                if f64::from(bounds[lane]) + noise >= best.separation && 8 * i + lane != promising {
                    vertex = self.evaluate_edge(8 * i + lane, vertex, &mut best);
                }
            }
        }
        best
    }
}

/// Returns the index of neighbor `i` of `LOCAL_SAMPLES` around a vertex.
///
/// The step between neighbors is a quarter of the step between samples, at least 1.
#[inline(always)]
fn neighbor_index(vertex: usize, i: usize, count: usize) -> usize {
    let step = (count / (GLOBAL_SAMPLES * (LOCAL_SAMPLES - 1))).max(1);
    let number = vertex + count + i * step - LOCAL_SAMPLES / 2 * step;
    let number = if number < count { number } else { number - count };
    // For a segment, two steps are one round.
    if number < count { number } else { number - count }
}

impl BoundedSat<'_> {
    /// Finds the best edge without bounds. While the normals turn counter-clockwise, the lowest vertex of the other
    /// polygon turns too. Both go around once.
    fn rotating_calipers(&self, edge_count: usize) -> MaxSeparation {
        let mut best = MaxSeparation::NONE;
        (0..edge_count).fold(0, |vertex, edge| self.evaluate_edge(edge, vertex, &mut best));
        best
    }

    /// Returns the vertices with the given indices.
    #[inline(always)]
    fn sample_vertices<const N: usize>(&self, number: impl Fn(usize) -> usize) -> SampledVertices<N> {
        let mut some = SampledVertices { x: [0.0; N], y: [0.0; N] };
        for i in 0..N {
            let (block, lane) = (&self.vertices[number(i) / 4], number(i) % 4);
            (some.x[i], some.y[i]) = (block.x[lane] as f32, block.y[lane] as f32);
        }
        some
    }

    /// Computes upper bounds of the separations of all edges. Returns the edge with the greatest bound.
    #[inline(always)]
    fn upper_bounds<S: Simd>(
        &self,
        simd: S,
        samples: &SampledVertices<GLOBAL_SAMPLES>,
        bounds: &mut [[f32; 8]; MAX_EDGE_BLOCKS],
    ) -> usize {
        let (mut most, mut first) = (f32x8::splat(simd, f32::NEG_INFINITY), f32x8::splat(simd, 0.0));
        let mut number = f32x8::from_array(simd, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        for (edges, bounds) in self.edges_f32.iter().zip(bounds) {
            let here = self.separations(simd, edges, samples);
            here.store_slice(bounds);
            let better = here.simd_gt(most);
            (most, first) = (better.select(here, most), better.select(number, first));
            number += 8.0;
        }
        let lane = most.simd_eq(f32x8::splat(simd, most.reduce_max())).to_bitmask().trailing_zeros() as usize % 8;
        first[lane] as usize
    }

    /// Returns the least height of the given vertices over each of eight edges: an upper bound of the separation.
    #[inline(always)]
    fn separations<S: Simd, const N: usize>(
        &self,
        simd: S,
        edges: &EdgesF32,
        vertices: &SampledVertices<N>,
    ) -> f32x8<S> {
        let Relative { cos, sin, translation } = self.pose;
        let (cos, sin, at_x, at_y) = (cos as f32, sin as f32, translation.x as f32, translation.y as f32);
        let (normal_x, normal_y) = (f32x8::from_slice(simd, &edges.normal_x), f32x8::from_slice(simd, &edges.normal_y));
        let (x, y) = (normal_x * cos + normal_y * sin, normal_y * cos - normal_x * sin);
        let mut least = x * vertices.x[0] + y * vertices.y[0];
        for k in 1..N {
            least = least.min(x * vertices.x[k] + y * vertices.y[k]);
        }
        least + (normal_x * at_x + normal_y * at_y - f32x8::from_slice(simd, &edges.offset))
    }

    /// Returns the outward unit normal of an edge.
    #[inline(always)]
    fn normal(&self, edge: usize) -> DVec2 {
        let (block, lane) = (&self.edges[edge / 4], edge % 4);
        DVec2::new(block.normal_x[lane], block.normal_y[lane])
    }

    /// Returns the normal of an edge in the frame of the other polygon.
    #[inline(always)]
    fn direction(&self, edge: usize) -> DVec2 {
        self.pose.unrotate(self.normal(edge))
    }

    /// Computes the separation of an edge and updates `best`.
    ///
    /// Searches the edge's lowest vertex by hill climbing from vertex `from`, and returns it.
    #[inline(never)]
    fn evaluate_edge(&self, edge: usize, from: usize, best: &mut MaxSeparation) -> usize {
        let (normal, direction) = (self.normal(edge), self.direction(edge));
        let low = hill_climb(self.other, direction, from);
        let vertex = DVec2::new(self.vertices[low / 4].x[low % 4], self.vertices[low / 4].y[low % 4]);
        let separation =
            direction.dot(vertex) + normal.dot(self.pose.translation) - self.edges[edge / 4].offset[edge % 4];
        // Edges are not visited in order, so a tie needs an explicit comparison of the indices.
        if separation > best.separation || (separation == best.separation && edge < best.edge) {
            *best = MaxSeparation { separation, edge };
        }
        low
    }
}

impl SampledVertices<GLOBAL_SAMPLES> {
    /// Returns the index of the sample that is lowest along a direction.
    #[inline(always)]
    fn lowest<S: Simd>(&self, simd: S, direction: DVec2) -> usize {
        let heights = f32x8::from_slice(simd, &self.x) * direction.x as f32
            + f32x8::from_slice(simd, &self.y) * direction.y as f32;
        heights.simd_eq(f32x8::splat(simd, heights.reduce_min())).to_bitmask().trailing_zeros() as usize
            % GLOBAL_SAMPLES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::pose::Pose;
    use crate::shape::{Form, Shape};

    fn polygon(count: usize, size: f64, rng: &mut fastrand::Rng) -> Convex {
        let (radius, aspect, turn) = (size * (0.5 + rng.f64()), 0.05 + rng.f64(), rng.f64());
        let angle = |i: usize| core::f64::consts::TAU * (i as f64 + 0.7 * rng.f64()) / count as f64;
        let angles: alloc::vec::Vec<f64> = (0..count).map(angle).collect();
        let points: alloc::vec::Vec<[f64; 2]> =
            angles.iter().map(|a| [radius * libm::cos(a + turn), radius * aspect * libm::sin(a + turn)]).collect();
        match Shape::polygon(&points).unwrap().0 {
            Form::Convex(convex) => convex,
            Form::Composite(_) => unreachable!(),
        }
    }

    /// Compares the best edges of random polygons with a test of all edges and vertices.
    fn no_edge_is_better(
        rounds: usize,
        vertices: core::ops::Range<usize>,
        powers: core::ops::Range<i32>,
        bounds: bool,
    ) {
        let seed = 17;
        let mut rng = fastrand::Rng::with_seed(seed);
        for round in 0..rounds {
            let size = 10f64.powi(rng.i32(powers.clone()));
            let (own, other) = (
                polygon(rng.usize(vertices.clone()), size, &mut rng),
                polygon(rng.usize(4..90), size * [1.0, 0.01][round % 2], &mut rng),
            );
            let position = [(3.0 * rng.f64() - 1.5) * size, (3.0 * rng.f64() - 1.5) * size];
            let pose = Relative::between(&Pose::IDENTITY, &Pose::new(position, 7.0 * rng.f64()).unwrap());
            let separation = |edge: usize| {
                let (normal, start) = (own.normal(edge), own.hull_vertex(edge));
                (0..other.hull_vertex_count())
                    .map(|i| normal.dot(pose.apply(other.hull_vertex(i)) - start))
                    .fold(f64::INFINITY, f64::min)
            };
            let most = (0..own.edge_count()).map(separation).fold(f64::NEG_INFINITY, f64::max);
            let found = best_edge(&own, &other, pose);
            let wrong = (found.separation - most).abs().max((separation(found.edge) - most).abs());
            assert!(
                is_applicable(&own, &other, pose) == bounds && wrong < 1e-13 * size,
                "seed {seed}, round {round}: {} at edge {}, not {most}",
                found.separation,
                found.edge
            );
        }
    }

    #[test]
    fn no_edge_is_better_than_the_best_edge() {
        // Includes sizes near the limits of single precision, and polygons that are small beside the other.
        no_edge_is_better(2000, 4..90, -28..28, true);
    }

    #[test]
    fn without_bounds_no_edge_is_better_either() {
        // Sizes below the range of single precision, and more edges than have bounds.
        no_edge_is_better(500, 4..90, -60..-40, false);
        no_edge_is_better(100, 300..700, -28..28, false);
    }
}
