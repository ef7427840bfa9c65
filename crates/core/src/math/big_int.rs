//! Computes with signed integers of fixed capacity, on the stack, for the exact predicates.
//!
//! Every `f64` is an integer multiple of a power of two. After one common shift, sums and products
//! of coordinates are integers. The sign of any polynomial of the coordinates is then computed
//! without rounding, overflow or underflow. No operation allocates, and each one visits only the
//! 64-bit limbs in use.
//!
//! Input: `f64` values and the exponent of their common unit ([`BitRange::unit`]). Output: the sign
//! of the result. The capacity `N` must be sufficient for the degree of the polynomial;
//! [`BitRange::width`] returns the number of bits per input. The longer functions are not inlined: exact code is cold.
//!
//! Expansions of `f64` (Shewchuk 1997) are an alternative, but their products underflow for tiny
//! coordinates.
//!
//! ```text
//! add:       equal signs: add limbs with carry; else: subtract the smaller magnitude from the larger
//! multiply:  each limb of one times each limb of the other, with a 128-bit product and carry
//! sign:      that of the number; zero has no limbs in use
//! ```
//!
//! The schoolbook product is the fastest one for the few limbs in use here: faster methods pay from
//! dozens of limbs on.

use core::cmp::Ordering;

use glam::DVec2;

/// Number of computed bits of a quotient: 53 bits of an `f64`, one leading bit that may be zero, and two bits
/// for rounding.
const QUOTIENT_BITS: i32 = 56;

/// A signed integer of up to `N` limbs of 64 bits: sign and magnitude, lowest limb first.
#[derive(Clone, Copy)]
pub(crate) struct BigInt<const N: usize> {
    limbs: [u64; N],
    /// Number of limbs in use. The highest limb in use is not zero; zero uses none.
    len: usize,
    negative: bool,
}

impl<const N: usize> BigInt<N> {
    pub(crate) const ZERO: Self = Self { limbs: [0; N], len: 0, negative: false };

    /// Returns `value / 2^unit`, which must be an integer of less than `64 N` bits.
    #[inline(never)]
    pub(crate) fn from_f64(value: f64, unit: i32) -> Self {
        let (mantissa, exponent) = mantissa_and_exponent(value);
        let mut result = Self::ZERO;
        if mantissa == 0 {
            return result;
        }
        let shift = (exponent - unit) as usize;
        let (limb, bit) = (shift / 64, shift % 64);
        result.limbs[limb] = mantissa << bit;
        result.len = limb + 1;
        if bit > 0 && mantissa >> (64 - bit) != 0 {
            result.limbs[limb + 1] = mantissa >> (64 - bit);
            result.len = limb + 2;
        }
        result.negative = value < 0.0;
        result
    }

    /// Returns the position of the highest set bit plus one; 0 for zero.
    pub(crate) fn bits(&self) -> usize {
        match self.len {
            0 => 0,
            len => len * 64 - self.limbs[len - 1].leading_zeros() as usize,
        }
    }

    /// Returns `self / 2^shift` with an absolute error of at most 2^(bits − shift − 62). For
    /// filters and directions.
    pub(crate) fn approximate(&self, shift: usize) -> f64 {
        let bits = self.bits();
        if bits == 0 {
            return 0.0;
        }
        // The highest 64 bits; the conversion to f64 rounds them once.
        let low = bits.saturating_sub(64);
        let (limb, bit) = (low / 64, low % 64);
        let mut top = self.limbs[limb] >> bit;
        if bit > 0 && limb + 1 < self.len {
            top |= self.limbs[limb + 1] << (64 - bit);
        }
        let power = low as i64 - shift as i64;
        let magnitude = if power < -200 { 0.0 } else { top as f64 * power_of_two(power as i32) };
        if self.negative { -magnitude } else { magnitude }
    }

