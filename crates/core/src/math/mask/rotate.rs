//! Mirrors, transposes and rotates masks by quarter turns, in blocks of 64 × 64 pixels.
//!
//! Input: a mask. Output: a new mask. A horizontal mirror reverses the bits of each word. A
//! transposition exchanges ever smaller quadrants of a block (Warren, *Hacker's Delight*, 7-3). A
//! rotation is a transposition and a mirror.
//!
//! A loop over pixels would take 4096 steps per block; the exchange of quadrants takes 6 · 32.

use super::{Mask, WORD};

impl Mask {
    /// Returns the mask mirrored left to right: column `x` becomes `width - 1 - x`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// assert_eq!(Mask::from_rows(&["##.", "#.."])?.flipped_horizontally(), Mask::from_rows(&[".##", "..#"])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn flipped_horizontally(&self) -> Self {
        let mut flipped = Self::empty(self.width, self.height);
        let stripes = self.stripes();
        // Reversed words have their padding in front. All bits move down by it, some of them into
        // the previous stripe.
        let padding = stripes as u32 * WORD - self.width;
        for (k, words) in flipped.words.chunks_exact_mut(self.height as usize).enumerate() {
            for (word, low) in words.iter_mut().zip(self.stripe(stripes - 1 - k)) {
                *word = low.reverse_bits() >> padding;
            }
            if padding > 0 && k + 1 < stripes {
                for (word, high) in words.iter_mut().zip(self.stripe(stripes - 2 - k)) {
                    *word |= high.reverse_bits() << (WORD - padding);
                }
            }
        }
        flipped
    }

    /// Returns the mask mirrored top to bottom: row `y` becomes `height - 1 - y`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// assert_eq!(Mask::from_rows(&["##.", "#.."])?.flipped_vertically(), Mask::from_rows(&["#..", "##."])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn flipped_vertically(&self) -> Self {
        let mut flipped = self.clone();
        for stripe in flipped.words.chunks_exact_mut(self.height as usize) {
            stripe.reverse();
        }
        flipped
    }

    /// Returns the mask with columns and rows exchanged: pixel `(x, y)` becomes `(y, x)`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// assert_eq!(Mask::from_rows(&["##.", "#.."])?.transposed(), Mask::from_rows(&["##", "#.", ".."])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut transposed = Self::empty(self.height, self.width);
        let (new_height, side) = (self.width as usize, WORD as usize);
        for k in 0..self.stripes() {
            for (j, rows) in self.stripe(k).chunks(side).enumerate() {
                let mut block = [0; WORD as usize];
                block[..rows.len()].copy_from_slice(rows);
                transpose_block(&mut block);
                let kept = side.min(new_height - k * side);
                let start = j * new_height + k * side;
                transposed.words[start..start + kept].copy_from_slice(&block[..kept]);
            }
        }
        transposed
    }

    /// Returns the mask rotated by a number of quarter turns, +x toward +y, with its lowest pixel
    /// at `(0, 0)`.
    ///
    /// After one quarter turn pixel `(x, y)` is `(height - 1 - y, x)`. Negative numbers rotate
    /// back.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let l = Mask::from_rows(&["##.", "#.."])?;
    /// assert_eq!(l.rotated_90(1), Mask::from_rows(&["##", ".#", ".."])?);
    /// assert_eq!(l.rotated_90(-1), l.rotated_90(3));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn rotated_90(&self, quarters: i32) -> Self {
        match quarters.rem_euclid(4) {
            0 => self.clone(),
            1 => self.transposed().flipped_horizontally(),
            2 => self.flipped_horizontally().flipped_vertically(),
            _ => self.transposed().flipped_vertically(),
        }
    }
}

/// Transposes a block: bit `i` of word `j` becomes bit `j` of word `i`.
///
/// Exchanges ever smaller quadrants (Warren, *Hacker's Delight*, 7-3).
pub(super) fn transpose_block(block: &mut [u64; WORD as usize]) {
    let mut size = WORD as usize / 2;
    let mut low = u64::MAX >> size;
    while size > 0 {
        for i in (0..block.len()).filter(|i| i & size == 0) {
            let exchanged = (block[i] >> size ^ block[i + size]) & low;
            block[i] ^= exchanged << size;
            block[i + size] ^= exchanged;
        }
        size /= 2;
        low ^= low << size;
    }
}
