//! Computes with numbers that have nested square roots, and decides their signs exactly.
//!
//! Input: `f64`, and a computation in a [`Field`]. Output: exact signs.
//! Points at which circles and parallel curves of edges cross have such coordinates; comparing them
//! needs these signs.
//!
//! The computation runs up to twice:
//!
//! 1. with [`Field::intervals`]: fast, and reports if the sign is unknown;
//! 2. with [`Field::exact`]: big integers with square roots adjoined, always exact.
//!
//! This is the filter and fallback scheme of Yap, *Towards exact geometric computation*, 1997. CGAL
//! calls such numbers `Sqrt_extension`.

mod big_float;
mod exact;
mod interval;

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use big_float::BigFloat;
use exact::SqrtTower;
use interval::Interval;

/// A field with square roots: sums, products, square roots and signs.
pub(crate) struct Field {
    /// True if the numbers are exact, false if they are intervals.
    is_exact: bool,
    /// The square roots of exact numbers.
    tower: SqrtTower,
}

/// A number of a field.
#[derive(Clone)]
pub(crate) struct Number {
    /// Contains the number, in a field of intervals.
    interval: Interval,
    /// Coefficients of the number, in a field of exact numbers.
    coefficients: Vec<BigFloat>,
}

impl Field {
    /// Creates a field of intervals: fast, and reports if a sign is unknown.
    pub(crate) fn intervals() -> Self {
        Self { is_exact: false, tower: SqrtTower::EMPTY }
    }

    /// Creates a field of exact numbers: all signs are known.
    pub(crate) fn exact() -> Self {
        Self { is_exact: true, tower: SqrtTower::EMPTY }
    }

    /// Computes a number by the arithmetic of the field.
    fn computed(&self, interval: impl FnOnce() -> Interval, coefficients: impl FnOnce() -> Vec<BigFloat>) -> Number {
        if self.is_exact {
            Number { interval: Interval::UNKNOWN, coefficients: coefficients() }
        } else {
            Number { interval: interval(), coefficients: Vec::new() }
        }
    }

    /// Converts a finite `f64`, without error.
    pub(crate) fn number(&self, x: f64) -> Number {
        self.computed(|| Interval::of(x), || vec![BigFloat::from_f64(x)])
    }

    /// Returns `a + b`.
    pub(crate) fn add(&self, a: &Number, b: &Number) -> Number {
        self.computed(|| a.interval.add(b.interval), || exact::sum(&a.coefficients, &b.coefficients))
    }

    /// Returns `a − b`.
    pub(crate) fn subtract(&self, a: &Number, b: &Number) -> Number {
        self.computed(|| a.interval.subtract(b.interval), || exact::difference(&a.coefficients, b.coefficients.clone()))
    }

    /// Returns `a · b`.
    pub(crate) fn multiply(&self, a: &Number, b: &Number) -> Number {
        self.computed(|| a.interval.multiply(b.interval), || self.tower.product(&a.coefficients, &b.coefficients))
    }

    /// Returns the square root of a number that must not be negative.
    ///
    /// Later products of exact numbers replace the square of every root by its radicand.
    pub(crate) fn sqrt(&mut self, square: &Number) -> Number {
        let coefficients = if self.is_exact { self.tower.sqrt(&square.coefficients) } else { Vec::new() };
        self.computed(|| square.interval.sqrt(), || coefficients)
    }

    /// Returns the sign, or `None` if it is unknown.
    pub(crate) fn sign(&self, a: &Number) -> Option<Ordering> {
        if self.is_exact { Some(self.tower.sign(&a.coefficients)) } else { a.interval.sign() }
    }

    /// Returns an approximation with a few rounding errors.
    pub(crate) fn approximate(&self, a: &Number) -> f64 {
        if self.is_exact { self.tower.approximate(&a.coefficients) } else { a.interval.approximate() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (3 + √2) (3 − √2) = 7, √(11 + 6√2) = 3 + √2, and two numbers that differ in the twentieth
    /// digit.
    fn identities(mut f: Field) -> [Option<Ordering>; 4] {
        let [two, three] = [2.0, 3.0].map(|x| f.number(x));
        let of_two = f.sqrt(&two);
        let (sum, difference) = (f.add(&three, &of_two), f.subtract(&three, &of_two));
        let seven = f.multiply(&sum, &difference);
        let square = f.add(&f.number(11.0), &f.multiply(&f.number(6.0), &of_two));
        let nested = f.sqrt(&square);
        let near = f.add(&nested, &f.number(1e-20));
        [
            f.sign(&f.subtract(&seven, &f.number(7.0))),
            f.sign(&f.subtract(&nested, &sum)),
            f.sign(&f.subtract(&near, &sum)),
            f.sign(&f.subtract(&nested, &f.number(4.5))),
        ]
    }

    #[test]
    fn towers_compute_with_square_roots() {
        use Ordering::{Equal, Greater, Less};
        assert_eq!(identities(Field::exact()), [Some(Equal), Some(Equal), Some(Greater), Some(Less)]);
        assert_eq!(identities(Field::intervals()), [None, None, None, Some(Less)]);
    }

    /// √a² d + √(b² + |a| c²) e − √a² √(b² + |a| c²) c
    fn value(mut f: Field, x: &[f64; 5]) -> (Field, Number) {
        let [a, b, c, d, e] = x.map(|x| f.number(x));
        let p = f.sqrt(&f.multiply(&a, &a));
        let q = f.add(&f.multiply(&b, &b), &f.multiply(&p, &f.multiply(&c, &c)));
        let q = f.sqrt(&q);
        let sum = f.add(&f.multiply(&p, &d), &f.multiply(&q, &e));
        let value = f.subtract(&sum, &f.multiply(&f.multiply(&p, &q), &c));
        (f, value)
    }

    /// Sums of roots compared with f64, if f64 is conclusive; and the same with numbers of all
    /// magnitudes.
    #[test]
    fn both_fields_agree_with_f64_if_it_can_decide() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut decided = 0;
        for round in 0..20_000 {
            let scale = if round % 2 == 0 { 1.0 } else { 10f64.powi(rng.i32(-60..60)) };
            let x: [f64; 5] = core::array::from_fn(|_| (rng.f64() - 0.5) * scale);
            let ((f, p), (g, q)) = (value(Field::intervals(), &x), value(Field::exact(), &x));
            let exact = g.sign(&q);
            assert!(exact.is_some());
            if let Some(sign) = f.sign(&p) {
                decided += 1;
                assert_eq!(Some(sign), exact, "{x:?}");
            }
            let [a, b, c, d, e] = x;
            let (p, q) = (a.abs(), (b * b + a.abs() * c * c).sqrt());
            let (sum, terms) = (p * d + q * e - p * q * c, (p * d).abs() + (q * e).abs() + (p * q * c).abs());
            if sum.abs() > 1e-13 * terms && terms > 1e-290 {
                assert_eq!(sum.partial_cmp(&0.0), exact, "{x:?}");
            }
        }
        assert!(decided > 19_000, "{decided}");
    }
}
