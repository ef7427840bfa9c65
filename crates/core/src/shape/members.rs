//! Stores the outlines of a compound of polygons, and a BVH over their boxes.
//!
//! Input: the children of a compound. Output: the outline and the pose of each polygon. Nested compounds are flattened.
//! The simple version visits all children in each query, and makes an outline of each convex child again. A country of
//! 400 islands then needs 400 box tests per query. Here the BVH returns the polygons near a box.
//!
//! Memory per polygon: about 140 bytes (64-bit), and an outline for each convex polygon. Each block takes 4 bytes.
//! Concave polygons share their outlines with the children.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;
use once_cell::race::OnceBox;

use super::cell_grid::{CellGrid, GridBlock};
use super::composite::Composite;
use super::outline::{Block, Outline};
use super::{Form, Placed, Shape};
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::big_int::BitRange;
use crate::math::lists::mapped;
use crate::math::pose::Pose;
use crate::math::vector::norm1;

/// The outlines of a compound of polygons.
pub(crate) struct Members {
    list: Vec<Member>,
    /// BVH over the boxes of the members in the frame of the compound.
    tree: StaticBvh,
    /// Upper bound of `|x| + |y|` of the vertices in the frame of each member, plus that of its translation.
    reach: f64,
    /// The range of bits of all coordinates and translations.
    bits: BitRange,
    /// The index of the member of each block of all outlines.
    owners: Vec<u32>,
    /// The grid of cells, computed by the first query that needs it. `None` if the polygons are not suited.
    cells: OnceBox<Option<CellGrid>>,
}

/// A polygon of a compound.
struct Member {
    outline: MemberOutline,
    /// The pose in the frame of the compound.
    pose: Pose,
    /// The number of blocks of all members before it.
    first_block: usize,
}

/// The outline of a concave child, or the outline made of a convex one.
enum MemberOutline {
    Shared(Arc<Composite>),
    New(Box<Outline>),
}

impl Members {
    /// Collects the outlines of the children of a compound; `None` if a child has no outline, or if its pose rounds a
    /// vertex.
    pub(crate) fn new(children: &[(Shape, Pose)]) -> Option<Self> {
        let (mut members, mut boxes, mut bits) = (Vec::with_capacity(children.len()), Vec::new(), BitRange::EMPTY);
        let (mut owners, mut reach) = (Vec::new(), 0.0_f64);
        let visited = Placed::for_each_leaf_of(children, &mut |leaf| {
            let (pose, outline) = (leaf.pose(), MemberOutline::new(leaf.shape()));
            let member = outline.map(|outline| Member { outline, pose, first_block: owners.len() });
            let Some(member) = member else { return Break(()) };
            let Some(outline) = member.outline().filter(|outline| outline.is_exact_at(&pose)) else {
                return Break(());
            };
            owners.resize(owners.len() + outline.blocks().len(), members.len() as u32);
            boxes.push(outline.aabb(&pose));
            reach = reach.max(outline.reach() + norm1(pose.translation()));
            bits = bits.union(outline.bits());
            bits.include(pose.translation().x);
            bits.include(pose.translation().y);
            members.push(member);
            Continue(())
        });
        let (tree, cells) = (StaticBvh::new(&boxes), OnceBox::new());
        visited.is_continue().then(|| Self { list: members, tree, reach, bits, owners, cells })
    }

    /// Returns the number of blocks of all outlines.
    #[inline]
    pub(crate) fn block_count(&self) -> usize {
        self.owners.len()
    }

    /// Returns the grid of cells in the frame of the compound; `None` if the polygons are not suited. Creates it at the
    /// first call. It numbers the blocks of all members.
    #[inline]
    pub(crate) fn cells(&self) -> Option<&CellGrid> {
        let create = || {
            let mut blocks = self.list.iter().flat_map(Member::grid_blocks);
            Box::new(CellGrid::new(&self.tree.bounds(0), self.block_count(), &mut blocks))
        };
        self.cells.get_or_init(create).as_ref()
    }

    /// Returns the vertices of a block of the grid in the frame of the compound.
    #[inline]
    pub(crate) fn block(&self, index: usize) -> Option<Block> {
        let member = &self.list[self.owners[index] as usize];
        let mut block = member.outline()?.blocks()[index - member.first_block];
        if member.pose != Pose::IDENTITY {
            for vertex in &mut block {
                *vertex = member.pose.transform_point(*vertex);
            }
        }
        Some(block)
    }

    /// Returns the BVH over the boxes of the members. The identifier of a leaf is the index of the member.
    #[inline]
    pub(crate) fn tree(&self) -> &StaticBvh {
        &self.tree
    }

    /// Returns an upper bound of `|x| + |y|` of the vertices in the frame of each member, plus that of its translation.
    #[inline]
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Returns the outline of a member, and its pose in the frame of the compound.
    #[inline]
    pub(crate) fn member(&self, index: usize) -> Option<(&Outline, &Pose)> {
        let member = &self.list[index];
        member.outline().map(|outline| (outline, &member.pose))
    }

    /// Returns true if a pose of the compound places every vertex of each member without rounding. The translation of a
    /// member is one number more in each sum.
    #[inline]
    pub(crate) fn is_exact_at(&self, pose: &Pose) -> bool {
        pose.is_exact_for(self.bits, 1)
    }
}

impl MemberOutline {
    /// Returns the outline of a polygon without a radius.
    fn new(shape: &Shape) -> Option<Self> {
        match &shape.0 {
            Form::Composite(composite) => composite.outline().is_some().then(|| Self::Shared(composite.clone())),
            Form::Convex(convex) if convex.radius == 0.0 && convex.hull_vertex_count() >= 3 => {
                let vertices: Vec<DVec2> = mapped(0..convex.hull_vertex_count(), |i| convex.hull_vertex(i));
                Outline::new(&mut [(&*vertices, false)].into_iter(), false).map(|outline| Self::New(Box::new(outline)))
            }
            Form::Convex(_) => None,
        }
    }
}

impl Member {
    /// Returns the boxes and ends of the blocks in the frame of the compound.
    fn grid_blocks(&self) -> impl Iterator<Item = GridBlock> {
        let blocks = self.outline().into_iter().flat_map(Outline::grid_blocks);
        let is_moved = self.pose != Pose::IDENTITY;
        blocks.map(move |block| if is_moved { block.placed_exactly(&self.pose) } else { block })
    }

    #[inline]
    fn outline(&self) -> Option<&Outline> {
        match &self.outline {
            MemberOutline::Shared(composite) => composite.outline(),
            MemberOutline::New(outline) => Some(outline),
        }
    }
}
