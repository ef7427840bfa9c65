//! What one pair of many that meets is told.

use crate::query::Manifold;

/// How the shapes of one pair of many meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// The place of the pair among those that were asked about.
    pub pair: u32,
    /// How they meet.
    pub manifold: Manifold,
}
