//! Edges in single precision: what bounds are made of takes half the room in the cache and half the work.

use alloc::sync::Arc;

use super::{Convex, Points, VertexBlock4};

/// Eight edges, to the nearest numbers of 32 bits.
///
/// What a last one has too many are edges that never count: their lines are infinitely far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EdgesF32 {
    /// Unit outward normals.
    pub(crate) normal_x: [f32; 8],
    pub(crate) normal_y: [f32; 8],
    /// How far along its normal each edge's line lies.
    pub(crate) offset: [f32; 8],
}

/// The edges of a convex shape in eights.
pub(crate) enum RoughEdges<'a> {
    /// Made on the spot.
    One([EdgesF32; 1]),
    /// Stored.
    Many(&'a [EdgesF32]),
}

impl RoughEdges<'_> {
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[EdgesF32] {
        match self {
            Self::One(eight) => eight,
            Self::Many(eights) => eights,
        }
    }
}

impl EdgesF32 {
    /// The edges of a block or two.
    #[inline(always)]
    fn of(blocks: &[VertexBlock4]) -> Self {
        let mut rough = Self { normal_x: [0.0; 8], normal_y: [0.0; 8], offset: [f32::INFINITY; 8] };
        for (block, from) in blocks.iter().zip([0, 4]) {
            for lane in 0..4 {
                rough.normal_x[from + lane] = block.normal_x[lane] as f32;
                rough.normal_y[from + lane] = block.normal_y[lane] as f32;
                rough.offset[from + lane] = block.offset[lane] as f32;
            }
        }
        rough
    }

    /// What is stored of polygons of more than eight corners.
    pub(super) fn all(blocks: &[VertexBlock4]) -> Option<Arc<[Self]>> {
        (blocks.len() > 2).then(|| blocks.chunks(2).map(Self::of).collect())
    }
}

impl Convex {
    /// The edges in single precision.
    #[inline(always)]
    pub(crate) fn rough_edges(&self) -> RoughEdges<'_> {
        if let Points::Many { rough: Some(rough), .. } = &self.points {
            return RoughEdges::Many(rough);
        }
        RoughEdges::One([EdgesF32::of(self.blocks().as_slice())])
    }
}
