//! A ray: a start and a direction with a length.

use glam::DVec2;

use super::vector::check_point;
use crate::error::Error;

/// A ray from `origin` along `translation`, whose length is how far it reaches.
///
/// ```
/// use carom::Ray;
///
/// let ray = Ray::new([0.0, 0.0], [10.0, 0.0])?;
/// assert_eq!(ray.translation().x, 10.0);
/// assert!(Ray::new([f64::NAN, 0.0], [1.0, 0.0]).is_err());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec2,
    translation: DVec2,
}

impl Ray {
    /// A ray from a start and the way to its end.
    ///
    /// # Errors
    /// A number that is not finite, or larger than 1e30 in magnitude.
    pub fn new(origin: impl Into<DVec2>, translation: impl Into<DVec2>) -> Result<Self, Error> {
        Ok(Self { origin: check_point("origin", origin.into())?, translation: check_point("translation", translation.into())? })
    }

    /// Where it starts.
    pub fn origin(&self) -> DVec2 {
        self.origin
    }

    /// The way from its start to its end.
    pub fn translation(&self) -> DVec2 {
        self.translation
    }
}
