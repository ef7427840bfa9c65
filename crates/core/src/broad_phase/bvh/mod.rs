//! Implements a dynamic bounding volume hierarchy: the best broad phase if few boxes move, and for
//! queries.
//!
//! Input: boxes with filters. Output: intersecting pairs, and answers to box, point, ray and
//! nearest queries. There is one tree of moving and one of fixed boxes, each a wide R-tree with
//! eight boxes per node (`node`). `tree` inserts, moves and removes boxes; `build` bulk-loads a
//! tree; `self_traversal` finds pairs; `queries` answers queries.
//!
//! A binary tree has one box test per node, and a cache miss for each. Eight boxes per node are
//! tested by one SIMD operation, and the tree has a third of the levels. Two trees are needed
//! because fixed boxes never pair with each other: the pair search never opens two nodes of the
//! fixed tree.
//!
//! ```text
//! update: store the box in its leaf; enlarge or reinsert it if it left the bounds of the leaf
//! pairs:  rebuild a tree if its cost has grown by more than 15 %
//!         traverse the tree of moving boxes against itself, and against the tree of fixed boxes
//! query:  descend both trees from their roots; skip nodes whose box misses the query
//! ```

mod build;
mod node;
mod queries;
mod self_traversal;
mod stack;
mod tree;

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Continue};

use super::morton::morton_order;
use super::sparse_set::Entry;
use super::{Aabb32, BroadPhase, Filter, LocalRay};
use crate::math::simd::dispatch;
use build::{BuildItem, bulk_load};
use node::NONE;
use queries::{BoxQuery, MultiBoxQuery, NearestQuery, RayQuery, nearest_first};
use self_traversal::{Storage, TreePair};
use tree::{Item, Tree};

/// A bounding volume hierarchy: one tree of moving boxes and one of fixed boxes.
///
/// Fixed boxes cost no time per frame: only the part of their tree near moving boxes is visited. A
/// moving box is updated in place. The tree changes only if the box leaves the margin of its leaf.
/// Degraded trees are rebuilt by [`pairs`](BroadPhase::pairs), or earlier after many updates.
/// [`optimize`](Bvh::optimize) rebuilds them at once.
///
/// A query takes time for each box that it visits. So it is linear in the number of boxes if all of
/// them contain the point or intersect the query: a tree cannot exclude any.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use carom::broad_phase::{Aabb32, BroadPhase, Bvh, Filter};
///
/// let tile = |x: f32| Aabb32 { min: [x, 0.0], max: [x + 1.0, 1.0] };
/// let mut bvh = Bvh::from_boxes((0..1000).map(|i| (i, tile(i as f32), Filter::default(), false)));
/// bvh.insert(1000, Aabb32 { min: [7.5, 0.5], max: [8.5, 1.5] }, Filter::default(), true);
///
/// let mut pairs = Vec::new();
/// bvh.pairs(&mut pairs);
/// pairs.sort();
/// assert_eq!(pairs, [[7, 1000], [8, 1000]]);
/// assert!(bvh.nodes_visited() < 10); // nodes, of a thousand boxes
///
/// let mut containing_point = Vec::new();
/// bvh.visit_point([500.5, 0.5], &mut |id| {
///     containing_point.push(id);
///     Continue(())
/// });
/// assert_eq!(containing_point, [500]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    /// The box of each id, and its location in a tree.
    items: Vec<Item>,
    /// The filter of each id.
    filters: Vec<Filter>,
    /// The filter with which `differing` compares.
    common_filter: Filter,
    /// Number of boxes with another filter. If 0, pairs need no test of filters.
    differing: usize,
    /// The tree of the boxes that can move.
    moving: Tree,
    /// The tree of the boxes that never move.
    fixed: Tree,
    /// Scratch memory of `rebuild`.
    seeds: Vec<BuildItem>,
    /// Scratch memory of the pair search.
    storage: Storage,
    /// Number of node pairs that the last pair search visited.
    visited: usize,
}

/// Relative degradation above which a tree is rebuilt: by `pairs`, and by updates.
const REBUILD_THRESHOLDS: [f64; 2] = [0.15, 0.35];

