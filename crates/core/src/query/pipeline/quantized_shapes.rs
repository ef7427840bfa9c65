//! Stores quantized polygons of shapes that do not move, by id or packed in a BVH.
//!
//! Input: placed shapes with ids. Output: certain or undecided results for a point or a ray. Most
//! tests need no access to the exact shapes, whose data are in several cache lines each. Source:
//! Ericson 2005, 5.1.2 and 5.2.1 for the tests.
//!
//! The list by id serves any broad phase and can change. The packed form has a tree of its own, is
//! faster, and is unpacked by a change.

use alloc::vec::Vec;

use glam::DVec2;

use super::interval::Interval;
use super::packed_bvh::PackedBvh;
use super::quantized_polygon::{NO_OUTLINE, QuantizedPolygon};
use crate::broad_phase::LocalOrigin;
use crate::math::ray::Ray;
use crate::math::simd::{Simd, SimdKernel, dispatch};
use crate::shape::Placed;

/// Stores convex polygons of up to eight edges, by id. [`QueryPipeline`](super::QueryPipeline)
/// decides most tests with them, with the same results.
///
/// An id without a quantized polygon (shapes with a radius, with more edges, composites) uses the
/// shape itself. 64 bytes per id. After a shape moved or changed, call
/// [`set`](QuantizedShapes::set) again.
///
/// ```
/// use carom::broad_phase::{Bvh, Filter, LocalOrigin};
/// use carom::{DVec2, Ray, Shape};
/// use carom::query::{QueryPipeline, QuantizedShapes};
///
/// let (crate_, frame) = (Shape::rectangle(1.0, 1.0)?, LocalOrigin::new(DVec2::ZERO));
/// let row: Vec<_> = (0..10).map(|i| crate_.at([f64::from(i) * 3.0, 0.0])).collect::<Result<_, _>>()?;
/// let item = |(id, one): (u32, &carom::Placed<'_>)| (id, frame.to_local(&one.aabb()), Filter::default(), false);
/// let bvh = Bvh::from_boxes((0..).zip(&row).map(item));
/// let mut outlines = QuantizedShapes::new();
/// for (id, &one) in (0..).zip(&row) {
///     outlines.set(id, one);
/// }
/// let all = QueryPipeline::new(&bvh, frame, |id| Some(row[id as usize])).with_outlines(&outlines);
/// assert_eq!(all.ray_cast(Ray::new([10.0, 0.0], [8.0, 0.0])?).unwrap().1.point, DVec2::new(11.5, 0.0));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QuantizedShapes {
    /// Empty if packed.
    by_id: Vec<QuantizedPolygon>,
    packed: Option<PackedBvh>,
}

impl QuantizedShapes {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Packs the quantized polygons of all shapes in a BVH of their own, with neighbours adjacent
    /// in memory.
    ///
    /// Thin rays, nearest shapes and points then use this BVH, a third to a half faster, and not
    /// the broad phase. The broad phase still serves thick and hollow rays and shapes. So **all**
    /// shapes must be in the list, those without a quantized polygon too. If an id occurs twice,
    /// the last one counts.
    ///
    /// 75 bytes per shape plus exact data: 64 bytes for a rectangle, 32 per vertex for other
    /// polygons. [`set`](QuantizedShapes::set) and [`remove`](QuantizedShapes::remove) unpack all
    /// shapes, which takes time. Then the broad phase is used again.
    ///
    /// ```
    /// use carom::broad_phase::{Bvh, LocalOrigin};
    /// use carom::Shape;
    /// use carom::query::{QueryPipeline, QuantizedShapes};
    ///
    /// let (ball, crate_, frame) = (Shape::circle(1.0)?, Shape::rectangle(2.0, 2.0)?, LocalOrigin::new([0.0, 0.0]));
    /// let shapes = [crate_.at([0.0, 0.0])?, ball.at([5.0, 0.0])?];
    /// let (outlines, nothing_else) = (QuantizedShapes::packed(frame, (0..).zip(shapes)), Bvh::new());
    /// let all = QueryPipeline::new(&nothing_else, frame, |id| Some(shapes[id as usize])).with_outlines(&outlines);
    /// assert_eq!(all.nearest([3.0, 0.0], 10.0)?.unwrap().0, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn packed<'a>(frame: LocalOrigin, shapes: impl IntoIterator<Item = (u32, Placed<'a>)>) -> Self {
        Self { by_id: Vec::new(), packed: Some(PackedBvh::new(frame, shapes)) }
    }

    /// Converts the packed tree to a list by id.
    fn unpack(&mut self) {
        if let Some(packed) = self.packed.take() {
            self.by_id = packed.into_outlines();
        }
    }

    /// Quantizes a placed shape, and replaces that of the id.
    pub fn set(&mut self, id: u32, placed: Placed<'_>) {
        self.unpack();
        let id = id as usize;
        if id >= self.by_id.len() {
            self.by_id.resize(id + 1, NO_OUTLINE);
        }
        self.by_id[id] = QuantizedPolygon::of(placed).unwrap_or(NO_OUTLINE);
    }

    /// Removes a quantized polygon. Queries then use the shape itself.
    pub fn remove(&mut self, id: u32) {
        self.unpack();
        if let Some(outline) = self.by_id.get_mut(id as usize) {
            *outline = NO_OUTLINE;
        }
    }

    /// The BVH, if packed.
    #[inline(always)]
    pub(super) fn tree(&self) -> Option<&PackedBvh> {
        self.packed.as_ref()
    }

    /// Returns the quantized polygon of an id.
    fn get(&self, id: u32) -> Option<&QuantizedPolygon> {
        self.by_id.get(id as usize)
    }

    /// Returns the result of [`QuantizedPolygon::contains`]; `None` for an id without a polygon.
    #[inline]
    pub(super) fn contains(&self, id: u32, point: DVec2) -> Option<bool> {
        dispatch(ShapeQuery { outline: self.get(id)?, query: ContainsPoint(point) })
    }

    /// Returns the result of [`QuantizedPolygon::time`]; unknown for an id without a polygon.
    #[inline]
    pub(super) fn time(&self, id: u32, ray: &Ray) -> Option<Interval> {
        let Some(outline) = self.get(id) else { return Some(Interval::UNKNOWN) };
        dispatch(ShapeQuery { outline, query: RayTime(ray) })
    }

    /// Returns the result of [`QuantizedPolygon::distance`]; unknown for an id without a polygon.
    #[inline]
    pub(super) fn distance(&self, id: u32, point: DVec2) -> Interval {
        self.get(id).map_or(Interval::UNKNOWN, |outline| dispatch(ShapeQuery { outline, query: DistanceTo(point) }))
    }
}

