//! What a shape is to the kernels.

use glam::DVec2;

use crate::shape::{Form, Shape};

/// A shape of a [`Batch`](super::Batch): many placed shapes may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(u32);

/// Bits of a [`ShapeId`] that number the shapes; its kind stands above them.
const INDEX_BITS: u32 = 30;

/// What a kernel can take several of at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A circle about its own origin.
    Circle,
    Rectangle,
    /// A convex polygon of up to eight corners.
    Polygon,
    /// Whatever is asked pair by pair.
    Other,
}

impl ShapeId {
    pub(super) fn new(kind: Kind, index: usize) -> Self {
        Self((kind as u32) << INDEX_BITS | index as u32)
    }

    /// A circle by its place among the circles.
    pub(crate) fn of_circle(index: usize) -> Self {
        Self::new(Kind::Circle, index)
    }

    /// A shape that no kernel can take several of.
    pub(crate) const OTHER: Self = Self((Kind::Other as u32) << INDEX_BITS);

    /// Is there no kernel for it?
    #[inline(always)]
    pub(crate) fn is_other(self) -> bool {
        self.kind() == Kind::Other as usize
    }

    /// Is it a rectangle or a polygon of few corners?
    #[inline(always)]
    pub(super) fn is_outline(self) -> bool {
        self.kind() == Kind::Rectangle as usize || self.kind() == Kind::Polygon as usize
    }

    /// Is the other one of the same kind?
    #[inline(always)]
    pub(super) fn is_like(self, other: Self) -> bool {
        (self.0 ^ other.0) >> INDEX_BITS == 0
    }

    /// The number of its [`Kind`].
    #[inline(always)]
    pub(super) fn kind(self) -> usize {
        (self.0 >> INDEX_BITS) as usize
    }

    /// Its place among the shapes of its kind; rectangles and polygons are counted together.
    #[inline(always)]
    pub(super) fn index(self) -> u32 {
        self.0 & ((1 << INDEX_BITS) - 1)
    }
}

/// The radius of a circle about its own origin.
pub(crate) fn circle_radius(shape: &Shape) -> Option<f64> {
    match &shape.0 {
        Form::Convex(convex) if convex.as_point() == Some(DVec2::ZERO) => Some(convex.radius),
        _ => None,
    }
}
