//! Decides whether the surface of a union has a normal at points of a part, or another part hides
//! it.
//!
//! Input: a part, a normal, and points of a contact. Output: a truth value. Source: the
//! neighbourhoods of boundary evaluation (Requicha and Voelcker 1985).
//!
//! ```text
//! face normal:    exposed if at one of the points no other part extends farther along the normal
//! vertex normal:  exposed if no part at the vertex extends farther along the normal
//! ```
//!
//! An exact test does not suffice: tiles that are placed one by one have seams of a few ulp, and
//! floors have small steps. So a face ignores steps below a tolerance, relative to the smaller
//! part. A vertex ignores none, because tilted normals would pass otherwise.
//!
//! The points at the ends of a face are moved inward. So a part beside the face does not hide it.

use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;

use crate::math::vector::{UNIT_ROUNDOFF, cross, norm1};
use crate::pair_result::Margin;
use crate::query::dual_traversal::{PairVisitor, traverse};
use crate::query::fast_path;
use crate::query::support::support_vertex;
use crate::shape::part::Part;
use crate::shape::{Placed, Shape};

/// Largest angle in radians between a normal and a face normal that count as equal.
pub(super) const PARALLEL: f64 = 1e-12;

/// Rounding tolerance of seams between separately placed shapes, in ulp of a coordinate.
const ROUNDING: f64 = 32.0 * UNIT_ROUNDOFF;

/// A part of a placed shape, with the index of the shape and of the part.
#[derive(Clone, Copy)]
pub(super) struct SurfacePart<'a> {
    /// The placed part.
    pub(super) part: Part<'a>,
    /// Index of the shape and of the part.
    pub(super) id: (usize, u32),
}

/// Placed shapes as one set of points.
pub(super) struct ShapeUnion<'a> {
    /// The shapes of the surface.
    shapes: &'a [Placed<'a>],
    /// A point for queries at a position.
    point: &'a Shape,
    /// Flush tolerance, relative to the size of the smallest part involved.
    flush: f64,
}

impl<'a> ShapeUnion<'a> {
    /// Prepares a surface; `flush` is a tolerance relative to the size of a part.
    pub(super) fn new(shapes: &'a [Placed<'a>], point: &'a Shape, flush: f64) -> Self {
        Self { shapes, point, flush }
    }

    /// Returns the part with these indices, if it exists.
    pub(super) fn member(&self, id: (usize, u32)) -> Option<SurfacePart<'a>> {
        let placed = self.shapes.get(id.0)?;
        ((id.1 as usize) < placed.shape().part_count()).then(|| SurfacePart { part: placed.part(id.1), id })
    }

    /// Returns the length below which steps between parts of this size at a position are ignored.
    pub(super) fn tolerance(&self, size: f64, position: DVec2) -> f64 {
        self.flush * size + rounding(position)
    }

    /// Returns true if the surface exposes an outward normal at these points of a part. `size` is
    /// the size of the smallest part so far.
    ///
    /// One exposed point of a face suffices. Points at the ends of a face are moved inward, so that
    /// a neighbor beside the face does not count. At a vertex, the normal must be valid for every
    /// part there: no part may extend farther along it than the vertex. Steps are not ignored
    /// there, because they would allow tilted normals.
    pub(super) fn exposes(&self, own: &SurfacePart<'_>, normal: DVec2, points: &[DVec2], size: f64) -> bool {
        let Some(&first) = points.first() else { return true };
        if let [only] = self.shapes
            && only.as_part().is_some()
        {
            // No other part.
            return true;
        }
        let Some(face) = SurfaceEdge::along(&own.part, normal) else {
            return !self.covers(own, farthest(&own.part, normal), normal, size, 0.0);
        };
        let inset = 3.0 * self.tolerance(size, first);
        let last = points[points.len() - 1];
        let samples = [first + (last - first) * 0.5, first, last];
        samples[..if points.len() > 1 { 3 } else { 1 }]
            .iter()
            .any(|&position| !self.covers(own, face.inside(position, inset), normal, size, self.flush))
    }

    /// Returns true if another part at a point of this one extends farther along the normal, by
    /// more than `step` times the smallest size.
    fn covers(&self, own: &SurfacePart<'_>, position: DVec2, normal: DVec2, size: f64, step: f64) -> bool {
        // A position beyond the coordinate range is on no shape.
        let Ok(point) = self.point.at(position) else { return false };
        let Some(at) = point.as_part() else { return false };
        self.shapes.iter().enumerate().any(|(shape, &other)| {
            let mut cover = Cover { union: self, shape, own: own.id, position, normal, size, step, found: false };
            match other.as_part() {
                Some(part) => cover.found = cover.is(0, at, part),
                None => traverse(point, other, &mut cover),
            }
            cover.found
        })
    }
}

