//! The broad phase that looks at what it is given and picks one of the others.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU32, Ordering};

use super::lazy_bvh::LazyBvh;
use super::sparse_set::Entry;
use super::{Aabb32, BroadPhase, BruteForce, Bvh, Filter, LocalRay, Stats, StripSweep};

/// Up to so many boxes, every pair is tried.
const FEW: usize = 32;
/// The tree is asked only about what moves, the grid fetches every box: so many times as many boxes as movers make the tree the faster one.
const STILL: usize = 10;
/// The tree finds pairs in twice the time of the grid, which looks at every box when it is asked about rays, or about a place long after a search. From so many such questions between two
/// searches the tree is the faster one.
const ASKED: u32 = 64;
/// So many boxes tried for one question are too many.
const LONG: usize = 256;
/// How many searches in a row must call for another strategy before all boxes move into it.
const PATIENCE: u32 = 4;

/// Picks by the number of boxes, by how many of them can move, and by how often it is asked what is at a place; [`stats`](BroadPhase::stats) says what and why.
///
/// Many boxes that come to few lie in a heap at first. The first search for pairs, or the first question, puts them in order, all at once; that is many times as fast as to sort in each one as it
/// comes. (Without the feature `std` they are sorted in at once.)
///
/// ```
/// use carom::broad_phase::{Adaptive, Aabb32, BroadPhase, Filter};
///
/// let mut auto = Adaptive::new();
/// for id in 0..1_000 {
///     let x = id as f32;
///     auto.insert(id, Aabb32 { min: [x, 0.0], max: [x + 1.5, 1.0] }, Filter::default(), true);
/// }
/// let mut pairs = Vec::new();
/// auto.pairs(&mut pairs);
/// assert_eq!((auto.stats().strategy, auto.stats().reason), ("strips", "most can move"));
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    inner: Inner,
    /// The tree of what lies in a heap, once there was a question.
    late: LazyBvh,
    /// By id.
    state: Vec<State>,
    count: usize,
    movers: usize,
    /// Searches in a row that another strategy would have been better for.
    waited: u32,
    /// Has there been a search? Before, nobody knows whether there will be one, or questions only.
    searched: bool,
    questions: QueryCounter,
}

/// How often it was asked what is at a place since the last search, and before that, half as much for each search.
#[derive(Debug, Default)]
struct QueryCounter {
    now: AtomicU32,
    before: u32,
}

impl Clone for QueryCounter {
    fn clone(&self) -> Self {
        Self { now: AtomicU32::new(self.now.load(Ordering::Relaxed)), before: self.before }
    }
}

impl QueryCounter {
    fn add(&self, times: usize) {
        self.now.fetch_add(u32::try_from(times).unwrap_or(ASKED), Ordering::Relaxed);
    }

    /// A search comes: what was asked is now before.
    fn turn(&mut self) {
        self.before = (self.before / 2).saturating_add(core::mem::take(self.now.get_mut()));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Absent,
    Fixed,
    Moving,
}

#[derive(Clone, Debug)]
enum Inner {
    Brute(BruteForce),
    Grid(Box<StripSweep>),
    Bvh(Box<Bvh>),
}

/// The strategies to pick from, each with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    Brute,
    Strips,
    Bvh,
}

impl Inner {
    fn pick(&self) -> Pick {
        match self {
            Self::Brute(_) => Pick::Brute,
            Self::Grid(_) => Pick::Strips,
            Self::Bvh(_) => Pick::Bvh,
        }
    }

    fn get(&self) -> &dyn BroadPhase {
        match self {
            Self::Brute(brute) => brute,
            Self::Grid(grid) => grid.as_ref(),
            Self::Bvh(bvh) => bvh.as_ref(),
        }
    }

    fn get_mut(&mut self) -> &mut dyn BroadPhase {
        match self {
            Self::Brute(brute) => brute,
            Self::Grid(grid) => grid.as_mut(),
            Self::Bvh(bvh) => bvh.as_mut(),
        }
    }

    /// The same boxes in another strategy.
    fn turned_into(&self, pick: Pick) -> Self {
        match self {
            Self::Brute(brute) => filled(pick, brute.entries()),
            Self::Grid(grid) => filled(pick, grid.entries()),
            Self::Bvh(bvh) => filled(pick, bvh.entries()),
        }
    }
}

/// A strategy with these boxes.
fn filled(pick: Pick, entries: impl Iterator<Item = Entry>) -> Inner {
    fn put<B: BroadPhase>(mut broad: B, entries: impl Iterator<Item = Entry>) -> B {
        entries.for_each(|e| broad.insert(e.id, e.aabb, e.filter, e.moving));
        broad
    }
    match pick {
        Pick::Brute => Inner::Brute(put(BruteForce::new(), entries)),
        Pick::Strips => Inner::Grid(Box::new(put(StripSweep::new(), entries))),
        Pick::Bvh => Inner::Bvh(Box::new(packed(entries))),
    }
}

