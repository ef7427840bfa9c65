//! Provides vector functions that glam does not have, and the range checks for coordinates and
//! sizes.
//!
//! Lengths and unit vectors are correct for subnormal numbers too: such vectors are scaled by a
//! power of two first. The plain formula squares the coordinates, and squares below 1e-308 are
//! subnormal or 0. Then the direction of a tiny edge would be NaN.
//!
//! Coordinates are at most 1e30 in magnitude. So products of degree four, as in the predicates,
//! stay below the largest `f64`. All constructors call these checks, and no later code has to test
//! for overflow.

use alloc::format;
use core::hint::select_unpredictable;

use glam::DVec2;

use crate::error::{Coordinates, Error, ErrorKind, Number};

/// The largest magnitude of a coordinate, size or displacement.
pub(crate) const MAX_COORDINATE: f64 = 1e30;

/// The unit roundoff u = 2⁻⁵³: the largest relative error of one rounding.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// The least positive number, 2⁻¹⁰⁷⁴. Replaces a result that rounding made 0 but that is exactly
/// above 0.
pub(crate) const MIN_SUBNORMAL: f64 = f64::from_bits(1);

/// Squared lengths below this may have lost digits to underflow.
pub(crate) const TINY_SQUARE: f64 = 1e-280;

/// Returns the z component of the cross product: positive if `b` lies to the left of `a`.
#[inline(always)]
pub(crate) fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Returns the 1-norm `|x| + |y|`.
#[inline(always)]
pub(crate) fn norm1(v: DVec2) -> f64 {
    v.x.abs() + v.y.abs()
}

/// Returns the smaller of two numbers in one instruction. Neither is NaN.
#[inline(always)]
pub(crate) fn lesser(p: f64, q: f64) -> f64 {
    if p < q { p } else { q }
}

/// Returns the greater of two numbers in one instruction. Neither is NaN.
#[inline(always)]
pub(crate) fn greater(p: f64, q: f64) -> f64 {
    if p > q { p } else { q }
}

/// Returns the number of the interval from 0 to `length` that is closest to `along`. Neither is NaN.
///
/// `f64::clamp` has an assertion whose message formats numbers. Its code takes 20 KB of a small program with link-time
/// optimization.
#[inline(always)]
pub(crate) fn clamp_to_length(along: f64, length: f64) -> f64 {
    lesser(length, greater(0.0, along))
}

/// Returns the square root, correctly rounded and therefore equal on every machine.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(all(not(feature = "std"), target_arch = "wasm32", target_os = "unknown"))]
    return carom_simd::sqrt(x);
    #[cfg(not(any(feature = "std", all(target_arch = "wasm32", target_os = "unknown"))))]
    return libm::sqrt(x);
}

/// Returns the next number above `x` if `up`, else `x`; `x` must be finite.
///
/// Branchless, because `up` is unpredictable.
#[inline(always)]
pub(crate) fn next_up_if(up: bool, x: f64) -> f64 {
    // The bit pattern grows away from zero, so negative numbers decrement it. Adding 0.0 turns −0
    // into 0.
    let bits = (x + 0.0).to_bits();
    let next = bits.wrapping_add(1 | (bits.cast_signed() >> 63).cast_unsigned());
    select_unpredictable(up, f64::from_bits(next), x)
}

/// [`next_up_if`] in single precision.
#[inline(always)]
pub(crate) fn next_up32_if(up: bool, x: f32) -> f32 {
    let bits = (x + 0.0).to_bits();
    let next = bits.wrapping_add(1 | (bits.cast_signed() >> 31).cast_unsigned());
    select_unpredictable(up, f32::from_bits(next), x)
}

/// Returns the length of a vector whose squares neither overflow nor underflow: without the test of [`length`].
#[inline(always)]
pub(crate) fn unscaled_length(v: DVec2) -> f64 {
    sqrt(v.x * v.x + v.y * v.y)
}

