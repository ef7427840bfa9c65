//! Finds the features that decide a pair of hulls: those of least overlap, or the closest ones if
//! the hulls are apart.
//!
//! Input: a pair and its best edges from [`sat`](super::sat). Output: an edge and a vertex, or two
//! vertices.
//!
//! The Minkowski difference of two convex polygons is a polygon with the edges of both. It contains
//! the origin if the hulls intersect. The best edge is the one with the greatest height of the
//! origin over it.
//!
//! ```text
//! foot = foot of the perpendicular from the origin to the line of the best edge
//! if the foot lies on the edge, up to rounding:   that edge and its vertex
//! while the neighbor on the foot's side is as good, up to rounding: go there; if it contains the foot: that edge
//! if the hulls overlap:                           the edge reached
//! if the vertices at its end are certainly the closest points:   these two vertices
//! else:                                           the closest of all features
//! ```
//!
//! The best edge alone does not suffice. Two hulls can be closest at two vertices, and rounding can
//! prefer an edge next to the right one.

use glam::DVec2;

use super::exact;
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::max_separation::MaxSeparation;
use super::pair::{Pair, Relative, is_beyond};
use super::sat::{self, find_max_separation};
use super::separation::at_features;
use super::support::support_vertex;
use crate::math::both::both;
use crate::math::vector::{length_and_direction, norm1};
use crate::pair_result::Relation;
use crate::shape::convex::convex_view::ConvexView;

/// Returns the best edges of both hulls; `None` if one of them separates the hulls by more than `limit`.
#[inline(never)]
pub(super) fn best_edges(pair: &Pair<'_>, limit: f64) -> Option<[MaxSeparation; 2]> {
    best_edges_inlined(pair, limit)
}

/// Does the work of [`best_edges`]. Only the distance has a copy of its own.
#[inline(always)]
fn best_edges_inlined(pair: &Pair<'_>, limit: f64) -> Option<[MaxSeparation; 2]> {
    let [a, b] = both(pair.parts, |side| side.convex);
    if let (Some(half_a), Some(half_b)) = (a.as_rectangle(), b.as_rectangle()) {
        let best_edges = sat::of_rectangles(half_a, half_b, pair.other_in);
        return (best_edges[0].separation.max(best_edges[1].separation) <= limit).then_some(best_edges);
    }
    // After the rectangles, which are faster without this unpredictable branch.
    if is_beyond(pair.apart(), a.bounding_radius + b.bounding_radius + limit) {
        return None;
    }
    if let (Some(p), Some(q)) = (a.as_small_polygon(), b.as_small_polygon()) {
        return sat::of_small_polygons(p, q, pair.other_in, limit);
    }
    let of_a = find_max_separation(a, b, pair.other_in[0]);
    if of_a.separation > limit {
        return None;
    }
    let of_b = find_max_separation(b, a, pair.other_in[1]);
    (of_b.separation <= limit).then_some([of_a, of_b])
}

/// Returns true if the second shape's edge is better by more than the tolerance.
///
/// Otherwise the first shape's edge counts, so that resting contacts keep their features.
#[inline(always)]
pub(super) fn second_is_better(best_edges: [MaxSeparation; 2], ties: f64) -> bool {
    best_edges[1].separation - ties > best_edges[0].separation
}

/// Returns the deciding features of a pair at any distance.
///
/// Compiled in one piece: with calls of `best_edges` and `features`, the distance of circles takes
/// 20 % longer and that of large polygons 30 %.
#[inline(always)]
pub(super) fn features_at_any_distance(pair: &Pair<'_>) -> FeaturePair {
    // Without a limit, the edge normals always exist.
    best_edges_inlined(pair, f64::INFINITY)
        .map_or(FeaturePair::Vertices([0, 0]), |best_edges| features_inlined(pair, best_edges))
}

/// Returns the deciding features of a pair, from its best edges.
#[inline(never)]
pub(super) fn features(pair: &Pair<'_>, best_edges: [MaxSeparation; 2]) -> FeaturePair {
    features_inlined(pair, best_edges)
}

