//! Loads the boxes of one strip as a structure of arrays, sorted by min x.
//!
//! Input: the boxes and the ids listed in the strip, in the order of the last frame. Output: one
//! column per coordinate, sorted by min x.
//!
//! The simple version copies the boxes and sorts them. A comparison sort has O(n log n)
//! unpredictable branches in each frame. The order of the last frame is nearly right, so insertion
//! sort needs about linear time:
//!
//! ```text
//! load(ids, arrivals):
//!     copy the boxes of the ids into columns
//!     remove boxes that no longer touch the strip
//!     restore the order by insertion sort
//!     merge the arrivals, which are sorted first
//!     if insertion sort takes too many steps, or there are many arrivals: sort all ids instead
//! ```
//!
//! The columns end with NaN, so that the sweep can load whole vectors behind the last box.

use alloc::vec::Vec;

use crate::broad_phase::aabb32::sort_key;
use crate::math::prefetch::prefetch;
use crate::math::simd::{Simd, f32s};

/// Number of invalid boxes (NaN) behind the last box. A whole SIMD vector can be read from any
/// index, and from one vector further.
pub(super) const PADDING: usize = 48;

/// Prefetch distance, in boxes. The boxes are read by id, in random order.
const PREFETCH_DISTANCE: usize = 128;
/// Prefetching is skipped for up to this many boxes, because they fit in the cache.
const PREFETCH_THRESHOLD: usize = 20_000;

/// One strip, ready for the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// Number of boxes.
    pub(super) len: usize,
    /// The left side of each box, ascending.
    pub(super) min_x: Vec<f32>,
    /// The right side of each box.
    pub(super) max_x: Vec<f32>,
    /// The lower side of each box; −∞ if the box begins in an earlier strip.
    pub(super) min_y: Vec<f32>,
    /// The upper side of each box.
    pub(super) max_y: Vec<f32>,
    /// The id of each box.
    pub(super) id: Vec<u32>,
    /// The class bit of each box.
    pub(super) class_bit: Vec<u32>,
    /// The bits of the classes with which each box may collide.
    pub(super) class_mask: Vec<u32>,
    /// Indices of boxes that have left the strip. The keys are scratch memory of the sort.
    leaving: Vec<u32>,
    /// Sort keys: min x in the upper 32 bits, id in the lower 32 bits.
    keys: Vec<u64>,
}

