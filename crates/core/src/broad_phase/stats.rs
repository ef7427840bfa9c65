//! Defines statistics of the last pair search of a broad phase.
//!
//! They are for benchmarks and tests: a count of box tests does not depend on the machine. No
//! result depends on them.

/// Statistics of the last call of [`pairs`](super::BroadPhase::pairs).
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, SortAndSweep};
///
/// let mut sweep = SortAndSweep::new();
/// for id in 0..3 {
///     let x = id as f32 * 2.0;
///     sweep.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, Filter::default(), true);
/// }
/// sweep.pairs(&mut Vec::new());
/// // Three boxes side by side: sorted, none is held against another.
/// assert_eq!((sweep.stats().strategy, sweep.stats().box_tests), ("sweep", 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The strategy that did the work. For `auto`: the selected strategy.
    pub strategy: &'static str,
    /// Reason for the selection of this strategy; empty if there was no choice.
    pub reason: &'static str,
    /// Number of box tests; a SIMD test of several boxes counts once. 0 if not counted.
    pub box_tests: u64,
    /// Number of swaps of neighbours in a sorted order. 0 if no order is stored.
    pub swaps: u64,
}

impl Stats {
    /// Returns statistics with all counts 0.
    pub(super) fn of(strategy: &'static str) -> Self {
        Self { strategy, ..Self::default() }
    }
}
