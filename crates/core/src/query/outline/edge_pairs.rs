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
use crate::math::vector::norm1;
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
    [i, j]: [usize; 2],
    [of_i, of_j]: [Aabb; 2],
    visit: &mut BlockVisitor<'_>,
) -> ControlFlow<()> {
    let [a, b] = outlines;
    let is_a_split = match (a.outline.tree().leaf(i), b.outline.tree().leaf(j)) {
        (Some(p), Some(q)) => {
            let block = |outline: &PlacedOutline<'_>, index, bounds| EdgeBlock {
                index,
                vertices: outline.block(index),
                bounds,
            };
            return visit(&block(a, p, of_i), &block(b, q, of_j));
        }
        (leaf_a, leaf_b) => leaf_b.is_some() || (leaf_a.is_none() && norm1(of_i.size()) >= norm1(of_j.size())),
    };
    for k in [0, 1] {
        if is_a_split {
            let (child, bounds) = (2 * i + k, a.bounds(2 * i + k));
            if bounds.intersects(&of_j) {
                below(outlines, [child, j], [bounds, of_j], visit)?;
            }
        } else {
            let (child, bounds) = (2 * j + k, b.bounds(2 * j + k));
            if bounds.intersects(&of_i) {
                below(outlines, [i, child], [of_i, bounds], visit)?;
            }
        }
    }
    ControlFlow::Continue(())
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
            near | u32::from(is_edge & meets(&boxes[slot], other)) << slot
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
            if meets(&of_a[i], &of_b[j]) {
                visit(i, j)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// [`Aabb::intersects`] without branches: most results are unpredictable.
#[inline(always)]
pub(super) fn meets(a: &Aabb, b: &Aabb) -> bool {
    a.min().cmple(b.max()).all() & b.min().cmple(a.max()).all()
}
