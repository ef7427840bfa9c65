//! Tangent cones of outlines at a point, sharp or round, over exact fields. They give the
//! directions near the point that a union covers.

pub(in crate::query) mod curve_intersection;
pub(in crate::query) mod rounded_polygon;
pub(in crate::query) mod tangent_cone;
