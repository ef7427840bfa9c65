//! What is worked out once of shapes that stay where they are: their corners in the world, rounded to a fine lattice, to answer from where that leaves no doubt.

use alloc::vec::Vec;

use glam::DVec2;

use super::interval::{ClosestFeature, Interval};
use super::packed_bvh::PackedBvh;
use super::quantized_polygon::{NO_OUTLINE, QuantizedPolygon};
use crate::broad_phase::LocalOrigin;
use crate::math::ray::Ray;
use crate::math::simd::{Simd, SimdKernel, dispatch};
use crate::shape::Placed;

/// Stores convex polygons of up to eight edges, by id: [`QueryPipeline`](super::QueryPipeline) answers most queries from them, without a look at the shapes, and decides as they would.
///
/// An id without an outline (shapes with a radius, with more edges, of many parts) is asked itself. 64 bytes an id; whoever moves or replaces a shape must
/// [`set`](QuantizedShapes::set) it anew.
///
/// ```
/// use carom::broad_phase::{Bvh, Filter, LocalOrigin};
/// use carom::{DVec2, Ray, Shape};
/// use carom::query::{QueryPipeline, QuantizedShapes};
///
/// let (crate_, frame) = (Shape::rectangle(1.0, 1.0)?, LocalOrigin::new(DVec2::ZERO));
/// let row: Vec<_> = (0..10).map(|i| crate_.at([f64::from(i) * 3.0, 0.0])).collect::<Result<_, _>>()?;
/// let bvh = Bvh::from_boxes((0..).zip(&row).map(|(id, one)| (id, frame.to_local(&one.aabb()), Filter::default(), false)));
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
    /// Empty where they are packed.
    by_id: Vec<QuantizedPolygon>,
    packed: Option<PackedBvh>,
}

impl QuantizedShapes {
    /// Without outlines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The outlines of all shapes that there are, packed: beside one another where the shapes are, under a tree of their own.
    ///
    /// Rays without thickness, nearest shapes and points are answered by that tree then, a third to a half faster, and no longer by way of the broad phase, which still finds what a
    /// thick or hollow ray or another shape meets. So **all** shapes that may be found must be among these, those too that can have no outline; of an id that comes twice the last counts.
    ///
    /// 75 bytes a shape, and what exact answers are worked out from: 64 of a rectangle, 32 a corner of another polygon. [`set`](QuantizedShapes::set) and [`remove`](QuantizedShapes::remove) unpack, which
    /// takes time for all of them: then the broad phase is asked again.
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
    pub fn packed<'a>(frame: LocalOrigin, shapes: impl IntoIterator<Item = (u32, Placed<'a>)>) -> Self {
        Self { by_id: Vec::new(), packed: Some(PackedBvh::new(frame, shapes)) }
    }

    fn unpack(&mut self) {
        if let Some(packed) = self.packed.take() {
            self.by_id = packed.into_outlines();
        }
    }

    /// Works out the outline of a shape where it is, in place of what the id had.
    pub fn set(&mut self, id: u32, placed: Placed<'_>) {
        self.unpack();
        let id = id as usize;
        if id >= self.by_id.len() {
            self.by_id.resize(id + 1, NO_OUTLINE);
        }
        self.by_id[id] = QuantizedPolygon::of(placed).unwrap_or(NO_OUTLINE);
    }

    /// Forgets an outline: the shape is asked itself from then on.
    pub fn remove(&mut self, id: u32) {
        self.unpack();
        if let Some(outline) = self.by_id.get_mut(id as usize) {
            *outline = NO_OUTLINE;
        }
    }

    /// The tree, where they are packed.
    #[inline(always)]
    pub(super) fn tree(&self) -> Option<&PackedBvh> {
        self.packed.as_ref()
    }

    fn get(&self, id: u32) -> Option<&QuantizedPolygon> {
        self.by_id.get(id as usize)
    }

    /// [`QuantizedPolygon::holds`] of an id.
    #[inline]
    pub(super) fn holds(&self, id: u32, point: DVec2) -> Option<bool> {
        dispatch(Ask { outline: self.get(id)?, ask: Holds(point) })
    }

    /// [`QuantizedPolygon::time`] of an id.
    #[inline]
    pub(super) fn time(&self, id: u32, ray: &Ray) -> Option<(Interval, Option<ClosestFeature>)> {
        let Some(outline) = self.get(id) else { return Some((Interval::UNKNOWN, None)) };
        dispatch(Ask { outline, ask: Time(ray) })
    }

    /// [`QuantizedPolygon::distance`] of an id.
    #[inline]
    pub(super) fn distance(&self, id: u32, point: DVec2) -> (Interval, Option<ClosestFeature>) {
        let Some(outline) = self.get(id) else { return (Interval::UNKNOWN, None) };
        dispatch(Ask { outline, ask: Near(point) })
    }
}