impl Bvh {
    /// Returns an empty hierarchy.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a hierarchy from ids, boxes, filters and `moving` flags.
    ///
    /// Faster than inserting the boxes one by one. If an id occurs twice, its last box counts.
    #[must_use]
    pub fn from_boxes(boxes: impl IntoIterator<Item = (u32, Aabb32, Filter, bool)>) -> Self {
        let (mut bvh, boxes) = (Self::new(), boxes.into_iter());
        let count = boxes.size_hint().0;
        bvh.items.reserve(count);
        bvh.filters.reserve(count);
        for (id, aabb, filter, moving) in boxes {
            bvh.set_filter(id, filter);
            // `optimize` only requires that the location differs from `NONE`.
            bvh.items[id as usize] = Item { aabb: aabb.sanitized(), location: 0, moving };
        }
        bvh.optimize();
        bvh.choose_common_filter();
        bvh
    }

    /// Rebuilds both trees for the fastest queries. Worth the time after many single insertions.
    pub fn optimize(&mut self) {
        self.rebuild(true);
        self.rebuild(false);
    }

    /// Returns the number of nodes, or pairs of nodes, that the last [`pairs`](BroadPhase::pairs)
    /// visited.
    #[must_use]
    pub fn nodes_visited(&self) -> usize {
        self.visited
    }

    /// Returns the number of nodes that a box query visits: a measure of the quality of the trees.
    #[must_use]
    pub fn count_visits(&self, aabb: Aabb32) -> usize {
        dispatch(BoxQuery { trees: &self.trees(), query: aabb.sanitized(), visit: &mut |_| Continue(()) })
    }

    /// Returns all boxes with their filters.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        let there = (0..).zip(&self.items).filter(|(_, item)| item.location != NONE);
        there.map(|(id, item)| Entry { id, aabb: item.aabb, filter: self.filters[id as usize], moving: item.moving })
    }

    /// Returns both trees, that of the moving boxes first.
    fn trees(&self) -> [&Tree; 2] {
        [&self.moving, &self.fixed]
    }

    /// Returns the tree of the moving or of the fixed boxes.
    fn tree(&mut self, moving: bool) -> &mut Tree {
        if moving { &mut self.moving } else { &mut self.fixed }
    }

    /// Rebuilds the tree of the moving or of the fixed boxes.
    fn rebuild(&mut self, moving: bool) {
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        bulk_load(tree, &mut self.items, moving, &mut self.seeds);
    }

    /// Rebuilds a tree if it has degraded by more than the threshold.
    fn rebuild_if_needed(&mut self, moving: bool, threshold: f64) {
        if self.tree(moving).needs_rebuild(threshold) {
            self.rebuild(moving);
        }
    }

    /// Ensures capacity for an id and stores its filter.
    fn set_filter(&mut self, id: u32, filter: Filter) {
        let end = id as usize + 1;
        if self.items.len() < end {
            self.items.resize(end, Item::ABSENT);
            self.filters.resize(end, filter);
        }
        self.filters[id as usize] = filter;
    }

    /// Makes the filter of most boxes the common one, if there is one (R. S. Boyer and J S. Moore, majority vote).
    fn choose_common_filter(&mut self) {
        let (mut common, mut votes) = (self.common_filter, 0_usize);
        for Entry { filter, .. } in self.entries() {
            if votes == 0 {
                common = filter;
            }
            votes = if filter == common { votes + 1 } else { votes - 1 };
        }
        self.differing = self.entries().filter(|entry| entry.filter != common).count();
        self.common_filter = common;
    }

    /// Returns the item of an id in use.
    fn present(&self, id: u32) -> Option<Item> {
        self.items.get(id as usize).filter(|item| item.location != NONE).copied()
    }
}

