//! Tests and counts the common pixels of two masks at an offset, 64 pixels at a time.
//!
//! Input: two masks and an offset. Output: whether a pixel is common, the first one found, or their
//! number. A word of `b` is shifted to the columns of a stripe of `a`, and both words are combined
//! by AND. Each stripe of `b` lies on one or two stripes of `a`.
//!
//! A test after each word would be a branch per word. So eight rows are combined by OR before the
//! result is tested.
//!
//! The simple version tests pixel by pixel:
//!
//! ```text
//! for each pixel of a: if it is solid and the pixel of b at the same place is too: return true
//! ```
//!
//! Here one operation tests 64 pixels:
//!
//! ```text
//! for each stripe of a, for each of the one or two stripes of b on it
//!     shift = offset of the columns of b; one direction per stripe
//!     for each eight common rows: all = OR of (row of a AND shifted row of b); if all ≠ 0: a pixel is common
//! ```
//!
//! Pixels are closed squares, and two masks can touch without a common pixel. They touch if they
//! overlap at an offset that differs by at most one pixel.

use core::ops::{ControlFlow, Range};

use super::{Mask, WORD};

/// Number of rows that are combined before the result is tested for a common bit.
const ROWS_PER_TEST: usize = 8;

/// One stripe of `a` and the words of `b` on it. Their common pixels are [`words`](Self::words),
/// one word per row.
pub(super) struct RowOverlap<'m> {
    /// Index of the stripe of `a`.
    pub(super) stripe: usize,
    /// Rows of `a`.
    pub(super) rows: Range<u32>,
    a: &'m [u64],
    b: &'m [u64],
    shift: Shift,
}

/// The shift that moves a word of `b` to the columns of a stripe of `a`. One of both amounts is 0.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    left: u32,
    right: u32,
}

impl Shift {
    #[inline(always)]
    pub(super) fn apply(self, word: u64) -> u64 {
        word << self.left >> self.right
    }
}

