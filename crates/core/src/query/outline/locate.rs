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
//!
//! Small outlines have no need of the tree: all their edges are tested, in an order that does not depend on the point.
//! A large polygon at the origin has a grid of cells (`shape/cell_grid.rs`), and most points lie in a cell without an
//! edge. The ray of other points ends in the next cell that lies outside.

use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::{PlacedOutline, side};
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::predicates::orientation;
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, dispatch_baseline, f64x2};
use crate::shape::outline::{Block, EDGES, MAX_BLOCKS_WITHOUT_CELLS, Outline};

/// Outlines of more blocks search their tree. The bits of all vertices fit in 64 bits.
const MAX_BLOCKS_IN_LOOP: usize = MAX_BLOCKS_WITHOUT_CELLS;

/// Number of vertices of a block.
const VERTICES: usize = EDGES + 1;

const _: () = assert!(VERTICES * MAX_BLOCKS_IN_LOOP <= 64);

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

/// Returns true if a polygon at the origin contains a point. Cells of a grid answer most points of a large polygon.
#[inline]
pub(super) fn contains_point(outline: &Outline, point: DVec2) -> bool {
    let is_in = |point, end| winding_at_origin(outline, point, end) != Some(0);
    let Some(cells) = outline.cells(|point| is_in(point, f64::INFINITY)) else { return is_in(point, f64::INFINITY) };
    cells.contains(point).unwrap_or_else(|| is_in(point, cells.outside_right_of(point)))
}

/// Returns the location of a point.
pub(super) fn locate(outline: &PlacedOutline<'_>, point: DVec2) -> Location {
    locate_before(outline, point, f64::INFINITY)
}

