//! Finds the edge normal with the greatest separation of two convex shapes: separating axis test
//! (SAT).
//!
//! Input: two convex shapes and their relative pose. Output: the best edge and its separation. Two
//! convex sets are apart if and only if a normal of an edge of one of them separates them. If they
//! overlap, the least overlap along these normals is the depth (Ericson 2005, 5.2.1). The simple
//! version:
//!
//! ```text
//! for each edge of one shape
//!     separation = min over all hull vertices v of the other: normal · (v − start of the edge)
//! return the edge with the greatest separation
//! ```
//!
//! This version rotates the normals instead of the vertices and computes four or eight edges per
//! SIMD step. It has closed forms for a single vertex and for two rectangles (Gottschalk 1996).
//! From [`BOUNDS_MIN_VERTICES`] vertices on, it uses [`sat_bounds`]. The simple version takes time
//! proportional to the product of the vertex counts.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::max_separation::MaxSeparation;
use super::pair::Relative;
use super::sat_bounds;
use super::support::eight;
use crate::math::simd::{Simd, SimdKernel, dispatch, f64x4, f64x8};
use crate::shape::convex::{Convex, VertexBlock4};

/// Minimum vertex count of both shapes together for [`sat_bounds`].
const BOUNDS_MIN_VERTICES: usize = 28;

/// Returns the edge of `own` with the greatest separation from `other`. Tie: lowest edge index.
///
/// `pose` is the pose of `other` in the frame of `own`.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn find_max_separation(own: &Convex, other: &Convex, pose: Relative) -> MaxSeparation {
    if own.edge_count() == 0 {
        return MaxSeparation::NONE;
    }
    if let Some(point) = other.as_point() {
        let point = pose.apply(point);
        return match own.as_rectangle() {
            Some(half) => of_rectangle(half, point, DVec2::ZERO),
            None => before_point(own, point),
        };
    }
    if uses_bounds(own.hull_vertex_count(), other.hull_vertex_count()) {
        sat_bounds::best_edge(own, other, pose)
    } else {
        let (edges, vertices) = (own.blocks(), other.blocks());
        dispatch(OneSide { edges: edges.as_slice(), vertices: vertices.as_slice(), pose })
    }
}

/// Returns true if the vertex counts are large enough to avoid the test of all edges against all vertices.
#[inline(always)]
pub(super) fn uses_bounds(a: usize, b: usize) -> bool {
    a + b >= BOUNDS_MIN_VERTICES
}

/// Returns the best edges of two rectangles. The half extent of each along an axis of the other is a sum of two
/// products (Gottschalk 1996).
#[inline(always)]
pub(super) fn of_rectangles(a: DVec2, b: DVec2, [b_in_a, a_in_b]: [Relative; 2]) -> [MaxSeparation; 2] {
    [of_rectangle(a, b_in_a.translation, b_in_a.extent(b)), of_rectangle(b, a_in_b.translation, a_in_b.extent(a))]
}

/// Returns the best edge of a rectangle against a box with half extents `extent` around `center`.
#[inline(always)]
pub(super) fn of_rectangle(half: DVec2, center: DVec2, extent: DVec2) -> MaxSeparation {
    // Edge indices, counter-clockwise from the lower edge: 0 lower, 1 right, 2 upper, 3 left.
    let separation = center.abs() - half - extent;
    // No branches: the position of the other shape is unpredictable.
    let (horizontal, vertical) = (1 + 2 * usize::from(center.x < 0.0), 2 * usize::from(center.y > 0.0));
    let sideways = (separation.x > separation.y) | ((separation.x == separation.y) & (horizontal < vertical));
    MaxSeparation { separation: separation.max_element(), edge: select_unpredictable(sideways, horizontal, vertical) }
}

/// Returns the best edge against a single point.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn before_point(own: &Convex, point: DVec2) -> MaxSeparation {
    let mut best = MaxSeparation::NONE;
    for (i, block) in own.blocks().as_slice().iter().enumerate() {
        let separations: [f64; 4] =
            core::array::from_fn(|l| block.normal_x[l] * point.x + block.normal_y[l] * point.y - block.offset[l]);
        best = better(best, i, &separations);
    }
    best
}

/// Returns the best edges of two polygons with up to eight vertices each, the usual case.
///
/// Returns `None` if one of these edges separates the polygons by more than `limit`.
#[inline(always)]
pub(super) fn of_small_polygons(
    a: &[VertexBlock4; 2],
    b: &[VertexBlock4; 2],
    poses: [Relative; 2],
    limit: f64,
) -> Option<[MaxSeparation; 2]> {
    dispatch(BothSides { a, b, poses, limit })
}

