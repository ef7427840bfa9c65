//! Tests eight boxes against a ray or a point with SIMD, conservative under rounding.
//!
//! Input: a ray or point, and eight boxes. Output: a mask of the boxes within the limit, and a
//! lower bound (key) of the ray fraction or squared distance of each box. All error bounds are
//! added to the boxes or keys, so no hit is missed. Source: T. L. Kay, J. T. Kajiya, *Ray tracing
//! complex scenes*, 1986 (slabs).
//!
//! ```text
//! ray:   enter = max over the axes of (near side - origin) / displacement, at least 0
//!        leave = min over the axes of (far side - origin) / displacement, at most the limit
//!        hit if enter <= leave; key = enter
//! point: d = max(min - point, point - max, 0) for each axis; key = d.x^2 + d.y^2
//!        hit if key <= limit^2
//! ```
//!
//! The textbook test swaps `enter` and `leave` if the displacement is negative. Here the side that
//! is entered first is chosen once per ray, so a test has no branch. Division is replaced by a
//! multiplication with the inverse. A displacement near 0 has a finite inverse, and the boxes are
//! enlarged for its error.

use super::{Aabb32, LocalRay};
use crate::math::big_int::power_of_two;
use crate::math::simd::{Simd, f32x8, mask32x8};

/// Relative tolerance: more than the rounding error of about ten `f32` operations.
const ROUNDING: f32 = 16.0 * f32::EPSILON;

/// Eight boxes, one per lane.
pub(crate) trait BoxLanes<S: Simd> {
    /// Returns one side of all boxes: 0 = min x, 1 = min y, 2 = max x, 3 = max y.
    ///
    /// In an unused lane, min x <= max x is false (greater or NaN).
    fn side(&self, simd: S, side: usize) -> f32x8<S>;
}

/// A branch-and-bound query: a lower bound (key) for each box, and the current limit.
pub(crate) trait BoxTest<S: Simd> {
    /// Returns the limit: a ray fraction or a squared distance.
    fn limit(&self) -> f32;

    /// Lowers the limit.
    fn tighten(&mut self, limit: f64);

    /// Returns a mask of the boxes within the limit, and the keys of all boxes.
    fn hits(&self, simd: S, boxes: &impl BoxLanes<S>) -> (mask32x8<S>, f32x8<S>);

    /// Returns the keys alone. Boxes outside the limit have keys above
    /// [`max_key`](BoxTest::max_key), and unused lanes have the key of an infinitely distant box.
    fn lower_bounds(&self, simd: S, boxes: &impl BoxLanes<S>) -> f32x8<S>;

    /// Returns the largest key within the limit.
    fn max_key(&self) -> f32;
}

/// Rounds up to `f32`.
#[inline(always)]
fn round_up(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) < x { rounded.next_up() } else { rounded }
}

/// A ray in every lane, for the slab test. The boxes are enlarged by the error bound.
///
/// Let R be the largest coordinate of the ray. Its origin and the differences to it have errors
/// below R · 2⁻²²; the boxes are enlarged by more. Quotients have a relative error of 2⁻²², and
/// only quotients in 0 ..= 1 matter.
pub(crate) struct RaySlabs<S: Simd> {
    /// The slab tests along x and y.
    axes: [Slab<S>; 2],
    /// The largest ray fraction that still counts.
    limit: f32,
}

/// One axis of a ray. Which side of a box is entered first is known in advance.
struct Slab<S: Simd> {
    /// The index of the side at which the ray enters.
    near: usize,
    /// The index of the side at which the ray leaves.
    far: usize,
    /// The ray origin, shifted by the tolerance, which enlarges the boxes.
    near_origin: f32x8<S>,
    /// The same origin, shifted in the opposite direction.
    far_origin: f32x8<S>,
    /// 1 / displacement along the axis; large if the displacement is nearly 0.
    inverse: f32x8<S>,
}

/// Shortest component of a ray whose inverse fits in f32. Shorter components use the inverse of
/// this one. Boxes are then enlarged by twice this length: a ray that starts in a box leaves the
/// enlarged box after the ray's end.
const SHORT: f64 = 1e-30;

impl<S: Simd> Slab<S> {
    /// Prepares one axis of a ray. `tolerance` enlarges the boxes, in units of length.
    #[inline(always)]
    fn new(simd: S, axis: usize, origin: f64, displacement: f64, tolerance: f32) -> Self {
        let inverse = if displacement.abs() > SHORT { (1.0 / displacement) as f32 } else { 1.0 / SHORT as f32 };
        let (origin, down) = (origin as f32, inverse < 0.0);
        let (near, far, tolerance) = if down { (axis + 2, axis, -tolerance) } else { (axis, axis + 2, tolerance) };
        Self {
            near,
            far,
            near_origin: f32x8::splat(simd, origin + tolerance),
            far_origin: f32x8::splat(simd, origin - tolerance),
            inverse: f32x8::splat(simd, inverse),
        }
    }

    /// Returns the fractions at which the ray enters and leaves the slabs of the boxes.
    #[inline(always)]
    fn times(&self, simd: S, boxes: &impl BoxLanes<S>) -> [f32x8<S>; 2] {
        [
            (boxes.side(simd, self.near) - self.near_origin) * self.inverse,
            (boxes.side(simd, self.far) - self.far_origin) * self.inverse,
        ]
    }
}

