//! What is asked of the corners and edges of a convex shape: of any, or of one whose kind is known, so that it is not asked again and again what the shape is.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::{Convex, Points, RECTANGLE_NORMALS, VertexBlock4};

/// The corners and edges of a convex shape, counter-clockwise; edge i runs from corner i to the next.
pub(crate) trait ConvexView: Copy {
    /// A corner.
    fn corner(self, i: usize) -> DVec2;
    /// The unit outward normal of an edge.
    fn normal(self, i: usize) -> DVec2;
    /// The corner after `i`.
    fn next(self, i: usize) -> usize;
    /// The corner before `i`.
    fn previous(self, i: usize) -> usize;
    /// The number that the input gave to a corner.
    fn vertex_id(self, i: usize) -> u32;
    /// The number that the input gave to an edge.
    fn edge_id(self, i: usize) -> u32;
    /// The first outline of two, or the second.
    fn pick(second: bool, outlines: [Self; 2]) -> Self;
}

/// Any convex shape.
impl ConvexView for &Convex {
    #[inline(always)]
    fn corner(self, i: usize) -> DVec2 {
        Convex::corner(self, i)
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
    fn pick(second: bool, [p, q]: [Self; 2]) -> Self {
        select_unpredictable(second, q, p)
    }
}

/// The corners of a rectangle.
#[derive(Clone, Copy)]
pub(crate) struct Rectangle<'a>(&'a [DVec2; 4]);

impl Rectangle<'_> {
    /// Half the width and height.
    #[inline(always)]
    pub(crate) fn half(self) -> DVec2 {
        self.0[2]
    }
}

impl ConvexView for Rectangle<'_> {
    #[inline(always)]
    fn corner(self, i: usize) -> DVec2 {
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
    fn pick(second: bool, [p, q]: [Self; 2]) -> Self {
        Self(select_unpredictable(second, q.0, p.0))
    }
}

/// A polygon of up to eight corners.
#[derive(Clone, Copy)]
pub(crate) struct PlainPolygon<'a> {
    pub(crate) blocks: &'a [VertexBlock4; 2],
    count: usize,
    clockwise: bool,
}

impl ConvexView for PlainPolygon<'_> {
    #[inline(always)]
    fn corner(self, i: usize) -> DVec2 {
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
    fn pick(second: bool, [p, q]: [Self; 2]) -> Self {
        Self {
            blocks: select_unpredictable(second, q.blocks, p.blocks),
            count: select_unpredictable(second, q.count, p.count),
            clockwise: select_unpredictable(second, q.clockwise, p.clockwise),
        }
    }
}

impl Convex {
    /// A rectangle as such.
    #[inline(always)]
    pub(crate) fn as_corners(&self) -> Option<Rectangle<'_>> {
        match &self.points {
            Points::Four(corners) => Some(Rectangle(corners)),
            _ => None,
        }
    }

    /// A polygon of up to eight corners as such.
    #[inline(always)]
    pub(crate) fn as_small(&self) -> Option<PlainPolygon<'_>> {
        match &self.points {
            Points::Many { blocks, clockwise, .. } => (&**blocks).try_into().ok().map(|blocks| PlainPolygon {
                blocks,
                count: self.count,
                clockwise: *clockwise,
            }),
            _ => None,
        }
    }
}
