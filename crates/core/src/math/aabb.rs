//! Axis-aligned bounding boxes.

use alloc::format;

use glam::DVec2;

use super::point::IntoPoint;
use super::vector::{check_point, next_up_if};
use crate::error::{Error, ErrorKind};

/// An axis-aligned box: all points between `min` and `max`, both included.
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
    /// A box from its lowest and highest corner.
    ///
    /// # Errors
    /// A number that is not finite, or larger than 1e30 in magnitude; a minimum above the maximum.
    pub fn new(min: impl IntoPoint, max: impl IntoPoint) -> Result<Self, Error> {
        let (min, max) = (check_point("minimum", min.into_point())?, check_point("maximum", max.into_point())?);
        if min.x > max.x || min.y > max.y {
            return Err(Error::new(
                ErrorKind::Inverted,
                format!("the box's minimum {min} lies above its maximum {max}: swap them"),
            ));
        }
        Ok(Self { min, max })
    }

    /// The smallest box around points, grown by a radius and rounded outward: nothing of the exact set lies outside.
    #[inline]
    pub(crate) fn around(mut points: impl Iterator<Item = DVec2>, radius: f64) -> Self {
        let first = points.next().unwrap_or(DVec2::ZERO);
        let (min, max) = points.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
        Self::spanning(min, max, radius)
    }

    /// The same from the lowest and the highest coordinates of the points.
    #[inline(always)]
    pub(crate) fn spanning(min: DVec2, max: DVec2, radius: f64) -> Self {
        let low = |x: f64| -grown(-x, radius);
        Self { min: DVec2::new(low(min.x), low(min.y)), max: DVec2::new(grown(max.x, radius), grown(max.y, radius)) }
    }

    /// A box whose corners were worked out and rounded already.
    #[inline(always)]
    pub(crate) fn from_corners(min: [f64; 2], max: [f64; 2]) -> Self {
        Self { min: min.into(), max: max.into() }
    }

    /// The lowest corner.
    #[inline]
    #[must_use]
    pub fn min(&self) -> DVec2 {
        self.min
    }

    /// The highest corner.
    #[inline]
    #[must_use]
    pub fn max(&self) -> DVec2 {
        self.max
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> DVec2 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Do the boxes share a point?
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.min.x <= other.max.x && other.min.x <= self.max.x && self.min.y <= other.max.y && other.min.y <= self.max.y
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box grown on all sides by `margin` (0 where that is negative or NaN), rounded outward.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self::spanning(self.min, self.max, margin.max(0.0))
    }
}

/// `x + radius`, rounded up where it is not exact.
#[inline(always)]
pub(crate) fn grown(x: f64, radius: f64) -> f64 {
    let sum = x + radius;
    // The rounding error of the sum, exactly (Knuth's two-sum).
    let back = sum - x;
    let error = (x - (sum - back)) + (radius - back);
    next_up_if(error > 0.0, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_is_exact_where_it_can_be_and_outward_elsewhere() {
        assert_eq!(grown(1.0, 0.5), 1.5);
        assert_eq!(grown(1.0, 1e-30), 1.0_f64.next_up());
        assert_eq!(grown(-1.0, 1e-30), (-1.0_f64).next_up());
        assert_eq!(grown(1e30, 0.0), 1e30);
    }
}
