//! The sweep along a strip, several boxes a time.

use alloc::vec::Vec;

use super::strip::Strip;
use crate::math::simd::{Simd, prelude::*};

/// Steps after which the boxes that still reach farther are finished one by one.
const LONG: usize = 24;
/// Pairs that a buffer holds.
const ROOM: usize = 4096;

/// Pairs on their way out: written in whole vectors, handed on in large pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    pairs: Vec<[u32; 2]>,
    len: usize,
    /// Vectors that were held against others.
    pub(super) steps: u64,
}

impl Buffer {
    #[inline(always)]
    pub(super) fn prepare(&mut self) {
        self.pairs.resize(ROOM, [0; 2]);
        self.len = 0;
    }

    /// Hands on the pairs.
    #[inline(always)]
    pub(super) fn flush(&mut self, out: &mut Vec<[u32; 2]>) {
        out.extend_from_slice(&self.pairs[..self.len]);
        self.len = 0;
    }

    /// Makes room for so many pairs.
    #[inline(always)]
    fn reserve(&mut self, count: usize, out: &mut Vec<[u32; 2]>) {
        if self.len + count > ROOM {
            self.flush(out);
        }
    }

    /// Appends the pairs of the lanes that are set, the lower id first.
    #[inline(always)]
    fn push<S: Simd>(&mut self, hit: S::mask32s, a: S::u32s, b: S::u32s) {
        let mut bits = hit.to_bitmask();
        if S::u32s::LEN == 4 {
            // Narrow vectors are slow to close up.
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                let (a, b) = (a[lane], b[lane]);
                self.pairs[self.len] = [a.min(b), a.max(b)];
                self.len += 1;
                bits &= bits - 1;
            }
            return;
        }
        let (low, high) = (a.min(b).compress(hit), a.max(b).compress(hit));
        let (first, second) = low.interleave(high);
        let out = self.pairs[self.len..self.len + S::u32s::LEN].as_flattened_mut();
        first.store_slice(&mut out[..S::u32s::LEN]);
        second.store_slice(&mut out[S::u32s::LEN..]);
        self.len += bits.count_ones() as usize;
    }
}

/// A vector of boxes, or one box in every lane.
struct Boxes<S: Simd> {
    max_x: S::f32s,
    min_y: S::f32s,
    max_y: S::f32s,
    /// What an other's `min_y` must be at least: of two boxes that both began in an earlier strip, the pair is that strip's.
    home: S::f32s,
    meets: S::u32s,
    id: S::u32s,
}

impl<S: Simd> Boxes<S> {
    #[inline(always)]
    fn with_home(simd: S, [max_x, min_y, max_y]: [S::f32s; 3], meets: S::u32s, id: S::u32s) -> Self {
        let splat = |x| S::f32s::splat(simd, x);
        let home = min_y.simd_eq(f32::NEG_INFINITY).select(splat(f32::MIN), splat(f32::NEG_INFINITY));
        Self { max_x, min_y, max_y, home, meets, id }
    }

    /// The boxes from a place on.
    #[inline(always)]
    fn load<const CLASSES: bool>(simd: S, c: &Strip, i: usize) -> Self {
        let meets = if CLASSES { load_u32(simd, &c.meets, i) } else { S::u32s::splat(simd, 0) };
        Self::with_home(
            simd,
            [load(simd, &c.max_x, i), load(simd, &c.min_y, i), load(simd, &c.max_y, i)],
            meets,
            load_u32(simd, &c.id, i),
        )
    }

    /// The box at a place.
    #[inline(always)]
    fn splat<const CLASSES: bool>(simd: S, c: &Strip, i: usize) -> Self {
        let splat = |x| S::f32s::splat(simd, x);
        let meets = S::u32s::splat(simd, if CLASSES { c.meets[i] } else { 0 });
        Self::with_home(
            simd,
            [splat(c.max_x[i]), splat(c.min_y[i]), splat(c.max_y[i])],
            meets,
            S::u32s::splat(simd, c.id[i]),
        )
    }

