//! Groups the pairs of a block by the kinds of their shapes, so that each SIMD kernel runs on one
//! class.
//!
//! Input: up to [`BLOCK`] pairs. Output: the pairs sorted by class, in stable order (counting sort:
//! D. E. Knuth, *The Art of Computer Programming*, volume 3, 5.2). Also contains the set of pairs
//! that need the scalar fallback.
//!
//! A sort of all pairs would read shapes and poses in random order. A block stays in the L1 cache.
//! If all pairs of a block are of one class, nothing is sorted.
//!
//! ```text
//! look up the kinds of both shapes of each pair; class = 4 · first kind + second kind
//! if there is one class: keep the order
//! else: count the pairs of each class; starts = prefix sums; write each pair to the next index of its class
//! run the kernel on each class, 64 pairs at a time
//! ```
//!
//! The order of the two kinds matters: a pair (circle, rectangle) and its reverse are two classes.
//! So normals and ids need no swap per lane.

use core::ops::Range;

use super::prefetch::{BLOCK, NextPairs};
use super::shape_kind::ShapeId;

/// Number of classes: class 4 · p + q has pairs of kinds p and q.
pub(super) const CLASSES: usize = 16;

/// The rows of a block in ascending order.
const IN_ORDER: [u32; BLOCK] = {
    let (mut rows, mut i) = ([0; BLOCK], 0);
    while i < BLOCK {
        rows[i] = i as u32;
        i += 1;
    }
    rows
};

/// The pairs of a block, sorted by class.
pub(super) struct KindBuckets {
    /// The row of each pair in the block; the pairs and their shapes in the same order.
    rows: [u32; BLOCK],
    /// The indices of both placed shapes.
    pairs: [[u32; 2]; BLOCK],
    /// The ids of both shapes.
    shapes: [[ShapeId; 2]; BLOCK],
    /// The start index of each class, and the end of the last one.
    pub(super) starts: [usize; CLASSES + 1],
}

/// A range of pairs of one class.
#[derive(Clone, Copy)]
pub(super) struct Bucket<'a> {
    /// Their rows in the block, ascending.
    pub(super) rows: &'a [u32],
    /// The indices of both placed shapes.
    pub(super) pairs: &'a [[u32; 2]],
    /// The ids of both shapes.
    pub(super) shapes: &'a [[ShapeId; 2]],
    /// As many pairs of the next block, of any class, to prefetch.
    pub(super) ahead: NextPairs<'a>,
}

impl KindBuckets {
    /// No pairs.
    pub(super) const EMPTY: Self = Self {
        rows: [0; BLOCK],
        pairs: [[0; 2]; BLOCK],
        shapes: [[ShapeId::OTHER; 2]; BLOCK],
        starts: [0; CLASSES + 1],
    };

    /// Groups the pairs of a block. Returns the first index without a placed shape as an error.
    pub(super) fn sort(&mut self, ids: &[ShapeId], pairs: &[[u32; 2]]) -> Result<(), u32> {
        let pairs = &pairs[..pairs.len().min(BLOCK)];
        let Some(&[a, b]) = pairs.first() else {
            self.starts = [0; CLASSES + 1];
            return Ok(());
        };
        let first = [*ids.get(a as usize).ok_or(a)?, *ids.get(b as usize).ok_or(b)?];
        // Look up the shapes, and detect whether all pairs are of one class.
        let mut other_kind = false;
        for (shapes, &[a, b]) in self.shapes.iter_mut().zip(pairs) {
            let (Some(&p), Some(&q)) = (ids.get(a as usize), ids.get(b as usize)) else {
                return Err(if a as usize >= ids.len() { a } else { b });
            };
            *shapes = [p, q];
            other_kind |= !p.is_same_kind(first[0]) | !q.is_same_kind(first[1]);
        }
        if other_kind {
            self.sort_by_class(pairs);
            return Ok(());
        }
        // Common case: all pairs are of one class, and no sort is needed.
        let only = 4 * first[0].kind() + first[1].kind();
        self.rows = IN_ORDER;
        self.pairs[..pairs.len()].copy_from_slice(pairs);
        self.starts = core::array::from_fn(|class| if class > only { pairs.len() } else { 0 });
        Ok(())
    }

    /// Counting sort by class, stable.
    fn sort_by_class(&mut self, pairs: &[[u32; 2]]) {
        let shapes = self.shapes;
        let (mut classes, mut counts) = ([0; BLOCK], [0; CLASSES + 1]);
        for (class, [p, q]) in classes.iter_mut().zip(&shapes[..pairs.len()]) {
            *class = (4 * p.kind() + q.kind()) as u8;
            counts[usize::from(*class)] += 1;
        }
        let mut start = 0;
        for (here, count) in self.starts.iter_mut().zip(counts) {
            *here = start;
            start += count;
        }
        // Write each pair to the next free index of its class.
        let mut next = self.starts;
        for (row, (class, &pair)) in classes.iter().zip(pairs).enumerate() {
            let index = &mut next[usize::from(*class)];
            self.rows[*index % BLOCK] = row as u32;
            self.pairs[*index % BLOCK] = pair;
            self.shapes[*index % BLOCK] = shapes[row];
            *index += 1;
        }
    }

    /// Returns true if all pairs are of one class, so their order is unchanged.
    pub(super) fn are_in_order(&self) -> bool {
        self.starts.windows(2).filter(|ends| ends[0] < ends[1]).count() <= 1
    }

    /// Returns a range of the pairs.
    #[inline(always)]
    pub(super) fn bucket<'a>(&'a self, range: Range<usize>, ahead: NextPairs<'a>) -> Bucket<'a> {
        let ahead = ahead.from(range.start);
        Bucket {
            rows: &self.rows[range.clone()],
            pairs: &self.pairs[range.clone()],
            shapes: &self.shapes[range],
            ahead,
        }
    }
}

impl Bucket<'_> {
    /// Returns the indices of both shapes of a pair among the shapes of their kinds.
    #[inline(always)]
    pub(super) fn indices(&self, i: usize) -> [usize; 2] {
        [self.shapes[i][0].index() as usize, self.shapes[i][1].index() as usize]
    }
}

/// The pairs of a block that need the scalar fallback: the filter was inconclusive, or there is no
/// kernel for their class.
#[derive(Clone, Copy, Default)]
pub(super) struct FallbackSet([u64; BLOCK / 64]);

impl FallbackSet {
    /// Inserts a row.
    #[inline(always)]
    pub(super) fn insert(&mut self, row: u32) {
        self.0[(row / 64) as usize % (BLOCK / 64)] |= 1 << (row % 64);
    }

    /// Inserts the rows set in `bits`.
    #[inline(always)]
    pub(super) fn insert_some(&mut self, rows: &[u32], bits: u64) {
        if bits != 0 {
            self.insert_bits(rows, bits);
        }
    }

    /// Inserts the rows set in `bits`. Cold, because fallbacks are rare.
    #[cold]
    #[inline(never)]
    fn insert_bits(&mut self, rows: &[u32], bits: u64) {
        rows.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0).for_each(|(_, &row)| self.insert(row));
    }

    /// Returns true if the row is in the set.
    #[inline(always)]
    pub(super) fn contains(&self, row: usize) -> bool {
        self.0[row / 64 % (BLOCK / 64)] >> (row % 64) & 1 != 0
    }

    /// Returns true if the set is empty.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; BLOCK / 64]
    }

    /// Returns all rows, ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> + use<> {
        let set = *self;
        (0..BLOCK as u32).filter(move |&row| set.contains(row as usize))
    }
}
