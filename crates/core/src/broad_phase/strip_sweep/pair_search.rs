//! Searches pairs in all strips: loads, sorts and sweeps each strip independently.
//!
//! Input: boxes, classes and lists of ids. Output: pairs of ids. Strips share no mutable data, so
//! chunks of strips are searched in parallel. Each worker keeps its columns and pair buffer between
//! strips, so a search does not allocate.
//!
//! A box that touches several strips is listed in each, and a pair of such boxes is found in each.
//! It is reported only in the strip in which the later of both begins along y.
//!
//! ```text
//! for each strip of the chunk
//!     load the boxes of its list and of the arrivals, sorted by their start along x
//!     sweep them along x: each box against the following ones that begin before it ends
//!     sweep boxes that never collide with each other only against the others
//!     if several filter classes share a bit: remove the pairs that the filters forbid
//! ```
//!
//! Chunks have about equally many boxes, and not equally many strips. In a crowded world, one strip
//! can have most of the boxes.

use alloc::vec::Vec;
use core::ops::Range;

use super::box_query::MaxDisplacement;
use super::filter_classes::FilterClasses;
use super::strip::Strip;
use super::strip_layout::StripLayout;
use super::sweep::{self, PairBuffer};
use crate::math::both::both;
use crate::math::simd::{Simd, SimdKernel, dispatch, dispatch_avx512};

/// Scratch memory of one worker.
///
/// Aligned to 128 bytes, so that two workers never share a cache line (false sharing).
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
pub(super) struct SearchScratch {
    /// The strips of boxes that may collide with each other, and of boxes that never do.
    strips: [Strip; 2],
    /// The pairs found, before they are copied to the output.
    buffer: PairBuffer,
    /// The ids that arrive in one list.
    arriving_ids: Vec<u32>,
    /// The ids that changed strips in a bulk update.
    pub(super) dirty: Vec<u32>,
    /// The largest displacement of the boxes of the worker in that update.
    pub(super) displacement: MaxDisplacement,
}

/// The data that all workers read.
pub(super) struct PairSearch<'a> {
    /// The box of each id: min x, min y, max x, max y.
    pub(super) boxes: &'a [[f32; 4]],
    /// The filter class of each id.
    pub(super) class_of: &'a [u32],
    /// The filter classes and their bits.
    pub(super) classes: &'a FilterClasses,
    /// The strips.
    pub(super) layout: &'a StripLayout,
    /// Arrivals, sorted: list index in the upper 32 bits, id in the lower 32 bits.
    pub(super) arrivals: &'a [u64],
    /// If true, boxes that never collide with each other have separate lists.
    pub(super) split: bool,
    /// If true, the lists are unsorted.
    pub(super) fresh: bool,
}

/// A chunk of consecutive strips.
pub(super) struct StripChunk<'a> {
    /// The indices of the strips.
    pub(super) strips: Range<usize>,
    /// The lists of boxes that may collide with each other, and of boxes that never do.
    pub(super) lists: [&'a mut [Vec<u32>]; 2],
}

impl<'a> StripChunk<'a> {
    /// Divides all strips into `count` chunks with about equally many boxes.
    pub(super) fn divide(
        strips: usize,
        mut lists: [&'a mut [Vec<u32>]; 2],
        count: usize,
    ) -> impl Iterator<Item = Self> {
        let len = |list: Option<&Vec<u32>>| list.map_or(0, Vec::len);
        let box_count =
            move |lists: &[&mut [Vec<u32>]; 2], strip: usize| len(lists[0].get(strip)) + len(lists[1].get(strip));
        let total: usize = (0..strips).map(|strip| box_count(&lists, strip)).sum();
        let (mut from, mut assigned) = (0, 0);
        (1..=count).map(move |number| {
            let mut end = from;
            // Extend the chunk until it has its share of the boxes.
            while end < strips && (number == count || assigned < total * number / count) {
                assigned += box_count(&lists, end - from);
                end += 1;
            }
            let lists = both(lists.each_mut(), |lists| {
                lists.split_off_mut(..(end - from).min(lists.len())).unwrap_or_default()
            });
            Self { strips: core::mem::replace(&mut from, end)..end, lists }
        })
    }
}

impl PairSearch<'_> {
    /// Appends the pairs of a chunk of strips.
    pub(super) fn run(&self, part: StripChunk<'_>, worker: &mut SearchScratch, out: &mut Vec<[u32; 2]>) {
        if let Err(kernel) = dispatch_avx512(512, SearchKernel { search: self, part, worker, out }) {
            dispatch(kernel);
        }
    }
}

/// Returns the number of vector tests of all workers, and resets it.
pub(super) fn take_steps(workers: &mut [SearchScratch]) -> u64 {
    workers.iter_mut().map(|worker| core::mem::take(&mut worker.buffer.steps)).sum()
}

/// The search in one chunk of strips by one worker.
struct SearchKernel<'a> {
    /// The data that all workers read.
    search: &'a PairSearch<'a>,
    /// The strips to search, with their lists.
    part: StripChunk<'a>,
    /// Scratch memory.
    worker: &'a mut SearchScratch,
    /// Gets the pairs.
    out: &'a mut Vec<[u32; 2]>,
}

impl SimdKernel for SearchKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            search,
            part: StripChunk { strips, lists },
            worker: SearchScratch { strips: columns, buffer, arriving_ids, .. },
            out,
        } = self;
        let (count, plain) = (search.layout.count(), search.classes.all_collide);
        buffer.prepare();
        // The arrivals of the first strip, for both halves of the lists.
        let mut arrivals = both([0, count], |first| {
            &search.arrivals[search.arrivals.partition_point(|&c| ((c >> 32) as usize) < first + strips.start)..]
        });
        for strip in strips.clone() {
            let found = out.len();
            for (side, arrivals) in arrivals.iter_mut().enumerate().take(if search.split { 2 } else { 1 }) {
                // Take the arrivals of this list, and load its boxes in order.
                let list = strip + side * count;
                let arriving = arrivals.iter().take_while(|&&c| c >> 32 == list as u64).count();
                arriving_ids.clear();
                arriving_ids.extend(arrivals[..arriving].iter().map(|&c| c as u32));
                *arrivals = &arrivals[arriving..];
                let ids = &mut lists[side][strip - strips.start];
                columns[side].load(simd, search.boxes, ids, arriving_ids, search.layout.range(strip), search.fresh);
                if !plain {
                    columns[side].classify(search.class_of, &search.classes.rules);
                }
            }
            // Boxes that never collide with each other are tested only against the others.
            let [main, aside] = &*columns;
            if plain {
                sweep::sweep::<S, false>(simd, main, buffer, out);
            } else {
                sweep::sweep::<S, true>(simd, main, buffer, out);
            }
            if search.split {
                sweep::sweep_two::<S, true>(simd, main, aside, buffer, out);
            }
            if search.classes.needs_recheck {
                buffer.flush(out);
                retain_allowed(search.classes, search.class_of, out, found);
            }
        }
        buffer.flush(out);
    }
}

/// Removes pairs that the filters forbid, from index `from` on. Needed if several classes share a
/// bit.
fn retain_allowed(classes: &FilterClasses, class_of: &[u32], out: &mut Vec<[u32; 2]>, from: usize) {
    let mut end = from;
    for i in from..out.len() {
        let pair = out[i];
        out[end] = pair;
        end += usize::from(classes.should_collide(class_of[pair[0] as usize], class_of[pair[1] as usize]));
    }
    out.truncate(end);
}
