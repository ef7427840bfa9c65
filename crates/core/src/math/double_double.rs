//! Computes with double-double numbers (about 100 bits): the unevaluated sum of two `f64`.
//!
//! Input: `f64`. Output: sums, products, and the cosine and sine of an angle, with about twice the
//! digits.
//!
//! Used if subtracting two `f64` would cancel most digits: the difference of two large
//! displacements, or of two lever arms that rotate. Big integers would be exact, but are slower and
//! have no cosine.
//!
//! Error-free sums: Knuth, *The Art of Computer Programming*, volume 2, 4.2.2. Error-free products:
//! Dekker, *A floating-point technique for extending the available precision*, 1971. The sum and
//! the product of two double-double numbers are rounded to about 100 bits.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The unevaluated sum `high + low`; `low` is at most half an ulp of `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Computes `a − b` without error.
    #[inline(always)]
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }

    /// Computes `a · b` without error, unless it overflows or underflows.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        product(a, b)
    }

    /// Computes `a · b` without error. Returns `None` if it might overflow or underflow.
    pub(crate) fn exact_product(a: f64, b: f64) -> Option<Self> {
        let is_safe = |x: f64| x == 0.0 || (1e-100..1e100).contains(&x.abs());
        (is_safe(a) && is_safe(b)).then(|| product(a, b))
    }

    /// Returns the nearest `f64`, and the rest.
    pub(crate) fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// Computes the sum to about 100 bits.
    pub(crate) fn add(self, other: Self) -> Self {
        let total = two_sum(self.high, other.high);
        two_sum(total.high, total.low + (self.low + other.low))
    }

    /// Computes the product to about 100 bits.
    pub(crate) fn multiply(self, other: Self) -> Self {
        let total = product(self.high, other.high);
        two_sum(total.high, total.low + (self.high * other.low + self.low * other.high))
    }

    /// Multiplies by a power of two, without rounding.
    pub(crate) fn scaled(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }

    /// Computes `self + factor · other`, rounded once up to errors of second order.
    #[inline(always)]
    pub(crate) fn add_scaled(self, factor: f64, other: Self) -> f64 {
        let product = product(factor, other.high);
        let total = two_sum(self.high, product.high);
        total.high + (total.low + (self.low + (product.low + factor * other.low)))
    }

    /// Returns the cosine and the sine of an angle in radians (at most 1e5 in magnitude), to about
    /// 60 bits.
    ///
    /// 1. Subtract the nearest multiple of π/2 and divide the rest by 8: x.
    /// 2. Taylor series of sin x and of the versine, 1 − cos x. The versine does not lose digits
    ///    near x = 0.
    /// 3. Apply the double-angle formulas three times: `sin 2x = 2 sin x (1 − versin x)`, `versin
    ///    2x = 2 sin² x`.
    /// 4. Swap and negate both values by the number of quarter turns that were subtracted.
    pub(crate) fn cos_sin(self) -> [Self; 2] {
        const QUARTER: DoubleDouble = DoubleDouble { high: FRAC_PI_2, low: 6.123_233_995_736_766e-17 };
        let quarters = libm::rint(self.high * FRAC_2_PI);
        let x = self.add(QUARTER.multiply(Self::from(-quarters))).scaled(0.125);
        let square = x.multiply(x);
        let z = square.high;
        let sine_series =
            1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5_040.0 - z * (1.0 / 362_880.0 - z / 39_916_800.0)));
        let versine_series =
            1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40_320.0 - z * (1.0 / 3_628_800.0 - z / 479_001_600.0)));
        let mut sine = x.add(Self::from(-x.high * z * sine_series));
        let mut versine = square.scaled(0.5).add(Self::from(-z * z * versine_series));
        for _ in 0..3 {
            let half = sine;
            sine = half.add(half.multiply(versine).scaled(-1.0)).scaled(2.0);
            versine = half.multiply(half).scaled(2.0);
        }
        let cosine = Self::from(1.0).add(versine.scaled(-1.0));
        match (quarters as i64).rem_euclid(4) {
            0 => [cosine, sine],
            1 => [sine.scaled(-1.0), cosine],
            2 => [cosine.scaled(-1.0), sine.scaled(-1.0)],
            _ => [sine, cosine.scaled(-1.0)],
        }
    }

    /// Returns the nearest `f64`.
    #[inline(always)]
    pub(crate) fn to_f64(self) -> f64 {
        self.high
    }

    /// Returns true if the number is exactly an `f64`.
    pub(crate) fn is_f64(self) -> bool {
        self.low == 0.0
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

/// Computes a sum and its rounding error (Knuth's two-sum).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let back = high - a;
    DoubleDouble { high, low: (a - (high - back)) + (b - back) }
}

/// Computes a product and its rounding error (Dekker's two-product).
#[inline(always)]
fn product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    let ([a1, a2], [b1, b2]) = (split(a), split(b));
    DoubleDouble { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

/// Splits a number into two of 26 bits each, whose sum is exactly `x` (Veltkamp).
#[inline(always)]
fn split(x: f64) -> [f64; 2] {
    let shifted = x * 134_217_729.0;
    let high = shifted - (shifted - x);
    [high, x - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_differences_are_exact() {
        // (2^53 + 1 − 1) − (1 + 2^-52)² · 2^53 / 2^53 and similar: integers with more than 53 bits.
        let far = DoubleDouble::difference(9_007_199_254_740_992.0, -1.0);
        assert_eq!(far.add_scaled(-1.0, DoubleDouble::difference(9_007_199_254_740_992.0, 0.0)), 1.0);
        let square = DoubleDouble::difference(1.0 + f64::EPSILON, 0.0);
        assert_eq!(
            DoubleDouble::difference(-1.0, 2.0 * f64::EPSILON).add_scaled(1.0 + f64::EPSILON, square),
            f64::EPSILON * f64::EPSILON
        );
    }

    #[test]
    fn angles_turn_with_twice_the_digits() {
        // Cosine and sine from their series with 60 decimal digits. The second number is the rest
        // that the first `f64` leaves.
        for (angle, cosine, sine) in [
            (
                1.0,
                [0.540_302_305_868_139_8, -4.760_954_612_604_417e-17],
                [0.841_470_984_807_896_5, 1.776_845_092_935_536e-18],
            ),
            (
                -3.0,
                [-0.989_992_496_600_445_4, -4.206_026_156_609_973_4e-17],
                [-0.141_120_008_059_867_2, -8.577_269_787_017_502e-18],
            ),
            (
                0.1,
                [0.995_004_165_278_025_8, -5.502_101_569_183_77e-17],
                [0.099_833_416_646_828_15, 3.080_015_129_294_92e-18],
            ),
            (
                100.5,
                [0.999_520_625_328_351_5, -5.012_512_561_737_467e-17],
                [-0.030_959_966_783_271_346, 8.320_928_549_434_447e-19],
            ),
            (
                -9999.75,
                [-0.998_165_373_520_738, 3.648_851_307_053_532e-17],
                [0.060_546_569_714_606_57, -3.064_102_693_228_634e-18],
            ),
        ] {
            for (found, [high, low]) in DoubleDouble::from(angle).cos_sin().into_iter().zip([cosine, sine]) {
                assert_eq!(found.high, high, "{angle}");
                assert!((found.low - low).abs() < 1e-18 * high.abs(), "{angle}: {found:?}, not {low:e}");
            }
        }
    }
}
