//! A point against a shape.

use glam::DVec2;

use super::intersects;
use crate::error::Error;
use crate::shape::{Placed, Shape};

impl Placed<'_> {
    /// Does the point lie in the shape or on its boundary? Exact.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn contains_point(&self, point: impl Into<DVec2>) -> Result<bool, Error> {
        Ok(intersects(*self, Shape::circle(0.0)?.at(point)?))
    }
}
