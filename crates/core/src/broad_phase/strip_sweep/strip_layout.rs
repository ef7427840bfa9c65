//! Where the world is cut into strips.

use alloc::vec::Vec;

use crate::math::simd::{Simd, prelude::*};

/// Adding it to a number below 2²³ leaves the number, rounded, in the low bits.
const TO_INTEGER: f32 = 8_388_608.0;

/// Rows of equal height, grouped into strips. Monotone: a larger y never lies in an earlier strip; beyond the rows the first and the last go on.
#[derive(Clone, Debug)]
pub(super) struct StripLayout {
    origin: f32,
    rows_per_unit: f32,
    /// The strip of each row.
    strips: Vec<u16>,
    /// The least y of each strip, and infinity: `base[s] <= y < base[s + 1]` says exactly that y lies in strip s.
    base: Vec<f32>,
}

impl Default for StripLayout {
    /// A single strip.
    fn default() -> Self {
        let mut cut = Self { origin: 0.0, rows_per_unit: 0.0, strips: Vec::new(), base: Vec::new() };
        cut.single();
        cut
    }
}

impl StripLayout {
    /// The most strips.
    pub(super) const MOST: usize = 1 << 15;

    fn single(&mut self) {
        self.rows_per_unit = 0.0;
        self.strips.clear();
        self.strips.push(0);
        self.find_bases();
    }

    /// Rows from `min` to `max`; `strip_of` says for each row whether a new strip begins with it.
    pub(super) fn set(&mut self, min: f32, max: f32, rows: usize, mut begins: impl FnMut(usize) -> bool) {
        self.origin = min;
        self.rows_per_unit = rows as f32 / (max - min);
        if !(self.rows_per_unit.is_normal() && (max - min).is_finite()) {
            self.single();
            return;
        }
        self.strips.clear();
        let mut strip = 0;
        for row in 0..rows {
            strip += u16::from(row > 0 && begins(row));
            self.strips.push(strip);
        }
        self.find_bases();
    }

    /// The row of a y.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "of NaN it is the first row")]
    pub(super) fn row(&self, y: f32) -> usize {
        let row = ((y - self.origin) * self.rows_per_unit - 0.5).max(0.0).min(TO_INTEGER - 1.0);
        ((row + TO_INTEGER).to_bits() & (TO_INTEGER as u32 - 1)) as usize
    }

    /// The strip of a y.
    #[inline(always)]
    pub(super) fn strip(&self, y: f32) -> u16 {
        self.strips[self.row(y).min(self.strips.len() - 1)]
    }

    /// The rows of many y's, as they are before [`Cut::strip_of_row`] makes numbers of them.
    #[inline(always)]
    pub(super) fn rows<S: Simd>(&self, simd: S, y: &[f32], rows: &mut [f32]) {
        let lanes = S::f32s::LEN;
        let (origin, per_unit) = (S::f32s::splat(simd, self.origin), S::f32s::splat(simd, self.rows_per_unit));
        let (zero, last) = (S::f32s::splat(simd, 0.0), (self.strips.len() - 1) as f32);
        for from in (0..y.len() / lanes * lanes).step_by(lanes) {
            let y = S::f32s::from_slice(simd, &y[from..from + lanes]);
            let row = (y - origin) * per_unit - 0.5;
            // Of NaN it is the first one.
            let row: S::f32s = row.simd_gt(0.0).select(row, zero);
            let row = row.min(last) + TO_INTEGER;
            row.store_slice(&mut rows[from..from + lanes]);
        }
    }

    /// The strip of a row: that of its y.
    #[inline(always)]
    pub(super) fn strip_of_row(&self, row: f32) -> u16 {
        self.strips[(row.to_bits() - TO_INTEGER.to_bits()) as usize]
    }

    /// How many strips.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.base.len() - 1
    }

    /// Where a strip begins and where the next one does.
    #[inline(always)]
    pub(super) fn range(&self, strip: usize) -> [f32; 2] {
        [self.base[strip], self.base[strip + 1]]
    }

    /// Strips are what [`Cut::strip`] says, with all its roundings; so their ends are found by asking it.
    fn find_bases(&mut self) {
        let count = self.strips[self.strips.len() - 1];
        self.base.clear();
        self.base.push(f32::NEG_INFINITY);
        for strip in 1..=count {
            // Numbers in order of their bits: the last one below the strip and the first one in it.
            let (mut below, mut inside) = (key(f32::MIN), key(f32::MAX));
            while inside - below > 1 {
                let middle = below + (inside - below) / 2;
                if self.strip(number(middle)) < strip {
                    below = middle;
                } else {
                    inside = middle;
                }
            }
            self.base.push(number(inside));
        }
        self.base.push(f32::INFINITY);
    }
}

/// Bits that are in order as the numbers are.
#[inline(always)]
pub(super) fn key(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

fn number(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{SimdKernel, dispatch};

    #[test]
    fn ends_of_strips_are_exact() {
        let mut cut = StripLayout::default();
        cut.set(-3.0, 1e3, 1000, |row| row % 3 == 0);
        assert_eq!(cut.count(), 334);
        for strip in 0..cut.count() {
            let [base, next] = cut.range(strip);
            assert_eq!(cut.strip(base) as usize, strip);
            assert_eq!(cut.strip(next.next_down()) as usize, strip);
            assert!(strip == 0 || (cut.strip(base.next_down()) as usize) == strip - 1);
        }
    }

    #[test]
    fn many_at_a_time_are_in_the_strips_that_each_is_in() {
        struct All<'a>(&'a StripLayout, &'a [f32], &'a mut [f32]);
        impl SimdKernel for All<'_> {
            type Output = ();
            fn run<S: Simd>(self, simd: S) {
                self.0.rows(simd, self.1, self.2);
            }
        }
        let (seed, mut rng) = (4, fastrand::Rng::with_seed(4));
        // Of the last one there is a single strip: its rows are infinitely high.
        for (rows, min, max) in
            [(1, -3.0, 1e3), (7, -3.0, 1e3), (1000, -3.0, 1e3), (65_536, -3.0, 1e3), (9, f32::MIN, f32::MAX)]
        {
            let mut cut = StripLayout::default();
            cut.set(min, max, rows, |row| row % 2 == 0);
            let odd = [f32::MIN, f32::MAX, f32::NEG_INFINITY, f32::INFINITY, f32::NAN, -0.0, -3.0, 1e3];
            let y: Vec<f32> = (0..1024).map(|i| if i < 8 { odd[i] } else { rng.f32() * 1_200.0 - 100.0 }).collect();
            let mut found = alloc::vec![0.0; 1024];
            dispatch(All(&cut, &y, &mut found));
            for (&y, row) in y.iter().zip(found) {
                assert_eq!(cut.strip_of_row(row), cut.strip(y), "seed {seed}, {rows} rows, {y}");
            }
        }
    }

    #[test]
    fn keys_are_in_order() {
        let numbers = [f32::MIN, -1.0, -1e-40, 0.0, 1e-40, 1.0, f32::MAX];
        assert!(numbers.windows(2).all(|w| key(w[0]) < key(w[1])));
        assert!(numbers.iter().all(|&x| number(key(x)) == x));
    }
}
