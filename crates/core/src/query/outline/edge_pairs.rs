//! Finds the pairs of edges of two outlines whose boxes intersect.
//!
//! Input: two placed outlines. Output: calls of a visitor, a pair of blocks at a time, then a loop over the pairs of
//! edges of both blocks.
//!
//! ```text
//! visit(node of a, node of b): if the boxes intersect
//!     if both are leaves: pass the pair of blocks to the visitor
//!     else: split the larger node, and visit both children with the other node
//! ```

use core::ops::ControlFlow;

use super::PlacedOutline;
use crate::decompose::edge_bvh::{EdgeBvh, edge_box};
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::query::dual_traversal::{replaced, split};
use crate::shape::outline::{Block, EDGES};

/// A block of edges of one outline.
pub(super) struct EdgeBlock {
    /// Index of the block.
    pub(super) index: usize,
    /// The placed vertices.
    pub(super) vertices: Block,
    /// The box of the vertices.
    pub(super) bounds: Aabb,
}

/// Receives pairs of blocks whose boxes intersect. `Break` ends the search.
pub(super) type BlockVisitor<'v> = dyn FnMut(&EdgeBlock, &EdgeBlock) -> ControlFlow<()> + 'v;

/// Calls the visitor for every pair of blocks whose boxes intersect.
pub(super) fn for_each_block_pair(
    a: &PlacedOutline<'_>,
    b: &PlacedOutline<'_>,
    visit: &mut BlockVisitor<'_>,
) -> ControlFlow<()> {
    let (of_a, of_b) = (a.aabb(), b.aabb());
    if of_a.intersects(&of_b) {
        below([a, b], [EdgeBvh::ROOT; 2], [of_a, of_b], visit)
    } else {
        ControlFlow::Continue(())
    }
}

/// Visits the pairs of blocks below two nodes whose boxes intersect.
fn below(
    outlines: [&PlacedOutline<'_>; 2],
    nodes: [usize; 2],
    boxes: [Aabb; 2],
    visit: &mut BlockVisitor<'_>,
) -> ControlFlow<()> {
    match split(both([0, 1], |k| outlines[k].children(nodes[k])), || boxes) {
        Ok(indices) => {
            let [p, q] = both([0, 1], |k| EdgeBlock {
                index: indices[k],
                vertices: outlines[k].block(indices[k]),
                bounds: boxes[k],
            });
            visit(&p, &q)
        }
        Err((side, children)) => children.into_iter().try_for_each(|child| {
            let bounds = outlines[side].bounds(child);
            if bounds.intersects(&boxes[1 - side]) {
                below(outlines, replaced(nodes, side, child), replaced(boxes, side, bounds), visit)
            } else {
                ControlFlow::Continue(())
            }
        }),
    }
}

/// Calls the visitor for every pair of edges of two blocks whose boxes intersect, by the slots of the edges.
#[inline(always)]
pub(super) fn for_each_edge_pair(
    a: &EdgeBlock,
    b: &EdgeBlock,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let boxes = |block: &EdgeBlock| -> [Aabb; EDGES] {
        core::array::from_fn(|slot| edge_box(block.vertices[slot], block.vertices[slot + 1]))
    };
    let near = |block: &EdgeBlock, boxes: &[Aabb; EDGES], other: &Aabb| {
        (0..EDGES).fold(0_u32, |near, slot| {
            let is_edge = block.vertices[slot] != block.vertices[slot + 1];
            near | u32::from(is_edge & boxes[slot].meets(other)) << slot
        })
    };
    let (of_a, of_b) = (boxes(a), boxes(b));
    let (mut near_a, near_b) = (near(a, &of_a, &b.bounds), near(b, &of_b, &a.bounds));
    while near_a != 0 {
        let i = near_a.trailing_zeros() as usize;
        near_a &= near_a - 1;
        let mut rest = near_b;
        while rest != 0 {
            let j = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if of_a[i].meets(&of_b[j]) {
                visit(i, j)?;
            }
        }
    }
    ControlFlow::Continue(())
}