/// A query of one quantized polygon.
struct ShapeQuery<'a, Q> {
    /// The quantized polygon.
    outline: &'a QuantizedPolygon,
    /// The query.
    query: Q,
}

/// The test of a point.
struct ContainsPoint(DVec2);
/// The time of a ray.
struct RayTime<'a>(&'a Ray);
/// The distance from a point.
struct DistanceTo(DVec2);

impl SimdKernel for ShapeQuery<'_, ContainsPoint> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.contains(simd, self.query.0)
    }
}

impl SimdKernel for ShapeQuery<'_, RayTime<'_>> {
    type Output = Option<Interval>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.time(simd, self.query.0)
    }
}

impl SimdKernel for ShapeQuery<'_, DistanceTo> {
    type Output = Interval;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.distance(simd, self.query.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::pipeline::tests::polygon;
    use crate::query::{distance, intersects, ray_cast};
    use crate::shape::Shape;

    /// Law: quantized results agree with those of the shapes. Points within a few steps of the
    /// boundary are the hard cases.
    #[test]
    fn outlines_never_contradict_the_shapes() {
        // Any seed works.
        let mut rng = fastrand::Rng::with_seed(11);
        let (mut outlines, point_shape) = (QuantizedShapes::new(), Shape::circle(0.0).unwrap());
        let (mut known, mut held) = (0, 0);
        for _ in 0..4_000 {
            let (shape, pose) = polygon(&mut rng);
            let placed = shape.placed(pose);
            outlines.set(0, placed);
            let Some(step) =
                outlines.get(0).filter(|outline| outline.per_unit > 0.0).map(|outline| 1.0 / outline.per_unit)
            else {
                continue;
            };
            let edge: Vec<DVec2> = placed.points().collect();
            let i = rng.usize(..edge.len());
            let on_boundary = edge[i].lerp(edge[(i + 1) % edge.len()], rng.f64());
            let away = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * step * [4.0, 16.0, 1e3, 1e5][rng.usize(..4)];
            let point = on_boundary + away;
            let there = point_shape.at(point).unwrap();
            if let Some(inside) = outlines.contains(0, point) {
                assert_eq!(inside, intersects(placed, there), "{shape:?} {point}");
                (known, held) = (known + 1, held + usize::from(inside));
            }
            let (Interval { least, most, .. }, exact) = (outlines.distance(0, point), distance(placed, there).distance);
            assert!(least <= exact && exact <= most, "{least} {exact} {most}: {shape:?} {point}");
            let ray = Ray::new(point + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * step * 1e5, -away).unwrap();
            let ray = if rng.bool() {
                ray
            } else {
                Ray::new(ray.origin(), (point - ray.origin()) * (2.0 * rng.f64())).unwrap()
            };
            match (outlines.time(0, &ray), ray_cast(ray, placed)) {
                (None, hit) => assert_eq!(hit, None, "{shape:?} {ray:?}"),
                (Some(between), Some(hit)) => {
                    assert!(between.least <= hit.time && hit.time <= between.most, "{between:?} {hit:?}");
                }
                (Some(between), None) => assert_eq!(between.most, f64::INFINITY, "{shape:?} {ray:?}"),
            }
        }
        assert!(known > 2_000 && held > 500, "{known} of the points were decided, {held} inside");
    }

    /// Far from the origin, the error bound of a tiny rectangle overflows f32. Then a ray from its
    /// centre missed it.
    #[test]
    fn a_ray_within_a_tiny_rectangle_far_from_the_origin_hits_it() {
        let rectangle = Shape::rectangle(1e-110, 5e-20).unwrap();
        let placed = rectangle.at([-1e30, 0.0]).unwrap();
        let ray = Ray::new([-1e30, 0.0], [0.0, 1e-78]).unwrap();
        assert_eq!(ray_cast(ray, placed).map(|hit| hit.time), Some(0.0));
        let mut outlines = QuantizedShapes::new();
        outlines.set(0, placed);
        assert!(outlines.get(0).is_some_and(|outline| outline.per_unit > 0.0), "it has a quantized polygon");
        assert!(outlines.time(0, &ray).is_some());
    }
}
