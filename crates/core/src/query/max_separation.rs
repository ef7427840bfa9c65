//! Holds the result of a search along the edge normals of one shape.
//!
//! [`sat`](super::sat) computes it, and [`closest_features`](super::closest_features) compares the
//! results of both shapes.

/// The edge of one shape with the largest separation from the other shape.
#[derive(Clone, Copy)]
pub(super) struct MaxSeparation {
    /// Signed separation: gap between the edge's line and the other shape. Negative if the other
    /// shape extends behind the edge, −∞ for a point, which has no edges.
    pub(super) separation: f64,
    /// Index of the edge.
    pub(super) edge: usize,
}

impl MaxSeparation {
    /// No edge: worse than any other.
    pub(super) const NONE: Self = Self { separation: f64::NEG_INFINITY, edge: 0 };
}