/// Returns the length of any vector, also if its squares underflow.
#[inline(always)]
pub(crate) fn length(v: DVec2) -> f64 {
    let norm = unscaled_length(v);
    // One branch that is hardly ever taken: zero vectors are frequent in some loops.
    if (norm > 1e-140) | (norm1(v) == 0.0) { norm } else { subnormal_length(v) }
}

/// Multiplies a number by a power of two, which may be outside the range of normal numbers.
pub(crate) fn times_power_of_two(x: f64, power: i32) -> f64 {
    use super::big_int::power_of_two;
    let half = power / 2;
    x * power_of_two(half) * power_of_two(power - half)
}

/// Multiplies a vector by a power of two, which may be outside the range of normal numbers.
#[inline(always)]
pub(crate) fn vector_times_power_of_two(v: DVec2, power: i32) -> DVec2 {
    // Most vectors need no magnification.
    if power == 0 { v } else { DVec2::new(times_power_of_two(v.x, power), times_power_of_two(v.y, power)) }
}

/// Returns the exponent of a power of two that makes tiny lengths so large that products of four of them do not
/// underflow. `largest`: the largest length. Returns 0 if it is above 1e-44 or equal to 0.
///
/// A multiplication by this power is exact, and so is a division of its results, unless they are subnormal.
#[inline(always)]
pub(crate) fn magnification(largest: f64) -> i32 {
    // Lengths of a shape can be as small as the rounding error of the largest one. Its fourth power is 1e-240.
    if largest > 1e-44 { 0 } else { magnification_of_tiny(largest) }
}

#[cold]
fn magnification_of_tiny(largest: f64) -> i32 {
    if largest == 0.0 { 0 } else { rescaled(DVec2::new(largest, 0.0)).1 }
}

/// Returns the [`magnification`] of vectors.
pub(crate) fn magnification_of(vectors: impl IntoIterator<Item = DVec2>) -> i32 {
    magnification(vectors.into_iter().fold(DVec2::ZERO, |largest, v| largest.max(v.abs())).max_element())
}

/// Returns the exponent e such that the larger component lies in 2^e .. 2^(e+1); −1022 for
/// subnormal components.
fn exponent(v: DVec2) -> i32 {
    let largest = v.x.abs().max(v.y.abs());
    ((largest.to_bits() >> 52) as i32 - 1023).max(-1022)
}

/// Scales a vector by a power of two so that its squares neither overflow nor underflow.
///
/// Returns the vector and the exponent of the power. Zero stays zero.
pub(crate) fn rescaled(v: DVec2) -> (DVec2, i32) {
    use super::big_int::power_of_two;
    let up = -exponent(v);
    // Two steps: a subnormal number needs up to 2^1022 · 2^52.
    let scaled = v * power_of_two(up);
    let again = -exponent(scaled);
    if again == 0 || scaled == DVec2::ZERO { (scaled, up) } else { (scaled * power_of_two(again), up + again) }
}

/// Returns the unit vector of any finite vector, subnormal ones included; `None` for zero.
pub(crate) fn unit(v: DVec2) -> Option<DVec2> {
    let (scaled, _) = rescaled(v);
    let length = unscaled_length(scaled);
    (length > 0.0).then(|| scaled / length)
}

