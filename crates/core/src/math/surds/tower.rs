//! Exact: every root that is drawn doubles the coefficients that a number has.
//!
//! Over the numbers so far, x + y √z is known by x and y. Its sign is theirs where they agree; where they do not, x² and y² z tell which is larger.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater};

use super::Field;
use super::dyadic::Dyadic;
use crate::math::vector::sqrt;

/// The squares whose roots were drawn, each a number over those before it.
pub(crate) struct Tower {
    squares: Vec<Vec<Dyadic>>,
}

impl Field for Tower {
    /// 2ᵏ coefficients over the first k roots: those of x, then those of y.
    type Number = Vec<Dyadic>;

    fn new() -> Self {
        Self { squares: Vec::new() }
    }

    fn number(x: f64) -> Vec<Dyadic> {
        vec![Dyadic::from_f64(x)]
    }

    fn add(&self, a: &Vec<Dyadic>, b: &Vec<Dyadic>) -> Vec<Dyadic> {
        sum(a, b)
    }

    fn subtract(&self, a: &Vec<Dyadic>, b: &Vec<Dyadic>) -> Vec<Dyadic> {
        sum(a, &b.iter().cloned().map(Dyadic::negated).collect::<Vec<_>>())
    }

    fn multiply(&self, a: &Vec<Dyadic>, b: &Vec<Dyadic>) -> Vec<Dyadic> {
        self.product(a, b)
    }

    fn root(&mut self, square: &Vec<Dyadic>) -> Vec<Dyadic> {
        let mut root = vec![Dyadic::ZERO; 2 << self.squares.len()];
        root[1 << self.squares.len()] = Dyadic::from_f64(1.0);
        self.squares.push(square.clone());
        root
    }

    fn sign(&self, a: &Vec<Dyadic>) -> Option<Ordering> {
        Some(self.sign_of(a))
    }

    fn rough(&self, a: &Vec<Dyadic>) -> f64 {
        self.rough_of(a)
    }
}

impl Tower {
    fn product(&self, a: &[Dyadic], b: &[Dyadic]) -> Vec<Dyadic> {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if let ([x], [y]) = (a, b) {
            return vec![x.multiply(y)];
        }
        if b.iter().all(Dyadic::is_zero) {
            return vec![Dyadic::ZERO];
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
    fn square(&self, len: usize) -> &[Dyadic] {
        &self.squares[len.trailing_zeros() as usize - 1]
    }

    fn rough_of(&self, a: &[Dyadic]) -> f64 {
        if let [x] = a {
            return x.rough();
        }
        let (x, y) = a.split_at(a.len() / 2);
        self.rough_of(x) + self.rough_of(y) * sqrt(self.rough_of(self.square(a.len())).max(0.0))
    }

    fn sign_of(&self, a: &[Dyadic]) -> Ordering {
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
        let larger = self.sign_of(&sum(&x2, &y2.into_iter().map(Dyadic::negated).collect::<Vec<_>>()));
        if of_x == Greater { larger } else { larger.reverse() }
    }
}

/// Coefficient by coefficient; those that the shorter one lacks are zero.
fn sum(a: &[Dyadic], b: &[Dyadic]) -> Vec<Dyadic> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let both = long.iter().zip(short).map(|(x, y)| x.add(y));
    both.chain(long[short.len()..].iter().cloned()).collect()
}

/// The coefficients of x and y, each half as many as `len`.
fn joined(mut x: Vec<Dyadic>, y: Vec<Dyadic>, len: usize) -> Vec<Dyadic> {
    x.resize(len / 2, Dyadic::ZERO);
    x.extend(y);
    x.resize(len, Dyadic::ZERO);
    x
}
