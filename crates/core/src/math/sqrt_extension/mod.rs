//! Computes with numbers that have nested square roots, and decides their signs exactly.
//!
//! Input: `f64`, and a computation that is written once over a [`Field`]. Output: exact signs.
//! Points at which circles and parallel curves of edges cross have such coordinates; comparing them
//! needs these signs.
//!
//! The computation runs up to twice:
//!
//! 1. with [`IntervalField`]: fast, and reports if the sign is unknown;
//! 2. with [`SqrtTower`]: big integers with square roots adjoined, always exact.
//!
//! This is the filter and fallback scheme of Yap, *Towards exact geometric computation*, 1997. CGAL
//! calls such numbers `Sqrt_extension`.

mod big_float;
mod exact;
mod interval;

use core::cmp::Ordering;

pub(crate) use exact::SqrtTower;
pub(crate) use interval::IntervalField;

/// A field with square roots: sums, products, square roots and signs.
pub(crate) trait Field {
    /// A number of the field.
    type Number: Clone;

    /// Creates a field without square roots.
    fn new() -> Self;

    /// Converts a finite `f64`, without error.
    fn number(x: f64) -> Self::Number;

    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    fn subtract(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    /// Returns the square root of a number that must not be negative.
    ///
    /// Later products replace the square of every root by its radicand.
    fn sqrt(&mut self, square: &Self::Number) -> Self::Number;

    /// Returns the sign, or `None` if it is unknown.
    fn sign(&self, a: &Self::Number) -> Option<Ordering>;

    /// Returns an approximation with a few rounding errors.
    fn approximate(&self, a: &Self::Number) -> f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (3 + √2) (3 − √2) = 7, √(11 + 6√2) = 3 + √2, and two numbers that differ in the twentieth
    /// digit.
    fn identities<F: Field>() -> [Option<Ordering>; 4] {
        let mut f = F::new();
        let [two, three] = [2.0, 3.0].map(F::number);
        let of_two = f.sqrt(&two);
        let (sum, difference) = (f.add(&three, &of_two), f.subtract(&three, &of_two));
        let seven = f.multiply(&sum, &difference);
        let square = f.add(&F::number(11.0), &f.multiply(&F::number(6.0), &of_two));
        let nested = f.sqrt(&square);
        let near = f.add(&nested, &F::number(1e-20));
        [
            f.sign(&f.subtract(&seven, &F::number(7.0))),
            f.sign(&f.subtract(&nested, &sum)),
            f.sign(&f.subtract(&near, &sum)),
            f.sign(&f.subtract(&nested, &F::number(4.5))),
        ]
    }

    #[test]
    fn towers_compute_with_square_roots() {
        use Ordering::{Equal, Greater, Less};
        assert_eq!(identities::<SqrtTower>(), [Some(Equal), Some(Equal), Some(Greater), Some(Less)]);
        assert_eq!(identities::<IntervalField>(), [None, None, None, Some(Less)]);
    }

    /// √a² d + √(b² + |a| c²) e − √a² √(b² + |a| c²) c
    fn value<F: Field>(x: &[f64; 5]) -> (F, F::Number) {
        let mut f = F::new();
        let [a, b, c, d, e] = x.map(F::number);
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
            let ((f, p), (g, q)) = (value::<IntervalField>(&x), value::<SqrtTower>(&x));
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
