//! Sums the cost of the queries between pair searches.
//!
//! Input: the cost of each query without an index, in scans of all boxes, and each pair search.
//! Output: a decaying sum, which shows whether queries are frequent.

use core::sync::atomic::{AtomicU32, Ordering};

/// Sums the cost of queries, with a decaying sum of earlier periods.
#[derive(Debug, Default)]
pub(super) struct QueryCounter {
    /// Cost of the queries since the last pair search.
    now: AtomicU32,
    /// Sum of the earlier costs, halved at each pair search.
    before: u32,
}

impl Clone for QueryCounter {
    fn clone(&self) -> Self {
        Self { now: AtomicU32::new(self.now.load(Ordering::Relaxed)), before: self.before }
    }
}

impl QueryCounter {
    /// Adds the cost of queries. Atomic, because queries run concurrently.
    pub(super) fn add(&self, scans: u32) {
        self.now.fetch_add(scans, Ordering::Relaxed);
    }

    /// Starts a new period at a pair search.
    pub(super) fn start_period(&mut self) {
        self.before = (self.before / 2).saturating_add(core::mem::take(self.now.get_mut()));
    }

    /// Returns the decaying sum of the periods before the last pair search.
    pub(super) fn earlier(&self) -> u32 {
        self.before
    }
}
