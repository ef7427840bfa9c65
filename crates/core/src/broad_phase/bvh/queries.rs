//! Visits: what meets a box or a ray, and what is nearest to a point.

use alloc::collections::BinaryHeap;
use core::cmp::{Ordering, Reverse};
use core::ops::ControlFlow::{self, Break, Continue};

use super::node::{NONE, Node, Splat, WIDTH, bits};
use super::stack::{INLINE, LEVELS, Stack};
use super::tree::{Item, Tree};
use crate::broad_phase::simd_box_tests::{BoxTest, PointDistance, RaySlabs};
use crate::broad_phase::{Aabb32, LocalRay};
use crate::math::prefetch::prefetch;
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, f32x8, mask32x8};

/// How many queries ahead memory is asked for one: two nodes of them.
const AHEAD: usize = 2 * WIDTH;

/// Visits what meets a box; counts the nodes that it looks at.
pub(super) struct BoxQuery<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) query: Aabb32,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<()>> SimdKernel for BoxQuery<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let (query, mut visited) = (Splat::new(simd, &self.query), 0);
        let mut room = [NONE; INLINE];
        let mut open = Stack::new(&mut room);
        for tree in self.trees {
            let mut next = (tree.root != NONE).then_some(tree.root);
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
                // Straight on to the first: by way of the stack would take longer.
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

/// Visits what meets any of many boxes: neighbours eight at a time, as a node of their own that is walked against the trees.
pub(super) struct InBoxes<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) queries: &'a [Aabb32],
    /// The queries' numbers, neighbours together.
    pub(super) order: &'a [u32],
    pub(super) visit: F,
}

impl<F: FnMut(u32, u32)> SimdKernel for InBoxes<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut room = [NONE; INLINE];
        let mut open = Stack::new(&mut room);
        let mut ahead = self.order.iter().skip(AHEAD);
        for numbers in self.order.chunks(WIDTH) {
            let mut queries = Node::EMPTY;
            for &number in numbers {
                if let Some(&soon) = ahead.next() {
                    prefetch(self.queries, soon as usize);
                }
                queries.push(number, self.queries[number as usize].sanitized());
            }
            let all = Splat::new(simd, &queries.bounds);
            for tree in self.trees {
                if tree.root != NONE {
                    open.push(tree.root);
                }
                while let Some(n) = open.pop() {
                    let node = tree.node(n);
                    for lane in bits(all.hits(simd, node)) {
                        if node.is_leaf {
                            let near = Splat::new(simd, &node.aabb(lane)).hits(simd, &queries);
                            for query in bits(near) {
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

/// Visits what a ray meets, front to back, with a limit that the visitor may draw nearer.
pub(super) struct RayQuery<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) ray: &'a LocalRay,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> SimdKernel for RayQuery<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        search(simd, self.trees, RaySlabs::new(simd, self.ray), self.visit);
    }
}

/// Visits what may be nearest to a point, near boxes early, with a limit that the visitor may draw nearer.
pub(super) struct NearestQuery<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) point: [f64; 2],
    pub(super) within: f64,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> SimdKernel for NearestQuery<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let grown = self.trees.into_iter().filter(|tree| tree.root != NONE);
        let mut near = PointDistance::new(simd, self.point, grown.map(|tree| tree.node(tree.root).bounds));
        near.tighten(self.within);
        search(simd, self.trees, near, self.visit);
    }
}

/// A depth-first search that goes on with the least of a node's children; what it left behind is dropped when the limit has come nearer in the meantime.
#[inline(always)]
fn search<S: Simd>(
    simd: S,
    trees: [&Tree; 2],
    mut bound: impl BoxTest<S>,
    mut visit: impl FnMut(u32) -> ControlFlow<(), f64>,
) {
    // A node, the tree that it is of times 256 plus the lanes that are left of it, and the least that they can have.
    let mut room = [(0, 0, 0.0_f32); LEVELS];
    let mut open = Stack::new(&mut room);
    // Both trees in one search: what the one has spares the other.
    for (which, tree) in [(0_u32, trees[0]), (1, trees[1])] {
        if tree.root != NONE {
            open.push((tree.root, which << 8 | 0xff, 0.0));
        }
    }
    while let Some((mut n, left, least)) = open.pop() {
        if least > bound.limit() {
            continue;
        }
        let (which, mut left) = (left >> 8, left & 0xff);
        let tree = trees[which as usize % 2];
        loop {
            let node = tree.node(n);
            let (hits, keys) = bound.hits(simd, node);
            let mut hits = hits.to_bitmask() as u32 & left;
            if node.is_leaf {
                while let Some(lane) = least_of(simd, hits, keys) {
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
            // On the way down some box holds the place where the search begins: nothing is less, and to find the least takes longer.
            let around = keys.simd_le(f32x8::splat(simd, 0.0)).to_bitmask() as u32 & hits;
            let first =
                if around != 0 { Some(around.trailing_zeros() as usize % WIDTH) } else { least_of(simd, hits, keys) };
            let Some(first) = first else { break };
            hits &= !(1 << first);
            // The rest is looked at again, with the limit of then, which costs less than to remember each.
            if hits != 0 {
                open.push((n, which << 8 | hits, keys[first]));
            }
            (n, left) = (node.link(first), 0xff);
        }
    }
}

/// The lane with the least key among those that are hit, the first of equal ones. The same steps for one as for eight: nobody can guess how many there are.
#[inline(always)]
fn least_of<S: Simd>(simd: S, hits: u32, keys: f32x8<S>) -> Option<usize> {
    if hits == 0 {
        return None;
    }
    let keys: f32x8<S> = mask32x8::from_bitmask(simd, u64::from(hits)).select(keys, f32x8::splat(simd, f32::INFINITY));
    let (low, high) = keys.split();
    let least = keys.simd_eq(f32x8::splat(simd, low.min(high).reduce_min()));
    Some((least.to_bitmask() as u32 & hits).trailing_zeros() as usize % WIDTH)
}

/// Something on the way to the nearest: a node with the least distance that anything in it can have, or a box with its own.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    distance: f64,
    /// Nodes (of either tree) before boxes at the same distance, so that boxes at the same distance come in the order of their ids.
    tree: Option<u32>,
    link: u32,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |c: &Self| (c.tree.is_none(), c.link, c.tree);
        self.distance.total_cmp(&other.distance).then_with(|| key(self).cmp(&key(other)))
    }
}

/// Visits all boxes, exactly from the nearest to the farthest (Hjaltason and Samet 1999); of equal ones the lowest id first.
pub(super) fn nearest_first(
    trees: [&Tree; 2],
    items: &[Item],
    point: [f64; 2],
    visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>,
) {
    let mut open = BinaryHeap::new();
    for (which, tree) in trees.iter().enumerate() {
        if tree.root != NONE {
            open.push(Reverse(Candidate { distance: 0.0, tree: Some(which as u32), link: tree.root }));
        }
    }
    while let Some(Reverse(next)) = open.pop() {
        let Some(which) = next.tree else {
            if visit(next.link, next.distance).is_break() {
                return;
            }
            continue;
        };
        let node = &trees[which as usize].nodes[next.link as usize];
        for lane in 0..node.len() {
            let link = node.links[lane];
            let (aabb, tree) =
                if node.is_leaf { (items[link as usize].aabb, None) } else { (node.aabb(lane), Some(which)) };
            open.push(Reverse(Candidate { distance: aabb.distance(point), tree, link }));
        }
    }
}