impl RowOverlap<'_> {
    /// Returns the common pixels of each row.
    #[inline(always)]
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        let shift = self.shift;
        self.a.iter().zip(self.b).map(move |(&a, &b)| a & shift.apply(b))
    }

    /// Returns a common pixel, in `a`'s coordinates.
    #[inline(always)]
    fn find(&self) -> Option<[u32; 2]> {
        let common = |a: &[u64], b: &[u64]| a.iter().zip(b).fold(0, |all, (&a, &b)| all | a & self.shift.apply(b));
        let mut chunks = (self.rows.start..)
            .step_by(ROWS_PER_TEST)
            .zip(self.a.chunks(ROWS_PER_TEST).zip(self.b.chunks(ROWS_PER_TEST)));
        let (row, (a, b)) = chunks.find(|(_, (a, b))| common(a, b) != 0)?;
        let (row, word) =
            (row..).zip(a.iter().zip(b).map(|(a, b)| a & self.shift.apply(*b))).find(|&(_, word)| word != 0)?;
        Some([self.stripe as u32 * WORD + word.trailing_zeros(), row])
    }

    #[inline]
    fn count(&self) -> u64 {
        self.words().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// The rows and stripes of two masks that lie on each other.
pub(super) struct Window {
    /// Rows of `a`, and the rows of `b` on them.
    pub(super) rows: Range<usize>,
    pub(super) rows_of_b: Range<usize>,
    /// Stripe `k` of `b` begins in stripe `k + stripes` of `a`, at bit `bit`.
    stripes: isize,
    bit: u32,
}

impl Window {
    /// Returns the window of two masks; `None` if their rectangles share no pixel.
    #[inline]
    pub(super) fn new(a: &Mask, b: &Mask, [x, y]: [i64; 2]) -> Option<Self> {
        // Sides are at most 2^16. If the offset is that small too, no sum overflows.
        let is_outside = |offset: i64, a: u32, b: u32| offset >= i64::from(a) || offset <= -i64::from(b);
        if is_outside(x, a.width, b.width) || is_outside(y, a.height, b.height) {
            return None;
        }
        let low = y.max(0);
        let high = i64::from(a.height).min(y + i64::from(b.height));
        let word = i64::from(WORD);
        Some(Self {
            rows: low as usize..high as usize,
            rows_of_b: (low - y) as usize..(high - y) as usize,
            stripes: x.div_euclid(word) as isize,
            bit: x.rem_euclid(word) as u32,
        })
    }

    /// Calls `visit` for the pairs of stripes with common columns, as (stripe of a, stripe of b,
    /// shift), until it breaks.
    #[inline(always)]
    pub(super) fn stripes<T>(
        &self,
        a: usize,
        b: usize,
        mut visit: impl FnMut(usize, usize, Shift) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let mut visit_range = |first: isize, shift: Shift| {
            let low = first.max(0);
            let high = (a as isize).min(b as isize + first);
            (low..high).try_for_each(|k| visit(k as usize, (k - first) as usize, shift))
        };
        visit_range(self.stripes, Shift { left: self.bit, right: 0 })?;
        if self.bit > 0 {
            // The high columns of a stripe of b lie on the next stripe of a.
            visit_range(self.stripes + 1, Shift { left: 0, right: WORD - self.bit })?;
        }
        ControlFlow::Continue(())
    }
}

/// Calls `visit` for all pairs of overlapping stripes until it breaks. No pixel is visited twice.
#[inline(always)]
pub(super) fn row_overlaps<'m, T>(
    a: &'m Mask,
    b: &'m Mask,
    offset: [i64; 2],
    mut visit: impl FnMut(RowOverlap<'m>) -> ControlFlow<T>,
) -> ControlFlow<T> {
    let Some(window) = Window::new(a, b, offset) else { return ControlFlow::Continue(()) };
    window.stripes(a.stripes(), b.stripes(), |stripe, stripe_of_b, shift| {
        let (rows, rows_of_b) = (window.rows.clone(), window.rows_of_b.clone());
        visit(RowOverlap {
            stripe,
            rows: rows.start as u32..rows.end as u32,
            a: &a.stripe(stripe)[rows],
            b: &b.stripe(stripe_of_b)[rows_of_b],
            shift,
        })
    })
}

impl Mask {
    /// Returns true if the masks share a solid pixel, with `b` at `offset`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let l = Mask::from_rows(&["#.", "##"])?;
    /// assert!(l.overlaps_at(&l, [0, 1]));
    /// assert!(!l.overlaps_at(&l, [1, -1])); // touches only
    /// assert!(!l.overlaps_at(&l, [i64::MIN, i64::MAX]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn overlaps_at(&self, b: &Self, offset: [i64; 2]) -> bool {
        self.common_pixel(b, offset).is_some()
    }

    /// Returns a common pixel in this mask's coordinates, with `b` at `offset`.
    #[inline(always)]
    pub(super) fn common_pixel(&self, b: &Self, offset: [i64; 2]) -> Option<[u32; 2]> {
        row_overlaps(self, b, offset, |overlap| overlap.find().map_or(ControlFlow::Continue(()), ControlFlow::Break))
            .break_value()
    }

    /// Returns true if the masks share a point, with `b` at `offset`. Pixels are closed squares: a
    /// common edge or corner suffices.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let dot = Mask::from_rows(&["#"])?;
    /// assert!(dot.intersects_at(&dot, [1, 1])); // corner to corner
    /// assert!(!dot.intersects_at(&dot, [2, 0]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn intersects_at(&self, b: &Self, offset: [i64; 2]) -> bool {
        // Pixels that touch overlap at one of the nine offsets at most one pixel away.
        const NEARBY: [[i64; 2]; 9] = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
        let shifted = |[x, y]: [i64; 2]| [offset[0].saturating_add(x), offset[1].saturating_add(y)];
        NEARBY.into_iter().any(|step| self.overlaps_at(b, shifted(step)))
    }

    /// Returns the number of solid pixels that both masks share, with `b` at `offset`.
    ///
    /// ```
    /// use carom::Mask;
    ///
    /// let bar = Mask::from_rows(&["#####"])?;
    /// assert_eq!(bar.overlap_area(&bar, [2, 0]), 3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn overlap_area(&self, b: &Self, offset: [i64; 2]) -> u64 {
        let mut count = 0;
        let _: ControlFlow<()> = row_overlaps(self, b, offset, |overlap| {
            count += overlap.count();
            ControlFlow::Continue(())
        });
        count
    }
}
