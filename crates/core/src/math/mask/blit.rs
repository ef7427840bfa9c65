//! Draws and erases one mask in another, 64 pixels at a time: terrain that grows or is destroyed.
//!
//! Input: a mask, another mask and its offset in pixels. Output: the changed mask, or the common
//! pixels as a mask. Each word of the second mask is shifted to the columns of the first one, and
//! both are combined by one logical operation. A loop over pixels would take 64 times as many
//! steps.

use core::ops::ControlFlow;

use super::Mask;
use super::overlap_test::Window;

impl Mask {
    /// Makes every pixel solid that is solid in `b` at `offset`. Pixels of `b` outside this mask
    /// are ignored.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let mut ground = Mask::from_rows(&["....", "####"])?;
    /// ground.draw(&Mask::from_rows(&["##"])?, [1, 0]);
    /// assert_eq!(ground, Mask::from_rows(&[".##.", "####"])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn draw(&mut self, b: &Self, offset: [i64; 2]) {
        self.stamp(b, offset, |a, b| a | b);
    }

    /// Makes every pixel empty that is solid in `b` at `offset`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let mut ground = Mask::from_rows(&["####", "####"])?;
    /// let crater = Mask::from_rows(&["###", ".#."])?;
    /// ground.erase(&crater, [-1, 0]);
    /// assert_eq!(ground, Mask::from_rows(&["..##", ".###"])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn erase(&mut self, b: &Self, offset: [i64; 2]) {
        self.stamp(b, offset, |a, b| a & !b);
    }

    /// Returns the solid pixels that both masks share, as a mask of this mask's size.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let bar = Mask::from_rows(&["####"])?;
    /// assert_eq!(bar.overlap_mask(&bar, [2, 0]), Mask::from_rows(&["..##"])?);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn overlap_mask(&self, b: &Self, offset: [i64; 2]) -> Self {
        // The common pixels are those that erasing b removes.
        let mut rest = self.clone();
        rest.erase(b, offset);
        for (rest, word) in rest.words.iter_mut().zip(&self.words) {
            *rest ^= word;
        }
        rest
    }

    /// Combines the words of both masks by `change`, in the window where they lie on each other.
    fn stamp(&mut self, b: &Self, offset: [i64; 2], change: impl Fn(u64, u64) -> u64) {
        let Some(window) = Window::new(self, b, offset) else { return };
        let height = self.height as usize;
        // Columns beyond the width must stay empty.
        let last = self.stripes() - 1;
        let valid_bits_of_last = u64::MAX >> ((last as u32 + 1) * super::WORD - self.width);
        let _: ControlFlow<()> = window.stripes(last + 1, b.stripes(), |stripe, stripe_of_b, shift| {
            let valid_bits = if stripe == last { valid_bits_of_last } else { u64::MAX };
            let rows = &mut self.words[stripe * height..][window.rows.clone()];
            for (a, &b) in rows.iter_mut().zip(&b.stripe(stripe_of_b)[window.rows_of_b.clone()]) {
                *a = change(*a, shift.apply(b) & valid_bits);
            }
            ControlFlow::Continue(())
        });
    }
}
