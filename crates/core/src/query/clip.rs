//! The points of a contact: one edge clipped to the other (Ericson 2005, 5.3.3; Catto 2007 for feature ids).
//!
//! ```text
//! the reference edge is the one that decided; the incident edge is that of the two at the deciding corner which faces it more
//! each end of the incident edge that lies beyond an end of the reference edge is moved to where the incident edge passes that end
//! a contact point for each of the two places, if they are not one
//! ```
//!
//! If the incident shape is rounded, the first point is the lowest of the disc about the deciding corner. The second one is on the incident side: the edge, moved outward by the
//! radius. So both lie on the surface. The end of the edge, moved along the normal of the reference edge, would lie inside if the edges are not parallel.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::closest_features::{EdgeVertex, FeaturePair, features};
use super::manifold::{ContactId, ContactPoint, Feature, Manifold};
use super::max_separation::MaxSeparation;
use super::pair::{ErrorBounds, Pair};
use super::separation::{Separation, at_features, foot_on_edge};
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, dispatch_baseline, f64x2};
use crate::shape::convex::Convex;
use crate::shape::convex::convex_view::ConvexView;
use crate::shape::part::Part;

impl Part<'_> {
    #[inline(always)]
    pub(super) fn vertex(&self, corner: usize) -> Feature {
        Feature::Vertex(self.convex.vertex_id(corner))
    }

    #[inline(always)]
    fn edge(&self, corner: usize) -> Feature {
        Feature::Edge(self.convex.edge_id(corner))
    }
}

/// The manifold of a pair from the best faces of both shapes.
#[inline(never)]
pub(super) fn at_faces(pair: &Pair<'_>, faces: [MaxSeparation; 2], margin: f64) -> Option<Manifold> {
    let features = features(pair, faces);
    let found = at_features(pair, features);
    manifold(pair, features, &found, pair.exact_sign_depth(found.distance), margin)
}

/// The manifold of a pair whose separation is known; `None` and fewer points where there is a gap above `margin`. `depth` is what the exact predicate left of
/// the computed one.
///
/// All that make a manifold return the option that the caller asked for: it is written once, where it is wanted.
#[inline(always)]
pub(super) fn manifold(
    pair: &Pair<'_>,
    features: FeaturePair,
    found: &Separation,
    depth: f64,
    margin: f64,
) -> Option<Manifold> {
    if depth < -margin {
        return None;
    }
    match features {
        FeaturePair::Corners([i, j]) => {
            let [a, b] = &pair.parts;
            let surfaces = [a.placed(i) + found.normal * a.convex.radius, b.placed(j) - found.normal * b.convex.radius];
            Some(Manifold::one(found.normal, depth, point(0, depth, surfaces, [a.vertex(i), b.vertex(j)])))
        }
        FeaturePair::Face { of, edge, corner } if pair.parts[1 - of].convex.edge_count() == 0 => {
            let (reference, incident) = (&pair.parts[of], &pair.parts[1 - of]);
            let to_other = if of == 0 { found.normal } else { -found.normal };
            let apex = incident.placed(corner);
            let surfaces = [
                foot_on_edge(reference, edge, apex) + to_other * reference.convex.radius,
                apex - to_other * incident.convex.radius,
            ];
            Some(Manifold::one(
                found.normal,
                depth,
                point(of, depth, surfaces, [reference.edge(edge), incident.vertex(corner)]),
            ))
        }
        FeaturePair::Face { of, edge, corner } => face_of_any(pair, EdgeVertex { of, edge, corner }, depth, margin),
    }
}

/// The manifold of an edge and what of an edge of the other shape lies over it.
fn face_of_any(pair: &Pair<'_>, place: EdgeVertex, depth: f64, margin: f64) -> Option<Manifold> {
    dispatch_baseline(Clip { pair, place, depth, margin })
}

struct Clip<'a> {
    pair: &'a Pair<'a>,
    place: EdgeVertex,
    depth: f64,
    margin: f64,
}

