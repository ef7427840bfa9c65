//! Stores hull vertices in blocks of four: the input of SIMD kernels.
//!
//! Input: hull vertices, counter-clockwise, with their ids. Output: one array per coordinate, and
//! for each edge its unit normal and the offset of its line.
//!
//! ```text
//! height of a point p over edge i = normal_x[i] · p.x + normal_y[i] · p.y − offset[i]
//! ```
//!
//! A list of points would need a shuffle per load, and a square root per normal and query. The
//! blocks of polygons are stored. Those of segments and rectangles are computed on demand, because
//! they take a few instructions.

use glam::DVec2;

use crate::math::vector::unit;

/// Four hull vertices, counter-clockwise, and the edges that begin there, as arrays for SIMD.
///
/// A last block is padded with copies of the first hull vertex and with edges that contain
/// everything (offset `f64::MAX`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VertexBlock4 {
    /// The x coordinates of the hull vertices.
    pub(crate) x: [f64; 4],
    /// The y coordinates.
    pub(crate) y: [f64; 4],
    /// The x coordinates of the unit outward normals.
    pub(crate) normal_x: [f64; 4],
    /// The y coordinates of the normals.
    pub(crate) normal_y: [f64; 4],
    /// Signed distance of each edge's line from the origin, along its normal.
    pub(crate) offset: [f64; 4],
    /// Index of each hull vertex in the input.
    pub(super) vertex_ids: [u32; 4],
}

impl VertexBlock4 {
    /// Creates a block of padding: copies of the first hull vertex, without edges.
    pub(super) fn empty(first: DVec2) -> Self {
        Self {
            x: [first.x; 4],
            y: [first.y; 4],
            normal_x: [0.0; 4],
            normal_y: [0.0; 4],
            offset: [f64::MAX; 4],
            vertex_ids: [0, 1, 2, 3],
        }
    }

    /// Sets a hull vertex and the edge from it to the next one.
    pub(super) fn set(&mut self, lane: usize, [vertex, next]: [DVec2; 2], id: u32) {
        // Hull vertices differ, so their difference is not zero (gradual underflow).
        let normal = unit(DVec2::new(next.y - vertex.y, vertex.x - next.x)).unwrap_or(DVec2::X);
        (self.x[lane], self.y[lane]) = (vertex.x, vertex.y);
        self.set_normal(lane, normal);
        self.vertex_ids[lane] = id;
    }

    /// Returns the same vertices and edges relative to another origin.
    pub(super) fn relative_to(&self, origin: DVec2) -> Self {
        let mut moved = *self;
        for i in 0..4 {
            (moved.x[i], moved.y[i]) = (self.x[i] - origin.x, self.y[i] - origin.y);
            if self.offset[i] != f64::MAX {
                moved.offset[i] = self.normal_x[i] * moved.x[i] + self.normal_y[i] * moved.y[i];
            }
        }
        moved
    }

    /// Sets the normal of the edge that begins at a vertex.
    fn set_normal(&mut self, lane: usize, normal: DVec2) {
        (self.normal_x[lane], self.normal_y[lane]) = (normal.x, normal.y);
        self.offset[lane] = normal.x * self.x[lane] + normal.y * self.y[lane];
    }

    /// Returns the block of a segment: its ends and its two sides.
    #[inline(always)]
    pub(super) fn segment(ends: [DVec2; 2], normal: DVec2) -> Self {
        let mut block = Self::empty(ends[0]);
        (block.x[1], block.y[1]) = (ends[1].x, ends[1].y);
        block.set_normal(0, normal);
        block.set_normal(1, -normal);
        block
    }

    /// Returns the block of a rectangle with half extents `half`.
    #[inline(always)]
    pub(super) fn rectangle(half: DVec2) -> Self {
        Self {
            x: [-half.x, half.x, half.x, -half.x],
            y: [-half.y, -half.y, half.y, half.y],
            normal_x: [0.0, 1.0, 0.0, -1.0],
            normal_y: [-1.0, 0.0, 1.0, 0.0],
            offset: [half.y, half.x, half.y, half.x],
            vertex_ids: [0, 1, 2, 3],
        }
    }
}

/// All vertices or edges of a convex shape, in blocks.
pub(crate) enum Blocks<'a, T> {
    /// Computed on demand.
    One([T; 1]),
    /// Stored.
    Many(&'a [T]),
}

impl<T> Blocks<'_, T> {
    /// Returns the blocks in order.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::One(block) => block,
            Self::Many(blocks) => blocks,
        }
    }
}
