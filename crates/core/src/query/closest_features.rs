//! Which features of two hulls decide: those through which they overlap least, or those that are nearest to each other.
//!
//! The Minkowski difference of two convex polygons is a polygon whose edges are those of both, and the origin lies in it where they overlap. The edge
//! that the origin is farthest in front of (or least behind) is found by [`sat`](super::sat). Where its foot lies on the edge, that is the nearest place;
//! where the origin is in front of the edge and beyond an end, it is the corner there. Several edges may be equally good up to rounding; then the one that
//! the foot lies on counts, or, after a look at all, whatever is nearest.

use glam::DVec2;

use super::max_separation::MaxSeparation;
use super::pair::{Pair, Relative};
use super::sat::{self, find_max_separation};
use super::support::support_vertex;
use crate::math::both::both;
use crate::math::vector::{length_and_direction, norm1};
use crate::shape::convex::convex_view::ConvexView;

/// The deciding features of two hulls, by corner numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeaturePair {
    /// An edge of one shape (number `of` of the pair) and a corner of the other.
    Face { of: usize, edge: usize, corner: usize },
    /// A corner of each.
    Corners([usize; 2]),
}

/// The best faces of both hulls; `None` where one of them separates the hulls by more than `limit`.
#[inline(always)]
pub(super) fn faces(pair: &Pair<'_>, limit: f64) -> Option<[MaxSeparation; 2]> {
    let [a, b] = both(pair.parts, |side| side.convex);
    if let (Some(half_a), Some(half_b)) = (a.as_rectangle(), b.as_rectangle()) {
        let faces = sat::of_rectangles(half_a, half_b, pair.other_in);
        return (faces[0].separation.max(faces[1].separation) <= limit).then_some(faces);
    }
    // Rectangles are answered before a second branch, of those that cannot be foretold, would pay.
    if pair.is_beyond_reach(limit) {
        return None;
    }
    if let (Some(p), Some(q)) = (a.as_small_polygon(), b.as_small_polygon()) {
        return sat::of_small_polygons(p, q, pair.other_in, limit);
    }
    let of_a = find_max_separation(a, b, pair.other_in[0]);
    if of_a.separation > limit {
        return None;
    }
    // Only where it is better than the first shape's does it count.
    let of_b = sat::find_max_separation_above(b, a, pair.other_in[1], of_a.separation);
    (of_b.separation <= limit).then_some([of_a, of_b])
}

/// Is the second shape's face the better one? Of faces that are equally good up to rounding it is the first shape's, so that resting contacts keep their features.
#[inline(always)]
pub(super) fn second_is_better(faces: [MaxSeparation; 2], ties: f64) -> bool {
    faces[1].separation - ties > faces[0].separation
}

/// The features that decide between the hulls of a pair, from its best faces.
#[inline(always)]
pub(super) fn features(pair: &Pair<'_>, faces: [MaxSeparation; 2]) -> FeaturePair {
    let of = usize::from(second_is_better(faces, pair.length_error()));
    let (own, other, edge) = (pair.parts[of].convex, pair.parts[1 - of].convex, faces[of].edge);
    if own.edge_count() == 0 {
        return FeaturePair::Corners([0, 0]);
    }
    let corner = support_vertex(other, pair.other_in[of].unrotate(own.normal(edge)));
    let best = EdgeVertex { of, edge, corner };
    match best.foot(pair) {
        Foot::On => best.face(),
        beyond => beside(pair, best, beyond, faces),
    }
}

/// The features of a place that beats all others beyond doubt, while the hulls are apart: no neighbor of it is as good.
pub(super) fn features_of_best(pair: &Pair<'_>, best: EdgeVertex) -> FeaturePair {
    match best.foot(pair) {
        Foot::On => best.face(),
        beyond => past_end(pair, best, beyond),
    }
}

/// The edge of a place whose corner lies over it: then no two points of the hulls, which that edge separates, are nearer.
pub(super) fn over_edge(pair: &Pair<'_>, of: usize, edge: usize) -> Option<FeaturePair> {
    let (own, other) = (pair.parts[of].convex, pair.parts[1 - of].convex);
    let place = EdgeVertex { of, edge, corner: support_vertex(other, pair.other_in[of].unrotate(own.normal(edge))) };
    (place.foot(pair) == Foot::On).then(|| place.face())
}