impl SimdKernel for Clip<'_> {
    type Output = Option<Manifold>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Manifold> {
        let Self { pair, place, depth, margin } = self;
        let frame = ReferenceEdge::of_any(simd, pair, place);
        let line = frame.facing_line();
        if frame.is_over(&line) { frame.manifold(&line, depth, margin) } else { beside(pair, place, depth, margin) }
    }
}

/// A contact point from its places on the surfaces of the reference shape, number `of` of the pair, and of the incident shape, and the features there.
#[inline(always)]
fn point(of: usize, depth: f64, surfaces: [DVec2; 2], features: [Feature; 2]) -> ContactPoint {
    ContactPoint {
        on_a: surfaces[of],
        on_b: surfaces[1 - of],
        depth,
        id: ContactId { a: features[of], b: features[1 - of] },
    }
}

/// The manifold where the facing edge is not over the reference edge. The other edge at the corner serves only where it is parallel up to rounding, as
/// the two halves of a side that was split are.
#[cold]
#[inline(never)]
pub(super) fn beside(pair: &Pair<'_>, place: EdgeVertex, depth: f64, margin: f64) -> Option<Manifold> {
    dispatch_baseline(Beside { pair, place, depth, margin })
}

struct Beside<'a> {
    pair: &'a Pair<'a>,
    place: EdgeVertex,
    depth: f64,
    margin: f64,
}

impl SimdKernel for Beside<'_> {
    type Output = Option<Manifold>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Manifold> {
        let frame = ReferenceEdge::of_any(simd, self.pair, self.place);
        let line = frame.line(!frame.facing_is_before());
        if frame.is_over(&line) && (line.front[0] - line.front[1]).abs() <= frame.slack {
            return frame.manifold(&line, self.depth, self.margin);
        }
        Some(frame.at_corner(&line, self.depth))
    }
}

/// Two vectors side by side: what is worked out of both ends of an edge is worked out once.
#[derive(Clone, Copy)]
struct Vec2x2<S: Simd> {
    x: f64x2<S>,
    y: f64x2<S>,
}

impl<S: Simd> Vec2x2<S> {
    #[inline(always)]
    fn new(simd: S, p: DVec2, q: DVec2) -> Self {
        Self { x: f64x2::simd_from(simd, [p.x, q.x]), y: f64x2::simd_from(simd, [p.y, q.y]) }
    }

    /// [`Pose::transform_point`].
    #[inline(always)]
    fn placed(self, pose: &Pose) -> Self {
        let (cos, sin, origin) = (pose.cos(), pose.sin(), pose.translation());
        Self { x: self.x * cos - self.y * sin + origin.x, y: self.x * sin + self.y * cos + origin.y }
    }

    #[inline(always)]
    fn minus(self, v: DVec2) -> Self {
        Self { x: self.x - v.x, y: self.y - v.y }
    }

    /// How far both reach along a vector.
    #[inline(always)]
    fn along(self, v: DVec2) -> f64x2<S> {
        self.x * v.x + self.y * v.y
    }

    #[inline(always)]
    fn get(self, i: usize) -> DVec2 {
        DVec2::new(self.x[i], self.y[i])
    }
}

/// The two the other way around.
#[inline(always)]
fn swapped<S: Simd>(simd: S, v: f64x2<S>) -> f64x2<S> {
    f64x2::simd_from(simd, [v[1], v[0]])
}

/// A shape of the pair: its outline, its pose and its radius.
#[derive(Clone, Copy)]
pub(super) struct ClipSide<'a, O> {
    outline: O,
    pose: &'a Pose,
    radius: f64,
}

impl<'a, O: ConvexView> ClipSide<'a, O> {
    #[inline(always)]
    pub(super) fn new(outline: O, pose: &'a Pose, convex: &Convex) -> Self {
        Self { outline, pose, radius: convex.radius }
    }

    /// The first of two or the second: which cannot be foretold.
    #[inline(always)]
    pub(super) fn pick(second: bool, [p, q]: [Self; 2]) -> Self {
        Self {
            outline: O::pick(second, [p.outline, q.outline]),
            pose: select_unpredictable(second, q.pose, p.pose),
            radius: [p.radius, q.radius][usize::from(second)],
        }
    }
}

