//! Queries both trees: boxes, rays, and nearest boxes to a point.
//!
//! Input: a query, and a function that visits ids and may lower the limit. Output: calls of this
//! function. Box queries are plain traversals with an explicit stack. Ray and nearest queries share
//! one depth-first branch-and-bound `search`. Strict order by distance uses a priority queue (G. R.
//! Hjaltason, H. Samet, *Distance browsing in spatial databases*, 1999).
//!
//! A priority queue of nodes would serve the first hit too, but it stores each child with its key.
//! The depth-first search pushes one entry per node: its remaining children as a mask, with their
//! least key.
//!
//! For several query boxes, eight neighbours form a node, so that a tree node is loaded once for
//! eight queries.

use alloc::collections::BinaryHeap;
use core::cmp::Reverse;
use core::ops::ControlFlow::{self, Break, Continue};

use super::node::{NONE, Node, Splat, WIDTH, bits};
use super::stack::{INLINE, LEVELS, Stack};
use super::tree::{Item, Tree};
use crate::broad_phase::simd_box_tests::{BoxTest, PointDistance, RaySlabs};
use crate::broad_phase::{Aabb32, LocalRay};
use crate::math::prefetch::prefetch;
use crate::math::simd::{Simd, SimdKernel, f32x8, mask32x8};

/// Prefetch distance in queries: two groups.
const PREFETCH_DISTANCE: usize = 2 * WIDTH;

/// Visits the boxes that intersect a query box. Returns the number of nodes visited.
pub(super) struct BoxQuery<'a, 'v> {
    /// The trees that are searched.
    pub(super) trees: &'a [&'a Tree],
    /// The query box.
    pub(super) query: Aabb32,
    /// Gets each id; may end the query.
    pub(super) visit: &'a mut (dyn FnMut(u32) -> ControlFlow<()> + 'v),
}

impl SimdKernel for BoxQuery<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let (query, mut visited) = (Splat::new(simd, &self.query), 0);
        let mut storage = [NONE; INLINE];
        let mut open = Stack::new(&mut storage);
        for tree in self.trees {
            let mut next = tree.root;
            while let Some(n) = next {
                visited += 1;
                let node = tree.node(n);
                let mut hits = bits(query.hits(simd, node));
                if node.is_leaf {
                    for lane in hits {
                        if (self.visit)(node.link(lane)).is_break() {
                            return visited;
                        }
                    }
                    next = open.pop();
                    continue;
                }
                // Descend to the first child directly; a push and a pop would be slower.
                next = match hits.next() {
                    Some(lane) => Some(node.link(lane)),
                    None => open.pop(),
                };
                for lane in hits {
                    open.push(node.link(lane));
                }
            }
        }
        visited
    }
}

/// Visits the boxes that intersect any of several query boxes.
///
/// Eight neighbouring queries form a node, which is tested against the trees.
pub(super) struct MultiBoxQuery<'a, F> {
    /// The trees of the moving and of the fixed boxes.
    pub(super) trees: [&'a Tree; 2],
    /// The query boxes.
    pub(super) queries: &'a [Aabb32],
    /// The query indices in Morton order, so that neighbours are adjacent.
    pub(super) order: &'a [u32],
    /// Gets the index of a query and the id of a box that intersects it.
    pub(super) visit: F,
}

impl<F: FnMut(u32, u32)> SimdKernel for MultiBoxQuery<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut storage = [NONE; INLINE];
        let mut open = Stack::new(&mut storage);
        let mut ahead = self.order.iter().skip(PREFETCH_DISTANCE);
        for indices in self.order.chunks(WIDTH) {
            let mut queries = Node::EMPTY;
            for &index in indices {
                if let Some(&next_query) = ahead.next() {
                    prefetch(self.queries, next_query as usize);
                }
                queries.push(index, self.queries[index as usize].sanitized());
            }
            // Descend by the common bounds; in leaves, test each box against the eight queries.
            let all = Splat::new(simd, &queries.bounds);
            for tree in self.trees {
                if let Some(root) = tree.root {
                    open.push(root);
                }
                while let Some(n) = open.pop() {
                    let node = tree.node(n);
                    for lane in bits(all.hits(simd, node)) {
                        if node.is_leaf {
                            let hits = Splat::new(simd, &node.aabb(lane)).hits(simd, &queries);
                            for query in bits(hits) {
                                (self.visit)(queries.link(query), node.link(lane));
                            }
                        } else {
                            open.push(node.link(lane));
                        }
                    }
                }
            }
        }
    }
}

/// Visits the boxes that a ray hits, front to back. The visitor may lower the limit.
pub(super) struct RayQuery<'a, F> {
    /// The trees of the moving and of the fixed boxes.
    pub(super) trees: [&'a Tree; 2],
    /// The ray, relative to the local origin.
    pub(super) ray: &'a LocalRay,
    /// Gets each id; returns the new limit, a fraction of the ray.
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> SimdKernel for RayQuery<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        search(simd, self.trees, RaySlabs::new(simd, self.ray), self.visit);
    }
}

/// Visits candidates for the nearest box to a point, near boxes first. The visitor may lower the
/// limit.
pub(super) struct NearestQuery<'a, F> {
    /// The trees of the moving and of the fixed boxes.
    pub(super) trees: [&'a Tree; 2],
    /// The point, relative to the local origin.
    pub(super) point: [f64; 2],
    /// The largest distance of interest, in units of length.
    pub(super) within: f64,
    /// Gets each id; returns the new limit, a distance.
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> SimdKernel for NearestQuery<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let bounds = self.trees.into_iter().filter_map(|tree| tree.root.map(|root| tree.node(root).bounds));
        let mut test = PointDistance::new(simd, self.point, bounds);
        test.tighten(self.within);
        search(simd, self.trees, test, self.visit);
    }
}

