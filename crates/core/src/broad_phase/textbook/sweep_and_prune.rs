//! Implements textbook sweep and prune: sorted interval endpoints on both axes; swaps begin and end
//! pairs.
//!
//! Input: boxes that move little. Output: intersecting pairs, kept from frame to frame. Sources: D.
//! Baraff, doctoral thesis, 1992; J. D. Cohen, M. C. Lin, D. Manocha, M. K. Ponamgi, *I-COLLIDE*,
//! 1995. Its time depends on the number of swaps, which is large if boxes are clustered along an
//! axis.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::observed::{TextbookEndpoint, TextbookStep, ignore};
use crate::broad_phase::sparse_set::{Entry, SparseSet, ordered, stored_boxes};
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalRay, Stats};
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::ordered_map::{Key, KeyMap};

/// Sweep and prune with a sorted list of interval endpoints per axis (D. Baraff 1992; J. D. Cohen,
/// M. C. Lin, D. Manocha, M. K. Ponamgi 1995). Pairs persist; only endpoints that swap are
/// processed.
///
/// ```text
/// for each axis
///     insertion sort of the endpoints by their new values; for each swap
///         a lower endpoint moves below an upper one: the pair begins, if the boxes intersect
///         an upper endpoint moves below a lower one: the pair ends
/// ```
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, SweepAndPrune};
///
/// let mut broad = SweepAndPrune::new();
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
pub struct SweepAndPrune {
    /// All boxes.
    store: SparseSet,
    /// The sorted endpoints of both axes.
    axes: [Vec<Endpoint>; 2],
    /// Pairs of intersecting boxes, regardless of filters.
    intersecting: KeyMap,
    /// Numbers of tests and swaps in the last call of `pairs`.
    stats: Stats,
}

/// An endpoint of the interval of a box.
#[derive(Clone, Copy, Debug)]
struct Endpoint {
    /// The coordinate.
    value: f32,
    /// The id of the box.
    id: u32,
    /// True for the upper end.
    upper: bool,
}

impl Endpoint {
    /// Returns the endpoint without its value.
    fn named(&self) -> TextbookEndpoint {
        TextbookEndpoint { id: self.id, is_upper: self.upper }
    }

    /// Returns true if this endpoint is sorted before `other`. Ties: lower endpoints first, because
    /// boxes are closed.
    fn belongs_before(&self, other: &Self) -> bool {
        self.value < other.value || (self.value == other.value && !self.upper && other.upper)
    }
}

impl SweepAndPrune {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the pairs as [`pairs`](BroadPhase::pairs) does, and calls `observe` with each swap and
    /// each box test.
    pub fn pairs_observed(&mut self, out: &mut Vec<[u32; 2]>, observe: &mut impl FnMut(TextbookStep)) {
        self.stats = Stats::default();
        for axis in 0..2 {
            for edge in &mut self.axes[axis] {
                if let Some(entry) = self.store.get(edge.id) {
                    edge.value = if edge.upper { entry.aabb.max[axis] } else { entry.aabb.min[axis] };
                }
            }
            self.sort(axis, observe);
        }
        for (key, _) in self.intersecting.iter_from(&[0; 3]) {
            let [a, b] = pair_of(*key);
            if matches!((self.store.get(a), self.store.get(b)), (Some(p), Some(q)) if p.allows(q)) {
                out.push([a, b]);
            }
        }
    }

    /// Returns the endpoints of axis 0 (x) or 1 (y) in the order of the last call of [`pairs`](BroadPhase::pairs).
    /// Those of boxes that were inserted since then are at the end.
    #[must_use]
    pub fn endpoints(&self, axis: usize) -> impl ExactSizeIterator<Item = TextbookEndpoint> {
        self.axes[axis.min(1)].iter().map(Endpoint::named)
    }

    /// Sorts the endpoints of an axis; adds and removes pairs.
    fn sort(&mut self, axis: usize, observe: &mut impl FnMut(TextbookStep)) {
        let edges = &mut self.axes[axis];
        for i in 1..edges.len() {
            let mut k = i;
            while k > 0 && edges[k].belongs_before(&edges[k - 1]) {
                let [before, edge] = [edges[k - 1], edges[k]];
                observe(TextbookStep::Swap { axis, first: before.named(), second: edge.named() });
                edges.swap(k - 1, k);
                k -= 1;
                self.stats.swaps += 1;
                let pair = ordered(before.id, edge.id);
                match (edge.upper, before.upper) {
                    (false, true) => {
                        self.stats.box_tests += 1;
                        // The endpoints of a box that was invalid swap with each other when it
                        // becomes valid.
                        let intersects = before.id != edge.id && boxes_intersect(&self.store, pair);
                        observe(TextbookStep::Test { a: pair[0], b: pair[1], intersects });
                        if intersects {
                            self.intersecting.insert(pair_key(pair), 0);
                        }
                    }
                    (true, false) => {
                        self.intersecting.remove(&pair_key(pair));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Returns a pair as a key with the same order.
fn pair_key([a, b]: [u32; 2]) -> Key {
    [u64::from(a) << 32 | u64::from(b), 0, 0]
}

/// Returns the pair of a [`pair_key`].
fn pair_of([key, ..]: Key) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

/// Returns true if the boxes of a pair intersect.
#[inline(always)]
fn boxes_intersect(store: &SparseSet, [a, b]: [u32; 2]) -> bool {
    matches!((store.get(a), store.get(b)), (Some(a), Some(b)) if a.aabb.intersects(&b.aabb))
}

impl BroadPhase for SweepAndPrune {
    fn name(&self) -> &'static str {
        "sweep-swaps"
    }

    fn stats(&self) -> Stats {
        Stats { strategy: self.name(), ..self.stats }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        if self.store.get(id).is_none() {
            // New endpoints start at infinity, where they intersect nothing. Sorting moves them
            // from there.
            for axis in &mut self.axes {
                axis.extend(both([false, true], |upper| Endpoint { value: f32::INFINITY, id, upper }));
            }
        }
        self.store.insert(Entry { id, aabb, filter, moving });
    }

    fn remove(&mut self, id: u32) {
        self.store.remove(id);
        for axis in &mut self.axes {
            axis.retain(|edge| edge.id != id);
        }
        let of_box = |entry: &&(Key, u32)| pair_of(entry.0).contains(&id);
        let removed: Vec<Key> = mapped(self.intersecting.iter_from(&[0; 3]).filter(of_box), |entry| entry.0);
        for pair in removed {
            self.intersecting.remove(&pair);
        }
    }

    stored_boxes!();
}
