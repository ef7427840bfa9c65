//! Which features of two hulls decide: those through which they overlap least, or those that are nearest to each other.
//!
//! The Minkowski difference of two convex polygons is a polygon whose edges are those of both, and the origin lies in it where they overlap. The edge
//! that the origin is farthest in front of (or least behind) is found by [`sat`](super::sat). Where the origin is in front of it and its foot lies on
//! the edge, that is the nearest place; beyond an end it is the corner there, or, where several edges are almost parallel, one that is found
//! by [`gjk`](super::gjk) in `f64`.

use glam::DVec2;

use super::gjk::{self, Corner, Nearest};
use super::hulls::Hulls;
use super::pair::{Pair, Relative};
use super::sat::{self, Face, best_face};
use super::support::lowest;
use crate::math::vector::length;
use crate::shape::convex::Convex;

/// The deciding features of two hulls, by corner numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Features {
    /// An edge of a and a corner of b.
    FaceOfA { edge: usize, corner: usize },
    /// An edge of b and a corner of a.
    FaceOfB { edge: usize, corner: usize },
    /// Two corners.
    Corners { a: usize, b: usize },
}

/// The best faces of both hulls; `None` where one of them separates the hulls by more than `limit`.
#[inline(always)]
pub(super) fn faces(pair: &Pair<'_>, limit: f64) -> Option<[Face; 2]> {
    if pair.gap > limit {
        return None;
    }
    let (a, b) = (&pair.a.shape().0, &pair.b.shape().0);
    let a_in_b = pair.b_in_a.inverse();
    if let (Some(half_a), Some(half_b)) = (a.as_rectangle(), b.as_rectangle()) {
        let faces = sat::of_rectangles(half_a, half_b, pair.b_in_a, a_in_b);
        return (faces[0].separation.max(faces[1].separation) <= limit).then_some(faces);
    }
    let of_a = best_face(a, b, pair.b_in_a);
    if of_a.separation > limit {
        return None;
    }
    let of_b = best_face(b, a, a_in_b);
    (of_b.separation <= limit).then_some([of_a, of_b])
}

/// The features that decide between the hulls of a pair, from its best faces.
#[inline(always)]
pub(super) fn features(pair: &Pair<'_>, [of_a, of_b]: [Face; 2]) -> Features {
    // Of faces that are equally good up to rounding the first shape's, so that resting contacts keep their features.
    if of_a.separation >= of_b.separation - 16.0 * pair.noise {
        if pair.convex_a.edge_count() == 0 {
            return Features::Corners { a: 0, b: 0 };
        }
        let corner = lowest(pair.convex_b, pair.b_in_a.unrotate(pair.convex_a.normal(of_a.edge)));
        let face = Features::FaceOfA { edge: of_a.edge, corner };
        match foot(pair.convex_a, pair.convex_b, pair.b_in_a, of_a, corner) {
            Foot::On => face,
            Foot::Beyond(end) => corners(pair, Features::Corners { a: end, b: corner }, face),
        }
    } else {
        let a_in_b = pair.b_in_a.inverse();
        let corner = lowest(pair.convex_a, a_in_b.unrotate(pair.convex_b.normal(of_b.edge)));
        let face = Features::FaceOfB { edge: of_b.edge, corner };
        match foot(pair.convex_b, pair.convex_a, a_in_b, of_b, corner) {
            Foot::On => face,
            Foot::Beyond(end) => corners(pair, Features::Corners { a: corner, b: end }, face),
        }
    }
}

/// Where the foot of the perpendicular from a corner to an edge lies.
enum Foot {
    /// On the edge; or the corner is not in front of it.
    On,
    /// Beyond this corner.
    Beyond(usize),
}

#[inline(always)]
fn foot(own: &Convex, other: &Convex, pose: Relative, face: Face, corner: usize) -> Foot {
    if face.separation <= 0.0 {
        return Foot::On;
    }
    let end = own.next(face.edge);
    let (start, along) = (own.corner(face.edge), own.corner(end) - own.corner(face.edge));
    let corner = pose.rotate(other.corner(corner)) + pose.translation;
    if along.dot(corner - start) < 0.0 {
        Foot::Beyond(face.edge)
    } else if along.dot(corner - own.corner(end)) > 0.0 {
        Foot::Beyond(end)
    } else {
        Foot::On
    }
}

