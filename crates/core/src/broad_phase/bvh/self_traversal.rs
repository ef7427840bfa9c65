//! Finds pairs by simultaneous traversal of a tree with itself and with the other tree.
//!
//! Input: the tree of moving boxes, and optionally the tree of fixed boxes. Output: all pairs of
//! intersecting boxes that the filters allow. Source: C. Ericson, *Real-Time Collision Detection*,
//! 2005, 6.3 (simultaneous descent).
//!
//! The simple version queries the tree once per box, in id order:
//!
//! ```text
//! for each moving box: query the tree with it; report ids above its own
//! ```
//!
//! Each such query is a chain of cache misses. Simultaneous descent reads each pair of nodes once
//! for up to 64 pairs of boxes, roughly in memory order:
//!
//! ```text
//! push the pair of roots
//! while the stack is not empty
//!     pop a pair of nodes (a, b)
//!     if a == b: for each pair of entries of a that intersect: push it, or report it in a leaf
//!                push (child, child) for each child
//!     else if only one is a leaf: pair it with the other's children that intersect its bounds
//!     else for each entry of a that intersects the bounds of b
//!              for each entry of b that intersects it: push the pair, or report it in leaves
//! ```
//!
//! For several threads, the upper levels are opened first, and chunks of node pairs are
//! distributed.

use alloc::vec::Vec;

use super::node::{Node, Splat, bits};
use super::tree::Tree;
use crate::broad_phase::Filter;
use crate::broad_phase::sparse_set::ordered;
use crate::math::lists::resize;
use crate::math::parallel::{self, OutputBuffers};
use crate::math::simd::{Simd, SimdKernel, dispatch};

/// Number of node pairs per chunk of parallel work. Their sizes differ greatly, so a chunk needs
/// several to be balanced.
const PAIRS_PER_CHUNK: usize = 32;
/// Minimum number of boxes per chunk of parallel work: about 20 µs.
const MIN_BOXES_PER_CHUNK: usize = 1_000;

/// Scratch memory, reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    /// One entry per thread.
    workers: Vec<TraversalScratch>,
    /// Pairs of nodes to distribute, and the pairs of the level above.
    node_pairs: [Vec<[u32; 2]>; 2],
    /// The pairs of each chunk, before they are joined in order.
    lists: OutputBuffers<Vec<[u32; 2]>>,
}

/// Scratch memory of one worker. Aligned to avoid false sharing between workers.
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
struct TraversalScratch {
    /// The stack of node pairs.
    open: Vec<[u32; 2]>,
    /// Number of node pairs visited.
    visited: usize,
}

/// Two trees, or the same tree twice, for simultaneous traversal.
#[derive(Clone, Copy)]
pub(super) struct TreePair<'a> {
    /// The tree of the moving boxes.
    pub(super) moving: &'a Tree,
    /// `None` to find pairs among the moving boxes.
    pub(super) fixed: Option<&'a Tree>,
    /// Filters by id, or `None` if all boxes may collide.
    pub(super) filters: Option<&'a [Filter]>,
}

impl TreePair<'_> {
    /// Appends all pairs. Returns the number of nodes, or pairs of nodes, visited.
    pub(super) fn run(self, storage: &mut Storage, out: &mut Vec<[u32; 2]>) -> usize {
        let (Some(first), Some(second)) = (self.moving.root, self.other().root) else { return 0 };
        let roots = [first, second];
        let Storage { workers, node_pairs: shared, lists } = storage;
        let chunk_count = parallel::chunk_count(self.moving.len, MIN_BOXES_PER_CHUNK);
        let worker_count = parallel::worker_count(chunk_count);
        let count = workers.len().max(worker_count);
        resize(workers, count);
        let workers = &mut workers[..worker_count];
        for worker in &mut *workers {
            worker.visited = 0;
        }
        // With several chunks, open the upper levels first.
        let opened = if chunk_count > 1 { self.open_levels(roots, PAIRS_PER_CHUNK * chunk_count, shared) } else { 0 };
        let all = if chunk_count > 1 { &shared[0] } else { &[roots][..] };
        // The stack is last in, first out, so chunks are taken from the end.
        let chunks = all.rchunks(all.len().div_ceil(chunk_count).max(1));
        parallel::collect_in_order(chunks, workers, lists, out, |chunk, worker, out| {
            worker.open.extend_from_slice(chunk);
            self.run_chunk(worker, out);
        });
        opened + workers.iter().map(|worker| worker.visited).sum::<usize>()
    }

    /// Returns the second tree.
    fn other(&self) -> &Tree {
        self.fixed.unwrap_or(self.moving)
    }

    /// Traverses the node pairs on the stack of a worker, and appends the pairs found.
    fn run_chunk(self, worker: &mut TraversalScratch, out: &mut Vec<[u32; 2]>) {
        let TraversalScratch { open, visited } = worker;
        *visited += dispatch(Pairs { trees: self, open, out });
    }

    /// Opens node pairs level by level until there are at least `enough`, in `shared[0]`. Returns
    /// the number of pairs opened.
    fn open_levels(self, roots: [u32; 2], enough: usize, shared: &mut [Vec<[u32; 2]>; 2]) -> usize {
        let mut visited = 0;
        let [above, below] = shared;
        below.clear();
        below.push(roots);
        loop {
            core::mem::swap(above, below);
            below.clear();
            let opened = dispatch(ExpandLevel { trees: self, above, below });
            if opened == 0 || above.len() >= enough {
                return visited;
            }
            visited += opened;
        }
    }
}

