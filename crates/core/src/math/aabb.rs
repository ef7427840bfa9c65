//! Computes axis-aligned bounding boxes.
//!
//! Input: points and a radius. Output: the smallest box of `f64` around them, rounded outward. So
//! every point of the exact set lies inside, and a box test never excludes an intersection.
//!
//! A sum is rounded up by one ulp only if it was rounded down (Knuth's two-sum, *The Art of
//! Computer Programming*, volume 2, 4.2.2). A margin of an ulp on every sum would be simpler. But
//! boxes of shapes that touch at exact coordinates would overlap, and the box of a polygon would
//! not be exact.

use alloc::format;

use glam::DVec2;

use super::point::IntoPoint;
use super::pose::Pose;
use super::vector::{check_point, next_up_if};
use crate::error::{Coordinates, Error, ErrorKind};

/// An axis-aligned bounding box: all points between `min` and `max`, both included.
///
/// ```
/// use carom::Aabb;
///
/// let a = Aabb::new([0.0, 0.0], [1.0, 1.0])?;
/// let b = Aabb::new([1.0, 1.0], [2.0, 2.0])?;
/// assert!(a.intersects(&b)); // boxes are closed: one shared point is enough
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    min: DVec2,
    max: DVec2,
}

impl Aabb {
    /// The inverted box of no points. It intersects no box, not even itself.
    pub(crate) const EMPTY: Self = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };

    /// Creates a box from its lowest and highest corner.
    ///
    /// # Errors
    /// If a coordinate is not finite or above 1e30 in magnitude, or if a minimum is above its
    /// maximum.
    pub fn new(min: impl IntoPoint, max: impl IntoPoint) -> Result<Self, Error> {
        let (min, max) = (check_point("minimum", min.into_point())?, check_point("maximum", max.into_point())?);
        if min.x > max.x || min.y > max.y {
            return Err(Error::new(
                ErrorKind::Inverted,
                format!(
                    "the minimum {} of the box is above its maximum {}: swap them",
                    Coordinates(min),
                    Coordinates(max)
                ),
            ));
        }
        Ok(Self { min, max })
    }

    /// Returns the smallest box around points grown by a radius, rounded outward.
    ///
    /// Every point of the exact set lies inside.
    #[inline]
    pub(crate) fn around(mut points: impl Iterator<Item = DVec2>, radius: f64) -> Self {
        let first = points.next().unwrap_or(DVec2::ZERO);
        let (min, max) = points.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
        Self::spanning(min, max, radius)
    }

    /// Returns the smallest box around some points. Without points it is [`EMPTY`](Self::EMPTY).
    pub(crate) fn of_points(points: &[DVec2]) -> Self {
        points.iter().fold(Self::EMPTY, |bounds, &p| Self { min: bounds.min.min(p), max: bounds.max.max(p) })
    }

    /// Returns the box of a single point.
    #[inline]
    pub(crate) fn at(point: DVec2) -> Self {
        Self { min: point, max: point }
    }

    /// Returns the box from `min − radius` to `max + radius`, rounded outward.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn spanning(min: DVec2, max: DVec2, radius: f64) -> Self {
        let low = |x: f64| -grown(-x, radius);
        Self { min: DVec2::new(low(min.x), low(min.y)), max: DVec2::new(grown(max.x, radius), grown(max.y, radius)) }
    }

    /// Creates a box from corners that are already valid and rounded.
    #[inline(always)]
    pub(crate) const fn from_corners(min: DVec2, max: DVec2) -> Self {
        Self { min, max }
    }

    /// Returns the lowest corner.
    #[inline]
    #[must_use]
    pub fn min(&self) -> DVec2 {
        self.min
    }

    /// Returns the highest corner.
    #[inline]
    #[must_use]
    pub fn max(&self) -> DVec2 {
        self.max
    }

    /// Returns the center, rounded.
    #[must_use]
    pub fn center(&self) -> DVec2 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Returns the width and height.
    #[must_use]
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Returns the box at a pose that is a quarter turn and rounds no corner. An inverted box stays inverted.
    #[inline(always)]
    pub(crate) fn placed_exactly(&self, pose: &Pose) -> Self {
        if self.min.x > self.max.x {
            return *self;
        }
        Self::around([self.min, self.max].into_iter().map(|corner| pose.transform_point(corner)), 0.0)
    }

    /// Returns true if the boxes share a point.
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.min.x <= other.max.x && other.min.x <= self.max.x && self.min.y <= other.max.y && other.min.y <= self.max.y
    }

    /// The same as [`intersects`](Self::intersects), without branches.
    #[inline(always)]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() & other.min.cmple(self.max).all()
    }

    /// Returns true if the other box lies inside this one. Both may share sides.
    #[inline]
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns true if the point lies in the box or on its boundary.
    #[inline]
    pub(crate) fn contains_point(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns the points that both boxes contain. The result is inverted if there is none.
    #[inline]
    pub(crate) fn common(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Returns the greater of the gaps along x and y, rounded. Negative if the boxes overlap.
    #[inline]
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        (other.min - self.max).max(self.min - other.max).max_element()
    }

    /// Returns the corners, counter-clockwise from the minimum.
    pub(crate) fn corners(&self) -> [DVec2; 4] {
        let (min, max) = (self.min, self.max);
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }

    /// Returns the smallest box around both boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the box grown on all sides by `margin`, rounded outward. A margin that is negative
    /// or NaN counts as 0.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self::spanning(self.min, self.max, margin.max(0.0))
    }
}

