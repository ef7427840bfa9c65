//! Stores the part of the surface and the part of the mover that a contact belongs to, with their
//! tolerances.
//!
//! Input: a contact with part indices. Output: both placed parts. Functions decide whether the
//! unions expose a normal, and whether the MTV of another contact ends the overlap. Tolerances are
//! relative to the smaller part, so that a step is ignored only if it is small for both.

use glam::DVec2;

use super::exposed_normals::{PARALLEL, SurfacePart, farthest, farthest_vertex, rounding, size};
use super::{Surface, SurfaceContact};
use crate::math::pose::Pose;
use crate::pair_result::{ContactId, ContactPoint, Feature, Manifold, Margin};
use crate::query::fast_path;
use crate::shape::part::Part;

/// The two parts of a contact.
#[derive(Clone, Copy)]
pub(super) struct PartPair<'a> {
    pub(super) ground: SurfacePart<'a>,
    pub(super) mover: SurfacePart<'a>,
    /// Size of the smaller part.
    size: f64,
    /// Largest ignored step or gap between the two parts.
    pub(super) tolerance: f64,
    /// Rounding tolerance of a length.
    rounding: f64,
}

impl<'a> PartPair<'a> {
    /// Returns the parts of a contact, or `None` if an index is invalid.
    pub(super) fn of(contact: &SurfaceContact, surface: &Surface<'a>) -> Option<Self> {
        let ground = surface.ground.member((contact.surface, contact.manifold.part_a))?;
        let mover = surface.mover.member((0, contact.manifold.part_b))?;
        let size = size(&ground.part).min(size(&mover.part));
        let position = contact.manifold.points()[0].on_a;
        let (tolerance, rounding) = (surface.ground.tolerance(size, position), PARALLEL * size + rounding(position));
        Some(Self { ground, mover, size, tolerance, rounding })
    }

    /// Returns true if both unions expose the normal of a contact of the two parts.
    pub(super) fn is_open(&self, found: &Manifold, surface: &Surface<'_>) -> bool {
        let count = found.points().len();
        let mut points = [[DVec2::ZERO; 2]; 2];
        for (i, p) in found.points().iter().enumerate() {
            (points[0][i], points[1][i]) = (p.on_a, p.on_b);
        }
        surface.ground.exposes(&self.ground, found.normal, &points[0][..count], self.size)
            && surface.mover.exposes(&self.mover, -found.normal, &points[1][..count], self.size)
    }

    /// Returns true if the points have the depth of the contact. Contacts through the front of a
    /// one-sided part can have deeper points.
    pub(super) fn has_depth_of(&self, found: &Manifold) -> bool {
        found.points().iter().all(|p| (p.on_a - p.on_b - found.normal * p.depth).abs().max_element() <= self.tolerance)
    }

    /// Returns true if the parts do not overlap after the mover has moved by the MTV of another
    /// contact (or up to it).
    pub(super) fn ends_with(&self, other: &Manifold) -> bool {
        let Ok(motion) = Pose::from_translation(other.mtv()) else { return false };
        let moved = Part { pose: motion.compose(&self.mover.part.pose), ..self.mover.part };
        fast_path::contact_of_parts(self.ground.part, moved, Margin::ZERO)
            .is_none_or(|left| left.depth <= self.rounding)
    }

    /// Returns the contact of the two along any normal: the farthest points of both.
    pub(super) fn along(&self, normal: DVec2) -> Manifold {
        let (a, b) = (self.ground.part, self.mover.part);
        let [on_a, on_b] = [farthest(&a, normal), farthest(&b, -normal)];
        let depth = normal.dot(on_a - on_b);
        let vertex = |part: &Part<'_>, direction: DVec2| {
            Feature::Vertex(part.convex.vertex_id(farthest_vertex(part, direction)))
        };
        let id = ContactId { a: vertex(&a, normal), b: vertex(&b, -normal) };
        self.numbered(Manifold::one(normal, depth, ContactPoint { on_a: on_b + normal * depth, on_b, depth, id }))
    }

    /// Returns a manifold of the two with the part indices.
    pub(super) fn numbered(&self, mut manifold: Manifold) -> Manifold {
        (manifold.part_a, manifold.part_b) = (self.ground.id.1, self.mover.id.1);
        manifold
    }
}
