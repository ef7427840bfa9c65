//! Defines boxes and rays as stored by broad phases: relative to an origin; boxes in `f32`, rounded
//! outward.
//!
//! Input: `f64` boxes and rays. Output: `f32` boxes that contain the `f64` boxes, and rays with a
//! tolerance for the rounding error.
//!
//! `f32` boxes take half the memory and twice the SIMD lanes of `f64` boxes. Plain conversion to
//! `f32` rounds to nearest, so a box could shrink and an intersecting pair could be missed. So each
//! side is rounded outward, by the exact error of the subtraction (Knuth's two-sum). If a margin is
//! added anyway, ordinary rounding suffices, and its error is compared with the margin.
//!
//! ```text
//! lower side = −round_up(origin − min)
//! upper side = round_up(max − origin)
//! round_up(x − origin): difference in f64, with its exact rounding error; converted to f32;
//!                       the next f32 above, if this is less than difference + error
//! ```

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::ray::Ray;
use crate::math::vector::{length, next_up32_if, norm1};

/// A box relative to a [`LocalOrigin`]: all points between `min` and `max`, both included.
///
/// Broad phases accept any numbers. Infinite sides are clamped to `f32::MAX`. An invalid box (NaN,
/// or min > max) never intersects. Only [`visit_by_distance`](super::BroadPhase::visit_by_distance)
/// visits it: last, at infinite distance.
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, BruteForce, Filter};
///
/// let (mut brute, mut pairs) = (BruteForce::new(), Vec::new());
/// let everywhere = Aabb32 { min: [f32::NEG_INFINITY; 2], max: [f32::INFINITY; 2] };
/// let nowhere = Aabb32 { min: [f32::NAN, 0.0], max: [1.0, 1.0] };
/// for (id, aabb) in [(0, everywhere), (1, everywhere), (2, nowhere)] {
///     brute.insert(id, aabb, Filter::default(), true);
/// }
/// brute.pairs(&mut pairs);
/// assert_eq!(pairs, [[0, 1]]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb32 {
    /// The least x and y.
    pub min: [f32; 2],
    /// The greatest x and y.
    pub max: [f32; 2],
}

/// The origin of the boxes of a broad phase. The nearer it is to the objects, the tighter the
/// boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalOrigin {
    /// The origin in world coordinates.
    origin: DVec2,
}

/// A ray relative to a [`LocalOrigin`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalRay {
    /// The start of the ray, relative to the [`LocalOrigin`].
    origin: DVec2,
    /// The displacement from the start to the rounded end.
    translation: DVec2,
    /// The radius of the ray plus an error bound for the rounding of its origin.
    tolerance: f64,
}

impl LocalOrigin {
    /// Creates an origin. Coordinates are clamped to ±1e30; NaN becomes 0.
    #[must_use]
    pub fn new(origin: impl IntoPoint) -> Self {
        let bounded = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-1e30, 1e30) };
        let origin = origin.into_point();
        Self { origin: DVec2::new(bounded(origin.x), bounded(origin.y)) }
    }

    /// Converts a box to local coordinates, rounded outward.
    #[inline]
    #[must_use]
    pub fn to_local(&self, aabb: &Aabb) -> Aabb32 {
        self.to_local_with_margin(aabb, 0.0)
    }

    /// Converts a box enlarged by `margin` >= 0 on all sides, rounded outward.
    #[inline(always)]
    pub(crate) fn to_local_with_margin(self, aabb: &Aabb, margin: f64) -> Aabb32 {
        let (min, max) = (aabb.min() - margin, aabb.max() + margin);
        let [[left, right], [bottom, top]] =
            [self.to_local_interval(0, min.x, max.x), self.to_local_interval(1, min.y, max.y)];
        Aabb32 { min: [left, bottom], max: [right, top] }
    }

    /// Converts an interval along an axis, rounded outward.
    #[inline(always)]
    pub(crate) fn to_local_interval(self, axis: usize, low: f64, high: f64) -> [f32; 2] {
        let origin = self.origin[axis];
        [-sub_rounded_up(origin, low), sub_rounded_up(high, origin)]
    }

    /// Converts an interval enlarged by a margin, with ordinary rounding.
    ///
    /// Returns true if the margin covers the rounding errors, so that the result contains the
    /// original interval. Costs a third of the exact conversion.
    #[inline(always)]
    pub(crate) fn to_local_interval_fast(self, axis: usize, low: f64, high: f64, margin: f64) -> ([f32; 2], bool) {
        let origin = self.origin[axis];
        let (begin, end) = ((low - margin) - origin, (high + margin) - origin);
        // Three roundings, with errors of at most 1/8, 1/8 and 1/16 of the margin.
        let (max_local, max_world) = (margin * (1_u64 << 20) as f64, margin * (1_u64 << 50) as f64);
        let safe = (begin.abs() <= max_local)
            & (end.abs() <= max_local)
            & (low.abs() <= max_world)
            & (high.abs() <= max_world);
        // Below this margin, `f32` values are subnormal and the relative error bound does not
        // apply.
        let safe = safe & (margin >= f64::from(f32::MIN_POSITIVE));
        ([begin as f32, end as f32], safe)
    }

    /// Converts a point to local coordinates, rounded once.
    #[inline(always)]
    pub(crate) fn to_local_point(self, point: DVec2) -> [f64; 2] {
        (point - self.origin).to_array()
    }

    /// Converts a ray to local coordinates.
    #[inline]
    #[must_use]
    pub fn localize_ray(&self, ray: &Ray) -> LocalRay {
        // The displacement to the rounded end, which may differ from the ray's translation.
        let (origin, translation) = (ray.origin() - self.origin, ray.end() - ray.origin());
        // A thick ray hits a box if its centre line hits the box enlarged by the radius.
        let rounding = f64::EPSILON * 8.0 * (norm1(origin) + norm1(translation) + ray.radius());
        LocalRay { origin, translation, tolerance: ray.radius() + rounding }
    }
}

