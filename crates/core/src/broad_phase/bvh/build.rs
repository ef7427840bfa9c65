//! Bulk-loads a tree: overlap-minimizing top-down packing (T. Lee, S. Lee, *OMT*, 2003).
//!
//! Input: all boxes of a tree. Output: a tree whose leaves are full, except the last one, and whose
//! nodes are nearly square.
//!
//! The simple version inserts the boxes one by one. Then nodes are half full and overlap, so
//! queries visit more of them. Top-down packing divides all boxes at once:
//!
//! ```text
//! build(boxes):
//!     if there are at most 8 boxes: return a leaf
//!     q = the largest power of 8 below the number of boxes
//!     if at most 1/4 of the boxes are longer than half the extent of all centres:
//!         put these large boxes into a separate group, because they would enlarge all others
//!     while there are fewer than 8 groups and the largest has more than q boxes
//!         split it near its median, at a multiple of q, along the longer extent of its centres
//!     return a node whose children are build(group) for each group
//! ```
//!
//! Groups are multiples of q, so that all subtrees but the last are full. A split needs the median
//! only, not a sorted order, so the whole build takes O(n log n) time.

use alloc::vec::Vec;

use super::node::{NONE, Node, WIDTH};
use super::tree::{Item, Tree, to_location};
use crate::broad_phase::Aabb32;
use crate::broad_phase::aabb32::{from_sort_key, sort_key};
use crate::math::both::both;

/// The data of a box needed for packing.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildItem {
    /// Twice the centre, as sort keys, because integers compare faster.
    middle: [u32; 2],
    /// The longer side.
    size: f32,
    /// The id of the box.
    id: u32,
}

impl BuildItem {
    fn new(id: u32, aabb: &Aabb32) -> Self {
        let middle = both([0, 1], |axis| sort_key(aabb.min[axis] + aabb.max[axis]));
        Self { middle, size: (aabb.max[0] - aabb.min[0]).max(aabb.max[1] - aabb.min[1]), id }
    }
}

/// A range of items that ends before `end`, and the bounds of their doubled centres, as sort keys.
#[derive(Clone, Copy)]
struct ItemRange {
    /// The index after the last box of the group.
    end: usize,
    min: [u32; 2],
    max: [u32; 2],
}

impl ItemRange {
    const NONE: Self = Self { end: 0, min: [u32::MAX; 2], max: [0; 2] };

    /// Returns the group of all given items, which ends at index `end`.
    fn of(seeds: &[BuildItem], end: usize) -> Self {
        let mut group = Self { end, ..Self::NONE };
        for seed in seeds {
            let [x, y] = seed.middle;
            group.min = [group.min[0].min(x), group.min[1].min(y)];
            group.max = [group.max[0].max(x), group.max[1].max(y)];
        }
        group
    }

    /// Returns twice the extent of the centres along an axis.
    fn extent(&self, axis: usize) -> f32 {
        from_sort_key(self.max[axis]) - from_sort_key(self.min[axis])
    }
}

/// Builds a tree of the moving or of the fixed boxes. `seeds` is scratch memory.
pub(super) fn bulk_load(tree: &mut Tree, items: &mut [Item], moving: bool, seeds: &mut Vec<BuildItem>) {
    seeds.clear();
    for (id, item) in items.iter().enumerate() {
        if item.location != NONE && item.moving == moving {
            seeds.push(BuildItem::new(id as u32, &item.aabb));
        }
    }
    tree.clear();
    tree.len = seeds.len();
    if !seeds.is_empty() {
        tree.root = Some(0);
        // A full tree has one node per seven boxes. Some nodes are not full.
        tree.nodes.reserve(seeds.len() / 6 + WIDTH);
        tree.nodes.push(Node::EMPTY);
        build_node(tree, items, 0, seeds);
    }
    tree.reset_cost();
}

