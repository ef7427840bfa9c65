//! Prefetches the poses of the next block of pairs while the current block is computed.
//!
//! Input: the pairs of the next block. Output: none; only the time changes. Issues a few prefetches
//! per SIMD step, because a CPU has a limited number of outstanding loads. All prefetches at the
//! start of a block would exceed this number, and the CPU would wait for the first ones.
//!
//! ```text
//! for each vector of rows in the current block
//!     prefetch the poses of as many pairs of the next block
//!     compute the rows
//! ```
//!
//! The poses of a pair are at random addresses, so the hardware cannot predict them. A prefetch is
//! a hint: it changes no result, and there is none on some targets (`math/prefetch.rs`).

use super::view::View;
use crate::math::prefetch::prefetch;

/// Number of pairs per block. All data of a block fits into the L1 cache.
pub(super) const BLOCK: usize = 256;

/// Divides pairs into blocks, each with the pairs of the next block.
pub(super) fn blocks<'a>(
    view: View<'a>,
    pairs: &'a [[u32; 2]],
) -> impl Iterator<Item = (&'a [[u32; 2]], NextPairs<'a>)> {
    let next = pairs.chunks(BLOCK).skip(1).chain([&[][..]]);
    pairs.chunks(BLOCK).zip(next).map(move |(block, pairs)| (block, NextPairs { view, pairs }))
}

/// The pairs of the next block.
#[derive(Clone, Copy)]
pub(super) struct NextPairs<'a> {
    /// The columns of poses.
    pub(super) view: View<'a>,
    /// The indices of both placed shapes of each pair.
    pub(super) pairs: &'a [[u32; 2]],
}

impl<'a> NextPairs<'a> {
    /// Returns the pairs from index `start` on.
    #[inline(always)]
    pub(super) fn from(&self, start: usize) -> Self {
        Self { pairs: self.pairs.get(start..).unwrap_or_default(), ..*self }
    }

    /// Prefetches the translations of `count` pairs.
    #[inline(always)]
    pub(super) fn prefetch_translations(&self, from: usize, count: usize) {
        for &[a, b] in self.range(from, count) {
            prefetch(self.view.translations, a as usize);
            prefetch(self.view.translations, b as usize);
        }
    }

    /// Prefetches the rotations of `count` pairs.
    #[inline(always)]
    pub(super) fn prefetch_rotations(&self, from: usize, count: usize) {
        for &[a, b] in self.range(from, count) {
            prefetch(self.view.rotations, a as usize);
            prefetch(self.view.rotations, b as usize);
        }
    }

    /// Prefetches the translations and rotations of `count` pairs.
    #[inline(always)]
    pub(super) fn prefetch_poses(&self, from: usize, count: usize) {
        self.prefetch_translations(from, count);
        self.prefetch_rotations(from, count);
    }

    /// Returns up to `count` pairs from index `from` on.
    #[inline(always)]
    fn range(&self, from: usize, count: usize) -> &'a [[u32; 2]] {
        self.pairs.get(from..self.pairs.len().min(from + count)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::small_polygons::SmallPolygons;

    /// Law: every block but the last has the whole next block, and a range beyond the end is empty.
    #[test]
    fn a_block_knows_the_next_one() {
        let outlines = SmallPolygons::default();
        let view = View { circles: &[], polygons: &outlines, ids: &[], translations: &[], rotations: &[] };
        let pairs: alloc::vec::Vec<_> = (0..2 * BLOCK as u32 + 7).map(|i| [i, i + 1]).collect();
        let found: alloc::vec::Vec<_> = blocks(view, &pairs).map(|(block, ahead)| (block.len(), ahead.pairs)).collect();
        assert_eq!(found, [(BLOCK, &pairs[BLOCK..2 * BLOCK]), (BLOCK, &pairs[2 * BLOCK..]), (7, &[][..])]);
        assert_eq!(blocks(view, &[]).count(), 0);
        for (_, ahead) in blocks(view, &pairs) {
            assert!(ahead.from(BLOCK + 1).range(0, 1).is_empty() && ahead.range(5, BLOCK).len() <= BLOCK);
            ahead.prefetch_poses(0, usize::from(u16::MAX)); // These shapes do not exist.
        }
    }
}
