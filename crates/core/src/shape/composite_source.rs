//! Stores the data that composites were created from, for accessors, scaling and serialization.
//!
//! Parts are not enough for these. The parts of a polygon have lost its rings, and parts of a mask
//! its pixels. A scaled shape is created again from scaled source data, because rounding could bend
//! a scaled part.

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec2;

use super::Shape;
use crate::math::mask::Mask;
use crate::math::pose::Pose;

/// The data that a composite was created from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CompositeSource {
    Concave(Concave),
    Chain(Chain),
    Compound(Compound),
    Mask(Pixels),
}

/// The rings of a concave polygon.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Concave {
    pub(crate) points: Vec<DVec2>,
    pub(crate) rings: Vec<Range<usize>>,
}

impl Concave {
    pub(crate) fn rings(&self) -> impl ExactSizeIterator<Item = &[DVec2]> {
        self.rings.iter().map(|ring| &self.points[ring.clone()])
    }
}

/// The points of a chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) points: Vec<DVec2>,
    pub(crate) closed: bool,
    pub(crate) one_sided: bool,
}

/// The children of a compound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compound {
    pub(crate) children: Vec<(Shape, Pose)>,
    /// Index of each child's first part.
    pub(crate) first_parts: Vec<u32>,
}

/// The mask of a shape. Its pixel (x, y) is the box from `(origin + (x, y)) * scale` to `(origin +
/// (x + 1, y + 1)) * scale`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pixels {
    pub(crate) mask: Mask,
    /// Position of pixel (0, 0), in pixels. It is negative after mirroring: the mask is then on the
    /// other side of the origin.
    pub(crate) origin: [i64; 2],
    /// Size of a pixel.
    pub(crate) scale: DVec2,
}
