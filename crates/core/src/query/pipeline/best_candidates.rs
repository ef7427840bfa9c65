//! Finds the shape with the smallest value, a time or a distance, with few exact computations.
//!
//! Input: shapes with an interval of their value, in any order. Output: the shape with the smallest
//! exact value; tie: lowest id. The simple version computes each value exactly:
//!
//! ```text
//! for each shape: value = exact(shape); keep the smallest
//! ```
//!
//! Most shapes cannot be the best, and an exact value often costs a cache miss. The interval
//! excludes them:
//!
//! ```text
//! for each shape
//!     if lower bound > most: skip it
//!     store it as a candidate; most = min(most, upper bound)
//!     if the list is full, or the value may not exist: compute the candidates now
//! at the end: compute the candidates with a lower bound ≤ most
//! ```
//!
//! All candidates are known before the first one is computed, so their data can be prefetched
//! together.

use super::interval::{ClosestFeature, Interval, NONE};

/// Maximum number of candidates that wait for their exact value.
const CAPACITY: usize = 8;

/// Id of a shape, and its index among packed shapes, if it is packed.
#[derive(Clone, Copy)]
pub(super) struct PackedShapeId {
    /// Id of the shape.
    pub(super) id: u32,
    /// Index among the packed shapes, or [`NONE`].
    pub(super) index: u32,
}

/// A waiting shape, the lower bound of its value, and its deciding feature if known.
#[derive(Clone, Copy)]
struct Candidate {
    /// The shape.
    shape: PackedShapeId,
    /// Lower bound of its value.
    least: f64,
    /// The feature that decides, if known.
    feature: Option<ClosestFeature>,
}

/// Candidates for the smallest value, and the best exact value so far.
pub(super) struct BestCandidates<T> {
    /// The candidates; the first `count` are valid.
    waiting: [Candidate; CAPACITY],
    /// Number of waiting candidates.
    count: usize,
    /// Upper bound of the smallest value.
    pub(super) most: f64,
    /// Id, value and result of the best candidate computed so far.
    best: Option<(u32, f64, T)>,
}

impl<T: Copy> BestCandidates<T> {
    /// Returns an empty list. Values above `most` do not count.
    #[inline(always)]
    pub(super) fn new(most: f64) -> Self {
        Self {
            waiting: [Candidate { shape: PackedShapeId { id: 0, index: NONE }, least: 0.0, feature: None }; CAPACITY],
            count: 0,
            most,
            best: None,
        }
    }

    /// Resets to an empty list.
    #[inline(always)]
    pub(super) fn reset(&mut self, most: f64) {
        (self.count, self.most, self.best) = (0, most, None);
    }

    /// Adds a candidate with an interval of its value. `compute` returns the exact value. It is called
    /// at once if the list is full, or if the value may not exist.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        shape: PackedShapeId,
        (Interval { least, most }, feature): (Interval, Option<ClosestFeature>),
        mut compute: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) {
        if least > self.most {
            return;
        }
        if self.count == CAPACITY {
            self.compute_waiting(&mut compute);
        }
        self.waiting[self.count % CAPACITY] = Candidate { shape, least, feature };
        self.count += 1;
        self.most = self.most.min(most);
        if most == f64::INFINITY {
            self.compute_waiting(compute);
        }
    }

    /// Returns the candidates that may still be the best.
    pub(super) fn open(&self) -> impl Iterator<Item = (PackedShapeId, Option<ClosestFeature>)> {
        self.waiting[..self.count]
            .iter()
            .filter(|candidate| candidate.least <= self.most)
            .map(|candidate| (candidate.shape, candidate.feature))
    }

    /// Returns the best shape and its exact result.
    #[inline(always)]
    pub(super) fn decide(
        &self,
        compute: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) -> Option<(u32, T)> {
        self.computed(compute).1.map(|(id, _, found)| (id, found))
    }

    /// Computes the waiting candidates. Not inlined, so that the traversal stays small.
    #[cold]
    #[inline(never)]
    fn compute_waiting(&mut self, compute: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>) {
        (self.most, self.best) = self.computed(compute);
        self.count = 0;
    }

    /// Computes the candidates that may still be the best. Returns the result instead of storing
    /// it, because reading it back would cost latency.
    #[inline(always)]
    fn computed(
        &self,
        mut compute: impl FnMut(PackedShapeId, Option<ClosestFeature>) -> Option<(f64, T)>,
    ) -> (f64, Option<(u32, f64, T)>) {
        let (mut most, mut best) = (self.most, self.best);
        for &Candidate { shape, least, feature } in &self.waiting[..self.count] {
            if least <= most
                && let Some((number, found)) = compute(shape, feature)
                && number <= most
                && best.is_none_or(|(other, best, _)| (number, shape.id) < (best, other))
            {
                most = number;
                best = Some((shape.id, number, found));
            }
        }
        (most, best)
    }
}
