//! What composites were made from, kept to be read back and scaled.

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec2;

use super::Shape;
use crate::math::mask::Mask;
use crate::math::pose::Pose;

/// What a composite was made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CompositeSource {
    Concave(Concave),
    Chain(Chain),
    Compound(Compound),
    Mask(Pixels),
}

/// The outline that a concave polygon was made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Concave {
    pub(super) points: Vec<DVec2>,
    pub(super) rings: Vec<Range<usize>>,
}

impl Concave {
    pub(super) fn rings(&self) -> impl ExactSizeIterator<Item = &[DVec2]> {
        self.rings.iter().map(|ring| &self.points[ring.clone()])
    }
}

/// What a chain was made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chain {
    pub(super) points: Vec<DVec2>,
    pub(super) closed: bool,
    pub(super) one_sided: bool,
}

/// What a compound was made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compound {
    pub(super) children: Vec<(Shape, Pose)>,
    /// The number of each child's first part.
    pub(super) first_parts: Vec<u32>,
}

/// The mask that a shape was made from: its pixel (x, y) reaches from `(origin + (x, y)) * scale` to the next corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    pub(super) mask: Mask,
    /// Where its pixel (0, 0) lies, in pixels: mirrored masks lie on the other side of the origin.
    pub(super) origin: [i64; 2],
    /// The size of a pixel.
    pub(super) scale: DVec2,
}
