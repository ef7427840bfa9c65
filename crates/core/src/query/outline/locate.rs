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

use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::{PlacedOutline, side};
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::predicates::orientation;
use crate::shape::outline::{Block, EDGES, Outline};

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
    let winding = match outline.pose {
        None => winding_number(outline.outline, point, |vertex| vertex, |bounds| bounds),
        Some(pose) => winding_number(
            outline.outline,
            point,
            |vertex| pose.transform_point(vertex),
            |bounds| bounds.placed_exactly(&pose),
        ),
    };
    match winding {
        None => Location::Boundary,
        Some(0) => Location::Outside,
        Some(_) => Location::Inside,
    }
}

/// Returns the winding number of all edges; `None` if the point is on one of them.
///
/// Visits the nodes in depth-first order. The next node after a subtree is the right sibling of the closest ancestor,
/// or of the node itself, that is a left child. So no stack is needed.
#[inline(always)]
fn winding_number(
    outline: &Outline,
    point: DVec2,
    transform: impl Fn(DVec2) -> DVec2,
    place_box: impl Fn(Aabb) -> Aabb,
) -> Option<i32> {
    let tree = outline.tree();
    let (mut winding, mut node) = (0, EdgeBvh::ROOT);
    loop {
        let bounds = place_box(*tree.bounds(node));
        // False for the inverted box of an empty node.
        if (bounds.min().y <= point.y) & (point.y <= bounds.max().y) & (point.x <= bounds.max().x) {
            let chain = if point.x < bounds.min().x { chain_below(outline, node) } else { None };
            if let Some([from, to]) = chain {
                winding += i32::from(transform(to).y > point.y) - i32::from(transform(from).y > point.y);
            } else if let Some(block) = tree.leaf(node) {
                winding += winding_of_block(&outline.blocks()[block].map(&transform), point)?;
            } else {
                node *= 2;
                continue;
            }
        }
        node += 1;
        node >>= node.trailing_zeros();
        if node == EdgeBvh::ROOT {
            return Some(winding);
        }
    }
}

/// Returns both ends of the chain of edges below a node; `None` if the edges belong to several rings.
#[inline(always)]
fn chain_below(outline: &Outline, node: usize) -> Option<[DVec2; 2]> {
    let (blocks, below) = (outline.blocks(), outline.tree().leaves_below(node));
    let last = below.end.min(blocks.len()) - 1;
    let is_chain = outline.ring_ends().len() == 1 || outline.ring_of(below.start) == outline.ring_of(last);
    is_chain.then(|| [blocks[below.start][0], blocks[last][EDGES]])
}

/// Returns the winding number of the edges of a block; `None` if the point is on one of them.
///
/// If no vertex is at the height of the point, only edges from below to above it, or the reverse, count.
#[inline(always)]
fn winding_of_block(vertices: &Block, point: DVec2) -> Option<i32> {
    let (mut above, mut closest) = (0_u32, f64::INFINITY);
    for (i, vertex) in vertices.iter().enumerate() {
        // The difference of two numbers is 0 only if they are equal.
        let below = point.y - vertex.y;
        above |= u32::from(below < 0.0) << i;
        closest = closest.min(below.abs());
    }
    if closest == 0.0 {
        return winding_at_vertex_height(vertices, point);
    }
    let mut crossing = (above ^ (above >> 1)) & ((1 << EDGES) - 1);
    let mut winding = 0;
    while crossing != 0 {
        let i = crossing.trailing_zeros() as usize;
        crossing &= crossing - 1;
        let (a, b) = (vertices[i], vertices[i + 1]);
        let is_up = above & (2 << i) != 0;
        let (low, high) = if is_up { (a, b) } else { (b, a) };
        if point.x > low.x.max(high.x) {
            continue;
        }
        if point.x >= low.x.min(high.x) {
            match orientation(low, high, point) {
                Equal => return None,
                Less => continue,
                Greater => {}
            }
        }
        winding += if is_up { 1 } else { -1 };
    }
    Some(winding)
}

/// [`winding_of_block`] if a vertex is at the height of the point.
#[cold]
fn winding_at_vertex_height(vertices: &Block, point: DVec2) -> Option<i32> {
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
            Less => {}
        }
    }
    Some(winding)
}

/// Returns true if a closed convex polygon contains a point. The vertices are counter-clockwise, without collinear ones.
#[inline(always)]
pub(super) fn is_in_convex(count: usize, vertex: impl Fn(usize) -> DVec2, point: DVec2) -> bool {
    let mut from = vertex(count - 1);
    (0..count).map(vertex).all(|to| {
        let start = core::mem::replace(&mut from, to);
        side(start, to, point) != Less
    })
}
