//! Sweeps along one strip, with one box per SIMD lane.
//!
//! Input: a strip sorted by min x. Output: all pairs of intersecting boxes whose classes may
//! collide.
//!
//! The simple version:
//!
//! ```text
//! for each box a, in order of min x
//!     for each box b after a, while b.min_x <= a.max_x
//!         if the y intervals of a and b intersect: report (a, b)
//! ```
//!
//! It ends at a different b for each a, so branch prediction fails. Here a SIMD vector of
//! consecutive boxes is tested against the vector that begins 1, 2, 3, … boxes later. The loop ends
//! when that vector begins beyond the right ends of all lanes. A long box would keep its whole
//! vector in the loop, so after 24 steps the boxes of the vector are finished one by one.
//!
//! Pairs are written to a small buffer in whole vectors, compressed by the mask of hits. A push per
//! pair would be a branch per lane.

use alloc::vec::Vec;

use super::strip::Strip;
use crate::math::simd::{Simd, f32s, mask32s, u32s};

/// Steps after which the sweep of a vector stops. Its remaining long boxes are swept one by one.
const MAX_GROUP_STEPS: usize = 24;
/// Capacity of the pair buffer.
const CAPACITY: usize = 4096;

/// Pairs waiting for output: written in whole vectors, copied to the output in large pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct PairBuffer {
    /// Memory for [`CAPACITY`] pairs; the first `len` are valid.
    pairs: Vec<[u32; 2]>,
    /// Number of buffered pairs.
    len: usize,
    /// Number of vector tests so far.
    pub(super) steps: u64,
}

impl PairBuffer {
    /// Allocates the buffer and removes all pairs.
    #[inline(always)]
    pub(super) fn prepare(&mut self) {
        self.pairs.resize(CAPACITY, [0; 2]);
        self.len = 0;
    }

    /// Moves the buffered pairs to `out`.
    #[inline(always)]
    pub(super) fn flush(&mut self, out: &mut Vec<[u32; 2]>) {
        out.extend_from_slice(&self.pairs[..self.len]);
        self.len = 0;
    }

    /// Ensures capacity for `count` more pairs.
    #[inline(always)]
    fn reserve(&mut self, count: usize, out: &mut Vec<[u32; 2]>) {
        if self.len + count > CAPACITY {
            self.flush(out);
        }
    }

    /// Appends the pairs of the lanes that are set, lower id first.
    #[inline(always)]
    fn push<S: Simd>(&mut self, hit: mask32s<S>, a: u32s<S>, b: u32s<S>) {
        let mut bits = hit.to_bitmask();
        if u32s::<S>::LEN == 4 {
            // For 4 lanes, a scalar loop is faster than compress.
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                let (a, b) = (a[lane], b[lane]);
                self.pairs[self.len] = [a.min(b), a.max(b)];
                self.len += 1;
                bits &= bits - 1;
            }
            return;
        }
        // Compress the lower and the higher ids, then interleave them to pairs.
        let (low, high) = (a.min(b).compress(hit), a.max(b).compress(hit));
        let (first, second) = low.interleave(high);
        let out = self.pairs[self.len..self.len + u32s::<S>::LEN].as_flattened_mut();
        first.store_slice(&mut out[..u32s::<S>::LEN]);
        second.store_slice(&mut out[u32s::<S>::LEN..]);
        self.len += bits.count_ones() as usize;
    }
}

/// One box per lane, or the same box in every lane.
struct SweepLanes<S: Simd> {
    /// The right side.
    max_x: f32s<S>,
    /// The lower side, or −∞ if the box begins in an earlier strip.
    min_y: f32s<S>,
    /// The upper side.
    max_y: f32s<S>,
    /// Lower limit for the other box's min y: −∞, or `f32::MIN` if this box begins in an earlier
    /// strip.
    ///
    /// If both boxes begin in an earlier strip, the pair is reported there.
    min_other_y: f32s<S>,
    /// Mask of the classes with which each box may collide.
    class_mask: u32s<S>,
    /// The id.
    id: u32s<S>,
}

impl<S: Simd> SweepLanes<S> {
    /// Computes the lower limit for the other box, and packs all columns.
    #[inline(always)]
    fn new(simd: S, [max_x, min_y, max_y]: [f32s<S>; 3], class_mask: u32s<S>, id: u32s<S>) -> Self {
        let splat = |x| f32s::splat(simd, x);
        let home = min_y.simd_eq(f32::NEG_INFINITY).select(splat(f32::MIN), splat(f32::NEG_INFINITY));
        Self { max_x, min_y, max_y, min_other_y: home, class_mask, id }
    }

    /// Loads the boxes from index `i` on, one per lane.
    #[inline(always)]
    fn load<const CLASSES: bool>(simd: S, c: &Strip, i: usize) -> Self {
        let class_mask = if CLASSES { load_u32(simd, &c.class_mask, i) } else { u32s::splat(simd, 0) };
        Self::new(
            simd,
            [load(simd, &c.max_x, i), load(simd, &c.min_y, i), load(simd, &c.max_y, i)],
            class_mask,
            load_u32(simd, &c.id, i),
        )
    }

