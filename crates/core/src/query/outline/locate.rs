//! Decides exactly whether a point is inside a polygon, on its boundary or outside.
//!
//! Input: a placed outline and a point. Output: the location. The winding number of the boundary is counted along a ray
//! from the point to +x:
//!
//! ```text
//! winding = 0
//! for each edge that the ray crosses: winding += 1 if the edge leads up, −1 if it leads down
//! inside if the winding number is not 0
//! ```
//!
//! This loop takes time for every edge. A chain of edges entirely right of the point adds a number
//! that depends only on its two ends. The number is +1 if the chain starts at or below the ray and
//! ends above it. It is −1 for the reverse, else 0. A node of the tree is such a chain, because the
//! tree keeps the order of the ring. So only nodes whose box contains the point are opened: O(log
//! n) of them, unless many edges are close to the point.

use core::cmp::Ordering::{Equal, Greater};

use glam::DVec2;

use super::{PlacedOutline, side};
use crate::decompose::edge_bvh::EdgeBvh;
use crate::shape::outline::EDGES;

/// The location of a point relative to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// Not in the polygon.
    Outside,
    /// On an edge.
    Boundary,
    /// In the interior.
    Inside,
}

/// Returns the location of a point.
pub(super) fn locate(outline: &PlacedOutline<'_>, point: DVec2) -> Location {
    match winding_below(outline, EdgeBvh::ROOT, point) {
        None => Location::Boundary,
        Some(0) => Location::Outside,
        Some(_) => Location::Inside,
    }
}

/// Returns the winding number of the edges below a node; `None` if the point is on one of them.
fn winding_below(outline: &PlacedOutline<'_>, node: usize, point: DVec2) -> Option<i32> {
    let bounds = outline.bounds(node);
    if point.y < bounds.min().y || point.y > bounds.max().y || point.x > bounds.max().x {
        return Some(0);
    }
    if point.x < bounds.min().x
        && let Some([from, to]) = chain_below(outline, node)
    {
        return Some(i32::from(to.y > point.y) - i32::from(from.y > point.y));
    }
    match outline.outline.tree().leaf(node) {
        Some(block) => winding_of_block(&outline.block(block), point),
        None => Some(winding_below(outline, 2 * node, point)? + winding_below(outline, 2 * node + 1, point)?),
    }
}

/// Returns both ends of the chain of edges below a node; `None` if the edges belong to several rings.
fn chain_below(outline: &PlacedOutline<'_>, node: usize) -> Option<[DVec2; 2]> {
    let (blocks, below) = (outline.outline.blocks(), outline.outline.tree().leaves_below(node));
    let last = below.end.min(blocks.len()) - 1;
    (outline.outline.ring_of(below.start) == outline.outline.ring_of(last))
        .then(|| [blocks[below.start][0], blocks[last][EDGES]].map(|vertex| outline.place(vertex)))
}

/// Returns the winding number of the edges of a block; `None` if the point is on one of them.
fn winding_of_block(vertices: &[DVec2], point: DVec2) -> Option<i32> {
    let mut winding = 0;
    for edge in vertices.windows(2) {
        let (a, b) = (edge[0], edge[1]);
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        if point.y < low.y || point.y > high.y || point.x > a.x.max(b.x) {
            continue;
        }
        let direction = i32::from(b.y > point.y) - i32::from(a.y > point.y);
        if point.x < a.x.min(b.x) {
            winding += direction;
            continue;
        }
        match side(low, high, point) {
            Equal => return None,
            Greater => winding += direction,
            core::cmp::Ordering::Less => {}
        }
    }
    Some(winding)
}