/// Builds the subtree of node `n` from the given boxes and returns its bounds.
fn build_node(tree: &mut Tree, items: &mut [Item], n: usize, seeds: &mut [BuildItem]) -> Aabb32 {
    if seeds.len() <= WIDTH {
        let node = &mut tree.nodes[n];
        for seed in seeds {
            let item = &mut items[seed.id as usize];
            item.location = to_location(n, node.push(seed.id, item.aabb));
        }
        return tree.nodes[n].bounds;
    }
    // Children are allocated next to each other, before their subtrees.
    let (groups, count) = partition(seeds);
    let first = tree.nodes.len();
    tree.nodes.resize(first + count, Node::EMPTY);
    tree.nodes[n].is_leaf = false;
    let mut start = 0;
    for (lane, group) in groups[..count].iter().enumerate() {
        tree.nodes[first + lane].parent = to_location(n, lane);
        let bounds = build_node(tree, items, first + lane, &mut seeds[start..group.end]);
        tree.nodes[n].push((first + lane) as u32, bounds);
        start = group.end;
    }
    tree.nodes[n].bounds
}

/// Reorders the boxes into up to eight groups. Returns the groups and their count.
fn partition(seeds: &mut [BuildItem]) -> ([ItemRange; WIDTH], usize) {
    // Groups are multiples of a full subtree, except the last one.
    let quantum = WIDTH.pow((seeds.len() - 1).ilog(WIDTH));
    let mut groups = [ItemRange::NONE; WIDTH];
    groups[0] = ItemRange::of(seeds, seeds.len());
    let mut count = 1;
    // The extent is doubled, so the factor 0.25 means half the extent.
    let large = partition_large(seeds, 0.25 * groups[0].extent(0).max(groups[0].extent(1)));
    if large > 0 {
        let (all, rest) = (seeds.len(), seeds.len() - large);
        groups[0] = ItemRange::of(&seeds[..rest], rest);
        groups[1] = ItemRange::of(&seeds[rest..], all);
        count = 2;
    }
    while count < WIDTH {
        let start = |k: usize| if k == 0 { 0 } else { groups[k - 1].end };
        let mut largest = 0;
        for k in 1..count {
            if groups[k].end - start(k) >= groups[largest].end - start(largest) {
                largest = k;
            }
        }
        let (from, group) = (start(largest), groups[largest]);
        let len = group.end - from;
        if len <= quantum {
            break;
        }
        groups.copy_within(largest..WIDTH - 1, largest + 1);
        // Half of the subtrees, rounded down, go to the first group.
        let cut = len.div_ceil(quantum) / 2 * quantum;
        let halves = median_split(&mut seeds[from..group.end], group, cut);
        groups[largest] = ItemRange { end: from + cut, ..halves[0] };
        groups[largest + 1] = halves[1];
        count += 1;
    }
    (groups, count)
}

/// Partitions the boxes: the first `cut` boxes along the longer axis come first. Returns both
/// groups.
fn median_split(seeds: &mut [BuildItem], group: ItemRange, cut: usize) -> [ItemRange; 2] {
    let axis = usize::from(group.extent(1) > group.extent(0));
    // `& 1`: no bounds check. One closure for both axes, because the selection is compiled for each closure.
    let middle = seeds.select_nth_unstable_by_key(cut, |seed| seed.middle[axis & 1]).1.middle[axis];
    let mut halves = [group; 2];
    halves[0].max[axis] = middle;
    halves[1].min[axis] = middle;
    halves
}

/// Moves boxes longer than `limit` to the end and returns their number.
///
/// Returns 0 and moves nothing if more than a quarter of the boxes are longer.
fn partition_large(seeds: &mut [BuildItem], limit: f32) -> usize {
    let large = seeds.iter().filter(|seed| seed.size > limit).count();
    if large == 0 || large > seeds.len() / 4 {
        return 0;
    }
    let mut end = seeds.len();
    let mut i = 0;
    while i < end {
        if seeds[i].size > limit {
            end -= 1;
            seeds.swap(i, end);
        } else {
            i += 1;
        }
    }
    large
}
