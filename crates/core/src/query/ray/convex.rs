//! Intersects a ray with one convex part: entry and exit.
//!
//! Input: a ray, possibly with a radius, and a placed part. Output: the interval of the ray in the
//! part, with the boundary features at both ends. The hit is exact: floating point decides if its
//! error bound allows it, else the exact predicate of [`intersects`](crate::intersects). The times
//! are closed forms.
//!
//! ```text
//! point, segment:         exact orientations
//! polygon:                clip by the half-planes of its edges              (half_planes.rs)
//! polygon, many vertices: bisect both chains between the extreme vertices   (line_polygon.rs)
//! rounded part:           discs about its vertices, strips along its edges  (rounded_boundary.rs)
//! ```
//!
//! A polygon is an intersection of half-planes, which the ray enters or leaves (Cyrus and Beck
//! 1978). The entry alone does not decide the hit: near a vertex, rounding can swap entry and exit.
//! So the midpoint of the interval must be inside by more than the error bound. Otherwise the exact
//! predicate decides.
//!
//! Error bounds are those of a pair of shapes, with the end of the ray as a vertex of the second
//! shape. Each crossing has an error bound of its time, because a ray almost parallel to an edge
//! crosses it at an inaccurate time. Then the end of the edge that the ray passes gives a better
//! time.

use core::cmp::Ordering::{Equal, Greater};

use glam::DVec2;

use super::half_planes::{HalfPlaneClip, ahead, highest_at};
use super::line_polygon::LinePolygon;
use super::prepared::{BoundaryFeature, Crossing, PreparedRay, RayInterval};
use super::rounded_boundary::RoundedBoundary;
use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::math::vector::{
    MIN_SUBNORMAL, UNIT_ROUNDOFF, clamp_to_length, cross, length, length_and_direction, norm1, unit,
};
use crate::pair_result::Feature;
use crate::pair_result::Relation;
use crate::query::fast_path;
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// Number of vertices from which on not all edges are tested.
const CLIMB: usize = 32;

/// Error bound of underflow in a sum of a few products with unit vectors.
const UNDERFLOW: f64 = 64.0 * MIN_SUBNORMAL;

/// Products of two lengths below this value have lost digits.
const LOST: f64 = 1e-280;

impl PreparedRay {
    /// Returns true if the ray starts in a part. Exact.
    fn starts_in(&self, part: Part<'_>) -> bool {
        self.relation_at(self.origin, part) != Relation::Apart
    }

    /// Returns the exact relation of the ray's end to a part.
    pub(super) fn end_relation(&self, part: Part<'_>) -> Relation {
        self.relation_at(self.end, part)
    }

    /// Returns the exact relation of a disc with the radius of the ray to a part.
    fn relation_at(&self, point: DVec2, part: Part<'_>) -> Relation {
        let (circle, pose) = circle_at(point, self.radius);
        fast_path::relation_of_parts(Part { convex: &circle, pose }, part)
    }

    /// Returns true if the ray hits a part. Exact.
    fn intersects(&self, part: Part<'_>) -> bool {
        let (swept, pose) = self.swept();
        fast_path::relation_of_parts(Part { convex: &swept, pose }, part) != Relation::Apart
    }

    /// Returns the swept shape. It is placed at the ray's origin if this gives the same end: points
    /// near the origin of a shape have smaller error bounds.
    fn swept(&self) -> (Convex, Pose) {
        match Pose::from_translation(self.origin) {
            Ok(pose) if pose.transform_point(self.displacement) == self.end => {
                (Convex::segment(DVec2::ZERO, self.displacement, self.radius), pose)
            }
            _ => (Convex::segment(self.origin, self.end, self.radius), Pose::IDENTITY),
        }
    }

    /// Returns the error bound of computations in the frame of a part, against the exact set.
    ///
    /// The sources of error are those of `ErrorBounds::separation`, with the rounded end of the ray
    /// as a vertex of the other shape.
    #[inline(always)]
    pub(super) fn error_bound(&self, part: &Part<'_>) -> f64 {
        let translation = part.pose.translation();
        let near = part.convex.bounding_radius
            + norm1(self.origin - translation)
            + norm1(self.displacement)
            + self.radius
            + part.convex.radius;
        64.0 * UNIT_ROUNDOFF * near + 3.0 * UNIT_ROUNDOFF * (norm1(translation) + norm1(self.origin)) + UNDERFLOW
    }

    /// Returns the interval of the ray in the part, if it hits it.
    #[inline]
    pub(super) fn through(&self, part: Part<'_>) -> Option<RayInterval> {
        let radius = self.radius + part.convex.radius;
        if self.is_point() {
            return self.starts_in(part).then(|| self.standing());
        }
        match part.convex.hull_vertex_count() {
            1 if radius > 0.0 => self.through_disc(part, radius),
            _ if radius > 0.0 => self.through_round(part, radius),
            1 => self.along_line(part.placed(0), part.placed(0)),
            2 => self.through_segment(part),
            n if n < CLIMB || norm1(self.displacement) * part.convex.bounding_radius < LOST => {
                self.through_polygon(part)
            }
            _ => self.through_many(part),
        }
    }

