//! The points of a contact: one edge clipped to the other (Ericson 2005, 5.3.3; Catto 2007 for feature ids).

use core::hint::select_unpredictable;

use glam::DVec2;

use super::closest::Features;
use super::manifold::{ContactId, ContactPoint, Feature, Manifold};
use super::pair::Pair;
use super::separation::{Separation, foot_on_edge};
use crate::shape::convex::Edge;
use crate::shape::part::Part;

impl Part<'_> {
    fn vertex(&self, corner: usize) -> Feature {
        Feature::Vertex(self.convex.vertex_id(corner))
    }

    fn edge(&self, corner: usize) -> Feature {
        Feature::Edge(self.convex.edge_id(corner))
    }
}

/// The manifold of a pair whose separation is known. `depth` is what the exact predicate left of the computed one; points with a gap above
/// `margin` are dropped.
#[inline(always)]
pub(super) fn manifold(pair: &Pair<'_>, features: Features, found: &Separation, depth: f64, margin: f64) -> Manifold {
    match features {
        Features::Corners([i, j]) => {
            let [a, b] = &pair.parts;
            let surfaces = [a.placed(i) + found.normal * a.convex.radius, b.placed(j) - found.normal * b.convex.radius];
            Manifold::one(found.normal, depth, point(0, depth, surfaces, [a.vertex(i), b.vertex(j)]))
        }
        Features::Face { of, edge, corner } if pair.parts[1 - of].convex.edge_count() == 0 => {
            let (reference, incident) = (&pair.parts[of], &pair.parts[1 - of]);
            let to_other = if of == 0 { found.normal } else { -found.normal };
            let apex = incident.placed(corner);
            let surfaces =
                [foot_on_edge(reference, edge, apex) + to_other * reference.convex.radius, apex - to_other * incident.convex.radius];
            Manifold::one(found.normal, depth, point(of, depth, surfaces, [reference.edge(edge), incident.vertex(corner)]))
        }
        Features::Face { of, edge, corner } => face(pair, of, edge, corner, found, depth, margin),
    }
}

/// A contact point from its places on the surfaces of the reference shape, number `of` of the pair, and of the incident shape, and the features there.
#[inline(always)]
fn point(of: usize, depth: f64, surfaces: [DVec2; 2], features: [Feature; 2]) -> ContactPoint {
    ContactPoint { on_a: surfaces[of], on_b: surfaces[1 - of], depth, id: ContactId { a: features[of], b: features[1 - of] } }
}

/// The manifold of an edge and what of an edge of the other shape lies over it.
///
/// Which shape has the edge, which end is deeper, whether an end is cut and whether there are two points cannot be foretold: here are selections and
/// computed places in arrays instead of branches.
#[inline(always)]
fn face(pair: &Pair<'_>, of: usize, edge: usize, corner: usize, found: &Separation, depth: f64, margin: f64) -> Manifold {
    let frame = Frame::new(pair, of, edge, found);
    let line = frame.line(frame.facing_edge(corner));
    if frame.is_over(&line) { frame.manifold(pair, &line, found, depth, margin) } else { frame.beside(pair, corner, found, depth, margin) }
}

/// An end of the incident edge over the reference edge.
#[derive(Clone, Copy)]
struct End {
    /// How far along the reference edge.
    along: f64,
    /// How far in front of it.
    front: f64,
    /// Where on the incident edge, seen from the start of the reference edge.
    place: DVec2,
    /// What made it, of the reference and of the incident shape.
    features: [Feature; 2],
}

/// The reference edge: where it starts, along which way, how far; and the incident shape.
struct Frame<'a> {
    /// The number of the reference shape in the pair.
    of: usize,
    reference: &'a Part<'a>,
    incident: &'a Part<'a>,
    edge: Edge,
    start: DVec2,
    /// From the reference to the incident shape.
    normal: DVec2,
    tangent: DVec2,
    length: f64,
    /// A corner that misses an end of the edge by no more than this is over it: more than told it apart in the frames of the shapes.
    slack: f64,
}

impl<'a> Frame<'a> {
    #[inline(always)]
    fn new(pair: &'a Pair<'a>, of: usize, edge: usize, found: &Separation) -> Self {
        let (reference, incident) = (&pair.parts[of], &pair.parts[1 - of]);
        let (edge, start) = (reference.convex.edge(edge), found.start);
        let normal = found.normal * [1.0, -1.0][of];
        let tangent = DVec2::new(-normal.y, normal.x);
        let length = tangent.dot(reference.pose.apply(edge.ends[1]) - start).max(0.0);
        Self { of, reference, incident, edge, start, normal, tangent, length, slack: 3.0 * pair.slack() }
    }