impl<S: Simd> RaySlabs<S> {
    /// Prepares a ray; its limit is the end of the ray.
    #[inline(always)]
    pub(crate) fn new(simd: S, ray: &LocalRay) -> Self {
        let ([x, y], [dx, dy], tolerance) = ray.components();
        let max_coordinate = x.abs().max(y.abs()).max(dx.abs()).max(dy.abs());
        let short = |displacement: f64| if displacement.abs() > SHORT { 0.0 } else { 2.0 * SHORT };
        let tolerance = round_up(tolerance + max_coordinate * f64::from(ROUNDING) + short(dx) + short(dy));
        Self {
            axes: [Slab::new(simd, 0, x, dx, tolerance), Slab::new(simd, 1, y, dy, tolerance)],
            limit: 1.0 + ROUNDING,
        }
    }
}

/// The keys are fractions of the ray's length.
impl<S: Simd> BoxTest<S> for RaySlabs<S> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn tighten(&mut self, limit: f64) {
        self.limit = self.limit.min(limit as f32 + ROUNDING);
    }

    #[inline(always)]
    fn hits(&self, simd: S, boxes: &impl BoxLanes<S>) -> (mask32x8<S>, f32x8<S>) {
        let [along_x, along_y] = &self.axes;
        let ([enter_x, leave_x], [enter_y, leave_y]) = (along_x.times(simd, boxes), along_y.times(simd, boxes));
        let enter = enter_x.max(enter_y).max(f32x8::splat(simd, 0.0));
        let leave = leave_x.min(leave_y).min(f32x8::splat(simd, self.limit));
        // In unused lanes all values are NaN, but `max` of NaN and 0 may return 0. So they are
        // masked out.
        let real = boxes.side(simd, 0).simd_le(boxes.side(simd, 2));
        let hits = (enter - f32x8::splat(simd, ROUNDING)).simd_le(leave) & real;
        (hits, enter)
    }

    #[inline(always)]
    fn lower_bounds(&self, simd: S, boxes: &impl BoxLanes<S>) -> f32x8<S> {
        let (hits, keys) = self.hits(simd, boxes);
        hits.select(keys, f32x8::splat(simd, f32::INFINITY))
    }

    #[inline(always)]
    fn max_key(&self) -> f32 {
        self.limit
    }
}

/// Returns a power of two, in `f32` range, that scales coordinates up to `largest` to less than
/// 1/4.
fn unit_for(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    power_of_two(-(exponent + 3).clamp(-120, 120))
}

/// A point in every lane, for lower bounds of squared distances. Coordinates are scaled so that no
/// square overflows.
pub(crate) struct PointDistance<S: Simd> {
    /// The point rounded down.
    low: [f32x8<S>; 2],
    /// The point rounded up.
    high: [f32x8<S>; 2],
    /// The factor of all differences, in every lane.
    scale: f32x8<S>,
    /// The same factor.
    unit: f64,
    /// The largest squared distance within the limit.
    limit: f32,
    /// `limit` plus a tolerance for rounding.
    max_key: f32,
}

impl<S: Simd> PointDistance<S> {
    /// Creates a test for a point. The boxes `around` contain all boxes to test.
    #[inline(always)]
    pub(crate) fn new(simd: S, point: [f64; 2], around: impl IntoIterator<Item = Aabb32>) -> Self {
        let mut largest = point[0].abs().max(point[1].abs());
        for aabb in around {
            let [a, b, c, d] = aabb.to_array();
            largest = largest.max(f64::from(a.abs().max(b.abs()).max(c.abs().max(d.abs()))));
        }
        let unit = unit_for(largest);
        let ([x, y], lanes) = (point, |x: f32| f32x8::splat(simd, x));
        Self {
            low: [lanes(-round_up(-x)), lanes(-round_up(-y))],
            high: [lanes(round_up(x)), lanes(round_up(y))],
            scale: lanes(unit as f32),
            unit,
            limit: f32::INFINITY,
            max_key: f32::INFINITY,
        }
    }

    /// Returns the rounded squared distances of the boxes.
    #[inline(always)]
    fn squared_distances(&self, simd: S, boxes: &impl BoxLanes<S>) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let x = (boxes.side(simd, 0) - self.high[0]).max(self.low[0] - boxes.side(simd, 2)).max(zero) * self.scale;
        let y = (boxes.side(simd, 1) - self.high[1]).max(self.low[1] - boxes.side(simd, 3)).max(zero) * self.scale;
        x * x + y * y
    }
}

/// The keys are lower bounds of squared distances.
impl<S: Simd> BoxTest<S> for PointDistance<S> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn tighten(&mut self, distance: f64) {
        let scaled = distance * self.unit;
        self.limit = self.limit.min(round_up(scaled * scaled));
        self.max_key = self.limit * (1.0 + 2.0 * ROUNDING);
    }

    #[inline(always)]
    fn hits(&self, simd: S, boxes: &impl BoxLanes<S>) -> (mask32x8<S>, f32x8<S>) {
        let least = self.squared_distances(simd, boxes) * f32x8::splat(simd, 1.0 - ROUNDING);
        let hits = least.simd_le(f32x8::splat(simd, self.limit)) & boxes.side(simd, 0).simd_le(boxes.side(simd, 2));
        (hits, least)
    }

    // The keys do not depend on the limit, so the CPU can compute them early. The caller compares
    // the least key with `max_key` later.
    #[inline(always)]
    fn lower_bounds(&self, simd: S, boxes: &impl BoxLanes<S>) -> f32x8<S> {
        self.squared_distances(simd, boxes)
    }

    #[inline(always)]
    fn max_key(&self) -> f32 {
        self.max_key
    }
}