fn packed(entries: impl Iterator<Item = Entry>) -> Bvh {
    Bvh::from_boxes(entries.map(|e| (e.id, e.aabb, e.filter, e.moving)))
}

impl Default for Adaptive {
    fn default() -> Self {
        Self {
            inner: Inner::Brute(BruteForce::new()),
            late: LazyBvh::default(),
            state: Vec::new(),
            count: 0,
            movers: 0,
            waited: 0,
            searched: false,
            questions: QueryCounter::default(),
        }
    }
}

impl Adaptive {
    /// Without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What these boxes and questions call for, and why. Close to a border, what there is stays.
    fn pick(&self) -> (Pick, &'static str) {
        let (few, still, asked) = match self.inner.pick() {
            Pick::Brute => (FEW + FEW / 2, STILL, ASKED),
            Pick::Strips => (FEW, STILL + STILL / 2, ASKED),
            Pick::Bvh => (FEW, STILL - STILL / 3, ASKED / 4),
        };
        if self.count <= few {
            (Pick::Brute, "few boxes")
        } else if self.count > self.movers * still {
            (Pick::Bvh, "most stand still")
        } else if !self.searched || self.questions.before >= asked {
            (Pick::Bvh, "often asked what is at a place")
        } else {
            (Pick::Strips, "most can move")
        }
    }

    /// Moves into another strategy where that has been better for a while; at once where every question or search is slow in the present one.
    fn reconsider(&mut self) {
        self.questions.turn();
        let first = !core::mem::replace(&mut self.searched, true);
        let (now, (pick, _)) = (self.inner.pick(), self.pick());
        self.waited = if now == pick { 0 } else { self.waited + 1 };
        let at_once = first || now == Pick::Brute || self.questions.before >= ASKED;
        if self.waited > PATIENCE || (now != pick && at_once) {
            self.turn_into(pick);
        }
    }

    fn turn_into(&mut self, pick: Pick) {
        self.inner = match self.late.take() {
            Some(tree) if pick == Pick::Bvh => Inner::Bvh(tree),
            _ => self.inner.turned_into(pick),
        };
        self.waited = 0;
    }

    /// Are there more boxes in a heap than should be tried one by one?
    fn is_unsorted(&self) -> bool {
        self.inner.pick() == Pick::Brute && self.count > FEW + FEW / 2
    }

    /// A box comes, moves or goes: a heap whose tree was asked already is none any more.
    fn build_index(&mut self) {
        if let Some(tree) = self.late.take() {
            let pick = self.pick().0;
            self.inner = if pick == Pick::Bvh { Inner::Bvh(tree) } else { self.inner.turned_into(pick) };
        }
    }

    /// The strategy, to be asked what is at a place so many times.
    fn asked(&self, times: usize) -> &dyn BroadPhase {
        self.questions.add(times);
        match &self.inner {
            Inner::Brute(heap) if self.is_unsorted() => match self.late.tree(|| packed(heap.entries())) {
                Some(tree) => tree,
                None => heap,
            },
            inner => inner.get(),
        }
    }

    /// Counts a question that the grid had to try many boxes for. Soon after a search it finds them as fast as a tree does.
    fn count_long(&self, tried: Option<usize>) {
        if tried.is_none_or(|tried| tried > LONG) {
            self.questions.add(1);
        }
    }

    fn set(&mut self, id: u32, state: State) {
        let id = id as usize;
        if id >= self.state.len() {
            if state == State::Absent {
                return;
            }
            self.state.resize(id + 1, State::Absent);
        }
        let old = core::mem::replace(&mut self.state[id], state);
        self.count = self.count + usize::from(state != State::Absent) - usize::from(old != State::Absent);
        self.movers = self.movers + usize::from(state == State::Moving) - usize::from(old == State::Moving);
    }
}

impl BroadPhase for Adaptive {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn stats(&self) -> Stats {
        let (pick, why) = self.pick();
        if self.is_unsorted() {
            return Stats { reason: why, ..Stats::of(if pick == Pick::Strips { "strips" } else { "bvh" }) };
        }
        let reason = if pick == self.inner.pick() { why } else { "no other has been better for long" };
        Stats { reason, ..self.inner.get().stats() }
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        self.set(id, if moving { State::Moving } else { State::Fixed });
        self.build_index();
        if !LazyBvh::IS_LAZY && self.is_unsorted() {
            self.turn_into(self.pick().0);
        }
        self.inner.get_mut().insert(id, aabb, filter, moving);
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        self.build_index();
        self.inner.get_mut().update(id, aabb);
    }

