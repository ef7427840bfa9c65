//! Maintains one dynamic tree of boxes: a wide R-tree (A. Guttman, 1984) that is bulk-loaded and
//! then updated.
//!
//! Input: insertions, removals and moves of boxes. Output: nodes for queries. Leaves store the
//! exact boxes, so query results are exact. A node's bounds may be larger than necessary.
//!
//! The simple version removes a moved box and inserts it again:
//!
//! ```text
//! update(box): remove(box); insert(box)
//! ```
//!
//! Each is a descent from the root, with a cache miss per level. Here a box that moves inside the
//! bounds of its leaf is only stored:
//!
//! ```text
//! update(box):
//!     store the box in its leaf
//!     if the bounds of the leaf still contain it: done
//!     if the leaf would become 1.75 times as long as when it was built:
//!         remove the box and insert it again
//!     else
//!         enlarge the leaf to contain the box and its predicted motion; enlarge the ancestors
//! insert(box):
//!     descend to the leaf whose half perimeter grows least
//!     while the node is full: split it in two and continue with the parent
//! ```
//!
//! Updates enlarge nodes, so the sum of all half perimeters (the cost of a query) grows. Callers
//! rebuild the tree if `needs_rebuild` returns true.

use alloc::vec::Vec;

use super::node::{NONE, Node, WIDTH, half_perimeter, union};
use crate::broad_phase::Aabb32;
use crate::math::sort::sort_short;

/// Number of future steps, each like the last one, that the enlarged bounds of a leaf should
/// contain.
const STEPS_AHEAD: f32 = 8.0;

/// Growth factor at which a leaf is not enlarged. The moved box is inserted again instead.
const MAX_GROWTH: f32 = 1.75;

/// The box of an id, and its location in a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The box, without NaN and infinities.
    pub(super) aabb: Aabb32,
    /// The index of the leaf times [`WIDTH`] plus the lane, or [`NONE`] if the id is not in use.
    pub(super) location: u32,
    /// True if the box can move; it selects the tree.
    pub(super) moving: bool,
}

impl Item {
    /// The state of an id without a box.
    pub(super) const ABSENT: Self = Self { aabb: Aabb32::EMPTY, location: NONE, moving: false };
}

/// Splits a location into node index and lane.
#[inline(always)]
fn node_and_lane(location: u32) -> (usize, usize) {
    (location as usize / WIDTH, location as usize % WIDTH)
}

/// Returns the location of a lane.
#[inline(always)]
pub(super) fn to_location(node: usize, lane: usize) -> u32 {
    (node * WIDTH + lane) as u32
}

/// A tree of boxes that are identified by ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// All nodes, used and unused.
    pub(super) nodes: Vec<Node>,
    /// Index of the root.
    pub(super) root: Option<u32>,
    /// Number of boxes.
    pub(super) len: usize,
    /// Indices of unused nodes.
    free: Vec<u32>,
    /// Sum of the half perimeters of all nodes.
    cost: f64,
    /// The same sum when the tree was built.
    built_cost: f64,
    /// Number of boxes when the tree was built.
    built_len: usize,
    /// Insertions, removals and reinsertions since the last build.
    changes: usize,
    /// Insertions, removals, and updates that left the bounds of a leaf, since the last build.
    work: usize,
}

impl Tree {
    /// Returns a node by index.
    #[inline(always)]
    pub(super) fn node(&self, n: u32) -> &Node {
        &self.nodes[n as usize]
    }

