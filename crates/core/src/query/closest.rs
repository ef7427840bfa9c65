//! Which features of two hulls decide: those through which they overlap least, or those that are nearest to each other.
//!
//! The Minkowski difference of two convex polygons is a polygon whose edges are those of both, and the origin lies in it where they overlap. The edge
//! that the origin is farthest in front of (or least behind) is found by [`sat`](super::sat). Where the origin is in front of it and its foot lies on
//! the edge, that is the nearest place; beyond an end it is the corner there, or, where several edges are almost parallel, one that is found
//! by [`gjk`](super::gjk) in `f64`.

use glam::DVec2;

use super::gjk::{self, Corner, Difference, Nearest};
use super::pair::{Pair, Relative};
use super::sat::{Face, best_face};
use crate::math::integer::power_of_two;
use crate::math::vector::rescaled;
use crate::shape::convex::Ring;

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

/// The features that decide between the hulls of a pair; `None` where the hulls are farther apart than `limit` along an edge's normal.
#[inline(always)]
pub(super) fn features(pair: &Pair<'_>, limit: f64) -> Option<Features> {
    if pair.gap > limit {
        return None;
    }
    let of_a = best_face(pair.ring_a, pair.ring_b, pair.b_in_a);
    if of_a.separation > limit {
        return None;
    }
    let a_in_b = pair.b_in_a.inverse();
    let of_b = best_face(pair.ring_b, pair.ring_a, a_in_b);
    if of_b.separation > limit {
        return None;
    }
    // Of faces that are equally good up to rounding the first shape's, so that resting contacts keep their features.
    if of_a.separation >= of_b.separation - 16.0 * pair.noise {
        if pair.ring_a.normals.is_empty() {
            return Some(Features::Corners { a: 0, b: 0 });
        }
        let face = Features::FaceOfA { edge: of_a.edge, corner: of_a.corner };
        Some(match foot(pair.ring_a, pair.ring_b, pair.b_in_a, of_a) {
            Foot::On => face,
            Foot::Beyond(corner) => corners(pair, Features::Corners { a: corner, b: of_a.corner }, face),
        })
    } else {
        let face = Features::FaceOfB { edge: of_b.edge, corner: of_b.corner };
        Some(match foot(pair.ring_b, pair.ring_a, a_in_b, of_b) {
            Foot::On => face,
            Foot::Beyond(corner) => corners(pair, Features::Corners { a: of_b.corner, b: corner }, face),
        })
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
fn foot(own: Ring<'_>, other: Ring<'_>, pose: Relative, face: Face) -> Foot {
    if face.separation <= 0.0 {
        return Foot::On;
    }
    let end = own.next(face.edge);
    let (start, along) = (own.corners[face.edge], own.corners[end] - own.corners[face.edge]);
    let corner = pose.rotate(other.corners[face.corner]) + pose.translation;
    if along.dot(corner - start) < 0.0 {
        Foot::Beyond(face.edge)
    } else if along.dot(corner - own.corners[end]) > 0.0 {
        Foot::Beyond(end)
    } else {
        Foot::On
    }
}

/// The features nearest to each other, where two corners are a good guess and `face` is what separates best.
fn corners(pair: &Pair<'_>, guess: Features, face: Features) -> Features {
    let Features::Corners { a, b } = guess else { return face };
    let (p, q) = (pair.ring_a.corners[a], pair.b_in_a.rotate(pair.ring_b.corners[b]) + pair.b_in_a.translation);
    // A corner is nearest to a point where both edges at it lead away from the point; nearest to each other is nearest of all (convexity).
    let away = q - p;
    if leads_away(pair.ring_a, a, away) && leads_away(pair.ring_b, b, pair.b_in_a.unrotate(-away)) {
        return guess;
    }
    by_gjk(pair, a, b).unwrap_or(face)
}

fn leads_away(ring: Ring<'_>, corner: usize, toward: DVec2) -> bool {
    let p = ring.corners[corner];
    toward.dot(ring.corners[ring.next(corner)] - p) <= 0.0 && toward.dot(ring.corners[ring.previous(corner)] - p) <= 0.0
}

/// A − B in the frame of a, in `f64`, times a power of two that keeps squares from underflow.
pub(super) struct Hulls<'a> {
    pair: &'a Pair<'a>,
    scale: f64,
}

impl<'a> Hulls<'a> {
    pub(super) fn new(pair: &'a Pair<'a>) -> Self {
        // The pair's size is normal except when it is tiny.
        let size = pair.a.shape().0.reach.max(pair.b.shape().0.reach).max(pair.b_in_a.translation.abs().max_element());
        let scale = if size < 1e-100 { power_of_two(rescaled(DVec2::new(size, 0.0)).1.min(1000)) } else { 1.0 };
        Self { pair, scale }
    }

    pub(super) fn first(&self, a: usize, b: usize) -> Corner<f64> {
        self.corner(a as u32, b as u32)
    }
}

impl Difference<f64> for Hulls<'_> {
    fn corner(&self, a: u32, b: u32) -> Corner<f64> {
        let pair = self.pair;
        let q = pair.b_in_a.rotate(pair.ring_b.corners[b as usize]) + pair.b_in_a.translation;
        let w = (pair.ring_a.corners[a as usize] - q) * self.scale;
        Corner { a, b, x: w.x, y: w.y }
    }

    fn farthest(&self, direction: &[f64; 2], near: &Corner<f64>) -> Corner<f64> {
        let direction = DVec2::from(*direction);
        let a = climb(self.pair.ring_a, direction, near.a);
        let b = climb(self.pair.ring_b, self.pair.b_in_a.unrotate(-direction), near.b);
        self.corner(a, b)
    }
}