/// Does the work of [`features`]. Only the distance has a copy of its own.
#[inline(always)]
fn features_inlined(pair: &Pair<'_>, best_edges: [MaxSeparation; 2]) -> FeaturePair {
    let of = usize::from(second_is_better(best_edges, pair.rounding.length()));
    let (own, other, edge) = (pair.parts[of].convex, pair.parts[1 - of].convex, best_edges[of].edge);
    if own.edge_count() == 0 {
        return FeaturePair::Vertices([0, 0]);
    }
    let vertex = support_vertex(other, pair.other_in[of].unrotate(own.normal(edge)));
    let best = EdgeVertex { of, edge, vertex };
    match best.foot(pair) {
        // By its numbers, which are in registers: `best` is stored for the call below.
        Foot::On => FeaturePair::EdgeVertex(EdgeVertex { of, edge, vertex }),
        beyond => beside(pair, best, beyond, best_edges),
    }
}

/// Returns the features of an edge and vertex that are better than all others beyond the error bound.
///
/// The hulls must be apart. No neighbor is tested.
pub(super) fn features_of_best(pair: &Pair<'_>, best: EdgeVertex) -> FeaturePair {
    match best.foot(pair) {
        Foot::On => FeaturePair::EdgeVertex(best),
        beyond => past_end(pair, best, beyond),
    }
}

/// Position of the foot of the perpendicular from the vertex to the edge's line, up to rounding.
#[derive(Clone, Copy, PartialEq)]
enum Foot {
    /// Before the start of the edge.
    Before,
    /// On the edge.
    On,
    /// Behind the end of the edge.
    Behind,
}

impl EdgeVertex {
    /// Returns an edge of shape `of` with the vertex of the other shape that is lowest over its line.
    pub(super) fn lowest(pair: &Pair<'_>, of: usize, edge: usize) -> Self {
        let (own, other) = (pair.parts[of].convex, pair.parts[1 - of].convex);
        Self { of, edge, vertex: support_vertex(other, pair.other_in[of].unrotate(own.normal(edge))) }
    }

    /// Returns the vertex in the frame of the edge.
    #[inline(always)]
    fn point(self, pair: &Pair<'_>) -> DVec2 {
        pair.other_in[self.of].apply(pair.parts[1 - self.of].convex.hull_vertex(self.vertex))
    }

    /// Returns the same distances as [`beyond_of`](Self::beyond_of), for a pair.
    #[inline(always)]
    fn beyond(self, pair: &Pair<'_>) -> [f64; 2] {
        self.beyond_of(&pair.other_in[self.of], [pair.parts[self.of].convex, pair.parts[1 - self.of].convex])
    }

    /// Returns the distances of the vertex before the start and past the end, along the edge's unit tangent.
    ///
    /// Squares of tiny lengths would underflow.
    #[inline(always)]
    fn beyond_of(self, other_in_own: &Relative, [own, other]: [impl ConvexView; 2]) -> [f64; 2] {
        let point = other_in_own.apply(other.hull_vertex(self.vertex));
        let normal = own.normal(self.edge);
        let tangent = DVec2::new(-normal.y, normal.x);
        [-tangent.dot(point - own.hull_vertex(self.edge)), tangent.dot(point - own.hull_vertex(own.next(self.edge)))]
    }

    /// Returns true if the vertex is over the edge, or misses it by at most a tolerance.
    ///
    /// `outlines` are the reference shape's and the other's.
    #[inline(always)]
    pub(super) fn is_over_edge(self, other_in_own: &Relative, outlines: [impl ConvexView; 2], tolerance: f64) -> bool {
        let [before, behind] = self.beyond_of(other_in_own, outlines);
        before.max(behind) <= tolerance
    }

