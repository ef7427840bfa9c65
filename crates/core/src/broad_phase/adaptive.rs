//! Selects one of three broad phases by measured thresholds.
//!
//! Input and output are those of every broad phase. The choice depends on the number of boxes, on
//! how many of them can move, and on the number of queries between two pair searches.
//!
//! ```text
//! at each pair search
//!     pick = brute force      if there are at most about 32 boxes
//!            BVH              if at least about 90 % of the boxes are fixed,
//!                             or if queries would test all boxes about 8 times per pair
//!                             search
//!            strips           otherwise
//!     if pick is not the current strategy for more than 4 searches in a row
//!         (or at once, if the current strategy is much slower): move all boxes to pick
//! ```
//!
//! No strategy is the fastest for all worlds. The BVH needs about twice the time of the strips if
//! all boxes move. The strips read every box, so they are slower if most boxes are fixed, and they
//! have no index for rays and distances. So queries build a BVH beside the strips once it pays; it
//! is dropped at the next change of a box. [`lazy_bvh`](super::lazy_bvh) has the rule.
//!
//! Thresholds have hysteresis: near a threshold, the current strategy is kept. Otherwise a world
//! near a threshold would convert its boxes in every frame. Before the first pair search, the
//! choice is made for queries.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::lazy_bvh::{LazyBvh, LinearQuery};
use super::query_counter::QueryCounter;
use super::sparse_set::Entry;
use super::{Aabb32, BroadPhase, BruteForce, Bvh, Filter, LocalRay, Stats, StripSweep};

/// Up to this many boxes, brute force is used.
const MAX_BRUTE_FORCE: usize = 32;
/// Ratio of all boxes to moving boxes above which the BVH is faster.
///
/// The BVH visits moving boxes only; the strips read every box.
const MIN_FIXED_RATIO: usize = 10;
/// Cost of queries between two pair searches above which the BVH is faster, in scans of all boxes.
/// It is compared with a decaying sum, so it stands for half as many per pair search.
///
/// A frame with the BVH takes longer by the time of 2 to 7 scans; measured for 10³ to 10⁵ boxes that
/// all move. Strips with a lazy BVH would build it in each frame, which takes longer.
const MIN_QUERIES: u32 = 16;
/// Cost of queries above which the strategy is changed at the next pair search.
const MANY_QUERIES: u32 = 64;
/// If a query tests more boxes than this, it counts as a slow query.
const MAX_FAST_TESTS: usize = 256;
/// Number of consecutive pair searches that must prefer another strategy before it is changed.
const PATIENCE: u32 = 4;

/// Selects a strategy by the number of boxes, by the number of moving boxes, and by the number of
/// queries. [`stats`](BroadPhase::stats) returns the strategy and the reason.
///
/// While the strategy is brute force, inserted boxes are stored unsorted. The first pair search or
/// query then builds the index of all boxes at once, which is much faster than single insertions.
///
/// While the strategy is strips, a ray or distance query tests every box, and so does a box query
/// long after a pair search. About eight such queries cost as much as a BVH. From then on, queries
/// use a BVH that the next change of a box drops. If several periods between changes needed
/// it, the first query of a period builds it. The query that builds a tree allocates its memory.
///
/// ```
/// use carom::broad_phase::{Adaptive, Aabb32, BroadPhase, Filter};
///
/// let mut auto = Adaptive::new();
/// for id in 0..1_000 {
///     let x = id as f32;
///     auto.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.5, 1.0] }, Filter::default(), true);
/// }
/// let mut pairs = Vec::new();
/// auto.pairs(&mut pairs);
/// assert_eq!((auto.stats().strategy, auto.stats().reason), ("strips", "most boxes can move"));
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    /// The current strategy.
    inner: Strategy,
    /// The lazily built BVH of unsorted boxes or of strips. Dropped or made current by each change
    /// of a box.
    lazy_bvh: LazyBvh,
    /// The state of each id.
    state: Vec<IdState>,
    /// Number of boxes.
    count: usize,
    /// Number of moving boxes.
    moving_count: usize,
    /// Number of consecutive pair searches that preferred another strategy.
    searches_waited: u32,
    /// If true, `pairs` was called before. Until then it is unknown whether it will be called at
    /// all.
    has_searched: bool,
    /// Counts queries, to detect frequent queries.
    query_counter: QueryCounter,
}

/// The state of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdState {
    /// The id has no box.
    Absent,
    /// The box never moves: it forms no pair with another fixed box.
    Fixed,
    /// The box can move.
    Moving,
}