    /// Removes all nodes and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
        *self =
            Self { nodes: core::mem::take(&mut self.nodes), free: core::mem::take(&mut self.free), ..Self::default() };
    }

    /// Resets the reference values of `needs_rebuild` to the current tree.
    pub(super) fn reset_cost(&mut self) {
        for node in &mut self.nodes {
            node.built_half_perimeter = half_perimeter(&node.bounds);
        }
        self.cost = self.nodes.iter().map(|node| f64::from(node.built_half_perimeter)).sum();
        (self.built_cost, self.built_len, self.changes, self.work) = (self.cost, self.len, 0, 0);
    }

    /// Returns true if a rebuild would pay.
    ///
    /// `rebuild_threshold` is the tolerated relative growth of the cost. Always false until the
    /// number of changes is comparable to the cost of a rebuild.
    pub(super) fn needs_rebuild(&self, rebuild_threshold: f64) -> bool {
        if self.work < 64 + self.len / 8 {
            return false;
        }
        // The cost may grow with the number of boxes.
        let growth = self.len.max(1) as f64 / self.built_len.max(1) as f64;
        self.cost > self.built_cost * growth.max(1.0) * (1.0 + rebuild_threshold)
            || self.changes as f64 > self.len as f64 * 2.0 * rebuild_threshold
    }

    /// Inserts a box, and counts the change.
    pub(super) fn insert(&mut self, items: &mut [Item], id: u32, aabb: Aabb32) {
        self.len += 1;
        self.changes += 1;
        self.work += 1;
        self.insert_at_best_leaf(items, id, aabb);
    }

    /// Removes a box, and counts the change.
    pub(super) fn remove(&mut self, items: &mut [Item], id: u32) {
        self.len -= 1;
        self.changes += 1;
        self.work += 1;
        let location = items[id as usize].location;
        items[id as usize].location = NONE;
        self.remove_at(items, location);
    }

    /// Moves a box from `from` to `aabb`. Returns true if it left the bounds of its leaf.
    #[inline]
    pub(super) fn update(&mut self, items: &mut [Item], id: u32, from: &Aabb32, aabb: Aabb32) -> bool {
        let (n, lane) = node_and_lane(items[id as usize].location);
        let node = &mut self.nodes[n];
        node.set_aabb(lane, aabb);
        let leaves = !node.bounds.contains(&aabb);
        if leaves {
            self.reinsert_or_enlarge(items, id, from, aabb);
        }
        leaves
    }

    /// Handles a box that left the bounds of its leaf: enlarges the leaf or inserts the box again.
    fn reinsert_or_enlarge(&mut self, items: &mut [Item], id: u32, from: &Aabb32, aabb: Aabb32) {
        self.work += 1;
        let location = items[id as usize].location;
        let (n, _) = node_and_lane(location);
        let tight = self.nodes[n].tight_bounds();
        let size = half_perimeter(&tight);
        if size > MAX_GROWTH * self.nodes[n].built_half_perimeter && self.nodes[n].len > 1 {
            self.changes += 1;
            self.remove_at(items, location);
            self.insert_at_best_leaf(items, id, aabb);
        } else {
            self.set_bounds(n, union(&tight, &enlarge_along_motion(from, &aabb, 0.125 * size)));
            self.enlarge_ancestors(n);
        }
    }

    /// Sets the bounds of a node and updates the cost.
    fn set_bounds(&mut self, n: usize, bounds: Aabb32) {
        let node = &mut self.nodes[n];
        self.cost += f64::from(half_perimeter(&bounds)) - f64::from(half_perimeter(&node.bounds));
        node.bounds = bounds;
    }

    /// Propagates the bounds of a node to its ancestors.
    fn enlarge_ancestors(&mut self, mut n: usize) {
        while self.nodes[n].parent != NONE {
            let bounds = self.nodes[n].bounds;
            let (parent, lane) = node_and_lane(self.nodes[n].parent);
            self.nodes[parent].set_aabb(lane, bounds);
            if self.nodes[parent].bounds.contains(&bounds) {
                return;
            }
            let tight = self.nodes[parent].tight_bounds();
            self.set_bounds(parent, tight);
            n = parent;
        }
    }

    /// Recomputes the tight bounds of a node and its ancestors.
    fn refit_ancestors(&mut self, mut n: usize) {
        loop {
            let tight = self.nodes[n].tight_bounds();
            if tight == self.nodes[n].bounds {
                return;
            }
            self.set_bounds(n, tight);
            if self.nodes[n].parent == NONE {
                return;
            }
            let (parent, lane) = node_and_lane(self.nodes[n].parent);
            self.nodes[parent].set_aabb(lane, tight);
            n = parent;
        }
    }

    /// Removes the entry at a location, and nodes that become empty.
    fn remove_at(&mut self, items: &mut [Item], location: u32) {
        let (mut n, mut lane) = node_and_lane(location);
        while self.nodes[n].len == 1 {
            let up = self.nodes[n].parent;
            self.drop_node(n);
            if up == NONE {
                self.root = None;
                return;
            }
            (n, lane) = node_and_lane(up);
        }
        self.nodes[n].swap_remove(lane);
        if lane < self.nodes[n].len() {
            self.link(items, n, lane);
        }
        self.refit_ancestors(n);
    }

    /// Frees a node.
    fn drop_node(&mut self, n: usize) {
        self.cost -= f64::from(half_perimeter(&self.nodes[n].bounds));
        self.nodes[n] = Node::EMPTY;
        self.free.push(n as u32);
    }

    /// Returns the index of a new, empty node.
    fn new_node(&mut self, is_leaf: bool) -> usize {
        let n = self.free.pop().map_or(self.nodes.len(), |n| n as usize);
        if n == self.nodes.len() {
            self.nodes.push(Node::EMPTY);
        }
        self.nodes[n].is_leaf = is_leaf;
        n
    }

    /// Stores the location of a lane in the item or node that the lane links to.
    fn link(&mut self, items: &mut [Item], n: usize, lane: usize) {
        let link = self.nodes[n].links[lane] as usize;
        if self.nodes[n].is_leaf {
            items[link].location = to_location(n, lane);
        } else {
            self.nodes[link].parent = to_location(n, lane);
        }
    }

    /// Inserts a box into the leaf that grows least.
    fn insert_at_best_leaf(&mut self, items: &mut [Item], id: u32, aabb: Aabb32) {
        let mut n = self.root.map_or_else(|| self.new_node(true), |root| root as usize);
        self.root.get_or_insert(n as u32);
        // Descend to a leaf.
        while !self.nodes[n].is_leaf {
            n = self.nodes[n].links[self.nodes[n].least_growth(&aabb)] as usize;
        }
        let (mut link, mut aabb) = (id, aabb);
        // Split full nodes upward; the new node is then inserted into the parent.
        while self.nodes[n].len() == WIDTH {
            let other = self.split_node(items, n, link, aabb);
            (link, aabb) = (other as u32, self.nodes[other].bounds);
            if self.nodes[n].parent == NONE {
                self.new_root(items, n);
            }
            self.enlarge_ancestors(n);
            n = node_and_lane(self.nodes[n].parent).0;
        }
        self.add(items, n, link, aabb);
        let node = &mut self.nodes[n];
        node.built_half_perimeter = node.built_half_perimeter.max(half_perimeter(&node.bounds));
        self.enlarge_ancestors(n);
    }

    /// Adds an entry to a node that is not full.
    fn add(&mut self, items: &mut [Item], n: usize, link: u32, aabb: Aabb32) {
        let node = &mut self.nodes[n];
        let before = half_perimeter(&node.bounds);
        let lane = node.push(link, aabb);
        self.cost += f64::from(half_perimeter(&node.bounds)) - f64::from(before);
        self.link(items, n, lane);
    }

    /// Adds a root above the given node.
    fn new_root(&mut self, items: &mut [Item], child: usize) {
        let root = self.new_node(false);
        let bounds = self.nodes[child].bounds;
        self.add(items, root, child as u32, bounds);
        self.root = Some(root as u32);
    }

    /// Splits a full node and one additional entry in two. Returns the index of the second node.
    fn split_node(&mut self, items: &mut [Item], n: usize, link: u32, aabb: Aabb32) -> usize {
        let node = self.nodes[n];
        let mut entries = [(link, aabb); WIDTH + 1];
        for (lane, entry) in entries[..WIDTH].iter_mut().enumerate() {
            *entry = (node.links[lane], node.aabb(lane));
        }
        let cut = best_split(&mut entries);
        let other = self.new_node(node.is_leaf);
        self.cost -= f64::from(half_perimeter(&node.bounds));
        self.nodes[n] = Node::EMPTY;
        (self.nodes[n].parent, self.nodes[n].is_leaf) = (node.parent, node.is_leaf);
        for (i, &(link, aabb)) in entries.iter().enumerate() {
            self.add(items, if i < cut { n } else { other }, link, aabb);
        }
        for half in [n, other] {
            self.nodes[half].built_half_perimeter = half_perimeter(&self.nodes[half].bounds);
        }
        other
    }
}

