//! Computes contact points by clipping one edge to another.
//!
//! Input: a pair of shapes, the deciding features, the depth and the margin. Output: a manifold of
//! one or two points. Sources: Ericson 2005, 5.3.3 (clipping); Catto 2007 (feature ids).
//!
//! ```text
//! reference edge = the edge that decided
//! incident edge = of the two edges at the deciding vertex, the one that faces the reference edge more
//! for each end of the incident edge
//!     if it lies beyond an end of the reference edge: move it along the incident edge to that end
//! return one contact point per end; a single point if both are equal
//! ```
//!
//! A single deepest point would not suffice: a box that rests on a floor would tilt from one vertex
//! to the other.
//!
//! If the incident shape is rounded, the first point is the lowest point of the disc around the
//! deciding vertex. The second point is on the incident edge, moved outward by the radius. So both
//! lie on the surface. An end moved along the normal of the reference edge instead would lie inside
//! if the edges are not parallel.
//!
//! The order of choices is fixed: owner of the edge, incident edge, clipped ends, number of points.
//! Each of them is unpredictable for the processor, so the code computes both cases and selects
//! one. Both ends of an edge are two lanes of one SIMD vector.
//!
//! The feature id of a point names an edge and a vertex. An end that is not clipped has the
//! incident vertex, a clipped end has the vertex of the reference edge that clips it. So a point
//! keeps its id while it slides along an edge.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::closest_features::features;
use super::exact;
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::max_separation::MaxSeparation;
use super::pair::{ErrorBounds, Pair};
use super::separation::{Separation, at_features, witnesses};
use super::vector_pair::{Vec2x2, swapped};
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::simd::{Simd, SimdKernel, dispatch_baseline, f64x2};
use crate::math::vector::clamp_to_length;
use crate::pair_result::Margin;
use crate::pair_result::{ContactId, ContactPoint, Feature, Manifold};
use crate::shape::convex::Convex;
use crate::shape::convex::convex_view::ConvexView;
use crate::shape::part::Part;

impl Part<'_> {
    /// Returns the feature of a hull vertex, numbered as in the input.
    #[inline(always)]
    pub(super) fn vertex(&self, vertex: usize) -> Feature {
        Feature::Vertex(self.convex.vertex_id(vertex))
    }

    /// Returns the feature of an edge, numbered as in the input.
    #[inline(always)]
    fn edge(&self, edge: usize) -> Feature {
        Feature::Edge(self.convex.edge_id(edge))
    }
}

/// Returns the manifold of a pair from the best edges of both shapes.
#[inline(never)]
pub(super) fn at_best_edges(pair: &Pair<'_>, best_edges: [MaxSeparation; 2], margin: Margin) -> Option<Manifold> {
    let features = features(pair, best_edges);
    let found = at_features(pair, features);
    manifold(pair, features, &found, pair.exact_sign_depth(found.distance), margin)
}

/// Returns the manifold of a pair whose separation is known; `None` if the gap is greater than `margin`.
///
/// A point whose gap is greater than `margin` is omitted. `depth` has the sign of the exact predicate. The functions
/// below return the caller's option type, so the manifold is written once, in place.
#[inline(always)]
pub(super) fn manifold(
    pair: &Pair<'_>,
    features: FeaturePair,
    found: &Separation,
    depth: f64,
    margin: Margin,
) -> Option<Manifold> {
    let [a, b] = pair.parts;
    let depth = margin.limit(depth, pair.rounding.separation(), |margin| exact::is_within(a, b, margin))?;
    let (of, ids) = match features {
        FeaturePair::Vertices([i, j]) => (0, [a.vertex(i), b.vertex(j)]),
        FeaturePair::EdgeVertex(edge_vertex) if pair.parts[1 - edge_vertex.of].convex.edge_count() > 0 => {
            return clip_any(pair, edge_vertex, depth, margin.length());
        }
        FeaturePair::EdgeVertex(EdgeVertex { of, edge, vertex }) => {
            (of, [pair.parts[of].edge(edge), pair.parts[1 - of].vertex(vertex)])
        }
    };
    let (on_a, on_b) = witnesses(pair, features);
    let surfaces = [on_a + found.normal * a.convex.radius, on_b - found.normal * b.convex.radius];
    Some(Manifold::at(0, found.normal, depth, surfaces, [ids[of], ids[1 - of]]))
}

