//! The germs of outlines at a point, sharp or round, over exact fields: which directions near the point a union covers.

pub(in crate::query) mod germ;
pub(in crate::query) mod outline;
pub(in crate::query) mod plane;