/// The best edges of two small polygons, with a limit.
struct BothSides<'a> {
    /// Vertices of the first polygon.
    a: &'a [VertexBlock4; 2],
    /// Vertices of the second polygon.
    b: &'a [VertexBlock4; 2],
    /// Pose of each polygon in the frame of the other.
    poses: [Relative; 2],
    /// Separation that ends the test.
    limit: f64,
}

impl SimdKernel for BothSides<'_> {
    type Output = Option<[MaxSeparation; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<[MaxSeparation; 2]> {
        both_sides(simd, self.a, self.b, self.poses, self.limit)
    }
}

/// Computes [`of_small_polygons`] inside a SIMD kernel.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn both_sides<S: Simd>(
    simd: S,
    a: &[VertexBlock4; 2],
    b: &[VertexBlock4; 2],
    poses: [Relative; 2],
    limit: f64,
) -> Option<[MaxSeparation; 2]> {
    let of_a = of_two_blocks(simd, a, b, poses[0]);
    if of_a.separation > limit {
        return None;
    }
    let of_b = of_two_blocks(simd, b, a, poses[1]);
    (of_b.separation <= limit).then_some([of_a, of_b])
}

/// Returns the best edge of one small polygon.
#[inline(always)]
fn of_two_blocks<S: Simd>(
    simd: S,
    edges: &[VertexBlock4; 2],
    vertices: &[VertexBlock4; 2],
    pose: Relative,
) -> MaxSeparation {
    let separations = of_eight(simd, edges, vertices, pose);
    let separation = separations.reduce_max();
    let edge = separations.simd_eq(f64x8::splat(simd, separation)).to_bitmask().trailing_zeros() as usize;
    MaxSeparation { separation, edge }
}

/// Returns the separations of eight edges. One lane per edge; vertices are broadcast.
#[inline(always)]
fn of_eight<S: Simd>(
    simd: S,
    [first, second]: &[VertexBlock4; 2],
    vertices: &[VertexBlock4; 2],
    pose: Relative,
) -> f64x8<S> {
    let (normal_x, normal_y) =
        (eight(simd, &first.normal_x, &second.normal_x), eight(simd, &first.normal_y, &second.normal_y));
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    let mut least = f64x8::splat(simd, f64::INFINITY);
    for block in vertices {
        for vertex in 0..4 {
            least = least.min(x * block.x[vertex] + y * block.y[vertex]);
        }
    }
    least + (normal_x * pose.translation.x + normal_y * pose.translation.y - eight(simd, &first.offset, &second.offset))
}

/// The best edge of one shape of any size: every edge is tested against every vertex of the other.
struct OneSide<'a> {
    /// Edges of that shape.
    edges: &'a [VertexBlock4],
    /// Vertices of the other shape.
    vertices: &'a [VertexBlock4],
    /// Pose of the other shape.
    pose: Relative,
}

impl SimdKernel for OneSide<'_> {
    type Output = MaxSeparation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> MaxSeparation {
        let mut best = MaxSeparation::NONE;
        for (i, block) in self.edges.iter().enumerate() {
            best = better(best, i, &of_block(simd, block, self.vertices, self.pose).to_array());
        }
        best
    }
}

/// Returns the separations of four edges. One lane per edge; vertices are broadcast.
#[inline(always)]
pub(super) fn of_block<S: Simd>(simd: S, edges: &VertexBlock4, vertices: &[VertexBlock4], pose: Relative) -> f64x4<S> {
    let (normal_x, normal_y) = (f64x4::from_slice(simd, &edges.normal_x), f64x4::from_slice(simd, &edges.normal_y));
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    let mut least = f64x4::splat(simd, f64::INFINITY);
    for block in vertices {
        for vertex in 0..4 {
            least = least.min(x * block.x[vertex] + y * block.y[vertex]);
        }
    }
    let moved = normal_x * pose.translation.x + normal_y * pose.translation.y - f64x4::from_slice(simd, &edges.offset);
    least + moved
}

/// Returns the better of `best` and the four edges of block `i`. Tie: lowest edge index.
#[inline(always)]
pub(super) fn better(best: MaxSeparation, i: usize, separations: &[f64; 4]) -> MaxSeparation {
    let [p, q, r, s] = *separations;
    let (first, second) = (if q > p { (q, 1) } else { (p, 0) }, if s > r { (s, 3) } else { (r, 2) });
    let (separation, lane) = if second.0 > first.0 { second } else { first };
    if separation > best.separation { MaxSeparation { separation, edge: 4 * i + lane } } else { best }
}