/// The reference edge: where it starts, along which way, how far; and the incident shape.
///
/// Which shape has the edge, which end is deeper, whether an end is cut and whether there are two points cannot be foretold: here are selections instead of branches.
pub(super) struct ReferenceEdge<'a, S, O> {
    simd: S,
    /// The edge, of shape number `of` of the pair, and the corner of the incident shape.
    place: EdgeVertex,
    /// The reference shape, and the incident one.
    sides: [ClipSide<'a, O>; 2],
    /// The number of the corner where the edge ends.
    edge_end: usize,
    start: DVec2,
    /// From the reference to the incident shape.
    normal: DVec2,
    tangent: DVec2,
    length: f64,
    /// Places along the edge that are no farther apart are one.
    ties: f64,
    /// A corner that misses an end of the edge by no more than this is over it: more than told it apart in the frames of the shapes.
    slack: f64,
}

/// Effect of the incident shape's radius on the second contact point.
#[derive(Clone, Copy)]
struct Rim {
    /// How far the incident side is moved along the reference edge.
    shift: f64,
    /// How much less deep it is than the radius.
    tilt: f64,
    /// From the side back to the edge.
    back: DVec2,
    /// True if part of the side lies over the reference edge.
    is_over: bool,
}

/// An edge of the incident shape: its ends, the deciding corner first, seen from the start of the reference edge.
pub(super) struct IncidentEdge<S: Simd> {
    places: Vec2x2<S>,
    along: f64x2<S>,
    front: f64x2<S>,
    /// The corner at the other end.
    end: usize,
    edge: usize,
}

impl<S: Simd> IncidentEdge<S> {
    /// How far the deciding corner is in front of the reference edge: how far apart the hulls are.
    #[inline(always)]
    pub(super) fn height(&self) -> f64 {
        self.front[0]
    }
}

impl<'a, S: Simd> ReferenceEdge<'a, S, &'a Convex> {
    #[inline(always)]
    fn of_any(simd: S, pair: &'a Pair<'a>, place: EdgeVertex) -> Self {
        let [a, b] = &pair.parts;
        let sides = [ClipSide::new(a.convex, &a.pose, a.convex), ClipSide::new(b.convex, &b.pose, b.convex)];
        Self::new(simd, [sides[place.of], sides[1 - place.of]], place, &pair.rounding)
    }
}