    /// Returns the position of the foot.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn foot(self, pair: &Pair<'_>) -> Foot {
        let [before, behind] = self.beyond(pair);
        // One branch for the usual case: the foot is on the edge.
        if before.max(behind) <= pair.rounding.position() {
            Foot::On
        } else if before > pair.rounding.position() {
            Foot::Before
        } else {
            Foot::Behind
        }
    }

    /// Returns the signed height of the vertex over the edge.
    pub(super) fn height(self, pair: &Pair<'_>) -> f64 {
        let own = pair.parts[self.of].convex;
        own.normal(self.edge).dot(self.point(pair) - own.hull_vertex(self.edge))
    }

    /// Returns the neighboring edge and vertex if they are as good as the best, whose height is `level`.
    ///
    /// This occurs for edges that are parallel up to rounding: tiles side by side, or a midpoint that is an ulp off.
    fn neighbor(self, pair: &Pair<'_>, foot: Foot, level: f64) -> Option<Self> {
        let (own, other) = (pair.parts[self.of].convex, pair.parts[1 - self.of].convex);
        let behind = foot == Foot::Behind;
        // Along an edge of one shape, the other's vertices run in the opposite direction.
        if other.edge_count() > 0 {
            let (vertex, between) = if behind {
                (other.next(self.vertex), self.vertex)
            } else {
                (other.previous(self.vertex), other.previous(self.vertex))
            };
            let moved = Self { vertex, ..self };
            // In a very small shape all vertices may be equally good. Accepts only those that lead back to the edge,
            // which prevents a full round.
            let side = usize::from(behind);
            if moved.height(pair) <= level + pair.rounding.position()
                && moved.beyond(pair)[side] < self.beyond(pair)[side]
            {
                let now = moved.foot(pair);
                // If the other's edge extends past both ends of this edge, this edge's vertices are over it.
                let swapped = Self { of: 1 - self.of, edge: between, vertex: self.edge };
                return Some(if now == Foot::On || now == foot { moved } else { swapped });
            }
        }
        if own.edge_count() > 2 {
            let edge = if behind { own.next(self.edge) } else { own.previous(self.edge) };
            let moved = Self::lowest(pair, self.of, edge);
            if moved.height(pair) >= level - pair.rounding.position() {
                return Some(moved);
            }
        }
        None
    }
}

/// Returns the features if the vertex is beside the edge.
///
/// Candidates in this order: a neighbor that is as good; the edge itself if the hulls overlap; the closest features.
#[inline(never)]
fn beside(pair: &Pair<'_>, best: EdgeVertex, mut foot: Foot, best_edges: [MaxSeparation; 2]) -> FeaturePair {
    let (mut candidate, level) = (best, best.height(pair));
    for _ in 0..pair.parts[0].convex.hull_vertex_count() + pair.parts[1].convex.hull_vertex_count() {
        match candidate.neighbor(pair, foot, level) {
            Some(moved) => candidate = moved,
            None => break,
        }
        let now = candidate.foot(pair);
        if now == Foot::On {
            return FeaturePair::EdgeVertex(candidate);
        }
        // The end between two such edges is closest: the foot is past it on both.
        let before = core::mem::replace(&mut foot, now);
        if before != now {
            break;
        }
    }
    if best_edges[best.of].separation < -pair.rounding.separation() {
        return FeaturePair::EdgeVertex(candidate);
    }
    past_end(pair, candidate, foot)
}

/// Returns the features if the vertex is past an end of the edge and the hulls are apart.
///
/// These are that end and the vertex. If rounding makes this uncertain, all features are tested.
fn past_end(pair: &Pair<'_>, candidate: EdgeVertex, foot: Foot) -> FeaturePair {
    let own = pair.parts[candidate.of].convex;
    let end = if foot == Foot::Before { candidate.edge } else { own.next(candidate.edge) };
    let vertices = if candidate.of == 0 { [end, candidate.vertex] } else { [candidate.vertex, end] };
    if !are_nearest(pair, vertices) {
        return brute_force(pair, candidate);
    }
    at_vertices(pair, vertices, candidate).map_or(FeaturePair::Vertices(vertices), FeaturePair::EdgeVertex)
}

/// Returns the edge of `beside` with the closest vertex of the other shape, if the two closest vertices coincide up to
/// rounding.
///
/// No direction connects such vertices.
fn at_vertices(pair: &Pair<'_>, vertices: [usize; 2], beside: EdgeVertex) -> Option<EdgeVertex> {
    let (a, b) = (pair.parts[0].convex.hull_vertex(vertices[0]), pair.parts[1].convex.hull_vertex(vertices[1]));
    (norm1(pair.other_in[0].apply(b) - a) <= pair.rounding.position())
        .then_some(EdgeVertex { vertex: vertices[1 - beside.of], ..beside })
}

