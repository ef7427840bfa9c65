//! Evaluates the Minkowski difference of two hulls in `f64`, as input of [GJK](super::gjk).
//!
//! Input: a pair of hulls. Output: the vertex of A − B farthest along a direction.
//! The difference is never built: its farthest vertex is that of A minus the opposite one of B.
//!
//! Coordinates of tiny shapes are scaled by a power of two, so that squares do not underflow. The
//! scaling is exact.

use glam::DVec2;

use super::gjk::{SupportMap, SupportPoint};
use super::pair::Pair;
use super::support::support_vertex;
use crate::math::big_int::power_of_two;
use crate::math::vector::rescaled;

/// The difference A − B in the frame of a, times a power of two that prevents underflow of squares.
pub(super) struct MinkowskiDifference<'a> {
    /// The pair.
    pair: &'a Pair<'a>,
    /// The power of two.
    scale: f64,
}

impl<'a> MinkowskiDifference<'a> {
    /// Prepares a pair.
    pub(super) fn new(pair: &'a Pair<'a>) -> Self {
        let size = pair.parts[0]
            .convex
            .bounding_radius
            .max(pair.parts[1].convex.bounding_radius)
            .max(pair.other_in[0].translation.abs().max_element());
        let scale = if size < 1e-100 { power_of_two(rescaled(DVec2::new(size, 0.0)).1.min(1000)) } else { 1.0 };
        Self { pair, scale }
    }

    /// A vertex of the difference.
    pub(super) fn vertex(&self, a: usize, b: usize) -> SupportPoint<f64> {
        let [side_a, side_b] = &self.pair.parts;
        let w = (side_a.convex.hull_vertex(a) - self.pair.other_in[0].apply(side_b.convex.hull_vertex(b))) * self.scale;
        SupportPoint { a: a as u32, b: b as u32, x: w.x, y: w.y }
    }
}

impl SupportMap<f64> for MinkowskiDifference<'_> {
    fn farthest(&self, direction: &[f64; 2]) -> SupportPoint<f64> {
        let direction = DVec2::from(*direction);
        let a = support_vertex(self.pair.parts[0].convex, -direction);
        let b = support_vertex(self.pair.parts[1].convex, self.pair.other_in[0].unrotate(direction));
        self.vertex(a, b)
    }
}
