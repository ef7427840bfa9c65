//! The points of a contact: one edge clipped to the other (Ericson 2005, 5.3.3; Catto 2007 for feature ids).

use glam::DVec2;

use super::closest::Features;
use super::manifold::{ContactId, ContactPoint, Feature, Manifold};
use super::pair::{Pair, Side};
use super::separation::{Separation, foot_on_edge};

impl Side<'_> {
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
            let [a, b] = &pair.sides;
            let surfaces = [a.placed(i) + found.normal * a.convex.radius, b.placed(j) - found.normal * b.convex.radius];
            Manifold::one(found.normal, depth, point(0, depth, surfaces, [a.vertex(i), b.vertex(j)]))
        }
        Features::Face { of, edge, corner } if pair.sides[1 - of].convex.edge_count() == 0 => {
            let (reference, incident) = (&pair.sides[of], &pair.sides[1 - of]);
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
#[inline(always)]
fn face(pair: &Pair<'_>, of: usize, edge: usize, corner: usize, found: &Separation, depth: f64, margin: f64) -> Manifold {
    let frame = Frame::new(&pair.sides[of], &pair.sides[1 - of], edge, if of == 0 { found.normal } else { -found.normal }, pair.slack());
    let at = |end: &End, depth: f64| point(of, depth, frame.surfaces(end), frame.features(end.feature));
    let [facing, beside] = frame.incident_edges(corner);
    // The other edge at the corner serves only where it is parallel up to rounding, as the two halves of a side that was split are.
    let level = |ends: &[End; 2]| (ends[0].front - ends[1].front).abs() <= pair.slack();
    let Some([mut first, mut second]) = frame.clip(facing).or_else(|| frame.clip(beside).filter(level)) else {
        let place = frame.incident.placed(corner) - frame.start;
        let along = frame.tangent.dot(place).clamp(0.0, frame.length);
        return Manifold::one(
            found.normal,
            depth,
            at(&End { along, front: found.distance, place, feature: Origin::Corner(corner) }, depth),
        );
    };
    if second.front < first.front {
        core::mem::swap(&mut first, &mut second);
    }
    let shallow = pair.radius - second.front;
    // One point where the edges share no more than one, or where the other end is farther away than is asked for.
    if (first.along - second.along).abs() <= pair.ties() || shallow < -margin {
        return Manifold::one(found.normal, depth, at(&first, depth));
    }
    Manifold::two(found.normal, depth, [at(&first, depth), at(&second, shallow.min(depth))])
}

/// An end of the incident edge over the reference edge: how far along it, how far in front of it, and what made it.
#[derive(Clone, Copy)]
struct End {
    along: f64,
    front: f64,
    /// Where on the incident edge, seen from the start of the reference edge.
    place: DVec2,
    feature: Origin,
}

/// What made a contact point.
#[derive(Clone, Copy)]
enum Origin {
    /// A corner of the incident shape, over the reference edge.
    Corner(usize),
    /// The incident edge, cut at this corner of the reference shape.
    Cut { edge: usize, at: usize },
}

/// The reference edge: where it starts, along which way, how far; and the incident shape.
struct Frame<'a> {
    reference: &'a Side<'a>,
    incident: &'a Side<'a>,
    edge: usize,
    start: DVec2,
    /// From the reference to the incident shape.
    normal: DVec2,
    tangent: DVec2,
    length: f64,
    /// A corner that misses an end of the edge by no more than this is over it.
    slack: f64,
}

impl<'a> Frame<'a> {
    #[inline(always)]
    fn new(reference: &'a Side<'a>, incident: &'a Side<'a>, edge: usize, normal: DVec2, slack: f64) -> Self {
        let start = reference.placed(edge);
        let tangent = DVec2::new(-normal.y, normal.x);
        let length = tangent.dot(reference.placed(reference.convex.next(edge)) - start);
        Self { reference, incident, edge, start, normal, tangent, length: length.max(0.0), slack }
    }

    /// The places on the surfaces of the reference and of the incident shape.
    #[inline(always)]
    fn surfaces(&self, end: &End) -> [DVec2; 2] {
        let on_reference = self.start + self.tangent * end.along + self.normal * self.reference.convex.radius;
        [on_reference, self.start + end.place - self.normal * self.incident.convex.radius]
    }

    /// The features of reference and incident shape that make a point.
    #[inline(always)]
    fn features(&self, origin: Origin) -> [Feature; 2] {
        match origin {
            Origin::Corner(corner) => [self.reference.edge(self.edge), self.incident.vertex(corner)],
            Origin::Cut { edge, at } => [self.reference.vertex(at), self.incident.edge(edge)],
        }
    }

    /// The two edges at a corner of the incident shape, first the one that faces the reference edge more.
    #[inline(always)]
    fn incident_edges(&self, corner: usize) -> [usize; 2] {
        let (convex, facing) = (self.incident.convex, self.incident.pose.unrotate(self.normal));
        let before = convex.previous(corner);
        if convex.normal(before).dot(facing) < convex.normal(corner).dot(facing) { [before, corner] } else { [corner, before] }
    }

    /// The part of an edge of the incident shape that lies over the reference edge.
    #[inline(always)]
    fn clip(&self, edge: usize) -> Option<[End; 2]> {
        let corners = [edge, self.incident.convex.next(edge)];
        let places = corners.map(|corner| self.incident.placed(corner) - self.start);
        let (along, front) = (places.map(|p| self.tangent.dot(p)), places.map(|p| self.normal.dot(p)));
        if along[0].max(along[1]) < -self.slack || along[0].min(along[1]) > self.length + self.slack {
            return None;
        }
        // Without branches: whether an end is over the edge cannot be foretold.
        let end = |i: usize| {
            let (x, bound) = (along[i], along[i].clamp(0.0, self.length));
            let cut = (x - bound).abs() > self.slack;
            // An end that is cut lies outside, so the other one is not as far outside on the same side; but it may be within the slack.
            let (missing, whole) = if cut { (bound - x, along[1 - i] - x) } else { (0.0, 1.0) };
            let part = (missing / whole).clamp(0.0, 1.0);
            let at = if x < 0.0 { self.edge } else { self.reference.convex.next(self.edge) };
            End {
                along: bound,
                front: front[i] + (front[1 - i] - front[i]) * part,
                place: places[i] + (places[1 - i] - places[i]) * part,
                feature: if cut { Origin::Cut { edge, at } } else { Origin::Corner(corners[i]) },
            }
        };
        Some([end(0), end(1)])
    }
}
