//! The settings of a mover, and the methods that set them.
//!
//! Input: lengths in units of the world, angles in radians. Output: a mover with the setting, or an
//! error that names the setting, its value and the limit. Nothing is clamped in silence, except the
//! skin: its least value depends on the size of the collider, which is known only in a move.

use alloc::format;
use core::f64::consts::FRAC_PI_2;

use glam::DVec2;

use super::Mover;
use crate::error::{Error, ErrorKind, Number};
use crate::math::point::IntoPoint;
use crate::math::vector::{check_direction, check_size};

/// Steepest slope that counts as floor, if the caller sets none: 50°.
const MAX_SLOPE: f64 = 50.0;

/// Rounding tolerance of the cosine of a slope. Slopes at the limit count as floor.
const ROUNDING: f64 = 1e-9;

/// Farthest remembered collider, in sizes of the mover.
const FARTHEST: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) skin: f64,
    pub(super) up: Option<DVec2>,
    /// Cosine of the steepest slope that counts as floor.
    pub(super) floor: f64,
    pub(super) step: f64,
    pub(super) snap: f64,
    pub(super) push: f64,
}

impl Settings {
    /// Returns the largest distance of a moving collider that is remembered for the next call.
    pub(super) fn farthest(&self, size: f64) -> f64 {
        self.push.min(FARTHEST * size)
    }
}

impl Default for Settings {
    fn default() -> Self {
        let floor = libm::cos(MAX_SLOPE.to_radians()) - ROUNDING;
        Self { skin: 0.01, up: None, floor, step: 0.3, snap: 0.3, push: 1.0 }
    }
}

impl Mover {
    /// Sets the distance that the mover keeps to other colliders. 0.01 of its size is a good value.
    ///
    /// The least skin is 1e-5 of the mover's size + 512 ulp of its coordinates. A smaller value, 0
    /// too, counts as the least skin: below it, rounding would stop the mover at seams.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn skin(mut self, skin: f64) -> Result<Self, Error> {
        self.settings.skin = check_size("skin", skin)?;
        Ok(self)
    }

    /// Sets the direction against gravity, of any length.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in magnitude.
    pub fn up(mut self, up: impl IntoPoint) -> Result<Self, Error> {
        self.settings.up = Some(check_direction("upward direction", up.into_point())?);
        Ok(self)
    }

    /// Sets the steepest slope that the mover stands on and climbs, in radians: 0 or more, below π/2.
    ///
    /// # Errors
    /// A number that is not finite, negative, or π/2 and above (degrees, for example).
    pub fn max_slope(mut self, radians: f64) -> Result<Self, Error> {
        let radians = check_size("max slope", radians)?;
        if radians >= FRAC_PI_2 {
            let message =
                format!("max slope is {:?} radians; it must be below π/2: a wall is no slope", Number(radians));
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        self.settings.floor = libm::cos(radians) - ROUNDING;
        Ok(self)
    }

    /// Sets the highest step that the mover climbs, a length. 0: it climbs none. A round mover also walks
    /// over corners that it touches with a normal within the maximum slope, as over a slope.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn step_height(mut self, height: f64) -> Result<Self, Error> {
        self.settings.step = check_size("step height", height)?;
        Ok(self)
    }

    /// Sets the largest height by which the mover snaps down to the ground when it walks off it.
    /// 0: it never snaps.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn snap_distance(mut self, distance: f64) -> Result<Self, Error> {
        self.settings.snap = check_size("snap distance", distance)?;
        Ok(self)
    }

    /// Sets the largest distance by which one call moves the mover out of overlaps, or to free space if it was put
    /// inside colliders. A moving collider
    /// pushes it by at most this distance too. 0: it is never moved out.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn max_push(mut self, distance: f64) -> Result<Self, Error> {
        self.settings.push = check_size("max push", distance)?;
        Ok(self)
    }
}
