//! Computes with intervals: the filter before exact arithmetic.
//!
//! Input: the numbers of a computation. Output: an interval that contains the exact result, and its
//! sign if the interval does not contain 0. An operation widens the interval by one ulp at an end
//! only if that end was rounded. So a computation with small integers stays exact, and even the
//! sign 0 is decided.

use core::cmp::Ordering::{self, Equal, Greater, Less};

use super::Field;
use crate::math::double_double::DoubleDouble;
use crate::math::vector::sqrt;

/// A closed interval that contains the exact number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    low: f64,
    high: f64,
}

/// Interval arithmetic. Square roots are computed immediately.
pub(crate) struct IntervalField;

impl Interval {
    const UNKNOWN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

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

impl Field for IntervalField {
    type Number = Interval;

    fn new() -> Self {
        Self
    }

    fn number(x: f64) -> Interval {
        Interval { low: x, high: x }
    }

    fn add(&self, a: &Interval, b: &Interval) -> Interval {
        Interval::enclosing([sum(a.low, b.low), sum(a.high, b.high)])
    }

    fn subtract(&self, a: &Interval, b: &Interval) -> Interval {
        Interval::enclosing([sum(a.low, -b.high), sum(a.high, -b.low)])
    }

    fn multiply(&self, a: &Interval, b: &Interval) -> Interval {
        Interval::enclosing([
            product(a.low, b.low),
            product(a.low, b.high),
            product(a.high, b.low),
            product(a.high, b.high),
        ])
    }

    fn sqrt(&mut self, square: &Interval) -> Interval {
        let root = |x: f64| {
            let root = sqrt(x.max(0.0));
            (root, product(root, root) == (x, true))
        };
        let interval = Interval::enclosing([root(square.low), root(square.high)]);
        Interval { low: interval.low.max(0.0), high: interval.high }
    }

    fn sign(&self, a: &Interval) -> Option<Ordering> {
        if a.low > 0.0 {
            Some(Greater)
        } else if a.high < 0.0 {
            Some(Less)
        } else {
            (a.low == 0.0 && a.high == 0.0).then_some(Equal)
        }
    }

    fn approximate(&self, a: &Interval) -> f64 {
        a.low + (a.high - a.low) * 0.5
    }
}
