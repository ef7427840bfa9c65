//! The boxes of one strip in order of their left sides, a column for each number.

use alloc::vec::Vec;

use super::strip_layout::key;
use crate::math::prefetch::prefetch;
use crate::math::simd::{Simd, prelude::*};

/// Room behind the last box that meets nothing: a whole vector may be read from any place, and from one vector later.
pub(super) const PADDING: usize = 48;

/// How many boxes ahead memory is asked for one: they come by number.
const AHEAD: usize = 128;
/// So many boxes stay in a near cache, whoever asks for them.
const NEAR: usize = 20_000;

/// One strip, ready for the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// How many boxes.
    pub(super) len: usize,
    /// In ascending order.
    pub(super) min_x: Vec<f32>,
    pub(super) max_x: Vec<f32>,
    /// −∞ where the box begins in an earlier strip.
    pub(super) min_y: Vec<f32>,
    pub(super) max_y: Vec<f32>,
    pub(super) id: Vec<u32>,
    /// The bit of the box's class.
    pub(super) bit: Vec<u32>,
    /// The bits of the classes that it may meet.
    pub(super) meets: Vec<u32>,
    /// Places of boxes that have left, then scratch of the sort.
    gone: Vec<u32>,
    keys: Vec<u64>,
}

impl Strip {
    /// Fetches the boxes of a strip, drops those that have left it, adds those that have come, and puts them in order; `ids` becomes that order.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &mut self,
        simd: S,
        boxes: &[[f32; 4]],
        ids: &mut Vec<u32>,
        come: &[u32],
        range: [f32; 2],
        fresh: bool,
    ) {
        if fresh {
            self.load_sorted(simd, boxes, ids, range);
            return;
        }
        self.gather(boxes, ids);
        self.enter(simd, range);
        let changed = !self.gone.is_empty() || !come.is_empty();
        self.compact();
        let mut moved = self.settle(simd);
        if moved.is_none() || come.len() > 16 + self.len / 4 {
            // In no order worth keeping: sort from scratch.
            ids.clear();
            ids.extend_from_slice(&self.id[..self.len]);
            ids.extend_from_slice(come);
            self.load_sorted(simd, boxes, ids, range);
            return;
        }
        if !come.is_empty() {
            self.merge(boxes, come, range);
            moved = Some(true);
        }
        self.pad();
        if changed || moved == Some(true) {
            ids.clear();
            ids.extend_from_slice(&self.id[..self.len]);
        }
    }

    /// The same for ids in any order, all of which touch the strip.
    #[inline(always)]
    fn load_sorted<S: Simd>(&mut self, simd: S, boxes: &[[f32; 4]], ids: &mut [u32], range: [f32; 2]) {
        self.sort(boxes, ids);
        self.gather(boxes, ids);
        self.enter(simd, range);
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
        // Few boxes are near anyway.
        let foreseen = if boxes.len() > NEAR { len.saturating_sub(AHEAD) } else { 0 };
        for i in 0..foreseen {
            prefetch(boxes, ids[i + AHEAD] as usize);
            copy(i);
        }
        for i in foreseen..len {
            copy(i);
        }
        self.id[..len].copy_from_slice(ids);
    }

    /// Makes room for so many boxes.
    #[inline(always)]
    fn reserve(&mut self, len: usize) {
        if self.min_x.len() < len + PADDING {
            let room = len + len / 4 + PADDING;
            for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
                column.resize(room, f32::NAN);
            }
            self.id.resize(room, 0);
        }
    }

    /// Marks boxes that began earlier, and notes those that do not touch the strip.
    #[inline(always)]
    fn enter<S: Simd>(&mut self, simd: S, [base, next]: [f32; 2]) {
        let lanes = S::f32s::LEN;
        self.gone.clear();
        let mut i = 0;
        while i < self.len {
            let min_y = S::f32s::from_slice(simd, &self.min_y[i..i + lanes]);
            let max_y = S::f32s::from_slice(simd, &self.max_y[i..i + lanes]);
            let stays = min_y.simd_lt(next) & max_y.simd_ge(base);
            let home = min_y.simd_ge(base);
            let min_y: S::f32s = home.select(min_y, S::f32s::splat(simd, f32::NEG_INFINITY));
            min_y.store_slice(&mut self.min_y[i..i + lanes]);
            let mut gone = !stays.to_bitmask() & mask(lanes.min(self.len - i));
            while gone != 0 {
                self.gone.push((i + gone.trailing_zeros() as usize) as u32);
                gone &= gone - 1;
            }
            i += lanes;
        }
    }

    /// Closes the gaps of those that have left.
    #[inline(always)]
    fn compact(&mut self) {
        let Some(&first) = self.gone.first() else { return };
        let mut to = first as usize;
        for k in 0..self.gone.len() {
            let from = self.gone[k] as usize + 1;
            let end = self.gone.get(k + 1).map_or(self.len, |&g| g as usize);
            self.shift(from, end, to);
            to += end - from;
        }
        self.len = to;
    }

    /// Moves a stretch of all columns.
    #[inline(always)]
    fn shift(&mut self, from: usize, end: usize, to: usize) {
        for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
            column.copy_within(from..end, to);
        }
        self.id.copy_within(from..end, to);
    }

    /// Insertion sort by left sides, for what is nearly in order; did anything move? `None` where it was far from in order.
    #[inline(always)]
    fn settle<S: Simd>(&mut self, simd: S) -> Option<bool> {
        let lanes = S::f32s::LEN;
        let len = self.len;
        self.min_x[len..len + lanes].fill(f32::NAN);
        let (mut i, mut moves) = (1, 0);
        while i < len {
            let before = S::f32s::from_slice(simd, &self.min_x[i - 1..i - 1 + lanes]);
            let here = S::f32s::from_slice(simd, &self.min_x[i..i + lanes]);
            let inverted = here.simd_lt(before).to_bitmask();
            if inverted == 0 {
                i += lanes;
                continue;
            }
            i += inverted.trailing_zeros() as usize;
            let x = self.min_x[i];
            let mut to = i - 1;
            while to > 0 && self.min_x[to - 1] > x {
                to -= 1;
            }
            moves += i - to;
            if moves > 64 + 4 * len {
                return None;
            }
            self.rotate(to, i);
            i += 1;
        }
        Some(moves > 0)
    }

    /// Takes the box at `from` to the place `to` before it.
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

    /// Puts those that have come where they belong.
    #[inline(always)]
    fn merge(&mut self, boxes: &[[f32; 4]], come: &[u32], range: [f32; 2]) {
        self.keys.clear();
        self.keys.extend(come.iter().map(|&id| u64::from(key(boxes[id as usize][0])) << 32 | u64::from(id)));
        self.keys.sort_unstable();
        let (mut end, total) = (self.len, self.len + come.len());
        self.reserve(total);
        for k in (0..self.keys.len()).rev() {
            let id = self.keys[k] as u32;
            let b = boxes[id as usize];
            let place = self.min_x[..end].partition_point(|&x| x <= b[0]);
            self.shift(place, end, place + k + 1);
            let at = place + k;
            self.min_x[at] = b[0];
            self.max_x[at] = b[2];
            self.min_y[at] = if b[1] >= range[0] { b[1] } else { f32::NEG_INFINITY };
            self.max_y[at] = b[3];
            self.id[at] = id;
            end = place;
        }
        self.len = total;
    }

    /// Ids in order of left sides, those of equal ones in order.
    fn sort(&mut self, boxes: &[[f32; 4]], ids: &mut [u32]) {
        self.keys.clear();
        self.keys.extend(ids.iter().map(|&id| u64::from(key(boxes[id as usize][0])) << 32 | u64::from(id)));
        self.keys.sort_unstable();
        for (id, &key) in ids.iter_mut().zip(&self.keys) {
            *id = key as u32;
        }
    }

    #[inline(always)]
    fn pad(&mut self) {
        let len = self.len;
        for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
            column[len..len + PADDING].fill(f32::NAN);
        }
    }

    /// The class columns.
    #[inline(always)]
    pub(super) fn classify(&mut self, class_of: &[u32], rules: &[[u32; 2]]) {
        self.bit.resize(self.min_x.len(), 0);
        self.meets.resize(self.min_x.len(), 0);
        for (i, &id) in self.id[..self.len].iter().enumerate() {
            let [bit, meets] = rules[class_of[id as usize] as usize];
            self.bit[i] = bit;
            self.meets[i] = meets;
        }
    }
}

/// The lowest bits.
#[inline(always)]
fn mask(count: usize) -> u64 {
    (1 << count) - 1
}
