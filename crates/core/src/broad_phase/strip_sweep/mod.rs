//! Sort and sweep in horizontal strips, updated from frame to frame.
//!
//! Input: boxes that move. Output: all pairs of intersecting boxes that the filters allow. The
//! algorithm is sort and sweep (C. Ericson, *Real-Time Collision Detection*, 2005, 7.5), restricted
//! to strips of the world; see [`StripSweep`] for the pseudocode.
//!
//! A single sweep along x tests every pair whose x intervals intersect. In a world as high as it is
//! wide, most of these pairs are apart along y. Strips limit the sweep to boxes with similar y.

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
use self::pair_search::{PairSearch, Part, Worker};
use self::strip_layout::StripLayout;
use self::strip_sizing::StripSizing;
use super::sparse_set::Entry;
use super::{Aabb32, BroadPhase, Filter, LocalRay, Stats};
use crate::math::parallel::{self, OutputBuffers};
use crate::math::prefetch::{prefetch, prefetch_distance};

/// The class of an id that is not in use.
const ABSENT: u32 = u32::MAX;
/// The stored box of an id that is not in use. NaN never intersects.
const NOWHERE: [f32; 4] = [f32::NAN; 4];
/// The stored box of an inserted but invalid box. It never intersects.
const NOTHING: [f32; 4] = Aabb32::NOTHING.corners();
/// An empty range of strips: first > last.
const NONE: [u16; 2] = [1, 0];
/// Threshold for a separate sweep of boxes that never collide with each other.
///
/// Number of boxes whose x interval intersects that of one box, whether they overlap along y or
/// not.
const CROWD: f32 = 24.0;
/// Least and greatest number of boxes per chunk of parallel work, for updates and for sweeps.
///
/// The least is about 10 µs of work. The greatest keeps the pairs of a chunk inside a core's cache.
const MOVED: [usize; 2] = [4_000, 16_000];
const SWEPT: [usize; 2] = [1_000, 4_000];

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
    turned: bool,
    /// Filter class by id, or [`ABSENT`].
    class_of: Vec<u32>,
    /// The first and the last strip that list an id, by id.
    listed: Vec<[u16; 2]>,
    /// Ids whose range of strips may have changed.
    dirty: Vec<u32>,
    /// If true, all lists must be rebuilt.
    stale: bool,
    /// Number of ids in use.
    count: usize,
    /// The filter classes in use.
    classes: FilterClasses,
    /// Chooses the strips at a rebuild.
    plan: StripSizing,
    /// The current strips.
    cut: StripLayout,
    /// The ids of each strip, in x order.
    ///
    /// If `split`, the first half has one list per strip of boxes that may collide with each other.
    /// The second half has one list per strip of boxes that never do.
    lists: Vec<Vec<u32>>,
    /// If true, boxes that never collide with each other have separate lists.
    split: bool,
    /// Arrivals: list index in the upper 32 bits, id in the lower 32 bits, sorted.
    come: Vec<u64>,
    /// Scratch memory of each worker thread.
    workers: Vec<Worker>,
    /// Output buffers of the chunks of a parallel search.
    found: OutputBuffers<Vec<[u32; 2]>>,
    /// Upper bound of the displacement since the lists were sorted; for box queries.
    drift: Displacement,
    /// Number of SIMD steps of the last sweep, and of the first sweep after the last rebuild.
    steps: [u64; 2],
}

impl StripSweep {
    /// Returns an empty broad phase.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if the id is in use.
    fn has(&self, id: u32) -> bool {
        self.class_of.get(id as usize).is_some_and(|&class| class != ABSENT)
    }

    /// Replaces the box of an id in use.
    #[inline(always)]
    fn put(&mut self, id: u32, aabb: Aabb32) {
        let (i, b) = (id as usize, self.stored(aabb));
        // Lists refer to boxes by id, so only a change of strips needs work.
        let old = core::mem::replace(&mut self.boxes[i], b);
        self.drift.note(i, old, b);
        if span(&self.cut, b) != self.listed[i] {
            self.note(id);
        }
    }

    /// Records an id whose strips may change; requests a rebuild if there are too many.
    #[inline(always)]
    fn note(&mut self, id: u32) {
        if !self.stale {
            self.dirty.push(id);
            self.stale = self.dirty.len() > self.most_dirty();
        }
    }

    /// The number of dirty boxes above which a rebuild is faster than moving boxes between lists.
    fn most_dirty(&self) -> usize {
        64 + self.count / 4
    }

    /// Returns the number of chunks for the work on all boxes and the number of workers. Creates
    /// missing workers.
    fn parts(&mut self, [least, most]: [usize; 2]) -> [usize; 2] {
        let chunks = parallel::chunk_count_capped(self.count, least, most);
        let workers = parallel::worker_count(chunks);
        if self.workers.len() < workers {
            self.workers.resize_with(workers, Worker::default);
        }
        [chunks, workers]
    }

