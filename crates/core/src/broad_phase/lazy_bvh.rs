//! Builds a BVH lazily, once linear queries have cost about as much as its construction.
//!
//! Input: the cost of queries that would test every box, and a function that builds the tree.
//! Output: the tree, if it exists.
//!
//! Strips and unsorted boxes have no index for rays and distances. A BVH has one, but it must be
//! built from all boxes, and the next change of a box drops it. The number of queries until then is
//! unknown. This is the ski rental problem (Karlin et al., *Competitive snoopy caching*, 1988):
//!
//! ```text
//! query:   spent += cost of the query
//!          if the tree exists:  answer the query with it
//!          if spent >= limit:   build the tree, and answer the query with it
//!          otherwise:           test every box
//! change:  if spent > 0, a period ends:
//!              streak = streak + 1 if spent >= BUILD_COST, else 0
//!              drop the tree; spent = 0
//!
//! limit = 0           for unsorted boxes, or if streak >= PATIENCE
//!         BUILD_COST  otherwise
//! ```
//!
//! A period costs at most about twice the optimum, because the linear queries cost at most as much
//! as the tree. After a streak, one period may build a tree that does not pay. Then the periods of
//! the streak still cost less than without a prediction. If each pair search has such a period, the
//! owner selects the BVH as its strategy instead.
//!
//! Costs are measured: building a tree takes as long as testing all boxes for 6 rays (1000 boxes), 9
//! rays (10⁴) or 20 rays (10⁵ and 10⁶; then the boxes do not fit in the cache, and a build reads
//! them in random order). A distance query takes as long as 1.6 rays (10⁴ boxes): it builds a heap of all distances.
//!
//! The tree is in a [`OnceBox`], because queries have shared access only. It needs no `std`. Several
//! threads may build the tree at the same time; one tree is kept.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;

use super::Bvh;

/// Cost of the construction of the tree, in units: 8 scans of few boxes, or 16 scans of many.
const BUILD_COST: u32 = 16;
/// A scan costs 2 units for fewer boxes than this, else 1 unit.
const MANY_BOXES: usize = 1 << 15;
/// Number of consecutive periods that needed the tree, after which the first query builds it.
const PATIENCE: u32 = 3;

/// A kind of query that tests every box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinearQuery {
    /// Tests every box for an intersection, with a box or a ray.
    Scan,
    /// Computes the distances of all boxes, and puts them into a heap.
    Distances,
}

impl LinearQuery {
    /// Returns the cost in scans of all boxes.
    pub(super) fn scans(self) -> u32 {
        match self {
            Self::Scan => 1,
            Self::Distances => 2,
        }
    }
}

/// Empty, or the BVH of all boxes as they are now.
#[derive(Clone, Debug, Default)]
pub(super) struct LazyBvh {
    /// The tree. Empty if it was not built since the last change of a box.
    tree: OnceBox<Bvh>,
    /// The cost of the queries since the last change of a box.
    spent: Spent,
    /// Number of consecutive periods that needed the tree, at most [`PATIENCE`].
    streak: u32,
}

/// A sum of costs. Atomic, because queries run concurrently.
#[derive(Debug, Default)]
struct Spent(AtomicU32);

impl Clone for Spent {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Spent {
    /// Adds a cost, at least 1, and returns the sum. Adds nothing to a sum of [`BUILD_COST`] or
    /// more, so it never overflows.
    fn add(&self, cost: u32) -> u32 {
        let spent = self.0.load(Ordering::Relaxed);
        if spent >= BUILD_COST {
            return spent;
        }
        let cost = cost.clamp(1, BUILD_COST);
        self.0.fetch_add(cost, Ordering::Relaxed) + cost
    }
}

impl LazyBvh {
    /// Returns the tree of `count` boxes for queries that cost `scans` scans without it, or `None` if
    /// they should test every box.
    ///
    /// Builds the tree if it does not exist and enough was spent, or if `at_once` is true.
    pub(super) fn tree(&self, scans: u32, count: usize, at_once: bool, build: impl FnOnce() -> Bvh) -> Option<&Bvh> {
        let spent = self.spent.add(scans.saturating_mul(if count < MANY_BOXES { 2 } else { 1 }));
        let pays = at_once || spent >= BUILD_COST || self.streak >= PATIENCE;
        if pays { Some(self.tree.get_or_init(|| Box::new(build()))) } else { self.tree.get() }
    }

    /// Returns the tree if it exists.
    pub(super) fn built(&self) -> Option<&Bvh> {
        self.tree.get()
    }

    /// Returns true if there were queries since the last change of a box. If false, there is no
    /// tree.
    #[inline]
    pub(super) fn is_used(&mut self) -> bool {
        *self.spent.0.get_mut() > 0
    }

    /// Ends a period with queries: drops the tree before a box changes.
    pub(super) fn end_period(&mut self) {
        let spent = core::mem::take(self.spent.0.get_mut());
        self.streak = if spent >= BUILD_COST { PATIENCE.min(self.streak + 1) } else { 0 };
        self.tree = OnceBox::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LinearQuery::{Distances, Scan};

    /// Runs queries of one period. Returns how many of them tested every box.
    fn period(lazy: &mut LazyBvh, queries: usize, kind: LinearQuery, count: usize) -> usize {
        let linear = (0..queries).filter(|_| lazy.tree(kind.scans(), count, false, Bvh::new).is_none()).count();
        assert_eq!(lazy.is_used(), queries > 0);
        lazy.end_period();
        assert!(!lazy.is_used() && lazy.built().is_none());
        linear
    }

    /// Law: the linear queries of a period cost less than the tree. A period with fewer queries
    /// builds no tree.
    #[test]
    fn linear_queries_cost_less_than_the_tree() {
        for (kind, count, limit) in
            [(Scan, 1_000, 8), (Distances, 1_000, 4), (Scan, 100_000, 16), (Distances, 100_000, 8)]
        {
            let (mut lazy, before) = (LazyBvh::default(), limit - 1);
            assert_eq!(period(&mut lazy, before, kind, count), before);
            assert_eq!(period(&mut lazy, 1_000, kind, count), before, "{kind:?} {count}");
        }
        // Queries in one call are counted before the first of them runs.
        assert!(LazyBvh::default().tree(8, 1_000, false, Bvh::new).is_some());
        assert!(LazyBvh::default().tree(u32::MAX, 1_000, false, Bvh::new).is_some());
    }

    /// Law: after three periods in a row that needed the tree, the first query builds it, until a
    /// period does not need it. The queries of that period are counted although the tree exists.
    #[test]
    fn periods_that_need_the_tree_build_it_at_once() {
        let mut lazy = LazyBvh::default();
        let linear = [8, 100, 8, 9, 100, 7, 8, 0, 8, 8].map(|queries| period(&mut lazy, queries, Scan, 1_000));
        assert_eq!(linear, [7, 7, 7, 0, 0, 0, 7, 0, 7, 7]);
    }

    /// Law: an empty call of an owner that builds at once leaves no tree behind that the next
    /// change would keep.
    #[test]
    fn a_call_without_queries_is_dropped_too() {
        let mut lazy = LazyBvh::default();
        assert!(lazy.tree(0, 1_000, true, Bvh::new).is_some() && lazy.is_used());
        lazy.end_period();
        assert!(lazy.built().is_none());
    }
}
