//! Broad phases: which boxes of many meet.
//!
//! A broad phase knows boxes, filters and numbers, no shapes. Its boxes are `f32`, relative to a [`LocalOrigin`] that its owner chooses, and rounded
//! outward, so nothing that meets is ever missed; and every strategy reports exactly the pairs whose boxes meet, so all of them agree.
//!
//! ```
//! use carom::broad_phase::{BroadPhase, Filter, LocalOrigin, SortAndSweep};
//! use carom::{DVec2, Shape};
//!
//! let (ball, frame) = (Shape::circle(1.0)?, LocalOrigin::new(DVec2::ZERO));
//! let mut sweep = SortAndSweep::new();
//! for (id, x) in [(0, 0.0), (1, 1.5), (2, 9.0)] {
//!     sweep.insert(id, frame.to_local(&ball.at([x, 0.0])?.aabb()), Filter::default(), true);
//! }
//! let mut pairs = Vec::new();
//! sweep.pairs(&mut pairs);
//! assert_eq!(pairs, [[0, 1]]);
//! # Ok::<(), carom::Error>(())
//! ```

mod aabb32;
mod adaptive;
mod brute_force;
mod bvh;
mod lazy_bvh;
pub(crate) mod morton;
pub(crate) mod simd_box_tests;
mod sparse_set;
pub(crate) mod static_bvh;
mod stats;
mod strip_sweep;
mod textbook;

use core::ops::ControlFlow;

pub use aabb32::{Aabb32, LocalOrigin, LocalRay};
pub use adaptive::Adaptive;
pub use brute_force::BruteForce;
pub use bvh::Bvh;
pub use stats::Stats;
pub use strip_sweep::StripSweep;
pub use textbook::sort_and_sweep::SortAndSweep;
pub use textbook::sort_and_sweep_coherent::CoherentSortAndSweep;
pub use textbook::sweep_and_prune::SweepAndPrune;

/// Which objects may meet which: layers, a mask, and a group.
///
/// ```
/// use carom::broad_phase::Filter;
///
/// let player = Filter { layers: 0b01, mask: 0b10, group: 0 };
/// let coin = Filter { layers: 0b10, mask: 0b01, group: 0 };
/// assert!(player.should_collide(coin) && !player.should_collide(player));
/// let tile = Filter { group: 7, ..Filter::default() };
/// assert!(!tile.should_collide(tile));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The layers that the object is on, a bit each.
    pub layers: u64,
    /// The layers that it meets.
    pub mask: u64,
    /// Objects of one group never meet; 0 is no group.
    pub group: u32,
}

impl Default for Filter {
    /// Layer 0, meeting all, no group.
    fn default() -> Self {
        Self { layers: 1, mask: u64::MAX, group: 0 }
    }
}

impl Filter {
    /// May the two meet? Each one's mask must have a layer of the other, and they must not be of one group.
    #[inline]
    #[must_use]
    pub fn should_collide(self, other: Self) -> bool {
        self.mask & other.layers != 0 && other.mask & self.layers != 0 && (self.group == 0 || self.group != other.group)
    }
}

/// Boxes that come, move and go, and the pairs of them that meet.
///
/// Ids are small numbers that the owner chooses; storage is as long as the largest of them. Boxes are closed: one shared point is enough.
pub trait BroadPhase {
    /// What the strategy is called, on the command line too.
    fn name(&self) -> &'static str;

    /// How the last call of [`pairs`](BroadPhase::pairs) went.
    fn stats(&self) -> Stats {
        Stats::of(self.name())
    }

    /// Adds a box, or replaces the one of that id; what is no box meets nothing (see [`Aabb32`]). One that is not `moving` is never paired with another such.
    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool);

    /// Moves a box; an id that is not there is left alone.
    fn update(&mut self, id: u32, aabb: Aabb32);

    /// Moves many boxes, each the one of the id at the same place of the other slice; of an id that comes twice the last counts.
    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        for (&id, &aabb) in ids.iter().zip(boxes) {
            self.update(id, aabb);
        }
    }

    /// Moves all boxes: the n-th one is that of id n. Ids that are not there are left alone.
    fn update_all(&mut self, boxes: &[Aabb32]) {
        for (id, &aabb) in (0..).zip(boxes) {
            self.update(id, aabb);
        }
    }

    /// Takes a box out; an id that is not there is left alone.
    fn remove(&mut self, id: u32);

    /// Appends every pair whose boxes meet and whose filters allow it: once, the lower id first, the pairs in any order, which is the same for any number of threads.
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>);

    /// Calls `visit` with the id of every box that meets a box, in any order, until it breaks.
    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>);

    /// Many boxes at once: calls `visit` with the number of a box in `queries` and the id of a box that it meets, for all such pairs, each once, in any order.
    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        for (number, &query) in (0..).zip(queries) {
            self.query_aabb(query, &mut |id| {
                visit(number, id);
                ControlFlow::Continue(())
            });
        }
    }

    /// Calls `visit` with the id of every box that holds a point (relative to the frame), in any order, until it breaks.
    fn visit_point(&self, point: [f32; 2], visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.query_aabb(Aabb32 { min: point, max: point }, visit);
    }

    /// Calls `visit` with the id of every box that a ray meets, in any order, until it breaks.
    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>);

    /// Looks for what a ray meets first: calls `visit` with the ids of boxes that it meets, near ones before far ones where the strategy can, until it breaks.
    ///
    /// What `visit` returns is a limit: boxes that the ray meets after that fraction of its way need not be visited any more. A few may be visited that the ray passes closely.
    fn cast_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.query_ray(ray, &mut |id| visit(id).map_continue(|_| ()));
    }

    /// Calls `visit` with ids and distances of the boxes from a point (relative to the frame), nearest first, until it breaks.
    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>);

    /// Looks for what is nearest to a point (relative to the frame): calls `visit` with the ids of boxes that are at most `within` away, near ones before far ones where the strategy
    /// can, until it breaks.
    ///
    /// What `visit` returns is a new limit in the place of `within`, where it is less: boxes farther away need not be visited any more. A few may be visited that are a little farther. That
    /// is faster than [`visit_by_distance`](BroadPhase::visit_by_distance), whose order is strict.
    fn find_nearest(&self, point: [f64; 2], within: f64, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        let mut limit = within;
        self.visit_by_distance(point, &mut |id, distance| {
            if distance > limit {
                return ControlFlow::Break(());
            }
            limit = limit.min(visit(id)?);
            ControlFlow::Continue(())
        });
    }
}

use alloc::vec::Vec;
