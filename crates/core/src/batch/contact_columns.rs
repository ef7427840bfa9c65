//! Stores manifolds as a structure of arrays: one column for each coordinate, depth and feature
//! code.
//!
//! Input: SIMD vectors of manifolds, with a mask of the valid lanes. Output: whole columns or
//! single manifolds. Valid lanes are appended by compressed stores: they are moved together and
//! written in one store per column.
//!
//! An array of manifolds would need a scatter of 18 numbers per pair, one by one. Columns have
//! different offsets within a page, because equal offsets would compete for the same cache sets.
//!
//! ```text
//! numbers   13 columns of f64: normal (2), depth; per point: position on a (2), position on b (2), depth
//! words      5 columns of u64: two feature codes per point, and both part indices in one word
//! pairs      1 column of u32: pair index
//! ```
//!
//! A manifold with one point has a special code in the first word of the second point. Its numbers
//! there are unspecified.
//!
//! The columns grow together, in one allocation per element type. Blocks arrive in order, but the
//! kinds of shapes within a block do not. So each block is sorted by pair index with a counting
//! sort.

use alloc::vec;
use alloc::vec::Vec;
use core::{array, fmt};

use glam::DVec2;

use super::pair_contact::PairContact;
use super::prefetch::BLOCK;
use super::simd_columns::{Codes, Lanes};
use crate::math::simd::{Simd, VectorLanes, mask32s, mask64s, u32s};
use crate::query::{ContactId, ContactPoint, Feature, Manifold};

/// Number of `f64` columns: normal (2), depth, and for each of two points: position on shape a (2)
/// and on shape b (2), and depth.
pub(super) const NUMBERS: usize = 13;
/// Number of `f64` columns of a manifold with one point.
pub(super) const NUMBERS_OF_ONE: usize = 8;
/// Number of `u64` columns: feature codes (see [`code`]) of both points, and one for the part
/// indices.
const WORDS: usize = 5;
/// The `u64` column with the part indices: that of a in the low half, that of b in the high half.
const PARTS: usize = 4;

/// The feature code of a second point that does not exist.
const NO_POINT: u64 = u64::MAX;

/// Padding: more elements than any kernel writes at once.
const PADDING: usize = 16;
/// Offset between columns. Columns at equal offsets within a page would compete for the same cache
/// sets.
const STAGGER: usize = 24;

/// The pairs that intersect, and their manifolds.
#[derive(Clone, Default)]
pub(super) struct ContactColumns {
    /// Number of manifolds.
    len: usize,
    /// Distance between the starts of two columns, in elements.
    stride: usize,
    /// The pair indices.
    pairs: Vec<u32>,
    /// All `f64` columns, one after another.
    numbers: Vec<f64>,
    /// All `u64` columns, one after another.
    words: Vec<u64>,
}

impl fmt::Debug for ContactColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.len).filter_map(|i| self.get(i))).finish()
    }
}

impl ContactColumns {
    /// Removes all manifolds and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the number of manifolds.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the pair indices.
    #[inline(always)]
    pub(super) fn pairs(&self) -> &[u32] {
        &self.pairs[..self.len]
    }

    /// Returns a column of numbers: 0 and 1 are the normal, 2 is the depth.
    #[inline(always)]
    pub(super) fn numbers(&self, column: usize) -> &[f64] {
        &self.numbers[column * self.stride..][..self.len]
    }

