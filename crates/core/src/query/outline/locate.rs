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
//! A large polygon at the origin has a grid of cells (`shape/cell_grid.rs`). Most points lie in a cell without an edge.
//! For the others, the list of the cell has the blocks that must be tested. It also has the winding number of the
//! blocks right of the cell. A cell near too many blocks has no list, and its points search the tree.

use core::borrow::Borrow;
use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::{PlacedOutline, side};
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::predicates::orientation;
use crate::math::simd::{Simd, SimdKernel, dispatch_baseline, f64x2};
use crate::shape::cell_grid::{BlockEntry, Cell, CellGrid};
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
    let in_cell = |cells: &CellGrid| is_in_cell(&cells.cell(point), point, |block| outline.blocks().get(block));
    outline.cells().and_then(in_cell).unwrap_or_else(|| winding_at_origin(outline, point) != Some(0))
}

/// Returns true if a polygon contains a point of a cell; `None` if the tree must be searched. `vertices` returns those
/// of a block.
#[inline(always)]
pub(super) fn is_in_cell<B: Borrow<Block>>(
    cell: &Cell<'_>,
    point: DVec2,
    vertices: impl Fn(usize) -> Option<B>,
) -> Option<bool> {
    let (mut winding, blocks) = match *cell {
        Cell::Empty(is_inside) => return Some(is_inside),
        Cell::Crossed { winding, blocks } => (winding, blocks),
        Cell::Many => return None,
    };
    for &block in blocks {
        let block = BlockEntry(block);
        let Some(vertices) = vertices(block.block()) else { continue };
        let vertices = vertices.borrow();
        let Some(added) = winding_of_block(vertices, point) else { return Some(true) };
        let [first, last] = both([vertices[0], vertices[EDGES]], |end| end.y > point.y);
        winding += added + i32::from(block.follows_right() & first) - i32::from(block.precedes_right() & last);
    }
    Some(winding != 0)
}

/// Returns the location of a point.
pub(super) fn locate(outline: &PlacedOutline<'_>, point: DVec2) -> Location {
    let winding = match outline.pose {
        None => winding_at_origin(outline.outline, point),
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

/// Returns the winding number of an outline at the origin; `None` if the point is on an edge.
fn winding_at_origin(outline: &Outline, point: DVec2) -> Option<i32> {
    winding_number(outline, point, |vertex| vertex, |bounds| bounds)
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
    if outline.blocks().len() <= MAX_BLOCKS_IN_LOOP {
        let bounds = place_box(*tree.bounds(EdgeBvh::ROOT));
        let is_in_box = (bounds.min().cmple(point) & point.cmple(bounds.max())).all();
        return if is_in_box { winding_of_blocks(outline.blocks(), point, transform) } else { Some(0) };
    }
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

/// Returns the winding number of the edges of up to eight blocks; `None` if the point is on one of them.
///
/// Compares only heights, because few edges of a small outline cross the height of the point. The order of the tests
/// does not depend on the point, so a processor predicts nearly all branches.
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
        winding += winding_of_block(&blocks[k].map(&transform), point)?;
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
/// An edge counts if its start or its end, but not both, is above the point. Only an edge whose box contains the point
/// needs a predicate.
#[inline(always)]
fn winding_of_block(vertices: &Block, point: DVec2) -> Option<i32> {
    let Sides { greater, not_less } = dispatch_baseline(SideTest { vertices, point });
    let equal = greater ^ not_less;
    // From here on, bit 2 i is that of vertex i or edge i.
    let (above, level) = (greater >> 1, equal >> 1);
    let is_right = greater & (greater >> 2);
    let is_near = (not_less | (not_less >> 2)) & !is_right;
    let is_on = (equal & level) | (level & (level >> 2) & is_near);
    if is_on & VERTEX_BITS != 0 {
        return None;
    }
    let crossing = (above ^ (above >> 2)) & EDGE_BITS;
    let (up, down) = (crossing & is_right & !above, crossing & is_right & above);
    let mut winding = up.count_ones() as i32 - down.count_ones() as i32;
    let mut near = crossing & is_near;
    while near != 0 {
        let bit = near.trailing_zeros();
        near &= near - 1;
        let i = bit as usize / 2;
        winding += winding_of_edge([vertices[i], vertices[i + 1]], (above >> bit) & 1 == 0, point)?;
    }
    Some(winding)
}

/// Bit 2 i for each vertex i, and for each edge i, of a block.
const VERTEX_BITS: u32 = 0x5555;
const EDGE_BITS: u32 = VERTEX_BITS >> 2;

const _: () = assert!(VERTEX_BITS.count_ones() as usize == VERTICES && EDGE_BITS.count_ones() as usize == EDGES);

/// The coordinates of the vertices of a block compared with those of a point. Bit 2 i is that of x of vertex i, the
/// next bit that of y.
struct Sides {
    greater: u32,
    not_less: u32,
}

/// Compares the vertices of a block with a point, one vertex at a time.
struct SideTest<'a> {
    vertices: &'a Block,
    point: DVec2,
}

impl SimdKernel for SideTest<'_> {
    type Output = Sides;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sides {
        let point = f64x2::from_array(simd, self.point.to_array());
        let mut sides = Sides { greater: 0, not_less: 0 };
        for vertex in self.vertices.iter().rev() {
            let vertex = f64x2::from_array(simd, vertex.to_array());
            sides.greater = (sides.greater << 2) | vertex.simd_gt(point).to_bitmask() as u32;
            sides.not_less = (sides.not_less << 2) | vertex.simd_ge(point).to_bitmask() as u32;
        }
        sides
    }
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
            let [p, q] = both(*pair, |vertex| f64x2::from_array(simd, vertex.to_array()));
            let heights = p.interleave(q).1;
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

/// Returns true if a closed convex polygon contains a point. The vertices are counter-clockwise, without collinear
/// ones.
///
/// The diagonals from the first vertex divide the polygon into triangles. Bisection finds the triangle whose angle at
/// this vertex contains the point (Preparata and Shamos, 1985).
#[inline(always)]
pub(super) fn is_in_convex(count: usize, vertex: impl Fn(usize) -> DVec2, point: DVec2) -> bool {
    let is_left = |from: usize, to: usize| side(vertex(from), vertex(to), point) != Less;
    let (mut low, mut high) = (1, count - 1);
    if !is_left(0, low) || !is_left(high, 0) {
        return false;
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if is_left(0, middle) { low = middle } else { high = middle }
    }
    is_left(low, high)
}
