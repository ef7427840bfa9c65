//! Answers ray, point and distance queries over many shapes.
//!
//! Input: a broad phase over boxes, and a function from ids to placed shapes. Output: the same
//! results as the query of each shape. The simple version tests the candidates in the order in
//! which the broad phase returns them:
//!
//! ```text
//! for each candidate of the broad phase: exact query of its shape; keep the best, and tighten the limit
//! ```
//!
//! With quantized shapes, three layers of increasing cost decide:
//!
//! ```text
//! boxes of the BVH                     exclude most shapes
//! quantized polygons                   decide most of the others, or bound the result   (quantized_tests.rs)
//! exact data or the shape itself       computes the rest                                (exact_data.rs)
//! ```

mod batches;
mod best_candidates;
mod exact_data;
mod interval;
mod packed_bvh;
mod quantized_polygon;
mod quantized_shapes;
mod quantized_tests;
mod traversal;

use core::hint::black_box;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::convex_pair::{distance_from_edge, distance_from_vertex};
use super::ray::ray_cast_through;
use super::{Distance, RayHit, distance, intersects, is_within, ray_cast};
use crate::broad_phase::{BroadPhase, LocalOrigin};
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::ray::Ray;
use crate::math::simd::dispatch;
use crate::math::vector::{check_point, norm1};
use crate::shape::convex::Convex;
use crate::shape::{Form, Placed, Shape};
use best_candidates::{BestCandidates, Candidate};
use exact_data::{ExactData, ShapeRef};
use interval::{ClosestFeature, Interval, NONE};
use packed_bvh::PackedBvh;
pub use quantized_shapes::QuantizedShapes;
use traversal::{PipelineNearestQuery, PipelinePointQuery, PipelineRayQuery, error_bound_about};

/// Queries over placed shapes, identified by the ids of a broad phase that contains their boxes.
///
/// The last argument returns the shape of an id, or `None` to exclude it. This is the filter, and
/// it runs inside the traversal.
///
/// ```
/// use carom::broad_phase::{Bvh, Filter, LocalOrigin};
/// use carom::{DVec2, Ray, Shape};
/// use carom::query::QueryPipeline;
///
/// let (ball, frame) = (Shape::circle(1.0)?, LocalOrigin::new(DVec2::ZERO));
/// let balls = [ball.at([0.0, 0.0])?, ball.at([5.0, 0.0])?, ball.at([5.5, 0.5])?];
/// let boxes = (0..).zip(&balls).map(|(id, ball)| (id, frame.to_local(&ball.aabb()), Filter::default(), false));
/// let bvh = Bvh::from_boxes(boxes);
///
/// let all = QueryPipeline::new(&bvh, frame, |id| Some(balls[id as usize]));
/// let (id, hit) = all.ray_cast(Ray::new([2.0, 0.0], [10.0, 0.0])?).unwrap();
/// assert_eq!((id, hit.time), (1, 0.2));
/// assert_eq!(all.nearest([2.0, 0.0], f64::INFINITY)?.unwrap().0, 0);
/// let but_the_first = QueryPipeline::new(&bvh, frame, |id| (id != 0).then(|| balls[id as usize]));
/// assert_eq!(but_the_first.nearest([2.0, 0.0], f64::INFINITY)?.unwrap().0, 1);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QueryPipeline<'b, B: ?Sized, F> {
    /// The boxes of all shapes.
    broad: &'b B,
    /// Origin of these boxes.
    frame: LocalOrigin,
    /// Returns the shape of an id; `None` excludes it.
    placed: F,
    /// Quantized shapes, if given.
    outlines: Option<&'b QuantizedShapes>,
}

/// A point shape at the origin.
const POINT: &Shape = &Shape(Form::Convex(Convex::ORIGIN));

impl<'b, 's, B: BroadPhase + ?Sized, F: Fn(u32) -> Option<Placed<'s>>> QueryPipeline<'b, B, F> {
    /// Creates queries over the shapes whose boxes, relative to `frame`, a broad phase contains.
    #[must_use]
    pub fn new(broad: &'b B, frame: LocalOrigin, placed: F) -> Self {
        Self { broad, frame, placed, outlines: None }
    }

