//! Defines a placed shape in motion: its start, displacement and rotation.
//!
//! Input: a placed shape, a translation and an angle. Output: the shape at any time from 0 to 1,
//! and a box of the whole motion. Both velocities are constant, so the origin of the pose moves
//! along a segment.
//!
//! The box of a rotating motion is that of the bounding circle about the origin of the pose. The
//! union of the boxes at both ends would not contain a corner that passes its extreme in between.

use alloc::format;

use glam::DVec2;

use super::convex::Convex;
use super::part::Part;
use super::placed::Placed;
use crate::error::{Error, ErrorKind, Number};
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{MIN_SUBNORMAL, UNIT_ROUNDOFF, check, check_point, in_range, length, norm1};

/// Largest rotation in one motion, in radians: about 1600 turns.
const MAX_ROTATION: f64 = 1e4;

/// The same limit in whole degrees.
const MAX_ROTATION_DEGREES: f64 = 572_957.0;

/// A [`Placed`] shape that moves and rotates at constant velocity from time 0 to time 1.
///
/// At `time` the origin of its pose is at start + `time` × translation. The shape is rotated by
/// `time` × angle about this origin. A [`Placed`] converts to a sweep without motion.
///
/// ```
/// use carom::{DVec2, Shape};
///
/// let plank = Shape::rectangle(4.0, 0.1)?;
/// let falling = plank.at([0.0, 10.0])?.sweep([0.0, -8.0])?.with_rotation(std::f64::consts::PI)?;
/// let halfway = falling.at(0.5).pose();
/// assert_eq!(halfway.translation(), DVec2::new(0.0, 6.0));
/// assert!((halfway.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep<'a> {
    start: Placed<'a>,
    translation: DVec2,
    angle: f64,
    /// Gap at which a time of impact stops the motion. 0 unless [`Self::until_gap`] sets it.
    target_gap: f64,
}

impl<'a> From<Placed<'a>> for Sweep<'a> {
    #[inline]
    fn from(start: Placed<'a>) -> Self {
        Self { start, translation: DVec2::ZERO, angle: 0.0, target_gap: 0.0 }
    }
}

impl<'a> Placed<'a> {
    /// Returns the shape in motion along a straight path, from its pose.
    ///
    /// # Errors
    /// If the translation is not finite or above 1e30 in magnitude, or if it ends farther than 1e30
    /// from the world's origin.
    #[inline]
    #[doc(alias = "motion")]
    pub fn sweep(&self, translation: impl IntoPoint) -> Result<Sweep<'a>, Error> {
        let translation = translation.into_point();
        let end = self.pose().translation() + translation;
        // Both checks in one branch, for the usual case.
        if !(in_range(translation) & in_range(end)) {
            check_point("motion", translation)?;
            check_point("end of the motion", end)?;
        }
        Ok(Sweep { start: *self, translation, angle: 0.0, target_gap: 0.0 })
    }
}

/// Returns the error for an angle that is not finite or too large for one motion.
#[cold]
fn rotation_error(angle: f64, unit: &str, limit: &str) -> Error {
    let out_of_range = || {
        let angle = Number(angle);
        let message = format!("rotation is {angle:?} {unit}; the limit is {limit} in one motion: split the motion");
        Error::new(ErrorKind::OutOfRange, message)
    };
    check("rotation", angle).err().unwrap_or_else(out_of_range)
}

impl<'a> Sweep<'a> {
    /// Returns the motion with a rotation about the pose's origin, in radians. Positive angles
    /// rotate +x toward +y.
    ///
    /// # Errors
    /// If the angle is not finite or above 10 000 radians in magnitude. The work of a time of
    /// impact grows with the angle.
    #[inline]
    pub fn with_rotation(self, radians: f64) -> Result<Self, Error> {
        // The comparison is false for NaN.
        if radians.abs() <= MAX_ROTATION {
            return Ok(Self { angle: radians, ..self });
        }
        Err(rotation_error(radians, "radians", "10000"))
    }