/// Something asked of one outline.
struct Ask<'a, Q> {
    outline: &'a QuantizedPolygon,
    ask: Q,
}

struct Holds(DVec2);
struct Time<'a>(&'a Ray);
struct Near(DVec2);

impl SimdKernel for Ask<'_, Holds> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.holds(simd, self.ask.0)
    }
}

impl SimdKernel for Ask<'_, Time<'_>> {
    type Output = Option<(Interval, Option<ClosestFeature>)>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.time(simd, self.ask.0)
    }
}

impl SimdKernel for Ask<'_, Near> {
    type Output = (Interval, Option<ClosestFeature>);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.outline.distance(simd, self.ask.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::pose::Pose;
    use crate::query::{distance, intersects, ray_cast};
    use crate::shape::Shape;

    /// A polygon of 3 to 8 corners on a circle, turned, about anywhere.
    fn polygon(rng: &mut fastrand::Rng) -> (Shape, Pose) {
        let (count, size) = (rng.usize(3..=8), 10.0_f64.powi(rng.i32(-3..4)));
        let corner = |i: usize, rng: &mut fastrand::Rng| {
            let (sin, cos) = ((i as f64 + 0.8 * rng.f64()) * core::f64::consts::TAU / count as f64).sin_cos();
            [size * cos, size * sin]
        };
        let points: Vec<[f64; 2]> = (0..count).map(|i| corner(i, rng)).collect();
        let (sin, cos) = (rng.f64() * 7.0).sin_cos();
        let pose = Pose::from_cos_sin([rng.f64() * 1e3, rng.f64() * 1e3], cos, sin).unwrap();
        (Shape::polygon(&points).unwrap(), pose)
    }

    /// Law: what outlines say is what the shapes say; points within some steps of the boundary are where it would come out.
    #[test]
    fn outlines_never_contradict_the_shapes() {
        // Any seed does.
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
            if let Some(inside) = outlines.holds(0, point) {
                assert_eq!(inside, intersects(placed, there), "{shape:?} {point}");
                (known, held) = (known + 1, held + usize::from(inside));
            }
            let ((Interval { least, most }, _), exact) =
                (outlines.distance(0, point), distance(placed, there).distance);
            assert!(least <= exact && exact <= most, "{least} {exact} {most}: {shape:?} {point}");
            let ray = Ray::new(point + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * step * 1e5, -away).unwrap();
            let ray = if rng.bool() {
                ray
            } else {
                Ray::new(ray.origin(), (point - ray.origin()) * (2.0 * rng.f64())).unwrap()
            };
            match (outlines.time(0, &ray), ray_cast(ray, placed)) {
                (None, hit) => assert_eq!(hit, None, "{shape:?} {ray:?}"),
                (Some((between, _)), Some(hit)) => {
                    assert!(between.least <= hit.time && hit.time <= between.most, "{between:?} {hit:?}");
                }
                (Some((between, _)), None) => assert_eq!(between.most, f64::INFINITY, "{shape:?} {ray:?}"),
            }
        }
        assert!(known > 2_000 && held > 500, "{known} of the points were decided, {held} inside");
    }
}
