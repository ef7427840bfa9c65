//! Stores the data that composites were created from, for accessors, scaling and serialization.
//!
//! Parts are not enough for these. The parts of a polygon have lost its rings, and parts of a mask
//! its pixels. A scaled shape is created again from scaled source data, because rounding could bend
//! a scaled part.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use glam::DVec2;
use smallvec::SmallVec;

use super::Shape;
use super::composite_parts::CompositeParts;
use super::outline::Outline;
use crate::decompose::PolygonWithHoles;
use crate::decompose::rings::area_sign;
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
    pub(crate) rings: SmallVec<[Range<usize>; 1]>,
}

impl Concave {
    pub(crate) fn rings(&self) -> impl ExactSizeIterator<Item = &[DVec2]> {
        self.rings.iter().map(|ring| &self.points[ring.clone()])
    }

    /// Computes the convex parts. The rings must be valid.
    pub(crate) fn parts(&self) -> CompositeParts {
        let ends = self.rings.iter().map(|ring| ring.end).collect();
        let polygon = PolygonWithHoles::from_rings(self.points.clone(), ends);
        // The constructor of the shape has validated the rings in the same way.
        polygon.map_or_else(
            |_| CompositeParts::new(Vec::new(), Vec::new()),
            |polygon| CompositeParts::of_polygon(&polygon),
        )
    }

    /// Returns the edges of the rings, with the interior on their left; `None` if a ring has no edge.
    ///
    /// `touches_itself` is true if a ring touches another ring or itself.
    pub(crate) fn outline(&self, touches_itself: bool) -> Option<Outline> {
        // The outer ring becomes counter-clockwise, the holes clockwise.
        let is_reversed = |k: usize, ring: &[DVec2]| (area_sign(ring) == Ordering::Less) == (k == 0);
        if self.rings.iter().any(Range::is_empty) {
            return None;
        }
        Outline::new(&mut self.rings().enumerate().map(|(k, ring)| (ring, is_reversed(k, ring))), touches_itself)
    }
}

/// The points of a chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) points: Vec<DVec2>,
    pub(crate) closed: bool,
    pub(crate) one_sided: bool,
}

/// The children of a compound, in the order of their parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compound {
    pub(crate) children: Vec<(Shape, Pose)>,
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
