//! Pairs: a tree walked against itself, and against another.
//!
//! Two nodes whose bounds meet are looked at together, so both are read once for up to 64 pairs of boxes, and in the order in which they lie in
//! memory; box by box in the order of their ids, each would be a chain of cache misses.
//!
//! Several cores share the pairs of nodes some levels below the roots, each some that come one after the other.

use alloc::vec::Vec;

use super::node::{NONE, Node, Splat, bits};
use super::tree::Tree;
use crate::broad_phase::Filter;
use crate::broad_phase::sparse_set::ordered;
use crate::math::parallel::{self, OutputBuffers};
use crate::math::simd::{Simd, SimdKernel, dispatch};

/// Pairs of nodes for each part: some hold far more than others, so a part has many of them.
const SHARED: usize = 32;
/// The fewest boxes that are worth a core of their own: about 20 µs of work.
const LEAST: usize = 1_000;

/// Storage that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    workers: Vec<Worker>,
    /// Pairs of nodes to share, and those of one level less.
    shared: [Vec<[u32; 2]>; 2],
    lists: OutputBuffers<Vec<[u32; 2]>>,
}

/// A core's own; no two of them share a cache line.
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
struct Worker {
    /// Nodes to look at; those that are looked at first are last.
    open: Vec<[u32; 2]>,
    visited: usize,
}

/// Two trees, or twice the same one, to be walked against each other.
#[derive(Clone, Copy)]
pub(super) struct TreePair<'a> {
    pub(super) moving: &'a Tree,
    /// None where it is what moves itself.
    pub(super) fixed: Option<&'a Tree>,
    /// By id; none where all boxes may meet.
    pub(super) filters: Option<&'a [Filter]>,
}

impl TreePair<'_> {
    /// Appends the pairs; says how many nodes, or pairs of nodes, were looked at.
    pub(super) fn run(self, storage: &mut Storage, out: &mut Vec<[u32; 2]>) -> usize {
        let roots = [self.moving.root, self.other().root];
        if roots.contains(&NONE) {
            return 0;
        }
        let Storage { workers, shared, lists } = storage;
        let parts = parallel::chunk_count(self.moving.len, LEAST);
        let crew = parallel::worker_count(parts);
        workers.resize_with(workers.len().max(crew), Worker::default);
        let workers = &mut workers[..crew];
        for worker in &mut *workers {
            worker.visited = 0;
        }
        let opened = if parts > 1 { self.share(roots, SHARED * parts, shared) } else { 0 };
        let all = if parts > 1 { &shared[0] } else { &[roots][..] };
        // What is last comes first.
        let chunks = all.rchunks(all.len().div_ceil(parts).max(1));
        parallel::collect_in_order(chunks, workers, lists, out, |chunk, worker, out| {
            worker.open.extend_from_slice(chunk);
            self.part(worker, out);
        });
        opened + workers.iter().map(|worker| worker.visited).sum::<usize>()
    }

    fn other(&self) -> &Tree {
        self.fixed.unwrap_or(self.moving)
    }

    fn part(self, worker: &mut Worker, out: &mut Vec<[u32; 2]>) {
        let Worker { open, visited } = worker;
        *visited += match self.filters {
            None => dispatch(Pairs { walk: self, open, found: |a, b| out.push(ordered(a, b)) }),
            Some(filters) => {
                let found = |a: u32, b: u32| {
                    if filters[a as usize].should_collide(filters[b as usize]) {
                        out.push(ordered(a, b));
                    }
                };
                dispatch(Pairs { walk: self, open, found })
            }
        };
    }

    /// Level by level, puts what is below pairs of nodes in their place, until there are enough: `shared[0]`. Says how many were looked at.
    fn share(self, roots: [u32; 2], enough: usize, shared: &mut [Vec<[u32; 2]>; 2]) -> usize {
        let mut visited = 0;
        let [above, below] = shared;
        below.clear();
        below.push(roots);
        loop {
            core::mem::swap(above, below);
            below.clear();
            let opened = dispatch(Level { walk: self, above, below });
            if opened == 0 || above.len() >= enough {
                return visited;
            }
            visited += opened;
        }
    }
}

/// Looks at pairs of nodes and all that is below them, until none is open.
struct Pairs<'a, F> {
    walk: TreePair<'a>,
    open: &'a mut Vec<[u32; 2]>,
    found: F,
}

impl<F: FnMut(u32, u32)> SimdKernel for Pairs<'_, F> {
    /// How many were looked at.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> usize {
        let mut visited = 0;
        while let Some(nodes) = self.open.pop() {
            visited += 1;
            self.look(simd, nodes);
        }
        visited
    }
}

/// Opens all pairs of nodes that are not both leaves.
struct Level<'a> {
    walk: TreePair<'a>,
    above: &'a [[u32; 2]],
    below: &'a mut Vec<[u32; 2]>,
}

impl SimdKernel for Level<'_> {
    /// How many were opened.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let mut opened = 0;
        let mut pairs = Pairs { walk: self.walk, open: self.below, found: |_, _| {} };
        for &[a, b] in self.above {
            if self.walk.moving.node(a).is_leaf && self.walk.other().node(b).is_leaf {
                pairs.open.push([a, b]);
            } else {
                opened += 1;
                pairs.look(simd, [a, b]);
            }
        }
        opened
    }
}

impl<F: FnMut(u32, u32)> Pairs<'_, F> {
    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, [a, b]: [u32; 2]) {
        let moving = self.walk.moving;
        match self.walk.fixed {
            None if a == b => self.within(simd, moving.node(a)),
            fixed => self.between(simd, [a, b], fixed.unwrap_or(moving)),
        }
    }

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
        let (a, b) = (self.walk.moving.node(i), other.node(j));
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