/// Returns the manifold of a reference edge and the clipped edge of the other shape.
///
/// If the edge that faces the reference edge is not over it, the other edge at the vertex is used. But it is only used
/// if it is parallel up to rounding, such as the two halves of a split side. Otherwise the vertex is the only point.
pub(super) fn clip_any(pair: &Pair<'_>, features: EdgeVertex, depth: f64, margin: f64) -> Option<Manifold> {
    dispatch_baseline(Clip { pair, features, depth, margin })
}

/// The clip of any pair, compiled for the baseline instruction set.
struct Clip<'a> {
    /// The pair.
    pair: &'a Pair<'a>,
    /// The reference edge and the deciding vertex.
    features: EdgeVertex,
    /// Depth of the manifold.
    depth: f64,
    /// Largest gap of a contact point.
    margin: f64,
}

impl SimdKernel for Clip<'_> {
    type Output = Option<Manifold>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Manifold> {
        let Self { pair, features, depth, margin } = self;
        let frame = ReferenceEdge::of_any(simd, pair, features);
        let line = frame.facing_line();
        if frame.is_over(&line) { frame.manifold(&line, depth, margin) } else { frame.beside(depth, margin) }
    }
}

/// One shape of the pair: its outline, pose and radius.
#[derive(Clone, Copy)]
pub(super) struct ClipSide<'a, O> {
    /// Its hull vertices and edges.
    outline: O,
    /// Its pose.
    pose: &'a Pose,
    /// Its rounding radius.
    radius: f64,
}

impl<'a, O: ConvexView> ClipSide<'a, O> {
    /// Creates a side from a view of a convex shape.
    #[inline(always)]
    pub(super) fn new(outline: O, pose: &'a Pose, convex: &Convex) -> Self {
        Self { outline, pose, radius: convex.radius }
    }

    /// Selects one of two sides without a branch, because the choice is unpredictable.
    #[inline(always)]
    pub(super) fn pick(second: bool, [p, q]: [Self; 2]) -> Self {
        Self {
            outline: O::select(second, [p.outline, q.outline]),
            pose: select_unpredictable(second, q.pose, p.pose),
            radius: [p.radius, q.radius][usize::from(second)],
        }
    }
}

/// The reference edge in world coordinates, and both shapes.
///
/// Several choices are unpredictable: the shape with the edge, the deeper end, the clipped ends and the point count.
/// The methods use selections instead of branches.
pub(super) struct ReferenceEdge<'a, S, O> {
    simd: S,
    /// The edge of shape `of` of the pair, and the vertex of the incident shape.
    features: EdgeVertex,
    /// The reference shape, then the incident shape.
    sides: [ClipSide<'a, O>; 2],
    /// Index of the vertex at the end of the edge.
    edge_end: usize,
    /// Start of the edge.
    start: DVec2,
    /// Unit normal from the reference shape to the incident shape.
    normal: DVec2,
    /// Unit vector along the edge.
    tangent: DVec2,
    /// Length of the edge.
    length: f64,
    /// Tolerance: positions along the edge with at most this distance count as equal.
    length_tolerance: f64,
    /// Tolerance: a vertex that misses an end of the edge by at most this counts as over the edge.
    /// It is greater than the tolerance of the closest features.
    position_tolerance: f64,
}

