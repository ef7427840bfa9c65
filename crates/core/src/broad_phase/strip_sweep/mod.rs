//! Sorts and sweeps boxes in horizontal strips, updated from frame to frame.
//!
//! Input: boxes that move. Output: all pairs of intersecting boxes that the filters allow. The
//! algorithm is sort and sweep (C. Ericson, *Real-Time Collision Detection*, 2005, 7.5), restricted
//! to strips of the world. See [`StripSweep`] for the pseudocode.
//!
//! A single sweep along x tests every pair whose x intervals intersect. In a world as high as it is
//! wide, most of these pairs are apart along y: a box intersects about √n others along x. Strips
//! limit the sweep to boxes with similar y. A uniform grid would list each box in more cells.
//!
//! | file | step |
//! |---|---|
//! | `bulk_update.rs` | store moved boxes, list the strip changes |
//! | `strip_sizing.rs`, `strip_layout.rs` | choose strips; find the strip of a y |
//! | `strip.rs` | load and sort one strip |
//! | `sweep.rs`, `pair_search.rs` | sweep one strip; all strips |
//! | `filter_classes.rs` | filters as bit masks |
//! | `box_query.rs` | box queries on the sorted lists |

mod box_query;
mod bulk_update;
mod filter_classes;
mod pair_search;
mod strip;
mod strip_layout;
mod strip_sizing;
mod sweep;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use self::box_query::Displacement;
use self::bulk_update::{BulkUpdate, UpdateContext};
use self::filter_classes::FilterClasses;
use self::pair_search::{PairSearch, SearchScratch, StripChunk};
use self::strip_layout::StripLayout;
use self::strip_sizing::StripSizing;
use super::sparse_set::{Entry, visit_nearest};
use super::{Aabb32, BroadPhase, Filter, LocalRay, Stats};
use crate::math::lists::resize;
use crate::math::parallel::{self, OutputBuffers};
use crate::math::prefetch::{prefetch, prefetch_distance};

/// The class of an id that is not in use.
const ABSENT: u32 = u32::MAX;
/// The stored box of an id that is not in use. NaN never intersects.
const ABSENT_BOX: [f32; 4] = [f32::NAN; 4];
/// The stored box of an inserted but invalid box. It never intersects.
const INVALID_BOX: [f32; 4] = Aabb32::EMPTY.to_array();
/// An empty range of strips: first > last.
const NO_STRIPS: [u16; 2] = [1, 0];
/// Threshold for a separate sweep of boxes that never collide with each other.
///
/// Number of boxes whose x interval intersects that of one box, whether they overlap along y or
/// not.
const MIN_CROWD: f32 = 24.0;
/// Least and greatest number of boxes per chunk of parallel work, for updates and for sweeps.
///
/// The least is about 10 µs of work. The greatest keeps the pairs of a chunk inside a core's cache.
const UPDATE_CHUNK: [usize; 2] = [4_000, 16_000];
const SWEEP_CHUNK: [usize; 2] = [1_000, 4_000];

/// Sort and sweep in strips; the fastest broad phase if many boxes move.
///
/// ```text
/// cut the world into strips, each a few boxes high; list every box in each strip that it touches
/// once per frame
///     move boxes whose range of strips has changed to other lists          rare
///     for each strip
///         copy its boxes into columns, in the x order of the last frame
///         restore the x order (insertion sort: the boxes are nearly sorted)
///         for each SIMD group of boxes: test it against its 1st, 2nd, … followers,
///             until these begin beyond the right ends of the whole group
///     report a pair only in the strip in which the later of both boxes begins along y
/// ```
///
/// All lists are rebuilt if more than about a quarter of the boxes change lists. They are also
/// rebuilt if the sweep takes more than twice as many steps as after the last rebuild. Strips
/// contain about equally many boxes, so clusters are cut into more strips.
///
/// ```
/// use carom::broad_phase::{Aabb32, BroadPhase, Filter, StripSweep};
///
/// let mut broad = StripSweep::new();
/// for id in 0..3 {
///     let x = id as f32;
///     broad.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] }, Filter::default(), true);
/// }
/// let mut pairs = Vec::new();
/// broad.pairs(&mut pairs);
/// pairs.sort_unstable();
/// assert_eq!(pairs, [[0, 1], [1, 2]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct StripSweep {
    /// Boxes by id: min x, min y, max x, max y. If `is_transposed`, x and y are exchanged.
    boxes: Vec<[f32; 4]>,
    /// If true, x and y of all stored boxes are exchanged.
    is_transposed: bool,
    /// Filter class by id, or [`ABSENT`].
    class_of: Vec<u32>,
    /// The first and the last strip that list an id, by id.
    listed_strips: Vec<[u16; 2]>,
    /// Ids whose range of strips may have changed.
    dirty: Vec<u32>,
    /// If true, all lists must be rebuilt.
    needs_rebuild: bool,
    /// Number of ids in use.
    count: usize,
    /// The filter classes in use.
    classes: FilterClasses,
    /// Chooses the strips at a rebuild.
    sizing: StripSizing,
    /// The current strips.
    layout: StripLayout,
    /// The ids of each strip, in x order.
    ///
    /// If `split`, the first half has one list per strip of boxes that may collide with each other.
    /// The second half has one list per strip of boxes that never do.
    lists: Vec<Vec<u32>>,
    /// If true, boxes that never collide with each other have separate lists.
    split: bool,
    /// Arrivals: list index in the upper 32 bits, id in the lower 32 bits, sorted.
    arrivals: Vec<u64>,
    /// Scratch memory of each worker thread.
    workers: Vec<SearchScratch>,
    /// Output buffers of the chunks of a parallel search.
    output: OutputBuffers<Vec<[u32; 2]>>,
    /// Upper bound of the displacement since the lists were sorted; for box queries.
    displacement: Displacement,
    /// Number of SIMD steps of the last sweep, and of the first sweep after the last rebuild.
    sweep_steps: [u64; 2],
}

