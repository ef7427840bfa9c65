//! Visits: what meets a box or a ray, and what is nearest to a point.

use alloc::collections::BinaryHeap;
use core::cmp::{Ordering, Reverse};
use core::ops::ControlFlow::{self, Break, Continue};

use super::lines::{Near, Slabs};
use super::node::{NONE, Splat, WIDTH, bits};
use super::stack::Stack;
use super::tree::{Item, Tree};
use crate::broad::{Box32, LocalRay};
use crate::math::lanes::{Kernel, Simd};

/// Visits what meets a box; counts the nodes that it looks at.
pub(super) struct InBox<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) query: Box32,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<()>> Kernel for InBox<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let (query, mut visited) = (Splat::new(simd, &self.query), 0);
        let mut open = Stack::new();
        for tree in self.trees {
            if tree.root != NONE {
                open.push(tree.root);
            }
            while let Some(n) = open.pop() {
                visited += 1;
                let node = &tree.nodes[n as usize];
                let hits = bits(query.hits(simd, node)).map(|lane| node.links[lane]);
                if !node.is_leaf {
                    hits.for_each(|link| open.push(link));
                    continue;
                }
                for id in hits {
                    if (self.visit)(id).is_break() {
                        return visited;
                    }
                }
            }
        }
        visited
    }
}

/// Visits what a ray meets, front to back, with a limit that the visitor may draw nearer.
pub(super) struct AlongRay<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) ray: &'a LocalRay,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> Kernel for AlongRay<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let mut slabs = Slabs::new(simd, self.ray);
        let mut visited = 0;
        // Both trees together: what the one has in front spares the other.
        let mut open = Stack::new();
        for (which, tree) in self.trees.iter().enumerate() {
            if tree.root != NONE {
                open.push((tree.root, which as u32, 0.0_f32));
            }
        }
        while let Some((n, which, enter)) = open.pop() {
            if enter > slabs.limit() {
                continue;
            }
            visited += 1;
            let node = &self.trees[which as usize].nodes[n as usize];
            let (hits, enters) = slabs.hits(simd, node);
            let mut order = [(0.0_f32, 0_u32); WIDTH];
            let near = sorted(hits, &enters, &mut order);
            if !node.is_leaf {
                for &(enter, lane) in near.iter().rev() {
                    open.push((node.links[lane as usize], which, enter));
                }
                continue;
            }
            for &(enter, lane) in near {
                if enter > slabs.limit() {
                    break;
                }
                match (self.visit)(node.links[lane as usize]) {
                    Continue(limit) => slabs.limit_to(limit),
                    Break(()) => return visited,
                }
            }
        }
        visited
    }
}

/// Visits what may be nearest to a point, near boxes early, with a limit that the visitor may draw nearer.
pub(super) struct AboutPoint<'a, F> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) point: [f64; 2],
    pub(super) within: f64,
    pub(super) visit: F,
}

impl<F: FnMut(u32) -> ControlFlow<(), f64>> Kernel for AboutPoint<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let mut near = Near::new(simd, self.point, self.trees);
        near.limit_to(self.within);
        let mut visited = 0;
        let mut open = Stack::new();
        for (which, tree) in self.trees.iter().enumerate() {
            if tree.root != NONE {
                open.push((tree.root, which as u32, 0.0_f32));
            }
        }
        while let Some((n, which, least)) = open.pop() {
            if least > near.limit() {
                continue;
            }
            visited += 1;
            let node = &self.trees[which as usize].nodes[n as usize];
            let (hits, distances) = near.hits(simd, node);
            let mut order = [(0.0_f32, 0_u32); WIDTH];
            let found = sorted(hits, &distances, &mut order);
            if !node.is_leaf {
                for &(least, lane) in found.iter().rev() {
                    open.push((node.links[lane as usize], which, least));
                }
                continue;
            }
            for &(least, lane) in found {
                if least > near.limit() {
                    break;
                }
                match (self.visit)(node.links[lane as usize]) {
                    Continue(limit) => near.limit_to(limit),
                    Break(()) => return visited,
                }
            }
        }
        visited
    }
}

/// The lanes that are hit, from the least key on.
#[inline(always)]
fn sorted<'a>(hits: u32, keys: &[f32; WIDTH], order: &'a mut [(f32, u32); WIDTH]) -> &'a [(f32, u32)] {
    let mut len = 0;
    for lane in bits(hits) {
        let key = keys[lane & (WIDTH - 1)];
        let mut at = len;
        while at > 0 && order[at - 1].0 > key {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = (key, lane as u32);
        len += 1;
    }
    &order[..len]
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
pub(super) fn nearest_first(trees: [&Tree; 2], items: &[Item], point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
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
            let (aabb, tree) = if node.is_leaf { (items[link as usize].aabb, None) } else { (node.aabb(lane), Some(which)) };
            open.push(Reverse(Candidate { distance: aabb.distance(point), tree, link }));
        }
    }
}
