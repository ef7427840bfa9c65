//! Exact: every root that is drawn doubles the coefficients that a number has.
//!
//! Over the numbers so far, x + y √z is known by x and y. Its sign is theirs where they agree; where they do not, x² and y² z tell which is larger.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater};

use super::Field;
use super::big_float::BigFloat;
use crate::math::vector::sqrt;

/// The squares whose roots were drawn, each a number over those before it.
pub(crate) struct SqrtTower {
    squares: Vec<Vec<BigFloat>>,
}

impl Field for SqrtTower {
    /// 2ᵏ coefficients over the first k roots: those of x, then those of y.
    type Number = Vec<BigFloat>;

    fn new() -> Self {
        Self { squares: Vec::new() }
    }

    fn number(x: f64) -> Vec<BigFloat> {
        vec![BigFloat::from_f64(x)]
    }

    fn add(&self, a: &Vec<BigFloat>, b: &Vec<BigFloat>) -> Vec<BigFloat> {
        sum(a, b)
    }

    fn subtract(&self, a: &Vec<BigFloat>, b: &Vec<BigFloat>) -> Vec<BigFloat> {
        sum(a, &b.iter().cloned().map(BigFloat::negated).collect::<Vec<_>>())
    }

    fn multiply(&self, a: &Vec<BigFloat>, b: &Vec<BigFloat>) -> Vec<BigFloat> {
        self.product(a, b)
    }

    fn sqrt(&mut self, square: &Vec<BigFloat>) -> Vec<BigFloat> {
        let mut root = vec![BigFloat::ZERO; 2 << self.squares.len()];
        root[1 << self.squares.len()] = BigFloat::from_f64(1.0);
        self.squares.push(square.clone());
        root
    }

    fn sign(&self, a: &Vec<BigFloat>) -> Option<Ordering> {
        Some(self.sign_of(a))
    }

    fn approximate(&self, a: &Vec<BigFloat>) -> f64 {
        self.rough_of(a)
    }
}

impl SqrtTower {
    fn product(&self, a: &[BigFloat], b: &[BigFloat]) -> Vec<BigFloat> {
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
        let of_roots = self.product(&self.product(y, v), self.square(a.len()));
        joined(sum(&self.product(x, u), &of_roots), sum(&self.product(x, v), &self.product(y, u)), a.len())
    }

    /// What the last root of numbers of so many coefficients is the root of.
    fn square(&self, len: usize) -> &[BigFloat] {
        &self.squares[len.trailing_zeros() as usize - 1]
    }

    fn rough_of(&self, a: &[BigFloat]) -> f64 {
        if let [x] = a {
            return x.approximate();
        }
        let (x, y) = a.split_at(a.len() / 2);
        self.rough_of(x) + self.rough_of(y) * sqrt(self.rough_of(self.square(a.len())).max(0.0))
    }

    fn sign_of(&self, a: &[BigFloat]) -> Ordering {
        if let [x] = a {
            return x.sign();
        }
        let (x, y) = a.split_at(a.len() / 2);
        let square = self.square(a.len());
        let (of_x, of_y) = (self.sign_of(x), self.sign_of(y));
        if of_y == Equal || of_x == of_y || self.sign_of(square) == Equal {
            return of_x;
        }
        if of_x == Equal {
            return of_y;
        }
        let (x2, y2) = (self.product(x, x), self.product(&self.product(y, y), square));
        let larger = self.sign_of(&sum(&x2, &y2.into_iter().map(BigFloat::negated).collect::<Vec<_>>()));
        if of_x == Greater { larger } else { larger.reverse() }
    }
}

/// Coefficient by coefficient; those that the shorter one lacks are zero.
fn sum(a: &[BigFloat], b: &[BigFloat]) -> Vec<BigFloat> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let both = long.iter().zip(short).map(|(x, y)| x.add(y));
    both.chain(long[short.len()..].iter().cloned()).collect()
}

/// The coefficients of x and y, each half as many as `len`.
fn joined(mut x: Vec<BigFloat>, y: Vec<BigFloat>, len: usize) -> Vec<BigFloat> {
    x.resize(len / 2, BigFloat::ZERO);
    x.extend(y);
    x.resize(len, BigFloat::ZERO);
    x
}
