//! Finds the boxes that intersect a box: a static R-tree.
//!
//! Input: the boxes of many outlines, and query boxes. Output: pairs of a query and a box that may intersect.
//!
//! ```text
//! arrange(boxes): split at the median of the centers along the longer axis, until 16 remain
//! build: 16 consecutive boxes are a leaf; the boxes of 16 consecutive nodes are a node of the next level
//! search(queries): for each level, from the root: test the 16 boxes of each open node; open the intersecting ones
//! ```
//!
//! A large tree is not in the cache. So many queries are searched level by level. A first pass over a large level only
//! loads its open nodes: no branch depends on these loads, so the processor runs many of them at once. The tests of the
//! nodes have branches that are hard to predict, and each wrong one would wait for the load of its node.
//!
//! All nodes but the last of a level are full (García, López and Leutenegger, *A greedy algorithm for bulk loading
//! R-trees*, 1998). Medians depend on the order of the centers only, so one outline far away does no harm. A curve that
//! fills the square around all boxes would put all others at one place.
//!
//! Coordinates are `f32`, relative to the median center, so they are precise where most boxes are. Rounding to nearest
//! is monotone: a ≤ b gives f(a) ≤ f(b). So boxes that intersect also intersect after rounding, and no pair is lost.
//! Some pairs are reported in vain; the caller compares the exact boxes.
//!
//! A search takes time for each box that it reports. So it is linear in the number of boxes if all of them intersect
//! the query.

use crate::outline::Bounds;

/// Boxes in a node.
const FANOUT: usize = 16;

/// Nodes of a level from which on they are loaded before their tests. Fewer stay in the cache.
const MANY: usize = 256;

/// Sixteen boxes, as four arrays, one cache line each: a SIMD register compares many of them at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    min: [[f32; FANOUT]; 2],
    max: [[f32; FANOUT]; 2],
}

/// A box in the coordinates of the tree.
type Box32 = [[f32; 2]; 2];

impl Node {
    /// No boxes. Each comparison with NaN is false, so not even an infinite box intersects them.
    const EMPTY: Self = Self { min: [[f32::NAN; FANOUT]; 2], max: [[f32::NAN; FANOUT]; 2] };

    /// Returns a bit for each box that intersects the query.
    #[expect(clippy::needless_bitwise_bool, reason = "without branches, SIMD instructions compare many boxes")]
    fn hits(&self, [min, max]: &Box32) -> u32 {
        let mut hits = [false; FANOUT];
        for (i, hit) in hits.iter_mut().enumerate() {
            *hit = (self.min[0][i] <= max[0])
                & (min[0] <= self.max[0][i])
                & (self.min[1][i] <= max[1])
                & (min[1] <= self.max[1][i]);
        }
        hits.iter().rev().fold(0, |bits, &hit| bits << 1 | u32::from(hit))
    }

    /// Loads a number from each cache line.
    fn touch(&self) -> u32 {
        [&self.min[0], &self.min[1], &self.max[0], &self.max[1]].iter().fold(0, |sum, line| sum ^ line[0].to_bits())
    }

    /// Returns the box around all boxes. `min` and `max` ignore NaN.
    fn bounds(&self) -> Box32 {
        let min = [0, 1].map(|axis| self.min[axis].iter().copied().fold(f32::INFINITY, f32::min));
        let max = [0, 1].map(|axis| self.max[axis].iter().copied().fold(f32::NEG_INFINITY, f32::max));
        [min, max]
    }
}

/// A static R-tree.
#[derive(Debug)]
pub(super) struct Tree {
    origin: [f64; 2],
    /// The leaves, then each level up to the root. Empty if there are no boxes.
    levels: Vec<Vec<Node>>,
}

impl Tree {
    /// Bytes per box: 16 and a share of the levels above.
    pub(super) const BYTES_PER_BOX: usize = 20;

    /// Builds the tree of boxes. Returns it with the leaf index of each box: its index in the order of the leaves.
    pub(super) fn new(boxes: impl Iterator<Item = Bounds> + Clone) -> (Self, Vec<u32>) {
        let origin = [0, 1].map(|axis| median(boxes.clone().map(|bounds| center(&bounds, axis))));
        let mut order: Vec<([f32; 2], u32)> = (0..)
            .zip(boxes.clone())
            .map(|(item, bounds)| ([0, 1].map(|axis| (center(&bounds, axis) - origin[axis]) as f32), item))
            .collect();
        arrange(&mut order);
        let mut tree = Self { origin, levels: Vec::new() };
        let mut leaves = vec![Node::EMPTY; order.len().div_ceil(FANOUT)];
        let mut leaf_indices = vec![0_u32; order.len()];
        for (leaf_index, &(_, item)) in (0..).zip(&order) {
            leaf_indices[item as usize] = leaf_index;
        }
        drop(order);
        for (&leaf_index, bounds) in leaf_indices.iter().zip(boxes) {
            set(&mut leaves, leaf_index as usize, &tree.to_local(&bounds));
        }
        while leaves.len() > 1 {
            let mut above = vec![Node::EMPTY; leaves.len().div_ceil(FANOUT)];
            for (i, node) in leaves.iter().enumerate() {
                set(&mut above, i, &node.bounds());
            }
            tree.levels.push(std::mem::replace(&mut leaves, above));
        }
        if !leaves.is_empty() {
            tree.levels.push(leaves);
        }
        (tree, leaf_indices)
    }

