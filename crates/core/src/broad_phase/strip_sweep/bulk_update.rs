//! Updates all boxes in bulk: stores them and collects the ids that change strips.
//!
//! Input: the new box of every id. Output: the stored boxes, the dirty ids and the largest
//! displacement.
//!
//! ```text
//! for each id in use
//!     store the new box; transpose it if the world is transposed
//!     displacement = max(displacement, |new - old| of each coordinate)
//!     if the range of strips of the new box differs from the listed range: the id is dirty
//! ```
//!
//! A call per box would have an unpredictable branch per box, and a scalar strip look-up. Blocks of
//! 32 valid boxes are processed with SIMD; all other boxes by the scalar path. Chunks of ids are
//! processed in parallel.
//!
//! The scalar path is the definition: it also handles ids without a box, NaN and infinities. The
//! SIMD path computes the same for a block in which all ids are in use and all coordinates are
//! finite. Then the rows of all 64 values of y are computed together, and each box is compared with
//! its listed range.
//!
//! An id whose range of strips has changed stays in its old lists until the next pair search. So an
//! update does not touch the lists, and chunks of ids share no mutable data.

use alloc::vec::Vec;
use core::mem;

use super::box_query::MaxDisplacement;
use super::pair_search::SearchScratch;
use super::strip_layout::StripLayout;
use super::{ABSENT, INVALID_BOX, NO_STRIPS, strip_range, transpose, valid};
use crate::broad_phase::Aabb32;
use crate::math::parallel;
use crate::math::simd::{Simd, SimdKernel, dispatch, f32s};

/// Number of boxes per block.
const BLOCK: usize = 32;

/// Columns of boxes, in id order.
pub(super) struct BulkUpdate<'a> {
    /// The new boxes.
    pub(super) new_boxes: &'a [Aabb32],
    /// The stored boxes, which are replaced.
    pub(super) boxes: &'a mut [[f32; 4]],
    /// The filter class of each id.
    pub(super) class_of: &'a [u32],
    /// The range of strips that lists each id.
    pub(super) listed: &'a [[u16; 2]],
}

impl<'a> BulkUpdate<'a> {
    /// Divides all columns into chunks of the same length.
    #[inline(always)]
    fn chunks(self, len: usize) -> impl Iterator<Item = BulkUpdate<'a>> {
        let stored = self.boxes.chunks_mut(len).zip(self.class_of.chunks(len).zip(self.listed.chunks(len)));
        self.new_boxes.chunks(len).zip(stored).map(|(new_boxes, (boxes, (class_of, listed)))| BulkUpdate {
            new_boxes,
            boxes,
            class_of,
            listed,
        })
    }
}

/// Constants of one bulk update.
#[derive(Clone, Copy)]
pub(super) struct UpdateContext<'a> {
    /// The strips.
    pub(super) layout: &'a StripLayout,
    /// If true, x and y are exchanged in the stored boxes.
    pub(super) is_transposed: bool,
    /// Maximum number of dirty ids worth recording; with more, all lists are rebuilt.
    pub(super) max_dirty: usize,
}

impl UpdateContext<'_> {
    /// Moves all boxes, in parallel chunks. Appends the ids that change strips to `dirty`, and
    /// returns the largest displacement.
    pub(super) fn run(
        self,
        moves: BulkUpdate<'_>,
        parts: usize,
        workers: &mut [SearchScratch],
        dirty: &mut Vec<u32>,
    ) -> MaxDisplacement {
        let chunk = moves.new_boxes.len().div_ceil(parts).max(1);
        let chunks = (0..).step_by(chunk).zip(moves.chunks(chunk));
        parallel::for_each_with(chunks, workers, |(first, moves), SearchScratch { dirty, displacement, .. }| {
            let updater = Updater { context: self, dirty, displacement };
            dispatch(UpdateKernel { updater, first, moves });
        });
        let mut displacement = MaxDisplacement::default();
        // Merge the results in the order of the workers.
        for worker in workers {
            dirty.append(&mut worker.dirty);
            displacement.merge(&mem::take(&mut worker.displacement));
        }
        displacement
    }
}

/// A chunk of boxes with consecutive ids, starting at `first`.
struct UpdateKernel<'a> {
    updater: Updater<'a>,
    first: u32,
    moves: BulkUpdate<'a>,
}

/// Stores boxes and records their changes.
struct Updater<'a> {
    context: UpdateContext<'a>,
    /// Gets the ids whose range of strips has changed.
    dirty: &'a mut Vec<u32>,
    /// Gets the largest displacement.
    displacement: &'a mut MaxDisplacement,
}

