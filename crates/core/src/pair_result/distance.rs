//! Defines the result of a distance query: distance and closest points of two shapes.

use glam::DVec2;

/// The distance of two shapes and a pair of closest points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance, at least 0. It is exactly 0 if and only if the shapes intersect.
    pub distance: f64,
    /// The closest point on the first shape.
    pub point_a: DVec2,
    /// The closest point on the second shape. Equals `point_a` up to rounding if the shapes intersect.
    pub point_b: DVec2,
    /// Index of the closest part of the first shape; 0 if it is convex.
    ///
    /// If both shapes are polygons without a radius, or compounds of polygons, it is the first part of the closest
    /// polygon. [`child_of`](crate::Shape::child_of) returns the child of a compound.
    pub part_a: u32,
    /// Index of the closest part of the second shape, as `part_a`.
    pub part_b: u32,
}

impl Distance {
    #[inline(always)]
    pub(crate) fn new(distance: f64, [point_a, point_b]: [DVec2; 2]) -> Self {
        Self { distance, point_a, point_b, part_a: 0, part_b: 0 }
    }
}