/// Traverses node pairs until the stack is empty.
struct Pairs<'a> {
    trees: TreePair<'a>,
    open: &'a mut Vec<[u32; 2]>,
    /// Gets the pairs of boxes.
    out: &'a mut Vec<[u32; 2]>,
}

impl SimdKernel for Pairs<'_> {
    /// The number of node pairs visited.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let mut visited = 0;
        while let Some(nodes) = self.open.pop() {
            visited += 1;
            self.visit(simd, nodes);
        }
        visited
    }
}

/// Opens all node pairs, except pairs of two leaves.
struct ExpandLevel<'a> {
    trees: TreePair<'a>,
    above: &'a [[u32; 2]],
    below: &'a mut Vec<[u32; 2]>,
}

impl SimdKernel for ExpandLevel<'_> {
    /// The number of node pairs opened.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let mut opened = 0;
        let mut pairs = Pairs { trees: self.trees, open: self.below, out: &mut Vec::new() };
        for &[a, b] in self.above {
            if self.trees.moving.node(a).is_leaf && self.trees.other().node(b).is_leaf {
                pairs.open.push([a, b]);
            } else {
                opened += 1;
                pairs.visit(simd, [a, b]);
            }
        }
        opened
    }
}

impl Pairs<'_> {
    /// Opens one pair of nodes.
    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, [a, b]: [u32; 2]) {
        let moving = self.trees.moving;
        match self.trees.fixed {
            None if a == b => self.visit_node(simd, moving.node(a)),
            fixed => self.visit_pair(simd, [a, b], fixed.unwrap_or(moving)),
        }
    }

    /// Appends a pair if the filters allow it.
    #[inline(always)]
    fn report(&mut self, a: u32, b: u32) {
        if self.trees.filters.is_none_or(|filters| filters[a as usize].should_collide(filters[b as usize])) {
            self.out.push(ordered(a, b));
        }
    }

    /// Finds pairs among the entries of one node.
    #[inline(always)]
    fn visit_node<S: Simd>(&mut self, simd: S, node: &Node) {
        for lane in 0..node.len() {
            let link = node.link(lane);
            let later = Splat::new(simd, &node.aabb(lane)).hits(simd, node) & (!1 << lane);
            if node.is_leaf {
                bits(later).for_each(|other| self.report(link, node.link(other)));
            } else {
                self.open.push([link; 2]);
                self.open.extend(bits(later).map(|other| [link, node.link(other)]));
            }
        }
    }

    /// Finds pairs between the entries of two different nodes. The first is in the tree of moving
    /// boxes.
    #[inline(always)]
    fn visit_pair<S: Simd>(&mut self, simd: S, [i, j]: [u32; 2], other: &Tree) {
        let (a, b) = (self.trees.moving.node(i), other.node(j));
        // Only one node is a leaf: descend in the other one.
        if b.is_leaf && !a.is_leaf {
            let hits = Splat::new(simd, &b.bounds).hits(simd, a);
            self.open.extend(bits(hits).map(|lane| [a.link(lane), j]));
            return;
        }
        if a.is_leaf && !b.is_leaf {
            let hits = Splat::new(simd, &a.bounds).hits(simd, b);
            self.open.extend(bits(hits).map(|lane| [i, b.link(lane)]));
            return;
        }
        // Usually only a few entries of `a` intersect the bounds of `b`, so the others are skipped
        // first.
        for lane in bits(Splat::new(simd, &b.bounds).hits(simd, a)) {
            let link = a.link(lane);
            let hits = Splat::new(simd, &a.aabb(lane)).hits(simd, b);
            if a.is_leaf {
                bits(hits).for_each(|other| self.report(link, b.link(other)));
            } else {
                self.open.extend(bits(hits).map(|other| [link, b.link(other)]));
            }
        }
    }
}
