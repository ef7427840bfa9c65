//! Computes the exact boundary of a union of parts: the covered intervals of edges and the
//! neighborhood of a point.
//!
//! `sub_segment` intersects edges with polygons, `boundary` removes covered intervals, and `round`
//! does the same for rounded outlines at single points. Exactness matters: a gap of one ulp between
//! two parts would count as a hole.

pub(super) mod boundary;
pub(super) mod round;
pub(super) mod sub_segment;