    /// Returns the contact at index `i`.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Option<PairContact> {
        let pair = *self.pairs().get(i)?;
        let number = |column: usize| self.numbers[column * self.stride + i];
        let word = |column: usize| self.words[column * self.stride + i];
        let point = |k: usize| {
            let vector = |column: usize| DVec2::new(number(5 * k + column), number(5 * k + column + 1));
            let id = ContactId { a: Feature::from_code(word(2 * k)), b: Feature::from_code(word(2 * k + 1)) };
            ContactPoint { on_a: vector(3), on_b: vector(5), depth: number(5 * k + 7), id }
        };
        let first = point(0);
        let (second, count) = if word(2) == NO_POINT { (first, 1) } else { (point(1), 2) };
        let parts = word(PARTS);
        let normal = DVec2::new(number(0), number(1));
        let manifold =
            Manifold::from_stored(normal, number(2), [parts as u32, (parts >> 32) as u32], [first, second], count);
        Some(PairContact { pair, manifold })
    }

    /// Ensures capacity for `more` manifolds.
    #[inline(always)]
    pub(super) fn reserve(&mut self, more: usize) {
        if self.len + more + PADDING > self.stride {
            self.grow(more);
        }
    }

    /// Moves all columns to larger storage with a new stride.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        // Whole pages plus an offset; see `PADDING` and `STAGGER`.
        let stride = (2 * self.len + more + PADDING).next_multiple_of(512) + STAGGER;
        let (mut numbers, mut words) = (vec![0.0; NUMBERS * stride], vec![0; WORDS * stride]);
        if self.len > 0 {
            for (to, from) in numbers.chunks_exact_mut(stride).zip(self.numbers.chunks_exact(self.stride)) {
                to[..self.len].copy_from_slice(&from[..self.len]);
            }
            for (to, from) in words.chunks_exact_mut(stride).zip(self.words.chunks_exact(self.stride)) {
                to[..self.len].copy_from_slice(&from[..self.len]);
            }
        }
        self.pairs.resize(stride, 0);
        (self.stride, self.numbers, self.words) = (stride, numbers, words);
    }

    /// Appends a manifold.
    pub(super) fn push(&mut self, pair: u32, manifold: &Manifold) {
        self.reserve(1);
        let (i, stride, points) = (self.len, self.stride, manifold.points());
        let Manifold { normal, depth, part_a, part_b, .. } = *manifold;
        let mut number = |column: usize, x: f64| self.numbers[column * stride + i] = x;
        for (column, x) in [normal.x, normal.y, depth].into_iter().enumerate() {
            number(column, x);
        }
        let mut words = [0, 0, NO_POINT, NO_POINT, u64::from(part_a) | u64::from(part_b) << 32];
        for (k, point) in points.iter().enumerate() {
            for (column, x) in
                [point.on_a.x, point.on_a.y, point.on_b.x, point.on_b.y, point.depth].into_iter().enumerate()
            {
                number(3 + 5 * k + column, x);
            }
            (words[2 * k], words[2 * k + 1]) = (point.id.a.code(), point.id.b.code());
        }
        for (column, word) in words.into_iter().enumerate() {
            self.words[column * stride + i] = word;
        }
        self.pairs[i] = pair;
        self.len += 1;
    }

    /// Appends the one-point manifolds of the lanes set in `bits`.
    #[inline(always)]
    pub(super) fn append_one<S: Simd>(
        &mut self,
        simd: S,
        bits: u64,
        numbers: &[Lanes<S>; NUMBERS_OF_ONE],
        ids: &[Codes<S>; 2],
    ) {
        let at = self.len;
        let none = Codes::splat(simd, NO_POINT);
        none.store_slice(&mut self.words[2 * self.stride + at..][..Codes::<S>::LEN]);
        self.append(simd, bits, numbers, ids);
    }

    /// Appends the manifolds of the lanes set in `bits`: with two points if `is_two` is set, else
    /// with one.
    #[inline(always)]
    pub(super) fn append_two<S: Simd>(
        &mut self,
        simd: S,
        bits: u64,
        is_two: mask64s<S>,
        numbers: &[Lanes<S>; NUMBERS],
        [a, b, c, d]: [Codes<S>; 4],
    ) {
        let second = is_two.select(c, Codes::splat(simd, NO_POINT));
        self.append(simd, bits, numbers, &[a, b, second, d]);
    }

    /// Appends the columns of the lanes set in `bits`.
    #[inline(always)]
    fn append<S: Simd, const N: usize, const W: usize>(
        &mut self,
        simd: S,
        bits: u64,
        numbers: &[Lanes<S>; N],
        ids: &[Codes<S>; W],
    ) {
        let (at, mask) = (self.len, mask64s::from_bitmask(simd, bits));
        compress_store(&mut self.numbers, self.stride, at, numbers, mask, bits);
        compress_store(&mut self.words, self.stride, at, ids, mask, bits);
        // Convex shapes have a single part, with index 0.
        Codes::splat(simd, 0).store_slice(&mut self.words[PARTS * self.stride + at..][..Codes::<S>::LEN]);
        self.len = at + bits.count_ones() as usize;
    }

    /// Appends the pair indices of the rows set in `bits`, whose manifolds were appended before.
    /// `first` is the pair index of row 0.
    #[inline(always)]
    pub(super) fn push_pairs<S: Simd>(&mut self, simd: S, first: u32, rows: &[u32], bits: u64) {
        let mut at = self.len - bits.count_ones() as usize;
        // Compress whole vectors; the last one row by row.
        for (i, rows) in rows.chunks(u32s::<S>::LEN).enumerate() {
            let bits = bits >> (i * u32s::<S>::LEN);
            if u32s::<S>::LEN > 4 && rows.len() == u32s::<S>::LEN {
                let pairs = u32s::from_slice(simd, rows) + first;
                let mask = mask32s::from_bitmask(simd, bits);
                pairs.compress(mask).store_slice(&mut self.pairs[at..at + u32s::<S>::LEN]);
                at += mask.to_bitmask().count_ones() as usize;
            } else {
                for (k, &row) in rows.iter().enumerate() {
                    self.pairs[at] = first + row;
                    at += (bits >> k & 1) as usize;
                }
            }
        }
    }

    /// Sorts the manifolds from index `from` on by pair index. `first` is the first pair index of
    /// the block.
    pub(super) fn sort_block(&mut self, from: usize, first: u32) {
        let (mut indices, mut order, mut count) = ([u16::MAX; BLOCK], [0; BLOCK], 0);
        // Counting sort: each pair index occurs at most once in a block.
        for (i, &pair) in self.pairs[from..self.len].iter().enumerate() {
            indices[(pair - first) as usize % BLOCK] = i as u16;
        }
        for &index in &indices {
            order[count % BLOCK] = index;
            count += usize::from(index != u16::MAX);
        }
        let (to, order) = (from + count, &order[..count]);
        permute(&mut self.pairs[from..to], order, [0; BLOCK]);
        self.numbers
            .chunks_exact_mut(self.stride)
            .for_each(|column| permute(&mut column[from..to], order, [0.0; BLOCK]));
        self.words.chunks_exact_mut(self.stride).for_each(|column| permute(&mut column[from..to], order, [0; BLOCK]));
    }

    /// Appends `count` rows with unspecified contents and returns them for writing.
    pub(super) fn extend(&mut self, count: usize) -> ColumnsMut<'_> {
        self.reserve(count);
        let from = self.len;
        self.len += count;
        let (mut numbers, mut words) =
            (self.numbers.chunks_exact_mut(self.stride), self.words.chunks_exact_mut(self.stride));
        ColumnsMut {
            pairs: &mut self.pairs[from..self.len],
            numbers: array::from_fn(|_| numbers.next().map_or(&mut [][..], |column| &mut column[from..self.len])),
            words: array::from_fn(|_| words.next().map_or(&mut [][..], |column| &mut column[from..self.len])),
        }
    }
}

