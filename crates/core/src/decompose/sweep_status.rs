//! Stores the status of the plane sweep: the intervals of the interior on the sweep line, from
//! below to above.
//!
//! Input: insertions, removals and searches by a point. Output: the interval at a point, and the
//! neighbours of an interval.
//!
//! Intervals are linked to their neighbours, so most vertices need no search. For the other ones,
//! the interval ids are also stored in order, in blocks of at most `BLOCK` ids. A binary search
//! finds first the block, then the id in it. Ten intervals fit in one block. With 100 000
//! intervals, an insertion moves at most a few kilobytes.
//!
//! The textbook status is a balanced tree. Its search follows a pointer per level, and rotations
//! change several nodes per insertion.
//!
//! ```text
//! search(point):         last block whose first interval is not above the point; in it, the last such interval
//! insert above(id):      link it between two neighbours; insert its id in the block; halve a full block
//! remove(id):            link the neighbours; remove the id; remove an empty block
//! ```
//!
//! Sentinels below and above all intervals exist for the whole sweep, so each interval has two
//! neighbours.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::half_edge::NONE;
use super::monotone::ChainSide::{self, Lower};
use super::monotone::ReflexChain;
use crate::math::predicates::orientation;

/// Maximum number of ids in a block.
const BLOCK: usize = 32;

/// Ids of the sentinel intervals below and above all others.
pub(super) const BOTTOM: u32 = 0;
pub(super) const TOP: u32 = 1;

/// Coordinate of the sentinels, outside the range of all points. So the outermost intervals need no
/// special case.
const FAR: f64 = 8e30;

/// An edge that the sweep line crosses, from its left end to its right end.
#[derive(Clone, Copy)]
pub(super) struct ActiveEdge {
    pub(super) left: DVec2,
    pub(super) right: DVec2,
}

impl ActiveEdge {
    /// Returns `Greater` for a point above the edge, `Less` below, `Equal` on its line.
    #[inline(always)]
    pub(super) fn side(&self, p: DVec2) -> Ordering {
        orientation(self.left, self.right, p)
    }
}

/// An edge that bounds an interval.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) line: ActiveEdge,
    /// Vertex at which the edge begins along its ring (interior on the left).
    pub(super) edge: u32,
}

/// An interval of the interior on the sweep line, between two edges of the polygon.
#[derive(Clone, Copy)]
pub(super) struct InteriorInterval {
    /// The lower and the upper edge.
    pub(super) bounds: [Bound; 2],
    /// Ids of the neighbouring intervals, and index of the block.
    pub(super) below: u32,
    pub(super) above: u32,
    pub(super) block: u32,
    /// True if two intervals were merged, and their pieces are not yet separated by a diagonal to
    /// the next vertex.
    pub(super) merged: bool,
    /// Monotone pieces at the lower and at the upper edge: equal unless `merged`.
    pub(super) pieces: [ReflexChain; 2],
}

impl InteriorInterval {
    /// Creates an interval whose lower and upper edge are the same.
    pub(super) fn without_height(line: ActiveEdge, edge: u32) -> Self {
        Self {
            bounds: [Bound { line, edge }; 2],
            below: NONE,
            above: NONE,
            block: 0,
            merged: false,
            pieces: [ReflexChain::EMPTY; 2],
        }
    }

    /// Returns the side of the lower or the upper edge on which a point lies, as [`ActiveEdge::side`].
    #[inline(always)]
    pub(super) fn side(&self, bound: ChainSide, p: DVec2) -> Ordering {
        self.bounds[bound as usize].line.side(p)
    }
}

#[derive(Clone, Copy)]
struct IdBlock {
    ids: [u32; BLOCK],
    len: usize,
}

/// The ordered list of intervals.
pub(super) struct Status {
    pub(super) intervals: Vec<InteriorInterval>,
    free: Vec<u32>,
    blocks: Vec<IdBlock>,
    free_blocks: Vec<u32>,
    /// Indices of the blocks from below to above, and the first id of each.
    order: Vec<u32>,
    heads: Vec<u32>,
}