impl SimdKernel for UpdateKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { mut updater, first, moves } = self;
        for (first, BulkUpdate { new_boxes, boxes, class_of, listed }) in
            (first..).step_by(BLOCK).zip(moves.chunks(BLOCK))
        {
            if let (Ok(to), Ok(stored), Ok(class_of), Ok(listed)) =
                (new_boxes.try_into(), (&mut *boxes).try_into(), class_of.try_into(), listed.try_into())
                && !any_absent(class_of)
                && all_finite(to)
            {
                updater.update_block(simd, first, to, stored, listed);
            } else {
                updater.update_scalar(first, BulkUpdate { new_boxes, boxes, class_of, listed });
            }
        }
    }
}

/// Returns true if any id of the block is not in use.
#[inline(always)]
fn any_absent(class_of: &[u32; BLOCK]) -> bool {
    let mut any = false;
    for &class in class_of {
        any |= class == ABSENT;
    }
    any
}

/// Returns true if all coordinates are finite.
#[inline(always)]
fn all_finite(boxes: &[Aabb32; BLOCK]) -> bool {
    let mut all = true;
    for aabb in boxes {
        for x in aabb.to_array() {
            all &= x.abs() <= f32::MAX;
        }
    }
    all
}

/// Returns true if every box is [`valid`].
#[inline(always)]
fn all_valid<S: Simd>(simd: S, boxes: &[[f32; 4]; BLOCK]) -> bool {
    let sides = boxes.as_flattened();
    let mut invalid = 0;
    for from in (0..sides.len()).step_by(f32s::<S>::LEN) {
        let minima = f32s::from_slice(simd, &sides[from..from + f32s::<S>::LEN]);
        // Each box is two minima, then two maxima. Shifting by two lanes aligns the maxima with the
        // minima.
        let maxima = minima.swap_pairs();
        invalid |= !minima.simd_le(maxima).to_bitmask();
    }
    let of_minima = 0x3333_3333_3333_3333 & ((1 << f32s::<S>::LEN) - 1);
    invalid & of_minima == 0
}

impl Updater<'_> {
    /// Scalar path: ids may be absent and boxes may be invalid.
    #[inline(always)]
    fn update_scalar(&mut self, first: u32, moves: BulkUpdate<'_>) {
        let BulkUpdate { new_boxes: to, boxes, class_of, listed } = moves;
        for (id, ((to, stored), (&class, &listed))) in
            (first..).zip(to.iter().zip(boxes).zip(class_of.iter().zip(listed)))
        {
            if class != ABSENT {
                let new = to.sanitized().to_array();
                let new = if self.context.is_transposed { transpose(new) } else { new };
                let old = mem::replace(stored, new);
                self.displacement.record(old, new);
                if strip_range(self.context.layout, new) != listed {
                    self.mark_dirty(id, [old, new]);
                }
            }
        }
    }

    /// SIMD path: all ids are in use and all coordinates are finite.
    #[inline(always)]
    fn update_block<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        to: &[Aabb32; BLOCK],
        boxes: &mut [[f32; 4]; BLOCK],
        listed: &[[u16; 2]; BLOCK],
    ) {
        let UpdateContext { layout, is_transposed, .. } = self.context;
        // Store all boxes first; the comparisons below read whole vectors.
        let old = *boxes;
        for i in 0..BLOCK {
            boxes[i] = to[i].to_array();
        }
        if is_transposed {
            for aabb in &mut *boxes {
                *aabb = transpose(*aabb);
            }
        }
        self.displacement.record_block(simd, &old, boxes);
        // Rows of all four coordinates; those of x are not used.
        let mut rows = [0.0; 4 * BLOCK];
        layout.rows(simd, boxes.as_flattened(), &mut rows);
        let all_valid = all_valid(simd, boxes);
        for i in 0..BLOCK {
            let strips = [layout.strip_of_row(rows[4 * i + 1]), layout.strip_of_row(rows[4 * i + 3])];
            let wanted = if all_valid || valid(boxes[i]) { strips } else { NO_STRIPS };
            // The box must be listed in other strips than now.
            if wanted != listed[i] {
                if wanted == NO_STRIPS {
                    // The strip drops the box at the next load, because it is invalid.
                    boxes[i] = INVALID_BOX;
                }
                self.mark_dirty(first + i as u32, [old[i], boxes[i]]);
            }
        }
    }

    /// Records a box whose range of strips has changed.
    #[inline(always)]
    fn mark_dirty(&mut self, id: u32, [old, new]: [[f32; 4]; 2]) {
        self.displacement.record_relisted(old, new);
        if self.dirty.len() <= self.context.max_dirty {
            self.dirty.push(id);
        }
    }
}
