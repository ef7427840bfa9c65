//! Separating axes: along which edge normal of one shape the other is farthest away.
//!
//! Two convex sets are apart exactly where they are apart along a normal of an edge of one of them (the separating axis theorem; Ericson 2005,
//! 5.2.1), and where they overlap, the least overlap along these normals is their depth. The simple version:
//!
//! ```text
//! for each edge of one shape
//!     separation = least of normal · (corner of the other − corner of the edge) over all corners of the other
//! the face is the edge of the greatest separation
//! ```
//!
//! The real one turns the normals instead of the corners, works on four edges at a time, has closed forms for a single corner and for two
//! rectangles, and from [`CALIPERS_MIN_VERTICES`] corners on goes around both shapes once instead of looking at every edge and corner.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::max_separation::MaxSeparation;
use super::pair::Relative;
use super::sat_bounds;
use super::support::{eight, support_vertex};
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, dispatch, f64x4, f64x8};
use crate::shape::convex::{Convex, VertexBlock4};

/// From this many corners of both shapes on, corners are found by walking.
const CALIPERS_MIN_VERTICES: usize = 28;

/// The best face of `own` against `other`, whose pose in the frame of `own` is given; of several the first.
#[inline(always)]
pub(super) fn find_max_separation(own: &Convex, other: &Convex, pose: Relative) -> MaxSeparation {
    find_max_separation_above(own, other, pose, f64::NEG_INFINITY)
}

/// The best face if it is better than `min_depth`, else perhaps one that is not.
#[inline(always)]
pub(super) fn find_max_separation_above(own: &Convex, other: &Convex, pose: Relative, floor: f64) -> MaxSeparation {
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
    match uses_calipers(own.corner_count(), other.corner_count()) {
        true if sat_bounds::is_fit(own, other, pose) => sat_bounds::best_face_above(own, other, pose, floor),
        true => rotating_calipers(own, other, pose),
        false => by_blocks(own, other, pose),
    }
}

/// Are there so many corners that it pays not to look at all?
#[inline(always)]
pub(super) fn uses_calipers(a: usize, b: usize) -> bool {
    a + b >= CALIPERS_MIN_VERTICES
}

/// The best faces of two rectangles: each one's extent along the axes of the other is a sum of two products (Gottschalk 1996).
#[inline(always)]
pub(super) fn of_rectangles(a: DVec2, b: DVec2, [b_in_a, a_in_b]: [Relative; 2]) -> [MaxSeparation; 2] {
    [of_rectangle(a, b_in_a.translation, b_in_a.extent(b)), of_rectangle(b, a_in_b.translation, a_in_b.extent(a))]
}

/// The best face of a rectangle against a box of half size `extent` about `center`.
#[inline(always)]
pub(super) fn of_rectangle(half: DVec2, center: DVec2, extent: DVec2) -> MaxSeparation {
    // Edges count from the lower one counter-clockwise: 0 below, 1 right, 2 above, 3 left.
    let separation = center.abs() - half - extent;
    // Without branches: where the other shape lies cannot be foretold.
    let (horizontal, vertical) = (1 + 2 * usize::from(center.x < 0.0), 2 * usize::from(center.y > 0.0));
    let sideways = (separation.x > separation.y) | ((separation.x == separation.y) & (horizontal < vertical));
    MaxSeparation { separation: separation.max_element(), edge: select_unpredictable(sideways, horizontal, vertical) }
}

/// The best face before a single point.
#[inline(always)]
fn before_point(own: &Convex, point: DVec2) -> MaxSeparation {
    let mut best = MaxSeparation::NONE;
    for (i, block) in own.blocks().as_slice().iter().enumerate() {
        let separations: [f64; 4] =
            core::array::from_fn(|l| block.normal_x[l] * point.x + block.normal_y[l] * point.y - block.offset[l]);
        best = better(best, i, &separations);
    }
    best
}

#[inline(always)]
fn by_blocks(own: &Convex, other: &Convex, pose: Relative) -> MaxSeparation {
    let (edges, corners) = (own.blocks(), other.blocks());
    dispatch(OneSide { edges: edges.as_slice(), corners: corners.as_slice(), pose })
}

/// The best faces of two polygons of up to eight corners each, the usual case; `None` as soon as one of them separates by more than `limit`.
#[inline(always)]
pub(super) fn of_small_polygons(
    a: &[VertexBlock4; 2],
    b: &[VertexBlock4; 2],
    poses: [Relative; 2],
    limit: f64,
) -> Option<[MaxSeparation; 2]> {
    dispatch(BothSides { a, b, poses, limit })
}

struct BothSides<'a> {
    a: &'a [VertexBlock4; 2],
    b: &'a [VertexBlock4; 2],
    poses: [Relative; 2],
    limit: f64,
}

impl SimdKernel for BothSides<'_> {
    type Output = Option<[MaxSeparation; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<[MaxSeparation; 2]> {
        both_sides(simd, self.a, self.b, self.poses, self.limit)
    }
}

/// [`of_small_polygons`] in a kernel.
#[inline(always)]
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