    /// Returns `self / divisor · 2^unit`, rounded to the nearest `f64`, ties to even. The divisor must not
    /// be zero. Numbers below 2^−1022 are rounded twice, which is still monotone.
    ///
    /// Restoring division: one bit of the quotient per step. Two bits more than an `f64` has, and the
    /// remainder as the lowest bit, decide the rounding. The capacity must exceed both numbers by a bit.
    pub(crate) fn quotient(&self, divisor: &Self, unit: i32) -> f64 {
        if self.len == 0 {
            return 0.0;
        }
        // Aligns the highest bits, so that the first quotient is 0 or 1.
        let shift = self.bits() as i32 - divisor.bits() as i32;
        let power = |exponent: i32| Self::from_f64(1.0, -exponent);
        let mut rest = if shift < 0 { self.multiply(&power(-shift)) } else { *self };
        let aligned = if shift > 0 { divisor.multiply(&power(shift)) } else { *divisor };
        let mut quotient = 0_u64;
        for _ in 0..QUOTIENT_BITS {
            let fits = rest.compare_magnitude(&aligned) != Ordering::Less;
            if fits {
                rest = rest.subtract_magnitude(&aligned, rest.negative);
            }
            quotient = quotient << 1 | u64::from(fits);
            rest = rest.add_magnitude(&rest, rest.negative);
        }
        let magnitude = (quotient | u64::from(rest.len > 0)) as f64;
        let exponent = shift + unit - (QUOTIENT_BITS - 1);
        // Two factors, because a single one may be below the range of normal numbers.
        let value = magnitude * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
        if self.negative == divisor.negative { value } else { -value }
    }

    /// Returns the number with the opposite sign.
    pub(crate) fn negated(&self) -> Self {
        Self { negative: !self.negative && self.len > 0, ..*self }
    }

    /// Compares `|self|` and `|other|`, by length first.
    fn compare_magnitude(&self, other: &Self) -> Ordering {
        self.len
            .cmp(&other.len)
            .then_with(|| self.limbs[..self.len].iter().rev().cmp(other.limbs[..other.len].iter().rev()))
    }

    /// Computes `|self| + |other|` with the given sign. Stops at the first limb without carry.
    fn add_magnitude(&self, other: &Self, negative: bool) -> Self {
        let (long, short) = if self.len >= other.len { (self, other) } else { (other, self) };
        let mut result = Self { limbs: long.limbs, len: long.len, negative };
        let mut carry = false;
        for i in 0..long.len {
            if i >= short.len && !carry {
                break;
            }
            let addend = if i < short.len { short.limbs[i] } else { 0 };
            let (sum, over) = result.limbs[i].overflowing_add(addend);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            result.limbs[i] = sum;
            carry = over | over_again;
        }
        if carry {
            result.limbs[result.len] = 1;
            result.len += 1;
        }
        result
    }

    /// Computes `|self| − |other|`; requires |self| ≥ |other|.
    fn subtract_magnitude(&self, other: &Self, negative: bool) -> Self {
        let mut result = Self { limbs: self.limbs, len: self.len, negative };
        let mut borrow = false;
        for i in 0..self.len {
            if i >= other.len && !borrow {
                break;
            }
            let subtrahend = if i < other.len { other.limbs[i] } else { 0 };
            let (difference, under) = result.limbs[i].overflowing_sub(subtrahend);
            let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
            result.limbs[i] = difference;
            borrow = under | under_again;
        }
        while result.len > 0 && result.limbs[result.len - 1] == 0 {
            result.len -= 1;
        }
        result
    }

    /// Computes `self ± |other|`: adds the magnitudes if the signs are equal, else subtracts the
    /// smaller magnitude from the larger.
    #[inline(never)]
    fn add_signed(&self, other: &Self, other_negative: bool) -> Self {
        if self.negative == other_negative {
            return self.add_magnitude(other, self.negative);
        }
        match self.compare_magnitude(other) {
            Ordering::Equal => Self::ZERO,
            Ordering::Greater => self.subtract_magnitude(other, self.negative),
            Ordering::Less => other.subtract_magnitude(self, other_negative),
        }
    }
}

