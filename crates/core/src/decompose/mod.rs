//! From point sets and outlines to convex pieces.

pub(crate) mod hull;
