//! Stores edges in single precision, for conservative bounds.
//!
//! Input: the blocks of a convex shape. Output: unit normals and offsets, rounded to the nearest
//! `f32`, eight edges per group. They take half the memory traffic and half the work of `f64`.
//!
//! The code that computes a bound (`query/sat_bounds.rs`) adds the rounding errors of single
//! precision to it. The edges are stored for polygons of more than eight hull vertices only.
//! Smaller shapes compute them on demand.

use alloc::sync::Arc;

use super::{Blocks, Convex, Points, VertexBlock4};

/// Eight edges, rounded to the nearest `f32`.
///
/// The last one is padded with edges whose lines are infinitely far away, so they contain
/// everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EdgesF32 {
    /// Unit outward normals of the edges.
    pub(crate) normal_x: [f32; 8],
    pub(crate) normal_y: [f32; 8],
    /// Signed distance of each edge's line from the origin, along its normal.
    pub(crate) offset: [f32; 8],
}

impl EdgesF32 {
    /// Rounds the edges of one or two blocks.
    #[inline(always)]
    fn of(blocks: &[VertexBlock4]) -> Self {
        let mut edges_f32 = Self { normal_x: [0.0; 8], normal_y: [0.0; 8], offset: [f32::INFINITY; 8] };
        for (block, from) in blocks.iter().zip([0, 4]) {
            for lane in 0..4 {
                edges_f32.normal_x[from + lane] = block.normal_x[lane] as f32;
                edges_f32.normal_y[from + lane] = block.normal_y[lane] as f32;
                edges_f32.offset[from + lane] = block.offset[lane] as f32;
            }
        }
        edges_f32
    }

    /// Returns the edges to store for a polygon of more than eight hull vertices; `None` for
    /// smaller ones.
    pub(super) fn all(blocks: &[VertexBlock4]) -> Option<Arc<[Self]>> {
        (blocks.len() > 2).then(|| blocks.chunks(2).map(Self::of).collect())
    }
}

impl Convex {
    /// Returns the edges in single precision, in groups of eight.
    #[inline(always)]
    pub(crate) fn edges_f32(&self) -> Blocks<'_, EdgesF32> {
        if let Points::Many { edges_f32: Some(edges_f32), .. } = &self.points {
            return Blocks::Many(edges_f32);
        }
        Blocks::One([EdgesF32::of(self.blocks().as_slice())])
    }
}