/// The current strategy, with all boxes.
#[derive(Clone, Debug)]
enum Strategy {
    /// All pairs are tested; also the store of boxes inserted in bulk before any index is built.
    Brute(BruteForce),
    /// Strips along y.
    Strips(Box<StripSweep>),
    /// A BVH of moving and one of fixed boxes.
    Bvh(Box<Bvh>),
}

/// The strategies to select from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// [`BruteForce`].
    Brute,
    /// [`StripSweep`].
    Strips,
    /// [`Bvh`].
    Bvh,
}

impl Strategy {
    /// Returns which strategy this is.
    fn pick(&self) -> Pick {
        match self {
            Self::Brute(_) => Pick::Brute,
            Self::Strips(_) => Pick::Strips,
            Self::Bvh(_) => Pick::Bvh,
        }
    }

    /// Returns the strategy for queries.
    fn get(&self) -> &dyn BroadPhase {
        match self {
            Self::Brute(brute) => brute,
            Self::Strips(strips) => strips.as_ref(),
            Self::Bvh(bvh) => bvh.as_ref(),
        }
    }

    /// Returns the strategy for changes.
    fn get_mut(&mut self) -> &mut dyn BroadPhase {
        match self {
            Self::Brute(brute) => brute,
            Self::Strips(strips) => strips.as_mut(),
            Self::Bvh(bvh) => bvh.as_mut(),
        }
    }

    /// Calls `f` with all boxes.
    fn with_entries<T>(&self, f: impl FnOnce(&mut dyn Iterator<Item = Entry>) -> T) -> T {
        match self {
            Self::Brute(brute) => f(&mut brute.entries()),
            Self::Strips(strips) => f(&mut strips.entries()),
            Self::Bvh(bvh) => f(&mut bvh.entries()),
        }
    }

    /// Returns another strategy with the same boxes.
    fn converted_to(&self, pick: Pick) -> Self {
        self.with_entries(|entries| build(pick, entries))
    }

    /// Returns a bulk-loaded BVH of the same boxes.
    fn to_bvh(&self) -> Bvh {
        self.with_entries(build_bvh)
    }
}

/// Returns a strategy filled with the given boxes.
fn build(pick: Pick, entries: &mut dyn Iterator<Item = Entry>) -> Strategy {
    /// Inserts all boxes into an empty broad phase.
    fn insert_all<B: BroadPhase>(mut broad: B, entries: &mut dyn Iterator<Item = Entry>) -> B {
        for e in entries {
            broad.insert(e.id, e.aabb, e.filter, e.moving);
        }
        broad
    }
    match pick {
        Pick::Brute => Strategy::Brute(insert_all(BruteForce::new(), entries)),
        Pick::Strips => Strategy::Strips(Box::new(insert_all(StripSweep::new(), entries))),
        Pick::Bvh => Strategy::Bvh(Box::new(build_bvh(entries))),
    }
}

/// Returns a bulk-loaded BVH of the given boxes.
fn build_bvh(entries: &mut dyn Iterator<Item = Entry>) -> Bvh {
    Bvh::from_boxes(entries.map(|e| (e.id, e.aabb, e.filter, e.moving)))
}

impl Default for Adaptive {
    fn default() -> Self {
        Self {
            inner: Strategy::Brute(BruteForce::new()),
            lazy_bvh: LazyBvh::default(),
            state: Vec::new(),
            count: 0,
            moving_count: 0,
            searches_waited: 0,
            has_searched: false,
            query_counter: QueryCounter::default(),
        }
    }
}

impl Adaptive {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the best strategy and the reason. Near a threshold, the current strategy is kept.
    fn pick(&self) -> (Pick, &'static str) {
        let (max_brute, fixed_ratio, max_queries) = match self.inner.pick() {
            Pick::Brute => (MAX_BRUTE_FORCE + MAX_BRUTE_FORCE / 2, MIN_FIXED_RATIO, MIN_QUERIES),
            Pick::Strips => (MAX_BRUTE_FORCE, MIN_FIXED_RATIO + MIN_FIXED_RATIO / 2, MIN_QUERIES),
            Pick::Bvh => (MAX_BRUTE_FORCE, MIN_FIXED_RATIO - MIN_FIXED_RATIO / 3, MIN_QUERIES / 2),
        };
        if self.count <= max_brute {
            (Pick::Brute, "few boxes")
        } else if self.count > self.moving_count * fixed_ratio {
            (Pick::Bvh, "most boxes are fixed")
        } else if !self.has_searched || self.query_counter.earlier() >= max_queries {
            (Pick::Bvh, "frequent queries")
        } else {
            (Pick::Strips, "most boxes can move")
        }
    }

