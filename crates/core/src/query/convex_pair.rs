//! Computes relation, contact and distance of two convex parts of any kinds.
//!
//! Input: two placed parts. Output: the exact relation, the manifold, or the distance with closest
//! points. The frequent kinds take the shorter code of [`fast_path`](super::fast_path), with the
//! same results.
//!
//! ```text
//! relation:  bounding and inscribed circles; then separating axes; then, for rounded parts, the closest features
//! contact:   best edges (separating axes); then clipping
//! distance:  closest features; if the parts intersect, a common point of both
//! ```
//!
//! Separating axes alone do not suffice for rounded or distant parts. Their distance can be that of
//! two vertices, and no edge normal shows it.

use glam::DVec2;

use super::circles::{self, CircleRectangle};
use super::closest_features::{best_edges, features, features_at_any_distance};
use super::feature_pair::FeaturePair;
use super::pair::{Pair, relation_of_circles};
use super::separation::{at_features, foot_on_side, separation, witnesses};
use super::{Distance, clip, common_point};
use crate::math::both::both;
use crate::math::vector::length_and_direction;
use crate::pair_result::Relation;
use crate::pair_result::{Manifold, Margin};
use crate::shape::part::Part;

/// Returns the exact relation of two parts: apart, touching or overlapping. At least one part has
/// an edge.
pub(super) fn relation(a: Part<'_>, b: Part<'_>) -> Relation {
    let pair = Pair::new(a, b);
    if let Some(relation) = relation_of_circles([a.convex, b.convex], pair.apart(), pair.rounding.separation()) {
        return relation;
    }
    let Some(best_edges) = best_edges(&pair, pair.radius + pair.rounding.separation()) else { return Relation::Apart };
    let separation_of_hulls = best_edges[0].separation.max(best_edges[1].separation);
    if pair.radius == 0.0 || separation_of_hulls < -pair.rounding.separation() {
        // If the hulls overlap, the radii only add to the overlap. Without radii, a vertex-vertex
        // pair is at least as far apart as the edge normals report.
        return pair.relation(separation_of_hulls);
    }
    pair.relation(at_features(&pair, features(&pair, best_edges)).distance - pair.radius)
}

/// Returns the manifold of two parts that intersect or are within the margin.
#[inline(always)]
pub(super) fn contact(a: Part<'_>, b: Part<'_>, margin: Margin) -> Option<Manifold> {
    if let (Some(p), Some(q)) = (a.convex.as_point(), b.convex.as_point())
        && let Ok(found) = circles::filtered_contact(&a, &b, p, q, margin.length())
    {
        return found;
    }
    let pair = Pair::new(a, b);
    clip::at_best_edges(&pair, best_edges(&pair, pair.radius + margin.length() + pair.rounding.separation())?, margin)
}

/// Returns the distance and the closest points.
///
/// Inlined: a call would copy both parts through memory twice, which takes as long as the distance of two circles.
#[inline(always)]
pub(super) fn distance(a: Part<'_>, b: Part<'_>) -> Distance {
    let pair = Pair::new(a, b);
    distance_at(&pair, unlimited(&pair))
}

/// Returns the distance and the closest points from the closest features.
pub(super) fn distance_at(pair: &Pair<'_>, features: FeaturePair) -> Distance {
    let found = separation(pair, features);
    let depth = pair.exact_sign_depth(found.distance);
    if found.distance <= 0.0 && depth >= 0.0 {
        let point = common_point::point(pair);
        return Distance::new(0.0, [point; 2]);
    }
    let (point_a, point_b) = witnesses(pair, features);
    let [radius_a, radius_b] = both(pair.parts, |part| part.convex.radius);
    if depth >= 0.0 {
        // The rounded borders overlap between the hulls. Returns a point within both radii.
        let part = if pair.radius > 0.0 { radius_a / pair.radius } else { 0.5 };
        let point = point_a + (point_b - point_a) * part;
        return Distance::new(0.0, [point; 2]);
    }
    Distance::new(-depth, [point_a + found.normal * radius_a, point_b - found.normal * radius_b])
}

