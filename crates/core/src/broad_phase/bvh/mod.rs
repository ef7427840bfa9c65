//! A bounding volume hierarchy: the strategy for where little moves, and for queries.
//!
//! Two trees, one of what moves and one of what does not, each of eight boxes a node ([`node`]); [`tree`] keeps them while boxes come, move and go, [`build`] packs
//! them, [`pairs`] walks them against each other, and [`visit`] answers queries.

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
use build::{BuildItem, pack};
use node::NONE;
use queries::{BoxQuery, InBoxes, NearestQuery, RayQuery, nearest_first};
use self_traversal::{Storage, TreePair};
use tree::{Item, Tree};

/// A tree over the boxes that move and one over those that do not.
///
/// A box that does not move costs nothing in a frame: of the tree of such boxes, only what is near to a moving one is looked at. A moving box is written where it
/// lies in its tree, and only where it leaves the room that was left for it, the tree is mended. What has become loose is packed anew, by [`pairs`](BroadPhase::pairs)
/// or where updates alone have gone on for long; [`optimize`](Bvh::optimize) does it at once.
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
    /// By id.
    items: Vec<Item>,
    filters: Vec<Filter>,
    /// The one filter that all boxes so far had; none once there were two.
    uniform: Option<Filter>,
    moving: Tree,
    fixed: Tree,
    /// Storage that is kept.
    seeds: Vec<BuildItem>,
    storage: Storage,
    visited: usize,
}

/// By how much trees may be worse than packed ones when pairs are asked for, and while they are only changed.
const SLACK: [f64; 2] = [0.15, 0.35];

impl Bvh {
    /// Without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Of many boxes at once: their ids, boxes, filters, and whether they move. Faster than inserting one by one; of several of one id the last counts.
    pub fn from_boxes(boxes: impl IntoIterator<Item = (u32, Aabb32, Filter, bool)>) -> Self {
        let (mut bvh, boxes) = (Self::new(), boxes.into_iter());
        let count = boxes.size_hint().0;
        bvh.items.reserve(count);
        bvh.filters.reserve(count);
        for (id, aabb, filter, moving) in boxes {
            bvh.note(id, filter);
            // Packing needs no more of a place than that it is one.
            bvh.items[id as usize] = Item { aabb: aabb.sanitized(), place: 0, moving };
        }
        bvh.optimize();
        bvh
    }

    /// Packs both trees anew: queries are never faster than after that. Worth it after many insertions one by one.
    pub fn optimize(&mut self) {
        self.pack(true);
        self.pack(false);
    }

    /// How many nodes, or pairs of nodes, the last [`pairs`](BroadPhase::pairs) looked at.
    #[must_use]
    pub fn nodes_visited(&self) -> usize {
        self.visited
    }

    /// How many nodes a query of this box looks at: what tells a good tree from a bad one.
    #[must_use]
    pub fn count_visits(&self, aabb: Aabb32) -> usize {
        dispatch(BoxQuery { trees: self.trees(), query: aabb.sanitized(), visit: |_| Continue(()) })
    }

    /// All that it holds.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        let there = (0..).zip(&self.items).filter(|(_, item)| item.place != NONE);
        there.map(|(id, item)| Entry { id, aabb: item.aabb, filter: self.filters[id as usize], moving: item.moving })
    }

    fn trees(&self) -> [&Tree; 2] {
        [&self.moving, &self.fixed]
    }

    fn tree(&mut self, moving: bool) -> &mut Tree {
        if moving { &mut self.moving } else { &mut self.fixed }
    }

    fn pack(&mut self, moving: bool) {
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        pack(tree, &mut self.items, moving, &mut self.seeds);
    }

    fn pack_if_loose(&mut self, moving: bool, slack: f64) {
        if self.tree(moving).needs_rebuild(slack) {
            self.pack(moving);
        }
    }

    /// Makes room for an id and remembers its filter.
    fn note(&mut self, id: u32, filter: Filter) {
        let end = id as usize + 1;
        if self.items.is_empty() {
            self.uniform = Some(filter);
        } else if self.uniform.is_some_and(|only| only != filter) {
            self.uniform = None;
        }
        if self.items.len() < end {
            self.items.resize(end, Item::ABSENT);
            self.filters.resize(end, filter);
        }
        self.filters[id as usize] = filter;
    }

    fn present(&self, id: u32) -> Option<Item> {
        self.items.get(id as usize).filter(|item| item.place != NONE).copied()
    }
}

impl BroadPhase for Bvh {
    fn name(&self) -> &'static str {
        "bvh"
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        let aabb = aabb.sanitized();
        self.remove(id);
        self.note(id, filter);
        self.items[id as usize] = Item { aabb, place: NONE, moving };
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        tree.insert(&mut self.items, id, aabb);
        self.pack_if_loose(moving, SLACK[1]);
    }

    #[inline]
    fn update(&mut self, id: u32, aabb: Aabb32) {
        let (Some(item), aabb) = (self.items.get_mut(id as usize), aabb.sanitized()) else { return };
        if item.place == NONE || item.aabb == aabb {
            return;
        }
        let (moving, from) = (item.moving, core::mem::replace(&mut item.aabb, aabb));
        let tree = if moving { &mut self.moving } else { &mut self.fixed };
        if tree.update(&mut self.items, id, &from, aabb) {
            self.pack_if_loose(moving, SLACK[1]);
        }
    }

    fn remove(&mut self, id: u32) {
        if let Some(Item { moving, .. }) = self.present(id) {
            let tree = if moving { &mut self.moving } else { &mut self.fixed };
            tree.remove(&mut self.items, id);
            self.pack_if_loose(moving, SLACK[1]);
        }
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.pack_if_loose(true, SLACK[0]);
        self.pack_if_loose(false, SLACK[0]);
        self.visited = 0;
        if self.uniform.is_some_and(|only| !only.should_collide(only)) {
            return;
        }
        let filters = if self.uniform.is_some() { None } else { Some(&self.filters[..]) };
        for fixed in [None, Some(&self.fixed)] {
            self.visited += TreePair { moving: &self.moving, fixed, filters }.run(&mut self.storage, out);
        }
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        dispatch(BoxQuery { trees: self.trees(), query: aabb.sanitized(), visit });
    }

    fn visit_boxes(&self, queries: &[Aabb32], visit: &mut dyn FnMut(u32, u32)) {
        let order = morton_order(queries.iter().map(|query| query.min));
        dispatch(InBoxes { trees: self.trees(), queries, order: &order, visit });
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.cast_ray(ray, &mut |id| {
            // The nodes' test is a little generous.
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

    /// Law: whatever is done to a tree, nodes hold what is below them and everything is where it is said to be.
    #[test]
    fn the_tree_is_one_after_any_change() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
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
                tree.check(&bvh.items);
            }
        }
    }
}