impl<'a, S: Simd, O: ConvexView> ReferenceEdge<'a, S, O> {
    /// From the reference shape and the incident one.
    #[inline(always)]
    pub(super) fn new(simd: S, sides: [ClipSide<'a, O>; 2], place: EdgeVertex, rounding: &ErrorBounds) -> Self {
        let ClipSide { outline, pose, .. } = sides[0];
        let edge_end = outline.next(place.edge);
        let ends = Vec2x2::new(simd, outline.corner(place.edge), outline.corner(edge_end)).placed(pose);
        let (start, normal) = (ends.get(0), pose.rotate_vector(outline.normal(place.edge)));
        let tangent = DVec2::new(-normal.y, normal.x);
        let length = tangent.dot(ends.get(1) - start).max(0.0);
        Self {
            simd,
            place,
            sides,
            edge_end,
            start,
            normal,
            tangent,
            length,
            ties: rounding.length(),
            slack: 3.0 * rounding.position(),
        }
    }

    /// The edge at the corner of the incident shape that faces the reference edge.
    #[inline(always)]
    pub(super) fn facing_line(&self) -> IncidentEdge<S> {
        self.line(self.facing_is_before())
    }

    /// Of the two edges at the corner of the incident shape, does the one before it face the reference edge more?
    #[inline(always)]
    fn facing_is_before(&self) -> bool {
        let (ClipSide { outline: incident, pose, .. }, corner) = (self.sides[1], self.place.corner);
        let facing = pose.inverse_rotate_vector(self.normal);
        incident.normal(incident.previous(corner)).dot(facing) < incident.normal(corner).dot(facing)
    }

    /// The edge of the incident shape before or behind the corner.
    #[inline(always)]
    fn line(&self, before: bool) -> IncidentEdge<S> {
        let (ClipSide { outline: incident, pose, .. }, corner) = (self.sides[1], self.place.corner);
        let (previous, next) = (incident.previous(corner), incident.next(corner));
        let (edge, end) =
            (select_unpredictable(before, previous, corner), select_unpredictable(before, previous, next));
        let places =
            Vec2x2::new(self.simd, incident.corner(corner), incident.corner(end)).placed(pose).minus(self.start);
        IncidentEdge { places, along: places.along(self.tangent), front: places.along(self.normal), end, edge }
    }

    /// Returns the effect of the incident shape's radius on the second contact point; no effect if the radius is 0.
    #[inline(always)]
    fn rim(&self, line: &IncidentEdge<S>) -> Rim {
        let ClipSide { outline, pose, radius } = self.sides[1];
        if radius == 0.0 {
            return Rim { shift: 0.0, tilt: 0.0, back: self.normal * radius, is_over: true };
        }
        let out = pose.rotate_vector(outline.normal(line.edge)) * radius;
        let shift = self.tangent.dot(out);
        Rim { shift, tilt: self.normal.dot(out) + radius, back: -out, is_over: self.reaches_over(line.along + shift) }
    }

    /// Is any of it over the reference edge?
    #[inline(always)]
    pub(super) fn is_over(&self, line: &IncidentEdge<S>) -> bool {
        self.reaches_over(line.along)
    }

    /// Returns true if an interval along the reference edge overlaps that edge.
    #[inline(always)]
    fn reaches_over(&self, along: f64x2<S>) -> bool {
        let [p, q] = [along[0], along[1]];
        (p.max(q) >= -self.slack) & (p.min(q) <= self.length + self.slack)
    }

    /// The manifold of what of an incident edge lies over the reference edge.
    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "the option is written in place")]
    pub(super) fn manifold(&self, line: &IncidentEdge<S>, depth: f64, margin: f64) -> Option<Manifold> {
        let (simd, zero) = (self.simd, f64x2::splat(self.simd, 0.0));
        let rim = self.rim(line);
        // The lowest point of the first disc, and the end of the side.
        let ends = line.along + f64x2::simd_from(simd, [0.0, rim.shift]);
        let along = ends.max(zero).min(f64x2::splat(simd, self.length));
        let is_cut = (ends - along).abs().simd_gt(f64x2::splat(simd, self.slack));
        // An end that is cut lies outside, so the other one is not as far outside on the same side; but it may be within the slack.
        // One that is not cut stays where it is, whatever the quotient.
        let side = line.along + rim.shift;
        let part = (along - side) / (swapped(simd, side) - side);
        let part = is_cut.select(part.max(zero).min(f64x2::splat(simd, 1.0)), zero);
        let moved = |v: f64x2<S>| v + (swapped(simd, v) - v) * part;
        // The corner decided, so it is the deeper end.
        let shallow = self.sides[0].radius + self.sides[1].radius - (moved(line.front)[1] + rim.tilt);
        // One point where the edges share no more than one, or where the other end is farther away than is asked for: both are the first then.
        let is_far = (along - along[0]).abs().simd_gt(f64x2::splat(simd, self.ties));
        // Not a number is as deep as nothing.
        let seen = if rim.is_over { shallow } else { f64::NAN };
        let is_two = is_far & f64x2::splat(simd, seen).simd_ge(f64x2::splat(simd, -margin));
        let chosen = |v: f64x2<S>| is_two.select(v, f64x2::splat(simd, v[0]));
        let two = is_two.to_bitmask() & 2 != 0;
        let places = Vec2x2 { x: chosen(moved(line.places.x)), y: chosen(moved(line.places.y)) };
        let cut = is_cut.to_bitmask();
        let [straight, aside] = [self.normal * self.sides[1].radius, rim.back];
        let first_back = if cut & 1 != 0 { aside } else { straight };
        let second_back = if two { aside } else { first_back };
        let [on_a, on_b] = self.surfaces(chosen(along), places, Vec2x2::new(simd, first_back, second_back));
        let first = self.id(line, cut & 1 != 0, ends[0], 0);
        let second = self.id(line, cut & 2 != 0, ends[1], 1);
        let second = ContactId {
            a: select_unpredictable(two, second.a, first.a),
            b: select_unpredictable(two, second.b, first.b),
        };
        let point = |i: usize, depth, id| ContactPoint { on_a: on_a.get(i), on_b: on_b.get(i), depth, id };
        let points = [point(0, depth, first), point(1, select_unpredictable(two, shallow.min(depth), depth), second)];
        Some(Manifold::of(self.normal_from_a(), depth, points, 1 + u8::from(two)))
    }

    /// The manifold of the corner alone.
    #[inline(always)]
    fn at_corner(&self, line: &IncidentEdge<S>, depth: f64) -> Manifold {
        let places =
            Vec2x2 { x: f64x2::splat(self.simd, line.places.x[0]), y: f64x2::splat(self.simd, line.places.y[0]) };
        let along = f64x2::splat(self.simd, line.along[0].clamp(0.0, self.length));
        let back = self.normal * self.sides[1].radius;
        let [on_a, on_b] = self.surfaces(along, places, Vec2x2::new(self.simd, back, back));
        let [own, other] = both(self.sides, |side| side.outline);
        let features =
            [Feature::Edge(own.edge_id(self.place.edge)), Feature::Vertex(other.vertex_id(self.place.corner))];
        let id = ContactId { a: features[self.place.of], b: features[1 - self.place.of] };
        Manifold::one(self.normal_from_a(), depth, ContactPoint { on_a: on_a.get(0), on_b: on_b.get(0), depth, id })
    }

    #[inline(always)]
    fn normal_from_a(&self) -> DVec2 {
        self.normal * self.sign()
    }

    #[inline(always)]
    fn sign(&self) -> f64 {
        [1.0, -1.0][self.place.of]
    }

    /// Two points on the surfaces of both shapes of the pair, from how far along the reference edge and where on the incident edge they are; `back` leads from the incident
    /// surface to that edge.
    #[inline(always)]
    fn surfaces(&self, along: f64x2<S>, places: Vec2x2<S>, back: Vec2x2<S>) -> [Vec2x2<S>; 2] {
        let (start, tangent, own) = (self.start, self.tangent, self.normal * self.sides[0].radius);
        let on_own = Vec2x2 { x: along * tangent.x + start.x + own.x, y: along * tangent.y + start.y + own.y };
        let on_other = Vec2x2 { x: places.x + start.x - back.x, y: places.y + start.y - back.y };
        let is_second = f64x2::splat(self.simd, self.sign()).simd_lt(f64x2::splat(self.simd, 0.0));
        let pick = |p: Vec2x2<S>, q: Vec2x2<S>| Vec2x2 { x: is_second.select(q.x, p.x), y: is_second.select(q.y, p.y) };
        [pick(on_own, on_other), pick(on_other, on_own)]
    }

    /// What makes end number `i` of an incident edge: its corner over the reference edge, or a corner of that which cuts it.
    #[inline(always)]
    fn id(&self, line: &IncidentEdge<S>, is_cut: bool, along: f64, i: usize) -> ContactId {
        let ([own, other], EdgeVertex { of, edge, corner }) =
            ([self.sides[0].outline, self.sides[1].outline], self.place);
        let nearer = own.vertex_id(select_unpredictable(along >= 0.0, self.edge_end, edge));
        let of_own = select_unpredictable(is_cut, Feature::Vertex(nearer), Feature::Edge(own.edge_id(edge)));
        let end = other.vertex_id(if i == 0 { corner } else { line.end });
        let of_other = select_unpredictable(is_cut, Feature::Edge(other.edge_id(line.edge)), Feature::Vertex(end));
        let is_second = of == 1;
        ContactId {
            a: select_unpredictable(is_second, of_other, of_own),
            b: select_unpredictable(is_second, of_own, of_other),
        }
    }
}