    /// Returns the interval of a ray without length inside the part.
    fn standing(&self) -> RayInterval {
        let here = |normal: DVec2| BoundaryFeature::Known(Crossing { time: 0.0, normal, error: 0.0, feature: None });
        RayInterval { starts_inside: true, enter: here(-self.direction()), exit: here(self.direction()) }
    }

    /// Intersects the ray with a point, or with a segment that may be collinear.
    fn along_line(&self, a: DVec2, b: DVec2) -> Option<RayInterval> {
        let on_line = orientation(self.origin, self.end, a) == Equal && orientation(self.origin, self.end, b) == Equal;
        let (low, high) = (a.min(b), a.max(b));
        let overlap = self.origin.min(self.end).cmple(high).all() && low.cmple(self.origin.max(self.end)).all();
        if !on_line || !overlap {
            return None;
        }
        let (s, t) = (self.nearest_to(a), self.nearest_to(b));
        let error = 8.0 * UNIT_ROUNDOFF * (norm1(self.origin - a) + norm1(b - a) + norm1(self.displacement))
            / norm1(self.displacement);
        let forward = self.direction();
        let [first, last] =
            if s <= t { [0, 1] } else { [1, 0] }.map(|end| Some(Feature::Vertex(if a == b { 0 } else { end })));
        Some(RayInterval {
            starts_inside: low.cmple(self.origin).all() && self.origin.cmple(high).all(),
            enter: BoundaryFeature::Known(Crossing { time: s.min(t), normal: -forward, error, feature: first }),
            exit: BoundaryFeature::Known(Crossing { time: s.max(t), normal: forward, error, feature: last }),
        })
    }

    /// Intersects the ray with a segment: four exact orientations decide.
    fn through_segment(&self, part: Part<'_>) -> Option<RayInterval> {
        let (a, b) = (part.placed(0), part.placed(1));
        let (of_a, of_b) = (orientation(self.origin, self.end, a), orientation(self.origin, self.end, b));
        if of_a == of_b {
            return if of_a == Equal { self.along_line(a, b) } else { None };
        }
        let (of_start, of_end) = (orientation(a, b, self.origin), orientation(a, b, self.end));
        if of_start == of_end {
            return None;
        }
        let from_left = if of_start == Equal { of_end != Greater } else { of_start == Greater };
        // Edge 0 is the right side of a → b, edge 1 the left one.
        let [enter, exit] = if from_left { [1, 0] } else { [0, 1] };
        Some(RayInterval {
            starts_inside: of_start == Equal,
            enter: BoundaryFeature::Edge(enter),
            exit: BoundaryFeature::Edge(exit),
        })
    }

    /// Intersects the ray with a polygon: the latest entry and the earliest exit through edge
    /// lines.
    fn through_polygon(&self, part: Part<'_>) -> Option<RayInterval> {
        let error_bound = self.error_bound(&part);
        let (from, displacement) = self.seen_from(&part.pose);
        let clip = HalfPlaneClip::of(part.convex, from, displacement, 4.0 * error_bound);
        if clip.both_ends > error_bound {
            return None;
        }
        let middle = clip.enter.0.max(0.0) + clip.exit.0.min(1.0);
        let deep =
            clip.enter.0 < clip.exit.0 && highest_at(part.convex, from + displacement * (0.5 * middle)) < -error_bound;
        if !deep {
            let (low, high) = ahead(part.convex, from, displacement);
            let enough = error_bound * norm1(displacement) + LOST;
            if low > enough || high < -enough || !self.intersects(part) {
                return None;
            }
        }
        let starts_inside = if clip.start.abs() > error_bound { clip.start < 0.0 } else { self.starts_in(part) };
        // Without any edge the ray is parallel to all edges, up to rounding: it is as short as the
        // rounding error.
        let feature = |edge: Option<usize>, sign: f64| match edge {
            Some(edge) => BoundaryFeature::Edge(edge),
            None => at_rounding_error(1.0, self.direction() * sign, None),
        };
        Some(RayInterval { starts_inside, enter: feature(clip.enter.1, -1.0), exit: feature(clip.exit.1, 1.0) })
    }

    /// Does the same as [`through_polygon`](Self::through_polygon) for polygons with many edges.
    fn through_many(&self, part: Part<'_>) -> Option<RayInterval> {
        let error_bound = self.error_bound(&part);
        let (from, displacement) = self.seen_from(&part.pose);
        let line = LinePolygon::of(part.convex, from, displacement);
        if line.misses(from, displacement, error_bound) {
            return None;
        }
        if !line.surely_intersects(from, displacement, error_bound) && !self.intersects(part) {
            return None;
        }
        let outside = line.height(line.enter, from) > error_bound;
        let starts_inside = !outside && (line.surely_contains(from, error_bound) || self.starts_in(part));
        Some(RayInterval {
            starts_inside,
            enter: BoundaryFeature::Edge(line.enter),
            exit: BoundaryFeature::Edge(line.exit),
        })
    }

