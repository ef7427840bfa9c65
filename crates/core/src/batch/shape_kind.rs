//! Defines shape ids, and the kinds of shapes that the SIMD kernels distinguish.
//!
//! An id is a kind and an index among the shapes of this kind, in 32 bits. So pairs are sorted into
//! classes without reading the shapes. Circles with a centre off their origin are of the kind
//! `Other`, because the circle kernels read no rotation.

use glam::DVec2;

use crate::shape::{Form, Shape};

/// The id of a shape in a [`Batch`](super::Batch). Several placed shapes may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(u32);

/// Number of low bits of a [`ShapeId`] for the index. The bits above contain the kind.
const INDEX_BITS: u32 = 30;

/// A kind of shape with its own kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelKind {
    /// A circle centred at its origin.
    Circle,
    Rectangle,
    /// A convex polygon with up to eight hull vertices.
    Polygon,
    /// Any other shape; computed by the scalar path.
    Other,
}

impl ShapeId {
    /// Returns the id of the shape at `index` among the shapes of its kind.
    pub(super) fn new(kind: KernelKind, index: usize) -> Self {
        Self((kind as u32) << INDEX_BITS | index as u32)
    }

    /// Returns the id of the circle at `index` among the circles.
    pub(crate) fn of_circle(index: usize) -> Self {
        Self::new(KernelKind::Circle, index)
    }

    /// The id of a shape without a kernel.
    pub(crate) const OTHER: Self = Self((KernelKind::Other as u32) << INDEX_BITS);

    /// Returns true if there is no kernel for the shape.
    #[inline(always)]
    pub(crate) fn is_other(self) -> bool {
        self.kind() == KernelKind::Other as usize
    }

    /// Returns true for a rectangle or a polygon with up to eight hull vertices.
    #[inline(always)]
    pub(super) fn is_small_polygon(self) -> bool {
        self.kind() == KernelKind::Rectangle as usize || self.kind() == KernelKind::Polygon as usize
    }

    /// Returns true if the other shape is of the same kind.
    #[inline(always)]
    pub(super) fn is_same_kind(self, other: Self) -> bool {
        (self.0 ^ other.0) >> INDEX_BITS == 0
    }

    /// Returns the numeric value of the [`KernelKind`].
    #[inline(always)]
    pub(super) fn kind(self) -> usize {
        (self.0 >> INDEX_BITS) as usize
    }

    /// Returns the index among the shapes of the same kind. Rectangles and polygons share one list.
    #[inline(always)]
    pub(super) fn index(self) -> u32 {
        self.0 & ((1 << INDEX_BITS) - 1)
    }
}

/// Returns the radius if the shape is a circle centred at its origin.
pub(crate) fn circle_radius(shape: &Shape) -> Option<f64> {
    match &shape.0 {
        Form::Convex(convex) if convex.as_point() == Some(DVec2::ZERO) => Some(convex.radius),
        _ => None,
    }
}
