//! Formats numbers in messages of errors.
//!
//! Input: a number. Output: the same text as `{:?}`: the fewest decimal digits that are read back as this number. The
//! formatting of the standard library is fast, but it is 8 % of a module that has only pair queries. This one is short:
//!
//! ```text
//! low, high = exact decimal digits of the midpoints between the number and its neighbours
//! for count = 1, 2, ...
//!     if the nearest decimal number with `count` digits lies between low and high: return it
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use glam::DVec2;

/// A number in a message, with the text of `{:?}`.
pub(crate) struct Number(pub(crate) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0.abs();
        if value.is_nan() {
            return f.write_str("NaN");
        }
        if self.0.is_sign_negative() {
            f.write_char('-')?;
        }
        if value.is_infinite() {
            return f.write_str("inf");
        }
        let (digits, point) = if value == 0.0 { (vec![0], 1) } else { shortest(value) };
        let has_exponent = value != 0.0 && !(1e-4..1e16).contains(&value);
        let split = if has_exponent { 1 } else { point };
        // A number without exponent has a digit before the point and one after it.
        for i in (split - 1).min(0)..(digits.len() as i32).max(split + i32::from(!has_exponent)) {
            if i == split {
                f.write_char('.')?;
            }
            let digit = usize::try_from(i).ok().and_then(|i| digits.get(i)).unwrap_or(&0);
            f.write_char((b'0' + digit).into())?;
        }
        if !has_exponent {
            return Ok(());
        }
        // Not as an integer with a sign: that is a second function of the standard library.
        write!(f, "e{}{}", if point < 1 { "-" } else { "" }, (point - 1).unsigned_abs())
    }
}

/// A point in a message: `(x, y)`.
pub(crate) struct Location(pub(crate) DVec2);

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", Number(self.0.x), Number(self.0.y))
    }
}

/// Returns the fewest digits that identify a positive number, and how many of them lie before the point.
fn shortest(value: f64) -> (Vec<u8>, i32) {
    let (exponent, fraction) = ((value.to_bits() >> 52) as i32, value.to_bits() & ((1 << 52) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    // The number is 4 · mantissa · 2^exponent. The gap below a power of two is half as wide as the one above.
    let exponent = exponent.max(1) - 1077;
    let below = if fraction == 0 { 1 } else { 2 };
    let [low, exact, high] =
        [4 * mantissa - below, 4 * mantissa, 4 * mantissa + 2].map(|mantissa| decimal_digits(mantissa, exponent));
    // A midpoint is read as the neighbour with the even mantissa.
    let is_inside = |digits: &Vec<u8>| {
        if mantissa % 2 == 0 { low <= *digits && *digits <= high } else { low < *digits && *digits < high }
    };
    let start = high.iter().take_while(|&&digit| digit == 0).count();
    let nearest = |last: usize| {
        let mut lower = exact.clone();
        lower[last + 1..].fill(0);
        let mut upper = lower.clone();
        for digit in upper[..=last].iter_mut().rev() {
            *digit = (*digit + 1) % 10;
            if *digit != 0 {
                break;
            }
        }
        let up = exact.get(last + 1).is_some_and(|&digit| digit >= 5);
        if up { [upper, lower] } else { [lower, upper] }.into_iter().find(is_inside)
    };
    let mut digits = (start..exact.len()).find_map(nearest).unwrap_or_default();
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    let point = (digits.len() - zeros) as i32 + exponent.min(0);
    digits.drain(..zeros);
    while digits.last() == Some(&0) {
        digits.pop();
    }
    (digits, point)
}

/// Returns the decimal digits of `mantissa` · 2^`exponent`, or of this number · 10^−`exponent` if the exponent is
/// negative. The number of digits depends on the exponent only.
fn decimal_digits(mantissa: u64, exponent: i32) -> Vec<u8> {
    let (base, mut left) = (if exponent < 0 { 5_u64 } else { 2 }, exponent.unsigned_abs());
    let mut digits = vec![0; 20 + left as usize];
    let (mut factor, mut carry) = (1, mantissa);
    loop {
        for digit in digits.iter_mut().rev() {
            carry += u64::from(*digit) * factor;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        if left == 0 {
            return digits;
        }
        // The product of this power and a digit fits.
        let step = left.min(16);
        factor = base.pow(step);
        left -= step;
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn is_as_the_standard_library(value: f64) {
        assert_eq!(format!("{}", Number(value)), format!("{value:?}"), "bits {:x}", value.to_bits());
    }

    #[test]
    fn texts_are_those_of_the_standard_library() {
        for value in
            [0.0, -0.0, 1.0, -1.5, 0.1, 1e-4, 9.999e-5, 1e16, 9_999_999_999_999_998.0, 123.456, 1e30, 1e22, 5e-324]
        {
            is_as_the_standard_library(value);
            is_as_the_standard_library(-value);
        }
        [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE]
            .into_iter()
            .for_each(is_as_the_standard_library);
        assert_eq!(format!("{}", Location(DVec2::new(0.5, -2e30))), "(0.5, -2e30)");
        // Powers of two have neighbours at different distances.
        for exponent in 0..2047 {
            let power = f64::from_bits(exponent << 52);
            [power, power.next_up(), power.next_down()].into_iter().for_each(is_as_the_standard_library);
        }
        let seed = 5;
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..3000 {
            is_as_the_standard_library(f64::from_bits(rng.u64(..)));
            is_as_the_standard_library(rng.i32(..).into());
            is_as_the_standard_library(f64::from(rng.i32(-9999..9999)) * 10f64.powi(rng.i32(-8..4)));
            is_as_the_standard_library(rng.f64());
        }
    }
}
