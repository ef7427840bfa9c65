//! Computes with exact numbers with nested square roots, by coefficients of type [`BigFloat`].
//!
//! Input: numbers, sums, products and roots of a computation. Output: exact signs. Each square root
//! adjoined to the field doubles the number of coefficients. A number over k roots is `x + y √z`;
//! x, y and z are numbers over the first k − 1 roots. Its sign follows recursively:
//!
//! ```text
//! sign(x + y √z):
//!     if z = 0 or y = 0 or x and y have the same sign: sign(x)
//!     if x = 0: sign(y)
//!     else: sign(x) · sign(x² − y² z)
//! ```
//!
//! No approximation decides that two such numbers are equal: their difference could be smaller than
//! any tolerance. The recursion uses the signs of polynomials only. It is slow, so it runs only if
//! interval arithmetic is inconclusive.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater};

use super::big_float::BigFloat;
use crate::math::lists::mapped;
use crate::math::vector::sqrt;

/// The square roots of a field. A number over the first k roots has 2ᵏ coefficients: first those of x, then those of y.
pub(crate) struct SqrtTower {
    /// The squares whose roots were adjoined, each a number over the roots before it.
    radicands: Vec<Vec<BigFloat>>,
}

impl SqrtTower {
    /// A field without square roots.
    pub(super) const EMPTY: Self = Self { radicands: Vec::new() };

    /// Adjoins the square root of a number, and returns it.
    pub(super) fn sqrt(&mut self, square: &[BigFloat]) -> Vec<BigFloat> {
        let mut root = vec![BigFloat::ZERO; 2 << self.radicands.len()];
        root[1 << self.radicands.len()] = BigFloat::from_f64(1.0);
        self.radicands.push(square.to_vec());
        root
    }

    /// Computes `(x + y √z) (u + v √z) = (x u + y v z) + (x v + y u) √z`, recursively.
    pub(super) fn product(&self, a: &[BigFloat], b: &[BigFloat]) -> Vec<BigFloat> {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if let ([x], [y]) = (a, b) {
            return vec![x.multiply(y)];
        }
        if b.iter().all(BigFloat::is_zero) {
            return vec![BigFloat::ZERO];
        }
        let (x, y) = a.split_at(a.len() / 2);
        if b.len() < a.len() {
            return joined(self.product(x, b), self.product(y, b), a.len());
        }
        let (u, v) = b.split_at(b.len() / 2);
        let yvz = self.product(&self.product(y, v), self.radicand(a.len()));
        joined(sum(&self.product(x, u), &yvz), sum(&self.product(x, v), &self.product(y, u)), a.len())
    }

    /// Returns the square z of the last root in numbers with `len` coefficients.
    fn radicand(&self, len: usize) -> &[BigFloat] {
        &self.radicands[len.trailing_zeros() as usize - 1]
    }

    /// Returns the approximate value.
    pub(super) fn approximate(&self, a: &[BigFloat]) -> f64 {
        if let [x] = a {
            return x.approximate();
        }
        let (x, y) = a.split_at(a.len() / 2);
        self.approximate(x) + self.approximate(y) * sqrt(self.approximate(self.radicand(a.len())).max(0.0))
    }

    /// Returns the sign, by the recursion of the module's header.
    pub(super) fn sign(&self, a: &[BigFloat]) -> Ordering {
        if let [x] = a {
            return x.sign();
        }
        let (x, y) = a.split_at(a.len() / 2);
        let square = self.radicand(a.len());
        let (sign_x, sign_y) = (self.sign(x), self.sign(y));
        if sign_y == Equal || sign_x == sign_y || self.sign(square) == Equal {
            return sign_x;
        }
        if sign_x == Equal {
            return sign_y;
        }
        let (x2, y2) = (self.product(x, x), self.product(&self.product(y, y), square));
        let larger = self.sign(&difference(&x2, y2));
        if sign_x == Greater { larger } else { larger.reverse() }
    }
}

/// Adds coefficient by coefficient. The shorter number is padded with zeros.
pub(super) fn sum(a: &[BigFloat], b: &[BigFloat]) -> Vec<BigFloat> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let both = long.iter().zip(short).map(|(x, y)| x.add(y));
    both.chain(long[short.len()..].iter().cloned()).collect()
}

/// Subtracts coefficient by coefficient.
pub(super) fn difference(a: &[BigFloat], b: Vec<BigFloat>) -> Vec<BigFloat> {
    sum(a, &mapped(b, BigFloat::negated))
}

/// Joins the coefficients of x and y, each padded to half of `len`.
fn joined(mut x: Vec<BigFloat>, y: Vec<BigFloat>, len: usize) -> Vec<BigFloat> {
    x.resize(len / 2, BigFloat::ZERO);
    x.extend(y);
    x.resize(len, BigFloat::ZERO);
    x
}
