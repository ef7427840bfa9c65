//! Two masks at an offset, word by word: do they overlap, do they touch, in how many pixels?

use core::ops::{ControlFlow, Range};

use super::{Mask, WORD};

/// Rows that are looked at together before asking whether any bit was common.
const CHUNK: usize = 8;

/// One stripe of `a` and the words of `b` that lie on it: their common pixels are `word(a, b)`, row by row.
pub(super) struct RowOverlap<'m> {
    /// Which stripe of `a`.
    pub(super) stripe: usize,
    /// Which rows of `a`.
    pub(super) rows: Range<u32>,
    a: &'m [u64],
    b: &'m [u64],
    shift: Shift,
}

/// What brings a word of `b` to the columns of a stripe of `a`; one of the two is 0.
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
    /// The common pixels of each row.
    #[inline(always)]
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        let shift = self.shift;
        self.a.iter().zip(self.b).map(move |(&a, &b)| a & shift.apply(b))
    }

    /// A common pixel, in `a`.
    #[inline(always)]
    fn find(&self) -> Option<[u32; 2]> {
        let common = |a: &[u64], b: &[u64]| a.iter().zip(b).fold(0, |all, (&a, &b)| all | a & self.shift.apply(b));
        let mut chunks = (self.rows.start..).step_by(CHUNK).zip(self.a.chunks(CHUNK).zip(self.b.chunks(CHUNK)));
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

/// Which rows and stripes of two masks lie on each other.
pub(super) struct Window {
    /// Rows of `a`, and those of `b` on them.
    pub(super) rows: Range<usize>,
    pub(super) rows_of_b: Range<usize>,
    /// Stripe `k` of `b` begins in stripe `k + stripes` of `a`, at this bit.
    stripes: isize,
    bit: u32,
}

impl Window {
    /// `None` where the pictures lie beside each other.
    #[inline]
    pub(super) fn new(a: &Mask, b: &Mask, [x, y]: [i64; 2]) -> Option<Self> {
        // Sides are at most 2^16; once the offset is known to be that small, no sum overflows.
        let beside = |offset: i64, a: u32, b: u32| offset >= i64::from(a) || offset <= -i64::from(b);
        if beside(x, a.width, b.width) || beside(y, a.height, b.height) {
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

    /// Shows the pairs of stripes with common columns, each as (stripe of a, stripe of b, shift), until one breaks.
    #[inline(always)]
    pub(super) fn stripes<T>(
        &self,
        a: usize,
        b: usize,
        mut see: impl FnMut(usize, usize, Shift) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let mut part = |first: isize, shift: Shift| {
            let low = first.max(0);
            let high = (a as isize).min(b as isize + first);
            (low..high).try_for_each(|k| see(k as usize, (k - first) as usize, shift))
        };
        part(self.stripes, Shift { left: self.bit, right: 0 })?;
        if self.bit > 0 {
            // The high columns of a stripe of b reach into the next one of a.
            part(self.stripes + 1, Shift { left: 0, right: WORD - self.bit })?;
        }
        ControlFlow::Continue(())
    }
}

/// Shows all meetings of two masks until one breaks; no two of them speak of the same pixel.
#[inline(always)]
pub(super) fn row_overlaps<'m, T>(
    a: &'m Mask,
    b: &'m Mask,
    offset: [i64; 2],
    mut see: impl FnMut(RowOverlap<'m>) -> ControlFlow<T>,
) -> ControlFlow<T> {
    let Some(window) = Window::new(a, b, offset) else { return ControlFlow::Continue(()) };
    window.stripes(a.stripes(), b.stripes(), |stripe, of_b, shift| {
        let (rows, rows_of_b) = (window.rows.clone(), window.rows_of_b.clone());
        see(RowOverlap {
            stripe,
            rows: rows.start as u32..rows.end as u32,
            a: &a.stripe(stripe)[rows],
            b: &b.stripe(of_b)[rows_of_b],
            shift,
        })
    })
}

impl Mask {
    /// Do the masks have a solid pixel in common, `b` lying at `offset`?
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

    /// A common pixel, in this mask, `b` lying at `offset`.
    #[inline(always)]
    pub(super) fn common_pixel(&self, b: &Self, offset: [i64; 2]) -> Option<[u32; 2]> {
        row_overlaps(self, b, offset, |meeting| meeting.find().map_or(ControlFlow::Continue(()), ControlFlow::Break))
            .break_value()
    }

    /// Do the masks share a point, `b` lying at `offset`? Pixels are closed squares: a common edge or a common corner is enough.
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
        // Pixels that touch overlap at one of the nine offsets a pixel or less away.
        const NEARBY: [[i64; 2]; 9] = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
        let near = |[x, y]: [i64; 2]| [offset[0].saturating_add(x), offset[1].saturating_add(y)];
        NEARBY.into_iter().any(|step| self.overlaps_at(b, near(step)))
    }

    /// How many solid pixels the masks have in common, `b` lying at `offset`.
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
        let _: ControlFlow<()> = row_overlaps(self, b, offset, |meeting| {
            count += meeting.count();
            ControlFlow::Continue(())
        });
        count
    }
}
