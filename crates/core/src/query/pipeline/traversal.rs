//! Traverses the packed BVH for rays, points and nearest shapes.
//!
//! Input: a packed BVH and a query. Output: calls with the quantized shapes in question, and bits
//! or keys per box. Source: traversal by increasing distance (Hjaltason and Samet 1999), here depth
//! first.
//!
//! ```text
//! search(node): key of each child = lower bound of its time or distance
//!     while the smallest key ≤ limit
//!         leaf:  test the quantized shape; tighten the limit
//!         node:  push the rest of the keys; search(child)
//! ```
//!
//! A priority queue over all nodes visits the fewest nodes, but it inserts every child in order.
//! Here only the children of one node are ordered.
//!
//! Keys are bits of nonnegative floats with the lane in the lowest three bits. One minimum over
//! eight lanes then gives the key and its lane. One stack entry per level suffices, because the
//! tree is complete.
//!
//! Prefetching hides the latency of memory. All leaves of a node are requested before it is known
//! which of them are needed. The next quantized shape is requested while the present one is tested.

use core::hint::black_box;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::best_candidates::{BestCandidates, Candidate};
use super::interval::NONE;
use super::packed_bvh::{InnerNode, LEVELS, PackedBvh, WIDTH, around};
use super::quantized_polygon::QuantizedPolygon;
use crate::broad_phase::Aabb32;
use crate::broad_phase::simd_box_tests::{BoxLanes, BoxTest, PointDistance, RaySlabs};
use crate::math::ray::Ray;
use crate::math::simd::{Simd, SimdKernel, f32x8, i32x8};
use crate::math::vector::{UNIT_ROUNDOFF, norm1};

/// Finds the first hit of a ray. `there` returns true for included ids.
pub(super) struct PipelineRayQuery<'a, T, F, A> {
    /// The tree.
    pub(super) packed: &'a PackedBvh,
    /// The ray.
    pub(super) ray: &'a Ray,
    /// Gets the candidates.
    pub(super) first: &'a mut BestCandidates<T>,
    /// Returns true for included ids.
    pub(super) there: F,
    /// Computes the exact result of a candidate.
    pub(super) compute: A,
    /// If true, prefetches the exact data of candidates.
    pub(super) prefetch: bool,
}

impl<T: Copy, F: FnMut(u32) -> bool, A: FnMut(&Candidate) -> Option<(f64, T)>> SimdKernel
    for PipelineRayQuery<'_, T, F, A>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { packed, ray, first, mut there, mut compute, prefetch } = self;
        let slabs = RaySlabs::new(simd, &packed.frame.localize_ray(ray));
        search(
            simd,
            packed,
            slabs,
            prefetch,
            #[inline(always)]
            |slabs: &mut RaySlabs<S>, index, outline: &QuantizedPolygon| {
                if there(outline.id)
                    && let Some(time) = outline.time(simd, ray)
                {
                    first.add([outline.id, index], time, &mut compute);
                    slabs.tighten(first.most);
                }
            },
        );
    }
}

/// Returns the error bound of the distance of a box or shape from a point with these coordinates
/// relative to a frame.
#[inline(always)]
pub(super) fn error_bound_about(point: DVec2, local: [f64; 2]) -> f64 {
    32.0 * UNIT_ROUNDOFF * (norm1(point) + norm1(local.into()))
}

/// Finds the shape nearest to a point.
pub(super) struct PipelineNearestQuery<'a, T, F, A> {
    /// The tree.
    pub(super) packed: &'a PackedBvh,
    /// The point.
    pub(super) point: DVec2,
    /// Gets the candidates.
    pub(super) first: &'a mut BestCandidates<T>,
    /// Returns true for included ids.
    pub(super) there: F,
    /// Computes the exact result of a candidate.
    pub(super) compute: A,
    /// If true, prefetches the exact data of candidates.
    pub(super) prefetch: bool,
}