/// The features nearest to each other, where two corners are a good guess and `face` is what separates best.
fn corners(pair: &Pair<'_>, guess: Features, face: Features) -> Features {
    let Features::Corners { a, b } = guess else { return face };
    let (p, q) = (pair.convex_a.corner(a), pair.b_in_a.rotate(pair.convex_b.corner(b)) + pair.b_in_a.translation);
    // A corner is nearest to a point where both edges at it lead away from the point; nearest to each other is nearest of all (convexity).
    let away = q - p;
    if leads_away(pair.convex_a, a, away) && leads_away(pair.convex_b, b, pair.b_in_a.unrotate(-away)) {
        return guess;
    }
    by_gjk(pair, a, b).unwrap_or(face)
}

fn leads_away(ring: &Convex, corner: usize, toward: DVec2) -> bool {
    let p = ring.corner(corner);
    toward.dot(ring.corner(ring.next(corner)) - p) <= 0.0 && toward.dot(ring.corner(ring.previous(corner)) - p) <= 0.0
}

/// The nearest features as the algorithm of Gilbert, Johnson and Keerthi finds them; `None` where it finds that the hulls meet.
fn by_gjk(pair: &Pair<'_>, a: usize, b: usize) -> Option<Features> {
    let hulls = Hulls::new(pair);
    match gjk::nearest::<f64, false>(&hulls, hulls.first(a, b)) {
        Nearest::Corner(p) => Some(Features::Corners { a: p.a as usize, b: p.b as usize }),
        Nearest::Segment(p, q) => Some(of_segment(pair, &p, &q)),
        Nearest::AtCorner(_) | Nearest::OnSegment(..) | Nearest::Inside(..) | Nearest::Settled => None,
    }
}

/// The edge and the corner behind an edge of the Minkowski difference; where edges of both lie along it, one with a foot.
fn of_segment(pair: &Pair<'_>, p: &Corner<f64>, q: &Corner<f64>) -> Features {
    let a_in_b = pair.b_in_a.inverse();
    for corner in [p.b as usize, q.b as usize] {
        if let Some(edge) = facing_edge(pair.convex_a, p.a as usize, q.a as usize, pair.convex_b.corner(corner), pair.b_in_a) {
            return Features::FaceOfA { edge, corner };
        }
    }
    for corner in [p.a as usize, q.a as usize] {
        if let Some(edge) = facing_edge(pair.convex_b, p.b as usize, q.b as usize, pair.convex_a.corner(corner), a_in_b) {
            return Features::FaceOfB { edge, corner };
        }
    }
    by_looking(pair)
}

/// The edge between two corners if the point (in the other frame) is in front of it and has its foot on it.
fn facing_edge(ring: &Convex, i: usize, k: usize, point: DVec2, pose: Relative) -> Option<usize> {
    let point = pose.rotate(point) + pose.translation;
    [(i, k), (k, i)].into_iter().find_map(|(start, end)| {
        let along = ring.corner(end) - ring.corner(start);
        let faces = start != end
            && ring.next(start) == end
            && ring.normal(start).dot(point - ring.corner(start)) > 0.0
            && along.dot(point - ring.corner(start)) >= 0.0
            && along.dot(point - ring.corner(end)) <= 0.0;
        faces.then_some(start)
    })
}

/// Every corner against every edge, for the rare case in which rounding confuses the quick ways.
#[cold]
fn by_looking(pair: &Pair<'_>) -> Features {
    let mut best = (f64::INFINITY, Features::Corners { a: 0, b: 0 });
    let mut consider = |distance: f64, features: Features| {
        if distance < best.0 {
            best = (distance, features);
        }
    };
    let mut all = |own: &Convex, other: &Convex, pose: Relative, own_is_a: bool| {
        for corner in 0..other.corner_count() {
            let q = other.corner(corner);
            let point = pose.rotate(q) + pose.translation;
            for edge in 0..own.corner_count() {
                let from_start = point - own.corner(edge);
                let (a, b) = if own_is_a { (edge, corner) } else { (corner, edge) };
                consider(length(from_start), Features::Corners { a, b });
                if facing_edge(own, edge, own.next(edge), q, pose).is_some() {
                    let features = if own_is_a { Features::FaceOfA { edge, corner } } else { Features::FaceOfB { edge, corner } };
                    consider(own.normal(edge).dot(from_start), features);
                }
            }
        }
    };
    all(pair.convex_a, pair.convex_b, pair.b_in_a, true);
    all(pair.convex_b, pair.convex_a, pair.b_in_a.inverse(), false);
    best.1
}
