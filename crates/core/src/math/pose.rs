//! Where a shape is: a rotation about its own origin, then a translation.

use alloc::format;

use core::hint::select_unpredictable;

use glam::DVec2;

use super::point::IntoPoint;
use super::vector::{MAX_COORDINATE, check, check_point};
use crate::error::{Error, ErrorKind};

/// A rotation, stored as cosine and sine, followed by a translation.
///
/// Angles are in radians and positive ones turn +x toward +y. A pose is finite and in range by construction (translation up to 1e30), so
/// nothing that is asked of a placed shape can fail.
///
/// ```
/// use carom::{DVec2, Pose};
///
/// let quarter = Pose::from_degrees([10.0, 0.0], 90.0)?;
/// assert_eq!(quarter.transform_point(DVec2::new(2.0, 1.0)), DVec2::new(9.0, 2.0)); // exactly
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    translation: DVec2,
    cos: f64,
    sin: f64,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self { translation: DVec2::ZERO, cos: 1.0, sin: 0.0 };

    /// A pose from a translation and an angle in radians.
    ///
    /// Cosine and sine come from `libm`, so they have the same bits on every machine.
    ///
    /// # Errors
    /// A number that is not finite, or larger than 1e30 in magnitude.
    pub fn new(translation: impl IntoPoint, radians: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        let (sin, cos) = libm::sincos(check_angle(radians)?);
        Ok(Self { translation, cos, sin })
    }

    /// A pose from a translation and an angle in degrees; multiples of 90° are exact.
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_degrees(translation: impl IntoPoint, degrees: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        // What remains of a quarter turn is exact, so that its sine and cosine are as good for 1e6 degrees as for 10.
        let turn = libm::remainder(check_angle(degrees)?, 360.0);
        let quarter = libm::rint(turn / 90.0);
        let (s, c) = libm::sincos((turn - quarter * 90.0).to_radians());
        let (cos, sin) = match quarter as i32 {
            0 => (c, s),
            1 => (-s, c),
            -1 => (s, -c),
            _ => (-c, -s),
        };
        // 0.0 − 0.0 style zeros: −0 would print as such.
        Ok(Self { translation, cos: cos + 0.0, sin: sin + 0.0 })
    }

    /// A pose without rotation.
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_translation(translation: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { translation: check_translation(translation.into_point())?, ..Self::IDENTITY })
    }

    /// A pose from a stored cosine and sine, kept bit for bit.
    ///
    /// ```
    /// # use carom::Pose;
    /// let pose = Pose::new([1.0, 2.0], 0.7)?;
    /// assert_eq!(Pose::from_cos_sin(pose.translation(), pose.cos(), pose.sin())?, pose);
    /// assert!(Pose::from_cos_sin([0.0, 0.0], 1.0, 1.0).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::new`]; and a pair whose squares do not add up to 1 within 4 rounding errors.
    pub fn from_cos_sin(translation: impl IntoPoint, cos: f64, sin: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        let (cos, sin) = (check("cosine", cos)?, check("sine", sin)?);
        let square = cos * cos + sin * sin;
        if (square - 1.0).abs() > 4.0 * f64::EPSILON {
            return Err(Error::new(
                ErrorKind::NotARotation,
                format!(
                    "cosine {cos:?} and sine {sin:?} have squares that add up to {square:?}; they must add up to 1: divide both by the root of that sum"
                ),
            ));
        }
        Ok(Self { translation, cos, sin })
    }

    /// A pose that was stored, bit for bit. Composed poses are a little less exactly turns than those that may be given.
    pub(crate) fn from_stored(translation: DVec2, cos: f64, sin: f64) -> Option<Self> {
        let turn = (cos * cos + sin * sin - 1.0).abs() <= 64.0 * f64::EPSILON;
        turn.then_some(Self { translation, cos, sin })
    }

    /// Where the shape's own origin lies.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// The cosine of the angle, as stored.
    #[inline]
    #[must_use]
    pub fn cos(&self) -> f64 {
        self.cos
    }

    /// The sine of the angle, as stored.
    #[inline]
    #[must_use]
    pub fn sin(&self) -> f64 {
        self.sin
    }

    /// The angle in radians, in −π ..= π.
    #[must_use]
    pub fn angle(&self) -> f64 {
        libm::atan2(self.sin, self.cos)
    }

    /// Places a point of the shape's own frame.
    ///
    /// This is the one function that does so: the points of a placed shape are its results, and all exact answers are about them.
    #[inline(always)]
    pub fn transform_point(&self, point: impl IntoPoint) -> DVec2 {
        self.rotate_vector(point) + self.translation
    }

    /// [`transform_point`](Self::transform_point) for the center of a circle: it is mostly the origin, of which there is nothing to turn.
    #[inline(always)]
    pub(crate) fn transform_center(&self, center: DVec2) -> DVec2 {
        if center == DVec2::ZERO { self.translation } else { self.transform_point(center) }
    }

    /// Turns a direction of the shape's own frame.
    #[inline(always)]
    pub fn rotate_vector(&self, v: impl IntoPoint) -> DVec2 {
        let v = v.into_point();
        DVec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    /// The pose that places by `inner` first and then by `self`, rounded: of a part of a placed shape.
    #[inline]
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        let (cos, sin) = (self.cos * inner.cos - self.sin * inner.sin, self.sin * inner.cos + self.cos * inner.sin);
        // ErrorBounds errors must not add up from level to level: one Newton step toward a unit length where they could.
        let excess = cos * cos + sin * sin - 1.0;
        let scale = if excess.abs() > 4.0 * f64::EPSILON { 1.0 - 0.5 * excess } else { 1.0 };
        Self { translation: self.transform_point(inner.translation), cos: cos * scale, sin: sin * scale }
    }

    /// The pose with its origin elsewhere.
    ///
    /// ```
    /// # use carom::Pose;
    /// let pose = Pose::from_degrees([1.0, 2.0], 90.0)?.with_translation([3.0, 4.0])?;
    /// assert_eq!((pose.translation(), pose.sin()), ([3.0, 4.0].into(), 1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    #[inline]
    pub fn with_translation(&self, translation: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { translation: check_translation(translation.into_point())?, ..*self })
    }

    /// [`with_translation`](Pose::with_translation) a place that was found to be in range.
    #[inline(always)]
    pub(crate) fn put_at(&self, translation: DVec2) -> Self {
        Self { translation, ..*self }
    }

    /// The pose after turning by an angle, with its origin elsewhere.
    #[inline]
    pub(crate) fn rotated(&self, radians: f64, origin: DVec2) -> Self {
        let here = Self { translation: DVec2::ZERO, ..*self };
        if radians == 0.0 {
            return Self { translation: origin, ..here };
        }
        let (sin, cos) = libm::sincos(radians);
        Self { translation: origin, cos, sin }.compose(&here)
    }

    /// The pose after turning by an angle of no more than 1e5 radians, with its origin elsewhere: quicker than [`rotated`](Self::rotated), and within a few ulp of it.
    ///
    /// Turned once, it need not be brought back to a unit length, which would be waited for.
    #[inline(always)]
    pub(crate) fn rotated_fast(&self, radians: f64, origin: DVec2) -> Self {
        let [cos, sin] = cos_sin(radians);
        Self { translation: origin, cos: cos * self.cos - sin * self.sin, sin: sin * self.cos + cos * self.sin }
    }

    /// A pose from what another one was made of.
    #[inline(always)]
    pub(crate) fn from_parts(translation: [f64; 2], [cos, sin]: [f64; 2]) -> Self {
        Self { translation: translation.into(), cos, sin }
    }

    /// Turns a direction into the shape's own frame: the opposite of [`Pose::rotate_vector`].
    #[inline(always)]
    pub fn inverse_rotate_vector(&self, v: impl IntoPoint) -> DVec2 {
        let v = v.into_point();
        DVec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }
}