impl BroadPhase for Bvh {
    fn name(&self) -> &'static str {
        "bvh"
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        let aabb = aabb.sanitized();
        self.remove(id);
        self.set_filter(id, filter);
        self.differing += usize::from(filter != self.common_filter);
        self.items[id as usize] = Item { aabb, location: NONE, moving };
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        tree.insert(&mut self.items, id, aabb);
        self.rebuild_if_needed(moving, REBUILD_THRESHOLDS[1]);
    }

    #[inline]
    fn update(&mut self, id: u32, aabb: Aabb32) {
        let (Some(item), aabb) = (self.items.get_mut(id as usize), aabb.sanitized()) else { return };
        if item.location == NONE || item.aabb == aabb {
            return;
        }
        let (moving, from) = (item.moving, core::mem::replace(&mut item.aabb, aabb));
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        if tree.update(&mut self.items, id, &from, aabb) {
            self.rebuild_if_needed(moving, REBUILD_THRESHOLDS[1]);
        }
    }

    fn remove(&mut self, id: u32) {
        if let Some(Item { moving, .. }) = self.present(id) {
            let tree = if moving { &mut self.moving } else { &mut self.fixed };
            tree.remove(&mut self.items, id);
            self.differing -= usize::from(self.filters[id as usize] != self.common_filter);
            self.rebuild_if_needed(moving, REBUILD_THRESHOLDS[1]);
        }
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.rebuild_if_needed(true, REBUILD_THRESHOLDS[0]);
        self.rebuild_if_needed(false, REBUILD_THRESHOLDS[0]);
        self.visited = 0;
        // No box has the common filter any more.
        if self.differing > 0 && self.differing == self.moving.len + self.fixed.len {
            self.choose_common_filter();
        }
        let filters = (self.differing > 0).then_some(&self.filters[..]);
        if filters.is_none() && !self.common_filter.should_collide(self.common_filter) {
            return;
        }
        for fixed in [None, Some(&self.fixed)] {
            self.visited += TreePair { moving: &self.moving, fixed, filters }.run(&mut self.storage, out);
        }
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        dispatch(BoxQuery { trees: &self.trees(), query: aabb.sanitized(), visit });
    }

    fn query_moving(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        dispatch(BoxQuery { trees: &[&self.moving], query: aabb.sanitized(), visit });
    }

    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        // Neighbouring queries visit nearly the same nodes.
        let order = morton_order(queries.iter().map(|query| query.min));
        dispatch(MultiBoxQuery { trees: self.trees(), queries, order: &order, visit });
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.cast_ray(ray, &mut |id| {
            // The test in the nodes is conservative; this one is exact.
            if self.items[id as usize].aabb.intersects_ray(ray) {
                visit(id)?;
            }
            Continue(1.0)
        });
    }

    fn cast_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        dispatch(RayQuery { trees: self.trees(), ray, visit });
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        nearest_first(self.trees(), &self.items, point, visit);
    }

    fn find_nearest(&self, point: [f64; 2], within: f64, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        dispatch(NearestQuery { trees: self.trees(), point, within, visit });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a source of random numbers below a limit.
    fn random_below() -> impl FnMut(u64) -> u64 {
        let mut state = 1_u64;
        move |n| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        }
    }

    /// Law: boxes with the same filter are paired without tests of filters, whatever was removed before. The
    /// filters allow exactly these pairs.
    #[test]
    fn filters_that_are_removed_cost_nothing() {
        let (mut below, mut bvh, mut pairs) = (random_below(), Bvh::new(), Vec::new());
        let aabb = Aabb32 { min: [0.0; 2], max: [1.0; 2] };
        let mut same = 0;
        for _ in 0..10_000 {
            let id = below(4) as u32;
            match below(3) {
                0 => bvh.remove(id),
                1 => {
                    let filter = Filter { layers: 1 + below(2), mask: 1 + below(3), ..Filter::default() };
                    bvh.insert(id, aabb, filter, id.is_multiple_of(2));
                }
                _ => bvh = Bvh::from_boxes(bvh.entries().map(|e| (e.id, e.aabb, e.filter, e.moving))),
            }
            pairs.clear();
            bvh.pairs(&mut pairs);
            let differing = bvh.entries().filter(|entry| entry.filter != bvh.common_filter).count();
            assert_eq!(bvh.differing, differing);
            let all: Vec<_> = bvh.entries().collect();
            let mut expected = Vec::new();
            for (i, a) in all.iter().enumerate() {
                let allowed =
                    all[i + 1..].iter().filter(|b| (a.moving || b.moving) && a.filter.should_collide(b.filter));
                expected.extend(allowed.map(|b| [a.id, b.id]));
            }
            pairs.sort_unstable();
            assert_eq!(pairs, expected);
            let filters: Vec<_> = bvh.entries().map(|entry| entry.filter).collect();
            if filters.windows(2).all(|two| two[0] == two[1]) {
                assert_eq!(differing, 0);
                same += 1;
            }
        }
        assert!((1_000..9_000).contains(&same), "{same}");
    }

    /// Law: after any change, each node contains its children and all links are consistent.
    #[test]
    fn the_tree_is_one_after_any_change() {
        let mut below = random_below();
        let mut bvh = Bvh::new();
        for step in 0..6_000 {
            let (id, min) = (below(200) as u32, [below(64) as f32, below(64) as f32]);
            let aabb = Aabb32 { min, max: [min[0] + below(4) as f32, min[1] + below(4) as f32] };
            match below(if step < 3_000 { 5 } else { 3 }) {
                0 => bvh.remove(id),
                1 | 2 => bvh.update(id, aabb),
                _ => bvh.insert(id, aabb, Filter::default(), id % 4 > 0),
            }
            for tree in bvh.trees() {
                tree.assert_consistent(&bvh.items);
            }
        }
    }
}