    /// The manifold of what of an incident edge lies over the reference edge.
    #[inline(always)]
    fn manifold(&self, pair: &Pair<'_>, line: &Line, found: &Separation, depth: f64, margin: f64) -> Manifold {
        let ends = [self.end(line, 0), self.end(line, 1)];
        let deeper = usize::from(ends[1].front < ends[0].front);
        let shallow = pair.radius - ends[0].front.max(ends[1].front);
        // One point where the edges share no more than one, or where the other end is farther away than is asked for.
        let two = ((ends[0].along - ends[1].along).abs() > pair.ties()) & (shallow >= -margin);
        let points = ends.map(|end| self.point(depth, &end));
        let [first, second] = [points[deeper], points[deeper ^ usize::from(two)]];
        let second = ContactPoint { depth: [depth, shallow.min(depth)][usize::from(two)], ..second };
        Manifold::of(found.normal, depth, [first, second], 1 + u8::from(two))
    }

    /// The manifold where the facing edge is not over the reference edge. The other edge at the corner serves only where it is parallel up to rounding, as
    /// the two halves of a side that was split are.
    #[cold]
    #[inline(never)]
    fn beside(&self, pair: &Pair<'_>, corner: usize, found: &Separation, depth: f64, margin: f64) -> Manifold {
        let before = self.incident.convex.previous(corner);
        let line = self.line(if self.facing_edge(corner) == before { corner } else { before });
        if self.is_over(&line) && (line.front[0] - line.front[1]).abs() <= self.slack {
            return self.manifold(pair, &line, found, depth, margin);
        }
        let place = self.incident.placed(corner) - self.start;
        let along = self.tangent.dot(place).clamp(0.0, self.length);
        let features = [self.reference.edge(self.edge.corners[0]), self.incident.vertex(corner)];
        Manifold::one(found.normal, depth, self.point(depth, &End { along, front: found.distance, place, features }))
    }

    /// A contact point from an end.
    #[inline(always)]
    fn point(&self, depth: f64, end: &End) -> ContactPoint {
        let on_reference = self.start + self.tangent * end.along + self.normal * self.reference.convex.radius;
        let on_incident = self.start + end.place - self.normal * self.incident.convex.radius;
        point(self.of, depth, [on_reference, on_incident], end.features)
    }

    /// Of the two edges at a corner of the incident shape the one that faces the reference edge more.
    #[inline(always)]
    fn facing_edge(&self, corner: usize) -> usize {
        let (convex, facing) = (self.incident.convex, self.incident.pose.unrotate(self.normal));
        let before = convex.previous(corner);
        let [at_before, at_corner] = convex.normals([before, corner]);
        let turned = at_before.dot(facing) < at_corner.dot(facing);
        select_unpredictable(turned, before, corner)
    }

    /// An edge of the incident shape.
    #[inline(always)]
    fn line(&self, edge: usize) -> Line {
        let edge = self.incident.convex.edge(edge);
        let places = edge.ends.map(|end| self.incident.pose.apply(end) - self.start);
        Line { corners: edge.corners, places, along: places.map(|p| self.tangent.dot(p)), front: places.map(|p| self.normal.dot(p)) }
    }

    /// Is any of it over the reference edge?
    #[inline(always)]
    fn is_over(&self, line: &Line) -> bool {
        let [p, q] = line.along;
        (p.max(q) >= -self.slack) & (p.min(q) <= self.length + self.slack)
    }

    /// The end of an incident edge, or where it is cut.
    #[inline(always)]
    fn end(&self, line: &Line, i: usize) -> End {
        let (x, bound) = (line.along[i], line.along[i].clamp(0.0, self.length));
        let cut = (x - bound).abs() > self.slack;
        // An end that is cut lies outside, so the other one is not as far outside on the same side; but it may be within the slack.
        // One that is not cut stays where it is, whatever the quotient (0 / 0 too): its bits are masked, which takes no branch.
        let part = ((bound - x) / (line.along[1 - i] - x)).clamp(0.0, 1.0);
        let part = f64::from_bits(part.to_bits() & u64::from(cut).wrapping_neg());
        let by_corner = [self.reference.edge(self.edge.corners[0]), self.incident.vertex(line.corners[i])];
        let by_cut = [self.reference.vertex(self.edge.corners[usize::from(x >= 0.0)]), self.incident.edge(line.corners[0])];
        End {
            along: bound,
            front: line.front[i] + (line.front[1 - i] - line.front[i]) * part,
            place: line.places[i] + (line.places[1 - i] - line.places[i]) * part,
            features: [by_corner, by_cut][usize::from(cut)],
        }
    }
}

/// An edge of the incident shape: its ends, seen from the start of the reference edge.
struct Line {
    corners: [usize; 2],
    places: [DVec2; 2],
    along: [f64; 2],
    front: [f64; 2],
}
