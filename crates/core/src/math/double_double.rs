//! Numbers as a sum of two `f64`, for the few places where digits cancel: a long way minus another, an arm that swings minus another.
//!
//! Error-free sums by Knuth (The Art of Computer Programming, 4.2.2) and products by Dekker (A floating-point technique for extending the available
//! precision, 1971).

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// `high + low`, not rounded; `low` is at most half an ulp of `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// `a − b`, exactly.
    #[inline(always)]
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        sum(a, -b)
    }

    /// `a · b`, exactly.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        product(a, b)
    }

    /// The sum, to some 100 bits.
    pub(crate) fn add(self, other: Self) -> Self {
        let whole = sum(self.high, other.high);
        sum(whole.high, whole.low + (self.low + other.low))
    }

    /// The product, to some 100 bits.
    pub(crate) fn times(self, other: Self) -> Self {
        let whole = product(self.high, other.high);
        sum(whole.high, whole.low + (self.high * other.low + self.low * other.high))
    }

    /// Times a power of two, which rounds nothing.
    pub(crate) fn scaled(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }

    /// `self + factor · other`, rounded once but for errors of errors.
    #[inline(always)]
    pub(crate) fn plus(self, factor: f64, other: Self) -> f64 {
        let product = product(factor, other.high);
        let whole = sum(self.high, product.high);
        whole.high + (whole.low + (self.low + (product.low + factor * other.low)))
    }

    /// The cosine and the sine of an angle of no more than 1e5 radians, to some 60 bits.
    ///
    /// The series of an eighth of what is left of the angle below a quarter turn, and three times the formula of the double angle; by the versine, 1 − cos, which
    /// loses no digits.
    pub(crate) fn cos_sin(self) -> [Self; 2] {
        const QUARTER: DoubleDouble = DoubleDouble { high: FRAC_PI_2, low: 6.123_233_995_736_766e-17 };
        let quarters = libm::rint(self.high * FRAC_2_PI);
        let x = self.add(QUARTER.times(Self::from(-quarters))).scaled(0.125);
        let square = x.times(x);
        let z = square.high;
        let of_sine = 1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5_040.0 - z * (1.0 / 362_880.0 - z / 39_916_800.0)));
        let of_versine =
            1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40_320.0 - z * (1.0 / 3_628_800.0 - z / 479_001_600.0)));
        let mut sine = x.add(Self::from(-x.high * z * of_sine));
        let mut versine = square.scaled(0.5).add(Self::from(-z * z * of_versine));
        for _ in 0..3 {
            let half = sine;
            sine = half.add(half.times(versine).scaled(-1.0)).scaled(2.0);
            versine = half.times(half).scaled(2.0);
        }
        let cosine = Self::from(1.0).add(versine.scaled(-1.0));
        match (quarters as i64).rem_euclid(4) {
            0 => [cosine, sine],
            1 => [sine.scaled(-1.0), cosine],
            2 => [cosine.scaled(-1.0), sine.scaled(-1.0)],
            _ => [sine, cosine.scaled(-1.0)],
        }
    }

    /// The nearest `f64`.
    #[inline(always)]
    pub(crate) fn rounded(self) -> f64 {
        self.high
    }

    /// Is it the nearest `f64` itself?
    pub(crate) fn is_rounded(self) -> bool {
        self.low == 0.0
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

#[inline(always)]
fn sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let back = high - a;
    DoubleDouble { high, low: (a - (high - back)) + (b - back) }
}

#[inline(always)]
fn product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    let ([a1, a2], [b1, b2]) = (halves(a), halves(b));
    DoubleDouble { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

/// Two numbers of 26 bits whose sum it is (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> [f64; 2] {
    let shifted = x * 134_217_729.0;
    let high = shifted - (shifted - x);
    [high, x - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_is_right_to_the_last_bit() {
        // (2^53 + 1 − 1) − (1 + 2^-52)² · 2^53 / 2^53 and the like: whole numbers beyond 53 bits.
        let far = DoubleDouble::difference(9_007_199_254_740_992.0, -1.0);
        assert_eq!(far.plus(-1.0, DoubleDouble::difference(9_007_199_254_740_992.0, 0.0)), 1.0);
        let square = DoubleDouble::difference(1.0 + f64::EPSILON, 0.0);
        assert_eq!(
            DoubleDouble::difference(-1.0, 2.0 * f64::EPSILON).plus(1.0 + f64::EPSILON, square),
            f64::EPSILON * f64::EPSILON
        );
    }

    #[test]
    fn angles_turn_with_twice_the_digits() {
        // Cosine and sine from their series in decimal fractions of 60 digits; the lower halves are what the upper ones leave.
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