/// Search for a part that hides a position.
struct Cover<'a> {
    /// The surface.
    union: &'a ShapeUnion<'a>,
    /// Index of the searched shape.
    shape: usize,
    /// The part that is not tested.
    own: (usize, u32),
    /// The point that may be covered.
    position: DVec2,
    /// The normal at this point.
    normal: DVec2,
    /// Size of the part with the normal.
    size: f64,
    /// Distance beyond the point that a cover must reach, relative to the size.
    step: f64,
    /// True if a part covers the point.
    found: bool,
}

impl Cover<'_> {
    /// Returns true if a part covers the point.
    fn is(&self, number: u32, point: Part<'_>, part: Part<'_>) -> bool {
        if (self.shape, number) == self.own {
            return false;
        }
        let size = self.size.min(size(&part));
        // First, because flush neighbours fail this test. It is much faster than that of the distance.
        let beyond = self.normal.dot(farthest(&part, self.normal) - self.position);
        beyond > self.step * size + rounding(self.position)
            && fast_path::contact_of_parts(point, part, Margin::rounded(-self.min_depth()))
                .is_some_and(|near| near.depth >= -self.union.tolerance(size, self.position))
    }
}

impl PairVisitor for Cover<'_> {
    fn min_depth(&self) -> f64 {
        -self.union.tolerance(self.size, self.position)
    }

    fn visit(&mut self, (_, point): (u32, Part<'_>), (number, part): (u32, Part<'_>)) -> ControlFlow<()> {
        self.found = self.is(number, point, part);
        if self.found { Break(()) } else { Continue(()) }
    }
}

/// Returns the longer side of the bounding box of a part.
pub(super) fn size(part: &Part<'_>) -> f64 {
    part.aabb().size().max_element()
}

/// Returns the point of a part farthest along a unit vector.
pub(crate) fn farthest(part: &Part<'_>, direction: DVec2) -> DVec2 {
    part.placed(farthest_vertex(part, direction)) + direction * part.convex.radius
}

/// Returns the vertex of a part farthest along a direction.
pub(super) fn farthest_vertex(part: &Part<'_>, direction: DVec2) -> usize {
    support_vertex(part.convex, part.pose.inverse_rotate_vector(-direction))
}

/// Returns the rounding tolerance at a position.
pub(super) fn rounding(position: DVec2) -> f64 {
    ROUNDING * norm1(position)
}

/// Returns the vertex at which the surface must have a normal; `None` if a face of the part has it.
pub(crate) fn vertex_along(part: &Part<'_>, normal: DVec2) -> Option<DVec2> {
    SurfaceEdge::along(part, normal).is_none().then(|| farthest(part, normal))
}

/// A face of a part: start, direction and length.
struct SurfaceEdge {
    /// Start of the edge.
    start: DVec2,
    /// Unit vector along the edge.
    tangent: DVec2,
    /// Length of the edge.
    length: f64,
}

impl SurfaceEdge {
    /// Returns the face with this outward normal, if it exists.
    fn along(part: &Part<'_>, normal: DVec2) -> Option<Self> {
        if part.convex.edge_count() == 0 {
            return None;
        }
        let vertex = farthest_vertex(part, normal);
        [vertex, part.convex.previous(vertex)].into_iter().find_map(|edge| {
            let own = part.pose.rotate_vector(part.convex.normal(edge));
            let (start, tangent) = (part.placed(edge), DVec2::new(-own.y, own.x));
            let length = tangent.dot(part.placed(part.convex.next(edge)) - start);
            (own.dot(normal) > 0.0 && cross(own, normal).abs() <= PARALLEL).then_some(Self { start, tangent, length })
        })
    }

    /// Moves a position along the face until it is this far from both ends. Short faces: the
    /// middle.
    fn inside(&self, position: DVec2, inset: f64) -> DVec2 {
        let along = self.tangent.dot(position - self.start);
        let inset = inset.min(0.5 * self.length);
        position + self.tangent * (along.max(inset).min(self.length - inset) - along)
    }
}
