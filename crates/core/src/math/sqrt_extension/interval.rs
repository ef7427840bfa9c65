//! Computes with intervals: the filter before exact arithmetic.
//!
//! Input: the numbers of a computation. Output: an interval that contains the exact result, and its
//! sign if the interval does not contain 0. An operation widens the interval by one ulp at an end
//! only if that end was rounded. So a computation with small integers stays exact, and even the
//! sign 0 is decided.

use core::cmp::Ordering::{self, Equal, Greater, Less};

use crate::math::double_double::DoubleDouble;
use crate::math::vector::sqrt;

/// A closed interval that contains the exact number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    /// Contains every number.
    pub(super) const UNKNOWN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Returns the interval from the least to the greatest of some numbers, each either exact or
    /// rounded once.
    fn enclosing<const N: usize>(rounded: [(f64, bool); N]) -> Self {
        let mut interval = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for (x, is_exact) in rounded {
            if !x.is_finite() {
                return Self::UNKNOWN;
            }
            let [low, high] = if is_exact { [x, x] } else { [x.next_down(), x.next_up()] };
            interval = Self { low: interval.low.min(low), high: interval.high.max(high) };
        }
        interval
    }
}

/// Returns the rounded sum, and true if it is exact.
fn sum(a: f64, b: f64) -> (f64, bool) {
    let sum = DoubleDouble::difference(a, -b);
    (sum.to_f64(), sum.is_f64())
}

/// Returns the rounded product, and true if it is certainly exact.
fn product(a: f64, b: f64) -> (f64, bool) {
    DoubleDouble::exact_product(a, b)
        .map_or((a * b, a == 0.0 || b == 0.0), |product| (product.to_f64(), product.is_f64()))
}

impl Interval {
    /// Returns the interval of a single number.
    pub(super) fn of(x: f64) -> Self {
        Self { low: x, high: x }
    }

    /// Returns the sum.
    pub(super) fn add(self, b: Self) -> Self {
        Self::enclosing([sum(self.low, b.low), sum(self.high, b.high)])
    }

    /// Returns the difference.
    pub(super) fn subtract(self, b: Self) -> Self {
        Self::enclosing([sum(self.low, -b.high), sum(self.high, -b.low)])
    }

    /// Returns the product.
    pub(super) fn multiply(self, b: Self) -> Self {
        Self::enclosing([
            product(self.low, b.low),
            product(self.low, b.high),
            product(self.high, b.low),
            product(self.high, b.high),
        ])
    }

    /// Returns the square root of a number that must not be negative.
    pub(super) fn sqrt(self) -> Self {
        let root = |x: f64| {
            let root = sqrt(x.max(0.0));
            (root, product(root, root) == (x, true))
        };
        let interval = Self::enclosing([root(self.low), root(self.high)]);
        Self { low: interval.low.max(0.0), high: interval.high }
    }

    /// Returns the sign, or `None` if it is unknown.
    pub(super) fn sign(self) -> Option<Ordering> {
        if self.low > 0.0 {
            Some(Greater)
        } else if self.high < 0.0 {
            Some(Less)
        } else {
            (self.low == 0.0 && self.high == 0.0).then_some(Equal)
        }
    }

    /// Returns the middle.
    pub(super) fn approximate(self) -> f64 {
        self.low + (self.high - self.low) * 0.5
    }
}