/// Effect of the incident shape's radius on the second contact point.
#[derive(Clone, Copy)]
struct RoundingEffect {
    /// Displacement of the incident side along the reference edge.
    shift: f64,
    /// Loss of depth compared with the full radius.
    tilt: f64,
    /// Vector from the side back to the edge.
    back: DVec2,
    /// True if part of the side lies over the reference edge.
    is_over: bool,
}

/// An edge of the incident shape: both ends relative to the start of the reference edge, the deciding vertex first.
pub(super) struct IncidentEdge<S: Simd> {
    /// Both ends.
    points: Vec2x2<S>,
    /// Positions of both ends along the reference edge.
    along: f64x2<S>,
    /// Heights of both ends over the reference edge.
    front: f64x2<S>,
    /// Index of the vertex at the other end.
    end: usize,
    /// Index of the edge in the incident shape.
    edge: usize,
}

impl<S: Simd> IncidentEdge<S> {
    /// Returns the height of the deciding vertex over the reference edge: the separation of the hulls.
    #[inline(always)]
    pub(super) fn height(&self) -> f64 {
        self.front[0]
    }
}

impl<'a, S: Simd> ReferenceEdge<'a, S, &'a Convex> {
    /// Builds the reference edge of any pair.
    #[inline(always)]
    fn of_any(simd: S, pair: &'a Pair<'a>, features: EdgeVertex) -> Self {
        let [a, b] = &pair.parts;
        let sides = [ClipSide::new(a.convex, &a.pose, a.convex), ClipSide::new(b.convex, &b.pose, b.convex)];
        Self::new(simd, [sides[features.of], sides[1 - features.of]], features, &pair.rounding)
    }
}

