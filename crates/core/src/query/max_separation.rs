//! What searches along the normals of edges find.

/// The edge of one shape from which the other is farthest.
#[derive(Clone, Copy)]
pub(super) struct MaxSeparation {
    /// Signed: how far the other shape is in front of the edge; negative where it reaches behind, −∞ for a point, which has no edges.
    pub(super) separation: f64,
    pub(super) edge: usize,
}

impl MaxSeparation {
    pub(super) const NONE: Self = Self { separation: f64::NEG_INFINITY, edge: 0 };
}