/// Returns `x − origin`, rounded up to `f32`.
#[inline(always)]
fn sub_rounded_up(x: f64, origin: f64) -> f32 {
    let difference = x - origin;
    // The subtraction is rounded too. This is its exact error (D. E. Knuth's two-sum).
    let back = difference - x;
    let error = (x - (difference - back)) - (origin + back);
    let rounded = difference as f32;
    let short = (f64::from(rounded) < difference) | ((f64::from(rounded) == difference) & (error > 0.0));
    next_up32_if(short, rounded)
}

impl LocalRay {
    /// Returns the origin, the displacement to the end, and the tolerance.
    pub(super) fn components(&self) -> ([f64; 2], [f64; 2], f64) {
        (self.origin.to_array(), self.translation.to_array(), self.tolerance)
    }
}

impl Aabb32 {
    /// An invalid box: it never intersects and is sorted behind all others.
    pub(super) const EMPTY: Self = Self { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };

    /// Returns the box with finite sides, or `EMPTY` for an invalid box.
    #[inline(always)]
    pub(super) fn sanitized(self) -> Self {
        if !(self.min[0] <= self.max[0] && self.min[1] <= self.max[1]) {
            return Self::EMPTY;
        }
        let finite = |[x, y]: [f32; 2]| [x.clamp(f32::MIN, f32::MAX), y.clamp(f32::MIN, f32::MAX)];
        Self { min: finite(self.min), max: finite(self.max) }
    }

    /// Returns min x, min y, max x, max y.
    #[inline(always)]
    pub(super) const fn to_array(self) -> [f32; 4] {
        [self.min[0], self.min[1], self.max[0], self.max[1]]
    }

    /// Returns true if the boxes share a point. Both must be valid (min <= max).
    #[inline(always)]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.min[0] <= other.max[0]
            && other.min[0] <= self.max[0]
            && self.min[1] <= other.max[1]
            && other.min[1] <= self.max[1]
    }

    /// Returns true if the other box lies inside this one.
    #[inline(always)]
    pub(crate) fn contains(&self, other: &Self) -> bool {
        (self.min[0] <= other.min[0])
            & (self.min[1] <= other.min[1])
            & (other.max[0] <= self.max[0])
            & (other.max[1] <= self.max[1])
    }

    /// Returns true if the ray hits the box. Conservative: also true if it misses by a rounding
    /// error.
    #[must_use]
    pub fn intersects_ray(&self, ray: &LocalRay) -> bool {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let axes = [
            (ray.origin.x, ray.translation.x, self.min[0], self.max[0]),
            (ray.origin.y, ray.translation.y, self.min[1], self.max[1]),
        ];
        for (start, displacement, min, max) in axes {
            let (min, max) = (f64::from(min) - ray.tolerance - start, f64::from(max) + ray.tolerance - start);
            if displacement == 0.0 {
                if min > 0.0 || max < 0.0 {
                    return false;
                }
                continue;
            }
            let (near, far) = if displacement > 0.0 {
                (min / displacement, max / displacement)
            } else {
                (max / displacement, min / displacement)
            };
            enter = enter.max(near);
            leave = leave.min(far);
        }
        // Tolerance for the rounding of two quotients.
        enter <= leave + 4.0 * f64::EPSILON
    }

    /// Returns the distance of a point from the box, 0 inside.
    #[must_use]
    pub fn distance(&self, point: [f64; 2]) -> f64 {
        let outside = |i: usize| (f64::from(self.min[i]) - point[i]).max(point[i] - f64::from(self.max[i])).max(0.0);
        length(DVec2::new(outside(0), outside(1)))
    }
}

