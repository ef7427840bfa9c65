//! The boundary of a union of parts, exactly: which stretches of their edges are covered by others, and what surrounds a point.

pub(super) mod boundary;
pub(super) mod round;
pub(super) mod sub_segment;
