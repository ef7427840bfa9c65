//! Packing a tree: from above, along the longer side, into parts that fill their nodes to the last lane.
//!
//! ```text
//! a part of up to 8 boxes is a leaf
//! q = the largest power of 8 that is less than the part
//! boxes as large as the whole part spreads are a part of their own: they would stretch all others
//! halve the largest part, at a multiple of q, along the side on which its middles spread most, until there are 8 or all are at most q
//! ```
//!
//! So all leaves but the last are full, and nodes are nearly square, as in an overlap-minimizing top-down packing (Lee and Lee 2003).

use alloc::vec::Vec;

use super::node::{NONE, NOTHING, Node, WIDTH};
use super::tree::{Item, Tree, join};
use crate::broad::Box32;

/// What packing needs of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    middle: [f32; 2],
    /// The longer side.
    size: f32,
    id: u32,
}

impl Seed {
    fn new(id: u32, aabb: &Box32) -> Self {
        let [x, y] = [0, 1].map(|k| 0.5 * aabb.min[k] + 0.5 * aabb.max[k]);
        Self { middle: [x, y], size: (aabb.max[0] - aabb.min[0]).max(aabb.max[1] - aabb.min[1]), id }
    }
}

/// Packs the boxes that move, or those that do not, into a tree; `seeds` is storage that is kept.
pub(super) fn pack(tree: &mut Tree, items: &mut [Item], moving: bool, seeds: &mut Vec<Seed>) {
    seeds.clear();
    let present = (0..).zip(items.iter()).filter(|(_, item)| item.place != NONE && item.moving == moving);
    seeds.extend(present.map(|(id, item)| Seed::new(id, &item.aabb)));
    tree.clear();
    tree.len = seeds.len();
    if !seeds.is_empty() {
        tree.root = 0;
        tree.nodes.push(Node::EMPTY);
        grow(tree, items, 0, seeds);
    }
    tree.note_as_built();
}

/// Fills a node with some of the boxes.
fn grow(tree: &mut Tree, items: &mut [Item], n: usize, seeds: &mut [Seed]) -> Box32 {
    if seeds.len() <= WIDTH {
        let node = &mut tree.nodes[n];
        for seed in seeds {
            let item = &mut items[seed.id as usize];
            item.place = join(n, node.push(seed.id, item.aabb));
        }
        return tree.nodes[n].bounds;
    }
    let (parts, ends) = divide(seeds);
    let first = tree.nodes.len();
    tree.nodes.resize(first + parts, Node::EMPTY);
    tree.nodes[n].is_leaf = false;
    let mut start = 0;
    for (lane, &end) in ends[..parts].iter().enumerate() {
        tree.nodes[first + lane].up = join(n, lane);
        let bounds = grow(tree, items, first + lane, &mut seeds[start..end]);
        tree.nodes[n].push((first + lane) as u32, bounds);
        start = end;
    }
    tree.nodes[n].bounds
}

/// Orders boxes into up to eight parts: how many, and where each ends.
fn divide(seeds: &mut [Seed]) -> (usize, [usize; WIDTH]) {
    let quantum = WIDTH.pow((seeds.len() - 1).ilog(WIDTH));
    let mut ends = [0; WIDTH];
    ends[0] = seeds.len();
    let mut parts = 1;
    let giants = giants_last(seeds);
    if giants > 0 {
        ends[..2].copy_from_slice(&[seeds.len() - giants, seeds.len()]);
        parts = 2;
    }
    while parts < WIDTH {
        let start = |k: usize| if k == 0 { 0 } else { ends[k - 1] };
        // Of equal ones the last: max_by_key.
        let Some(largest) = (0..parts).max_by_key(|&k| ends[k] - start(k)) else { break };
        let (from, to) = (start(largest), ends[largest]);
        if to - from <= quantum {
            break;
        }
        let cut = from + (to - from).div_ceil(quantum) / 2 * quantum;
        halve(&mut seeds[from..to], cut - from);
        ends.copy_within(largest..WIDTH - 1, largest + 1);
        ends[largest] = cut;
        parts += 1;
    }
    (parts, ends)
}

/// The box of the middles.
fn spread(seeds: &[Seed]) -> Box32 {
    seeds.iter().fold(NOTHING, |all, seed| {
        let [x, y] = seed.middle;
        Box32 { min: [all.min[0].min(x), all.min[1].min(y)], max: [all.max[0].max(x), all.max[1].max(y)] }
    })
}

/// Brings those `cut` boxes to the front that lie first along the longer side.
fn halve(seeds: &mut [Seed], cut: usize) {
    let Box32 { min, max } = spread(seeds);
    if max[0] - min[0] >= max[1] - min[1] {
        seeds.select_nth_unstable_by(cut, |a, b| a.middle[0].total_cmp(&b.middle[0]));
    } else {
        seeds.select_nth_unstable_by(cut, |a, b| a.middle[1].total_cmp(&b.middle[1]));
    }
}

/// Brings those boxes to the end that are large beside the whole part, where they are few: says how many.
fn giants_last(seeds: &mut [Seed]) -> usize {
    let Box32 { min, max } = spread(seeds);
    let limit = 0.5 * (max[0] - min[0]).max(max[1] - min[1]);
    let giants = seeds.iter().filter(|seed| seed.size > limit).count();
    if giants == 0 || giants > seeds.len() / 4 {
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
    giants
}
