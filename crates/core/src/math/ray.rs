//! Defines rays: an origin, a displacement and a radius.
//!
//! A ray is a finite segment, so a hit has a time from 0 to 1. A ray of infinite length would have
//! to be excluded from every range check. With a radius it is a moving circle, which one function
//! casts as well.

use glam::DVec2;

use super::point::IntoPoint;
use super::vector::{check_point, check_size};
use crate::error::Error;

/// A ray from `origin` to `origin + translation`. The length of `translation` is the length of the
/// ray.
///
/// It is the segment from [`origin`](Ray::origin) to [`end`](Ray::end), both included. With a
/// radius, it is a circle cast: the area that a circle sweeps along the segment. A ray without
/// length is a point, or a circle. A translation so small that the sum with the origin rounds it
/// away gives such a ray too.
///
/// Rays are *solid* by default: a ray that starts inside a shape hits it at its start. A
/// [`hollow`](Ray::hollow) ray hits the boundary where it leaves that shape.
///
/// ```
/// use carom::Ray;
///
/// let ray = Ray::new([0.0, 0.0], [10.0, 0.0])?;
/// assert_eq!((ray.translation().x, ray.radius()), (10.0, 0.0));
/// let thick = ray.with_radius(0.5)?;
/// assert_eq!(thick.radius(), 0.5);
/// assert!(Ray::new([f64::NAN, 0.0], [1.0, 0.0]).is_err());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec2,
    translation: DVec2,
    radius: f64,
    hollow: bool,
}

impl Ray {
    /// Creates a ray from its origin and the displacement to its end.
    ///
    /// # Errors
    /// If a coordinate of the origin, the displacement or the end is not finite or above 1e30 in
    /// magnitude.
    pub fn new(origin: impl IntoPoint, translation: impl IntoPoint) -> Result<Self, Error> {
        let (origin, translation) =
            (check_point("origin", origin.into_point())?, check_point("displacement", translation.into_point())?);
        check_point("end", origin + translation)?;
        Ok(Self { origin, translation, radius: 0.0, hollow: false })
    }

    /// Creates a ray from one point to another. Its [`end`](Ray::end) can differ from `to` by a rounding error, because
    /// the displacement is rounded.
    ///
    /// ```
    /// use carom::Ray;
    ///
    /// assert_eq!(Ray::between([1.0, 1.0], [4.0, 5.0])?, Ray::new([1.0, 1.0], [3.0, 4.0])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ray::new`].
    #[doc(alias = "line_cast")]
    pub fn between(from: impl IntoPoint, to: impl IntoPoint) -> Result<Self, Error> {
        let (from, to) = (check_point("origin", from.into_point())?, check_point("end", to.into_point())?);
        Self::new(from, to - from)
    }

    /// Returns the ray with a radius: a circle cast.
    ///
    /// # Errors
    /// If the radius is negative, not finite or above 1e30.
    pub fn with_radius(self, radius: f64) -> Result<Self, Error> {
        Ok(Self { radius: check_size("radius", radius)?, ..self })
    }

    /// Returns the ray as a hollow one: if it starts inside a shape, it hits the boundary where it
    /// leaves. Other results do not change.
    ///
    /// ```
    /// use carom::{Ray, Shape, ray_cast};
    ///
    /// let ball = Shape::circle(2.0)?;
    /// let ray = Ray::new([0.0, 0.0], [8.0, 0.0])?;
    /// assert_eq!(ray_cast(ray, ball.at([0.0, 0.0])?).unwrap().time, 0.0);
    /// assert_eq!(ray_cast(ray.hollow(), ball.at([0.0, 0.0])?).unwrap().time, 0.25);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn hollow(self) -> Self {
        Self { hollow: true, ..self }
    }

    /// Returns the start of the ray.
    #[inline]
    #[must_use]
    pub fn origin(&self) -> DVec2 {
        self.origin
    }

    /// Returns the displacement from the origin to the end.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// Returns the end of the ray: the rounded sum of origin and translation. Exact predicates
    /// decide about this point.
    #[inline]
    #[must_use]
    pub fn end(&self) -> DVec2 {
        self.origin + self.translation
    }

    /// Returns the radius of the circle that is cast; 0 for a line.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns true if the ray ignores the shape it starts in until it leaves it.
    #[inline]
    #[must_use]
    pub fn is_hollow(&self) -> bool {
        self.hollow
    }
}
