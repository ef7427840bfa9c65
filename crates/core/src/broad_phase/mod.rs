//! Defines broad phases: the trait [`BroadPhase`], its filters, and one module per strategy.
//!
//! Input: boxes, filters and ids; a broad phase knows no shapes. Output: pairs of ids, or the ids
//! of the boxes that intersect a query box, point or ray. Boxes are `f32`, relative to a
//! [`LocalOrigin`] that the owner chooses, and rounded outward, so no intersecting pair is missed.
//! Every strategy reports exactly the pairs whose boxes intersect, so all strategies return the
//! same pairs.
//!
//! | strategy | method | fastest for |
//! |---|---|---|
//! | [`BruteForce`] | tests every pair | a few dozen boxes |
//! | [`StripSweep`] | sort and sweep in strips | many moving boxes |
//! | [`Bvh`] | wide R-tree | mostly fixed boxes, many queries |
//! | [`Adaptive`] | one of the above | unknown worlds |
//! | [`SortAndSweep`], [`CoherentSortAndSweep`], [`SweepAndPrune`] | textbook | comparison |
//!
//! [`BruteForce`] and the textbook strategies can report each test, each swap and the sweep line to
//! an observer (`pairs_observed`, [`TextbookStep`]), for teaching.
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
mod query_counter;
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
pub use textbook::observed::{TextbookEndpoint, TextbookStep};
pub use textbook::sort_and_sweep::SortAndSweep;
pub use textbook::sort_and_sweep_coherent::CoherentSortAndSweep;
pub use textbook::sweep_and_prune::SweepAndPrune;

/// Decides which objects may collide with which: layers, a mask and a group.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Filter {
    /// The layers of the object, one bit per layer.
    pub layers: u64,
    /// The layers with which the object collides, one bit per layer.
    pub mask: u64,
    /// Two objects with the same nonzero group never collide. 0 means no group.
    pub group: u32,
}

impl Default for Filter {
    /// Returns layer 0, a mask of all layers, and no group.
    fn default() -> Self {
        Self { layers: 1, mask: u64::MAX, group: 0 }
    }
}

impl Filter {
    /// Returns true if the two objects may collide.
    ///
    /// Each mask must contain a layer of the other object, and both must not be in the same group.
    #[inline]
    #[must_use]
    pub fn should_collide(self, other: Self) -> bool {
        self.mask & other.layers != 0 && other.mask & self.layers != 0 && (self.group == 0 || self.group != other.group)
    }
}

/// A set of boxes that are inserted, moved and removed, and the search for intersecting pairs.
///
/// Ids are small numbers chosen by the owner; memory grows with the largest id. Boxes are closed:
/// two boxes that share one point intersect.
pub trait BroadPhase {
    /// Returns the name of the strategy, as on the command line.
    fn name(&self) -> &'static str;

    /// Returns statistics of the last call of [`pairs`](BroadPhase::pairs).
    fn stats(&self) -> Stats {
        Stats::of(self.name())
    }

    /// Inserts a box, or replaces the box with this id.
    ///
    /// An invalid box never intersects (see [`Aabb32`]). Two boxes that are both not `moving` never
    /// form a pair.
    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool);

    /// Moves a box. An unknown id is ignored.
    fn update(&mut self, id: u32, aabb: Aabb32);

    /// Moves several boxes: `boxes[k]` is the new box of `ids[k]`. If an id occurs twice, its last
    /// box counts.
    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        for (&id, &aabb) in ids.iter().zip(boxes) {
            self.update(id, aabb);
        }
    }

    /// Moves all boxes: `boxes[id]` is the new box of `id`. Unknown ids are ignored.
    fn update_all(&mut self, boxes: &[Aabb32]) {
        for (id, &aabb) in (0..).zip(boxes) {
            self.update(id, aabb);
        }
    }

    /// Removes a box. An unknown id is ignored.
    fn remove(&mut self, id: u32);

    /// Appends every pair of intersecting boxes whose filters allow it.
    ///
    /// Each pair is appended once, with the lower id first. The order of the pairs is unspecified,
    /// but the same for any number of threads.
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>);

    /// Calls `visit` with the id of every box that intersects `aabb`, in any order, until `visit`
    /// breaks.
    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>);

    /// Calls `visit` with the id of every moving box that intersects `aabb`, as
    /// [`query_aabb`](BroadPhase::query_aabb). It may visit boxes that never move, too.
    fn query_moving(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.query_aabb(aabb, visit);
    }

    /// Queries several boxes at once.
    ///
    /// Calls `visit` with the index of a box in `queries` and the id of a box that intersects it.
    /// Each such pair is visited once, in any order.
    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        for (index, &query) in (0..).zip(queries) {
            self.query_aabb(query, &mut |id| {
                visit(index, id);
                ControlFlow::Continue(())
            });
        }
    }

    /// Calls `visit` with the id of every box that contains a point, in any order, until `visit`
    /// breaks. The point is relative to the [`LocalOrigin`].
    fn visit_point(&self, point: [f32; 2], visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.query_aabb(Aabb32 { min: point, max: point }, visit);
    }

    /// Calls `visit` with the id of every box that a ray hits, in any order, until `visit` breaks.
    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>);

    /// Visits the candidates for the first hit of a ray, until `visit` breaks.
    ///
    /// Calls `visit` with the ids of boxes that the ray hits, near boxes before far boxes if the
    /// strategy can. `visit` returns a limit, as a fraction of the ray's length: boxes that the ray
    /// hits beyond the limit may be skipped. Boxes that the ray misses by a rounding error may be
    /// visited too.
    fn cast_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.query_ray(ray, &mut |id| visit(id).map_continue(|_| ()));
    }

    /// Calls `visit` with the id and distance of each box, nearest first, until `visit` breaks. The
    /// point is relative to the [`LocalOrigin`].
    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>);

    /// Visits the candidates for the nearest object to a point, until `visit` breaks. The point is
    /// relative to the [`LocalOrigin`].
    ///
    /// Calls `visit` with the ids of boxes at distance at most `within`, near boxes before far
    /// boxes if the strategy can. `visit` returns a new limit, which replaces `within` if it is
    /// smaller: boxes farther away may be skipped. Boxes slightly beyond the limit may be visited
    /// too. This is faster than [`visit_by_distance`](BroadPhase::visit_by_distance), whose order
    /// is strict.
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