/// Returns true if two vertices are certainly the closest points, beyond rounding.
///
/// A vertex is closest to a point if both edges at it lead away from the point. Two points that are closest to each
/// other are the closest points of the shapes (convexity).
fn are_nearest(pair: &Pair<'_>, vertices: [usize; 2]) -> bool {
    [0, 1].into_iter().all(|i| {
        let (own, other) = (pair.parts[i].convex, pair.parts[1 - i].convex);
        let p = own.hull_vertex(vertices[i]);
        let toward = pair.other_in[i].apply(other.hull_vertex(vertices[1 - i])) - p;
        let away = |tangent: DVec2| toward.dot(tangent) <= -pair.rounding.position();
        own.edge_count() == 0 || (away(own.tangent(vertices[i])) && away(-own.tangent(own.previous(vertices[i]))))
    })
}

/// Tests every vertex against every edge and vertex, for the rare case in which rounding makes the fast path uncertain.
///
/// If a vertex is over an edge and the whole other hull is in front of that edge, both are closest. Otherwise two
/// vertices are.
#[cold]
fn brute_force(pair: &Pair<'_>, best: EdgeVertex) -> FeaturePair {
    let (mut best_edge, mut largest) = ((f64::NEG_INFINITY, best), f64::NEG_INFINITY);
    let mut vertices = (f64::INFINITY, [0, 0]);
    for of in [0, 1] {
        let (own, other) = (pair.parts[of].convex, pair.parts[1 - of].convex);
        for edge in 0..own.hull_vertex_count() {
            let candidates = (0..other.hull_vertex_count()).map(|vertex| EdgeVertex { of, edge, vertex });
            for candidate in candidates.clone() {
                let (distance, _) = length_and_direction(candidate.point(pair) - own.hull_vertex(edge), DVec2::X);
                if distance < vertices.0 {
                    vertices = (distance, if of == 0 { [edge, candidate.vertex] } else { [candidate.vertex, edge] });
                }
            }
            if own.edge_count() == 0 {
                continue;
            }
            let separation = candidates.clone().map(|candidate| candidate.height(pair)).fold(f64::INFINITY, f64::min);
            largest = largest.max(separation);
            let over = candidates.clone().find(|candidate| {
                candidate.height(pair) <= separation + pair.rounding.position() && candidate.foot(pair) == Foot::On
            });
            if let Some(candidate) = over.filter(|_| separation > best_edge.0) {
                best_edge = (separation, candidate);
            }
        }
    }
    // No separation is above the distance. An edge with a smaller one is on the far side of the shape.
    let is_edge = best_edge.0 > f64::NEG_INFINITY && best_edge.0 >= largest - pair.rounding.height();
    let edge = if is_edge { Some(best_edge.1) } else { at_vertices(pair, vertices.1, best) };
    edge.filter(|&edge| !is_on_far_side(pair, edge, vertices.0))
        .map_or(FeaturePair::Vertices(vertices.1), FeaturePair::EdgeVertex)
}

/// Returns true if an edge gives a certain overlap although the shapes do not overlap: it is on the far side of a tiny
/// shape.
///
/// A tolerance can be larger than such a shape. The closest edge never has a depth above the error bound then, so it is
/// not refused. `distance` is that of the closest vertices. Two vertices are never closer than the shapes, so their
/// depth is not above the bound either. Shapes can touch at an edge of a tiny shape. Then a height of 75 units of
/// `noise`, a foot of 33 along the edge and 33 to the vertex are possible. Each has a part of `far`. This is less than
/// 3 error bounds (192 units).
fn is_on_far_side(pair: &Pair<'_>, edge: EdgeVertex, distance: f64) -> bool {
    pair.radius - at_features(pair, FeaturePair::EdgeVertex(edge)).distance > pair.rounding.separation()
        && distance <= 3.0 * pair.rounding.separation()
        && exact::relation(pair.parts[0], pair.parts[1]) != Relation::Overlapping
}
