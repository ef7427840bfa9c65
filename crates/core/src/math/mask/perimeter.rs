//! Where solid meets empty, counted 64 pixels at a time and not walked along.

use super::Mask;

impl Mask {
    /// How many points the outlines have that [`trace`](crate::decompose::trace) returns: known before they are traced, by counting bits.
    ///
    /// ```
    /// use carom::{Mask, decompose::{Connectivity, trace_pixels}};
    ///
    /// let steps = Mask::from_rows(&["#..", "##.", "###"])?;
    /// assert_eq!(steps.contour_point_count(), 8);
    /// assert_eq!(trace_pixels(&steps, Connectivity::Four)[0].outer.len(), 8);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn contour_point_count(&self) -> u64 {
        // A ring turns where one or three of four pixels around a point are solid; where two across from each other are, two rings do, or one does twice.
        self.count_around(|[a, b, c, d]| {
            let (odd, across) = (a ^ b ^ c ^ d, (a ^ b) & (c ^ d) & (a ^ c));
            odd.count_ones() + 2 * across.count_ones()
        })
    }

    /// How many edges of pixels lie between solid and empty: the length of all outlines, and the number of points of
    /// [`contours`](crate::decompose::contours).
    ///
    /// ```
    /// let frame = carom::Mask::from_rows(&["####", "#..#", "####"])?;
    /// assert_eq!(frame.perimeter(), 14 + 6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        // The edges above and to the left of a point.
        self.count_around(|[a, b, c, _]| (a ^ b).count_ones() + (a ^ c).count_ones())
    }

    /// Adds up what is counted in the pixels around 64 points at a time: those lower left, lower right, upper left and upper right of each.
    fn count_around(&self, count: impl Fn([u64; 4]) -> u32) -> u64 {
        let mut sum = 0;
        // There is one more column of points than of pixels, and one more row.
        for k in 0..=self.stripes() {
            let word = |k: usize, row: usize| if k < self.stripes() { self.stripe(k)[row] } else { 0 };
            let beside = |row: usize| word(k, row) << 1 | if k > 0 { word(k - 1, row) >> 63 } else { 0 };
            let mut below = [0, 0];
            for row in 0..self.height as usize {
                let own = [beside(row), word(k, row)];
                sum += u64::from(count([below[0], below[1], own[0], own[1]]));
                below = own;
            }
            sum += u64::from(count([below[0], below[1], 0, 0]));
        }
        sum
    }
}
