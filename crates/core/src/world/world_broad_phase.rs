//! Wraps the broad phase of a world: converts boxes to f32 relative to a local origin, and caches
//! the pairs.
//!
//! Input: f64 boxes by slot, grown for contact margins. Output: pairs and query results by slot.
//! The f32 boxes are rounded outward, so callers test the f64 boxes again.
//!
//! f32 boxes have half the size, and SIMD compares twice as many at once. But they lose precision
//! with the distance from the origin: at 10⁶ units, neighbours differ by 1/16. So boxes are
//! relative to the median of the box positions. The median is computed again if many boxes lie far
//! from it. A mean would follow a single distant outlier.
//!
//! Contact solvers and movers move boxes several times between two updates. A box with a margin stays valid
//! while the tight box is inside it, so most motions need no update. Such boxes are called fat boxes (Catto,
//! *Dynamic bounding volume hierarchies*, 2019).
//!
//! ```text
//! insert, update:    store the f32 box and pass it on; the cached pairs are incomplete then
//! find pairs:        search all pairs, unless the cached ones are complete
//! during the solver: pass on a box only if it leaves its box with margin; then append its pairs to the cached ones
//! new origin:        if a quarter of the boxes lie far from it, and the median distance would fall to a quarter
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::DVec2;

use super::circle_bounds::CircleBounds;
use super::collider_set::ColliderSet;
use super::moving_filters::MovingFilters;
use super::pair_adjacency::PairAdjacency;
use super::radix_sort::Pair;
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalOrigin};
use crate::math::aabb::Aabb;
use crate::math::lists::mapped;
use crate::math::prefetch::prefetch;
use crate::math::ray::Ray;
use crate::math::sort::sort_numbers;

/// A broad phase that a world can own: it can be cloned and sent to other threads.
///
/// It is a trait object, because a `World` without a type parameter is easier to store and to name.
/// One virtual call per moved box costs less than the update of the box.
pub(super) trait DynBroadPhase: BroadPhase + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn DynBroadPhase>;
}

impl<B: BroadPhase + Clone + Send + Sync + 'static> DynBroadPhase for B {
    fn boxed_clone(&self) -> Box<dyn DynBroadPhase> {
        Box::new(self.clone())
    }
}

/// The broad phase of a world, its local origin and its cached pairs.
pub(super) struct WorldBroadPhase {
    pub(super) broad: Box<dyn DynBroadPhase>,
    /// By slot: the box that the broad phase has. For slots in `moved`, or all if `all_moved`, the
    /// box that it gets next.
    boxes: Vec<Aabb32>,
    moved: Vec<u32>,
    all_moved: bool,
    /// All pairs whose boxes intersect in the broad phase; complete if `pairs_are_complete`.
    cached_pairs: Vec<Pair>,
    pairs_are_complete: bool,
    /// If true, `cached_pairs` may contain duplicates.
    pairs_may_repeat: bool,
    /// The pairs of each slot, for the part of `cached_pairs` that was linked so far.
    adjacency: PairAdjacency,
    /// By slot: true while a query for the pairs of this slot runs, else false.
    is_queried: Vec<bool>,
    local_origin: LocalOrigin,
    origin: DVec2,
    /// Median distance of the boxes from the origin when it was chosen: the larger of |x| and |y|.
    median_distance: f64,
    /// Number of boxes that were inserted or moved far from the origin since then.
    far_count: usize,
    /// The filters of the moving boxes.
    moving_filters: MovingFilters,
}

impl Clone for WorldBroadPhase {
    fn clone(&self) -> Self {
        let (broad, boxes) = (self.broad.boxed_clone(), self.boxes.clone());
        Self {
            broad,
            boxes,
            moved: Vec::new(),
            cached_pairs: Vec::new(),
            pairs_are_complete: false,
            adjacency: PairAdjacency::default(),
            is_queried: Vec::new(),
            moving_filters: self.moving_filters.clone(),
            ..*self
        }
    }
}

/// Number of boxes that are passed to the broad phase in one call.
const BATCH: usize = 64;