/// Returns the fraction of the segment `ab` at which its line crosses the line through `cd`. Not finite if they are
/// parallel.
pub(crate) fn crossing_fraction([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    // Cancels in the quotient. Products of two tiny lengths would underflow.
    let (along, _) = rescaled(d - c);
    cross(c - a, along) / cross(b - a, along)
}

/// Returns the crossing of two segments that cross, rounded.
pub(crate) fn crossing(ab: [DVec2; 2], cd: [DVec2; 2]) -> DVec2 {
    let (t, [a, b]) = (crossing_fraction(ab, cd), ab);
    if t.is_finite() { a + (b - a) * t.clamp(0.0, 1.0) } else { a }
}

/// Returns the length and direction of any vector, subnormal ones included. The direction of zero
/// is `otherwise`.
#[inline(always)]
pub(crate) fn length_and_direction(v: DVec2, otherwise: DVec2) -> (f64, DVec2) {
    let norm = unscaled_length(v);
    if norm > 1e-140 {
        return (norm, v / norm);
    }
    // Two calls whose results fit in registers. One call for both would pass the usual result
    // through memory too.
    (subnormal_length(v), subnormal_direction(v, otherwise))
}

/// Returns the length of a vector whose squares underflow.
#[cold]
pub(crate) fn subnormal_length(v: DVec2) -> f64 {
    let (scaled, power) = rescaled(v);
    times_power_of_two(unscaled_length(scaled), -power)
}

#[cold]
fn subnormal_direction(v: DVec2, otherwise: DVec2) -> DVec2 {
    unit(v).unwrap_or(otherwise)
}

/// Returns an error that names the number if `value` is not finite or too large.
pub(crate) fn check(name: &str, value: f64) -> Result<f64, Error> {
    if !value.is_finite() {
        return Err(Error::new(
            ErrorKind::NotFinite,
            format!("{name} is {:?}; it must be a finite number", Number(value)),
        ));
    }
    if value.abs() > MAX_COORDINATE {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("{name} is {:?}; the limit is 1e30 in magnitude: choose a larger unit", Number(value)),
        ));
    }
    Ok(value)
}

/// [`check`] for a number that must not be negative.
pub(crate) fn check_size(name: &str, value: f64) -> Result<f64, Error> {
    if check(name, value)? < 0.0 {
        return Err(Error::new(ErrorKind::Negative, format!("{name} is {:?}; it must be 0 or more", Number(value))));
    }
    // Turns −0.0 into 0.
    Ok(value + 0.0)
}

/// Returns true if both coordinates are finite and at most 1e30 in magnitude.
#[inline(always)]
pub(crate) fn in_range(point: DVec2) -> bool {
    // Comparisons with NaN are false.
    (point.x.abs() <= MAX_COORDINATE) & (point.y.abs() <= MAX_COORDINATE)
}

/// [`check`] for both coordinates of a point. Formats `name` only in case of an error.
#[inline]
pub(crate) fn check_point(name: impl core::fmt::Display, point: DVec2) -> Result<DVec2, Error> {
    if in_range(point) { Ok(point) } else { refuse_point(name, point) }
}

/// Checks the coordinates of points. An error names the first invalid one by `name` and its index.
pub(crate) fn check_points<'p>(name: &str, points: impl IntoIterator<Item = &'p DVec2>) -> Result<(), Error> {
    for (i, &p) in points.into_iter().enumerate() {
        check_point(format_args!("{name} {i}"), p).map_err(|e| e.at_vertex(i))?;
    }
    Ok(())
}

/// Returns a direction of length 1.
///
/// # Errors
/// A point that [`check_point`] refuses, or no length.
pub(crate) fn check_direction(name: &str, direction: DVec2) -> Result<DVec2, Error> {
    unit(check_point(name, direction)?).ok_or_else(|| {
        Error::new(ErrorKind::ZeroSize, format!("the {name} is {}; it must have a length", Coordinates(direction)))
    })
}

#[cold]
fn refuse_point(name: impl core::fmt::Display, point: DVec2) -> Result<DVec2, Error> {
    for (axis, value) in [("x", point.x), ("y", point.y)] {
        if !value.is_finite() || value.abs() > MAX_COORDINATE {
            check(&format!("{axis} of the {name}"), value)?;
        }
    }
    Ok(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_number_above_is_that_of_the_standard_library() {
        for x in [0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0, 1.5e-310, -2.0_f64.powi(-1022), 1e30, -1e30, 0.1, -0.1] {
            assert_eq!(next_up_if(true, x).to_bits(), x.next_up().to_bits(), "{x:e}");
            assert_eq!(next_up_if(false, x).to_bits(), x.to_bits(), "{x:e}");
            let x = x as f32;
            assert_eq!(next_up32_if(true, x).to_bits(), x.next_up().to_bits(), "{x:e}");
            assert_eq!(next_up32_if(false, x).to_bits(), x.to_bits(), "{x:e}");
        }
    }
}