/// The arithmetic of the predicates. [`f64`] is the filter, [`BigInt`] the exact fallback.
pub(crate) trait Number: Copy {
    fn add(&self, other: &Self) -> Self;
    fn subtract(&self, other: &Self) -> Self;
    fn multiply(&self, other: &Self) -> Self;
    /// Returns the sign: below, equal to or above zero.
    fn sign(&self) -> Ordering;
}

impl<const N: usize> Number for BigInt<N> {
    fn add(&self, other: &Self) -> Self {
        self.add_signed(other, other.negative)
    }

    fn subtract(&self, other: &Self) -> Self {
        self.add_signed(other, !other.negative)
    }

    #[inline(never)]
    fn multiply(&self, other: &Self) -> Self {
        let mut result = Self::ZERO;
        if self.len == 0 || other.len == 0 {
            return result;
        }
        // Schoolbook multiplication: each limb of `self` times all limbs of `other`.
        for i in 0..self.len {
            let mut carry = 0;
            for j in 0..other.len {
                let wide = u128::from(self.limbs[i]) * u128::from(other.limbs[j])
                    + u128::from(result.limbs[i + j])
                    + u128::from(carry);
                result.limbs[i + j] = wide as u64;
                carry = (wide >> 64) as u64;
            }
            // Skip a carry of zero: its limb may lie beyond the capacity.
            if carry != 0 {
                result.limbs[i + other.len] = carry;
            }
        }
        let full = (self.len + other.len).min(N);
        result.len = if result.limbs[full - 1] == 0 { full - 1 } else { full };
        result.negative = self.negative != other.negative;
        result
    }