/// The medians are computed from a sample of at least this many boxes, if there are so many.
const SAMPLE: usize = 1024;

/// The origin is kept while the median distance to it is at most this multiple of the best one. A
/// factor of 4 costs two bits of f32 precision.
const MAX_DISTANCE_RATIO: f64 = 4.0;

/// The initial box of a slot.
const INITIAL_BOX: Aabb32 = Aabb32 { min: [0.0; 2], max: [0.0; 2] };

impl WorldBroadPhase {
    pub(super) fn new(broad: impl DynBroadPhase + 'static) -> Self {
        Self {
            broad: Box::new(broad),
            boxes: Vec::new(),
            moved: Vec::new(),
            all_moved: false,
            cached_pairs: Vec::new(),
            pairs_are_complete: false,
            pairs_may_repeat: false,
            adjacency: PairAdjacency::default(),
            is_queried: Vec::new(),
            local_origin: LocalOrigin::new(DVec2::ZERO),
            origin: DVec2::ZERO,
            median_distance: 0.0,
            far_count: 0,
            moving_filters: MovingFilters::default(),
        }
    }

    /// Finds all pairs whose boxes intersect in the broad phase, unless they are cached. If `once`,
    /// without duplicates.
    pub(super) fn find_pairs(&mut self, once: bool) {
        if !self.pairs_are_complete || (once && self.pairs_may_repeat) {
            self.cached_pairs.clear();
            self.adjacency.clear();
            self.broad.pairs(&mut self.cached_pairs);
            (self.pairs_are_complete, self.pairs_may_repeat) = (true, false);
        }
    }

    /// Returns the cached pairs, in any order.
    #[inline]
    pub(super) fn cached_pairs(&self) -> &[Pair] {
        &self.cached_pairs
    }

    /// Appends the cached pairs with at least one slot of `slots`, in any order, duplicates
    /// included. `count` is the number of all slots.
    pub(super) fn pairs_of_slots(
        &mut self,
        slots: impl Iterator<Item = u32> + Clone,
        count: usize,
        pairs: &mut Vec<Pair>,
    ) {
        self.find_pairs(false);
        let Self { adjacency, cached_pairs, is_queried, .. } = self;
        adjacency.link_new(cached_pairs, count);
        is_queried.resize(count, false);
        slots.clone().for_each(|slot| is_queried[slot as usize] = true);
        for slot in slots.clone() {
            // If both slots are queried, only the first slot of the pair adds it.
            let mine = |pair: &Pair| pair[0] == slot || !is_queried[pair[0] as usize];
            pairs.extend(adjacency.of(slot).map(|index| cached_pairs[index]).filter(mine));
        }
        slots.for_each(|slot| is_queried[slot as usize] = false);
    }

    pub(super) fn insert(&mut self, slot: u32, aabb: &Aabb, filter: Filter, moving: bool) {
        if self.boxes.len() <= slot as usize {
            self.boxes.resize(slot as usize + 1, INITIAL_BOX);
        }
        if moving {
            self.moving_filters.insert(slot, filter);
        } else {
            self.moving_filters.remove(slot);
        }
        let local = self.localize(slot, aabb, 0.0);
        self.broad.insert(slot, local, filter, moving);
    }

    #[inline]
    pub(super) fn update(&mut self, slot: u32, aabb: &Aabb) {
        let local = self.localize(slot, aabb, 0.0);
        self.broad.update(slot, local);
    }

    /// Updates an enabled slot if its box leaves the stored box. The new box is grown by a margin on all sides. A box
    /// inside the stored one changes nothing, and the cached pairs stay complete.
    pub(super) fn update_loosely(&mut self, slot: u32, aabb: &Aabb, margin: f64) {
        let (present, min, max) = (self.boxes[slot as usize], aabb.min() - self.origin, aabb.max() - self.origin);
        // Rounding is monotonic: if a rounded difference is above a number, the difference is not below it.
        let is_inside =
            |axis: usize| f64::from(present.min[axis]) < min[axis] && max[axis] < f64::from(present.max[axis]);
        if is_inside(0) && is_inside(1) {
            return;
        }
        let local = self.localize(slot, aabb, margin);
        self.broad.update(slot, local);
    }