    /// As [`with_rotation`](Self::with_rotation), with an angle in degrees. Errors name degrees
    /// too.
    ///
    /// # Errors
    /// If the angle is not finite or above 572 957 degrees in magnitude, which is 10 000 radians.
    ///
    /// ```
    /// # use carom::Shape;
    /// let plank = Shape::rectangle(4.0, 0.1)?;
    /// let still = plank.at([0.0, 0.0])?.sweep([0.0, 0.0])?;
    /// assert_eq!(still.with_rotation_degrees(180.0)?.angle(), std::f64::consts::PI);
    /// assert!(still.with_rotation_degrees(600_000.0).unwrap_err().to_string().contains("600000.0 degrees"));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[inline]
    pub fn with_rotation_degrees(self, degrees: f64) -> Result<Self, Error> {
        if degrees.abs() <= MAX_ROTATION_DEGREES {
            return Ok(Self { angle: degrees.to_radians(), ..self });
        }
        Err(rotation_error(degrees, "degrees", "572957"))
    }

    /// Returns the shape at time 0.
    #[inline]
    #[must_use]
    pub fn start(&self) -> Placed<'a> {
        self.start
    }

    /// Returns the displacement of the pose's origin from time 0 to time 1.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// Returns the rotation from time 0 to time 1, in radians.
    #[inline]
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Returns the shape at a time from 0 to 1. Times outside this range are clamped; NaN counts as
    /// 0.
    #[must_use]
    pub fn at(&self, time: f64) -> Placed<'a> {
        let time = if time > 0.0 { time.min(1.0) } else { 0.0 };
        let start = self.start.pose();
        let origin = start.translation() + self.translation * time;
        self.start.shape().placed(start.rotated(self.angle * time, origin))
    }

    /// Returns the rest of the motion after a time from 0 to 1, as a motion of its own.
    pub(crate) fn after(&self, time: f64) -> Self {
        if time == 0.0 {
            return *self;
        }
        let (start, left) = (self.at(time), 1.0 - time);
        Self { start, translation: self.translation * left, angle: self.angle * left, ..*self }
    }

    /// Returns a box that contains the shape during the whole motion.
    ///
    /// Without rotation it is the smallest one. With rotation it is the box of the swept bounding
    /// circle about the pose's origin.
    ///
    /// ```
    /// # use carom::Shape;
    /// let ball = Shape::circle(1.0)?;
    /// let swept = ball.at([0.0, 0.0])?.sweep([10.0, 5.0])?.aabb();
    /// assert_eq!((swept.min(), swept.max()), ([-1.0, -1.0].into(), [11.0, 6.0].into()));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        let (start, end) = (self.start, self.at(1.0));
        if self.angle == 0.0 {
            return start.aabb().union(&end.aabb());
        }
        let pivot = start.pose().translation();
        let mut largest: f64 = 0.0;
        for part in start.parts() {
            for p in part.points() {
                largest = largest.max(length(p - pivot) + part.convex.radius);
            }
        }
        // Margin for a few roundings of the lengths and of the placed points.
        let magnitude = norm1(pivot) + norm1(end.pose().translation());
        let bounding_radius = largest * (1.0 + 32.0 * UNIT_ROUNDOFF) + 16.0 * UNIT_ROUNDOFF * magnitude;
        // The roundings of subnormal numbers are not relative.
        let subnormal = if bounding_radius > 0.0 && bounding_radius < 1e-300 { 32.0 * MIN_SUBNORMAL } else { 0.0 };
        let bounding_radius = bounding_radius + subnormal;
        Aabb::around([pivot, end.pose().translation()].into_iter(), bounding_radius)
    }

    /// Returns the motion with the gap at which a time of impact stops it.
    #[inline(always)]
    pub(crate) fn until_gap(self, target_gap: f64) -> Self {
        Self { target_gap, ..self }
    }

    /// Returns the gap at which a time of impact stops the motion.
    #[inline(always)]
    pub(crate) fn target_gap(&self) -> f64 {
        self.target_gap
    }

    /// Returns true if the shape neither moves nor rotates.
    #[inline]
    pub(crate) fn is_still(&self) -> bool {
        self.translation == DVec2::ZERO && self.angle == 0.0
    }

    /// Returns a convex shape and its start pose; `None` for a composite.
    #[inline(always)]
    pub(crate) fn as_convex(&self) -> Option<(&'a Convex, &Pose)> {
        self.start.as_convex()
    }

    /// Returns a convex shape as its only part; `None` for a composite.
    #[inline(always)]
    pub(crate) fn as_part(&self) -> Option<Part<'a>> {
        self.start.as_part()
    }
}
