//! The boundary of a union of parts, exactly: which stretches of their edges are covered by others.

pub(super) mod outline;
pub(super) mod stretch;
