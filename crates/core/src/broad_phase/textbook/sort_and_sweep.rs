//! Implements textbook sort and sweep along x (C. Ericson, *Real-Time Collision Detection*, 2005,
//! 7.5).
//!
//! Input: boxes. Output: intersecting pairs. All boxes are sorted in every call; the order of the
//! last call is not used.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::observed::{TextbookStep, ignore};
use crate::broad_phase::aabb32::sort_key;
use crate::broad_phase::sparse_set::{Entry, SparseSet, ordered, stored_boxes};
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalRay, Stats};

/// Sort and sweep: sorts the boxes by min x in every call, then tests each box against its
/// successors.
///
/// ```text
/// sort boxes by min x
/// for each box a
///     for each box b after a
///         if b.min x > a.max x: break       all later boxes begin even farther right
///         if a and b intersect: report (a, b)
/// ```
#[derive(Clone, Debug, Default)]
pub struct SortAndSweep {
    /// All boxes.
    store: SparseSet,
    /// The boxes sorted by min x; scratch memory.
    order: Vec<Entry>,
    /// Sort keys and indices of the boxes; scratch memory.
    keys: Vec<u64>,
    /// Number of box tests in the last call.
    tests: u64,
}

impl SortAndSweep {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the pairs as [`pairs`](BroadPhase::pairs) does, and calls `observe` with each step.
    pub fn pairs_observed(&mut self, out: &mut Vec<[u32; 2]>, observe: &mut impl FnMut(TextbookStep)) {
        let entries = &self.store.entries;
        self.keys.clear();
        for (index, entry) in entries.iter().enumerate() {
            self.keys.push(u64::from(sort_key(entry.aabb.min[0])) << 32 | index as u64);
        }
        self.keys.sort_unstable();
        self.order.clear();
        for &key in &self.keys {
            self.order.push(entries[key as u32 as usize]);
        }
        self.tests = sweep(&self.order, out, observe);
    }

    /// Returns the ids in the order of the last call of [`pairs`](BroadPhase::pairs): sorted by min x.
    #[must_use]
    pub fn order(&self) -> impl ExactSizeIterator<Item = u32> {
        self.order.iter().map(|entry| entry.id)
    }
}

/// Sweeps over sorted boxes and appends the pairs. Reports each step. Returns the number of tests.
pub(super) fn sweep(order: &[Entry], out: &mut Vec<[u32; 2]>, observe: &mut impl FnMut(TextbookStep)) -> u64 {
    let mut tests = 0;
    for (i, a) in order.iter().enumerate() {
        observe(TextbookStep::Sweep { id: a.id });
        for b in &order[i + 1..] {
            if b.aabb.min[0] > a.aabb.max[0] {
                observe(TextbookStep::Stop { swept: a.id, next: b.id });
                break;
            }
            tests += 1;
            let intersects = a.aabb.intersects(&b.aabb);
            observe(TextbookStep::Test { a: a.id, b: b.id, intersects });
            if intersects && a.allows(b) {
                out.push(ordered(a.id, b.id));
            }
        }
    }
    tests
}

impl BroadPhase for SortAndSweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn stats(&self) -> Stats {
        Stats { box_tests: self.tests, ..Stats::of(self.name()) }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        self.store.insert(Entry { id, aabb, filter, moving });
    }

    fn remove(&mut self, id: u32) {
        self.store.remove(id);
    }

    stored_boxes!();
}
