//! Two masks that overlap: in how many pixels, where, which way out and how far.

use core::ops::ControlFlow;

use glam::DVec2;

use super::overlap_test::{RowOverlap, row_overlaps};
use super::penetration::escape_vector;
use super::{Mask, PixelBox, WORD};

/// The common pixels of two masks `a` and `b`, and the way out.
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
    /// How many solid pixels they have in common.
    pub count: u64,
    /// The first of them in `a`'s pixels: in the lowest row, and there in the lowest column.
    pub first: [u32; 2],
    /// The last of them: in the highest row, and there in the highest column.
    pub last: [u32; 2],
    /// The smallest box around them, in `a`'s pixels.
    pub bounds: PixelBox,
    /// The unit direction, from `a` to `b`, in which moving `b` makes the common area shrink fastest: the gradient of that area as `b`
    /// moves, downward. (At whole pixels the area has a bend, and the slopes before and after it are averaged.) Where the gradient is zero,
    /// as when one lies deep in the other: the one of +x, −x, +y and −y with the least depth, the first of equals.
    pub normal: DVec2,
    /// How far `b` must move along [`normal`](Self::normal) until pixels as squares overlap no more. Any shorter way leaves some overlap,
    /// save for an instant where pixels just pass each other; this one ends it. Above 0. Another direction may be shorter.
    pub depth: f64,
    /// [`mtv`](Self::mtv) in whole pixels, each coordinate rounded away from 0: added to the offset, it ends the overlap too.
    pub mtv_pixels: [i64; 2],
}

impl MaskOverlap {
    /// The way of `b` out of `a` along the normal: `normal * depth`.
    #[must_use]
    pub fn mtv(&self) -> DVec2 {
        self.normal * self.depth
    }
}

impl Mask {
    /// The common pixels of the masks, `b` lying at `offset`, and the way out; `None` where they have none.
    ///
    /// See [`MaskOverlap`] for what its fields mean, and an example. The time is that of a few passes over the words that lie on each
    /// other, and of one step for each pixel of the way out, most of which look at two pixels and some at all words.
    #[must_use]
    pub fn overlap(&self, b: &Self, offset: [i64; 2]) -> Option<MaskOverlap> {
        let Common { count, first, last, bounds } = common(self, b, offset)?;
        let way = escape_vector(self, b, offset, first);
        let (normal, depth) = way.measure();
        Some(MaskOverlap { count, first, last, bounds, normal, depth, mtv_pixels: way.step() })
    }
}

/// What one pass over the common words tells.
#[derive(Clone, Copy)]
struct Common {
    count: u64,
    first: [u32; 2],
    last: [u32; 2],
    bounds: PixelBox,
}

fn common(a: &Mask, b: &Mask, offset: [i64; 2]) -> Option<Common> {
    let mut all: Option<Common> = None;
    let _: ControlFlow<()> = row_overlaps(a, b, offset, |meeting| {
        let part = Common::of(&meeting);
        all = all.map_or(part, |all| Some(part.map_or(all, |part| all.with(&part))));
        ControlFlow::Continue(())
    });
    all
}

impl Common {
    fn of(meeting: &RowOverlap<'_>) -> Option<Self> {
        let (mut columns, mut count) = (0, 0);
        for word in meeting.words() {
            columns |= word;
            count += u64::from(word.count_ones());
        }
        let left = meeting.stripe as u32 * WORD;
        let mut solid = meeting.rows.clone().zip(meeting.words()).filter(|&(_, word)| word != 0);
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
