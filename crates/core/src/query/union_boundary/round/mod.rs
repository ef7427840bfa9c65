//! Computes tangent cones of outlines at a point, sharp or round, over exact fields.
//!
//! They give the directions near the point that a union covers. `curve_intersection` finds the
//! points, `rounded_polygon` locates a point relative to one part, and `tangent_cone` joins the
//! sectors of several parts.

pub(in crate::query) mod curve_intersection;
pub(in crate::query) mod rounded_polygon;
pub(in crate::query) mod tangent_cone;