/// An edge of shape number `of` and a corner of the other: an edge of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeVertex {
    pub(super) of: usize,
    pub(super) edge: usize,
    pub(super) corner: usize,
}

/// Where the foot of the perpendicular from the corner to the edge's line lies, as far as rounding can tell.
#[derive(Clone, Copy, PartialEq)]
enum Foot {
    Before,
    On,
    Behind,
}

impl EdgeVertex {
    fn face(self) -> FeaturePair {
        FeaturePair::Face { of: self.of, edge: self.edge, corner: self.corner }
    }

    /// The corner, in the frame of the edge.
    #[inline(always)]
    fn point(self, pair: &Pair<'_>) -> DVec2 {
        pair.other_in[self.of].apply(pair.parts[1 - self.of].convex.corner(self.corner))
    }

    #[inline(always)]
    fn beyond(self, pair: &Pair<'_>) -> [f64; 2] {
        self.beyond_of(&pair.other_in[self.of], [pair.parts[self.of].convex, pair.parts[1 - self.of].convex])
    }

    /// How far the corner lies before the edge and how far behind it, along the edge's unit tangent: squares of tiny lengths would underflow.
    #[inline(always)]
    fn beyond_of(self, other_in_own: &Relative, [own, other]: [impl ConvexView; 2]) -> [f64; 2] {
        let point = other_in_own.apply(other.corner(self.corner));
        let normal = own.normal(self.edge);
        let tangent = DVec2::new(-normal.y, normal.x);
        [-tangent.dot(point - own.corner(self.edge)), tangent.dot(point - own.corner(own.next(self.edge)))]
    }

    /// Does the corner lie over the edge, and by how much at the most not? `outlines` are the reference shape's and the other's.
    #[inline(always)]
    pub(super) fn is_over_edge(self, other_in_own: &Relative, outlines: [impl ConvexView; 2], slack: f64) -> bool {
        let [before, behind] = self.beyond_of(other_in_own, outlines);
        before.max(behind) <= slack
    }

    #[inline(always)]
    fn foot(self, pair: &Pair<'_>) -> Foot {
        let [before, behind] = self.beyond(pair);
        // Most are on the edge: one branch, the usual way.
        if before.max(behind) <= pair.position_error() {
            Foot::On
        } else if before > pair.position_error() {
            Foot::Before
        } else {
            Foot::Behind
        }
    }

    /// How far the corner is in front of the edge.
    pub(super) fn height(self, pair: &Pair<'_>) -> f64 {
        let own = pair.parts[self.of].convex;
        own.normal(self.edge).dot(self.point(pair) - own.corner(self.edge))
    }

    /// The neighboring place, where it is as good as the best, whose height is `level`: edges that are parallel up to rounding (tiles side by side, a midpoint that is an ulp off).
    fn neighbor(self, pair: &Pair<'_>, foot: Foot, level: f64) -> Option<Self> {
        let (own, other) = (pair.parts[self.of].convex, pair.parts[1 - self.of].convex);
        let behind = foot == Foot::Behind;
        // Along an edge of one shape the other's corners, seen against it, run backward.
        if other.edge_count() > 0 {
            let (corner, between) = if behind {
                (other.next(self.corner), self.corner)
            } else {
                (other.previous(self.corner), other.previous(self.corner))
            };
            let moved = Self { corner, ..self };
            // Of a shape so small that all its corners are as good, those that lead back to the edge, not once around.
            let side = usize::from(behind);
            if moved.height(pair) <= level + pair.position_error() && moved.beyond(pair)[side] < self.beyond(pair)[side]
            {
                let now = moved.foot(pair);
                // Where the other's edge reaches from one side to the other, the corners of this one lie over it.
                let swapped = Self { of: 1 - self.of, edge: between, corner: self.edge };
                return Some(if now == Foot::On || now == foot { moved } else { swapped });
            }
        }
        if own.edge_count() > 2 {
            let edge = if behind { own.next(self.edge) } else { own.previous(self.edge) };
            let moved =
                Self { edge, corner: support_vertex(other, pair.other_in[self.of].unrotate(own.normal(edge))), ..self };
            if moved.height(pair) >= level - pair.position_error() {
                return Some(moved);
            }
        }
        None
    }
}

