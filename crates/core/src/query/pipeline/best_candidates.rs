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

/// A shape that waits for its exact value.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// Id of the shape.
    pub(super) id: u32,
    /// Index among the packed shapes, or [`NONE`].
    pub(super) index: u32,
    /// Lower bound of its value.
    pub(super) least: f64,
    /// The feature that decides, if known.
    pub(super) feature: Option<ClosestFeature>,
}

impl Candidate {
    /// A shape that is not packed and of which nothing is known.
    pub(super) const UNKNOWN: Self = Self { id: 0, index: NONE, least: 0.0, feature: None };
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
        Self { waiting: [Candidate::UNKNOWN; CAPACITY], count: 0, most, best: None }
    }

    /// Resets to an empty list.
    #[inline(always)]
    pub(super) fn reset(&mut self, most: f64) {
        (self.count, self.most, self.best) = (0, most, None);
    }

    /// Adds a candidate by its id and its index among the packed shapes, with an interval of its value. `compute`
    /// returns the exact value. It is called at once if the list is full, or if the value may not exist.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        [id, index]: [u32; 2],
        Interval { least, most, feature }: Interval,
        mut compute: impl FnMut(&Candidate) -> Option<(f64, T)>,
    ) {
        if least > self.most {
            return;
        }
        if self.count == CAPACITY {
            self.compute_waiting(&mut compute);
        }
        self.waiting[self.count % CAPACITY] = Candidate { id, index, least, feature };
        self.count += 1;
        self.most = self.most.min(most);
        if most == f64::INFINITY {
            self.compute_waiting(compute);
        }
    }

    /// Returns the candidates that may still be the best.
    pub(super) fn open(&self) -> impl Iterator<Item = &Candidate> {
        self.waiting[..self.count].iter().filter(|candidate| candidate.least <= self.most)
    }

    /// Returns the best shape and its exact result.
    #[inline(always)]
    pub(super) fn decide(&self, compute: impl FnMut(&Candidate) -> Option<(f64, T)>) -> Option<(u32, T)> {
        self.computed(compute).1.map(|(id, _, found)| (id, found))
    }

    /// Computes the waiting candidates. Not inlined, so that the traversal stays small.
    #[cold]
    #[inline(never)]
    fn compute_waiting(&mut self, compute: impl FnMut(&Candidate) -> Option<(f64, T)>) {
        (self.most, self.best) = self.computed(compute);
        self.count = 0;
    }

    /// Computes the candidates that may still be the best. Returns the result instead of storing
    /// it, because reading it back would cost latency.
    #[inline(always)]
    fn computed(&self, mut compute: impl FnMut(&Candidate) -> Option<(f64, T)>) -> (f64, Option<(u32, f64, T)>) {
        let (mut most, mut best) = (self.most, self.best);
        for candidate in &self.waiting[..self.count] {
            if candidate.least <= most
                && let Some((number, found)) = compute(candidate)
                && number <= most
                && best.is_none_or(|(other, best, _)| (number, candidate.id) < (best, other))
            {
                most = number;
                best = Some((candidate.id, number, found));
            }
        }
        (most, best)
    }
}
