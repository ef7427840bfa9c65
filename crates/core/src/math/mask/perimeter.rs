//! Counts boundary edges and contour points of a mask, 64 pixels at a time and without tracing.
//!
//! Input: a mask. Output: the number of pixel edges between solid and empty, or the number of
//! points of the traced outlines. The four pixels around each point decide. Four shifted words
//! contain them for 64 points, so each count is a few logical operations and a population count.
//!
//! Tracing would take a step per boundary edge and allocate the outlines.

use super::Mask;

impl Mask {
    /// Returns the number of points of the outlines that [`trace_pixels`](crate::decompose::trace_pixels)
    /// returns, by counting bits.
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
        // A contour turns at a point if one or three of the four pixels around it are solid. If two
        // diagonal pixels are solid, two contours turn there, or one contour turns twice.
        self.sum_over_points(|[a, b, c, d]| {
            let (odd, across) = (a ^ b ^ c ^ d, (a ^ b) & (c ^ d) & (a ^ c));
            odd.count_ones() + 2 * across.count_ones()
        })
    }

    /// Returns the number of pixel edges between solid and empty: the length of all outlines.
    ///
    /// [`marching_squares`](crate::decompose::marching_squares) returns the same number of points.
    ///
    /// ```
    /// let frame = carom::Mask::from_rows(&["####", "#..#", "####"])?;
    /// assert_eq!(frame.perimeter(), 14 + 6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        // The edges above and to the left of a point.
        self.sum_over_points(|[a, b, c, _]| (a ^ b).count_ones() + (a ^ c).count_ones())
    }

    /// Sums `count` over all points, 64 at a time. Its argument: the pixels lower left, lower
    /// right, upper left and upper right of each point.
    fn sum_over_points(&self, count: impl Fn([u64; 4]) -> u32) -> u64 {
        let mut sum = 0;
        // There is one more column of points than of pixels, and one more row.
        for k in 0..=self.stripes() {
            let word = |k: usize, row: usize| if k < self.stripes() { self.stripe(k)[row] } else { 0 };
            let left = |row: usize| word(k, row) << 1 | if k > 0 { word(k - 1, row) >> 63 } else { 0 };
            let mut below = [0, 0];
            for row in 0..self.height as usize {
                let current = [left(row), word(k, row)];
                sum += u64::from(count([below[0], below[1], current[0], current[1]]));
                below = current;
            }
            sum += u64::from(count([below[0], below[1], 0, 0]));
        }
        sum
    }
}
