//! What an outline knows of an answer, before it is worked out.

/// No shape.
pub(super) const NONE: u32 = u32::MAX;

/// Between which numbers an exact one lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) least: f64,
    /// Infinite where there may be no such number.
    pub(super) most: f64,
}

impl Interval {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { least: 0.0, most: f64::INFINITY };
}

/// What of a shape decides, by the numbers of its corners: so much is known beyond doubt that only the exact number is left to be worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClosestFeature {
    /// The inside holds the point.
    Inside,
    /// The inside of an edge.
    Edge(u8),
    Corner(u8),
}