/// The features where the corner lies beside the edge: a neighboring place that is as good, the edge all the same where the hulls overlap, or else what is nearest.
#[inline(never)]
fn beside(pair: &Pair<'_>, best: EdgeVertex, mut foot: Foot, faces: [MaxSeparation; 2]) -> FeaturePair {
    let (mut place, level) = (best, best.height(pair));
    for _ in 0..pair.parts[0].convex.corner_count() + pair.parts[1].convex.corner_count() {
        match place.neighbor(pair, foot, level) {
            Some(moved) => place = moved,
            None => break,
        }
        let now = place.foot(pair);
        if now == Foot::On {
            return place.face();
        }
        if now != foot {
            break;
        }
        foot = now;
    }
    if faces[best.of].separation < -pair.separation_error() {
        return place.face();
    }
    past_end(pair, place, foot)
}

/// The features where the corner lies past an end of the edge and the hulls are apart: that end and the corner, unless rounding confuses it.
fn past_end(pair: &Pair<'_>, place: EdgeVertex, foot: Foot) -> FeaturePair {
    let own = pair.parts[place.of].convex;
    let end = if foot == Foot::Before { place.edge } else { own.next(place.edge) };
    let corners = if place.of == 0 { [end, place.corner] } else { [place.corner, end] };
    if are_nearest(pair, corners) { at_corners(pair, corners, place) } else { brute_force(pair, place) }
}

/// Two nearest corners; or the edge beside them where they coincide up to rounding, which leaves no direction from one to the other.
fn at_corners(pair: &Pair<'_>, corners: [usize; 2], beside: EdgeVertex) -> FeaturePair {
    let (a, b) = (pair.parts[0].convex.corner(corners[0]), pair.parts[1].convex.corner(corners[1]));
    if norm1(pair.other_in[0].apply(b) - a) <= pair.position_error() {
        EdgeVertex { corner: corners[1 - beside.of], ..beside }.face()
    } else {
        FeaturePair::Corners(corners)
    }
}

/// Are two corners the nearest points, beyond what rounding may confuse? A corner is nearest to a point where both edges at it lead away from the
/// point, and points that are nearest to each other in turn are nearest of all (convexity).
fn are_nearest(pair: &Pair<'_>, corners: [usize; 2]) -> bool {
    [0, 1].into_iter().all(|i| {
        let (own, other) = (pair.parts[i].convex, pair.parts[1 - i].convex);
        let p = own.corner(corners[i]);
        let toward = pair.other_in[i].apply(other.corner(corners[1 - i])) - p;
        let away = |tangent: DVec2| toward.dot(tangent) <= -pair.position_error();
        own.edge_count() == 0 || (away(own.tangent(corners[i])) && away(-own.tangent(own.previous(corners[i]))))
    })
}

/// Every corner against every edge and corner, for the rare case in which rounding confuses the quick way.
///
/// A corner over an edge, with the whole other hull in front of it, is as near as the hulls are; else two corners are.
#[cold]
fn brute_force(pair: &Pair<'_>, best: EdgeVertex) -> FeaturePair {
    let mut face = (f64::NEG_INFINITY, best);
    let mut corners = (f64::INFINITY, [0, 0]);
    for of in [0, 1] {
        let (own, other) = (pair.parts[of].convex, pair.parts[1 - of].convex);
        for edge in 0..own.corner_count() {
            let places = (0..other.corner_count()).map(|corner| EdgeVertex { of, edge, corner });
            for place in places.clone() {
                let (distance, _) = length_and_direction(place.point(pair) - own.corner(edge), DVec2::X);
                if distance < corners.0 {
                    corners = (distance, if of == 0 { [edge, place.corner] } else { [place.corner, edge] });
                }
            }
            let separation = places.clone().map(|place| place.height(pair)).fold(f64::INFINITY, f64::min);
            let over = places
                .clone()
                .find(|place| place.height(pair) <= separation + pair.position_error() && place.foot(pair) == Foot::On);
            if let Some(place) = over.filter(|_| own.edge_count() > 0 && separation > face.0) {
                face = (separation, place);
            }
        }
    }
    // Here the hulls overlap by no more than the doubt: an edge that the other hull reaches farther behind is a far side.
    if face.0 >= -2.0 * pair.separation_error() { face.1.face() } else { at_corners(pair, corners.1, best) }
}