/// The cosine and sine of an angle of no more than 1e5 radians, within 2 ulp of 1, without a branch: whole quarter turns are taken off in two parts (Cody and Waite,
/// Software manual for the elementary functions, 1980), and Taylor's series do the rest, their halves side by side.
#[inline(always)]
fn cos_sin(radians: f64) -> [f64; 2] {
    // The first part of a quarter turn has 33 bits, so that its products are exact.
    const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
    // Its last bits count whole numbers.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let counted = radians * core::f64::consts::FRAC_2_PI + WHOLE;
    let quarters = counted - WHOLE;
    let x = (radians - quarters * QUARTER[0]) - quarters * QUARTER[1];
    let z = x * x;
    let (z2, z4) = (z * z, (z * z) * (z * z));
    let low = (1.0 / 6.0 - z * (1.0 / 120.0)) + z2 * (1.0 / 5_040.0 - z * (1.0 / 362_880.0));
    let high = (1.0 / 39_916_800.0 - z * (1.0 / 6_227_020_800.0)) + z2 * (1.0 / 1_307_674_368_000.0);
    let sine = x - x * z * (low + z4 * high);
    let low = (0.5 - z * (1.0 / 24.0)) + z2 * (1.0 / 720.0 - z * (1.0 / 40_320.0));
    let high = (1.0 / 3_628_800.0 - z * (1.0 / 479_001_600.0))
        + z2 * (1.0 / 87_178_291_200.0 - z * (1.0 / 20_922_789_888_000.0));
    let cosine = 1.0 - z * (low + z4 * high);
    let quarter = counted.to_bits() & 3;
    let odd = quarter & 1 == 1;
    let (c, s) = (select_unpredictable(odd, sine, cosine), select_unpredictable(odd, cosine, sine));
    let negate = |v: f64, bit: u64| f64::from_bits(v.to_bits() ^ (bit << 62));
    [negate(c, (quarter + 1) & 2), negate(s, quarter & 2)]
}

