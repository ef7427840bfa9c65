//! Writes the manifolds of a block of pairs, from the SIMD kernels and from the scalar fallback.
//!
//! Input: lanes with masks from kernels, and manifolds from the fallback. Output: contacts in the
//! order of the pairs. Kernels run class by class and the fallback runs last, so the manifolds of a
//! block arrive out of order. One counting sort at the end of the block restores the order. A list
//! of the whole array would have to be sorted outside of the cache.
//!
//! ```text
//! for each vector of lanes: append the manifolds of the lanes with hit set and fallback not set;
//!                           add the lanes with fallback set to the fallback set
//! at the end of up to 64 rows: append the pair indices of the rows that were hit
//! compute the fallback set with the scalar path; append its manifolds
//! at the end of the block: sort the block by pair index, unless it is in order
//! ```

use super::contact_columns::{ContactColumns, NUMBERS, NUMBERS_OF_ONE};
use super::kind_buckets::FallbackSet;
use super::prefetch::BLOCK;
use super::simd_columns::{Codes, Lanes};
use crate::math::simd::{Simd, mask64s};
use crate::query::Manifold;

/// Writes the manifolds of one block.
pub(super) struct BlockWriter<'a> {
    /// The list to which the block is appended.
    columns: &'a mut ContactColumns,
    /// Number of manifolds before this block.
    start: usize,
    /// Index of the first pair of the block.
    first: u32,
    /// True if the kernels visit the pairs in order.
    in_order: bool,
    /// Bit mask of the current rows whose manifolds were written.
    hits: u64,
    /// Number of manifolds written by the scalar fallback.
    fallback_count: usize,
    /// Rows that need the scalar fallback.
    pub(super) fallback: FallbackSet,
}

/// Bit masks of lanes: the pairs that overlap, and the pairs that need the scalar fallback.
pub(super) struct LaneMasks {
    /// The pairs that overlap.
    pub(super) hit: u64,
    /// The pairs that need the scalar fallback.
    pub(super) fallback: u64,
}

/// Rows of a block, and the index of the row in lane 0.
#[derive(Clone, Copy)]
pub(super) struct LaneRows<'a> {
    /// The rows of a bucket, ascending.
    pub(super) rows: &'a [u32],
    /// The index in `rows` of lane 0.
    pub(super) from: usize,
}

impl<'a> BlockWriter<'a> {
    /// Starts a block of pairs; `first` is the index of the first pair.
    #[inline(always)]
    pub(super) fn new(columns: &'a mut ContactColumns, first: usize, in_order: bool) -> Self {
        columns.reserve(BLOCK);
        let (start, first, fallback) = (columns.len(), first as u32, FallbackSet::default());
        Self { columns, start, first, in_order, hits: 0, fallback_count: 0, fallback }
    }

    /// Appends the manifold of a pair computed by the scalar fallback.
    pub(super) fn push(&mut self, row: u32, manifold: &Manifold) {
        self.columns.push(self.first + row, manifold);
        self.fallback_count += 1;
    }

    /// Appends the one-point manifolds of the lanes. The last vector may be partial.
    #[inline(always)]
    pub(super) fn push_one<S: Simd>(
        &mut self,
        simd: S,
        at: LaneRows<'_>,
        masks: &LaneMasks,
        numbers: &[Lanes<S>; NUMBERS_OF_ONE],
        ids: &[Codes<S>; 2],
    ) {
        let bits = self.record_fallbacks(at, masks);
        self.columns.append_one(simd, bits, numbers, ids);
    }

    /// Appends the manifolds of the lanes, with two points if `is_two` is set.
    #[inline(always)]
    pub(super) fn push_two<S: Simd>(
        &mut self,
        simd: S,
        at: LaneRows<'_>,
        masks: &LaneMasks,
        is_two: mask64s<S>,
        numbers: &[Lanes<S>; NUMBERS],
        ids: [Codes<S>; 4],
    ) {
        let bits = self.record_fallbacks(at, masks);
        self.columns.append_two(simd, bits, is_two, numbers, ids);
    }

    /// Records the fallback pairs. Returns a bit mask of the lanes whose manifolds are valid.
    #[inline(always)]
    fn record_fallbacks(&mut self, LaneRows { rows, from }: LaneRows<'_>, masks: &LaneMasks) -> u64 {
        let remaining = rows.len().wrapping_sub(from);
        let valid = if remaining < 8 { !(u64::MAX << remaining) } else { 0xff };
        if masks.fallback & valid != 0 {
            self.fallback.insert_some(rows, (masks.fallback & valid) << from);
        }
        let bits = masks.hit & !masks.fallback & valid;
        self.hits |= bits << from;
        bits
    }

    /// Ends a group of rows, at most [`ROWS`](super::simd_columns::ROWS), by appending their pair
    /// indices.
    #[inline(always)]
    pub(super) fn end_rows<S: Simd>(&mut self, simd: S, rows: &[u32]) {
        self.columns.push_pairs(simd, self.first, rows, self.hits);
        self.hits = 0;
    }

    /// Ends the block: restores the order of the pairs.
    #[inline(always)]
    pub(super) fn end_block(self) {
        // Fallback pairs were appended last, in ascending order. No sort is needed if all pairs are
        // fallbacks.
        let by_kernels = self.columns.len() - self.start - self.fallback_count;
        if by_kernels > 0 && (self.fallback_count > 0 || !self.in_order) {
            self.columns.sort_block(self.start, self.first);
        }
    }
}
