//! Tests whether a ring is a simple polygon, from its edges.
//!
//! Input: the outline of one ring. Output: true if it is certainly simple: edges share points only at the vertex
//! between neighbors. A ring that touches itself can be valid too. So the caller validates every other ring by the
//! sweep of `decompose/sweep_line.rs`.
//!
//! The sweep alone suffices, but it also triangulates. For a ring of 20 vertices the edges take a tenth of its time,
//! and the queries need them anyway.
//!
//! ```text
//! for each pair of edges whose boxes intersect
//!     neighbors:      not simple if the second one leads back along the first one
//!     other edges:    not simple if they share a point
//! ```

use core::cmp::Ordering::Equal;
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::contact::meeting;
use super::edge_pairs::{EdgeBlock, for_each_edge_pair};
use super::{is_opposite, side};
use crate::shape::outline::{EDGES, Outline};

/// Returns true if the outline consists of one ring that neither touches nor crosses itself.
pub(crate) fn is_simple(outline: &Outline) -> bool {
    let (blocks, tree) = (outline.blocks(), outline.tree());
    let Some(last) = blocks.last().filter(|_| outline.ring_ends().len() == 1) else { return false };
    let last_edge = EDGES * blocks.len() - 1 - last.windows(2).rev().take_while(|edge| edge[0] == edge[1]).count();
    let block =
        |index: usize| EdgeBlock { index, vertices: blocks[index], bounds: *tree.bounds(tree.leaf_node(index)) };
    let touch = |i: usize, j: usize| {
        let (p, q) = (block(i), block(j));
        let search = for_each_edge_pair(&p, &q, |k, l| {
            let (first, second) = (EDGES * i + k, EDGES * j + l);
            let (e, f) = ([p.vertices[k], p.vertices[k + 1]], [q.vertices[l], q.vertices[l + 1]]);
            let is_touching = if second <= first {
                false
            } else if second == first + 1 {
                leads_back(e, f[1])
            } else if first == 0 && second == last_edge {
                leads_back(f, e[1])
            } else {
                meeting(e, f).is_some()
            };
            if is_touching { Break(()) } else { Continue(()) }
        });
        search.is_break()
    };
    !(0..blocks.len()).any(|i| touch(i, i)) && tree.find_pair(|i, j| touch(i, j).then_some(())).is_none()
}

/// Returns true if the edge from `b` to `c` leads back along the edge from `a` to `b`.
fn leads_back([a, b]: [DVec2; 2], c: DVec2) -> bool {
    side(a, b, c) == Equal && !is_opposite(b, a, c)
}