impl<T: Copy, F: FnMut(u32) -> bool, A: FnMut(&Candidate) -> Option<(f64, T)>> SimdKernel
    for PipelineNearestQuery<'_, T, F, A>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { packed, point, first, mut there, mut compute, prefetch } = self;
        // Both coordinates were just stored one by one. A joint load would stall until both stores
        // complete.
        let point = DVec2::new(black_box(point.x), black_box(point.y));
        let local = packed.frame.to_local_point(point);
        let error_bound = error_bound_about(point, local);
        let mut near = PointDistance::new(simd, local, [packed.bounds]);
        near.tighten(first.most + error_bound);
        search(
            simd,
            packed,
            near,
            prefetch,
            #[inline(always)]
            |near: &mut PointDistance<S>, index, outline: &QuantizedPolygon| {
                if there(outline.id) {
                    first.add([outline.id, index], outline.distance(simd, point), &mut compute);
                    near.tighten(first.most + error_bound);
                }
            },
        );
    }
}

/// Visits the shapes that may contain a point, with the result if it is decided.
pub(super) struct PipelinePointQuery<'a, V> {
    /// The tree.
    pub(super) packed: &'a PackedBvh,
    /// The point.
    pub(super) point: DVec2,
    /// The box of the point in the frame of the tree.
    pub(super) aabb: Aabb32,
    /// Gets the id of a shape, and whether it contains the point, if decided.
    pub(super) visit: V,
}

impl<V: FnMut(u32, Option<bool>) -> ControlFlow<()>> SimdKernel for PipelinePointQuery<'_, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { packed, point, aabb, mut visit } = self;
        visit_box(
            simd,
            packed,
            &aabb,
            #[inline(always)]
            |_, outline| visit(outline.id, outline.contains(simd, point)),
        )
    }
}

/// Does the same as [`PipelinePointQuery`] for up to eight points, preferably neighbours. Passes
/// the index of the point too.
pub(super) struct PipelinePointsQuery<'a, V> {
    /// The tree.
    pub(super) packed: &'a PackedBvh,
    /// Up to eight points.
    pub(super) points: &'a [DVec2],
    /// Their boxes in the frame of the tree.
    pub(super) boxes: &'a [Aabb32],
    /// Gets the index of a point, the id of a shape, and whether it contains the point, if decided.
    pub(super) visit: V,
}

impl<V: FnMut(usize, u32, Option<bool>)> SimdKernel for PipelinePointsQuery<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { packed, points, boxes, mut visit } = self;
        let queries = InnerNode::new(boxes);
        // It never breaks.
        let _ = visit_box(
            simd,
            packed,
            &around(boxes),
            #[inline(always)]
            |aabb, outline| {
                let mut near = intersecting(simd, &queries, &aabb);
                while near != 0 {
                    let query = near.trailing_zeros() as usize;
                    near &= near - 1;
                    visit(query, outline.id, outline.contains(simd, points[query]));
                }
                Continue(())
            },
        );
    }
}

/// Visits the shapes in leaves with boxes that intersect a box.
#[inline(always)]
fn visit_box<S: Simd>(
    simd: S,
    packed: &PackedBvh,
    aabb: &Aabb32,
    mut visit: impl FnMut(Aabb32, &QuantizedPolygon) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // The rest of the node on each level: its index, and a bit for each box.
    let mut path = [(0, 0); LEVELS];
    let (mut level, mut n) = (packed.top, 0);
    let mut hits = intersecting(simd, packed.inner(level, 0), aabb);
    loop {
        if hits == 0 {
            level += 1;
            if level > packed.top {
                return Continue(());
            }
            (n, hits) = path[level % LEVELS];
            continue;
        }
        let child = n * WIDTH + hits.trailing_zeros() as usize;
        hits &= hits - 1;
        if level > 1 {
            path[level % LEVELS] = (n, hits);
            (level, n) = (level - 1, child);
            if level == 1 {
                packed.prefetch_leaves(n);
            }
            hits = intersecting(simd, packed.inner(level, n), aabb);
            continue;
        }
        packed.prefetch_outlines(child);
        let leaf = packed.leaf(child);
        let mut here = intersecting(simd, leaf, aabb);
        while here != 0 {
            let lane = here.trailing_zeros() as usize;
            here &= here - 1;
            let outline = packed.outline(child * WIDTH + lane);
            if outline.id != NONE {
                visit(leaf.aabb(lane), outline)?;
            }
        }
    }
}

