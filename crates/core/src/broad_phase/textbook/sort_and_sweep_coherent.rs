//! Implements textbook sort and sweep with temporal coherence: the order is kept from frame to
//! frame.
//!
//! Input: boxes that move little. Output: intersecting pairs. Insertion sort takes about linear
//! time if the order is nearly right, and quadratic time if all boxes jump.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::observed::{TextbookEndpoint, TextbookStep, ignore};
use super::sort_and_sweep::sweep;
use crate::broad_phase::sparse_set::{Entry, SparseSet, stored_boxes};
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalRay, Stats};
use crate::math::both::both;

/// Sort and sweep with a persistent order, restored by insertion sort.
///
/// ```text
/// for each box, in the order of the last frame
///     while its predecessor has a greater min x: swap both     few swaps if boxes move little
/// sweep as in `SortAndSweep`
/// ```
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, CoherentSortAndSweep};
///
/// let mut broad = CoherentSortAndSweep::new();
/// for id in 0..3 {
///     let x = id as f32;
///     broad.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, Filter::default(), true);
/// }
/// let mut pairs = Vec::new();
/// broad.pairs(&mut pairs);
/// pairs.sort_unstable();
/// assert_eq!(pairs, [[0, 1], [1, 2]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CoherentSortAndSweep {
    /// All boxes.
    store: SparseSet,
    /// The boxes in the order of the last call, new boxes at the end.
    order: Vec<Entry>,
    /// Numbers of tests and swaps in the last call of `pairs`.
    stats: Stats,
}

impl CoherentSortAndSweep {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the pairs as [`pairs`](BroadPhase::pairs) does, and calls `observe` with each step.
    pub fn pairs_observed(&mut self, out: &mut Vec<[u32; 2]>, observe: &mut impl FnMut(TextbookStep)) {
        for entry in &mut self.order {
            *entry = *self.store.get(entry.id).unwrap_or(entry);
        }
        self.stats.swaps = self.sort(observe);
        self.stats.box_tests = sweep(&self.order, out, observe);
    }

    /// Returns the ids in the order of the last call of [`pairs`](BroadPhase::pairs): sorted by min x. Boxes that were
    /// inserted since then are at the end.
    #[must_use]
    pub fn order(&self) -> impl ExactSizeIterator<Item = u32> {
        self.order.iter().map(|entry| entry.id)
    }

    /// Insertion sort by min x. Returns the number of swaps.
    fn sort(&mut self, observe: &mut impl FnMut(TextbookStep)) -> u64 {
        let mut swaps = 0;
        for i in 1..self.order.len() {
            let mut k = i;
            while k > 0 && self.order[k - 1].aabb.min[0] > self.order[k].aabb.min[0] {
                let [first, second] = both([k - 1, k], |i| TextbookEndpoint::lower(self.order[i].id));
                observe(TextbookStep::Swap { axis: 0, first, second });
                self.order.swap(k - 1, k);
                swaps += 1;
                k -= 1;
            }
        }
        swaps
    }
}

impl BroadPhase for CoherentSortAndSweep {
    fn name(&self) -> &'static str {
        "sweep-insertion"
    }

    fn stats(&self) -> Stats {
        Stats { strategy: self.name(), ..self.stats }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        let entry = Entry { id, aabb, filter, moving };
        if self.store.get(id).is_none() {
            self.order.push(entry);
        }
        self.store.insert(entry);
    }

    fn remove(&mut self, id: u32) {
        self.store.remove(id);
        self.order.retain(|entry| entry.id != id);
    }

    stored_boxes!();
}
