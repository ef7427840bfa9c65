//! Computes the contact of a segment or capsule with a polygon of up to eight vertices in closed form.
//!
//! Input: two convex shapes and their poses. Output: the manifold, bit for bit that of the general path
//! ([`convex_pair`](super::convex_pair)), or undecided. The general path searches the best edges of both shapes, then
//! the closest features, and clips. A segment has two vertices, so few numbers decide:
//!
//! ```text
//! heights of both ends over each edge of the polygon, in its frame
//! best edge = that with the greatest lower height
//! if this height is above the radii + margin:     no contact
//! if the lower end is over the edge:              contact of the edge and this end
//! if the end of the edge is nearest to it:        contact of two vertices
//! ```
//!
//! Every comparison must be certain: beyond the error bound of both computations. Otherwise the general path decides.
//! It also computes overlaps of the hulls, sides that lie over an edge, and contacts of two points.

use glam::DVec2;

use super::circles::Uncertain;
use super::pair::{ErrorBounds, Relative};
use crate::math::pose::Pose;
use crate::math::vector::{cross, length, length_and_direction};
use crate::pair_result::{Feature, Manifold, Margin};
use crate::shape::convex::Convex;
use crate::shape::convex::convex_view::{ConvexView, RectangleView, SmallPolygonView};

/// Largest number of edges of the polygon.
const MAX_EDGES: usize = 8;

/// A polygon of up to eight vertices.
trait SmallPolygon: ConvexView {
    /// Returns the edge with the greatest lower height of two points, with this height and that of the next best edge.
    fn best_edges(self, ends: [DVec2; 2]) -> (usize, [f64; 2]);
}

impl SmallPolygon for RectangleView<'_> {
    #[inline(always)]
    fn best_edges(self, [p, q]: [DVec2; 2]) -> (usize, [f64; 2]) {
        let (half, low, high) = (self.half(), p.min(q), p.max(q));
        two_greatest([-high.y - half.y, low.x - half.x, low.y - half.y, -high.x - half.x])
    }
}

impl SmallPolygon for SmallPolygonView<'_> {
    #[inline(always)]
    fn best_edges(self, [p, q]: [DVec2; 2]) -> (usize, [f64; 2]) {
        let mut separations = [f64::NEG_INFINITY; MAX_EDGES];
        for (i, separation) in separations.iter_mut().enumerate() {
            // The padding has an offset of `f64::MAX`.
            let (normal, offset) = (self.normal(i), self.blocks[i / 4].offset[i % 4]);
            *separation = normal.dot(p).min(normal.dot(q)) - offset;
        }
        two_greatest(separations)
    }
}

/// A polygon and a segment at their poses.
struct PolygonSegment<'a, O> {
    polygon: (&'a Convex, &'a Pose),
    /// View of the polygon, specialized by kind.
    outline: O,
    segment: (&'a Convex, &'a Pose),
    /// The ends of the segment in its own frame, and the normal of its edge 0.
    points: &'a [DVec2; 2],
    normal: DVec2,
    /// Index of the polygon in the pair: 0 or 1.
    of: usize,
    rounding: ErrorBounds,
    margin: Margin,
    /// The ends of the segment in the frame of the polygon.
    ends: [DVec2; 2],
}

/// Returns the manifold of two shapes, or `None` if their distance is greater than the margin.
#[inline]
pub(super) fn contact([a, b]: [&Convex; 2], [p, q]: [&Pose; 2], margin: Margin) -> Result<Option<Manifold>, Uncertain> {
    let rounding = ErrorBounds::between([a, b], [p, q], q.translation() - p.translation());
    let (of, polygon, segment, (points, normal)) = match (a.as_segment(), b.as_segment()) {
        (None, Some(points)) => (0, (a, p), (b, q), points),
        (Some(points), None) => (1, (b, q), (a, p), points),
        _ => return Err(Uncertain),
    };
    let pose = Relative::between(polygon.1, segment.1);
    let ends = [pose.apply(points[0]), pose.apply(points[1])];
    if let Some(outline) = polygon.0.as_rectangle_view() {
        return PolygonSegment { polygon, outline, segment, points, normal, of, rounding, margin, ends }.contact();
    }
    let Some(outline) = polygon.0.as_small_polygon_view() else { return Err(Uncertain) };
    PolygonSegment { polygon, outline, segment, points, normal, of, rounding, margin, ends }.contact()
}

