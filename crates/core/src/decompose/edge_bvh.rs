//! Builds a BVH over boxes in a given order, such as those of the edges of a ring.
//!
//! Input: boxes. Output: a complete binary tree; the owner traverses it. No sorting is needed, because consecutive
//! edges are close together. A node stands for a run of consecutive boxes, so a chain of edges needs only its ends
//! (see `query/outline/locate.rs`).
//!
//! ```text
//! node 1 is the root; the children of node i are 2 i and 2 i + 1; leaf k is node `leaves` + k
//! box of a node = the union of the boxes of its children; leaves beyond the last box are empty
//! ```
//!
//! A test of all pairs of edges takes quadratic time: 5 · 10¹¹ tests for an outline of a million points. A traversal
//! of the tree against itself skips most of them (C. Ericson, *Real-Time Collision Detection*, 6.3).

use core::ops::ControlFlow::{self, Break, Continue};
use core::ops::Range;

use glam::DVec2;
use smallvec::SmallVec;

use crate::math::aabb::Aabb;

/// Number of nodes that are stored without an allocation: those of a tree with four leaves.
const INLINE_NODES: usize = 8;

/// A complete binary tree over a list of boxes in the given order.
pub(crate) struct EdgeBvh {
    /// The box of each node. Node 0 does not exist; empty nodes have an inverted box.
    boxes: SmallVec<[Aabb; INLINE_NODES]>,
}

impl EdgeBvh {
    /// The root.
    pub(crate) const ROOT: usize = 1;

    /// Builds the tree of some boxes.
    pub(crate) fn new(leaf_boxes: impl ExactSizeIterator<Item = Aabb>) -> Self {
        let leaves = leaf_boxes.len().next_power_of_two();
        let mut boxes: SmallVec<[Aabb; INLINE_NODES]> = SmallVec::from_elem(Aabb::EMPTY, 2 * leaves);
        boxes[leaves..].iter_mut().zip(leaf_boxes).for_each(|(leaf, bounds)| *leaf = bounds);
        for node in (1..leaves).rev() {
            boxes[node] = boxes[2 * node].union(&boxes[2 * node + 1]);
        }
        Self { boxes }
    }

    /// Returns the box of a node. That of an empty node is inverted, so it intersects no other box.
    #[inline(always)]
    pub(crate) fn bounds(&self, node: usize) -> &Aabb {
        &self.boxes[node]
    }

    /// Returns the index of a leaf; `None` for an inner node.
    #[inline(always)]
    pub(crate) fn leaf(&self, node: usize) -> Option<usize> {
        node.checked_sub(self.boxes.len() / 2)
    }

    /// Returns the node of a leaf.
    #[inline(always)]
    pub(crate) fn leaf_node(&self, leaf: usize) -> usize {
        self.boxes.len() / 2 + leaf
    }

    /// Returns the range of leaves below a node. It can end beyond the last box.
    #[inline]
    pub(crate) fn leaves_below(&self, node: usize) -> Range<usize> {
        let leaves = self.boxes.len() / 2;
        let height = leaves.ilog2() - node.ilog2();
        (node << height) - leaves..((node + 1) << height) - leaves
    }

    /// Calls `test` for pairs of different leaves whose boxes intersect, lower index first, until
    /// it returns a value, and returns that.
    pub(crate) fn find_pair<T>(&self, mut test: impl FnMut(usize, usize) -> Option<T>) -> Option<T> {
        let mut found = None;
        let _ = self.visit_pairs_below([Self::ROOT; 2], &mut |i, j| {
            found = test(i, j);
            if found.is_some() { Break(()) } else { Continue(()) }
        });
        found
    }

    /// Visits the pairs of leaves below two nodes. If the nodes are different, their boxes must intersect.
    fn visit_pairs_below(
        &self,
        [i, j]: [usize; 2],
        visit: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let (Some(i), Some(j)) = (self.leaf(i), self.leaf(j)) {
            return if i == j { Continue(()) } else { visit(i, j) };
        }
        for b in [2 * j, 2 * j + 1] {
            for a in [2 * i, 2 * i + 1].into_iter().filter(|&a| a <= b) {
                // The box of an empty node does not even intersect itself.
                if self.boxes[a].intersects(&self.boxes[b]) {
                    self.visit_pairs_below([a, b], visit)?;
                }
            }
        }
        Continue(())
    }
}

/// Returns the box of an edge.
#[inline(always)]
pub(crate) fn edge_box(p: DVec2, q: DVec2) -> Aabb {
    Aabb::from_corners(p.min(q), p.max(q))
}
