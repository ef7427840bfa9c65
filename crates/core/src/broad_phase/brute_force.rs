//! Tests every pair: brute force. It is the reference for all other broad phases in tests.
//!
//! Input: boxes. Output: all intersecting pairs, in n(n − 1)/2 tests. It has no state besides the
//! boxes, so it is also the fastest for about a dozen boxes.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::sparse_set::{Entry, SparseSet, ordered, stored_boxes};
use super::textbook::observed::ignore;
use super::{Aabb32, BroadPhase, Filter, LocalRay, Stats, TextbookStep};

/// Tests all n(n − 1)/2 pairs. The fastest broad phase for about a dozen boxes.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    /// All boxes.
    store: SparseSet,
}

impl BruteForce {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the pairs as [`pairs`](BroadPhase::pairs) does, and calls `observe` with each box test.
    pub fn pairs_observed(&self, out: &mut Vec<[u32; 2]>, observe: &mut impl FnMut(TextbookStep)) {
        let entries = &self.store.entries;
        for (i, a) in entries.iter().enumerate() {
            let partners = entries[i + 1..].iter().filter(|b| {
                let intersects = a.aabb.intersects(&b.aabb);
                observe(TextbookStep::Test { a: a.id, b: b.id, intersects });
                intersects && a.allows(b)
            });
            out.extend(partners.map(|b| ordered(a.id, b.id)));
        }
    }

    /// Returns all boxes with their filters.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.store.entries.iter().copied()
    }
}

impl BroadPhase for BruteForce {
    fn name(&self) -> &'static str {
        "brute"
    }

    fn stats(&self) -> Stats {
        let n = self.store.entries.len() as u64;
        Stats { box_tests: n * n.saturating_sub(1) / 2, ..Stats::of(self.name()) }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        self.store.insert(Entry { id, aabb, filter, moving });
    }

    fn remove(&mut self, id: u32) {
        self.store.remove(id);
    }

    stored_boxes!();
}