    /// Stores and returns the f32 box of an enabled slot, grown by a margin on all sides.
    #[inline(always)]
    fn localize(&mut self, slot: u32, aabb: &Aabb, margin: f64) -> Aabb32 {
        self.count_if_far(aabb);
        self.pairs_are_complete = false;
        let local = self.local_origin.to_local_with_margin(aabb, margin);
        self.boxes[slot as usize] = local;
        local
    }

    /// Prefetches the box of a slot.
    #[inline(always)]
    pub(super) fn prefetch(&self, slot: u32) {
        prefetch(&self.boxes, slot as usize);
    }

    /// Updates an enabled slot, only if its box leaves the one in the broad phase. The new one is
    /// grown by a margin on all sides.
    ///
    /// Call `add_pairs_of_moved` afterwards: then the cached pairs are complete again.
    #[inline]
    pub(super) fn update_if_left(&mut self, slot: u32, aabb: &Aabb, margin: f64) {
        if self.boxes[slot as usize].contains(&self.local_origin.to_local(aabb)) {
            return;
        }
        let whole = self.pairs_are_complete;
        let local = self.localize(slot, aabb, margin);
        self.pairs_are_complete = whole;
        self.broad.update(slot, local);
        self.moved.push(slot);
    }

    /// Appends the pairs of all slots that left their boxes, if `may_collide` allows the pair.
    pub(super) fn add_pairs_of_moved(&mut self, may_collide: impl Fn(Pair) -> bool) {
        let Self { broad, boxes, moved, cached_pairs, pairs_may_repeat, .. } = self;
        let mut queries = [INITIAL_BOX; BATCH];
        for slots in moved.chunks(BATCH) {
            for (&slot, query) in slots.iter().zip(&mut queries) {
                *query = boxes[slot as usize];
            }
            broad.visit_boxes(&queries[..slots.len()], &mut |number, other| {
                let slot = slots[number as usize];
                let pair = [slot.min(other), slot.max(other)];
                if other != slot && may_collide(pair) {
                    cached_pairs.push(pair);
                    *pairs_may_repeat = true;
                }
            });
        }
        moved.clear();
    }

    /// Announces `count` calls of `record` in a world of `len` colliders. If these are more than
    /// half, `flush` updates all boxes in slot order, which is faster.
    pub(super) fn reserve(&mut self, count: usize, len: usize) {
        self.pairs_are_complete = false;
        self.all_moved = count * 2 > len;
    }

    /// Stores the new box of an enabled slot. `flush` passes it to the broad phase.
    #[inline(always)]
    pub(super) fn record(&mut self, slot: u32, aabb: &Aabb, margin: f64) {
        self.localize(slot, aabb, margin);
        if !self.all_moved {
            self.moved.push(slot);
        }
    }

    /// Does `record` for a block of circles. `write` gets the slot and box of each, and returns
    /// true if the slot is enabled.
    #[inline(always)]
    pub(super) fn record_circles(
        &mut self,
        circles: &mut CircleBounds,
        margin: f64,
        mut write: impl FnMut(u32, Aabb) -> bool,
    ) {
        self.far_count += circles.measure(&self.local_origin, margin, self.origin, 4.0 * self.median_distance);
        circles.drain(|slot, aabb, local| {
            if write(slot, aabb) {
                self.boxes[slot as usize] = local;
                if !self.all_moved {
                    self.moved.push(slot);
                }
            }
        });
    }

    /// Passes all recorded boxes to the broad phase.
    pub(super) fn flush(&mut self) {
        let Self { broad, boxes, moved, .. } = self;
        if core::mem::take(&mut self.all_moved) {
            return broad.update_all(boxes);
        }
        let mut batch = [INITIAL_BOX; BATCH];
        for slots in moved.chunks(BATCH) {
            for (&slot, to) in slots.iter().zip(&mut batch) {
                *to = boxes[slot as usize];
            }
            broad.update_many(slots, &batch[..slots.len()]);
        }
        moved.clear();
    }