/// Returns a bit for each box that intersects a box.
#[inline(always)]
fn intersecting<S: Simd>(simd: S, boxes: &impl BoxLanes<S>, aabb: &Aabb32) -> u32 {
    let ([min_x, min_y], [max_x, max_y]) = (aabb.min, aabb.max);
    let along_x =
        boxes.side(simd, 0).simd_le(f32x8::splat(simd, max_x)) & f32x8::splat(simd, min_x).simd_le(boxes.side(simd, 2));
    let along_y =
        boxes.side(simd, 1).simd_le(f32x8::splat(simd, max_y)) & f32x8::splat(simd, min_y).simd_le(boxes.side(simd, 3));
    (along_x & along_y).to_bitmask() as u32
}

/// The bits of infinity: the key of a box without interest.
const FAR: i32 = 0x7f80_0000;

/// Traverses depth first, and visits the child with the smallest key next.
///
/// Keys are not negative, so their bits are ordered as integers. The lowest three bits store the
/// lane. This lowers each key slightly and makes keys unique. One minimum then gives the smallest
/// key and its lane.
#[inline(always)]
fn search<S: Simd, B: BoxTest<S>>(
    simd: S,
    packed: &PackedBvh,
    mut bound: B,
    prefetch: bool,
    mut visit: impl FnMut(&mut B, u32, &QuantizedPolygon),
) {
    // The rest of the node on each level: its index, and the keys of its boxes.
    let mut path = [(0, [FAR; WIDTH]); LEVELS];
    let (mut level, mut n) = (packed.top, 0);
    let mut keys = keys_of(simd, &bound, packed.inner(level, 0));
    loop {
        let key = least(keys);
        if is_beyond(key, bound.max_key()) {
            level += 1;
            if level > packed.top {
                return;
            }
            let (above, left) = &path[level % LEVELS];
            (n, keys) = (*above, i32x8::from_slice(simd, left));
            continue;
        }
        keys = without(simd, keys, key);
        let child = n * WIDTH + lane_of(key);
        if level > 1 {
            path[level % LEVELS].0 = n;
            keys.store_slice(&mut path[level % LEVELS].1);
            (level, n) = (level - 1, child);
            if level == 1 {
                packed.prefetch_leaves(n);
            }
            keys = keys_of(simd, &bound, packed.inner(level, n));
            continue;
        }
        let leaf = packed.leaf(child);
        let mut here = keys_of(simd, &bound, leaf);
        let mut key = least(here);
        while !is_beyond(key, bound.max_key()) {
            here = without(simd, here, key);
            let (index, next) = (child * WIDTH + lane_of(key), least(here));
            // The interest is known only after this one.
            packed.prefetch_outline(child * WIDTH + lane_of(next));
            if prefetch {
                packed.exact_data.prefetch_all(leaf.first(lane_of(key)));
            }
            let outline = packed.outline(index);
            if outline.id != NONE {
                visit(&mut bound, index as u32, outline);
            }
            key = next;
        }
    }
}

/// Returns the keys of eight boxes, each with its lane in the lowest three bits.
#[inline(always)]
fn keys_of<S: Simd, B: BoxTest<S>>(simd: S, bound: &B, boxes: &impl BoxLanes<S>) -> i32x8<S> {
    let bits: i32x8<S> = bound.lower_bounds(simd, boxes).to_bits();
    (bits & i32x8::splat(simd, !7)) | i32x8::from_slice(simd, &[0, 1, 2, 3, 4, 5, 6, 7])
}

/// Returns the smallest key.
#[inline(always)]
fn least<S: Simd>(keys: i32x8<S>) -> i32 {
    keys.reduce_min()
}

/// Returns the lane of a key.
#[inline(always)]
fn lane_of(key: i32) -> usize {
    key as usize % WIDTH
}

/// Returns true if a key is without interest, or above the limit.
#[inline(always)]
fn is_beyond(key: i32, limit: f32) -> bool {
    (key >= FAR) | (key > (limit.to_bits() as i32 | 7))
}

/// Returns the keys without one lane.
#[inline(always)]
fn without<S: Simd>(simd: S, keys: i32x8<S>, key: i32) -> i32x8<S> {
    keys.simd_eq(i32x8::splat(simd, key)).select(i32x8::splat(simd, FAR), keys)
}
