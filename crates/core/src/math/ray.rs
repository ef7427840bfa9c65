//! A ray: a start and a direction with a length.

use glam::DVec2;

use super::point::IntoPoint;
use super::vector::{check_point, check_size};
use crate::error::Error;

/// A ray from `origin` along `translation`, whose length is how far it reaches.
///
/// It is the segment from [`origin`](Ray::origin) to [`end`](Ray::end), both included; with a radius, what a circle sweeps that moves along it. A ray without length
/// is a point (or a circle), and so is one whose translation is lost when it is added to the origin.
///
/// A ray is *solid*: one that starts inside a shape meets it there. [`hollow`](Ray::hollow) rays leave the shape that they start in instead.
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
    /// A ray from a start and the way to its end.
    ///
    /// # Errors
    /// A number that is not finite, or larger than 1e30 in magnitude, of the start, the way or the end.
    pub fn new(origin: impl IntoPoint, translation: impl IntoPoint) -> Result<Self, Error> {
        let (origin, translation) =
            (check_point("origin", origin.into_point())?, check_point("translation", translation.into_point())?);
        check_point("end", origin + translation)?;
        Ok(Self { origin, translation, radius: 0.0, hollow: false })
    }

    /// The ray as thick as a circle of this radius: a circle cast.
    ///
    /// # Errors
    /// A radius that is negative, not finite or above 1e30.
    pub fn with_radius(self, radius: f64) -> Result<Self, Error> {
        Ok(Self { radius: check_size("radius", radius)?, ..self })
    }

    /// The ray that, where it starts inside a shape, meets it where it leaves it. Elsewhere it is no different.
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

    /// Where it starts.
    #[inline]
    #[must_use]
    pub fn origin(&self) -> DVec2 {
        self.origin
    }

    /// The way from its start to its end.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// Where it ends: the rounded sum of both, which all exact answers are about.
    #[inline]
    #[must_use]
    pub fn end(&self) -> DVec2 {
        self.origin + self.translation
    }

    /// How thick it is to either side; 0 for a line.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Does it leave what it starts in?
    #[inline]
    #[must_use]
    pub fn is_hollow(&self) -> bool {
        self.hollow
    }
}