/// [`check_point`]; −0.0 is 0.
fn check_translation(translation: DVec2) -> Result<DVec2, Error> {
    Ok(check_point("translation", translation)? + DVec2::ZERO)
}

/// Refuses an angle that is not finite or beyond all sense.
fn check_angle(angle: f64) -> Result<f64, Error> {
    if angle.abs() > MAX_COORDINATE && angle.is_finite() {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("angle is {angle:?}; the limit is 1e30 in magnitude: reduce it to one turn"),
        ));
    }
    check("angle", angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_cosines_and_sines_are_those_of_libm() {
        let mut angle = 1e-9;
        while angle < 1e4 {
            for radians in [angle, -angle] {
                let ([c, s], (sin, cos)) = (cos_sin(radians), libm::sincos(radians));
                assert!(
                    (c - cos).abs() <= 2.0 * f64::EPSILON && (s - sin).abs() <= 2.0 * f64::EPSILON,
                    "{radians}: {c} {s}, not {cos} {sin}"
                );
            }
            angle *= 1.001;
        }
        assert_eq!(cos_sin(0.0), [1.0, 0.0]);
    }

    #[test]
    fn degrees_are_exact_at_quarters_and_accurate_far_out() {
        for (degrees, cos, sin) in [
            (0.0, 1.0, 0.0),
            (90.0, 0.0, 1.0),
            (180.0, -1.0, 0.0),
            (-90.0, 0.0, -1.0),
            (270.0, 0.0, -1.0),
            (-180.0, -1.0, 0.0),
            (3_600_090.0, 0.0, 1.0),
        ] {
            let pose = Pose::from_degrees([0.0, 0.0], degrees).unwrap();
            assert_eq!((pose.cos(), pose.sin()), (cos, sin), "{degrees}");
            assert!(pose.cos().is_sign_positive() || cos < 0.0, "{degrees}: no minus zero");
        }
        let (near, far) = (
            Pose::from_degrees([0.0, 0.0], 30.0).unwrap(),
            Pose::from_degrees([0.0, 0.0], 360.0 * 1e9 + 30.0).unwrap(),
        );
        assert_eq!(near, far);
        assert!((near.sin() - 0.5).abs() < 1e-16);
    }
}
