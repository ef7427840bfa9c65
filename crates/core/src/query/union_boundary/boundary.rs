//! Computes the boundary of a union of polygons: the intervals of part edges that no other part
//! covers.
//!
//! Input: an edge of a part, and the hulls of the parts near it. Output: the exposed intervals. The
//! simple version removes the intervals inside other parts:
//!
//! ```text
//! for each other part: remove the interval of the edge inside it
//! ```
//!
//! It also removes the boundary of two parts that are flush on the same side. An interval of an
//! edge is inside the union only if another part contains it and extends to its outer side. Two
//! parts that share an edge cover it from both sides, so seams are not boundary. Two parts that are
//! flush on the same side cover nothing.

use alloc::vec::Vec;

use glam::DVec2;

use super::sub_segment::{Segment, SubSegment, extends_right_of, placed_hull};
use crate::math::aabb::Aabb;
use crate::math::lists::filter_mapped;
use crate::math::ring::edges;
use crate::shape::part::Part;

/// The placed hull of a part.
pub(in crate::query) struct UnionPart {
    /// Vertices, counter-clockwise. One or two if the hull has no area.
    pub(in crate::query) hull: Vec<DVec2>,
    /// Bounding box of the hull.
    pub(in crate::query) bounds: Aabb,
}

impl UnionPart {
    /// Computes the hull of the placed points, without the radius.
    pub(in crate::query) fn new(part: Part<'_>) -> Self {
        let hull = placed_hull(part);
        let bounds = Aabb::of_points(&hull);
        Self { hull, bounds }
    }

    /// Returns true if the hull has at least three vertices.
    pub(in crate::query) fn has_area(&self) -> bool {
        self.hull.len() > 2
    }

    /// Returns the edges, counter-clockwise. The outer side is on the right.
    pub(in crate::query) fn edges(&self) -> impl Iterator<Item = Segment> {
        edges(&self.hull).map(|[p, q]| Segment { p, q })
    }
}

impl Segment {
    /// Returns true if the box is within a distance of another box.
    pub(in crate::query) fn is_near(&self, other: &Aabb, distance: f64) -> bool {
        self.aabb().grown(distance).intersects(other)
    }

    /// Returns the intervals of the segment inside hulls that extend to its right side.
    fn covered_on_the_right(&self, parts: &[&UnionPart]) -> Vec<SubSegment> {
        let own = self.aabb();
        filter_mapped(parts, |part| {
            let is_near = own.intersects(&part.bounds) && extends_right_of(&part.hull, self.p, self.q);
            if is_near { self.within(&part.hull) } else { None }
        })
    }

    /// Returns the intervals of an edge that are boundary of the union of the hulls.
    ///
    /// `parts` must include every part whose box intersects the box of the edge.
    pub(in crate::query) fn exposed(&self, interval: SubSegment, parts: &[&UnionPart]) -> Vec<SubSegment> {
        self.uncovered(interval, self.covered_on_the_right(parts))
    }
}