    /// Adds quantized shapes, which decide most tests without access to the shapes. They must match
    /// the present shapes.
    #[must_use]
    pub fn with_outlines(self, outlines: &'b QuantizedShapes) -> Self {
        Self { outlines: Some(outlines), ..self }
    }

    /// Returns the first hit of a ray, as [`ray_cast`] for each shape. Tie: lowest id. If a shape
    /// is above about 1e12 times the gaps between hits, hits within the rounding error of their
    /// times may be exchanged. The hit itself is exact.
    #[must_use]
    pub fn ray_cast(&self, ray: Ray) -> Option<(u32, RayHit)> {
        let mut first = BestCandidates::new(1.0);
        self.first_along(&ray, &mut first, true);
        first.decide(|candidate| self.cast_at(&ray, candidate))
    }

    /// Collects the shapes that a ray may hit first. With `prefetch`, prefetches their exact data.
    #[inline(always)]
    fn first_along(&self, ray: &Ray, first: &mut BestCandidates<RayHit>, prefetch: bool) {
        let mut seen = 0;
        let outlines = self.outlines.filter(|_| ray.radius() == 0.0 && !ray.is_hollow());
        let compute = |candidate: &Candidate| self.cast_at(ray, candidate);
        if let Some(packed) = self.packed().filter(|_| outlines.is_some()) {
            let there = |id| (self.placed)(id).is_some();
            dispatch(PipelineRayQuery { packed, ray, first, there, compute, prefetch });
        } else {
            self.broad.cast_ray(&self.frame.localize_ray(ray), &mut |id| {
                if self.is_there(id, prefetch, &mut seen)
                    && let Some(time) = outlines.map_or(Some(Interval::UNKNOWN), |outlines| outlines.time(id, ray))
                {
                    first.add([id, NONE], time, compute);
                }
                Continue(first.most)
            });
        }
        black_box(seen);
    }

    /// Returns true if an id is included. With `prefetch`, reads its shape.
    #[inline(always)]
    fn is_there(&self, id: u32, prefetch: bool, seen: &mut u64) -> bool {
        let placed = (self.placed)(id);
        if let Some(placed) = placed.filter(|_| prefetch) {
            *seen ^= placed.preload();
        }
        placed.is_some()
    }

    /// Returns the exact data of a packed shape, and their location.
    #[inline(always)]
    fn exact_data(&self, candidate: &Candidate) -> Option<(&ExactData, ShapeRef)> {
        let packed = self.packed().filter(|_| candidate.index != NONE)?;
        Some((&packed.exact_data, packed.exact_data_of(candidate.index as usize)))
    }

