//! Computes the support function of a convex shape: its farthest vertex along a direction.
//!
//! Input: a convex shape and a direction. Output: the index of the vertex with the least height
//! along the direction. The farthest vertex is the lowest one of the opposite direction. The simple
//! version:
//!
//! ```text
//! for each vertex: height = direction · vertex; keep the lowest, the first of equal ones
//! ```
//!
//! It suffices for few vertices, four or eight per SIMD step. From [`CLIMB`] vertices on, hill
//! climbing visits only some of them (Ericson 2005, 9.5.4). The heights around a convex polygon
//! have one minimum, so a descent from any vertex ends there. It starts at the lowest of about √n
//! samples.
//!
//! The heights of close vertices differ by less than their rounding error, and a descent by heights
//! could stop early. So the sign of each edge normal against the direction gives the way.

use glam::DVec2;

use crate::math::simd::{Simd, f64x4, f64x8};
use crate::math::vector::cross;
use crate::shape::convex::{Convex, VertexBlock4};

/// From this vertex count on, the search visits a subset of the vertices.
const CLIMB: usize = 16;

/// Returns the lowest vertex along a direction. Tie: the first one, if all vertices are visited.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn support_vertex(convex: &Convex, direction: DVec2) -> usize {
    if convex.edge_count() == 0 {
        return 0;
    }
    if convex.as_rectangle().is_some() {
        return lowest_of_rectangle(direction);
    }
    if convex.hull_vertex_count() >= CLIMB {
        return hill_descend(convex, direction);
    }
    if let Some([first, second]) = convex.as_small_polygon() {
        return lower(of_block(first, direction, 0), of_block(second, direction, 4)).1;
    }
    match convex.blocks().as_slice() {
        [one] => of_block(one, direction, 0).1,
        blocks => {
            let lows = blocks.iter().zip((0..).step_by(4)).map(|(block, number)| of_block(block, direction, number));
            lows.fold((f64::INFINITY, 0), lower).1
        }
    }
}

/// Returns the lowest vertex of a polygon of up to eight vertices, inside a SIMD kernel.
#[inline(always)]
pub(super) fn lowest_of_eight<S: Simd>(simd: S, [first, second]: &[VertexBlock4; 2], direction: DVec2) -> usize {
    let heights = eight(simd, &first.x, &second.x) * direction.x + eight(simd, &first.y, &second.y) * direction.y;
    let least = f64x8::splat(simd, heights.reduce_min());
    heights.simd_eq(least).to_bitmask().trailing_zeros() as usize
}

/// One number for every vertex or edge of a small polygon.
#[inline(always)]
pub(super) fn eight<S: Simd>(simd: S, first: &[f64; 4], second: &[f64; 4]) -> f64x8<S> {
    f64x8::concat(f64x4::from_slice(simd, first), f64x4::from_slice(simd, second))
}

/// Returns the maximum of sixteen values and its index. Tie: lowest index.
#[inline(always)]
pub(super) fn greatest_of_two<S: Simd>(p: f64x8<S>, q: f64x8<S>) -> (f64, usize) {
    let greatest = p.max(q).reduce_max();
    let all = f64x8::splat(p.simd, greatest);
    let lanes = p.simd_eq(all).to_bitmask() | q.simd_eq(all).to_bitmask() << 8;
    (greatest, lanes.trailing_zeros() as usize % 16)
}

/// Returns the lowest vertex of a rectangle. Vertices count from the lower left one
/// counter-clockwise. Tie: the first one.
#[inline(always)]
pub(crate) fn lowest_of_rectangle(direction: DVec2) -> usize {
    let below = direction.y >= 0.0;
    let left = (direction.x > 0.0) | ((direction.x == 0.0) & below);
    // Selects by bits instead of branches. Vertices 0 and 1 are below, 2 and 3 above.
    2 * usize::from(!below) + usize::from(left ^ below)
}

/// Returns the lower of two numbers with their indices. Tie: the first one.
#[inline(always)]
pub(super) fn lower(p: (f64, usize), q: (f64, usize)) -> (f64, usize) {
    let second = q.0 < p.0;
    (if second { q.0 } else { p.0 }, if second { q.1 } else { p.1 })
}

/// Returns the height and the index of the lowest vertex of a block. `number` is the index of its first vertex.
#[inline(always)]
fn of_block(block: &VertexBlock4, direction: DVec2, number: usize) -> (f64, usize) {
    let at = |lane: usize| (direction.x * block.x[lane] + direction.y * block.y[lane], number + lane);
    lower(lower(at(0), at(1)), lower(at(2), at(3)))
}

/// Finds the lowest vertex by descent. Heights around a convex polygon have one minimum. The search
/// samples vertices at equal strides and descends from the lowest sample. The descent follows the
/// sign of each edge normal against the direction, not the heights. The heights of close vertices
/// differ by less than their rounding.
fn hill_descend(convex: &Convex, direction: DVec2) -> usize {
    let count = convex.hull_vertex_count();
    let stride = count.isqrt();
    let samples = (0..count).step_by(stride).map(|i| (direction.dot(convex.hull_vertex(i)), i));
    hill_climb(convex, direction, samples.fold((f64::INFINITY, 0), lower).1)
}

/// Descends to the minimum from any vertex.
#[inline(always)]
pub(super) fn hill_climb(convex: &Convex, direction: DVec2, start: usize) -> usize {
    let mut vertex = start;
    for _ in 0..convex.hull_vertex_count() {
        let previous = convex.previous(vertex);
        vertex = if cross(direction, convex.normal(vertex)) > 0.0 {
            convex.next(vertex)
        } else if cross(direction, convex.normal(previous)) < 0.0 {
            previous
        } else {
            break;
        };
    }
    vertex
}