impl StripSweep {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if the id is in use.
    fn contains(&self, id: u32) -> bool {
        self.class_of.get(id as usize).is_some_and(|&class| class != ABSENT)
    }

    /// Replaces the box of an id in use.
    #[inline(always)]
    fn set_box(&mut self, id: u32, aabb: Aabb32) {
        let (i, b) = (id as usize, self.to_stored(aabb));
        // Lists refer to boxes by id, so only a change of strips needs work.
        let old = core::mem::replace(&mut self.boxes[i], b);
        self.displacement.record(i, old, b);
        if strip_range(&self.layout, b) != self.listed_strips[i] {
            self.mark_dirty(id);
        }
    }

    /// Records an id whose strips may change; requests a rebuild if there are too many.
    #[inline(always)]
    fn mark_dirty(&mut self, id: u32) {
        if !self.needs_rebuild {
            self.dirty.push(id);
            self.needs_rebuild = self.dirty.len() > self.max_dirty();
        }
    }

    /// The number of dirty boxes above which a rebuild is faster than moving boxes between lists.
    fn max_dirty(&self) -> usize {
        64 + self.count / 4
    }

    /// Returns the number of chunks for the work on all boxes and the number of workers. Creates
    /// missing workers.
    fn chunk_counts(&mut self, [least, most]: [usize; 2]) -> [usize; 2] {
        let chunks = parallel::chunk_count_capped(self.count, least, most);
        let workers = parallel::worker_count(chunks);
        if self.workers.len() < workers {
            resize(&mut self.workers, workers);
        }
        [chunks, workers]
    }

    /// Converts a box to the stored form: sanitized, and transposed if the world is transposed.
    #[inline(always)]
    fn to_stored(&self, aabb: Aabb32) -> [f32; 4] {
        let corners = aabb.sanitized().to_array();
        if self.is_transposed { transpose(corners) } else { corners }
    }

    /// Returns the index in `lists` for a strip and a class.
    #[inline(always)]
    fn list_index(&self, strip: usize, class: u32) -> usize {
        let aside = self.split && self.classes.rules[class as usize][0] & self.classes.passive_bits != 0;
        strip + if aside { self.layout.count() } else { 0 }
    }

