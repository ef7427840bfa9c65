//! Represents bounds of a query result that follow from quantized data.
//!
//! An interval contains the exact value. Its upper end is infinite if there may be no value, as for
//! a ray that may miss. A known closest feature leaves only the number to compute.

/// The index of no shape.
pub(super) const NONE: u32 = u32::MAX;

/// An interval that contains an exact value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// Lower end.
    pub(super) least: f64,
    /// Infinite if there may be no value.
    pub(super) most: f64,
    /// The feature that decides, if known.
    pub(super) feature: Option<ClosestFeature>,
}

impl Interval {
    /// The interval without information.
    pub(super) const UNKNOWN: Self = Self { least: 0.0, most: f64::INFINITY, feature: None };
}

/// The feature of a shape that certainly decides the result, by hull vertex numbers. Only the exact
/// value is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClosestFeature {
    /// The interior contains the point.
    Inside,
    /// The interior of an edge.
    Edge(u8),
    /// A hull vertex.
    Vertex(u8),
}