    /// Changes the strategy if another one has been better for several searches.
    ///
    /// Changes at once if every query or search is slow in the current strategy.
    fn reconsider(&mut self) {
        self.query_counter.start_period();
        let first = !core::mem::replace(&mut self.has_searched, true);
        let (now, (pick, _)) = (self.inner.pick(), self.pick());
        self.searches_waited = if now == pick { 0 } else { self.searches_waited + 1 };
        let at_once = first || now == Pick::Brute || self.query_counter.earlier() >= MANY_QUERIES;
        if self.searches_waited > PATIENCE || (now != pick && at_once) {
            self.convert_to(pick);
        }
    }

    /// Moves all boxes to another strategy. Copies the lazy BVH if it was built: copying costs much
    /// less than building.
    fn convert_to(&mut self, pick: Pick) {
        self.inner = match self.lazy_bvh.built() {
            Some(tree) if pick == Pick::Bvh => Strategy::Bvh(Box::new(tree.clone())),
            _ => self.inner.converted_to(pick),
        };
        self.lazy_bvh = LazyBvh::default();
        self.searches_waited = 0;
    }

    /// Returns true if the boxes are stored unsorted and are too many for brute force.
    fn is_unsorted(&self) -> bool {
        self.inner.pick() == Pick::Brute && self.count > MAX_BRUTE_FORCE + MAX_BRUTE_FORCE / 2
    }

    /// Called before each change of a box. Drops the lazy BVH of strips. That of unsorted boxes is
    /// no longer lazy: it, or the best strategy, becomes the current one.
    #[inline]
    fn before_change(&mut self) {
        if self.lazy_bvh.is_used() {
            self.end_query_period();
        }
    }

    /// Ends the time between two changes of boxes, if there were queries that had no index.
    #[cold]
    fn end_query_period(&mut self) {
        match self.inner.pick() {
            Pick::Brute => self.convert_to(self.pick().0),
            _ => self.lazy_bvh.end_period(),
        }
    }

    /// Returns the strategy to query, or the lazy BVH if it is faster. Counts `times` queries that
    /// are of this kind without an index.
    fn queried(&self, times: usize, kind: LinearQuery) -> &dyn BroadPhase {
        let scans = u32::try_from(times).unwrap_or(MANY_QUERIES).saturating_mul(kind.scans());
        self.query_counter.add(scans);
        let at_once = self.is_unsorted();
        if at_once || self.inner.pick() == Pick::Strips {
            let tree = self.lazy_bvh.tree(scans, self.count, at_once, || self.inner.to_bvh());
            if let Some(tree) = tree {
                return tree;
            }
        }
        self.inner.get()
    }

    /// Returns the strips if their sorted lists can serve box queries.
    fn sorted_strips(&self) -> Option<&StripSweep> {
        let Strategy::Strips(strips) = &self.inner else { return None };
        strips.has_sorted_lists().then_some(strips)
    }

    /// Visits the boxes that intersect `aabb`, with the sorted lists of the strips. Shortly after a
    /// pair search they are as fast as the BVH, so only a query that tests many boxes is counted.
    fn query_strips(
        &self,
        strips: &StripSweep,
        aabb: Aabb32,
        visit: &mut (impl FnMut(u32) -> ControlFlow<()> + ?Sized),
    ) {
        if strips.query_lists(aabb, visit) > MAX_FAST_TESTS {
            self.query_counter.add(1);
        }
    }

    /// Sets the state of an id and updates the counts.
    fn set(&mut self, id: u32, state: IdState) {
        let id = id as usize;
        if id >= self.state.len() {
            if state == IdState::Absent {
                return;
            }
            self.state.resize(id + 1, IdState::Absent);
        }
        let old = core::mem::replace(&mut self.state[id], state);
        self.count = self.count + usize::from(state != IdState::Absent) - usize::from(old != IdState::Absent);
        self.moving_count =
            self.moving_count + usize::from(state == IdState::Moving) - usize::from(old == IdState::Moving);
    }
}