/// Returns `to` enlarged by [`STEPS_AHEAD`] times its last step, at most `most` per axis.
fn enlarge_along_motion(from: &Aabb32, to: &Aabb32, most: f32) -> Aabb32 {
    let mut enlarged = *to;
    for axis in 0..2 {
        // Extend only in the direction of motion.
        let step = (to.min[axis] - from.min[axis]) * STEPS_AHEAD;
        if step < 0.0 {
            enlarged.min[axis] += step.max(-most);
        } else if step > 0.0 {
            enlarged.max[axis] += step.min(most);
        }
    }
    enlarged
}

/// Sorts entries along the axis with the larger extent of centres. Returns the split index that
/// minimizes the sum of both half perimeters.
fn best_split(entries: &mut [(u32, Aabb32); WIDTH + 1]) -> usize {
    let middle = |aabb: &Aabb32, axis: usize| 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis];
    let spread = |axis: usize| {
        let middles = entries.iter().map(|(_, aabb)| middle(aabb, axis));
        middles.clone().fold(f32::NEG_INFINITY, f32::max) - middles.fold(f32::INFINITY, f32::min)
    };
    // Split across the axis along which the centres differ more.
    let axis = usize::from(spread(1) > spread(0));
    sort_short(entries, |(i, a), (j, b)| middle(a, axis).total_cmp(&middle(b, axis)).then(i.cmp(j)));
    let size = |entries: &[(u32, Aabb32)]| {
        half_perimeter(&entries.iter().fold(Aabb32::EMPTY, |all, (_, aabb)| union(&all, aabb)))
    };
    // Both halves get at least 3 of the 9 entries.
    let cost = |&cut: &usize| size(&entries[..cut]) + size(&entries[cut..]);
    (3..=6).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(WIDTH / 2)
}

#[cfg(test)]
impl Tree {
    /// Asserts that links and locations are consistent and that each node contains its children.
    pub(super) fn assert_consistent(&self, items: &[Item]) {
        let mut open: Vec<u32> = self.root.into_iter().collect();
        let mut found = 0;
        while let Some(n) = open.pop() {
            let node = &self.nodes[n as usize];
            assert!(node.len > 0);
            for lane in 0..node.len() {
                let (link, aabb, location) = (node.links[lane], node.aabb(lane), to_location(n as usize, lane));
                assert!(node.bounds.contains(&aabb));
                if node.is_leaf {
                    assert_eq!((items[link as usize].aabb, items[link as usize].location), (aabb, location));
                    found += 1;
                } else {
                    assert_eq!((self.nodes[link as usize].bounds, self.nodes[link as usize].parent), (aabb, location));
                    open.push(link);
                }
            }
        }
        assert_eq!(found, self.len);
    }
}