#[inline(always)]
fn of_two_blocks<S: Simd>(
    simd: S,
    edges: &[VertexBlock4; 2],
    corners: &[VertexBlock4; 2],
    pose: Relative,
) -> MaxSeparation {
    let separations = of_eight(simd, edges, corners, pose);
    let separation = separations.reduce_max();
    let edge = separations.simd_eq(f64x8::splat(simd, separation)).to_bitmask().trailing_zeros() as usize;
    MaxSeparation { separation, edge }
}

/// How far an edge separates small polygons at the most.
///
/// Both sides are looked at in any case: whether polygons meet cannot be foretold.
#[inline(always)]
pub(super) fn separation_of_small_polygons(a: &[VertexBlock4; 2], b: &[VertexBlock4; 2], poses: [Relative; 2]) -> f64 {
    dispatch(Most { a, b, poses })
}

struct Most<'a> {
    a: &'a [VertexBlock4; 2],
    b: &'a [VertexBlock4; 2],
    poses: [Relative; 2],
}

impl SimdKernel for Most<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        of_eight(simd, self.a, self.b, self.poses[0]).max(of_eight(simd, self.b, self.a, self.poses[1])).reduce_max()
    }
}

/// The separations of eight edges: lanes are edges, corners are broadcast.
#[inline(always)]
fn of_eight<S: Simd>(
    simd: S,
    [first, second]: &[VertexBlock4; 2],
    corners: &[VertexBlock4; 2],
    pose: Relative,
) -> f64x8<S> {
    let (normal_x, normal_y) =
        (eight(simd, &first.normal_x, &second.normal_x), eight(simd, &first.normal_y, &second.normal_y));
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    let mut least = f64x8::splat(simd, f64::INFINITY);
    for block in corners {
        for corner in 0..4 {
            least = least.min(x * block.x[corner] + y * block.y[corner]);
        }
    }
    least + (normal_x * pose.translation.x + normal_y * pose.translation.y - eight(simd, &first.offset, &second.offset))
}

struct OneSide<'a> {
    edges: &'a [VertexBlock4],
    corners: &'a [VertexBlock4],
    pose: Relative,
}

impl SimdKernel for OneSide<'_> {
    type Output = MaxSeparation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> MaxSeparation {
        let mut best = MaxSeparation::NONE;
        for (i, block) in self.edges.iter().enumerate() {
            best = better(best, i, &of_block(simd, block, self.corners, self.pose).into());
        }
        best
    }
}

/// The separations of four edges: lanes are edges, corners are broadcast.
#[inline(always)]
pub(super) fn of_block<S: Simd>(simd: S, edges: &VertexBlock4, corners: &[VertexBlock4], pose: Relative) -> f64x4<S> {
    let (normal_x, normal_y) = (f64x4::from_slice(simd, &edges.normal_x), f64x4::from_slice(simd, &edges.normal_y));
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    let mut least = f64x4::splat(simd, f64::INFINITY);
    for block in corners {
        for corner in 0..4 {
            least = least.min(x * block.x[corner] + y * block.y[corner]);
        }
    }
    let moved = normal_x * pose.translation.x + normal_y * pose.translation.y - f64x4::from_slice(simd, &edges.offset);
    least + moved
}

/// The better of a face and those of block number `i`; the earlier one where they are equal.
#[inline(always)]
pub(super) fn better(best: MaxSeparation, i: usize, separations: &[f64; 4]) -> MaxSeparation {
    let [p, q, r, s] = *separations;
    let (first, second) = (if q > p { (q, 1) } else { (p, 0) }, if s > r { (s, 3) } else { (r, 2) });
    let (separation, lane) = if second.0 > first.0 { second } else { first };
    if separation > best.separation { MaxSeparation { separation, edge: 4 * i + lane } } else { best }
}

/// As the normals of `own` turn counter-clockwise, so does the lowest corner of `other`: both go around once.
#[inline(never)]
fn rotating_calipers(own: &Convex, other: &Convex, pose: Relative) -> MaxSeparation {
    let (edges, corners) = (own.blocks(), other.blocks());
    let (edges, corners, count) = (edges.as_slice(), corners.as_slice(), other.corner_count());
    let mut best = MaxSeparation::NONE;
    let (mut corner, mut last) = (0, DVec2::ZERO);
    for (i, block) in edges.iter().enumerate() {
        let mut separations = [f64::NEG_INFINITY; 4];
        for (lane, separation) in separations.iter_mut().enumerate().take(own.edge_count().saturating_sub(4 * i)) {
            let normal = DVec2::new(block.normal_x[lane], block.normal_y[lane]);
            let direction = pose.unrotate(normal);
            // Beyond a quarter turn the way around is no longer the way down for certain: begin anew.
            if last.dot(direction) <= 0.0 {
                corner = support_vertex(other, direction);
            }
            last = direction;
            // An edge leads farther down where its outward normal lies to the left of the direction; no more than once around.
            for _ in 0..count {
                let (at, lane) = (&corners[corner / 4], corner % 4);
                if direction.x * at.normal_y[lane] - direction.y * at.normal_x[lane] <= 0.0 {
                    break;
                }
                corner = if corner + 1 == count { 0 } else { corner + 1 };
            }
            let (at, low) = (&corners[corner / 4], corner % 4);
            *separation =
                direction.x * at.x[low] + direction.y * at.y[low] + normal.dot(pose.translation) - block.offset[lane];
        }
        best = better(best, i, &separations);
    }
    best
}
