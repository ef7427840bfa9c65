//! Tests whether a ring is a simple polygon, from its edges.
//!
//! Input: the outline of one ring. Output: true if it is certainly simple: edges share points only at the vertex
//! between neighbors. A ring that touches itself can be valid too, and a ring of long thin spikes has too many pairs of
//! edges. So the caller validates every other ring by the sweep of `decompose/sweep_line.rs`.
//!
//! The sweep alone suffices, but it also triangulates. For a ring of 20 vertices the edges take a tenth of its time,
//! and the queries need them anyway.
//!
//! ```text
//! for each pair of edges whose boxes intersect
//!     neighbors:      not simple if the second one leads back along the first one
//!     other edges:    not simple if they share a point
//! ```
//!
//! Most edges need no test. Consecutive edges that all lead to the right share only their common vertices. So do edges
//! that all lead to the left, up or down. A ring that winds once around a point, always counter-clockwise, needs no
//! test of pairs. Each ray from the point meets it once. The mean of some vertices is tried.

use core::cmp::Ordering::{Equal, Greater};

use glam::DVec2;

use super::contact::meeting;
use super::side;
use crate::decompose::edge_bvh::edge_box;
use crate::math::both::both;
use crate::math::predicates::{is_opposite, orientation};
use crate::shape::outline::{Block, EDGES, Outline};

/// Outlines of more blocks search their tree.
const MAX_BLOCKS_IN_LOOP: usize = 6;

/// Pairs per block that are tested in a tree. With more of them, the sweep of the caller is faster.
const MAX_PAIRS_PER_BLOCK: usize = 16;

/// The low bit of each pair of bits.
const LOW_BITS: u32 = 0x5555_5555;

/// Returns true if the outline consists of one ring that neither touches nor crosses itself.
pub(crate) fn is_simple(outline: &Outline) -> bool {
    if outline.ring_ends().len() != 1 {
        return false;
    }
    let ring = Ring::new(outline);
    let count = ring.blocks.len();
    if count > MAX_BLOCKS_IN_LOOP && winds_around_mean(ring.blocks) {
        return true;
    }
    if (0..ring.blocks.len()).any(|i| ring.block_touches_itself(i)) {
        return false;
    }
    if count <= MAX_BLOCKS_IN_LOOP {
        !(1..count).any(|j| (0..j).any(|i| ring.blocks_touch(i, j)))
    } else {
        let mut left = MAX_PAIRS_PER_BLOCK * count;
        let mut test = |i, j| {
            left = left.checked_sub(1)?;
            Some(ring.blocks_touch(i, j))
        };
        outline.tree().find_pair(|i, j| test(i, j).is_none_or(|touch| touch).then_some(())).is_none()
    }
}

/// Returns true if a ring winds once around the mean of some vertices, and each edge turns left as seen from there.
///
/// Then an edge that leads up past the height of the mean crosses the ray from the mean to +x. So the number of these
/// edges is the number of turns. Any point proves the same, so the mean may be rounded. The first vertex of each block
/// suffices for it.
fn winds_around_mean(blocks: &[Block]) -> bool {
    let mean = blocks.iter().map(|block| block[0]).sum::<DVec2>() / blocks.len() as f64;
    let mut turns = 0;
    let mut edges = blocks.iter().flat_map(|block| block.windows(2)).filter(|edge| edge[0] != edge[1]);
    let turns_left = edges.all(|edge| {
        turns += usize::from(edge[0].y <= mean.y && mean.y < edge[1].y);
        orientation(mean, edge[0], edge[1]) == Greater
    });
    turns_left && turns == 1
}

/// The edges of one ring.
struct Ring<'a> {
    outline: &'a Outline,
    blocks: &'a [Block],
    /// Number of edges in the last block.
    last_count: usize,
}

impl<'a> Ring<'a> {
    fn new(outline: &'a Outline) -> Self {
        let blocks = outline.blocks();
        let is_edge = |edge: &&[DVec2]| edge[0] != edge[1];
        let last_count = blocks.last().map_or(0, |last| last.windows(2).filter(is_edge).count());
        Self { outline, blocks, last_count }
    }

