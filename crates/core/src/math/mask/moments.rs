//! Computes area, centroid and second moment of a mask, in integers until the last rounding.
//!
//! Input: a mask. Output: sums over the solid pixels, and from these the centroid and the second
//! moment, correctly rounded. Rows are counted by population count. Columns are counted in the same
//! way after a transposition of 64 × 64 blocks (`rotate.rs`).
//!
//! Sums of `f64` over the pixels would lose digits in a large mask, and would take a step per
//! pixel.

use glam::DVec2;

use super::rotate::transpose_block;
use super::{Mask, WORD};
use crate::math::big_int::power_of_two;

/// Sums over the solid pixels. The position of a pixel is twice its centre, so all sums are
/// integers.
///
/// A mask has at most 2^28 pixels and sides of 2^16. So `doubled_sums` stay below 2^45 and
/// `squares` below 2^63.
struct Moments {
    count: u64,
    doubled_sums: [u64; 2],
    squares: u64,
}

impl Moments {
    fn of(mask: &Mask) -> Self {
        let mut moments = Self { count: 0, doubled_sums: [0; 2], squares: 0 };
        for k in 0..mask.stripes() {
            let mut columns = [0_u64; WORD as usize];
            for (y, &word) in (0..).zip(mask.stripe(k)) {
                moments.include(1, y, u64::from(word.count_ones()));
            }
            for rows in mask.stripe(k).chunks(WORD as usize) {
                let mut block = [0; WORD as usize];
                block[..rows.len()].copy_from_slice(rows);
                transpose_block(&mut block);
                for (column, word) in columns.iter_mut().zip(block) {
                    *column += u64::from(word.count_ones());
                }
            }
            for (x, &count) in (k as u64 * u64::from(WORD)..).zip(&columns) {
                moments.include(0, x, count);
                moments.count += count;
            }
        }
        moments
    }

    /// Adds `count` pixels of a column (axis 0) or row (axis 1).
    fn include(&mut self, axis: usize, index: u64, count: u64) {
        let doubled = 2 * index + 1;
        self.doubled_sums[axis] += count * doubled;
        self.squares += count * doubled * doubled;
    }
}

impl Mask {
    /// Returns the centroid of the solid area, correctly rounded; `None` if no pixel is solid.
    ///
    /// ```
    /// use carom::{DVec2, Mask};
    ///
    /// assert_eq!(Mask::from_rows(&["###"])?.centroid(), Some(DVec2::new(1.5, 0.5)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn centroid(&self) -> Option<DVec2> {
        let Moments { count, doubled_sums, .. } = Moments::of(self);
        (count > 0).then(|| DVec2::new(doubled_sums[0] as f64, doubled_sums[1] as f64) / (2 * count) as f64)
    }

    /// Returns the polar second moment of the solid area about its centroid, correctly rounded.
    ///
    /// Each pixel is a unit square. The result is 0 if no pixel is solid.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// // A bar of width w and height h: w h (w² + h²) / 12.
    /// assert_eq!(Mask::from_rows(&["###"])?.inertia(), 3.0 * (9.0 + 1.0) / 12.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn inertia(&self) -> f64 {
        let Moments { count, doubled_sums, squares } = Moments::of(self);
        if count == 0 {
            return 0.0;
        }
        // With n pixels at positions p / 2: Σp²/4 − (Σp)²/4n about the centroid, plus 1/6 per pixel
        // about its own centre. Below 2^98.
        let (n, squares) = (u128::from(count), u128::from(squares));
        let (x, y) = (u128::from(doubled_sums[0]), u128::from(doubled_sums[1]));
        quotient(3 * (n * squares - x * x - y * y) + 2 * n * n, 12 * n)
    }
}

/// Returns `a / b`, correctly rounded, for `0 < b < 2^64`.
fn quotient(a: u128, b: u128) -> f64 {
    let shift = a.leading_zeros().min(127);
    let a = a << shift;
    // At least 64 bits of quotient. A nonzero remainder sets the last bit, so the conversion rounds
    // as if it saw all bits.
    let q = (a / b) | u128::from(!a.is_multiple_of(b));
    q as f64 * power_of_two(-(shift as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_round_to_nearest_even_and_see_the_last_remainder() {
        let (half, b, power) = ((1_u128 << 53) + 1, (1 << 63) - 1, power_of_two(53));
        assert_eq!(quotient(half * b, b), power);
        assert_eq!(quotient(half * b + 1, b), power + 2.0);
        assert_eq!(quotient(half * b - 1, b), power);
        assert_eq!((quotient(0, 7), quotient(1, 3)), (0.0, 1.0 / 3.0));
    }
}