    fn sign(&self) -> Ordering {
        match (self.len, self.negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }
}

/// Returns `p − q` in units of 2^`unit`.
pub(crate) fn difference<const N: usize>(p: DVec2, q: DVec2, unit: i32) -> [BigInt<N>; 2] {
    let of_axis = |p: f64, q: f64| BigInt::from_f64(p, unit).subtract(&BigInt::from_f64(q, unit));
    [of_axis(p.x, q.x), of_axis(p.y, q.y)]
}

/// Returns the cross product of two vectors.
pub(crate) fn cross<K: Number>(u: &[K; 2], v: &[K; 2]) -> K {
    u[0].multiply(&v[1]).subtract(&u[1].multiply(&v[0]))
}

/// Returns the dot product of two vectors.
pub(crate) fn dot<K: Number>(u: &[K; 2], v: &[K; 2]) -> K {
    u[0].multiply(&v[0]).add(&u[1].multiply(&v[1]))
}

impl Number for f64 {
    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn subtract(&self, other: &Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn multiply(&self, other: &Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn sign(&self) -> Ordering {
        // A predicate never gets NaN: shapes and poses are finite and bounded.
        if *self > 0.0 {
            Ordering::Greater
        } else if *self < 0.0 {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }
}

/// Decodes an `f64`: `|value| = mantissa · 2^exponent` with an odd mantissa, or (0, 0) for zero.
pub(super) fn mantissa_and_exponent(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent_bits = ((bits >> 52) & 0x7ff) as i32;
    let (mantissa, exponent) =
        if exponent_bits == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent_bits - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

/// Returns 2^`exponent`. Clamps the exponent to the range of normal numbers, −1022 to 1023.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// The range of bit positions used by a set of numbers: from the lowest set bit of all to the
/// highest.
#[derive(Clone, Copy)]
pub(crate) struct BitRange {
    low: i32,
    high: i32,
}

impl BitRange {
    pub(crate) const EMPTY: Self = Self { low: i32::MAX, high: i32::MIN };

    /// Extends the range by the bits of a number. Zero has none.
    pub(crate) fn include(&mut self, value: f64) {
        let (mantissa, exponent) = mantissa_and_exponent(value);
        if mantissa != 0 {
            self.low = self.low.min(exponent);
            self.high = self.high.max(exponent + 64 - mantissa.leading_zeros() as i32);
        }
    }

    /// Extends the range by the bits of all coordinates.
    pub(crate) fn include_points(&mut self, points: &[DVec2]) {
        for point in points {
            self.include(point.x);
            self.include(point.y);
        }
    }

    /// Returns the range of the bits of both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the exponent of the common unit: all numbers are integer multiples of 2^unit.
    pub(crate) fn unit(self) -> i32 {
        if self.low == i32::MAX { 0 } else { self.low }
    }

    /// Returns the number of bits of the largest number, counted in the common unit.
    pub(crate) fn width(self) -> i32 {
        if self.low == i32::MAX { 0 } else { self.high - self.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Wide = BigInt<8>;

    fn value(n: i128) -> Wide {
        // In pieces of 40 bits, each exact in f64.
        let piece = |i: i32| Wide::from_f64(((n.unsigned_abs() >> (40 * i)) & ((1 << 40) - 1)) as f64, -40 * i);
        let magnitude = (0..4).map(piece).fold(Wide::ZERO, |sum, p| sum.add(&p));
        if n < 0 { Wide::ZERO.subtract(&magnitude) } else { magnitude }
    }

    #[test]
    fn agrees_with_i128() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let shift = state % 63;
            i128::from(state as i64 >> shift)
        };
        for _ in 0..20_000 {
            let (a, b, c) = (next(), next(), next());
            let (x, y, z) = (value(a), value(b), value(c));
            assert_eq!(x.multiply(&y).subtract(&z).sign(), (a * b - c).cmp(&0), "{a} * {b} - {c}");
            assert_eq!(x.multiply(&y).add(&z).subtract(&value(a * b + c)).sign(), Ordering::Equal, "{a} * {b} + {c}");
            assert_eq!(x.add(&y).subtract(&z).sign(), (a + b - c).cmp(&0), "{a} + {b} - {c}");
        }
    }

    #[test]
    fn contains_the_whole_range_at_degree_four() {
        type Full = BigInt<75>;
        let (huge, tiny) = (Full::from_f64(3e30, -1074), Full::from_f64(f64::from_bits(1), -1074));
        let power = |x: &Full| x.multiply(x).multiply(x).multiply(x);
        assert_eq!(power(&huge).subtract(&power(&tiny)).sign(), Ordering::Greater);
        assert_eq!(power(&huge).add(&tiny).subtract(&power(&huge)).subtract(&tiny).sign(), Ordering::Equal);
    }

    #[test]
    fn quotients_are_rounded_to_nearest() {
        // `f64` division is rounded to nearest: the quotient of two exact integers must equal it.
        let mut rng = fastrand::Rng::with_seed(4);
        for _ in 0..20_000 {
            let (a, b) = (rng.i64(-1 << 53..1 << 53), rng.i64(1..1 << 53) >> rng.u32(0..50) | 1);
            let expected = a as f64 / b as f64;
            assert_eq!(value(a.into()).quotient(&value(b.into()), 0), expected, "{a} / {b}");
            assert_eq!(value(a.into()).quotient(&value((-b).into()), -80), -expected * power_of_two(-80), "{a} / -{b}");
        }
        let (tie, above) = (value((1 << 54) + 2), value((1 << 55) + 5));
        assert_eq!(tie.quotient(&value(1), 0), (1_i64 << 54) as f64);
        assert_eq!(above.quotient(&value(2), 0), ((1_i64 << 54) + 4) as f64);
        assert_eq!(value(3).quotient(&value(2), -1074), f64::from_bits(2));
    }

    #[test]
    fn approximation_is_close() {
        for (x, scaled) in
            [(1.0, 0.5), (-3.5, -0.875), (0.75, 0.75), (f64::from_bits(3), 0.75), (1.5e300 / 1.5e300, 0.5)]
        {
            let n = BigInt::<75>::from_f64(x, -1074);
            assert_eq!(n.approximate(n.bits()), scaled, "{x}");
        }
        let n = BigInt::<75>::from_f64(0.1, -1074);
        assert_eq!(n.approximate(n.bits()), 0.8);
    }
}