    /// Rebuilds the strips and all lists.
    ///
    /// Transposes the world first if strips along the other axis would be much better.
    fn rebuild(&mut self) {
        let rules = &self.classes.rules;
        let listed = |&(&class, b): &(&u32, &[f32; 4])| class != ABSENT && rules[class as usize][0] != 0 && valid(*b);
        let boxes = self.class_of.iter().zip(&self.boxes).filter(listed).map(|(_, b)| *b);
        self.sizing.size_strips(&mut self.layout, boxes, self.count);
        // Transpose the world and divide it again.
        if self.sizing.should_transpose {
            self.is_transposed = !self.is_transposed;
            self.boxes.iter_mut().for_each(|b| *b = transpose(*b));
            let boxes = self.class_of.iter().zip(&self.boxes).filter(listed).map(|(_, b)| *b);
            self.sizing.size_strips(&mut self.layout, boxes, self.count);
        }
        // Separate lists pay only if boxes intersect enough others along x.
        self.split = self.classes.passive_bits != 0 && self.sizing.x_overlaps > MIN_CROWD;
        for list in &mut self.lists {
            list.clear();
        }
        resize(&mut self.lists, self.layout.count() * if self.split { 2 } else { 1 });
        self.displacement.reset_widths();
        // List each box in every strip that it touches.
        for id in 0..self.boxes.len() {
            let span = self.wanted_strips(id);
            self.listed_strips[id] = span;
            self.displacement.record_listed(span != NO_STRIPS || self.class_of[id] == ABSENT, self.boxes[id]);
            for strip in span[0]..=span[1] {
                let list = self.list_index(usize::from(strip), self.class_of[id]);
                self.lists[list].push(id as u32);
            }
        }
        self.dirty.clear();
        self.arrivals.clear();
    }

    /// Returns the range of strips that should list an id.
    #[inline(always)]
    fn wanted_strips(&self, id: usize) -> [u16; 2] {
        let class = self.class_of[id];
        if class == ABSENT || self.classes.rules[class as usize][0] == 0 {
            NO_STRIPS
        } else {
            strip_range(&self.layout, self.boxes[id])
        }
    }

    /// Moves dirty ids to the lists of their new strips, and returns false if a rebuild is needed.
    ///
    /// Arrivals are recorded here. Departures are found when the list is read, because the box is
    /// outside the strip. That fails if a valid box must leave the lists because its class no
    /// longer collides with any other class. Then all lists must be rebuilt.
    fn update_lists(&mut self) -> bool {
        self.arrivals.clear();
        for k in 0..self.dirty.len() {
            let id = self.dirty[k] as usize;
            let (old, new) = (self.listed_strips[id], self.wanted_strips(id));
            if new == NO_STRIPS && old != NO_STRIPS && valid(self.boxes[id]) {
                return false;
            }
            self.listed_strips[id] = new;
            self.displacement.record_listed(new != NO_STRIPS || self.class_of[id] == ABSENT, self.boxes[id]);
            for strip in new[0]..=new[1] {
                // Only strips that did not list the id before.
                if strip < old[0] || strip > old[1] {
                    let list = self.list_index(usize::from(strip), self.class_of[id]);
                    self.arrivals.push((list as u64) << 32 | id as u64);
                }
            }
        }
        self.dirty.clear();
        self.arrivals.sort_unstable();
        true
    }

    /// Appends the pairs of all strips, searched in parallel.
    fn search(&mut self, fresh: bool, out: &mut Vec<[u32; 2]>) {
        let [chunks, worker_count] = self.chunk_counts(SWEEP_CHUNK);
        let Self { boxes, class_of, classes, layout, arrivals, .. } = self;
        let (search, strips) =
            (PairSearch { boxes, class_of, classes, layout, arrivals, split: self.split, fresh }, layout.count());
        let ((main, aside), workers) = (self.lists.split_at_mut(strips), &mut self.workers[..worker_count]);
        // Each chunk has its own output buffer. The buffers are concatenated in order, so the
        // result does not depend on the number of threads.
        let chunks = StripChunk::divide(strips, [main, aside], chunks);
        parallel::collect_in_order(chunks, workers, &mut self.output, out, |part, worker, out| {
            search.run(part, worker, out);
        });
        self.sweep_steps[0] = pair_search::take_steps(workers);
    }
}

/// Returns the first and the last strip that a box touches, or `NO_STRIPS` for an invalid box.
#[inline(always)]
fn strip_range(layout: &StripLayout, b: [f32; 4]) -> [u16; 2] {
    if valid(b) { [layout.strip(b[1]), layout.strip(b[3])] } else { NO_STRIPS }
}

/// Exchanges x and y. The strips of a transposed world run along y.
#[inline(always)]
fn transpose([a, b, c, d]: [f32; 4]) -> [f32; 4] {
    [b, a, d, c]
}

/// Returns true if min <= max on both axes; false for NaN.
#[inline(always)]
fn valid(b: [f32; 4]) -> bool {
    (b[0] <= b[2]) & (b[1] <= b[3])
}