    /// Finds the boxes that each query may intersect: `found.pairs` has the index of the query and the leaf index of
    /// the box. Returns false if there are more than `most` pairs; then search fewer at once, or [one](Tree::start).
    pub(super) fn search(&self, queries: impl Iterator<Item = Bounds>, most: usize, found: &mut Found) -> bool {
        found.queries.clear();
        found.queries.extend(queries.map(|bounds| self.to_local(&bounds)));
        found.pairs.clear();
        found.open.clear();
        if !self.levels.is_empty() {
            found.pairs.extend((0..found.queries.len() as u32).map(|query| [query, 0]));
        }
        for level in self.levels.iter().rev() {
            found.below.clear();
            if level.len() >= MANY {
                let touch = |&[_, node]: &[u32; 2]| level[node as usize].touch();
                std::hint::black_box(found.pairs.iter().fold(0, |sum, pair| sum ^ touch(pair)));
            }
            for &[query, node] in &found.pairs {
                let mut hits = level[node as usize].hits(&found.queries[query as usize]);
                while hits != 0 {
                    found.below.push([query, node * FANOUT as u32 + hits.trailing_zeros()]);
                    hits &= hits - 1;
                }
            }
            std::mem::swap(&mut found.pairs, &mut found.below);
            if found.pairs.len() > most {
                return false;
            }
        }
        true
    }

    /// Starts the search of one query, which [`resume`](Tree::resume) does in steps.
    pub(super) fn start(&self, query: &Bounds, found: &mut Found) {
        found.queries.clear();
        found.queries.push(self.to_local(query));
        found.pairs.clear();
        found.open.clear();
        found.open.extend(self.levels.len().checked_sub(1).map(|root| (root, 0)));
    }

    /// Finds further boxes that the query may intersect, about `most`. None are left if no node is open.
    pub(super) fn resume(&self, most: usize, found: &mut Found) {
        found.pairs.clear();
        while found.pairs.len() < most
            && let Some((level, node)) = found.open.pop()
        {
            let mut hits = self.levels[level][node as usize].hits(&found.queries[0]);
            while hits != 0 {
                let below = node * FANOUT as u32 + hits.trailing_zeros();
                match level.checked_sub(1) {
                    Some(level) => found.open.push((level, below)),
                    None => found.pairs.push([0, below]),
                }
                hits &= hits - 1;
            }
        }
    }

    /// Returns a box relative to the origin of the tree. The empty box is NaN: nothing intersects it.
    fn to_local(&self, bounds: &Bounds) -> Box32 {
        if bounds.is_empty() {
            return [[f32::NAN; 2]; 2];
        }
        [bounds.min, bounds.max].map(|corner| [0, 1].map(|axis| (corner[axis] - self.origin[axis]) as f32))
    }
}

/// The result of a search, and its scratch memory.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Index of a query, and leaf index of a box that it may intersect. Ordered by queries.
    pub(super) pairs: Vec<[u32; 2]>,
    queries: Vec<Box32>,
    below: Vec<[u32; 2]>,
    /// Nodes that the search of one query has not tested yet: level and index.
    open: Vec<(usize, u32)>,
}

impl Found {
    /// Returns true if the search of one query can resume.
    pub(super) fn has_more(&self) -> bool {
        !self.open.is_empty()
    }
}

/// Returns the center of a box along an axis. It is not finite for an empty box.
fn center(bounds: &Bounds, axis: usize) -> f64 {
    bounds.min[axis].midpoint(bounds.max[axis])
}

/// Returns the median of the finite values; 0 if there are none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Arranges the centers of boxes in the order of the leaves.
fn arrange(order: &mut [([f32; 2], u32)]) {
    let mut capacity = FANOUT;
    while capacity * FANOUT < order.len() {
        capacity *= FANOUT;
    }
    arrange_below(order, capacity);
}

/// Arranges the centers below a node. `capacity` is the number of boxes below a child that is full.
fn arrange_below(order: &mut [([f32; 2], u32)], capacity: usize) {
    if order.len() <= FANOUT {
        return;
    }
    if order.len() <= capacity {
        return arrange_below(order, capacity / FANOUT);
    }
    let axis = longer_axis(order);
    let middle = order.len().div_ceil(capacity) / 2 * capacity;
    order.select_nth_unstable_by(middle, |p, q| p.0[axis].total_cmp(&q.0[axis]));
    let (first, second) = order.split_at_mut(middle);
    arrange_below(first, capacity);
    arrange_below(second, capacity);
}

