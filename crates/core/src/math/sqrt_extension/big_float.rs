//! Computes sums and products of `f64` without rounding, of any degree: big integers times a power
//! of two.
//!
//! Input: `f64`. Output: exact numbers, and their signs. The number of nested roots has no limit,
//! so neither has the degree. Limbs are allocated as needed. `BigInt` has a fixed capacity on the
//! stack instead, because the degree of its polynomials is known.
//!
//! ```text
//! add:       shift both to the lower exponent; add or subtract limbs with carry
//! multiply:  schoolbook: each limb of one times each limb of the other
//! ```
//!
//! Both are exact. The schoolbook product takes the product of the lengths. Numbers here have few
//! limbs, so that faster methods do not pay. Zero limbs at both ends are removed after every
//! operation, so a number stays as short as possible and zero has no limbs.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::math::big_int::mantissa_and_exponent;

/// The number `± limbs · 2^(64 · exponent)`, lowest limb first. Zero has no limbs.
#[derive(Clone, Debug)]
pub(crate) struct BigFloat {
    limbs: Vec<u64>,
    exponent: i32,
    negative: bool,
}

impl BigFloat {
    pub(super) const ZERO: Self = Self { limbs: Vec::new(), exponent: 0, negative: false };

    pub(super) fn from_f64(value: f64) -> Self {
        let (mantissa, exponent) = mantissa_and_exponent(value);
        let wide = u128::from(mantissa) << exponent.rem_euclid(64);
        Self { limbs: vec![wide as u64, (wide >> 64) as u64], exponent: exponent.div_euclid(64), negative: value < 0.0 }
            .trimmed()
    }

    /// Removes zero limbs at both ends.
    fn trimmed(mut self) -> Self {
        let used = self.limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        self.limbs.truncate(used);
        let zeros = self.limbs.iter().position(|&limb| limb != 0).unwrap_or(0);
        self.limbs.drain(..zeros);
        self.exponent += zeros as i32;
        if self.limbs.is_empty() { Self::ZERO } else { self }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    pub(super) fn sign(&self) -> Ordering {
        match (self.is_zero(), self.negative) {
            (true, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    /// Returns the number rounded to `f64`; infinite or zero beyond the range of `f64`.
    pub(super) fn approximate(&self) -> f64 {
        let top =
            self.limbs.iter().rev().take(2).fold(0.0, |sum, &limb| sum * 18_446_744_073_709_551_616.0 + limb as f64);
        let power = 64 * (self.exponent + self.limbs.len().saturating_sub(2) as i32);
        libm::scalbn(if self.negative { -top } else { top }, power)
    }

    pub(super) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.is_zero();
        self
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other.clone() } else { self.clone() };
        }
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.limbs_above(exponent), other.limbs_above(exponent));
        if self.negative == other.negative {
            return Self { limbs: sum(&a, &b), exponent, negative: self.negative }.trimmed();
        }
        match compare(&a, &b) {
            Ordering::Equal => Self::ZERO,
            Ordering::Greater => Self { limbs: difference(a, &b), exponent, negative: self.negative }.trimmed(),
            Ordering::Less => Self { limbs: difference(b, &a), exponent, negative: other.negative }.trimmed(),
        }
    }

    /// Returns the limbs in units of a lower exponent, zeros first.
    fn limbs_above(&self, exponent: i32) -> Vec<u64> {
        let mut limbs = vec![0; (self.exponent - exponent) as usize];
        limbs.extend_from_slice(&self.limbs);
        limbs
    }

    pub(super) fn multiply(&self, other: &Self) -> Self {
        let mut limbs = vec![0; self.limbs.len() + other.limbs.len()];
        for (i, &x) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            for (j, &y) in other.limbs.iter().enumerate() {
                let wide = u128::from(x) * u128::from(y) + u128::from(limbs[i + j]) + u128::from(carry);
                limbs[i + j] = wide as u64;
                carry = (wide >> 64) as u64;
            }
            limbs[i + other.limbs.len()] = carry;
        }
        Self { limbs, exponent: self.exponent + other.exponent, negative: self.negative != other.negative }.trimmed()
    }
}

/// Compares magnitudes whose highest limbs are not zero.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut carry = 0;
    let mut limbs: Vec<u64> = (0..a.len().max(b.len()))
        .map(|i| {
            let at = |limbs: &[u64]| u128::from(limbs.get(i).copied().unwrap_or(0));
            let wide = at(a) + at(b) + carry;
            carry = wide >> 64;
            wide as u64
        })
        .collect();
    limbs.push(carry as u64);
    limbs
}

/// Computes `a − b`; requires a > b.
fn difference(mut a: Vec<u64>, b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    for (i, limb) in a.iter_mut().enumerate() {
        let (difference, under) = limb.overflowing_sub(b.get(i).copied().unwrap_or(0));
        let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
        *limb = difference;
        borrow = under | under_again;
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_i128() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let [a, b, c, d] = core::array::from_fn(|_| (rng.i64(..) >> rng.u32(11..63)) as f64);
            let scale = 2f64.powi(rng.i32(-900..900));
            let [x, y, z, w] = [a * scale, b, c, d * scale].map(BigFloat::from_f64);
            let value = x.multiply(&y).add(&z.multiply(&w).negated());
            let exact = a as i128 * b as i128 - c as i128 * d as i128;
            assert_eq!(value.sign(), exact.cmp(&0), "{a} * {b} - {c} * {d}");
            assert_eq!(value.add(&z.multiply(&w)).add(&x.multiply(&y).negated()).sign(), Ordering::Equal);
        }
    }

    #[test]
    fn nothing_is_lost_between_the_ends_of_the_range() {
        let (huge, tiny) = (BigFloat::from_f64(1e300), BigFloat::from_f64(f64::from_bits(1)));
        let power = |x: &BigFloat| (0..5).fold(x.clone(), |x, _| x.multiply(&x));
        let sum = power(&huge).add(&power(&tiny));
        assert_eq!(sum.add(&power(&huge).negated()).sign(), Ordering::Greater);
        assert_eq!(sum.add(&power(&huge).negated()).add(&power(&tiny).negated()).sign(), Ordering::Equal);
    }
}
