//! Computes the signed distance of two hulls and its direction, from their deciding features.
//!
//! Input: a pair and its features (an edge and a vertex, or two vertices). Output: the signed
//! distance, negative if the hulls overlap, and the unit vector from the first to the second. The
//! search of the features is in `closest_features.rs`. Also computes the point of an edge closest
//! to a point.
//!
//! ```text
//! edge and vertex:   distance = normal · (vertex − start of the edge)
//! two vertices:      distance = length of their difference; the direction is that of the difference
//! ```
//!
//! The placed points are subtracted before the product with the normal, so the error does not grow
//! with the distance from the origin. If two vertices coincide, the difference has no direction.
//! Then the outward direction at the first one counts.

use glam::DVec2;

use super::circles::CircleRectangle;
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::pair::Pair;
use crate::math::vector::{clamp_to_length, length_and_direction};
use crate::shape::part::Part;

/// Signed distance of two hulls and its direction. Radii are not included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// Signed distance, negative if the hulls overlap.
    pub(super) distance: f64,
    /// Unit vector from a to b.
    pub(super) normal: DVec2,
}

/// Returns the separation of any pair at its deciding features. Other features: [`at_features`].
pub(super) fn separation(pair: &Pair<'_>, features: FeaturePair) -> Separation {
    let [a, b] = &pair.parts;
    let Some(closed_form) = CircleRectangle::new([a.convex, b.convex], [&a.pose, &b.pose]) else {
        return at_features(pair, features);
    };
    let (distance, normal) = closed_form.separation();
    Separation { distance, normal }
}

/// Returns the separation at the given features. Uses the placed points, so the error does not grow
/// with the distance from the origin.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn at_features(pair: &Pair<'_>, features: FeaturePair) -> Separation {
    match features {
        FeaturePair::EdgeVertex(EdgeVertex { of, edge, vertex }) => {
            let (own, other) = (&pair.parts[of], &pair.parts[1 - of]);
            let outward = own.pose.rotate_vector(own.convex.normal(edge));
            let distance = outward.dot(other.placed(vertex) - own.placed(edge));
            Separation { distance, normal: outward * [1.0, -1.0][of] }
        }
        FeaturePair::Vertices([a, b]) => {
            let [side_a, side_b] = &pair.parts;
            // If two vertices coincide: outward at the vertex of a. For circles: the first axis of
            // a.
            let otherwise = side_a.pose.rotate_vector(side_a.convex.normal(a));
            let (distance, normal) = length_and_direction(side_b.placed(b) - side_a.placed(a), otherwise);
            Separation { distance, normal }
        }
    }
}

/// Returns the closest points of two disjoint hulls.
pub(super) fn witnesses(pair: &Pair<'_>, features: FeaturePair) -> (DVec2, DVec2) {
    let [a, b] = &pair.parts;
    match features {
        FeaturePair::Vertices([i, j]) => (a.placed(i), b.placed(j)),
        FeaturePair::EdgeVertex(EdgeVertex { of: 0, edge, vertex }) => {
            (foot_on_edge(a, edge, b.placed(vertex)), b.placed(vertex))
        }
        FeaturePair::EdgeVertex(EdgeVertex { edge, vertex, .. }) => {
            (a.placed(vertex), foot_on_edge(b, edge, a.placed(vertex)))
        }
    }
}

/// Returns the point of a placed edge closest to a placed point.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn foot_on_edge(side: &Part<'_>, edge: usize, point: DVec2) -> DVec2 {
    let ends = [side.placed(edge), side.placed(side.convex.next(edge))];
    foot_on_side(ends, side.pose.rotate_vector(side.convex.tangent(edge)), point)
}

/// Returns the point of a side closest to a point. The side is given by its ends and the unit
/// vector from the first to the second.
#[inline(always)]
pub(super) fn foot_on_side([start, end]: [DVec2; 2], tangent: DVec2, point: DVec2) -> DVec2 {
    start + tangent * clamp_to_length(tangent.dot(point - start), tangent.dot(end - start).max(0.0))
}
