//! A placed shape in motion: where it starts, how far it moves and turns.

use alloc::format;

use glam::DVec2;

use super::convex::Convex;
use super::part::Part;
use super::placed::Placed;
use crate::error::{Error, ErrorKind};
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{MAX_COORDINATE, UNIT_ROUNDOFF, check, check_point, length, norm1};

/// The most that a shape may turn in one motion, in radians: some 1500 turns.
const MOST_TURNING: f64 = 1e4;

/// The same in whole degrees.
const MOST_DEGREES: f64 = 572_957.0;

/// A [`Placed`] shape that moves and turns evenly while time goes from 0 to 1.
///
/// At `time` its pose's origin is at the start plus `time` × translation, and it is turned by `time` × turning about that origin. A [`Placed`] alone is a
/// sweep without motion.
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
    turning: f64,
}

impl<'a> From<Placed<'a>> for Sweep<'a> {
    #[inline]
    fn from(start: Placed<'a>) -> Self {
        Self { start, translation: DVec2::ZERO, turning: 0.0 }
    }
}

impl<'a> Placed<'a> {
    /// The shape in motion along a straight way, from here.
    ///
    /// # Errors
    /// A translation that is not finite or above 1e30 in magnitude, or that leads farther than 1e30 from the world's origin.
    #[inline]
    pub fn sweep(&self, translation: impl IntoPoint) -> Result<Sweep<'a>, Error> {
        let translation = translation.into_point();
        let end = self.pose().translation() + translation;
        // Both at once, in the usual case.
        if !(in_range(translation) & in_range(end)) {
            check_point("motion", translation)?;
            check_point("end of the motion", end)?;
        }
        Ok(Sweep { start: *self, translation, turning: 0.0 })
    }
}

/// What is wrong with an angle that is not a number, infinite, or too much for one motion.
#[cold]
fn no_turning(angle: f64, unit: &str, limit: &str) -> Error {
    let too_much = || {
        let message = format!("turning is {angle:?} {unit}; the limit is {limit} in one motion: split the motion");
        Error::new(ErrorKind::OutOfRange, message)
    };
    check("turning", angle).err().unwrap_or_else(too_much)
}

/// Is no coordinate NaN or beyond the limit?
#[inline(always)]
fn in_range(v: DVec2) -> bool {
    (v.x.abs() <= MAX_COORDINATE) & (v.y.abs() <= MAX_COORDINATE)
}

impl<'a> Sweep<'a> {
    /// The same motion while the shape turns by an angle about its pose's origin, in radians; positive turns +x toward +y.
    ///
    /// # Errors
    /// An angle that is not finite or above 10 000 radians in magnitude: the work of a time of impact grows with it.
    #[inline]
    pub fn with_rotation(self, radians: f64) -> Result<Self, Error> {
        // Not so of NaN.
        if radians.abs() <= MOST_TURNING {
            return Ok(Self { turning: radians, ..self });
        }
        Err(no_turning(radians, "radians", "10000"))
    }

    /// As [`with_rotation`](Self::turning), by an angle in degrees; errors speak of degrees too.
    ///
    /// # Errors
    /// An angle that is not finite or above 572 957 degrees in magnitude, which is 10 000 radians.
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
        if degrees.abs() <= MOST_DEGREES {
            return Ok(Self { turning: degrees.to_radians(), ..self });
        }
        Err(no_turning(degrees, "degrees", "572957"))
    }

    /// Where it is at time 0.
    #[inline]
    #[must_use]
    pub fn start(&self) -> Placed<'a> {
        self.start
    }

    /// How far its pose's origin moves while time goes from 0 to 1.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// By how much it turns while time goes from 0 to 1, in radians.
    #[inline]
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.turning
    }

    /// Where it is at a time of 0..=1; earlier and later ones (and NaN) count as 0 and 1.
    #[must_use]
    pub fn at(&self, time: f64) -> Placed<'a> {
        let time = if time > 0.0 { time.min(1.0) } else { 0.0 };
        let start = self.start.pose();
        let origin = start.translation() + self.translation * time;
        self.start.shape().placed(start.rotated(self.turning * time, origin))
    }

    /// A box that the shape never leaves during the motion: the smallest one where it does not turn, that of the circles it stays in where it does.
    ///
    /// ```
    /// # use carom::Shape;
    /// let ball = Shape::circle(1.0)?;
    /// let swept = ball.at([0.0, 0.0])?.sweep([10.0, 5.0])?.aabb();
    /// assert_eq!((swept.min(), swept.max()), ([-1.0, -1.0].into(), [11.0, 6.0].into()));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        let (start, end) = (self.start, self.at(1.0));
        if self.turning == 0.0 {
            return start.aabb().union(&end.aabb());
        }
        let reaches = start
            .parts()
            .flat_map(|part| part.points().map(move |p| length(p - start.pose().translation()) + part.convex.radius));
        // Rounded a few times, of lengths and where points are placed.
        let far = norm1(start.pose().translation()) + norm1(end.pose().translation());
        let reach = reaches.fold(0.0, f64::max) * (1.0 + 32.0 * UNIT_ROUNDOFF) + 16.0 * UNIT_ROUNDOFF * far;
        Aabb::around([start.pose().translation(), end.pose().translation()].into_iter(), reach)
    }

    /// Does it neither move nor turn?
    #[inline]
    pub(crate) fn is_still(&self) -> bool {
        self.translation == DVec2::ZERO && self.turning == 0.0
    }

    /// A convex shape, and where it starts.
    #[inline(always)]
    pub(crate) fn as_convex(&self) -> Option<(&'a Convex, &Pose)> {
        self.start.as_convex()
    }

    /// A convex shape as its only part.
    #[inline(always)]
    pub(crate) fn as_part(&self) -> Option<Part<'a>> {
        self.start.as_part()
    }
}
