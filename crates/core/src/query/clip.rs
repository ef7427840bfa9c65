//! The points of a contact: one edge clipped to the other (Ericson 2005, 5.3.3; Catto 2006 for feature ids).

use glam::DVec2;

use super::closest::Features;
use super::manifold::{ContactId, ContactPoint, Feature, Manifold};
use super::pair::Pair;
use super::separation::Separation;
use crate::shape::Placed;
use crate::shape::convex::Convex;

/// One of the two shapes of a pair.
#[derive(Clone, Copy)]
struct Side<'a> {
    placed: Placed<'a>,
    convex: &'a Convex,
}

impl Side<'_> {
    fn vertex(&self, corner: usize) -> Feature {
        Feature::Vertex(self.placed.shape().0.vertex_id(corner))
    }

    fn edge(&self, corner: usize) -> Feature {
        Feature::Edge(self.placed.shape().0.edge_id(corner))
    }
}

/// A point of the incident edge: along and in front of the reference edge, and the features that make it.
#[derive(Clone, Copy)]
struct End {
    along: f64,
    front: f64,
    reference: Feature,
    incident: Feature,
}

/// The manifold of a pair whose separation is known. `depth` is what the exact predicate left of the computed one; points with a gap above
/// `margin` are dropped.
#[inline(always)]
pub(super) fn manifold(pair: &Pair<'_>, features: Features, found: &Separation, depth: f64, margin: f64) -> Manifold {
    let (a, b) = (Side { placed: pair.a, convex: pair.convex_a }, Side { placed: pair.b, convex: pair.convex_b });
    match features {
        Features::Corners { a: i, b: j } => {
            let id = ContactId { a: a.vertex(i), b: b.vertex(j) };
            let on_a = a.placed.pose().apply(a.convex.corner(i)) + found.normal * a.placed.shape().radius();
            Manifold::one(found.normal, depth, ContactPoint { on_a, on_b: on_a - found.normal * depth, depth, id })
        }
        Features::FaceOfA { edge, corner } => face(pair, [a, b], edge, corner, found.normal, depth, margin),
        Features::FaceOfB { edge, corner } => face(pair, [b, a], edge, corner, -found.normal, depth, margin).flipped(),
    }
}

/// The manifold of an edge of the reference shape and what of the incident shape is in front of it (or behind); the normal is the edge's.
#[inline(always)]
fn face(
    pair: &Pair<'_>,
    [reference, incident]: [Side<'_>; 2],
    edge: usize,
    corner: usize,
    normal: DVec2,
    depth: f64,
    margin: f64,
) -> Manifold {
    let frame = Frame::new(reference, edge, normal);
    let point = |end: End, depth: f64| {
        let on_a = frame.start + frame.tangent * end.along + normal * reference.placed.shape().radius();
        ContactPoint { on_a, on_b: on_a - normal * depth, depth, id: ContactId { a: end.reference, b: end.incident } }
    };
    let deepest = frame.corner(incident, corner);
    let Some([mut first, mut second]) = incident_edge(&frame, incident, corner) else {
        return Manifold::one(normal, depth, point(deepest, depth));
    };
    if second.front < first.front {
        core::mem::swap(&mut first, &mut second);
    }
    let shallow = pair.radius - second.front;
    // One point where the edges share no more than one, or where the other end is farther away than is asked for.
    if (first.along - second.along).abs() <= 16.0 * pair.noise || shallow < -margin {
        return Manifold::one(normal, depth, point(first, depth));
    }
    Manifold::two(normal, depth, [point(first, depth), point(second, shallow.min(depth))])
}

/// The reference edge: where it starts, along which way, how far.
struct Frame<'a> {
    side: Side<'a>,
    edge: usize,
    start: DVec2,
    normal: DVec2,
    tangent: DVec2,
    length: f64,
}

impl<'a> Frame<'a> {
    #[inline(always)]
    fn new(side: Side<'a>, edge: usize, normal: DVec2) -> Self {
        let pose = side.placed.pose();
        let start = pose.apply(side.convex.corner(edge));
        let tangent = DVec2::new(-normal.y, normal.x);
        let length = tangent.dot(pose.apply(side.convex.corner(side.convex.next(edge))) - start);
        Self { side, edge, start, normal, tangent, length }
    }

    #[inline(always)]
    fn corner(&self, incident: Side<'_>, corner: usize) -> End {
        let offset = incident.placed.pose().apply(incident.convex.corner(corner)) - self.start;
        End {
            along: self.tangent.dot(offset).clamp(0.0, self.length.max(0.0)),
            front: self.normal.dot(offset),
            reference: self.side.edge(self.edge),
            incident: incident.vertex(corner),
        }
    }

    /// The part of a segment of the incident shape that lies over the reference edge.
    #[inline(always)]
    fn clip(&self, incident: Side<'_>, start: usize, end: usize) -> Option<[End; 2]> {
        let pose = incident.placed.pose();
        let (from, to) = (pose.apply(incident.convex.corner(start)) - self.start, pose.apply(incident.convex.corner(end)) - self.start);
        let (x, y) = ([self.tangent.dot(from), self.tangent.dot(to)], [self.normal.dot(from), self.normal.dot(to)]);
        if x[0].max(x[1]) < 0.0 || x[0].min(x[1]) > self.length {
            return None;
        }
        let at = |i: usize, number: usize| {
            let bounded = x[i].clamp(0.0, self.length.max(0.0));
            if bounded == x[i] {
                return End { along: x[i], front: y[i], reference: self.side.edge(self.edge), incident: incident.vertex(number) };
            }
            // Outside, so the other end is not as far outside on the same side, and the difference is not zero.
            let part = (bounded - x[i]) / (x[1 - i] - x[i]);
            let reference = if x[i] < 0.0 { self.edge } else { self.side.convex.next(self.edge) };
            End {
                along: bounded,
                front: y[i] + (y[1 - i] - y[i]) * part,
                reference: self.side.vertex(reference),
                incident: incident.edge(start),
            }
        };
        Some([at(0, start), at(1, end)])
    }
}

/// The edge at the incident shape's corner that faces the reference edge most, clipped to it.
#[inline(always)]
fn incident_edge(frame: &Frame<'_>, incident: Side<'_>, corner: usize) -> Option<[End; 2]> {
    let convex = incident.convex;
    if convex.edge_count() == 0 {
        return None;
    }
    let facing = incident.placed.pose().unrotate(frame.normal);
    let before = convex.previous(corner);
    let start = if convex.normal(before).dot(facing) < convex.normal(corner).dot(facing) { before } else { corner };
    frame.clip(incident, start, convex.next(start))
}
