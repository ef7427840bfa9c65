//! What a broad phase says of its last search.

/// How the last call of [`pairs`](super::BroadPhase::pairs) went.
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
    /// The strategy that did the work; of `auto` the one that it picked.
    pub strategy: &'static str,
    /// Why this strategy and why in this way; empty where there was nothing to choose.
    pub reason: &'static str,
    /// Tests of a box against another, or of several against several where that is one instruction; 0 where they are not counted.
    pub box_tests: u64,
    /// Neighbours that changed places in a sorted order; 0 where none is kept.
    pub swaps: u64,
}

impl Stats {
    /// Nothing counted yet.
    pub(super) fn of(strategy: &'static str) -> Self {
        Self { strategy, ..Self::default() }
    }
}