impl Strip {
    /// Loads the boxes of a strip and sorts them. Updates `ids` to the sorted order.
    ///
    /// Drops the boxes that have left the strip and adds the `arrivals`. If `fresh`, `ids` is in
    /// any order.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &mut self,
        simd: S,
        boxes: &[[f32; 4]],
        ids: &mut Vec<u32>,
        arrivals: &[u32],
        range: [f32; 2],
        fresh: bool,
    ) {
        if fresh {
            self.load_sorted(simd, boxes, ids, range);
            return;
        }
        self.gather(boxes, ids);
        self.find_leaving(simd, range);
        let changed = !self.leaving.is_empty() || !arrivals.is_empty();
        self.compact();
        let mut moved = self.insertion_sort(simd);
        if moved.is_none() || arrivals.len() > 16 + self.len / 4 {
            // The order of the last frame is too different: sort from scratch.
            ids.clear();
            ids.extend_from_slice(&self.id[..self.len]);
            ids.extend_from_slice(arrivals);
            self.load_sorted(simd, boxes, ids, range);
            return;
        }
        if !arrivals.is_empty() {
            self.merge(boxes, arrivals, range);
            moved = Some(true);
        }
        self.pad();
        if changed || moved == Some(true) {
            ids.clear();
            ids.extend_from_slice(&self.id[..self.len]);
        }
    }

    /// Loads ids in any order, all of which touch the strip.
    #[inline(always)]
    fn load_sorted<S: Simd>(&mut self, simd: S, boxes: &[[f32; 4]], ids: &mut [u32], range: [f32; 2]) {
        self.sort(boxes, ids);
        self.gather(boxes, ids);
        self.find_leaving(simd, range);
        self.pad();
    }

    /// Copies boxes into the columns.
    #[inline(always)]
    fn gather(&mut self, boxes: &[[f32; 4]], ids: &[u32]) {
        let len = ids.len();
        self.len = len;
        self.reserve(len);
        let (min_x, max_x) = (&mut self.min_x[..len], &mut self.max_x[..len]);
        let (min_y, max_y) = (&mut self.min_y[..len], &mut self.max_y[..len]);
        let mut copy = |i: usize| {
            let b = boxes[ids[i] as usize];
            min_x[i] = b[0];
            min_y[i] = b[1];
            max_x[i] = b[2];
            max_y[i] = b[3];
        };
        // A small set of boxes is in the cache already.
        let prefetched = if boxes.len() > PREFETCH_THRESHOLD { len.saturating_sub(PREFETCH_DISTANCE) } else { 0 };
        for i in 0..prefetched {
            prefetch(boxes, ids[i + PREFETCH_DISTANCE] as usize);
            copy(i);
        }
        for i in prefetched..len {
            copy(i);
        }
        self.id[..len].copy_from_slice(ids);
    }

    /// Grows the columns to `len` boxes plus padding.
    #[inline(always)]
    fn reserve(&mut self, len: usize) {
        if self.min_x.len() < len + PADDING {
            let capacity = len + len / 4 + PADDING;
            for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
                column.resize(capacity, f32::NAN);
            }
            self.id.resize(capacity, 0);
        }
    }

    /// Sets min y of boxes that begin in an earlier strip to −∞, and collects the boxes that no
    /// longer touch the strip.
    #[inline(always)]
    fn find_leaving<S: Simd>(&mut self, simd: S, [base, next]: [f32; 2]) {
        let lanes = f32s::<S>::LEN;
        self.leaving.clear();
        let mut i = 0;
        while i < self.len {
            let min_y = f32s::from_slice(simd, &self.min_y[i..i + lanes]);
            let max_y = f32s::from_slice(simd, &self.max_y[i..i + lanes]);
            // A box touches the strip if min y < next and max y >= base.
            let stays = min_y.simd_lt(next) & max_y.simd_ge(base);
            let begins_here = min_y.simd_ge(base);
            let min_y: f32s<S> = begins_here.select(min_y, f32s::splat(simd, f32::NEG_INFINITY));
            min_y.store_slice(&mut self.min_y[i..i + lanes]);
            let mut leaving = !stays.to_bitmask() & low_bits(lanes.min(self.len - i));
            while leaving != 0 {
                self.leaving.push((i + leaving.trailing_zeros() as usize) as u32);
                leaving &= leaving - 1;
            }
            i += lanes;
        }
    }

    /// Removes the boxes that have left, by shifting the others down.
    #[inline(always)]
    fn compact(&mut self) {
        let Some(&first) = self.leaving.first() else { return };
        let mut to = first as usize;
        for k in 0..self.leaving.len() {
            let from = self.leaving[k] as usize + 1;
            let end = self.leaving.get(k + 1).map_or(self.len, |&g| g as usize);
            self.move_range(from, end, to);
            to += end - from;
        }
        self.len = to;
    }

    /// Moves the range `from..end` of all columns to index `to`.
    #[inline(always)]
    fn move_range(&mut self, from: usize, end: usize, to: usize) {
        for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
            column.copy_within(from..end, to);
        }
        self.id.copy_within(from..end, to);
    }

    /// Insertion sort by min x, for nearly sorted boxes.
    ///
    /// Returns whether any box moved, or `None` if the boxes are far from sorted.
    #[inline(always)]
    fn insertion_sort<S: Simd>(&mut self, simd: S) -> Option<bool> {
        let lanes = f32s::<S>::LEN;
        let len = self.len;
        self.min_x[len..len + lanes].fill(f32::NAN);
        let (mut i, mut moves) = (1, 0);
        while i < len {
            // Compare each box with its predecessor, one vector at a time.
            let before = f32s::from_slice(simd, &self.min_x[i - 1..i - 1 + lanes]);
            let here = f32s::from_slice(simd, &self.min_x[i..i + lanes]);
            let inverted = here.simd_lt(before).to_bitmask();
            if inverted == 0 {
                i += lanes;
                continue;
            }
            i += inverted.trailing_zeros() as usize;
            // Move the first box that is out of order to its position.
            let x = self.min_x[i];
            let mut to = i - 1;
            while to > 0 && self.min_x[to - 1] > x {
                to -= 1;
            }
            moves += i - to;
            // More than about 4 moves per box: sorting from scratch is faster.
            if moves > 64 + 4 * len {
                return None;
            }
            self.rotate(to, i);
            i += 1;
        }
        Some(moves > 0)
    }

    /// Moves the box at index `from` to the lower index `to`.
    #[inline(always)]
    fn rotate(&mut self, to: usize, from: usize) {
        for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
            let taken = column[from];
            for k in (to..from).rev() {
                column[k + 1] = column[k];
            }
            column[to] = taken;
        }
        let taken = self.id[from];
        for k in (to..from).rev() {
            self.id[k + 1] = self.id[k];
        }
        self.id[to] = taken;
    }

    /// Merges the arrivals into the sorted columns.
    #[inline(always)]
    fn merge(&mut self, boxes: &[[f32; 4]], arrivals: &[u32], range: [f32; 2]) {
        self.keys.clear();
        self.keys.extend(arrivals.iter().map(|&id| u64::from(sort_key(boxes[id as usize][0])) << 32 | u64::from(id)));
        self.keys.sort_unstable();
        let (mut end, total) = (self.len, self.len + arrivals.len());
        self.reserve(total);
        // Merge from the end: shift the tail, then insert the arrival with the greatest min x.
        for k in (0..self.keys.len()).rev() {
            let id = self.keys[k] as u32;
            let b = boxes[id as usize];
            let index = self.min_x[..end].partition_point(|&x| x <= b[0]);
            self.move_range(index, end, index + k + 1);
            let at = index + k;
            self.min_x[at] = b[0];
            self.max_x[at] = b[2];
            self.min_y[at] = if b[1] >= range[0] { b[1] } else { f32::NEG_INFINITY };
            self.max_y[at] = b[3];
            self.id[at] = id;
            end = index;
        }
        self.len = total;
    }

    /// Sorts ids by min x, then by id.
    fn sort(&mut self, boxes: &[[f32; 4]], ids: &mut [u32]) {
        self.keys.clear();
        self.keys.extend(ids.iter().map(|&id| u64::from(sort_key(boxes[id as usize][0])) << 32 | u64::from(id)));
        self.keys.sort_unstable();
        for (id, &key) in ids.iter_mut().zip(&self.keys) {
            *id = key as u32;
        }
    }

    /// Writes NaN behind the last box; NaN fails every comparison.
    #[inline(always)]
    fn pad(&mut self) {
        let len = self.len;
        for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
            column[len..len + PADDING].fill(f32::NAN);
        }
    }

    /// Fills the class columns.
    #[inline(always)]
    pub(super) fn classify(&mut self, class_of: &[u32], rules: &[[u32; 2]]) {
        self.class_bit.resize(self.min_x.len(), 0);
        self.class_mask.resize(self.min_x.len(), 0);
        for (i, &id) in self.id[..self.len].iter().enumerate() {
            let [bit, mask] = rules[class_of[id as usize] as usize];
            self.class_bit[i] = bit;
            self.class_mask[i] = mask;
        }
    }
}

/// Returns a mask of the lowest `count` bits.
#[inline(always)]
fn low_bits(count: usize) -> u64 {
    (1 << count) - 1
}