/// Writes the selected lanes to index `at` of each column. Elements behind them are overwritten by
/// the next call.
#[inline(always)]
fn compress_store<V: VectorLanes, const N: usize>(
    mut columns: &mut [V::Element],
    stride: usize,
    at: usize,
    lanes: &[V; N],
    mask: V::Mask,
    bits: u64,
) {
    for lanes in lanes {
        // `chunks_exact_mut` would need a division.
        let (column, behind) = columns.split_at_mut(stride);
        let target = &mut column[at..at + V::LEN];
        if V::LEN == 2 {
            let lanes = lanes.as_slice();
            target[0] = lanes[0];
            target[(bits & 1) as usize] = lanes[1];
        } else {
            lanes.compress_store(mask, target);
        }
        columns = behind;
    }
}

/// Permutes `list` in place: the new `list[k]` is the old `list[order[k]]`.
fn permute<T: Copy>(list: &mut [T], order: &[u16], mut old: [T; BLOCK]) {
    old[..list.len()].copy_from_slice(list);
    for (to, &from) in list.iter_mut().zip(order) {
        *to = old[usize::from(from) % BLOCK];
    }
}

/// A range of rows of all columns.
pub(super) struct ColumnsMut<'a> {
    /// The free rest of the column of pair indices.
    pairs: &'a mut [u32],
    /// The free rests of the `f64` columns.
    numbers: [&'a mut [f64]; NUMBERS],
    /// The free rests of the `u64` columns.
    words: [&'a mut [u64]; WORDS],
}

impl ColumnsMut<'_> {
    /// Splits off the first `count` rows.
    pub(super) fn split_off(&mut self, count: usize) -> Self {
        Self {
            pairs: self.pairs.split_off_mut(..count).unwrap_or_default(),
            numbers: self.numbers.each_mut().map(|column| column.split_off_mut(..count).unwrap_or_default()),
            words: self.words.each_mut().map(|column| column.split_off_mut(..count).unwrap_or_default()),
        }
    }

    /// Overwrites all rows with the manifolds of `found`, which has the same length.
    pub(super) fn copy_from(&mut self, found: &ContactColumns) {
        self.pairs.copy_from_slice(found.pairs());
        for (k, to) in self.numbers.iter_mut().enumerate() {
            to.copy_from_slice(&found.numbers[k * found.stride..][..found.len]);
        }
        for (k, to) in self.words.iter_mut().enumerate() {
            to.copy_from_slice(&found.words[k * found.stride..][..found.len]);
        }
    }
}
