//! Stores the boundary of a polygon as directed edges in a BVH, for queries that need no convex parts.
//!
//! Input: the rings of a valid polygon. Output: blocks of consecutive edges with the interior on their left, and a tree
//! over the boxes of the blocks. The tree keeps the order of the rings.
//!
//! A tree over single edges has seven times as many nodes, and most time of a query is spent in nodes. A block repeats
//! the last vertex of the block before it, so that each block is complete. The last block of a ring is filled up with
//! copies of its last vertex: edges of length 0, which queries skip. An outline of three blocks does not
//! allocate.
//!
//! The exact set of a polygon is the union of its placed parts. A pose that rounds can bend a part, and then the set
//! differs from the area inside the placed rings. So queries use the edges only at poses that place every vertex
//! without rounding ([`Outline::is_exact_at`]).

use alloc::boxed::Box;

use glam::DVec2;
use once_cell::race::OnceBox;
use smallvec::SmallVec;

use super::cell_grid::{CellGrid, GridBlock};
use crate::decompose::edge_bvh::EdgeBvh;
use crate::math::aabb::Aabb;
use crate::math::big_int::BitRange;
use crate::math::pose::Pose;
use crate::math::vector::norm1;

/// Number of edges in a block.
pub(crate) const EDGES: usize = 7;

/// Largest number of blocks of an outline that has no grid of cells.
pub(crate) const MAX_BLOCKS_WITHOUT_CELLS: usize = 8;

/// Number of blocks that are stored without an allocation.
const INLINE_BLOCKS: usize = 3;

/// Largest number of edges of an outline that does not allocate.
pub(crate) const INLINE_EDGES: usize = INLINE_BLOCKS * EDGES;

/// The vertices of consecutive edges: edge i leads from vertex i to vertex i + 1.
pub(crate) type Block = [DVec2; EDGES + 1];

/// The directed edges of a polygon.
pub(crate) struct Outline {
    /// Blocks of edges, one ring after the other.
    blocks: SmallVec<[Block; INLINE_BLOCKS]>,
    /// The end of each ring in `blocks`. The outer ring is first.
    ring_ends: SmallVec<[u32; 2]>,
    /// BVH over the boxes of the blocks.
    tree: EdgeBvh,
    /// True if a ring touches another ring or itself.
    touches_itself: bool,
    /// The range of bits of all coordinates, or a range of at least 53 bits inside it.
    bits: BitRange,
    /// The grid of cells, computed by the first query that needs it. `None` if the polygon is not suited.
    cells: OnceBox<Option<CellGrid>>,
}

impl Outline {
    /// Creates the outline of a valid polygon. Each ring comes with true if it must be reversed, so that the interior
    /// is on the left. Returns `None` if a ring has no edge.
    pub(crate) fn new(rings: &mut dyn Iterator<Item = (&[DVec2], bool)>, touches_itself: bool) -> Option<Self> {
        let (mut blocks, mut ring_ends) = (SmallVec::<[Block; INLINE_BLOCKS]>::new(), SmallVec::new());
        let mut bits = BitRange::EMPTY;
        for (ring, is_reversed) in rings {
            blocks.reserve(ring.len().div_ceil(EDGES));
            let at = |i: usize| if is_reversed { ring[ring.len() - i] } else { ring[i] };
            let (start, first, mut count) = (blocks.len(), *ring.first()?, 0);
            let mut block = [first; EDGES + 1];
            for next in (1..ring.len()).map(at).chain([first]) {
                if next == block[count] {
                    continue;
                }
                count += 1;
                block[count] = next;
                // A wider range is as good as any: each translation may round.
                if bits.width() < f64::MANTISSA_DIGITS as i32 {
                    bits.include(next.x);
                    bits.include(next.y);
                }
                if count == EDGES {
                    blocks.push(block);
                    (block, count) = ([next; EDGES + 1], 0);
                }
            }
            if count > 0 {
                let last = block[count];
                block[count..].fill(last);
                blocks.push(block);
            }
            if blocks.len() == start {
                return None;
            }
            ring_ends.push(blocks.len() as u32);
        }
        let tree = EdgeBvh::new(blocks.iter().map(box_of));
        Some(Self { blocks, ring_ends, tree, touches_itself, bits, cells: OnceBox::new() })
    }

    /// Returns the blocks of edges.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the BVH over the boxes of the blocks.
    #[inline(always)]
    pub(crate) fn tree(&self) -> &EdgeBvh {
        &self.tree
    }

    /// Returns the boxes and ends of the blocks, for a grid of cells.
    pub(crate) fn grid_blocks(&self) -> impl Iterator<Item = GridBlock> {
        let mut ring_ends = self.ring_ends.iter().peekable();
        self.blocks.iter().enumerate().map(move |(i, block)| GridBlock {
            bounds: *self.tree.bounds(self.tree.leaf_node(i)),
            ends: [block[0], block[EDGES]],
            is_end_of_ring: ring_ends.next_if(|&&end| end as usize == i + 1).is_some(),
        })
    }