/// Depth-first branch-and-bound search.
///
/// ```text
/// push both roots
/// while the stack is not empty
///     pop a node; skip it if its lower bound exceeds the limit
///     loop
///         compute the lower bounds (keys) of its up to 8 children
///         if it is a leaf: visit its boxes in ascending order of keys, until one exceeds the limit
///         else push the node with its other children, and descend to the child with the least key
/// ```
#[inline(always)]
fn search<S: Simd>(
    simd: S,
    trees: [&Tree; 2],
    mut bound: impl BoxTest<S>,
    mut visit: impl FnMut(u32) -> ControlFlow<(), f64>,
) {
    // Stack entries: node index; tree index times 256 plus the mask of remaining lanes; a lower
    // bound for the keys of these lanes.
    let mut storage = [(0, 0, 0.0_f32); LEVELS];
    let mut open = Stack::new(&mut storage);
    // One search for both trees: a result in one tree prunes the other.
    for (tree_index, tree) in [(0_u32, trees[0]), (1, trees[1])] {
        if let Some(root) = tree.root {
            open.push((root, tree_index << 8 | 0xff, 0.0));
        }
    }
    while let Some((mut n, left, least)) = open.pop() {
        // The limit may be lower than when the node was pushed.
        if least > bound.limit() {
            continue;
        }
        let (tree_index, mut left) = (left >> 8, left & 0xff);
        let tree = trees[tree_index as usize % 2];
        loop {
            let node = tree.node(n);
            let (hits, keys) = bound.hits(simd, node);
            let mut hits = hits.to_bitmask() as u32 & left;
            if node.is_leaf {
                // Visit the boxes of a leaf in ascending order of keys.
                while let Some(lane) = min_key_lane(simd, hits, keys) {
                    hits &= !(1 << lane);
                    if keys[lane] > bound.limit() {
                        break;
                    }
                    match visit(node.link(lane)) {
                        Continue(limit) => bound.tighten(limit),
                        Break(()) => return,
                    }
                }
                break;
            }
            // A child with key 0 contains the start of the query. No key is less, so the minimum is
            // not computed.
            let contains_start = keys.simd_le(f32x8::splat(simd, 0.0)).to_bitmask() as u32 & hits;
            let first = if contains_start != 0 {
                Some(contains_start.trailing_zeros() as usize % WIDTH)
            } else {
                min_key_lane(simd, hits, keys)
            };
            let Some(first) = first else { break };
            hits &= !(1 << first);
            // Keys of the other lanes are computed again later, with the limit of that time. That
            // is cheaper than storing each key.
            if hits != 0 {
                open.push((n, tree_index << 8 | hits, keys[first]));
            }
            (n, left) = (node.link(first), 0xff);
        }
    }
}

/// Returns the lane with the least key among `hits`, the lowest for equal keys.
///
/// Branch-free for any number of hits, because the number is unpredictable.
#[inline(always)]
fn min_key_lane<S: Simd>(simd: S, hits: u32, keys: f32x8<S>) -> Option<usize> {
    if hits == 0 {
        return None;
    }
    // Other lanes become +∞, then the first lane with the minimum is selected.
    let keys: f32x8<S> = mask32x8::from_bitmask(simd, u64::from(hits)).select(keys, f32x8::splat(simd, f32::INFINITY));
    let least = keys.simd_eq(keys.reduce_min());
    Some((least.to_bitmask() as u32 & hits).trailing_zeros() as usize % WIDTH)
}

/// An entry of the priority queue: a node with a lower bound of its distances, or a box with its
/// distance.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct QueueEntry {
    /// The bits of the distance of the box from the point, or of a lower bound for the boxes of the
    /// node. Distances are not negative, so the order of their bits is that of the distances.
    distance: u64,
    /// At equal distance, nodes come before boxes, so that boxes at equal distance come in id order.
    is_box: bool,
    /// The index of the node, or the id of the box.
    link: u32,
    /// The index of the tree.
    tree: usize,
}

/// Visits all boxes in the exact order of their distance, then of their ids (Hjaltason and Samet
/// 1999).
pub(super) fn nearest_first(
    trees: [&Tree; 2],
    items: &[Item],
    point: [f64; 2],
    visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>,
) {
    let mut open = BinaryHeap::new();
    for (tree, root) in trees.map(|tree| tree.root).into_iter().enumerate() {
        open.extend(root.map(|link| Reverse(QueueEntry { distance: 0, is_box: false, link, tree })));
    }
    while let Some(Reverse(QueueEntry { distance, is_box, link, tree })) = open.pop() {
        // A box at the front of the queue is the next nearest.
        if is_box {
            if visit(link, f64::from_bits(distance)).is_break() {
                return;
            }
            continue;
        }
        let node = trees[tree].node(link);
        for lane in 0..node.len() {
            let link = node.links[lane];
            let aabb = if node.is_leaf { items[link as usize].aabb } else { node.aabb(lane) };
            let distance = aabb.distance(point).to_bits();
            open.push(Reverse(QueueEntry { distance, is_box: node.is_leaf, link, tree }));
        }
    }
}