impl<O: SmallPolygon> PolygonSegment<'_, O> {
    #[inline(always)]
    fn contact(&self) -> Result<Option<Manifold>, Uncertain> {
        let certain = 4.0 * self.rounding.separation();
        let radius = self.polygon.0.radius + self.segment.0.radius;
        let limit = radius + self.margin.length() + certain;
        let (edge, [best, second]) = self.outline.best_edges(self.ends);
        if best > limit {
            return Ok(None);
        }
        if best <= certain || best - second <= certain {
            return Err(Uncertain);
        }
        let (outline, next) = (self.outline, self.outline.next(edge));
        let (start, end, normal) = (outline.hull_vertex(edge), outline.hull_vertex(next), outline.normal(edge));
        let tangent = DVec2::new(-normal.y, normal.x);
        let heights = [normal.dot(self.ends[0] - start), normal.dot(self.ends[1] - start)];
        let vertex = usize::from(heights[1] < heights[0]);
        let (low, high) = (self.ends[vertex], self.ends[1 - vertex]);
        let [before, behind] = [tangent.dot(low - start), tangent.dot(end - low)];
        let tilt = (heights[0] - heights[1]).abs();
        if tilt <= certain {
            return Err(Uncertain);
        }
        if before.min(behind) > certain {
            // No side of the segment is as good: its height is less by the sine of the angle times the distance from
            // the end of the edge.
            let is_better = before.min(behind) * tilt > 2.0 * certain * length(high - low);
            return if is_better { self.over_edge(edge, vertex) } else { Err(Uncertain) };
        }
        let corner = if before < behind { edge } else { next };
        let apart = low - outline.hull_vertex(corner);
        let [along, back] = [outline.normal(corner), outline.normal(outline.previous(corner))];
        let side = high - low;
        // Each of the two vertices is the nearest point of its shape to the other one.
        let is_nearest =
            cross(along, apart) < -certain && cross(back, apart) > certain && apart.dot(side) > certain * length(side);
        if is_nearest { self.at_vertices(corner, vertex) } else { Err(Uncertain) }
    }

    /// Returns the manifold of an edge and the end of the segment over it.
    #[inline(always)]
    fn over_edge(&self, edge: usize, vertex: usize) -> Result<Option<Manifold>, Uncertain> {
        let ((convex, pose), (segment, at), outline) = (self.polygon, self.segment, self.outline);
        // As in `separation.rs` and `clip.rs`, in the same order.
        let normal = pose.rotate_vector(outline.normal(edge));
        let start = pose.transform_point(outline.hull_vertex(edge));
        let low = at.transform_point(self.points[vertex]);
        let Some(depth) = self.depth(normal.dot(low - start))? else { return Ok(None) };
        let tangent = DVec2::new(-normal.y, normal.x);
        let end = pose.transform_point(outline.hull_vertex(outline.next(edge)));
        let length = tangent.dot(end - start).max(0.0);
        let high = at.transform_point(self.points[1 - vertex]);
        let points = [low - start, high - start];
        let along = [points[0].dot(tangent), points[1].dot(tangent)];
        let front = [points[0].dot(normal), points[1].dot(normal)];
        if self.has_second_point([normal, tangent], length, [along, front], vertex)? {
            return Err(Uncertain);
        }
        // Between the ends of the edge, and turns −0 into 0.
        let along = along[0] + 0.0;
        let point = points[0] + (points[1] - points[0]) * 0.0;
        let back = normal * segment.radius;
        let on_polygon = tangent * along + start + normal * convex.radius;
        let on_segment = point + start - back;
        let features = [Feature::Edge(outline.edge_id(edge)), Feature::Vertex(segment.vertex_id(vertex))];
        let toward_b = normal * [1.0, -1.0][self.of];
        Ok(Some(Manifold::at(self.of, toward_b, depth, [on_polygon, on_segment], features)))
    }

    /// Returns true if the side of the segment also has a contact point; undecided if its lower end is cut.
    #[inline(always)]
    fn has_second_point(
        &self,
        [normal, tangent]: [DVec2; 2],
        length: f64,
        [along, front]: [[f64; 2]; 2],
        vertex: usize,
    ) -> Result<bool, Uncertain> {
        let (segment, pose) = self.segment;
        let tolerance = 3.0 * self.rounding.position();
        let radius = self.polygon.0.radius + segment.radius;
        let (mut shift, mut tilt) = (0.0, 0.0);
        if segment.radius != 0.0 {
            let facing = pose.inverse_rotate_vector(normal);
            let sides = [self.normal * 1.0, self.normal * -1.0];
            let is_before = sides[1 - vertex].dot(facing) < sides[vertex].dot(facing);
            let side = sides[if is_before { 1 - vertex } else { vertex }];
            let out = pose.rotate_vector(side) * segment.radius;
            (shift, tilt) = (tangent.dot(out), normal.dot(out) + segment.radius);
        }
        let highest = radius - (front[0] + tilt);
        if front[1] >= front[0] && highest < -self.margin.length() - self.rounding.separation() {
            // Each point of the side is at least as high as its lower end.
            return Ok(false);
        }
        let sides = [along[0] + shift, along[1] + shift];
        let ends = [along[0] + 0.0, sides[1]];
        let clipped = [ends[0].max(0.0).min(length), ends[1].max(0.0).min(length)];
        let is_cut = |i: usize| (ends[i] - clipped[i]).abs() > tolerance;
        if is_cut(0) {
            return Err(Uncertain);
        }
        let part = if is_cut(1) { ((clipped[1] - sides[1]) / (sides[0] - sides[1])).clamp(0.0, 1.0) } else { 0.0 };
        let depth = radius - (front[1] + (front[0] - front[1]) * part + tilt);
        let is_over = segment.radius == 0.0
            || sides[0].max(sides[1]) >= -tolerance && sides[0].min(sides[1]) <= length + tolerance;
        let is_far = (clipped[1] - clipped[0]).abs() > self.rounding.length();
        Ok(is_far && is_over && depth >= -self.margin.length())
    }

    /// Returns the manifold of two vertices.
    #[inline(always)]
    fn at_vertices(&self, corner: usize, vertex: usize) -> Result<Option<Manifold>, Uncertain> {
        let ((convex, pose), (segment, at), outline) = (self.polygon, self.segment, self.outline);
        let points = [pose.transform_point(outline.hull_vertex(corner)), at.transform_point(self.points[vertex])];
        let (distance, normal) = length_and_direction(points[1 - self.of] - points[self.of], DVec2::X);
        let Some(depth) = self.depth(distance)? else { return Ok(None) };
        let toward = [normal, -normal][self.of];
        let surfaces = [points[0] + toward * convex.radius, points[1] - toward * segment.radius];
        let features = [Feature::Vertex(outline.vertex_id(corner)), Feature::Vertex(segment.vertex_id(vertex))];
        Ok(Some(Manifold::at(self.of, normal, depth, surfaces, features)))
    }

    /// Returns the depth from the distance of the hulls, or `None` if the gap is greater than the margin.
    #[inline(always)]
    fn depth(&self, distance: f64) -> Result<Option<f64>, Uncertain> {
        let error_bound = self.rounding.separation();
        let depth = self.polygon.0.radius + self.segment.0.radius - distance;
        let is_certain = depth.abs() > error_bound && (depth + self.margin.length()).abs() > error_bound;
        if is_certain { Ok((depth >= -self.margin.length()).then_some(depth)) } else { Err(Uncertain) }
    }
}

/// Returns the index of the greatest number, and the two greatest ones.
#[inline(always)]
fn two_greatest<const N: usize>(numbers: [f64; N]) -> (usize, [f64; 2]) {
    let (mut index, mut best, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (i, &number) in numbers.iter().enumerate() {
        if number > best {
            (index, best, second) = (i, number, best);
        } else if number > second {
            second = number;
        }
    }
    (index, [best, second])
}
