//! Defines the features of two hulls that decide their distance and their normal.
//!
//! The search of these features is in `closest_features.rs`, the distance at them in `separation.rs`.

/// The deciding features of two hulls, as hull vertex indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeaturePair {
    /// An edge of one shape (index `of` in the pair) and a vertex of the other.
    EdgeVertex { of: usize, edge: usize, vertex: usize },
    /// One vertex of each shape.
    Vertices([usize; 2]),
}
