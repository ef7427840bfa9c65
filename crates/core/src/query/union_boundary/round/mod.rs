//! The germs of outlines at a point, sharp or round, over exact fields: which directions near the point a union covers.

pub(in crate::query) mod curve_intersection;
pub(in crate::query) mod rounded_polygon;
pub(in crate::query) mod tangent_cone;
