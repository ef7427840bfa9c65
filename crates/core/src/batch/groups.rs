//! Pairs grouped by the kinds of their shapes, and asked about group by group.

use super::columns::ROWS;
use super::kind::{Kind, ShapeId};
use super::view::View;
use crate::math::lanes::{Kernel, Simd};

/// Pairs that are grouped at a time: what belongs to them stays in the nearest cache.
pub(super) const BLOCK: usize = 256;

/// Two kinds, in order.
const fn class(a: Kind, b: Kind) -> usize {
    4 * a as usize + b as usize
}

pub(super) const CIRCLES: usize = class(Kind::Circle, Kind::Circle);
pub(super) const CIRCLE_RECTANGLE: usize = class(Kind::Circle, Kind::Rectangle);
pub(super) const RECTANGLE_CIRCLE: usize = class(Kind::Rectangle, Kind::Circle);
pub(super) const RECTANGLES: usize = class(Kind::Rectangle, Kind::Rectangle);
pub(super) const CIRCLE_POLYGON: usize = class(Kind::Circle, Kind::Polygon);
pub(super) const POLYGON_CIRCLE: usize = class(Kind::Polygon, Kind::Circle);
pub(super) const POLYGONS: usize = class(Kind::Polygon, Kind::Polygon);
pub(super) const RECTANGLE_POLYGON: usize = class(Kind::Rectangle, Kind::Polygon);
pub(super) const POLYGON_RECTANGLE: usize = class(Kind::Polygon, Kind::Rectangle);

/// Classes there are.
const CLASSES: usize = 16;

/// The class of pairs with a number that is of no placed shape.
const NOTHING: u8 = CLASSES as u8;

/// The rows of a block as they come.
const IN_ORDER: [u16; BLOCK] = {
    let (mut rows, mut i) = ([0; BLOCK], 0);
    while i < BLOCK {
        rows[i] = i as u16;
        i += 1;
    }
    rows
};

/// The pairs of a block by class: a counting sort.
pub(super) struct Groups {
    rows: [u16; BLOCK],
    /// Where both shapes of each row are in the pool.
    indices: [[u32; 2]; BLOCK],
    /// Where each class begins in `rows`, and where the last one ends.
    starts: [usize; CLASSES + 1],
}

impl Groups {
    pub(super) const EMPTY: Self = Self { rows: [0; BLOCK], indices: [[0; 2]; BLOCK], starts: [0; CLASSES + 1] };

    /// Groups the pairs of a block; or else the first number that is of no placed shape.
    pub(super) fn sort(&mut self, ids: &[ShapeId], pairs: &[[u32; 2]]) -> Result<(), u32> {
        let pairs = &pairs[..pairs.len().min(BLOCK)];
        let classes = &mut [0; BLOCK][..pairs.len()];
        let (mut least, mut most) = (NOTHING, 0);
        for ((class, indices), &[a, b]) in classes.iter_mut().zip(&mut self.indices).zip(pairs) {
            *class = NOTHING;
            if let (Some(p), Some(q)) = (ids.get(a as usize), ids.get(b as usize)) {
                *class = (4 * p.kind() + q.kind()) as u8;
                *indices = [p.index(), q.index()];
            }
            (least, most) = (least.min(*class), most.max(*class));
        }
        if most == NOTHING {
            return Err(pairs.iter().flatten().copied().find(|&i| i as usize >= ids.len()).unwrap_or(0));
        }
        if least == most {
            // All of one class, as they often are: there is nothing to sort.
            self.rows = IN_ORDER;
            self.starts = core::array::from_fn(|class| if class > usize::from(most) { pairs.len() } else { 0 });
            return Ok(());
        }
        let mut counts = [0; CLASSES + 1];
        for &class in classes.iter() {
            counts[usize::from(class)] += 1;
        }
        let mut start = 0;
        for (here, count) in self.starts.iter_mut().zip(counts) {
            *here = start;
            start += count;
        }
        let mut next = self.starts;
        for (row, class) in classes.iter().enumerate() {
            let place = &mut next[usize::from(*class)];
            self.rows[*place % BLOCK] = row as u16;
            *place += 1;
        }
        Ok(())
    }

    /// Are all pairs of one class, so that they stand as they came?
    pub(super) fn are_in_order(&self) -> bool {
        self.starts.windows(2).filter(|ends| ends[0] < ends[1]).count() <= 1
    }

    /// Where both shapes of a row are in the pool.
    #[inline(always)]
    pub(super) fn indices(&self, row: u16) -> [usize; 2] {
        self.indices[usize::from(row) % BLOCK].map(|i| i as usize)
    }

    /// The numbers, in the block and ascending, of the pairs of a class.
    #[inline(always)]
    pub(super) fn rows(&self, class: usize) -> &[u16] {
        &self.rows[self.starts[class]..self.starts[class + 1]]
    }
}

/// Pairs that were grouped together.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) view: View<'a>,
    pub(super) groups: &'a Groups,
    pub(super) pairs: &'a [[u32; 2]],
}

impl Block<'_> {
    /// The pair of a row, and where its shapes are among their kinds.
    #[inline(always)]
    pub(super) fn pair(&self, row: u16) -> ([u32; 2], [usize; 2]) {
        (self.pairs[usize::from(row)], self.groups.indices(row))
    }
}

/// Something to be asked of the pairs of a block.
pub(super) trait Question {
    /// Looks at some pairs of a class, [`ROWS`] at the most.
    fn answer<S: Simd>(&mut self, simd: S, class: usize, rows: &[u16]);
}

/// A question, asked of one class after the other.
pub(super) struct ByClass<'a, Q> {
    pub(super) groups: &'a Groups,
    pub(super) question: Q,
}

impl<Q: Question> Kernel for ByClass<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for class in 0..CLASSES {
            for rows in self.groups.rows(class).chunks(ROWS) {
                self.question.answer(simd, class, rows);
            }
        }
    }
}

/// Pairs of a block that are to be asked about by themselves: what kernels leave in doubt or have no place for.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked([u64; BLOCK / 64]);

impl Asked {
    #[inline(always)]
    pub(super) fn insert(&mut self, row: u16) {
        self.0[usize::from(row / 64) % (BLOCK / 64)] |= 1 << (row % 64);
    }

    /// Those of some rows that have a bit.
    #[inline(always)]
    pub(super) fn insert_some(&mut self, rows: &[u16], bits: u64) {
        if bits != 0 {
            rows.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0).for_each(|(_, &row)| self.insert(row));
        }
    }

    #[inline(always)]
    pub(super) fn contains(&self, row: usize) -> bool {
        self.0[row / 64 % (BLOCK / 64)] >> (row % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; BLOCK / 64]
    }

    /// All rows, ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = u16> + use<> {
        let asked = *self;
        (0..BLOCK as u16).filter(move |&row| asked.contains(usize::from(row)))
    }
}
