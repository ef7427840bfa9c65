//! Evaluates the Minkowski difference of two hulls in `f64`, as input of [GJK](super::gjk).
//!
//! Input: a pair of hulls. Output: the vertex of A − B farthest along a direction, or a relation.
//! The difference is never built: its farthest vertex is that of A minus the opposite one of B.
//!
//! For a pair with many vertices, a few of these vertices can prove the relation before any edge is
//! tested:
//!
//! ```text
//! run GJK, and stop if a vertex proves a distance above the radii and the error bound:  apart
//! if the last triangle surrounds the origin by more than the error bound:               overlapping
//! else:                                                                                 undecided
//! ```
//!
//! Coordinates of tiny shapes are scaled by a power of two, so that squares do not underflow. The
//! scaling is exact.

use glam::DVec2;

use super::gjk::{self, NearestFeature, SupportMap, SupportPoint};
use super::pair::Pair;
use super::support::support_vertex;
use crate::math::big_int::power_of_two;
use crate::math::vector::rescaled;
use crate::pair_result::Relation;

/// The difference A − B in the frame of a, times a power of two that prevents underflow of squares.
pub(super) struct MinkowskiDifference<'a> {
    /// The pair.
    pair: &'a Pair<'a>,
    /// The power of two.
    scale: f64,
    /// Squared distance that separates the two answers.
    enough: f64,
}

impl<'a> MinkowskiDifference<'a> {
    /// Prepares a pair; there is no limit yet.
    pub(super) fn new(pair: &'a Pair<'a>) -> Self {
        let size = pair.parts[0]
            .convex
            .bounding_radius
            .max(pair.parts[1].convex.bounding_radius)
            .max(pair.other_in[0].translation.abs().max_element());
        let scale = if size < 1e-100 { power_of_two(rescaled(DVec2::new(size, 0.0)).1.min(1000)) } else { 1.0 };
        Self { pair, scale, enough: f64::INFINITY }
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

    fn can_stop(&self, farthest: &SupportPoint<f64>, toward: &[f64; 2]) -> bool {
        let projection = farthest.dot(toward);
        projection < 0.0 && projection * projection > self.enough * (toward[0] * toward[0] + toward[1] * toward[1])
    }
}

/// Returns the relation of a pair with many vertices if a few vertices of the difference prove it.
#[inline(never)]
pub(super) fn filtered_relation(pair: &Pair<'_>) -> Option<Relation> {
    let mut hulls = MinkowskiDifference::new(pair);
    let limit = (pair.radius + pair.separation_error()) * hulls.scale;
    // The comparison of squares with products adds three roundings.
    hulls.enough = limit * limit * (1.0 + 16.0 * f64::EPSILON);
    // Starts with the vertices that face each other. They are close to the deciding ones.
    let toward = pair.other_in[0].translation;
    let first = hulls.farthest(&[toward.x, toward.y]);
    match gjk::nearest::<f64, false>(&hulls, first) {
        NearestFeature::Settled => Some(Relation::Apart),
        NearestFeature::Inside(p, q, r) => {
            // Computes the squared distance of the origin from each side. The error bound includes
            // the rounding of the vertices.
            let error_bound = pair.separation_error() * hulls.scale;
            let enough = error_bound * error_bound * (1.0 + 16.0 * f64::EPSILON);
            let deep = [(p, q), (q, r), (r, p)].iter().all(|(from, to)| {
                let [x, y] = to.minus(from);
                let area = from.x * y - from.y * x;
                area > 0.0 && area * area > enough * (x * x + y * y)
            });
            deep.then_some(Relation::Overlapping)
        }
        _ => None,
    }
}
