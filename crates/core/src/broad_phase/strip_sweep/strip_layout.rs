//! Divides the y axis into strips, and finds the strip of a given y.
//!
//! Input: an interval, a number of rows, and the rows at which strips begin. Output: the strip of a
//! y, and the exact range of each strip.
//!
//! Rows of equal height are grouped into strips. A strip is found by one multiplication and one
//! table look-up. The multiplication is also done for several values of y per SIMD instruction. A
//! binary search over the strip boundaries would have unpredictable branches.
//!
//! ```text
//! row(y)   = (y - origin) * rows per unit of length, rounded, clamped to the rows
//! strip(y) = strip_of[row(y)]
//! base[s]  = the least f32 y with strip(y) = s, by bisection over the ordered f32 values
//! ```
//!
//! The product is rounded, so a formula for the boundary of a strip would be rounded differently.
//! Bisection of the same function gives the exact boundary. So a test of `base` and a look-up never
//! disagree.

use alloc::vec::Vec;

use crate::broad_phase::aabb32::{from_sort_key, sort_key};
use crate::math::simd::{Simd, f32s};

/// 2²³. Adding it to a smaller `f32` leaves the rounded integer in the low 23 bits.
const TO_INTEGER: f32 = 8_388_608.0;

/// Rows of equal height, grouped into strips.
///
/// Monotone: a larger y never lies in an earlier strip. The first strip extends to −∞ and the last
/// strip to +∞.
#[derive(Clone, Debug)]
pub(super) struct StripLayout {
    /// The least y of row 0.
    origin: f32,
    /// Rows per unit of length; 0 for a single strip.
    rows_per_unit: f32,
    /// The strip index of each row.
    strip_of: Vec<u16>,
    /// The least y of each strip, then +∞. y lies in strip s exactly if `base[s] <= y < base[s +
    /// 1]`.
    base: Vec<f32>,
}

impl Default for StripLayout {
    /// Returns a layout with a single strip.
    fn default() -> Self {
        let mut layout = Self { origin: 0.0, rows_per_unit: 0.0, strip_of: Vec::new(), base: Vec::new() };
        layout.set_single();
        layout
    }
}

impl StripLayout {
    /// The maximum number of strips.
    pub(super) const MAX_STRIPS: usize = 1 << 15;

    /// Changes the layout to a single strip.
    fn set_single(&mut self) {
        self.rows_per_unit = 0.0;
        self.strip_of.clear();
        self.strip_of.push(0);
        self.find_bases();
    }

    /// Divides `min..max` into rows. `begins` returns true if a new strip begins with the given
    /// row.
    ///
    /// Falls back to a single strip if the interval is empty, infinite or too small.
    pub(super) fn set(&mut self, min: f32, max: f32, rows: usize, mut begins: impl FnMut(usize) -> bool) {
        self.origin = min;
        self.rows_per_unit = rows as f32 / (max - min);
        if !(self.rows_per_unit.is_normal() && (max - min).is_finite()) {
            self.set_single();
            return;
        }
        self.strip_of.clear();
        let mut strip = 0;
        for row in 0..rows {
            strip += u16::from(row > 0 && begins(row));
            self.strip_of.push(strip);
        }
        self.find_bases();
    }

    /// Returns the row index of `y`, without an upper limit.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "of NaN it is the first row")]
    pub(super) fn row(&self, y: f32) -> usize {
        let row = ((y - self.origin) * self.rows_per_unit - 0.5).max(0.0).min(TO_INTEGER - 1.0);
        ((row + TO_INTEGER).to_bits() & (TO_INTEGER as u32 - 1)) as usize
    }

    /// Returns the strip index of `y`.
    #[inline(always)]
    pub(super) fn strip(&self, y: f32) -> u16 {
        self.strip_of[self.row(y).min(self.strip_of.len() - 1)]
    }

