//! The filter: numbers between two `f64`, wider by an ulp where an operation rounds.

use core::cmp::Ordering::{self, Equal, Greater, Less};

use super::Field;
use crate::math::double_double::DoubleDouble;
use crate::math::vector::sqrt;

/// From the least that a number can be to the greatest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    low: f64,
    high: f64,
}

/// Arithmetic of intervals: every root is drawn on the spot.
pub(crate) struct IntervalField;

impl Interval {
    const UNKNOWN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Between the least of some numbers and the greatest, of which each is exact or rounded once.
    fn around<const N: usize>(rounded: [(f64, bool); N]) -> Self {
        let mut around = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for (x, is_exact) in rounded {
            if !x.is_finite() {
                return Self::UNKNOWN;
            }
            let [low, high] = if is_exact { [x, x] } else { [x.next_down(), x.next_up()] };
            around = Self { low: around.low.min(low), high: around.high.max(high) };
        }
        around
    }
}

/// A sum, and whether it is exact.
fn sum(a: f64, b: f64) -> (f64, bool) {
    let sum = DoubleDouble::difference(a, -b);
    (sum.rounded(), sum.is_rounded())
}

/// A product, and whether it is certainly exact.
fn product(a: f64, b: f64) -> (f64, bool) {
    let safe = |x: f64| (1e-100..1e100).contains(&x.abs());
    if safe(a) && safe(b) {
        let product = DoubleDouble::product(a, b);
        return (product.rounded(), product.is_rounded());
    }
    (a * b, a == 0.0 || b == 0.0)
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
        Interval::around([sum(a.low, b.low), sum(a.high, b.high)])
    }

    fn subtract(&self, a: &Interval, b: &Interval) -> Interval {
        Interval::around([sum(a.low, -b.high), sum(a.high, -b.low)])
    }

    fn multiply(&self, a: &Interval, b: &Interval) -> Interval {
        Interval::around([
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
        let around = Interval::around([root(square.low), root(square.high)]);
        Interval { low: around.low.max(0.0), high: around.high }
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
