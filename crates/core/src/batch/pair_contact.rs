//! Defines the contact of one pair of a batch: the index of the pair, and its manifold.

use crate::query::Manifold;

/// A pair of a batch that intersects, and its manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// The index of the pair in the slice of pairs.
    pub pair: u32,
    /// The contact manifold.
    pub manifold: Manifold,
}