impl<'a, S: Simd, O: ConvexView> ReferenceEdge<'a, S, O> {
    /// Builds the reference edge from the reference shape and the incident shape.
    #[inline(always)]
    pub(super) fn new(simd: S, sides: [ClipSide<'a, O>; 2], features: EdgeVertex, rounding: &ErrorBounds) -> Self {
        let ClipSide { outline, pose, .. } = sides[0];
        let edge_end = outline.next(features.edge);
        let ends = Vec2x2::new(simd, outline.hull_vertex(features.edge), outline.hull_vertex(edge_end)).placed(pose);
        let (start, normal) = (ends.get(0), pose.rotate_vector(outline.normal(features.edge)));
        let tangent = DVec2::new(-normal.y, normal.x);
        let length = tangent.dot(ends.get(1) - start).max(0.0);
        Self {
            simd,
            features,
            sides,
            edge_end,
            start,
            normal,
            tangent,
            length,
            length_tolerance: rounding.length(),
            position_tolerance: 3.0 * rounding.position(),
        }
    }

    /// Returns the edge at the incident shape's vertex that faces the reference edge.
    #[inline(always)]
    pub(super) fn facing_line(&self) -> IncidentEdge<S> {
        self.line(self.facing_is_before())
    }

    /// Returns true if the edge before the vertex faces the reference edge more than the edge after it.
    #[inline(always)]
    fn facing_is_before(&self) -> bool {
        let (ClipSide { outline: incident, pose, .. }, vertex) = (self.sides[1], self.features.vertex);
        let facing = pose.inverse_rotate_vector(self.normal);
        incident.normal(incident.previous(vertex)).dot(facing) < incident.normal(vertex).dot(facing)
    }

    /// Returns the edge of the incident shape before or after the vertex.
    #[inline(always)]
    fn line(&self, before: bool) -> IncidentEdge<S> {
        let (ClipSide { outline: incident, pose, .. }, vertex) = (self.sides[1], self.features.vertex);
        let (previous, next) = (incident.previous(vertex), incident.next(vertex));
        let (edge, end) =
            (select_unpredictable(before, previous, vertex), select_unpredictable(before, previous, next));
        let points = Vec2x2::new(self.simd, incident.hull_vertex(vertex), incident.hull_vertex(end))
            .placed(pose)
            .minus(self.start);
        IncidentEdge { points, along: points.along(self.tangent), front: points.along(self.normal), end, edge }
    }

    /// Returns the effect of the incident shape's radius on the second contact point; no effect if the radius is 0.
    #[inline(always)]
    fn rounding_effect(&self, line: &IncidentEdge<S>) -> RoundingEffect {
        let ClipSide { outline, pose, radius } = self.sides[1];
        if radius == 0.0 {
            return RoundingEffect { shift: 0.0, tilt: 0.0, back: self.normal * radius, is_over: true };
        }
        let out = pose.rotate_vector(outline.normal(line.edge)) * radius;
        let shift = self.tangent.dot(out);
        RoundingEffect {
            shift,
            tilt: self.normal.dot(out) + radius,
            back: -out,
            is_over: self.overlaps_edge(line.along + shift),
        }
    }

    /// Returns true if a part of the incident edge is over the reference edge.
    #[inline(always)]
    pub(super) fn is_over(&self, line: &IncidentEdge<S>) -> bool {
        self.overlaps_edge(line.along)
    }

    /// Returns true if an interval along the reference edge overlaps that edge.
    #[inline(always)]
    fn overlaps_edge(&self, along: f64x2<S>) -> bool {
        let [p, q] = [along[0], along[1]];
        (p.max(q) >= -self.position_tolerance) & (p.min(q) <= self.length + self.position_tolerance)
    }

    /// Returns the manifold of the part of an incident edge that is over the reference edge.
    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "the option is written in features")]
    pub(super) fn manifold(&self, line: &IncidentEdge<S>, depth: f64, margin: f64) -> Option<Manifold> {
        let (simd, zero) = (self.simd, f64x2::splat(self.simd, 0.0));
        let effect = self.rounding_effect(line);
        // The lowest point of the first disc, and the end of the side.
        let ends = line.along + f64x2::from_array(simd, [0.0, effect.shift]);
        let along = ends.max(zero).min(f64x2::splat(simd, self.length));
        let is_cut = (ends - along).abs().simd_gt(f64x2::splat(simd, self.position_tolerance));
        // If one end is clipped, the other end is not as far outside on the same side, except within the tolerance.
        // An end that is not clipped stays, whatever the quotient.
        let side = line.along + effect.shift;
        let part = (along - side) / (swapped(simd, side) - side);
        let part = is_cut.select(part.max(zero).min(f64x2::splat(simd, 1.0)), zero);
        let moved = |v: f64x2<S>| v + (swapped(simd, v) - v) * part;
        // The vertex decided, so it is the deeper end.
        let shallow = self.sides[0].radius + self.sides[1].radius - (moved(line.front)[1] + effect.tilt);
        // One point if the edges share at most one, or if the other end is beyond the margin.
        // Both lanes then contain the first point.
        let is_far = (along - along[0]).abs().simd_gt(f64x2::splat(simd, self.length_tolerance));
        // NaN fails the comparison with the margin, so the second point is omitted.
        let second_depth = if effect.is_over { shallow } else { f64::NAN };
        let is_two = is_far & f64x2::splat(simd, second_depth).simd_ge(f64x2::splat(simd, -margin));
        let chosen = |v: f64x2<S>| is_two.select(v, f64x2::splat(simd, v[0]));
        let two = is_two.to_bitmask() & 2 != 0;
        let points = Vec2x2 { x: chosen(moved(line.points.x)), y: chosen(moved(line.points.y)) };
        let cut = is_cut.to_bitmask();
        let [straight, aside] = [self.normal * self.sides[1].radius, effect.back];
        let first_back = if cut & 1 != 0 { aside } else { straight };
        let second_back = if two { aside } else { first_back };
        let [on_a, on_b] = self.surfaces(chosen(along), points, Vec2x2::new(simd, first_back, second_back));
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

    /// Returns the manifold if the facing edge is not over the reference edge.
    #[cold]
    #[inline(never)]
    fn beside(&self, depth: f64, margin: f64) -> Option<Manifold> {
        let line = self.line(!self.facing_is_before());
        if self.is_over(&line) && (line.front[0] - line.front[1]).abs() <= self.position_tolerance {
            return self.manifold(&line, depth, margin);
        }
        Some(self.at_vertex(&line, depth))
    }

    /// Returns the manifold with the deciding vertex as the only point.
    #[inline(always)]
    fn at_vertex(&self, line: &IncidentEdge<S>, depth: f64) -> Manifold {
        let points =
            Vec2x2 { x: f64x2::splat(self.simd, line.points.x[0]), y: f64x2::splat(self.simd, line.points.y[0]) };
        let along = f64x2::splat(self.simd, clamp_to_length(line.along[0], self.length));
        let back = self.normal * self.sides[1].radius;
        let [on_a, on_b] = self.surfaces(along, points, Vec2x2::new(self.simd, back, back));
        let [own, other] = both(self.sides, |side| side.outline);
        let features =
            [Feature::Edge(own.edge_id(self.features.edge)), Feature::Vertex(other.vertex_id(self.features.vertex))];
        let surfaces = if self.features.of == 0 { [on_a, on_b] } else { [on_b, on_a] };
        Manifold::at(self.features.of, self.normal_from_a(), depth, both(surfaces, |both| both.get(0)), features)
    }

    /// Returns the normal from the first shape of the pair to the second.
    #[inline(always)]
    fn normal_from_a(&self) -> DVec2 {
        self.normal * self.sign()
    }

    /// Returns 1 if the reference shape is the first of the pair, else −1.
    #[inline(always)]
    fn sign(&self) -> f64 {
        [1.0, -1.0][self.features.of]
    }

    /// Returns two points on the surfaces of both shapes of the pair.
    ///
    /// `along` are positions on the reference edge, `points` are points on the incident edge. `back` leads from the
    /// incident surface to that edge.
    #[inline(always)]
    fn surfaces(&self, along: f64x2<S>, points: Vec2x2<S>, back: Vec2x2<S>) -> [Vec2x2<S>; 2] {
        let (start, tangent, own) = (self.start, self.tangent, self.normal * self.sides[0].radius);
        let on_own = Vec2x2 { x: along * tangent.x + start.x + own.x, y: along * tangent.y + start.y + own.y };
        let on_other = Vec2x2 { x: points.x + start.x - back.x, y: points.y + start.y - back.y };
        let is_second = f64x2::splat(self.simd, self.sign()).simd_lt(f64x2::splat(self.simd, 0.0));
        let pick = |p: Vec2x2<S>, q: Vec2x2<S>| Vec2x2 { x: is_second.select(q.x, p.x), y: is_second.select(q.y, p.y) };
        [pick(on_own, on_other), pick(on_other, on_own)]
    }

    /// Returns the features of end `i` of an incident edge.
    ///
    /// These are its vertex over the reference edge, or a vertex of the reference edge that clips it.
    #[inline(always)]
    fn id(&self, line: &IncidentEdge<S>, is_cut: bool, along: f64, i: usize) -> ContactId {
        let ([own, other], EdgeVertex { of, edge, vertex }) =
            ([self.sides[0].outline, self.sides[1].outline], self.features);
        let nearer = own.vertex_id(select_unpredictable(along >= 0.0, self.edge_end, edge));
        let of_own = select_unpredictable(is_cut, Feature::Vertex(nearer), Feature::Edge(own.edge_id(edge)));
        let end = other.vertex_id(if i == 0 { vertex } else { line.end });
        let of_other = select_unpredictable(is_cut, Feature::Edge(other.edge_id(line.edge)), Feature::Vertex(end));
        let is_second = of == 1;
        ContactId {
            a: select_unpredictable(is_second, of_other, of_own),
            b: select_unpredictable(is_second, of_own, of_other),
        }
    }
}