/// Returns a sort key: an integer whose order is the order of the `f32` values.
#[inline(always)]
pub(super) fn sort_key(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// Returns the `f32` value of a sort key.
pub(super) fn from_sort_key(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_outward_and_no_farther_than_needed() {
        let frame = LocalOrigin::new([0.1, 1e9]);
        let aabb = Aabb::new([0.3, 1e9 + 0.1], [0.7, 1e9 + 3.0]).unwrap();
        let local = frame.to_local(&aabb);
        // 0.3 − 0.1 is 0.19999999999999998 in f64 and 0.2 in f32: the lower side must lie below.
        assert!(f64::from(local.min[0]) <= 0.2 - 1e-17 && local.min[0] >= 0.2_f32.next_down());
        assert!(f64::from(local.max[0]) >= 0.6 && local.max[0] <= 0.6_f32.next_up());
        assert_eq!(local.max[1], 3.0);
    }

    #[test]
    fn the_error_of_the_subtraction_counts() {
        // 1 + 2⁻⁶⁰ rounds to 1 in f64 already.
        assert!(sub_rounded_up(2.0_f64.powi(-60), -1.0) > 1.0);
        assert_eq!(sub_rounded_up(-(2.0_f64.powi(-60)), -1.0), 1.0);
    }

    /// Regression: margins far below the `f32` range were called safe. Both ends became 0, and the
    /// box of a circle of radius 1e-295 did not contain the circle.
    #[test]
    fn rough_intervals_contain_the_smallest_boxes() {
        for power in -320..-30 {
            let size = 10.0_f64.powi(power);
            let ([begin, end], is_safe) =
                LocalOrigin::new([0.0, 0.0]).to_local_interval_fast(0, -size, size, 0.125 * size);
            assert!(!is_safe || (f64::from(begin) <= -size && f64::from(end) >= size), "1e{power}: {begin}, {end}");
            assert!(is_safe || power < -35, "1e{power}");
        }
    }

    /// Law: if the result is safe, it contains the interval and exceeds it by at most twice the
    /// margin.
    #[test]
    fn rough_intervals_contain_the_box() {
        let (mut rng, mut safe) = (fastrand::Rng::with_seed(6), 0);
        for _ in 0..100_000 {
            let power = |rng: &mut fastrand::Rng, low, high| 10.0_f64.powi(rng.i32(low..high));
            let origin = (rng.f64() - 0.5) * power(&mut rng, -3, 12);
            let low = origin + (rng.f64() - 0.5) * power(&mut rng, -6, 6);
            let (high, margin) = (low + rng.f64() * power(&mut rng, -6, 3), rng.f64() * power(&mut rng, -12, 2));
            let ([begin, end], is_safe) = LocalOrigin::new([origin, 0.0]).to_local_interval_fast(0, low, high, margin);
            if is_safe {
                // Differences of neighbouring numbers are exact; other differences are much larger
                // than their error.
                let exact = |x: f64| x - origin;
                assert!(
                    f64::from(begin) <= exact(low) && f64::from(end) >= exact(high),
                    "{origin} {low} {high} {margin}"
                );
                assert!(f64::from(begin) >= exact(low) - 2.0 * margin && f64::from(end) <= exact(high) + 2.0 * margin);
                safe += 1;
            }
        }
        assert!((10_000..90_000).contains(&safe), "{safe}");
    }

    #[test]
    fn keys_are_in_order() {
        let numbers = [f32::MIN, -1.0, -1e-40, 0.0, 1e-40, 1.0, f32::MAX];
        assert!(numbers.windows(2).all(|w| sort_key(w[0]) < sort_key(w[1])));
        assert!(numbers.iter().all(|&x| from_sort_key(sort_key(x)) == x));
    }
}
