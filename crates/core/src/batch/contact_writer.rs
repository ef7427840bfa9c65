//! Contacts of some of the pairs on their way out.

use super::contact_columns::{ContactColumns, NUMBERS, NUMBERS_OF_ONE};
use super::kind_buckets::FallbackSet;
use super::prefetch::BLOCK;
use super::simd_columns::{Codes, Lanes};
use crate::math::simd::Simd;
use crate::query::Manifold;

/// Contacts, block after block.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactWriter {
    pub(super) found: ContactColumns,
}

impl ContactWriter {
    /// A block of pairs is looked at next, the first of which has a number.
    #[inline(always)]
    pub(super) fn block(&mut self, first: usize, in_order: bool) -> BlockWriter<'_> {
        self.found.reserve(BLOCK);
        BlockWriter {
            begun: self.found.len(),
            found: &mut self.found,
            first: first as u32,
            in_order,
            met: 0,
            put: 0,
            asked: FallbackSet::default(),
        }
    }
}

/// Where the manifolds of a block go.
pub(super) struct BlockWriter<'a> {
    found: &'a mut ContactColumns,
    /// How many of them were there before.
    begun: usize,
    first: u32,
    in_order: bool,
    /// A bit for each of the rows that are looked at whose manifold is there.
    met: u64,
    /// How many were put by themselves.
    put: usize,
    /// Instead of a manifold.
    pub(super) asked: FallbackSet,
}

/// Which of the pairs in the lanes meet, and which ones are to be asked by themselves, a bit for each.
pub(super) struct LaneMasks {
    pub(super) hit: u64,
    pub(super) fallback: u64,
}

/// Some of the rows of a block, and from which one of them the lanes are.
#[derive(Clone, Copy)]
pub(super) struct LaneRows<'a> {
    pub(super) rows: &'a [u32],
    pub(super) from: usize,
}

impl BlockWriter<'_> {
    /// A pair that was asked about by itself.
    pub(super) fn push(&mut self, row: u32, manifold: &Manifold) {
        self.found.push(self.first + row, manifold);
        self.put += 1;
    }

    /// As many pairs as there are lanes, or what is left of the rows, that meet in one point if they do.
    #[inline(always)]
    pub(super) fn push_one<S: Simd>(
        &mut self,
        simd: S,
        at: LaneRows<'_>,
        seen: &LaneMasks,
        numbers: &[Lanes<S>; NUMBERS_OF_ONE],
        ids: &[Codes<S>; 2],
    ) {
        let bits = self.settle(at, seen);
        self.found.append_one(simd, bits, numbers, ids);
    }

    /// The same, in two points where `is_two` has a bit.
    #[inline(always)]
    pub(super) fn push_two<S: Simd>(
        &mut self,
        simd: S,
        at: LaneRows<'_>,
        seen: &LaneMasks,
        is_two: S::mask64s,
        numbers: &[Lanes<S>; NUMBERS],
        ids: [Codes<S>; 4],
    ) {
        let bits = self.settle(at, seen);
        self.found.append_two(simd, bits, is_two, numbers, ids);
    }

    /// The bits of those whose manifolds are good.
    #[inline(always)]
    fn settle(&mut self, LaneRows { rows, from }: LaneRows<'_>, seen: &LaneMasks) -> u64 {
        let left = rows.len().wrapping_sub(from);
        let there = if left < 8 { !(u64::MAX << left) } else { 0xff };
        if seen.fallback & there != 0 {
            self.asked.insert_some(rows, (seen.fallback & there) << from);
        }
        let bits = seen.hit & !seen.fallback & there;
        self.met |= bits << from;
        bits
    }

    /// All of some rows, [`ROWS`](super::simd_columns::ROWS) at the most, were looked at.
    #[inline(always)]
    pub(super) fn end_rows<S: Simd>(&mut self, simd: S, rows: &[u32]) {
        self.found.name(simd, self.first, rows, self.met);
        self.met = 0;
    }

    /// All pairs were looked at.
    #[inline(always)]
    pub(super) fn end_block(self) {
        // Those that were asked about by themselves came last, in the order of their pairs.
        let by_kernels = self.found.len() - self.begun - self.put;
        if by_kernels > 0 && (self.put > 0 || !self.in_order) {
            self.found.sort_block(self.begun, self.first);
        }
    }
}