    /// Computes the rows of several y's. `strip_of_row` converts a row to a strip.
    #[inline(always)]
    pub(super) fn rows<S: Simd>(&self, simd: S, y: &[f32], rows: &mut [f32]) {
        let lanes = f32s::<S>::LEN;
        // The same operations as in `row`, so the results are equal.
        let (origin, per_unit) = (f32s::splat(simd, self.origin), f32s::splat(simd, self.rows_per_unit));
        let (zero, last) = (f32s::splat(simd, 0.0), (self.strip_of.len() - 1) as f32);
        for from in (0..y.len() / lanes * lanes).step_by(lanes) {
            let y = f32s::from_slice(simd, &y[from..from + lanes]);
            let row = (y - origin) * per_unit - 0.5;
            // NaN is in row 0.
            let row: f32s<S> = row.simd_gt(0.0).select(row, zero);
            let row = row.min(last) + TO_INTEGER;
            row.store_slice(&mut rows[from..from + lanes]);
        }
    }

    /// Returns the strip of a row computed by `rows`. Equals `strip` of the row's y.
    #[inline(always)]
    pub(super) fn strip_of_row(&self, row: f32) -> u16 {
        self.strip_of[(row.to_bits() - TO_INTEGER.to_bits()) as usize]
    }

    /// Returns the number of strips.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.base.len() - 1
    }

    /// Returns the least y of a strip and the least y of the next strip.
    #[inline(always)]
    pub(super) fn range(&self, strip: usize) -> [f32; 2] {
        [self.base[strip], self.base[strip + 1]]
    }

    /// Computes `base` by bisection over all `f32` values.
    ///
    /// A strip is defined by the rounded computation of `strip`. A closed formula for its ends
    /// would be rounded differently, so `strip` is called for each candidate.
    fn find_bases(&mut self) {
        let count = self.strip_of[self.strip_of.len() - 1];
        self.base.clear();
        self.base.push(f32::NEG_INFINITY);
        for strip in 1..=count {
            // Sort keys of the last value known to be below the strip and of a value inside the
            // strip.
            let (mut below, mut inside) = (sort_key(f32::MIN), sort_key(f32::MAX));
            // Bisect until the keys are adjacent.
            while inside - below > 1 {
                let middle = below + (inside - below) / 2;
                if self.strip(from_sort_key(middle)) < strip {
                    below = middle;
                } else {
                    inside = middle;
                }
            }
            self.base.push(from_sort_key(inside));
        }
        self.base.push(f32::INFINITY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{SimdKernel, dispatch};

    #[test]
    fn ends_of_strips_are_exact() {
        let mut layout = StripLayout::default();
        layout.set(-3.0, 1e3, 1000, |row| row % 3 == 0);
        assert_eq!(layout.count(), 334);
        for strip in 0..layout.count() {
            let [base, next] = layout.range(strip);
            assert_eq!(layout.strip(base) as usize, strip);
            assert_eq!(layout.strip(next.next_down()) as usize, strip);
            assert!(strip == 0 || (layout.strip(base.next_down()) as usize) == strip - 1);
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
        // The last interval is longer than `f32::MAX`, so the layout is a single strip.
        for (rows, min, max) in
            [(1, -3.0, 1e3), (7, -3.0, 1e3), (1000, -3.0, 1e3), (65_536, -3.0, 1e3), (9, f32::MIN, f32::MAX)]
        {
            let mut layout = StripLayout::default();
            layout.set(min, max, rows, |row| row % 2 == 0);
            let odd = [f32::MIN, f32::MAX, f32::NEG_INFINITY, f32::INFINITY, f32::NAN, -0.0, -3.0, 1e3];
            let y: Vec<f32> = (0..1024).map(|i| if i < 8 { odd[i] } else { rng.f32() * 1_200.0 - 100.0 }).collect();
            let mut found = alloc::vec![0.0; 1024];
            dispatch(All(&layout, &y, &mut found));
            for (&y, row) in y.iter().zip(found) {
                assert_eq!(layout.strip_of_row(row), layout.strip(y), "seed {seed}, {rows} rows, {y}");
            }
        }
    }
}
