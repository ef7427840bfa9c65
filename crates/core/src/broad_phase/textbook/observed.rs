//! Defines the steps that a textbook broad phase reports.
//!
//! The observer is a closure, a generic parameter of `pairs_observed`. `pairs` passes an empty one,
//! so the compiler removes all reports from it.

/// A step of a textbook broad phase, in the order in which the steps were made.
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, SortAndSweep, TextbookStep};
///
/// let mut sweep = SortAndSweep::new();
/// for (id, x) in [(0, 3.0), (1, 0.0), (2, 0.5)] {
///     sweep.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, Filter::default(), true);
/// }
/// let mut steps = Vec::new();
/// sweep.pairs_observed(&mut Vec::new(), &mut |step| steps.push(step));
/// let expected = [
///     TextbookStep::Sweep { id: 1 },
///     TextbookStep::Test { a: 1, b: 2, intersects: true },
///     TextbookStep::Stop { swept: 1, next: 0 },
///     TextbookStep::Sweep { id: 2 },
///     TextbookStep::Stop { swept: 2, next: 0 },
///     TextbookStep::Sweep { id: 0 },
/// ];
/// assert_eq!(steps, expected);
/// assert_eq!(sweep.order().collect::<Vec<_>>(), [1, 2, 0]); // sorted by min x
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextbookStep {
    /// The boxes of two ids are tested.
    Test {
        /// Id of the first box.
        a: u32,
        /// Id of the second box.
        b: u32,
        /// True if the boxes share a point.
        intersects: bool,
    },
    /// The sweep line reaches the minimum of a box. The tests of this box follow.
    Sweep {
        /// Id of the box.
        id: u32,
    },
    /// The tests of the swept box end, because the next box begins beyond its maximum. So do all
    /// later boxes.
    Stop {
        /// Id of the swept box.
        swept: u32,
        /// Id of the first box that is not tested.
        next: u32,
    },
    /// Two neighbours in the order of an axis are swapped.
    Swap {
        /// 0 for x, 1 for y.
        axis: usize,
        /// The first endpoint before the swap.
        first: TextbookEndpoint,
        /// The first endpoint after the swap.
        second: TextbookEndpoint,
    },
}

/// An endpoint of the interval of a box on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextbookEndpoint {
    /// Id of the box.
    pub id: u32,
    /// True for the maximum of the box.
    pub is_upper: bool,
}

impl TextbookEndpoint {
    /// Returns the minimum of a box.
    pub(super) fn lower(id: u32) -> Self {
        Self { id, is_upper: false }
    }
}

/// Observes nothing. All methods pass this one function, so that the sweep is compiled once.
pub(in crate::broad_phase) fn ignore(_: TextbookStep) {}