/// Returns the axis along which the centers extend further.
fn longer_axis(order: &[([f32; 2], u32)]) -> usize {
    let (mut min, mut max) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for (center, _) in order {
        for axis in 0..2 {
            min[axis] = min[axis].min(center[axis]);
            max[axis] = max[axis].max(center[axis]);
        }
    }
    usize::from(max[1] - min[1] > max[0] - min[0])
}

/// Stores a box in a list of nodes.
fn set(nodes: &mut [Node], index: usize, [min, max]: &Box32) {
    let (node, lane) = (&mut nodes[index / FANOUT], index % FANOUT);
    for axis in 0..2 {
        node.min[axis][lane] = min[axis];
        node.max[axis][lane] = max[axis];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the index of the box at each leaf index.
    fn inverse(leaf_indices: &[u32]) -> Vec<usize> {
        let mut items = vec![usize::MAX; leaf_indices.len()];
        for (item, &leaf_index) in leaf_indices.iter().enumerate() {
            items[leaf_index as usize] = item;
        }
        items
    }

    /// The tree reports every box that intersects, in maps with one place far away, and with equal boxes.
    #[test]
    fn it_finds_what_brute_force_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in [0, 1, 16, 17, 300, 5000] {
            let mut boxes: Vec<Bounds> = (0..count)
                .map(|_| {
                    let min = [random.f64() * 1e5 + 5e6, random.f64() * 1e5 - 3e5];
                    Bounds { min, max: min.map(|low| low + 3000.0 * random.f64().powi(3)) }
                })
                .collect();
            if count > 100 {
                boxes[7] = Bounds { min: [-1e12; 2], max: [-1e12; 2] };
                boxes[8] = boxes[9];
            }
            let (tree, leaf_indices) = Tree::new(boxes.iter().copied());
            let items = inverse(&leaf_indices);
            let mut found = Found::default();
            for queries in boxes.chunks(50).take(10) {
                assert!(tree.search(queries.iter().copied(), usize::MAX, &mut found));
                let mut exact = 0;
                for (i, query) in (0..).zip(queries) {
                    let of_query = found.pairs.iter().filter(|pair| pair[0] == i).map(|pair| items[pair[1] as usize]);
                    let mut of_query: Vec<usize> = of_query.filter(|&item| boxes[item].intersects(query)).collect();
                    of_query.sort_unstable();
                    let expected: Vec<usize> = (0..count).filter(|&i| boxes[i].intersects(query)).collect();
                    assert_eq!(of_query, expected);
                    exact += expected.len();
                }
                assert!(found.pairs.is_sorted_by_key(|pair| pair[0]));
                // Rounding moves a side by 1/256 at most. So hardly a box is reported in vain.
                assert!(found.pairs.len() <= exact + 1, "{} {exact}", found.pairs.len());
                assert!(!tree.search(queries.iter().copied(), 0, &mut found));
            }
        }
    }
    /// The steps of one query find the same boxes as a search, each once, and no step finds many more than it may.
    #[test]
    fn a_search_in_steps_finds_the_same() {
        let boxes: Vec<Bounds> = (0..1000).map(|x| Bounds { min: [f64::from(x); 2], max: [2e3; 2] }).collect();
        let (tree, leaf_indices) = Tree::new(boxes.iter().copied());
        let items = inverse(&leaf_indices);
        let (mut found, mut all) = (Found::default(), Vec::new());
        tree.start(&Bounds { min: [0.0; 2], max: [800.0; 2] }, &mut found);
        while found.has_more() {
            tree.resume(40, &mut found);
            assert!(found.pairs.len() < 40 + FANOUT);
            all.append(&mut found.pairs);
        }
        let mut all: Vec<usize> = all.into_iter().map(|pair| items[pair[1] as usize]).collect();
        all.sort_unstable();
        assert_eq!(all, (0..=800).collect::<Vec<_>>());
    }

    /// A query without bounds finds all boxes: it meets neither the unused lanes of a node nor empty boxes.
    #[test]
    fn an_infinite_query_finds_each_box_once() {
        for count in [1, 17, 300] {
            let mut boxes: Vec<Bounds> = (0..count).map(|x| Bounds { min: [f64::from(x); 2], max: [2e3; 2] }).collect();
            boxes.push(Bounds::EMPTY);
            let (tree, leaf_indices) = Tree::new(boxes.iter().copied());
            let items = inverse(&leaf_indices);
            let mut found = Found::default();
            for reach in [1e39, f64::INFINITY] {
                let all = Bounds { min: [-reach; 2], max: [reach; 2] };
                assert!(tree.search([all, Bounds::EMPTY].into_iter(), usize::MAX, &mut found));
                let mut all: Vec<usize> = found.pairs.iter().map(|pair| items[pair[1] as usize]).collect();
                all.sort_unstable();
                assert_eq!(all, (0..count as usize).collect::<Vec<_>>());
            }
        }
    }
}
