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
    #[inline(always)]
    fn vertex(&self, corner: usize) -> Feature {
        Feature::Vertex(self.convex.vertex_id(corner))
    }

    #[inline(always)]
    fn edge(&self, corner: usize) -> Feature {
        Feature::Edge(self.convex.edge_id(corner))
    }
}

/// The manifold of a pair whose separation is known; `None` and fewer points where there is a gap above `margin`. `depth` is what the exact predicate left of
/// the computed one.
///
/// All that make a manifold return the option that the caller asked for: it is written once, where it is wanted.
#[inline(always)]
pub(super) fn manifold(pair: &Pair<'_>, features: Features, found: &Separation, depth: f64, margin: f64) -> Option<Manifold> {
    if depth < -margin {
        return None;
    }
    match features {
        Features::Corners([i, j]) => {
            let [a, b] = &pair.parts;
            let surfaces = [a.placed(i) + found.normal * a.convex.radius, b.placed(j) - found.normal * b.convex.radius];
            Some(Manifold::one(found.normal, depth, point(0, depth, surfaces, [a.vertex(i), b.vertex(j)])))
        }
        Features::Face { of, edge, corner } if pair.parts[1 - of].convex.edge_count() == 0 => {
            let (reference, incident) = (&pair.parts[of], &pair.parts[1 - of]);
            let to_other = if of == 0 { found.normal } else { -found.normal };
            let apex = incident.placed(corner);
            let surfaces =
                [foot_on_edge(reference, edge, apex) + to_other * reference.convex.radius, apex - to_other * incident.convex.radius];
            Some(Manifold::one(found.normal, depth, point(of, depth, surfaces, [reference.edge(edge), incident.vertex(corner)])))
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
fn face(pair: &Pair<'_>, of: usize, edge: usize, corner: usize, found: &Separation, depth: f64, margin: f64) -> Option<Manifold> {
    let frame = Frame::new(pair, of, edge, found);
    let line = frame.line(corner, frame.facing_is_before(corner));
    if frame.is_over(&line) { frame.manifold(pair, &line, found, depth, margin) } else { frame.beside(pair, corner, found, depth, margin) }
}

/// What of the incident edge lies over the reference edge: both ends, side by side so that one can be picked without a branch.
struct Clipped {
    /// How far along the reference edge.
    along: [f64; 2],
    /// How far in front of it.
    front: [f64; 2],
    /// Where on the incident edge, seen from the start of the reference edge.
    places: [DVec2; 2],
    /// What made them, of the reference and of the incident shape.
    features: [[Feature; 2]; 2],
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
    #[expect(clippy::unnecessary_wraps, reason = "the option is written in place")]
    fn manifold(&self, pair: &Pair<'_>, line: &Line, found: &Separation, depth: f64, margin: f64) -> Option<Manifold> {
        let ends = self.clipped(line);
        // The corner decided, so it is the deeper end.
        let shallow = pair.radius - ends.front[1];
        // One point where the edges share no more than one, or where the other end is farther away than is asked for.
        let two = ((ends.along[0] - ends.along[1]).abs() > pair.ties()) & (shallow >= -margin);
        let other = usize::from(two);
        let first = self.point(depth, ends.along[0], ends.places[0], ends.features[0]);
        let second = self.point([depth, shallow.min(depth)][other], ends.along[other], ends.places[other], ends.features[other]);
        Some(Manifold::of(found.normal, depth, [first, second], 1 + u8::from(two)))
    }

    /// The manifold where the facing edge is not over the reference edge. The other edge at the corner serves only where it is parallel up to rounding, as
    /// the two halves of a side that was split are.
    #[cold]
    #[inline(never)]
    fn beside(&self, pair: &Pair<'_>, corner: usize, found: &Separation, depth: f64, margin: f64) -> Option<Manifold> {
        let line = self.line(corner, !self.facing_is_before(corner));
        if self.is_over(&line) && (line.front[0] - line.front[1]).abs() <= self.slack {
            return self.manifold(pair, &line, found, depth, margin);
        }
        let place = self.incident.placed(corner) - self.start;
        let along = self.tangent.dot(place).clamp(0.0, self.length);
        let features = [self.reference.edge(self.edge.corners[0]), self.incident.vertex(corner)];
        Some(Manifold::one(found.normal, depth, self.point(depth, along, place, features)))
    }

    /// A contact point from how far along the reference edge and where on the incident edge it is.
    #[inline(always)]
    fn point(&self, depth: f64, along: f64, place: DVec2, features: [Feature; 2]) -> ContactPoint {
        let on_reference = self.start + self.tangent * along + self.normal * self.reference.convex.radius;
        let on_incident = self.start + place - self.normal * self.incident.convex.radius;
        point(self.of, depth, [on_reference, on_incident], features)
    }

    /// Of the two edges at a corner of the incident shape, does the one before it face the reference edge more?
    #[inline(always)]
    fn facing_is_before(&self, corner: usize) -> bool {
        let (convex, facing) = (self.incident.convex, self.incident.pose.unrotate(self.normal));
        let [before, behind] = convex.normals([convex.previous(corner), corner]);
        before.dot(facing) < behind.dot(facing)
    }

    /// The edge of the incident shape before or behind a corner.
    #[inline(always)]
    fn line(&self, corner: usize, before: bool) -> Line {
        let (convex, start) = (self.incident.convex, self.start);
        let (previous, next) = (convex.previous(corner), convex.next(corner));
        let (edge, other) = (select_unpredictable(before, previous, corner), select_unpredictable(before, previous, next));
        let [p, q] = [self.incident.placed(corner) - start, self.incident.placed(other) - start];
        let (along, front) = ([self.tangent.dot(p), self.tangent.dot(q)], [self.normal.dot(p), self.normal.dot(q)]);
        let features = [self.incident.vertex(corner), self.incident.vertex(other), self.incident.edge(edge)];
        Line { places: [p, q], along, front, features }
    }

    /// Is any of it over the reference edge?
    #[inline(always)]
    fn is_over(&self, line: &Line) -> bool {
        let [p, q] = line.along;
        (p.max(q) >= -self.slack) & (p.min(q) <= self.length + self.slack)
    }

    #[inline(always)]
    fn clipped(&self, line: &Line) -> Clipped {
        let [p, q] = [self.cut(line, 0), self.cut(line, 1)];
        let front = |i: usize, part: f64| line.front[i] + (line.front[1 - i] - line.front[i]) * part;
        let place = |i: usize, part: f64| line.places[i] + (line.places[1 - i] - line.places[i]) * part;
        Clipped {
            along: [p.along, q.along],
            front: [front(0, p.part), front(1, q.part)],
            places: [place(0, p.part), place(1, q.part)],
            features: [self.features(line, 0, p.beyond), self.features(line, 1, q.beyond)],
        }
    }

    /// Where an end of an incident edge is cut.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "a clamp keeps NaN")]
    fn cut(&self, line: &Line, i: usize) -> Cut {
        let (x, along) = (line.along[i], line.along[i].clamp(0.0, self.length));
        let is_cut = (x - along).abs() > self.slack;
        // An end that is cut lies outside, so the other one is not as far outside on the same side; but it may be within the slack.
        // One that is not cut stays where it is, whatever the quotient (0 / 0 becomes 0): a product takes no branch, a selection would.
        let part = ((along - x) / (line.along[1 - i] - x)).max(0.0).min(1.0) * f64::from(u8::from(is_cut));
        Cut { beyond: is_cut, along, part }
    }

    /// What makes an end of an incident edge: its corner over the reference edge, or a corner of that which cuts it.
    #[inline(always)]
    fn features(&self, line: &Line, i: usize, is_cut: bool) -> [Feature; 2] {
        let [first, second] = self.edge.vertex_ids;
        let nearer = select_unpredictable(line.along[i] >= 0.0, second, first);
        [
            select_unpredictable(is_cut, Feature::Vertex(nearer), Feature::Edge(self.edge.id)),
            select_unpredictable(is_cut, line.features[2], line.features[i]),
        ]
    }
}

/// An end of an incident edge over the reference edge.
struct Cut {
    /// Is it beyond an end of the reference edge, so that it is cut?
    beyond: bool,
    /// How far along the reference edge.
    along: f64,
    /// How much of the incident edge is missing at this end.
    part: f64,
}

/// An edge of the incident shape: its ends, the deciding corner first, seen from the start of the reference edge.
struct Line {
    places: [DVec2; 2],
    along: [f64; 2],
    front: [f64; 2],
    /// Both ends and the edge.
    features: [Feature; 3],
}