    /// Converts a box to the stored form: sanitized, and transposed if the world is transposed.
    #[inline(always)]
    fn stored(&self, aabb: Aabb32) -> [f32; 4] {
        let corners = aabb.sanitized().corners();
        if self.turned { turned(corners) } else { corners }
    }

    /// Returns the index in `lists` for a strip and a class.
    #[inline(always)]
    fn list(&self, strip: usize, class: u32) -> usize {
        let aside = self.split && self.classes.rules[class as usize][0] & self.classes.aside != 0;
        strip + if aside { self.cut.count() } else { 0 }
    }

    /// Rebuilds the strips and all lists.
    ///
    /// Transposes the world first if strips along the other axis would be much better.
    fn rebuild(&mut self) {
        let rules = &self.classes.rules;
        let listed = |&(&class, b): &(&u32, &[f32; 4])| class != ABSENT && rules[class as usize][0] != 0 && valid(*b);
        let boxes = self.class_of.iter().zip(&self.boxes).filter(listed).map(|(_, b)| *b);
        self.plan.cut(&mut self.cut, boxes, self.count);
        // Transpose the world and divide it again.
        if self.plan.turn {
            self.turned = !self.turned;
            self.boxes.iter_mut().for_each(|b| *b = turned(*b));
            let boxes = self.class_of.iter().zip(&self.boxes).filter(listed).map(|(_, b)| *b);
            self.plan.cut(&mut self.cut, boxes, self.count);
        }
        // Separate lists pay only if boxes intersect enough others along x.
        self.split = self.classes.aside != 0 && self.plan.crowd > CROWD;
        for list in &mut self.lists {
            list.clear();
        }
        self.lists.resize_with(self.cut.count() * if self.split { 2 } else { 1 }, Vec::new);
        self.drift.relist();
        // List each box in every strip that it touches.
        for id in 0..self.boxes.len() {
            let span = self.wanted(id);
            self.listed[id] = span;
            self.drift.list(span != NONE || self.class_of[id] == ABSENT, self.boxes[id]);
            for strip in span[0]..=span[1] {
                let list = self.list(usize::from(strip), self.class_of[id]);
                self.lists[list].push(id as u32);
            }
        }
        self.dirty.clear();
        self.come.clear();
    }

    /// Returns the range of strips that should list an id.
    #[inline(always)]
    fn wanted(&self, id: usize) -> [u16; 2] {
        let class = self.class_of[id];
        if class == ABSENT || self.classes.rules[class as usize][0] == 0 {
            NONE
        } else {
            span(&self.cut, self.boxes[id])
        }
    }

    /// Moves dirty ids to the lists of their new strips, and returns false if a rebuild is needed.
    ///
    /// Arrivals are recorded here. Departures are found when the list is read, because the box is
    /// outside the strip. That fails if a valid box must leave the lists because its class no
    /// longer collides with any other class; then all lists must be rebuilt.
    fn relist(&mut self) -> bool {
        self.come.clear();
        for k in 0..self.dirty.len() {
            let id = self.dirty[k] as usize;
            let (old, new) = (self.listed[id], self.wanted(id));
            if new == NONE && old != NONE && valid(self.boxes[id]) {
                return false;
            }
            self.listed[id] = new;
            self.drift.list(new != NONE || self.class_of[id] == ABSENT, self.boxes[id]);
            for strip in new[0]..=new[1] {
                // Only strips that did not list the id before.
                if strip < old[0] || strip > old[1] {
                    let list = self.list(usize::from(strip), self.class_of[id]);
                    self.come.push((list as u64) << 32 | id as u64);
                }
            }
        }
        self.dirty.clear();
        self.come.sort_unstable();
        true
    }

    /// Appends the pairs of all strips, searched in parallel.
    fn search(&mut self, fresh: bool, out: &mut Vec<[u32; 2]>) {
        let [chunks, worker_count] = self.parts(SWEPT);
        let Self { boxes, class_of, classes, cut: layout, come: arrivals, .. } = self;
        let (search, strips) = (
            PairSearch { boxes, class_of, classes, cut: layout, come: arrivals, split: self.split, fresh },
            layout.count(),
        );
        let ((main, aside), workers) = (self.lists.split_at_mut(strips), &mut self.workers[..worker_count]);
        // Each chunk has its own output buffer. The buffers are concatenated in order, so the
        // result does not depend on the number of threads.
        let chunks = Part::all(strips, [main, aside], chunks);
        parallel::collect_in_order(chunks, workers, &mut self.found, out, |part, worker, out| {
            search.run(part, worker, out)
        });
        self.steps[0] = pair_search::steps(workers);
    }
}