    pub(super) fn remove(&mut self, slot: u32) {
        self.pairs_are_complete = false;
        self.moving_filters.remove(slot);
        self.broad.remove(slot);
    }

    /// Counts the box if it lies far from the origin.
    #[inline]
    fn count_if_far(&mut self, aabb: &Aabb) {
        let offset = (aabb.min() - self.origin).abs();
        // Up to 4 times the median distance, f32 loses at most two bits.
        self.far_count += usize::from(offset.x.max(offset.y) > 4.0 * self.median_distance);
    }

    /// Chooses a new origin if many boxes lie far from the present one: the median position, which
    /// a few distant outliers do not move.
    ///
    /// The origin does not change any result, only the number of false candidates.
    pub(super) fn update_origin(&mut self, columns: &ColliderSet) {
        if self.far_count * 4 <= columns.len {
            self.far_count = 0;
            return;
        }
        let sample: Vec<u32> = columns.enabled_slots().step_by((columns.len / SAMPLE).max(1)).collect();
        let median = |of: &dyn Fn(u32) -> f64| {
            let mut all = mapped(sample.iter(), |&slot| of(slot));
            let middle = all.len() / 2;
            sort_numbers(&mut all);
            all.get(middle).copied().unwrap_or(0.0)
        };
        let position = |slot: u32| columns.poses_and_boxes[slot as usize].aabb.min();
        let median_distance = |from: DVec2| median(&|slot| (position(slot) - from).abs().max_element());
        let origin = DVec2::new(median(&|slot| position(slot).x), median(&|slot| position(slot).y));
        let (distance, best_distance) = (median_distance(self.origin), median_distance(origin));
        self.far_count = 0;
        if distance <= MAX_DISTANCE_RATIO * best_distance {
            self.median_distance = distance;
            return;
        }
        (self.origin, self.local_origin, self.median_distance) = (origin, LocalOrigin::new(origin), best_distance);
        for slot in columns.enabled_slots() {
            self.boxes[slot as usize] = self.local_origin.to_local(&columns.search_box(slot));
        }
        self.broad.update_all(&self.boxes);
        self.pairs_are_complete = false;
    }

    /// Visits all boxes that may intersect a box.
    pub(super) fn visit_box(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_aabb(self.local_origin.to_local(aabb), visit);
    }

    /// Returns false if no moving box can form a pair with a box of this filter.
    #[inline]
    pub(super) fn has_moving_partners(&self, filter: Filter) -> bool {
        self.moving_filters.union().should_collide(filter)
    }

    /// Visits all moving boxes that may intersect a box, and perhaps others.
    pub(super) fn visit_moving_box(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_moving(self.local_origin.to_local(aabb), visit);
    }

    /// Visits all boxes that a ray may hit.
    pub(super) fn visit_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_ray(&self.local_origin.localize_ray(ray), visit);
    }

    /// Visits boxes that a ray may hit, near ones first if the broad phase supports this. `visit`
    /// returns a fraction of the ray: boxes that are hit later may be skipped.
    pub(super) fn search_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.broad.cast_ray(&self.local_origin.localize_ray(ray), visit);
    }

    /// Visits boxes by their distance from a point, nearest first. The distance is a lower bound:
    /// rounding may make it smaller than the true distance, never larger.
    pub(super) fn visit_nearest(&self, point: DVec2, visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        let local = point - self.origin;
        // Error bound: the point was rounded when it was moved to the local origin, and so was the
        // distance.
        let error_bound = f64::EPSILON * 64.0 * (point.abs().max_element() + self.origin.abs().max_element());
        self.broad.visit_by_distance(local.to_array(), &mut |slot, distance| {
            visit(slot, distance * (1.0 - 8.0 * f64::EPSILON) - error_bound)
        });
    }
}