impl BroadPhase for StripSweep {
    fn name(&self) -> &'static str {
        "strips"
    }

    fn stats(&self) -> Stats {
        let reason = if self.split {
            "crowded strips: boxes that never collide with each other are swept separately"
        } else {
            ""
        };
        Stats { box_tests: self.sweep_steps[0], reason, ..Stats::of(self.name()) }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        let i = id as usize;
        if self.boxes.len() <= i {
            self.boxes.resize(i + 1, ABSENT_BOX);
            self.class_of.resize(i + 1, ABSENT);
            self.listed_strips.resize(i + 1, NO_STRIPS);
        }
        let class = self.classes.add_object(filter, moving);
        match core::mem::replace(&mut self.class_of[i], class) {
            ABSENT => self.count += 1,
            old => {
                self.classes.remove_object(old);
            }
        }
        // The id may be listed under its old class, in the other half of `lists`, and would remain
        // there.
        self.needs_rebuild |= self.split && self.listed_strips[i] != NO_STRIPS;
        self.boxes[i] = self.to_stored(aabb);
        self.displacement.invalidate();
        self.mark_dirty(id);
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        if self.contains(id) {
            self.set_box(id, aabb);
        }
    }

    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        let ahead = prefetch_distance(self.boxes.len());
        for (k, (&id, &aabb)) in ids.iter().zip(boxes).enumerate() {
            if let Some(&next) = ids.get(k + ahead) {
                let next = next as usize;
                prefetch(&self.boxes, next);
                prefetch(&self.class_of, next);
                prefetch(&self.listed_strips, next);
            }
            if self.contains(id) {
                self.set_box(id, aabb);
            }
        }
    }

    fn update_all(&mut self, boxes: &[Aabb32]) {
        let (count, [chunks, worker_count], max_dirty) =
            (boxes.len().min(self.boxes.len()), self.chunk_counts(UPDATE_CHUNK), self.max_dirty());
        // Boxes beyond the slice keep their positions.
        let moves = BulkUpdate {
            new_boxes: &boxes[..count],
            boxes: &mut self.boxes[..count],
            class_of: &self.class_of[..count],
            listed: &self.listed_strips[..count],
        };
        // All lists will be rebuilt, so dirty ids need not be recorded.
        let max_dirty = if self.needs_rebuild { 0 } else { max_dirty };
        let displacement = UpdateContext { layout: &self.layout, is_transposed: self.is_transposed, max_dirty }.run(
            moves,
            chunks,
            &mut self.workers[..worker_count],
            &mut self.dirty,
        );
        self.displacement.record_bulk(&displacement);
        self.needs_rebuild |= self.dirty.len() > max_dirty;
    }

    fn remove(&mut self, id: u32) {
        if self.contains(id) {
            let i = id as usize;
            self.classes.remove_object(core::mem::replace(&mut self.class_of[i], ABSENT));
            self.boxes[i] = ABSENT_BOX;
            self.count -= 1;
            self.mark_dirty(id);
        }
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        // Rebuild if filters changed lists, if too many boxes are dirty, or if the sweep became
        // slow.
        let fresh = self.classes.update_rules()
            | self.needs_rebuild
            | self.lists.is_empty()
            | (self.sweep_steps[0] > 2 * self.sweep_steps[1] + self.count as u64 / 4);
        let fresh = fresh || !self.update_lists();
        if fresh {
            self.rebuild();
        }
        self.search(fresh, out);
        self.needs_rebuild = false;
        // The lists are sorted now, so displacements count from here.
        self.displacement.reset(self.boxes.len());
        if fresh {
            self.sweep_steps[1] = self.sweep_steps[0];
        }
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        if self.has_sorted_lists() {
            self.query_lists(aabb, visit);
        } else {
            self.scan_boxes(aabb, visit);
        }
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let _ = self.iter_boxes().filter(|(_, b)| b.intersects_ray(ray)).try_for_each(|(id, _)| visit(id));
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        visit_nearest(self.iter_boxes(), point, visit);
    }
}

impl StripSweep {
    /// Returns all boxes with their filters.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.iter_boxes().map(|(id, aabb)| {
            let (filter, moving) = self.classes.filter_of(self.class_of[id as usize]);
            Entry { id, aabb, filter, moving }
        })
    }

    /// Returns the id and box of every id in use.
    fn iter_boxes(&self) -> impl Iterator<Item = (u32, Aabb32)> {
        let present = (0..).zip(&self.class_of).zip(&self.boxes).filter(|((_, class), _)| **class != ABSENT);
        present.map(|((id, _), &b)| {
            let [x, y, right, top] = if self.is_transposed { transpose(b) } else { b };
            // A bulk update stores boxes unsanitized if they were invalid before and still are.
            (id, Aabb32 { min: [x, y], max: [right, top] }.sanitized())
        })
    }
}
