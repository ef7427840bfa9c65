//! Defines the features of two hulls that decide their distance and their normal.
//!
//! The search of these features is in `closest_features.rs`, the distance at them in `separation.rs`.

/// An edge of shape `of` and a vertex of the other shape: an edge of the Minkowski difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EdgeVertex {
    /// Index of the shape with the edge, 0 or 1.
    pub(super) of: usize,
    /// Index of the edge.
    pub(super) edge: usize,
    /// Index of the vertex of the other shape.
    pub(super) vertex: usize,
}

/// The deciding features of two hulls, as hull vertex indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeaturePair {
    /// An edge of one shape and a vertex of the other.
    EdgeVertex(EdgeVertex),
    /// One vertex of each shape.
    Vertices([usize; 2]),
}