    /// Reports those that meet the boxes from place `j` on, lane by lane; false where those begin beyond all of them.
    #[inline(always)]
    fn against<const CLASSES: bool>(&self, simd: S, c: &Strip, j: usize, buffer: &mut Buffer) -> bool {
        let reached = load(simd, &c.min_x, j).simd_le(self.max_x);
        if !reached.any_true() {
            return false;
        }
        let min_y = load(simd, &c.min_y, j);
        let max_y = load(simd, &c.max_y, j);
        let mut hit = reached & min_y.simd_le(self.max_y) & max_y.simd_ge(self.min_y) & min_y.simd_ge(self.home);
        if CLASSES {
            let common = load_u32(simd, &c.bit, j) & self.meets;
            hit &= !common.simd_eq(0);
        }
        buffer.push::<S>(hit, self.id, load_u32(simd, &c.id, j));
        true
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, column: &[f32], i: usize) -> S::f32s {
    S::f32s::from_slice(simd, &column[i..i + S::f32s::LEN])
}

#[inline(always)]
fn load_u32<S: Simd>(simd: S, column: &[u32], i: usize) -> S::u32s {
    S::u32s::from_slice(simd, &column[i..i + S::u32s::LEN])
}

/// Every pair of a strip.
///
/// Lanes are neighbours in the order along x. All of them are held against their first followers, then against their second ones, and so on until
/// these begin beyond all of them.
#[inline(always)]
pub(super) fn sweep<S: Simd, const CLASSES: bool>(simd: S, c: &Strip, buffer: &mut Buffer, out: &mut Vec<[u32; 2]>) {
    let lanes = S::f32s::LEN;
    let mut steps = 0;
    for i in (0..c.len).step_by(lanes) {
        buffer.reserve(LONG * lanes, out);
        let boxes = Boxes::<S>::load::<CLASSES>(simd, c, i);
        let mut ahead = 1;
        while ahead <= LONG && boxes.against::<CLASSES>(simd, c, i + ahead, buffer) {
            ahead += 1;
        }
        steps += ahead as u64;
        if ahead > LONG {
            for a in i..c.len.min(i + lanes) {
                row::<S, CLASSES>(simd, c, a, c, a + ahead, buffer, out);
            }
        }
    }
    buffer.steps += steps;
}

/// Every pair of a box of one strip and a box of another that takes the same place.
#[inline(always)]
pub(super) fn cross<S: Simd, const CLASSES: bool>(
    simd: S,
    p: &Strip,
    q: &Strip,
    buffer: &mut Buffer,
    out: &mut Vec<[u32; 2]>,
) {
    // A pair is found by the box that begins first; where both begin at once, by that of p.
    let (mut i, mut j) = (0, 0);
    while i < p.len && j < q.len {
        if p.min_x[i] <= q.min_x[j] {
            row::<S, CLASSES>(simd, p, i, q, j, buffer, out);
            i += 1;
        } else {
            row::<S, CLASSES>(simd, q, j, p, i, buffer, out);
            j += 1;
        }
    }
}

/// One box against those from a place on, many a time.
#[inline(always)]
fn row<S: Simd, const CLASSES: bool>(
    simd: S,
    of: &Strip,
    i: usize,
    others: &Strip,
    from: usize,
    buffer: &mut Buffer,
    out: &mut Vec<[u32; 2]>,
) {
    let lanes = S::f32s::LEN;
    let reach = of.max_x[i];
    // Without this a vector of boxes would be made for each box that is short.
    if others.min_x[from.min(others.len)] > reach {
        return;
    }
    let one = Boxes::<S>::splat::<CLASSES>(simd, of, i);
    let mut j = from;
    while j < others.len {
        buffer.reserve(lanes, out);
        buffer.steps += 1;
        if !one.against::<CLASSES>(simd, others, j, buffer) {
            break;
        }
        j += lanes;
    }
}
