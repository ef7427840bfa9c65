//! Computes with poses: a rotation about the shape's own origin, then a translation.
//!
//! Input: a translation, and an angle or its cosine and sine. Output: transformed points and
//! directions. The rotation is stored as cosine and sine, so that placing a point takes no
//! trigonometric function.
//!
//! [`Pose::transform_point`] defines the points of a placed shape. Its result is rounded, and every
//! predicate decides about the rounded points. So all algorithms must call it and none may compute
//! the same sum in another order.
//!
//! Cosines come from `libm`, because those of system libraries differ in the last bits.
//! `rotated_fast` uses a faster branchless function with an error of at most 2 ε.

use alloc::format;

use core::hint::select_unpredictable;

use glam::DVec2;

use super::big_int::BitRange;
use super::point::IntoPoint;
use super::vector::{MAX_COORDINATE, check, check_point};
use crate::error::{Error, ErrorKind, Number};

/// A rotation, stored as cosine and sine, followed by a translation.
///
/// Angles are in radians. Positive angles rotate +x toward +y. Every pose is finite and its
/// translation is at most 1e30 in magnitude, so a query of a placed shape cannot fail.
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
    /// The pose without rotation and translation.
    pub const IDENTITY: Self = Self { translation: DVec2::ZERO, cos: 1.0, sin: 0.0 };

    /// Creates a pose from a translation and an angle in radians.
    ///
    /// Cosine and sine come from `libm`, so they have the same bits on every machine.
    ///
    /// # Errors
    /// If a number is not finite or above 1e30 in magnitude.
    pub fn new(translation: impl IntoPoint, radians: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        let (sin, cos) = libm::sincos(check_angle(radians)?);
        Ok(Self { translation, cos, sin })
    }

    /// Creates a pose from a translation and an angle in degrees. Multiples of 90° are exact.
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_degrees(translation: impl IntoPoint, degrees: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        // The remainder after whole quarter turns is exact, so sine and cosine are as accurate for
        // 1e6 degrees as for 10.
        let remainder = libm::remainder(check_angle(degrees)?, 360.0);
        let quarter = libm::rint(remainder / 90.0);
        let (s, c) = libm::sincos((remainder - quarter * 90.0).to_radians());
        let (cos, sin) = match quarter as i32 {
            0 => (c, s),
            1 => (-s, c),
            -1 => (s, -c),
            _ => (-c, -s),
        };
        // Turns −0 into 0, because −0 is printed with its sign.
        Ok(Self { translation, cos: cos + 0.0, sin: sin + 0.0 })
    }

    /// Creates a pose without rotation.
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_translation(translation: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { translation: check_translation(translation.into_point())?, ..Self::IDENTITY })
    }

    /// Creates a pose from a stored cosine and sine, without changing a bit.
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
    /// As [`Pose::new`]. Also if the sum of the squares differs from 1 by more than 4 ε (ε = 2⁻⁵²).
    pub fn from_cos_sin(translation: impl IntoPoint, cos: f64, sin: f64) -> Result<Self, Error> {
        let translation = check_translation(translation.into_point())?;
        let (cos, sin) = (check("cosine", cos)?, check("sine", sin)?);
        let square = cos * cos + sin * sin;
        if (square - 1.0).abs() > 4.0 * f64::EPSILON {
            return Err(Error::new(
                ErrorKind::NotARotation,
                format!(
                    "the squares of cosine {:?} and sine {:?} add up to {:?}; they must \
                     add up to 1: divide both by the square root of that sum",
                    Number(cos),
                    Number(sin),
                    Number(square)
                ),
            ));
        }
        Ok(Self { translation, cos, sin })
    }

    /// Restores a stored pose without changing a bit.
    ///
    /// Allows a larger error than [`from_cos_sin`](Self::from_cos_sin), 64 ε: composed poses are
    /// less exact rotations than those of the caller.
    pub(crate) fn from_stored(translation: DVec2, cos: f64, sin: f64) -> Option<Self> {
        let is_rotation = (cos * cos + sin * sin - 1.0).abs() <= 64.0 * f64::EPSILON;
        is_rotation.then_some(Self { translation, cos, sin })
    }

    /// Returns the position of the shape's own origin.
    #[inline]
    #[must_use]
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// Returns the cosine of the angle, as stored.
    #[inline]
    #[must_use]
    pub fn cos(&self) -> f64 {
        self.cos
    }

    /// Returns the sine of the angle, as stored.
    #[inline]
    #[must_use]
    pub fn sin(&self) -> f64 {
        self.sin
    }

    /// Returns the angle in radians, from −π to π.
    #[must_use]
    pub fn angle(&self) -> f64 {
        libm::atan2(self.sin, self.cos)
    }

    /// Returns true if the rotation is exactly a multiple of 90°. It rounds no point.
    #[inline]
    pub(crate) fn is_quarter_turn(&self) -> bool {
        let [cos, sin] = [self.cos.abs(), self.sin.abs()];
        (cos == 1.0 && sin == 0.0) || (cos == 0.0 && sin == 1.0)
    }

    /// Returns true if the pose rounds no point with coordinates of these bits.
    ///
    /// A quarter turn rounds nothing. The sum of a coordinate, the translation and `more` other numbers of these bits
    /// has at most one bit more per addition. It is exact if it fits in the mantissa.
    #[inline]
    pub(crate) fn is_exact_for(&self, mut bits: BitRange, more: i32) -> bool {
        self.is_quarter_turn()
            && (self.translation == DVec2::ZERO || {
                bits.include(self.translation.x);
                bits.include(self.translation.y);
                bits.width() + 1 + more <= f64::MANTISSA_DIGITS as i32
            })
    }

    /// Transforms a point from the shape's own frame to the world.
    ///
    /// All code uses this function. Its rounded results define the points of a placed shape, and
    /// exact predicates decide about these points.
    #[inline(always)]
    #[must_use]
    pub fn transform_point(&self, point: impl IntoPoint) -> DVec2 {
        self.rotate_vector(point) + self.translation
    }

    /// [`transform_point`](Self::transform_point) for the center of a circle. Skips the rotation of
    /// the origin, the usual center.
    #[inline(always)]
    pub(crate) fn transform_center(&self, center: DVec2) -> DVec2 {
        if center == DVec2::ZERO { self.translation } else { self.transform_point(center) }
    }

    /// Rotates a direction from the shape's own frame to the world.
    #[inline(always)]
    #[must_use]
    pub fn rotate_vector(&self, v: impl IntoPoint) -> DVec2 {
        let v = v.into_point();
        DVec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    /// Returns the pose that applies `inner` first and then `self`, rounded. For parts of a placed
    /// compound.
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        let (cos, sin) = (self.cos * inner.cos - self.sin * inner.sin, self.sin * inner.cos + self.cos * inner.sin);
        // Rounding errors must not add up from level to level. If the length is off by more than 2
        // ε, one Newton step restores it.
        let excess = cos * cos + sin * sin - 1.0;
        let scale = if excess.abs() > 4.0 * f64::EPSILON { 1.0 - 0.5 * excess } else { 1.0 };
        Self { translation: self.transform_point(inner.translation), cos: cos * scale, sin: sin * scale }
    }

    /// Returns the pose with another translation.
    ///
    /// ```
    /// # use carom::Pose;
    /// let pose = Pose::from_degrees([1.0, 2.0], 90.0)?.with_translation([3.0, 4.0])?;
    /// assert_eq!((pose.translation(), pose.sin()), ([3.0, 4.0].into(), 1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a coordinate is not finite or above 1e30 in magnitude.
    #[inline]
    pub fn with_translation(&self, translation: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { translation: check_translation(translation.into_point())?, ..*self })
    }

    /// [`with_translation`](Pose::with_translation) without the check, for a position known to be
    /// in range.
    #[inline(always)]
    pub(crate) fn with_valid_translation(&self, translation: DVec2) -> Self {
        Self { translation, ..*self }
    }

    /// Returns the pose after rotating by an angle in radians, with its origin at `origin`.
    #[inline]
    pub(crate) fn rotated(&self, radians: f64, origin: DVec2) -> Self {
        let here = Self { translation: DVec2::ZERO, ..*self };
        if radians == 0.0 {
            return Self { translation: origin, ..here };
        }
        let (sin, cos) = libm::sincos(radians);
        Self { translation: origin, cos, sin }.compose(&here)
    }

    /// Like [`rotated`](Self::rotated), but faster and a few ulp less exact, for angles up to 1e5
    /// radians.
    ///
    /// Does not normalize: one rotation needs no correction, and later computations would wait for
    /// it.
    #[inline(always)]
    pub(crate) fn rotated_fast(&self, radians: f64, origin: DVec2) -> Self {
        let [cos, sin] = cos_sin(radians);
        Self { translation: origin, cos: cos * self.cos - sin * self.sin, sin: sin * self.cos + cos * self.sin }
    }

    /// Creates a pose from the stored numbers of another pose.
    #[inline(always)]
    pub(crate) fn from_parts(translation: [f64; 2], [cos, sin]: [f64; 2]) -> Self {
        Self { translation: translation.into(), cos, sin }
    }

    /// Rotates a direction from the world to the shape's own frame: the inverse of
    /// [`Pose::rotate_vector`].
    #[inline(always)]
    #[must_use]
    pub fn inverse_rotate_vector(&self, v: impl IntoPoint) -> DVec2 {
        let v = v.into_point();
        DVec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }
}

/// Returns the cosine and sine of an angle of at most 1e5 radians, each with an error of at most 2
/// ε.
///
/// Branchless, after Cody and Waite, *Software manual for the elementary functions*, 1980:
///
/// 1. Subtract the nearest multiple of π/2, in two parts, so that the rest x is accurate.
/// 2. Evaluate the Taylor series of sin x and cos x, each as two halves in parallel.
/// 3. Swap and negate by the number of quarter turns, modulo 4.
#[inline(always)]
fn cos_sin(radians: f64) -> [f64; 2] {
    // The first part of π/2 has 33 bits, so its products with the number of quarter turns are
    // exact.
    const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
    // 1.5 · 2⁵²: adding it rounds to an integer, which is then found in the last bits.
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

/// [`check_point`]; also turns −0.0 into 0.
fn check_translation(translation: DVec2) -> Result<DVec2, Error> {
    Ok(check_point("translation", translation)? + DVec2::ZERO)
}

/// Returns an error for an angle that is not finite or above 1e30 in magnitude.
fn check_angle(angle: f64) -> Result<f64, Error> {
    if angle.abs() > MAX_COORDINATE && angle.is_finite() {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("angle is {:?}; the limit is 1e30 in magnitude: reduce it to one turn", Number(angle)),
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