    /// Returns the BVH of packed shapes, if they are packed.
    #[inline(always)]
    fn packed(&self) -> Option<&'b PackedBvh> {
        self.outlines?.tree()
    }

    /// Computes time and point of a ray's hit with a shape, given the deciding feature if known.
    #[inline(always)]
    fn cast_at(&self, ray: &Ray, candidate: &Candidate) -> Option<(f64, RayHit)> {
        let known = self
            .exact_data(candidate)
            .and_then(|(exact_data, location)| exact_data.cast(location, ray, candidate.feature));
        let hit = if let Some(hit) = known { hit } else { self.cast_at_shape(ray, candidate)? };
        Some((hit.time, hit))
    }

    /// Does the same as [`cast_at`](QueryPipeline::cast_at) without exact data.
    #[inline(never)]
    fn cast_at_shape(&self, ray: &Ray, candidate: &Candidate) -> Option<RayHit> {
        if let Some(placed) =
            self.exact_data(candidate).and_then(|(exact_data, location)| exact_data.rectangle(location))
        {
            return ray_cast(*ray, placed.0.placed(placed.1));
        }
        let placed = (self.placed)(candidate.id)?;
        if let Some(ClosestFeature::Edge(edge)) = candidate.feature {
            ray_cast_through(*ray, placed, edge.into())
        } else {
            ray_cast(*ray, placed)
        }
    }

    /// Returns true if a shape is included and contains a point.
    #[inline(always)]
    fn contains(&self, id: u32, point: DVec2) -> bool {
        self.contains_if_known(id, point, self.outlines.and_then(|outlines| outlines.contains(id, point)))
    }

    /// Does the same as [`contains`](QueryPipeline::contains) after a test of the quantized shape.
    #[inline(always)]
    fn contains_if_known(&self, id: u32, point: DVec2, known: Option<bool>) -> bool {
        let contains = |placed| known.unwrap_or_else(|| POINT.at(point).is_ok_and(|point| intersects(placed, point)));
        (self.placed)(id).is_some_and(contains)
    }

    /// Visits every shape that contains a point, boundary included, in any order, until `visit`
    /// breaks. Exact. Each shape whose box contains the point is tested, so the time is linear if
    /// all boxes do.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn visit_containing_point(
        &self,
        point: impl IntoPoint,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let point = point.into_point();
        let aabb = Aabb::new(point, point)?;
        if let Some(packed) = self.packed() {
            let visit = |id, known| if self.contains_if_known(id, point, known) { visit(id) } else { Continue(()) };
            // A break is the decision of the visitor.
            let _ = dispatch(PipelinePointQuery { packed, point, aabb: packed.frame.to_local(&aabb), visit });
            return Ok(());
        }
        self.broad.query_aabb(self.frame.to_local(&aabb), &mut |id| {
            if self.contains(id, point) { visit(id) } else { Continue(()) }
        });
        Ok(())
    }

    /// Visits every shape that intersects another shape, in any order, until `visit` breaks. Exact.
    pub fn visit_intersecting(&self, other: Placed<'_>, mut visit: impl FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_aabb(self.frame.to_local(&other.aabb()), &mut |id| {
            if (self.placed)(id).is_some_and(|placed| intersects(placed, other)) { visit(id) } else { Continue(()) }
        });
    }

    /// Returns the shape that is nearest to a point, at most `within` away, with the closest
    /// points: `point_a` lies on the shape. Tie: lowest id. If a shape is more than about 1e12
    /// times larger than the gaps, shapes within the rounding error of their distances may be
    /// exchanged.
    ///
    /// The limit is exact, as in [`within_distance`](super::within_distance). The returned distance
    /// is rounded, and never above the limit.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn nearest(&self, point: impl IntoPoint, within: f64) -> Result<Option<(u32, Distance)>, Error> {
        let (point, mut near) = (check_point("point", point.into_point())?, BestCandidates::new(within));
        self.near_to(point, within, &mut near, true);
        Ok(near.decide(|candidate| self.distance_within(point, within, candidate)))
    }

    /// Collects the shapes that may be nearest to a point. With `prefetch`, prefetches their exact
    /// data.
    #[inline(always)]
    fn near_to(&self, point: DVec2, within: f64, near: &mut BestCandidates<Distance>, prefetch: bool) {
        let mut seen = 0;
        let compute = |candidate: &Candidate| self.distance_within(point, within, candidate);
        if let Some(packed) = self.packed() {
            let there = |id| (self.placed)(id).is_some();
            dispatch(PipelineNearestQuery { packed, point, first: near, there, compute, prefetch });
        } else {
            let local = self.frame.to_local_point(point);
            let error_bound = error_bound_about(point, local);
            // The distance of a box is rounded by a few epsilon.
            let limit = |most: f64| most * (1.0 + 8.0 * f64::EPSILON) + error_bound;
            self.broad.find_nearest(local, limit(near.most), &mut |id| {
                if self.is_there(id, prefetch, &mut seen) {
                    let known = self.outlines.map_or(Interval::UNKNOWN, |outlines| outlines.distance(id, point));
                    near.add([id, NONE], known, compute);
                }
                Continue(limit(near.most))
            });
        }
        black_box(seen);
    }

    /// Returns [`distance_at`](QueryPipeline::distance_at) with an exact decision near the limit.
    ///
    /// Near the limit, the result is `None` if the exact distance is above it, else at most the
    /// limit. Other distances are returned as computed, even above it; the candidates reject them.
    #[inline(always)]
    fn distance_within(&self, point: DVec2, within: f64, candidate: &Candidate) -> Option<(f64, Distance)> {
        let (gap, found) = self.distance_at(point, candidate)?;
        // Packed shapes have one error bound for all, so this reads no shape.
        if within < f64::INFINITY
            && self.packed().is_none_or(|packed| (gap - within).abs() <= packed.distance_error(norm1(point)))
        {
            return self.at_limit(point, within, candidate.id, found);
        }
        Some((gap, found))
    }

    /// Decides exactly whether a distance is at most `within`.
    #[inline(never)]
    fn at_limit(&self, point: DVec2, within: f64, id: u32, found: Distance) -> Option<(f64, Distance)> {
        let (placed, query) = ((self.placed)(id)?, POINT.at(point).ok()?);
        let distance = found.distance.min(within);
        is_within(placed, query, found.distance, within).then_some((distance, Distance { distance, ..found }))
    }

    /// Computes the distance of a shape from a point, given the deciding feature if known.
    #[inline(always)]
    fn distance_at(&self, point: DVec2, candidate: &Candidate) -> Option<(f64, Distance)> {
        // The position of a point shape: −0.0 becomes 0.
        let position = point + DVec2::ZERO;
        let known = if candidate.feature == Some(ClosestFeature::Inside) {
            Some(Distance::new(0.0, [position; 2]))
        } else {
            self.exact_data(candidate)
                .and_then(|(exact_data, location)| exact_data.distance(location, position, candidate.feature))
        };
        let found = if let Some(found) = known { found } else { self.distance_of_shape(position, candidate)? };
        Some((found.distance, found))
    }

    /// Does the same as [`distance_at`](QueryPipeline::distance_at) without exact data.
    #[inline(never)]
    fn distance_of_shape(&self, position: DVec2, candidate: &Candidate) -> Option<Distance> {
        let query = POINT.at(position).ok()?;
        if let Some((shape, pose)) =
            self.exact_data(candidate).and_then(|(exact_data, location)| exact_data.rectangle(location))
        {
            return Some(distance(shape.placed(pose), query));
        }
        let placed = (self.placed)(candidate.id)?;
        // Rectangles have closed forms.
        let polygon = placed.as_part().filter(|part| part.convex.as_rectangle().is_none());
        Some(match (polygon, candidate.feature) {
            (Some(part), Some(ClosestFeature::Edge(edge))) => distance_from_edge(&part, edge.into(), position),
            (Some(part), Some(ClosestFeature::Vertex(vertex))) => distance_from_vertex(&part, vertex.into(), position),
            _ => distance(placed, query),
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::broad_phase::BruteForce;
    use crate::math::pose::Pose;

    /// Returns the candidate for shape 0 with a deciding feature.
    fn known(feature: Option<ClosestFeature>) -> Candidate {
        Candidate { feature, ..Candidate::UNKNOWN }
    }

    /// Returns a polygon with 3 to 8 vertices near to or far from the origin. Some vertices are
    /// nearly collinear with or nearly equal to their neighbours.
    pub(super) fn polygon(rng: &mut fastrand::Rng) -> (Shape, Pose) {
        let (count, size) = (rng.usize(3..=7), 10.0_f64.powi(rng.i32(-3..4)));
        let mut points: Vec<DVec2> = Vec::new();
        for i in 0..count {
            let (sin, cos) = ((i as f64 + 0.8 * rng.f64()) * core::f64::consts::TAU / count as f64).sin_cos();
            points.push(DVec2::new(cos, sin) * size);
        }
        if rng.bool() {
            let (last, first) = (points[count - 1], points[0]);
            let outward = -(first - last).perp();
            points.push(
                last.lerp(first, rng.f64() * 10.0_f64.powi(-rng.i32(0..8))) + outward * 10.0_f64.powi(-rng.i32(2..17)),
            );
        }
        points.rotate_left(rng.usize(..count));
        let (sin, cos) = (rng.f64() * 7.0).sin_cos();
        let far = 10.0_f64.powi(rng.i32(0..9));
        let pose = Pose::from_cos_sin([rng.f64() * far, rng.f64() * far], cos, sin).unwrap();
        // The added vertex may make the polygon slightly concave.
        let shape = Shape::convex_polygon(&points).or_else(|_| Shape::rectangle(size, size * rng.f64())).unwrap();
        (shape, pose)
    }

    /// An edge of a few quantization steps, at an angle of 2e-14 to the next edge. From far away
    /// rounding may exchange the two edges as the entry of a ray.
    #[test]
    fn a_short_edge_on_the_line_of_the_next_is_not_taken_for_known() {
        let points = [
            [-70.837_679_270_175_27, 70.583_448_453_697_56],
            [-71.652_617_610_39, -69.756_020_454_002_61],
            [22.418_515_645_809_777, -97.454_656_924_328_56],
            [92.232_138_609_277_19, -38.642_368_037_674_39],
            [92.234_220_741_607_44, -38.629_314_294_289_514],
            [99.676_913_900_860_57, 8.031_988_247_029_943],
            [11.429_950_597_190_873, 99.344_633_621_277_08],
        ];
        let shape = Shape::polygon(&points).unwrap();
        let pose = Pose::from_cos_sin(
            [1_454_076.636_169_296_5, 819_449.665_573_560_4],
            0.999_284_415_306_950_4,
            -0.037_824_031_047_023_955,
        )
        .unwrap();
        let ray =
            Ray::new([1_454_209.620_983_216, 819_473.361_219_046_9], [-58.114_223_642_933_59, -90.002_891_620_330_29])
                .unwrap();
        let (mut outlines, broad) = (QuantizedShapes::new(), BruteForce::new());
        outlines.set(0, shape.placed(pose));
        let pipeline = QueryPipeline::new(&broad, LocalOrigin::new(DVec2::ZERO), |_| Some(shape.placed(pose)));
        let Interval { feature, .. } = outlines.time(0, &ray).unwrap();
        let (_, hit) = pipeline.cast_at(&ray, &known(None)).unwrap();
        assert_eq!(pipeline.cast_at(&ray, &known(feature)), Some((hit.time, hit)), "{feature:?}");
    }

    /// Law: with a known deciding feature the result has the same bits as without it.
    #[test]
    fn quantized_shapes_decide_as_the_exact_shapes() {
        // Any seed works.
        let mut rng = fastrand::Rng::with_seed(17);
        let (mut outlines, broad) = (QuantizedShapes::new(), BruteForce::new());
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            let (shape, pose) = polygon(&mut rng);
            let placed = shape.placed(pose);
            outlines.set(0, placed);
            let pipeline = QueryPipeline::new(&broad, LocalOrigin::new(DVec2::ZERO), |_| Some(placed));
            let vertices: Vec<DVec2> = placed.points().collect();
            let i = rng.usize(..vertices.len());
            let size = (vertices[0] - vertices[1]).length();
            let on_boundary = vertices[i].lerp(vertices[(i + 1) % vertices.len()], [0.0, rng.f64()][rng.usize(..2)]);
            let away = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * size * 10.0_f64.powi(-rng.i32(-2..8));
            let point = on_boundary + away;
            let Interval { feature, .. } = outlines.distance(0, point);
            assert_eq!(
                pipeline.distance_at(point, &known(feature)),
                pipeline.distance_at(point, &known(None)),
                "{feature:?} {shape:?} {pose:?} {point:?}"
            );
            match feature {
                Some(ClosestFeature::Inside) => counts[0] += 1,
                Some(ClosestFeature::Edge(_)) => counts[1] += 1,
                Some(ClosestFeature::Vertex(_)) => counts[2] += 1,
                None => {}
            }
            let from =
                on_boundary + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * size * 10.0_f64.powi(rng.i32(-3..3));
            let ray = Ray::new(from, (point - from) * (2.0 * rng.f64())).unwrap();
            if let Some(Interval { feature: feature @ Some(_), .. }) = outlines.time(0, &ray) {
                assert_eq!(
                    pipeline.cast_at(&ray, &known(feature)),
                    pipeline.cast_at(&ray, &known(None)),
                    "{feature:?} {shape:?} {pose:?} {ray:?}"
                );
                counts[3] += 1;
            }
            // Packed, from the exact data.
            let packed = QuantizedShapes::packed(LocalOrigin::new(point), [(0, placed)]);
            let pipeline = pipeline.with_outlines(&packed);
            let direct = distance(placed, POINT.at(point).unwrap());
            assert_eq!(
                pipeline.nearest(point, f64::INFINITY).unwrap(),
                Some((0, direct)),
                "{shape:?} {pose:?} {point:?}"
            );
            assert_eq!(pipeline.ray_cast(ray), ray_cast(ray, placed).map(|hit| (0, hit)), "{shape:?} {pose:?} {ray:?}");
        }
        assert!(counts.iter().all(|&count| count > 500), "inside, edges, vertices, rays: {counts:?}");
    }
}
