//! Exact boundary of a union of parts: the covered intervals of edges and the neighborhood of a
//! point.

pub(super) mod boundary;
pub(super) mod round;
pub(super) mod sub_segment;