impl Aabb {
    /// Returns the box translated by a vector, rounded to nearest.
    #[inline]
    pub(crate) fn moved(&self, by: DVec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// Returns a box that contains [`grown`](Self::grown) and is larger by a few ulp. It takes fewer operations.
    #[inline]
    pub(crate) fn loosely_grown(&self, margin: f64) -> Self {
        let (min, max) = (self.min, self.max);
        let far = min.abs().max(max.abs()).max_element();
        // Each sum is rounded by at most half an ulp of its magnitude.
        let margin = margin.max(0.0) * (1.0 + 4.0 * f64::EPSILON) + 4.0 * f64::EPSILON * far;
        Self { min: min - margin, max: max + margin }
    }
}

/// Returns `x + radius`, rounded up if it is not exact.
#[inline(always)]
pub(crate) fn grown(x: f64, radius: f64) -> f64 {
    let sum = x + radius;
    // The exact rounding error of the sum (Knuth's two-sum).
    let back = sum - x;
    let error = (x - (sum - back)) + (radius - back);
    next_up_if(error > 0.0, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loosely_grown_box_contains_the_grown_one() {
        let mut rng = fastrand::Rng::with_seed(31);
        let mut number = || (rng.f64() - 0.5) * libm::exp2(40.0 * rng.f64() - 20.0);
        for i in 0..100_000 {
            let [p, q] = [(); 2].map(|()| DVec2::new(number(), number()));
            let (aabb, margin) = (Aabb { min: p.min(q), max: p.max(q) }, if i % 10 == 0 { 0.0 } else { number() });
            let (exact, loose) = (aabb.grown(margin), aabb.loosely_grown(margin));
            assert!(loose.contains(&exact), "{aabb:?} by {margin:?}: {loose:?} does not contain {exact:?}");
            let far = exact.min.abs().max(exact.max.abs()).max_element();
            assert!((exact.min - loose.min).max(loose.max - exact.max).max_element() <= 32.0 * f64::EPSILON * far);
        }
    }

    #[test]
    fn growing_is_exact_where_it_can_be_and_outward_elsewhere() {
        assert_eq!(grown(1.0, 0.5), 1.5);
        assert_eq!(grown(1.0, 1e-30), 1.0_f64.next_up());
        assert_eq!(grown(-1.0, 1e-30), (-1.0_f64).next_up());
        assert_eq!(grown(1e30, 0.0), 1e30);
    }
}