/// The corner farthest along a direction.
fn climb(ring: Ring<'_>, direction: DVec2, near: u32) -> u32 {
    // Where none is farther than `near`, it stays: that ends the search.
    let mut best = (direction.dot(ring.corners[near as usize]), near);
    for (i, p) in (0..).zip(ring.corners) {
        let along = direction.dot(*p);
        if along > best.0 {
            best = (along, i);
        }
    }
    best.1
}

/// The nearest features as the algorithm of Gilbert, Johnson and Keerthi finds them; `None` where it finds that the hulls meet.
fn by_gjk(pair: &Pair<'_>, a: usize, b: usize) -> Option<Features> {
    let hulls = Hulls::new(pair);
    match gjk::nearest::<f64, false>(&hulls, hulls.first(a, b)) {
        Nearest::Corner(p) => Some(Features::Corners { a: p.a as usize, b: p.b as usize }),
        Nearest::Segment(p, q) => Some(of_segment(pair, &p, &q)),
        Nearest::AtCorner(_) | Nearest::OnSegment(..) | Nearest::Inside(..) => None,
    }
}

/// The edge and the corner behind an edge of the Minkowski difference; where edges of both lie along it, one with a foot.
fn of_segment(pair: &Pair<'_>, p: &Corner<f64>, q: &Corner<f64>) -> Features {
    let a_in_b = pair.b_in_a.inverse();
    for corner in [p.b as usize, q.b as usize] {
        if let Some(edge) = facing_edge(pair.ring_a, p.a as usize, q.a as usize, pair.ring_b.corners[corner], pair.b_in_a) {
            return Features::FaceOfA { edge, corner };
        }
    }
    for corner in [p.a as usize, q.a as usize] {
        if let Some(edge) = facing_edge(pair.ring_b, p.b as usize, q.b as usize, pair.ring_a.corners[corner], a_in_b) {
            return Features::FaceOfB { edge, corner };
        }
    }
    by_looking(pair)
}

/// The edge between two corners if the point (in the other frame) is in front of it and has its foot on it.
fn facing_edge(ring: Ring<'_>, i: usize, k: usize, point: DVec2, pose: Relative) -> Option<usize> {
    let point = pose.rotate(point) + pose.translation;
    [(i, k), (k, i)].into_iter().find_map(|(start, end)| {
        let along = ring.corners[end] - ring.corners[start];
        let faces = start != end
            && ring.next(start) == end
            && ring.normals[start].dot(point - ring.corners[start]) > 0.0
            && along.dot(point - ring.corners[start]) >= 0.0
            && along.dot(point - ring.corners[end]) <= 0.0;
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
    let mut all = |own: Ring<'_>, other: Ring<'_>, pose: Relative, own_is_a: bool| {
        for (corner, &q) in other.corners.iter().enumerate() {
            let point = pose.rotate(q) + pose.translation;
            for (edge, &start) in own.corners.iter().enumerate() {
                let (a, b) = if own_is_a { (edge, corner) } else { (corner, edge) };
                consider(crate::math::vector::length(point - start), Features::Corners { a, b });
                if facing_edge(own, edge, own.next(edge), q, pose).is_some() {
                    let features = if own_is_a { Features::FaceOfA { edge, corner } } else { Features::FaceOfB { edge, corner } };
                    consider(own.normals[edge].dot(point - start), features);
                }
            }
        }
    };
    all(pair.ring_a, pair.ring_b, pair.b_in_a, true);
    all(pair.ring_b, pair.ring_a, pair.b_in_a.inverse(), false);
    best.1
}
