//! Computes the overlap of two masks: area, bounds, and a translation that separates the masks.
//!
//! Input: two masks and an offset. Output: a [`MaskOverlap`], or `None` if no solid pixel is
//! common. One pass over the common words collects count, first and last pixel and bounds. The
//! translation is computed in `penetration.rs`, starting from a common pixel.

use core::ops::ControlFlow;

use glam::DVec2;

use super::overlap_test::{RowOverlap, row_overlaps};
use super::penetration::escape_vector;
use super::{Mask, PixelBox, WORD};

/// The common pixels of two masks `a` and `b`, and the minimum translation along the normal that
/// separates them.
///
/// ```
/// use carom::{DVec2, Mask};
/// use carom::mask::PixelBox;
///
/// let block = Mask::from_rows(&["####", "####", "####", "####"])?;
/// let overlap = block.overlap(&block, [3, 1]).unwrap();
/// assert_eq!(overlap.count, 3);
/// assert_eq!((overlap.first, overlap.last), ([3, 1], [3, 3]));
/// assert_eq!(overlap.bounds, PixelBox { min: [3, 1], max: [4, 4] });
/// // The common part is 1 wide and 3 high: moved by x it loses 3 pixels, moved by y one.
/// assert!((overlap.normal - DVec2::new(3.0, 1.0).normalize()).length() < 1e-15);
/// assert!((overlap.mtv() - DVec2::new(1.0, 1.0 / 3.0)).length() < 1e-15);
/// assert_eq!(overlap.mtv_pixels, [1, 1]);
/// assert_eq!(block.overlap(&block, [4, 0]), None);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskOverlap {
    /// Number of solid pixels that both masks share.
    pub count: u64,
    /// First common pixel, in `a`'s coordinates: in the lowest row, and there in the lowest column.
    pub first: [u32; 2],
    /// Last common pixel, in `a`'s coordinates: in the highest row, and there in the highest
    /// column.
    pub last: [u32; 2],
    /// Smallest box around the common pixels, in `a`'s coordinates.
    pub bounds: PixelBox,
    /// Unit direction from `a` to `b` in which moving `b` shrinks the common area fastest: the
    /// negative gradient of this area.
    ///
    /// The area is not differentiable at whole pixels; the slopes before and after are averaged. If
    /// the gradient is zero, as deep inside the other mask, the normal is one of +x, −x, +y and −y.
    /// It is the one with the least depth. Tie: the first one.
    pub normal: DVec2,
    /// Distance that `b` must move along [`normal`](Self::normal) until the pixels, as squares, no
    /// longer overlap. Above 0.
    ///
    /// At every smaller distance they overlap, except at single points where pixels just pass each
    /// other. Another direction may have a smaller depth.
    pub depth: f64,
    /// [`mtv`](Self::mtv) in whole pixels, each coordinate rounded away from 0. Adding it to the
    /// offset separates the masks too.
    pub mtv_pixels: [i64; 2],
}

impl MaskOverlap {
    /// Returns the translation that moves `b` out of `a` along the normal: `normal * depth`.
    #[must_use]
    pub fn mtv(&self) -> DVec2 {
        self.normal * self.depth
    }
}

impl Mask {
    /// Returns the overlap of the masks with `b` at `offset`; `None` if they share no solid pixel.
    ///
    /// See [`MaskOverlap`] for the fields and an example. Time: a few passes over the common words,
    /// plus one step per pixel of depth. Most steps visit two pixels, some visit all common words.
    #[must_use]
    pub fn overlap(&self, b: &Self, offset: [i64; 2]) -> Option<MaskOverlap> {
        let OverlapSummary { count, first, last, bounds } = summarize_overlap(self, b, offset)?;
        let escape = escape_vector(self, b, offset, first);
        let (normal, depth) = escape.direction_and_depth();
        Some(MaskOverlap { count, first, last, bounds, normal, depth, mtv_pixels: escape.mtv_pixels() })
    }
}

/// The result of one pass over the common words.
#[derive(Clone, Copy)]
struct OverlapSummary {
    count: u64,
    first: [u32; 2],
    last: [u32; 2],
    bounds: PixelBox,
}

fn summarize_overlap(a: &Mask, b: &Mask, offset: [i64; 2]) -> Option<OverlapSummary> {
    let mut all: Option<OverlapSummary> = None;
    let _: ControlFlow<()> = row_overlaps(a, b, offset, |overlap| {
        let found = OverlapSummary::of(&overlap);
        all = all.map_or(found, |all| Some(found.map_or(all, |found| all.with(&found))));
        ControlFlow::Continue(())
    });
    all
}

impl OverlapSummary {
    fn of(overlap: &RowOverlap<'_>) -> Option<Self> {
        let (mut columns, mut count) = (0, 0);
        for word in overlap.words() {
            columns |= word;
            count += u64::from(word.count_ones());
        }
        let left = overlap.stripe as u32 * WORD;
        let mut solid = overlap.rows.clone().zip(overlap.words()).filter(|&(_, word)| word != 0);
        let first = solid.next()?;
        let last = solid.next_back().unwrap_or(first);
        Some(Self {
            count,
            first: [left + first.1.trailing_zeros(), first.0],
            last: [left + WORD - 1 - last.1.leading_zeros(), last.0],
            bounds: PixelBox {
                min: [left + columns.trailing_zeros(), first.0],
                max: [left + WORD - columns.leading_zeros(), last.0 + 1],
            },
        })
    }

    fn with(&self, other: &Self) -> Self {
        let (p, q) = (&self.bounds, &other.bounds);
        let order = |[x, y]: [u32; 2]| [y, x];
        Self {
            count: self.count + other.count,
            first: if order(self.first) < order(other.first) { self.first } else { other.first },
            last: if order(self.last) > order(other.last) { self.last } else { other.last },
            bounds: PixelBox {
                min: [p.min[0].min(q.min[0]), p.min[1].min(q.min[1])],
                max: [p.max[0].max(q.max[0]), p.max[1].max(q.max[1])],
            },
        }
    }
}