/// Returns the location of a point. The point at the same height with the x-coordinate `end` must lie outside, right of
/// the point. So the ray ends there.
pub(super) fn locate_before(outline: &PlacedOutline<'_>, point: DVec2, end: f64) -> Location {
    let winding = match outline.pose {
        None => winding_at_origin(outline.outline, point, end),
        Some(pose) => winding_number(
            outline.outline,
            point,
            end,
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

/// Returns the winding number of an outline at the origin; `None` if the point is on an edge.
fn winding_at_origin(outline: &Outline, point: DVec2, end: f64) -> Option<i32> {
    winding_number(outline, point, end, |vertex| vertex, |bounds| bounds)
}

/// Returns the winding number of all edges; `None` if the point is on one of them. See [`locate_before`] for `end`.
///
/// Edges right of `end` add the same number for the point and for the end of the ray. There the sum is 0.
///
/// Visits the nodes in depth-first order. The next node after a subtree is the right sibling of the closest ancestor,
/// or of the node itself, that is a left child. So no stack is needed.
#[inline(always)]
fn winding_number(
    outline: &Outline,
    point: DVec2,
    end: f64,
    transform: impl Fn(DVec2) -> DVec2,
    place_box: impl Fn(Aabb) -> Aabb,
) -> Option<i32> {
    let tree = outline.tree();
    if outline.blocks().len() <= MAX_BLOCKS_IN_LOOP {
        let bounds = place_box(*tree.bounds(EdgeBvh::ROOT));
        let is_in_box = (bounds.min().cmple(point) & point.cmple(bounds.max())).all();
        return if is_in_box { winding_of_blocks(outline.blocks(), point, transform) } else { Some(0) };
    }
    let (mut winding, mut node) = (0, EdgeBvh::ROOT);
    loop {
        let bounds = place_box(*tree.bounds(node));
        let ends_in_box = end <= bounds.max().x;
        // False for the inverted box of an empty node.
        if (bounds.min().y <= point.y)
            & (point.y <= bounds.max().y)
            & (point.x <= bounds.max().x)
            & (bounds.min().x <= end)
        {
            let is_right = (point.x < bounds.min().x) & !ends_in_box;
            let chain = if is_right { chain_below(outline, node) } else { None };
            if let Some([from, to]) = chain {
                winding += i32::from(transform(to).y > point.y) - i32::from(transform(from).y > point.y);
            } else if let Some(block) = tree.leaf(node) {
                let block = outline.blocks()[block].map(&transform);
                winding += winding_of_block(&block, point)?;
                if ends_in_box {
                    // No edge contains the end of the ray.
                    winding -= winding_of_block(&block, DVec2::new(end, point.y)).unwrap_or(0);
                }
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

/// Returns the winding number of the edges of up to eight blocks; `None` if the point is on one of them.
///
/// The order of the tests does not depend on the point, so a processor predicts nearly all branches.
#[inline(always)]
fn winding_of_blocks(blocks: &[Block], point: DVec2, transform: impl Fn(DVec2) -> DVec2) -> Option<i32> {
    let (mut above, mut level) = (0_u64, 0_u64);
    for (k, block) in blocks.iter().enumerate() {
        let heights = Heights::new(&block.map(&transform), point.y);
        above |= u64::from(heights.above) << (VERTICES * k);
        level |= u64::from(heights.level) << (VERTICES * k);
    }
    // An edge leads to the next vertex of its block.
    let mut crossing = (above ^ (above >> 1)) & 0x7F7F_7F7F_7F7F_7F7F;
    let mut winding = 0;
    while level != 0 {
        let k = level.trailing_zeros() as usize / VERTICES;
        let others = !(0xFF << (VERTICES * k));
        (level, crossing) = (level & others, crossing & others);
        winding += winding_at_vertex_height(&blocks[k].map(&transform), point)?;
    }
    let vertices = blocks.as_flattened();
    while crossing != 0 {
        let i = crossing.trailing_zeros() as usize;
        crossing &= crossing - 1;
        winding += winding_of_edge([transform(vertices[i]), transform(vertices[i + 1])], above & (2 << i) != 0, point)?;
    }
    Some(winding)
}

/// Returns the winding number of the edges of a block; `None` if the point is on one of them.
///
/// If no vertex is at the height of the point, only edges from below to above it, or the reverse, count.
#[inline(always)]
fn winding_of_block(vertices: &Block, point: DVec2) -> Option<i32> {
    let Heights { above, level } = Heights::new(vertices, point.y);
    if level != 0 {
        return winding_at_vertex_height(vertices, point);
    }
    let mut crossing = (above ^ (above >> 1)) & ((1 << EDGES) - 1);
    let mut winding = 0;
    while crossing != 0 {
        let i = crossing.trailing_zeros() as usize;
        crossing &= crossing - 1;
        winding += winding_of_edge([vertices[i], vertices[i + 1]], above & (2 << i) != 0, point)?;
    }
    Some(winding)
}

/// The vertices of a block above and at a height, as bits.
struct Heights {
    above: u32,
    level: u32,
}

impl Heights {
    #[inline(always)]
    fn new(vertices: &Block, height: f64) -> Self {
        dispatch_baseline(HeightTest { vertices, height })
    }
}

/// Compares the vertices of a block with a height, two at a time.
struct HeightTest<'a> {
    vertices: &'a Block,
    height: f64,
}

impl SimdKernel for HeightTest<'_> {
    type Output = Heights;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Heights {
        let height = f64x2::splat(simd, self.height);
        let (mut above, mut not_below) = (0, 0);
        for (i, pair) in self.vertices.as_chunks::<2>().0.iter().enumerate() {
            let [p, q] = pair.map(|vertex| f64x2::simd_from(simd, vertex.to_array()));
            let heights = simd.zip_high_f64x2(p, q);
            above |= (heights.simd_gt(height).to_bitmask() as u32) << (2 * i);
            not_below |= (heights.simd_ge(height).to_bitmask() as u32) << (2 * i);
        }
        Heights { above, level: above ^ not_below }
    }
}

/// Returns the winding number of an edge that crosses the height of the point; `None` if the point is on it.
#[inline(always)]
fn winding_of_edge([a, b]: [DVec2; 2], is_up: bool, point: DVec2) -> Option<i32> {
    let side = orientation(a, b, point);
    // The edge is right of the point if the point is left of it and it leads up, or right of it and it leads down.
    let is_crossed = (side == Greater) == is_up;
    (side != Equal).then_some(i32::from(is_crossed) * if is_up { 1 } else { -1 })
}

/// [`winding_of_block`] if a vertex is at the height of the point.
#[cold]
fn winding_at_vertex_height(vertices: &Block, point: DVec2) -> Option<i32> {
    if vertices.iter().fold(false, |found, vertex| found | (*vertex == point)) {
        return None;
    }
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