    /// Returns the grid of cells; `None` if the outline has few blocks or is not suited. Creates it at the first call.
    #[inline]
    pub(crate) fn cells(&self) -> Option<&CellGrid> {
        let create = || {
            let bounds = self.tree.bounds(EdgeBvh::ROOT);
            Box::new(CellGrid::new(bounds, self.blocks.len(), &mut self.grid_blocks()))
        };
        if self.blocks.len() > MAX_BLOCKS_WITHOUT_CELLS { self.cells.get_or_init(create).as_ref() } else { None }
    }

    /// Returns an upper bound of `|x| + |y|` of the vertices.
    pub(crate) fn reach(&self) -> f64 {
        let bounds = self.tree.bounds(EdgeBvh::ROOT);
        norm1(bounds.min().abs().max(bounds.max().abs()))
    }

    /// Returns the smallest box of the placed vertices.
    pub(crate) fn aabb(&self, pose: &Pose) -> Aabb {
        let transformed = |vertex: DVec2| pose.transform_point(vertex);
        if self.is_exact_at(pose) {
            return self.tree.bounds(EdgeBvh::ROOT).placed_exactly(pose);
        }
        Aabb::around(self.blocks.iter().flatten().copied().map(transformed), 0.0)
    }

    /// Returns the end of each ring in the list of blocks, the outer ring first.
    #[inline]
    pub(crate) fn ring_ends(&self) -> &[u32] {
        &self.ring_ends
    }

    /// Returns the index of the ring of a block.
    #[inline]
    pub(crate) fn ring_of(&self, block: usize) -> usize {
        self.ring_ends.partition_point(|&end| end as usize <= block)
    }

    /// Returns the first block of a ring.
    #[inline]
    pub(crate) fn ring_start(&self, ring: usize) -> usize {
        if ring == 0 { 0 } else { self.ring_ends[ring - 1] as usize }
    }

    /// Returns the range of bits of all coordinates. If it has 53 bits or more, it can be smaller than the true range.
    pub(crate) fn bits(&self) -> BitRange {
        self.bits
    }

    /// Returns true if a ring touches another ring or itself.
    pub(crate) fn touches_itself(&self) -> bool {
        self.touches_itself
    }

    /// Returns the vertex before vertex `slot` of a block, in the order of the ring. `slot` must be the start of an
    /// edge of positive length.
    pub(crate) fn vertex_before(&self, block: usize, slot: usize) -> DVec2 {
        if slot > 0 {
            return self.blocks[block][slot - 1];
        }
        let ring = self.ring_of(block);
        let last = if block == self.ring_start(ring) { self.ring_ends[ring] as usize } else { block };
        let vertices = &self.blocks[last - 1];
        let end = vertices[EDGES];
        vertices.iter().rev().copied().find(|&vertex| vertex != end).unwrap_or(end)
    }

    /// Returns true if a pose places every vertex without rounding.
    #[inline]
    pub(crate) fn is_exact_at(&self, pose: &Pose) -> bool {
        pose.is_exact_for(self.bits, 0)
    }
}

/// Returns the box of a block.
fn box_of(block: &Block) -> Aabb {
    Aabb::of_points(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn square() -> Vec<DVec2> {
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(DVec2::from).to_vec()
    }

    #[test]
    fn repeated_vertices_give_no_edge_and_every_vertex_has_a_predecessor() {
        for count in 3..40 {
            let ring: Vec<DVec2> = (0..count).flat_map(|i| [DVec2::new(f64::from(i), f64::from(i * i)); 2]).collect();
            let outline = Outline::new(&mut [(&*ring, false), (&*square(), true)].into_iter(), false).unwrap();
            let mut found = [Vec::new(), Vec::new()];
            for (k, block) in outline.blocks().iter().enumerate() {
                for slot in (0..EDGES).filter(|&slot| block[slot] != block[slot + 1]) {
                    found[outline.ring_of(k)].push((outline.vertex_before(k, slot), block[slot]));
                }
            }
            let expected = |ring: &mut dyn Iterator<Item = DVec2>| {
                let mut ring: Vec<DVec2> = ring.collect();
                ring.dedup();
                let before = ring.iter().copied().cycle().skip(ring.len() - 1);
                before.zip(ring.iter().copied()).collect::<Vec<_>>()
            };
            assert_eq!(found[0], expected(&mut ring.iter().copied()));
            let reversed = [0, 3, 2, 1].map(|i| square()[i]);
            assert_eq!(found[1], expected(&mut reversed.into_iter()));
        }
    }

    #[test]
    fn a_pose_is_exact_if_no_placed_vertex_is_rounded() {
        let thirds: Vec<DVec2> = square().iter().map(|p| *p / 3.0).collect();
        let outlines = [square(), thirds].map(|ring| Outline::new(&mut [(&*ring, false)].into_iter(), false).unwrap());
        let exact = |translation: [f64; 2], degrees: f64| {
            let pose = Pose::from_degrees(translation, degrees).unwrap();
            [outlines[0].is_exact_at(&pose), outlines[1].is_exact_at(&pose)]
        };
        assert_eq!(exact([0.0, 0.0], 0.0), [true, true]);
        assert_eq!(exact([0.0, 0.0], 270.0), [true, true]);
        assert_eq!(exact([0.0, 0.0], 30.0), [false, false]);
        assert_eq!(exact([1e9, -0.5], 90.0), [true, false]);
        assert_eq!(exact([2.0_f64.powi(53), 0.0], 0.0), [false, false]);
    }
}
