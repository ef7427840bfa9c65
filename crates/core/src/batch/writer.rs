//! Contacts of some of the pairs on their way out.

use super::ahead::BLOCK;
use super::columns::{Codes, Lanes};
use super::found::{Found, NUMBERS, NUMBERS_OF_ONE};
use super::groups::Asked;
use crate::math::simd::Simd;
use crate::query::Manifold;

/// Contacts, block after block.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    pub(super) found: Found,
}

impl Writer {
    /// A block of pairs is looked at next, the first of which has a number.
    #[inline(always)]
    pub(super) fn block(&mut self, first: usize, in_order: bool) -> Sink<'_> {
        self.found.reserve(BLOCK);
        Sink { begun: self.found.len(), found: &mut self.found, first: first as u32, in_order, met: 0, put: 0, asked: Asked::default() }
    }
}

/// Where the manifolds of a block go.
pub(super) struct Sink<'a> {
    found: &'a mut Found,
    /// How many of them were there before.
    begun: usize,
    first: u32,
    in_order: bool,
    /// A bit for each of the rows that are looked at whose manifold is there.
    met: u64,
    /// How many were put by themselves.
    put: usize,
    /// Instead of a manifold.
    pub(super) asked: Asked,
}

/// Which of the pairs in the lanes meet, and which ones are to be asked by themselves, a bit for each.
pub(super) struct Seen {
    pub(super) meets: u64,
    pub(super) rare: u64,
}

/// Some of the rows of a block, and from which one of them the lanes are.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) rows: &'a [u32],
    pub(super) from: usize,
}

impl Sink<'_> {
    /// A pair that was asked about by itself.
    pub(super) fn put(&mut self, row: u32, manifold: &Manifold) {
        self.found.push(self.first + row, manifold);
        self.put += 1;
    }

    /// As many pairs as there are lanes, or what is left of the rows, that meet in one point if they do.
    #[inline(always)]
    pub(super) fn put_one<S: Simd>(&mut self, simd: S, at: At<'_>, seen: &Seen, numbers: &[Lanes<S>; NUMBERS_OF_ONE], ids: &[Codes<S>; 2]) {
        let bits = self.settle(at, seen);
        self.found.append_one(simd, bits, numbers, ids);
    }

    /// The same, in two points where `is_two` has a bit.
    #[inline(always)]
    pub(super) fn put_two<S: Simd>(
        &mut self,
        simd: S,
        at: At<'_>,
        seen: &Seen,
        is_two: S::mask64s,
        numbers: &[Lanes<S>; NUMBERS],
        ids: [Codes<S>; 4],
    ) {
        let bits = self.settle(at, seen);
        self.found.append_two(simd, bits, is_two, numbers, ids);
    }

    /// The bits of those whose manifolds are good.
    #[inline(always)]
    fn settle(&mut self, At { rows, from }: At<'_>, seen: &Seen) -> u64 {
        let left = rows.len().wrapping_sub(from);
        let there = if left < 8 { !(u64::MAX << left) } else { 0xff };
        if seen.rare & there != 0 {
            self.asked.insert_some(rows, (seen.rare & there) << from);
        }
        let bits = seen.meets & !seen.rare & there;
        self.met |= bits << from;
        bits
    }

    /// All of some rows, [`ROWS`](super::columns::ROWS) at the most, were looked at.
    #[inline(always)]
    pub(super) fn close<S: Simd>(&mut self, simd: S, rows: &[u32]) {
        self.found.name(simd, self.first, rows, self.met);
        self.met = 0;
    }

    /// All pairs were looked at.
    #[inline(always)]
    pub(super) fn finish(self) {
        // Those that were asked about by themselves came last, in the order of their pairs.
        let by_kernels = self.found.len() - self.begun - self.put;
        if by_kernels > 0 && (self.put > 0 || !self.in_order) {
            self.found.sort_block(self.begun, self.first);
        }
    }
}