/// Returns [`distance`] of a part without a radius from a point. `edge` must certainly be the
/// closest feature.
#[inline]
pub(super) fn distance_from_edge(part: &Part<'_>, edge: usize, point: DVec2) -> Distance {
    let ends = [part.placed(edge), part.placed(part.convex.next(edge))];
    let [outward, tangent] =
        both([part.convex.normal(edge), part.convex.tangent(edge)], |v| part.pose.rotate_vector(v));
    distance_from_side(ends, [outward, tangent], point)
}

/// Returns the same from the edge's ends, its outward normal and the unit vector along it.
#[inline]
pub(super) fn distance_from_side(ends: [DVec2; 2], [outward, tangent]: [DVec2; 2], point: DVec2) -> Distance {
    Distance::new(outward.dot(point - ends[0]), [foot_on_side(ends, tangent, point), point])
}

/// Returns [`distance`] of a part without a radius from a point. `vertex` must certainly be the
/// closest feature.
#[inline]
pub(super) fn distance_from_vertex(part: &Part<'_>, vertex: usize, point: DVec2) -> Distance {
    distance_of_points(part.placed(vertex), point)
}

/// Returns the same from the vertex position.
#[inline]
pub(super) fn distance_of_points(nearest: DVec2, point: DVec2) -> Distance {
    Distance::new(length_and_direction(point - nearest, DVec2::X).0, [nearest, point])
}

/// Returns the closest features of a pair at any distance.
pub(super) fn unlimited(pair: &Pair<'_>) -> FeaturePair {
    let [a, b] = pair.parts;
    if let Some(closed_form) = CircleRectangle::new([a.convex, b.convex], [&a.pose, &b.pose]) {
        return closed_form.features();
    }
    features_at_any_distance(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vector::UNIT_ROUNDOFF;
    use crate::shape::Shape;

    /// The branch-free path equals the general path at any distance and margin. Both outcomes are frequent.
    #[test]
    fn quick_contacts_of_circles_are_the_careful_ones() {
        let (seed, mut answers, mut undecided) = (11, [0; 2], 0);
        let mut rng = fastrand::Rng::with_seed(seed);
        for i in 0..100_000 {
            let scale = [1.0, 1e-150, 1e-3, 1e5][rng.usize(0..4)];
            let shapes = [(); 2].map(|()| Shape::circle(scale * f64::from(rng.u32(1..9)) / 4.0).unwrap());
            let margin = [0.0, scale / 4.0][rng.usize(0..2)];
            let apart = scale * f64::from(rng.u32(0..20)) / 4.0 * (1.0 + UNIT_ROUNDOFF * f64::from(rng.i32(-40..40)));
            let direction = [[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]][rng.usize(0..3)];
            let from = [0.0, scale * rng.f64()][rng.usize(0..2)];
            let [a, b] = [
                shapes[0].at([from, 0.0]).unwrap(),
                shapes[1].at([from + apart * direction[0], apart * direction[1]]).unwrap(),
            ];
            let (Some((a, p)), Some((b, q))) = (a.as_point(), b.as_point()) else { panic!("circles at seed {seed}") };
            let Ok(quick) = circles::filtered_contact(&a, &b, p, q, margin) else {
                undecided += 1;
                continue;
            };
            let (pair, limit) = (Pair::new(a, b), Margin::exact(margin));
            assert_eq!(
                quick,
                best_edges(&pair, f64::INFINITY).and_then(|best| clip::at_best_edges(&pair, best, limit)),
                "seed {seed}, pair {i}: {shapes:?}, {apart:e} apart from {from:e}, margin {margin:e}"
            );
            answers[usize::from(quick.is_some())] += 1;
        }
        assert!(
            answers[0] > 10_000 && answers[1] > 10_000 && undecided > 1000,
            "{answers:?} apart and in contact, {undecided} undecided"
        );
    }
}