    fn update_many(&mut self, ids: &[u32], boxes: &[Aabb32]) {
        self.build_index();
        self.inner.get_mut().update_many(ids, boxes);
    }

    fn update_all(&mut self, boxes: &[Aabb32]) {
        self.build_index();
        self.inner.get_mut().update_all(boxes);
    }

    fn remove(&mut self, id: u32) {
        self.set(id, State::Absent);
        self.build_index();
        self.inner.get_mut().remove(id);
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.reconsider();
        self.inner.get_mut().pairs(out);
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let Inner::Grid(grid) = &self.inner else { return self.asked(1).query_aabb(aabb, visit) };
        self.count_long(grid.visit_listed(aabb, visit));
    }

    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        let Inner::Grid(grid) = &self.inner else { return self.asked(queries.len()).visit_boxes(queries, visit) };
        for (number, &query) in (0..).zip(queries) {
            let tried = grid.visit_listed(query, &mut |id| {
                visit(number, id);
                ControlFlow::Continue(())
            });
            self.count_long(tried);
        }
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.asked(1).query_ray(ray, visit);
    }

    fn cast_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.asked(1).cast_ray(ray, visit);
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        self.asked(1).visit_by_distance(point, visit);
    }

    fn find_nearest(&self, point: [f64; 2], within: f64, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.asked(1).find_nearest(point, within, visit);
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use alloc::vec;

    use super::*;

    fn tile(x: f32) -> Aabb32 {
        Aabb32 { min: [x, 0.0], max: [x + 0.75, 1.0] }
    }

    fn row(count: u32) -> Adaptive {
        let mut auto = Adaptive::new();
        (0..count).for_each(|id| auto.insert(id, tile(id as f32), Filter::default(), true));
        auto
    }

    fn at(auto: &Adaptive, x: f32) -> Vec<u32> {
        let mut found = Vec::new();
        auto.visit_point([x, 0.5], &mut |id| {
            found.push(id);
            ControlFlow::Continue(())
        });
        found
    }

    /// Law: what comes one by one is put in order once, when somebody asks; then every write is seen.
    #[test]
    fn boxes_lie_in_a_heap_until_somebody_asks() {
        let mut auto = row(2_000);
        assert!(auto.is_unsorted() && auto.late.take().is_none());
        assert_eq!(auto.stats().strategy, "bvh");
        assert_eq!(at(&auto, 500.5), [500]);
        let tree: *const Bvh = auto.late.tree(|| unreachable!("it is packed")).unwrap();
        assert_eq!(at(&auto, 1_999.5), [1_999]);
        assert!(auto.is_unsorted() && core::ptr::eq(tree, auto.late.tree(|| unreachable!("only once")).unwrap()));
        // From the next write on, the tree is kept.
        auto.update(7, tile(500.0));
        assert_eq!((auto.inner.pick(), at(&auto, 500.5).len(), at(&auto, 7.5).len()), (Pick::Bvh, 2, 0));
        auto.insert(2_000, tile(2_000.0), Filter::default(), true);
        auto.remove(500);
        assert_eq!((at(&auto, 500.5), at(&auto, 2_000.5)), (vec![7], vec![2_000]));
    }

    /// Law: who wants pairs before anything else gets the strategy for pairs, without another one before.
    #[test]
    fn a_heap_becomes_what_the_first_search_calls_for() {
        let mut auto = row(2_000);
        auto.remove(1_999);
        auto.update(5, tile(6.0));
        let mut pairs = Vec::new();
        auto.pairs(&mut pairs);
        assert_eq!((auto.inner.pick(), pairs), (Pick::Strips, vec![[5, 6]]));
        // Once there was a search, few that become many again are a heap too, and lie in no tree that would grow old.
        (49..1_999).for_each(|id| auto.remove(id));
        (0..10).for_each(|_| auto.pairs(&mut Vec::new()));
        assert_eq!(auto.inner.pick(), Pick::Strips);
        (20..49).for_each(|id| auto.remove(id));
        (0..10).for_each(|_| auto.pairs(&mut Vec::new()));
        assert_eq!(auto.inner.pick(), Pick::Brute);
        (0..200).for_each(|id| auto.insert(id, tile(id as f32 * 0.5), Filter::default(), id == 0));
        assert!(auto.is_unsorted());
        let mut pairs = Vec::new();
        auto.pairs(&mut pairs);
        assert_eq!((auto.inner.pick(), pairs), (Pick::Bvh, vec![[0, 1]]));
    }
}
