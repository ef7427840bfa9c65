//! Accesses the hull vertices and edges of a convex shape, specialized by kind.
//!
//! A kernel that is generic over [`ConvexView`] tests the kind of a shape once, instead of at every
//! access. The compiler then knows the number of vertices of a rectangle, and that a small polygon
//! has two blocks. So it removes bounds checks and unrolls loops.
//!
//! `&Convex` implements the trait for all kinds, with a test per access. It serves the kinds
//! without a view of their own.
//!
//! | view | vertices | normals |
//! |---|---|---|
//! | `RectangleView` | four, in an array | constants |
//! | `SmallPolygonView` | up to eight, in two blocks of four | in the blocks |
//! | `&Convex` | any number | by kind |
//!
//! `select` chooses one of two views without a branch. The owner of the deciding edge is
//! unpredictable for the processor.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::{Convex, Points, RECTANGLE_NORMALS, VertexBlock4};

/// The hull vertices and edges of a convex shape, counter-clockwise. Edge `i` runs from hull vertex
/// `i` to the next.
pub(crate) trait ConvexView: Copy {
    /// Returns hull vertex `i`.
    fn hull_vertex(self, i: usize) -> DVec2;
    /// Returns the unit outward normal of edge `i`.
    fn normal(self, i: usize) -> DVec2;
    /// Returns the index of the hull vertex after `i`.
    fn next(self, i: usize) -> usize;
    /// Returns the index of the hull vertex before `i`.
    fn previous(self, i: usize) -> usize;
    /// Returns the index of hull vertex `i` in the input.
    fn vertex_id(self, i: usize) -> u32;
    /// Returns the index of edge `i` in the input.
    fn edge_id(self, i: usize) -> u32;
    /// Returns the second of two views if `second`, else the first. Branchless.
    fn select(second: bool, views: [Self; 2]) -> Self;
}

/// Any convex shape; tests its kind at every access.
impl ConvexView for &Convex {
    #[inline(always)]
    fn hull_vertex(self, i: usize) -> DVec2 {
        Convex::hull_vertex(self, i)
    }

    #[inline(always)]
    fn normal(self, i: usize) -> DVec2 {
        Convex::normal(self, i)
    }

    #[inline(always)]
    fn next(self, i: usize) -> usize {
        Convex::next(self, i)
    }

    #[inline(always)]
    fn previous(self, i: usize) -> usize {
        Convex::previous(self, i)
    }

    #[inline(always)]
    fn vertex_id(self, i: usize) -> u32 {
        Convex::vertex_id(self, i)
    }

    #[inline(always)]
    fn edge_id(self, i: usize) -> u32 {
        Convex::edge_id(self, i)
    }

    #[inline(always)]
    fn select(second: bool, [p, q]: [Self; 2]) -> Self {
        select_unpredictable(second, q, p)
    }
}

/// A rectangle, as its four vertices.
#[derive(Clone, Copy)]
pub(crate) struct RectangleView<'a>(&'a [DVec2; 4]);

impl RectangleView<'_> {
    /// Returns the half extents.
    #[inline(always)]
    pub(crate) fn half(self) -> DVec2 {
        self.0[2]
    }
}

impl ConvexView for RectangleView<'_> {
    #[inline(always)]
    fn hull_vertex(self, i: usize) -> DVec2 {
        self.0[i % 4]
    }

    #[inline(always)]
    fn normal(self, i: usize) -> DVec2 {
        RECTANGLE_NORMALS[i % 4]
    }

    #[inline(always)]
    fn next(self, i: usize) -> usize {
        (i + 1) % 4
    }

    #[inline(always)]
    fn previous(self, i: usize) -> usize {
        (i + 3) % 4
    }

    #[inline(always)]
    fn vertex_id(self, i: usize) -> u32 {
        i as u32
    }

    #[inline(always)]
    fn edge_id(self, i: usize) -> u32 {
        i as u32
    }

    #[inline(always)]
    fn select(second: bool, [p, q]: [Self; 2]) -> Self {
        Self(select_unpredictable(second, q.0, p.0))
    }
}

/// A polygon of up to eight hull vertices.
#[derive(Clone, Copy)]
pub(crate) struct SmallPolygonView<'a> {
    pub(crate) blocks: &'a [VertexBlock4; 2],
    count: usize,
    clockwise: bool,
}

impl ConvexView for SmallPolygonView<'_> {
    #[inline(always)]
    fn hull_vertex(self, i: usize) -> DVec2 {
        let block = &self.blocks[i / 4 % 2];
        DVec2::new(block.x[i % 4], block.y[i % 4])
    }

    #[inline(always)]
    fn normal(self, i: usize) -> DVec2 {
        let block = &self.blocks[i / 4 % 2];
        DVec2::new(block.normal_x[i % 4], block.normal_y[i % 4])
    }

    #[inline(always)]
    fn next(self, i: usize) -> usize {
        select_unpredictable(i + 1 == self.count, 0, i + 1)
    }

    #[inline(always)]
    fn previous(self, i: usize) -> usize {
        select_unpredictable(i == 0, self.count, i) - 1
    }

    #[inline(always)]
    fn vertex_id(self, i: usize) -> u32 {
        self.blocks[i / 4 % 2].vertex_ids[i % 4]
    }

    #[inline(always)]
    fn edge_id(self, i: usize) -> u32 {
        self.vertex_id(select_unpredictable(self.clockwise, self.next(i), i))
    }

    #[inline(always)]
    fn select(second: bool, [p, q]: [Self; 2]) -> Self {
        Self {
            blocks: select_unpredictable(second, q.blocks, p.blocks),
            count: select_unpredictable(second, q.count, p.count),
            clockwise: select_unpredictable(second, q.clockwise, p.clockwise),
        }
    }
}

impl Convex {
    /// Returns the view of a rectangle; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_rectangle_view(&self) -> Option<RectangleView<'_>> {
        match &self.points {
            Points::Four(vertices) => Some(RectangleView(vertices)),
            _ => None,
        }
    }

    /// Returns the view of a polygon of up to eight hull vertices; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_small_polygon_view(&self) -> Option<SmallPolygonView<'_>> {
        match &self.points {
            Points::Many { blocks, clockwise, .. } => (&**blocks).try_into().ok().map(|blocks| SmallPolygonView {
                blocks,
                count: self.count,
                clockwise: *clockwise,
            }),
            _ => None,
        }
    }
}
