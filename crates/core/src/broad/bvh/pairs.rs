//! Pairs: a tree walked against itself, and against another.
//!
//! Two nodes whose bounds meet are looked at together, so both are read once for up to 64 pairs of boxes, and in the order in which they lie in
//! memory; box by box in the order of their ids, each would be a chain of cache misses.

use alloc::vec::Vec;

use super::node::{NONE, Node, Splat, bits};
use super::tree::Tree;
use crate::math::lanes::{Kernel, Simd};

/// Finds the pairs of boxes that move, and of those that move with those that do not.
pub(super) struct Pairs<'a, F> {
    pub(super) moving: &'a Tree,
    pub(super) fixed: &'a Tree,
    /// Nodes to look at; empty before and after.
    pub(super) open: &'a mut Vec<[u32; 2]>,
    pub(super) found: F,
}

impl<F: FnMut(u32, u32)> Kernel for Pairs<'_, F> {
    /// How many nodes, or pairs of nodes, were looked at.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let (moving, fixed) = (self.moving, self.fixed);
        let mut visited = 0;
        self.open.clear();
        if moving.root != NONE {
            self.open.push([moving.root; 2]);
        }
        while let Some([a, b]) = self.open.pop() {
            visited += 1;
            if a == b {
                self.within(simd, moving.node(a));
            } else {
                self.between(simd, [a, b], moving);
            }
        }
        if moving.root != NONE && fixed.root != NONE {
            self.open.push([moving.root, fixed.root]);
        }
        while let Some(nodes) = self.open.pop() {
            visited += 1;
            self.between(simd, nodes, fixed);
        }
        visited
    }
}

impl<F: FnMut(u32, u32)> Pairs<'_, F> {
    /// The pairs of one node's boxes.
    #[inline(always)]
    fn within<S: Simd>(&mut self, simd: S, node: &Node) {
        for lane in 0..node.len() {
            let link = node.link(lane);
            let later = Splat::new(simd, &node.aabb(lane)).hits(simd, node) & (!1 << lane);
            if node.is_leaf {
                bits(later).for_each(|other| (self.found)(link, node.link(other)));
            } else {
                self.open.push([link; 2]);
                self.open.extend(bits(later).map(|other| [link, node.link(other)]));
            }
        }
    }

    /// The pairs of boxes of a node of what moves with those of a node of another part of it, or of another tree.
    #[inline(always)]
    fn between<S: Simd>(&mut self, simd: S, [i, j]: [u32; 2], other: &Tree) {
        let (a, b) = (self.moving.node(i), other.node(j));
        if b.is_leaf && !a.is_leaf {
            let near = Splat::new(simd, &b.bounds).hits(simd, a);
            self.open.extend(bits(near).map(|lane| [a.link(lane), j]));
            return;
        }
        if a.is_leaf && !b.is_leaf {
            let near = Splat::new(simd, &a.bounds).hits(simd, b);
            self.open.extend(bits(near).map(|lane| [i, b.link(lane)]));
            return;
        }
        // Only few boxes of one reach into the bounds of the other.
        for lane in bits(Splat::new(simd, &b.bounds).hits(simd, a)) {
            let link = a.link(lane);
            let near = Splat::new(simd, &a.aabb(lane)).hits(simd, b);
            if a.is_leaf {
                bits(near).for_each(|other| (self.found)(link, b.link(other)));
            } else {
                self.open.extend(bits(near).map(|other| [link, b.link(other)]));
            }
        }
    }
}