    /// Returns the crossing of the ray and a boundary feature of a part.
    #[inline(always)]
    pub(super) fn crossing(&self, part: Part<'_>, feature: BoundaryFeature) -> Crossing {
        match feature {
            BoundaryFeature::Edge(edge) => self.crossing_of_edge(part, edge),
            BoundaryFeature::Known(crossing) => crossing,
        }
    }

    /// Returns the crossing of the ray and an edge, computed from the placed points.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn crossing_of_edge(&self, part: Part<'_>, edge: usize) -> Crossing {
        let error_bound = self.error_bound(&part);
        let normal = part.pose.rotate_vector(part.convex.normal(edge));
        let (a, b) = (part.placed(edge), part.placed(part.convex.next(edge)));
        let (mut time, beyond) = self.time_through([a, b], normal);
        // If edge and ray are almost parallel, the end that the ray passes is more accurate.
        if let Some(end) = beyond
            && cross(self.direction(), end - self.origin).abs() <= 4.0 * error_bound
        {
            time = self.nearest_to(end);
        }
        Crossing {
            time,
            normal,
            error: 2.0 * error_bound / normal.dot(self.displacement).abs(),
            feature: Some(Feature::Edge(edge as u32)),
        }
    }

    /// Returns the time at which the ray crosses the line of a side, and the end beyond which it
    /// does so, if any.
    #[inline(always)]
    pub(super) fn time_through(&self, [a, b]: [DVec2; 2], normal: DVec2) -> (f64, Option<DVec2>) {
        let time = normal.dot(a - self.origin) / normal.dot(self.displacement);
        let along = b - a;
        let (foot, whole) = ((self.at(time) - a).dot(along), along.dot(along));
        let is_beyond = !(foot >= 0.0 && foot <= whole);
        (time, is_beyond.then_some(if foot > whole { b } else { a }))
    }

    /// Intersects the ray with a disc by its distance from the middle of the ray.
    fn through_disc(&self, part: Part<'_>, radius: f64) -> Option<RayInterval> {
        let (length, direction) = self.measure();
        let apart = part.placed(0) - self.origin;
        let nearest = apart - direction * clamp_to_length(apart.dot(direction), length);
        let error_bound = self.error_bound(&part);
        let gap = length_and_direction(nearest, DVec2::X).0 - radius;
        if gap > error_bound || (gap >= -error_bound && !self.intersects(part)) {
            return None;
        }
        let gap = length_and_direction(apart, DVec2::X).0 - radius;
        let starts_inside = if gap.abs() > error_bound { gap < 0.0 } else { self.starts_in(part) };
        let mut boundary = RoundedBoundary::new(self, (length, direction), radius, error_bound);
        boundary.vertex(0, part.placed(0));
        Some(boundary.interval(starts_inside).unwrap_or_else(|| self.grazing(part, starts_inside)))
    }

    /// Intersects the ray with a part if one of both has a radius.
    fn through_round(&self, part: Part<'_>, radius: f64) -> Option<RayInterval> {
        if !self.intersects(part) {
            return None;
        }
        let starts_inside = self.starts_in(part);
        let mut boundary = RoundedBoundary::new(self, self.measure(), radius, self.error_bound(&part));
        for i in 0..part.convex.hull_vertex_count() {
            boundary.vertex(i, part.placed(i));
        }
        for i in 0..part.convex.edge_count() {
            let normal = part.pose.rotate_vector(part.convex.normal(i));
            boundary.edge(i, normal, part.placed(i), part.placed(part.convex.next(i)));
        }
        Some(boundary.interval(starts_inside).unwrap_or_else(|| self.grazing(part, starts_inside)))
    }

    /// Returns the interval of a ray that misses by rounding only: the point nearest to a vertex.
    #[cold]
    fn grazing(&self, part: Part<'_>, starts_inside: bool) -> RayInterval {
        let (mut least, mut vertex, mut time, mut normal) = (f64::INFINITY, 0, 1.0, None);
        for i in 0..part.convex.hull_vertex_count() {
            let nearest = self.nearest_to(part.placed(i)).clamp(0.0, 1.0);
            let away = self.at(nearest) - part.placed(i);
            if length(away) < least {
                (least, vertex, time, normal) = (length(away), i as u32, nearest, unit(away));
            }
        }
        let normal = normal.unwrap_or(-self.direction());
        let feature = at_rounding_error(time, normal, Some(Feature::Vertex(vertex)));
        RayInterval { starts_inside, enter: feature, exit: feature }
    }
}

/// Returns a crossing at an inaccurate time: its error bound is the whole ray.
#[cold]
fn at_rounding_error(time: f64, normal: DVec2, feature: Option<Feature>) -> BoundaryFeature {
    BoundaryFeature::Known(Crossing { time, normal, error: 1.0, feature })
}

/// Returns a circle about a point of the world. Placed points may exceed the range of a pose.
pub(in crate::query) fn circle_at(point: DVec2, radius: f64) -> (Convex, Pose) {
    match Pose::from_translation(point) {
        Ok(pose) => (Convex::point(DVec2::ZERO, radius), pose),
        Err(_) => (Convex::point(point, radius), Pose::IDENTITY),
    }
}