    /// Returns the number of edges in a block.
    fn count(&self, block: usize) -> usize {
        if block + 1 == self.blocks.len() { self.last_count } else { EDGES }
    }

    /// Returns true if edges of a block share more than the vertex between neighbors.
    fn block_touches_itself(&self, index: usize) -> bool {
        let (vertices, count) = (&self.blocks[index], self.count(index));
        // The bits of x and y of edge i are set if edges i to i + distance are monotone along this axis.
        let (mut rising, mut falling) = (0_u32, 0_u32);
        for (i, edge) in vertices.windows(2).enumerate() {
            rising |= edge[0].cmplt(edge[1]).bitmask() << (2 * i);
            falling |= edge[0].cmpgt(edge[1]).bitmask() << (2 * i);
        }
        let (steps_up, steps_down) = (rising, falling);
        let is_closed = self.blocks.len() == 1;
        for distance in 1..count {
            rising &= steps_up >> (2 * distance);
            falling &= steps_down >> (2 * distance);
            let monotone = rising | falling;
            let edges = (1 << (2 * (count - distance))) - 1;
            let mut rest = !(monotone | (monotone >> 1)) & LOW_BITS & edges;
            while rest != 0 {
                let i = rest.trailing_zeros() as usize / 2;
                rest &= rest - 1;
                let j = i + distance;
                let (e, f) = ([vertices[i], vertices[i + 1]], [vertices[j], vertices[j + 1]]);
                let touch = if distance == 1 {
                    leads_back(e, f[1])
                } else {
                    let are_neighbors = is_closed && i == 0 && j == count - 1;
                    !are_neighbors && edge_box(e[0], e[1]).meets(&edge_box(f[0], f[1])) && meeting(e, f).is_some()
                };
                if touch {
                    return true;
                }
            }
        }
        // The first edge and the edge before it.
        let last = if index == 0 { self.blocks.len() } else { index } - 1;
        leads_back([self.blocks[last][self.count(last) - 1], vertices[0]], vertices[1])
    }

    /// Returns true if edges of two blocks that are no neighbors share a point. The first index must be lower.
    fn blocks_touch(&self, i: usize, j: usize) -> bool {
        let tree = self.outline.tree();
        let [of_i, of_j] = both([i, j], |index| tree.bounds(tree.leaf_node(index)));
        if !of_i.meets(of_j) {
            return false;
        }
        let common = of_i.common(of_j);
        let [p, q] = both([i, j], |index| &self.blocks[index]);
        let near = |vertices: &Block, count: usize| {
            let near = (0..EDGES).fold(0_u32, |near, slot| {
                near | u32::from(edge_box(vertices[slot], vertices[slot + 1]).meets(&common)) << slot
            });
            near & ((1 << count) - 1)
        };
        let (near_p, near_q) = (near(p, EDGES), near(q, self.count(j)));
        let last = self.blocks.len() - 1;
        bits(near_p).any(|k| {
            let e = [p[k], p[k + 1]];
            bits(near_q).any(|l| {
                let are_neighbors = (j == i + 1 && k == EDGES - 1 && l == 0)
                    || (i == 0 && j == last && k == 0 && l == self.last_count - 1);
                let f = [q[l], q[l + 1]];
                !are_neighbors && edge_box(e[0], e[1]).meets(&edge_box(f[0], f[1])) && meeting(e, f).is_some()
            })
        })
    }
}

/// Returns the indices of the bits that are set, lowest first.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// Returns true if the edge from `b` to `c` leads back along the edge from `a` to `b`.
#[inline(always)]
fn leads_back([a, b]: [DVec2; 2], c: DVec2) -> bool {
    let is_forward = (a.x < b.x && b.x < c.x) || (a.x > b.x && b.x > c.x);
    !is_forward && side(a, b, c) == Equal && !is_opposite(b, a, c)
}