impl BroadPhase for Adaptive {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn stats(&self) -> Stats {
        let (pick, reason) = self.pick();
        if self.is_unsorted() {
            return Stats { reason, ..Stats::of(if pick == Pick::Strips { "strips" } else { "bvh" }) };
        }
        let reason =
            if pick == self.inner.pick() { reason } else { "no other strategy has been better for several searches" };
        Stats { reason, ..self.inner.get().stats() }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        self.set(id, if moving { IdState::Moving } else { IdState::Fixed });
        self.before_change();
        self.inner.get_mut().insert(id, aabb, filter, moving);
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        self.before_change();
        self.inner.get_mut().update(id, aabb);
    }

    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        self.before_change();
        self.inner.get_mut().update_many(ids, boxes);
    }

    fn update_all(&mut self, boxes: &[Aabb32]) {
        self.before_change();
        self.inner.get_mut().update_all(boxes);
    }

    fn remove(&mut self, id: u32) {
        self.set(id, IdState::Absent);
        self.before_change();
        self.inner.get_mut().remove(id);
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.reconsider();
        self.inner.get_mut().pairs(out);
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        match self.sorted_strips() {
            Some(strips) => self.query_strips(strips, aabb, visit),
            None => self.queried(1, LinearQuery::Scan).query_aabb(aabb, visit),
        }
    }

    fn query_moving(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        match self.sorted_strips() {
            Some(strips) => self.query_strips(strips, aabb, visit),
            None => self.queried(1, LinearQuery::Scan).query_moving(aabb, visit),
        }
    }

    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        let Some(strips) = self.sorted_strips() else {
            return self.queried(queries.len(), LinearQuery::Scan).visit_boxes(queries, visit);
        };
        for (index, &query) in (0..).zip(queries) {
            self.query_strips(strips, query, &mut |id| {
                visit(index, id);
                ControlFlow::Continue(())
            });
        }
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.queried(1, LinearQuery::Scan).query_ray(ray, visit);
    }

    fn cast_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.queried(1, LinearQuery::Scan).cast_ray(ray, visit);
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        self.queried(1, LinearQuery::Distances).visit_by_distance(point, visit);
    }

    fn find_nearest(&self, point: [f64; 2], within: f64, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.queried(1, LinearQuery::Distances).find_nearest(point, within, visit);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn tile(x: f32) -> Aabb32 {
        Aabb32 { min: [x, 0.0], max: [x + 0.75, 1.0] }
    }

    fn row(count: u32) -> Adaptive {
        let mut auto = Adaptive::new();
        (0..count).for_each(|id| auto.insert(id, tile(id as f32), Filter::default(), true));
        auto
    }

    fn at(auto: &Adaptive, x: f32) -> Vec<u32> {
        let mut found = Vec::new();
        auto.visit_point([x, 0.5], &mut |id| {
            found.push(id);
            ControlFlow::Continue(())
        });
        found
    }

    /// Law: boxes inserted one by one are indexed once, at the first query; later changes are
    /// visible.
    #[test]
    fn boxes_stay_unsorted_until_the_first_query() {
        let mut auto = row(2_000);
        assert!(auto.is_unsorted() && auto.lazy_bvh.built().is_none());
        assert_eq!(auto.stats().strategy, "bvh");
        assert_eq!(at(&auto, 500.5), [500]);
        let tree: *const Bvh = auto.lazy_bvh.built().unwrap();
        assert_eq!(at(&auto, 1_999.5), [1_999]);
        assert!(auto.is_unsorted() && core::ptr::eq(tree, auto.lazy_bvh.built().unwrap()));
        // From the next change on, the BVH is the current strategy.
        auto.update(7, tile(500.0));
        assert_eq!((auto.inner.pick(), at(&auto, 500.5).len(), at(&auto, 7.5).len()), (Pick::Bvh, 2, 0));
        auto.insert(2_000, tile(2_000.0), Filter::default(), true);
        auto.remove(500);
        assert_eq!((at(&auto, 500.5), at(&auto, 2_000.5)), (vec![7], vec![2_000]));
    }

    /// Law: if `pairs` is called before any query, the strategy for pairs is built directly.
    #[test]
    fn the_first_search_selects_the_strategy() {
        let mut auto = row(2_000);
        auto.remove(1_999);
        auto.update(5, tile(6.0));
        let mut pairs = Vec::new();
        auto.pairs(&mut pairs);
        assert_eq!((auto.inner.pick(), pairs), (Pick::Strips, vec![[5, 6]]));
        // After a pair search, a small set that grows is unsorted again, and no old BVH is used.
        (49..1_999).for_each(|id| auto.remove(id));
        (0..10).for_each(|_| auto.pairs(&mut Vec::new()));
        assert_eq!(auto.inner.pick(), Pick::Strips);
        (20..49).for_each(|id| auto.remove(id));
        (0..10).for_each(|_| auto.pairs(&mut Vec::new()));
        assert_eq!(auto.inner.pick(), Pick::Brute);
        (0..200).for_each(|id| auto.insert(id, tile(id as f32 * 0.5), Filter::default(), id == 0));
        assert!(auto.is_unsorted());
        let mut pairs = Vec::new();
        auto.pairs(&mut pairs);
        assert_eq!((auto.inner.pick(), pairs), (Pick::Bvh, vec![[0, 1]]));
    }
}