/// Returns the first and the last strip that a box touches, or `NO_STRIPS` for an invalid box.
#[inline(always)]
fn span(layout: &StripLayout, b: [f32; 4]) -> [u16; 2] {
    if valid(b) { [layout.strip(b[1]), layout.strip(b[3])] } else { NONE }
}

/// Exchanges x and y. The strips of a transposed world run along y.
#[inline(always)]
fn turned([a, b, c, d]: [f32; 4]) -> [f32; 4] {
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
        Stats { box_tests: self.steps[0], reason, ..Stats::of(self.name()) }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        let i = id as usize;
        if self.boxes.len() <= i {
            self.boxes.resize(i + 1, NOWHERE);
            self.class_of.resize(i + 1, ABSENT);
            self.listed.resize(i + 1, NONE);
        }
        let class = self.classes.join(filter, moving);
        match core::mem::replace(&mut self.class_of[i], class) {
            ABSENT => self.count += 1,
            old => {
                self.classes.leave(old);
            }
        }
        // The id may be listed under its old class, in the other half of `lists`, and would remain
        // there.
        self.stale |= self.split && self.listed[i] != NONE;
        self.boxes[i] = self.stored(aabb);
        self.drift.lose();
        self.note(id);
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        if self.has(id) {
            self.put(id, aabb);
        }
    }

    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        let ahead = prefetch_distance(self.boxes.len());
        for (k, (&id, &aabb)) in ids.iter().zip(boxes).enumerate() {
            if let Some(&next) = ids.get(k + ahead) {
                let next = next as usize;
                prefetch(&self.boxes, next);
                prefetch(&self.class_of, next);
                prefetch(&self.listed, next);
            }
            if self.has(id) {
                self.put(id, aabb);
            }
        }
    }

    fn update_all(&mut self, boxes: &[Aabb32]) {
        let (count, [chunks, worker_count], max_dirty) =
            (boxes.len().min(self.boxes.len()), self.parts(MOVED), self.most_dirty());
        // Boxes beyond the slice keep their positions.
        let moves = BulkUpdate {
            to: &boxes[..count],
            boxes: &mut self.boxes[..count],
            class_of: &self.class_of[..count],
            listed: &self.listed[..count],
        };
        // All lists will be rebuilt, so dirty ids need not be recorded.
        let max_dirty = if self.stale { 0 } else { max_dirty };
        let displacement = UpdateContext { cut: &self.cut, turned: self.turned, most: max_dirty }.run(
            moves,
            chunks,
            &mut self.workers[..worker_count],
            &mut self.dirty,
        );
        self.drift.note_all(&displacement);
        self.stale |= self.dirty.len() > max_dirty;
    }

    fn remove(&mut self, id: u32) {
        if self.has(id) {
            let i = id as usize;
            self.classes.leave(core::mem::replace(&mut self.class_of[i], ABSENT));
            self.boxes[i] = NOWHERE;
            self.count -= 1;
            self.note(id);
        }
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        // Rebuild if filters changed lists, if too many boxes are dirty, or if the sweep became
        // slow.
        let fresh = self.classes.refresh()
            | self.stale
            | self.lists.is_empty()
            | (self.steps[0] > 2 * self.steps[1] + self.count as u64 / 4);
        let fresh = fresh || !self.relist();
        if fresh {
            self.rebuild();
        }
        self.search(fresh, out);
        self.stale = false;
        // The lists are sorted now, so displacements count from here.
        self.drift.settle(self.boxes.len());
        if fresh {
            self.steps[1] = self.steps[0];
        }
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let _ = self.visit_listed(aabb, visit);
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let _ = self.each().filter(|(_, b)| b.intersects_ray(ray)).try_for_each(|(id, _)| visit(id));
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        let mut order: Vec<(f64, u32)> = self.each().map(|(id, b)| (b.distance(point), id)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let _ = order.into_iter().try_for_each(|(distance, id)| visit(id, distance));
    }
}

impl StripSweep {
    /// Returns all boxes with their filters.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.each().map(|(id, aabb)| {
            let (filter, moving) = self.classes.of(self.class_of[id as usize]);
            Entry { id, aabb, filter, moving }
        })
    }

    /// Returns the id and box of every id in use.
    fn each(&self) -> impl Iterator<Item = (u32, Aabb32)> {
        let present = (0..).zip(&self.class_of).zip(&self.boxes).filter(|((_, class), _)| **class != ABSENT);
        present.map(|((id, _), &b)| {
            let [x, y, right, top] = if self.turned { turned(b) } else { b };
            // A bulk update stores boxes unsanitized if they were invalid before and still are.
            (id, Aabb32 { min: [x, y], max: [right, top] }.sanitized())
        })
    }
}