impl Status {
    pub(super) fn new() -> Self {
        let level = |y: f64| ActiveEdge { left: DVec2::new(-FAR, y), right: DVec2::new(FAR, y) };
        let outermost = |y: f64, below, above| InteriorInterval {
            below,
            above,
            ..InteriorInterval::without_height(level(y), NONE)
        };
        let mut ids = [0; BLOCK];
        ids[..2].copy_from_slice(&[BOTTOM, TOP]);
        Self {
            intervals: alloc::vec![outermost(-FAR, NONE, TOP), outermost(FAR, BOTTOM, NONE)],
            free: Vec::new(),
            blocks: alloc::vec![IdBlock { ids, len: 2 }],
            free_blocks: Vec::new(),
            order: alloc::vec![0],
            heads: alloc::vec![BOTTOM],
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, id: u32) -> &InteriorInterval {
        &self.intervals[id as usize]
    }

    #[inline(always)]
    pub(super) fn at_mut(&mut self, id: u32) -> &mut InteriorInterval {
        &mut self.intervals[id as usize]
    }

    /// Returns the highest interval whose lower edge is not above the point.
    pub(super) fn search(&self, p: DVec2) -> u32 {
        let reached = |id: u32| self.at(id).side(Lower, p) != Ordering::Less;
        let block = last(&self.heads, reached);
        let block = &self.blocks[self.order[block] as usize];
        block.ids[last(&block.ids[..block.len], reached)]
    }

    /// Inserts an interval above another one, and returns its id.
    pub(super) fn insert_above(&mut self, below: u32, mut interval: InteriorInterval) -> u32 {
        let block = self.at(below).block;
        interval.below = below;
        interval.above = self.at(below).above;
        interval.block = block;
        let id = put(&mut self.intervals, &mut self.free, interval);
        self.at_mut(below).above = id;
        self.at_mut(interval.above).below = id;
        let index = self.index_in_block(block, below) + 1;
        let IdBlock { ids, len } = &mut self.blocks[block as usize];
        ids.copy_within(index..*len, index + 1);
        ids[index] = id;
        *len += 1;
        if *len == BLOCK {
            self.halve(block);
        }
        id
    }

    /// Removes an interval; never one of the sentinels.
    pub(super) fn remove(&mut self, id: u32) {
        let InteriorInterval { below, above, block, .. } = *self.at(id);
        self.at_mut(below).above = above;
        self.at_mut(above).below = below;
        self.free.push(id);
        let index = self.index_in_block(block, id);
        let IdBlock { ids, len } = &mut self.blocks[block as usize];
        ids.copy_within(index + 1..*len, index);
        *len -= 1;
        if index > 0 {
            return;
        }
        let (left, head) = (*len, ids[0]);
        let index = self.index_of_block(block);
        if left > 0 {
            self.heads[index] = head;
        } else {
            self.order.remove(index);
            self.heads.remove(index);
            self.free_blocks.push(block);
        }
    }

    fn index_in_block(&self, block: u32, id: u32) -> usize {
        // Compares the whole array of the block, which is branch-free. Stale ids are behind the
        // valid ones.
        self.blocks[block as usize].ids.iter().position(|&other| other == id).unwrap_or(0)
    }

    fn index_of_block(&self, block: u32) -> usize {
        self.order.iter().position(|&other| other == block).unwrap_or(0)
    }

    /// Moves the upper half of a full block to a new block.
    fn halve(&mut self, block: u32) {
        let full = &mut self.blocks[block as usize];
        let mut upper = IdBlock { ids: [0; BLOCK], len: BLOCK / 2 };
        upper.ids[..BLOCK / 2].copy_from_slice(&full.ids[BLOCK / 2..]);
        full.len = BLOCK / 2;
        let new = put(&mut self.blocks, &mut self.free_blocks, upper);
        for &id in &upper.ids[..BLOCK / 2] {
            self.at_mut(id).block = new;
        }
        let index = self.index_of_block(block) + 1;
        self.order.insert(index, new);
        self.heads.insert(index, upper.ids[0]);
    }
}

/// Stores a value at a free index, or appends it. Returns the index.
#[inline(always)]
fn put<T>(all: &mut Vec<T>, free: &mut Vec<u32>, value: T) -> u32 {
    if let Some(index) = free.pop() {
        all[index as usize] = value;
        return index;
    }
    all.push(value);
    all.len() as u32 - 1
}

/// Returns the index of the last id for which `reached` is true; it is always true for the first
/// one.
#[inline(always)]
fn last(ids: &[u32], reached: impl Fn(u32) -> bool) -> usize {
    let (mut base, mut size) = (0, ids.len());
    while size > 1 {
        let half = size / 2;
        base = if reached(ids[base + half]) { base + half } else { base };
        size -= half;
    }
    base
}