    /// Loads the box at index `i` into every lane.
    #[inline(always)]
    fn splat<const CLASSES: bool>(simd: S, c: &Strip, i: usize) -> Self {
        let splat = |x| f32s::splat(simd, x);
        let class_mask = u32s::splat(simd, if CLASSES { c.class_mask[i] } else { 0 });
        Self::new(
            simd,
            [splat(c.max_x[i]), splat(c.min_y[i]), splat(c.max_y[i])],
            class_mask,
            u32s::splat(simd, c.id[i]),
        )
    }

    /// Tests lane k against the box at index `j + k` and reports the intersecting pairs.
    ///
    /// Returns false if the boxes from index `j` on begin beyond the right ends of all lanes.
    #[inline(always)]
    fn report_pairs<const CLASSES: bool>(&self, simd: S, c: &Strip, j: usize, buffer: &mut PairBuffer) -> bool {
        // Boxes are sorted by min x: if no lane overlaps along x, no later box does.
        let overlaps_x = load(simd, &c.min_x, j).simd_le(self.max_x);
        if !overlaps_x.any_true() {
            return false;
        }
        let min_y = load(simd, &c.min_y, j);
        let max_y = load(simd, &c.max_y, j);
        let mut hit =
            overlaps_x & min_y.simd_le(self.max_y) & max_y.simd_ge(self.min_y) & min_y.simd_ge(self.min_other_y);
        if CLASSES {
            let common = load_u32(simd, &c.class_bit, j) & self.class_mask;
            hit &= !common.simd_eq(0);
        }
        buffer.push::<S>(hit, self.id, load_u32(simd, &c.id, j));
        true
    }
}

/// Loads a vector of `f32` from index `i` on.
#[inline(always)]
fn load<S: Simd>(simd: S, column: &[f32], i: usize) -> f32s<S> {
    f32s::from_slice(simd, &column[i..i + f32s::<S>::LEN])
}

/// Loads a vector of `u32` from index `i` on.
#[inline(always)]
fn load_u32<S: Simd>(simd: S, column: &[u32], i: usize) -> u32s<S> {
    u32s::from_slice(simd, &column[i..i + u32s::<S>::LEN])
}

/// Reports every intersecting pair of a strip.
///
/// Each vector of boxes is tested against the vectors that begin 1, 2, … boxes later. It stops when
/// these begin beyond the right ends of all lanes.
#[inline(always)]
pub(super) fn sweep<S: Simd, const CLASSES: bool>(
    simd: S,
    c: &Strip,
    buffer: &mut PairBuffer,
    out: &mut Vec<[u32; 2]>,
) {
    let lanes = f32s::<S>::LEN;
    let mut steps = 0;
    for i in (0..c.len).step_by(lanes) {
        buffer.reserve(MAX_GROUP_STEPS * lanes, out);
        let boxes = SweepLanes::<S>::load::<CLASSES>(simd, c, i);
        let mut ahead = 1;
        // Offsets 1, 2, … behind the vector.
        while ahead <= MAX_GROUP_STEPS && boxes.report_pairs::<CLASSES>(simd, c, i + ahead, buffer) {
            ahead += 1;
        }
        steps += ahead as u64;
        // Some boxes are longer than `MAX_GROUP_STEPS` followers: finish them one by one.
        if ahead > MAX_GROUP_STEPS {
            for a in i..c.len.min(i + lanes) {
                sweep_one::<S, CLASSES>(simd, c, a, c, a + ahead, buffer, out);
            }
        }
    }
    buffer.steps += steps;
}

/// Reports every intersecting pair of one box of `p` and one box of `q`. Both cover the same strip.
#[inline(always)]
pub(super) fn sweep_two<S: Simd, const CLASSES: bool>(
    simd: S,
    p: &Strip,
    q: &Strip,
    buffer: &mut PairBuffer,
    out: &mut Vec<[u32; 2]>,
) {
    // A pair is found by the box that begins first along x; for equal min x, by the box of `p`.
    let (mut i, mut j) = (0, 0);
    while i < p.len && j < q.len {
        if p.min_x[i] <= q.min_x[j] {
            sweep_one::<S, CLASSES>(simd, p, i, q, j, buffer, out);
            i += 1;
        } else {
            sweep_one::<S, CLASSES>(simd, q, j, p, i, buffer, out);
            j += 1;
        }
    }
}

/// Tests one box against the boxes from index `from` on, one vector at a time.
#[inline(always)]
fn sweep_one<S: Simd, const CLASSES: bool>(
    simd: S,
    of: &Strip,
    i: usize,
    others: &Strip,
    from: usize,
    buffer: &mut PairBuffer,
    out: &mut Vec<[u32; 2]>,
) {
    let lanes = f32s::<S>::LEN;
    let max_x = of.max_x[i];
    // Fast path for short boxes: avoids loading one box into all lanes.
    if others.min_x[from.min(others.len)] > max_x {
        return;
    }
    let one = SweepLanes::<S>::splat::<CLASSES>(simd, of, i);
    let mut j = from;
    while j < others.len {
        buffer.reserve(lanes, out);
        buffer.steps += 1;
        if !one.report_pairs::<CLASSES>(simd, others, j, buffer) {
            break;
        }
        j += lanes;
    }
}
