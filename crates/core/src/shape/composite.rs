//! Shapes of many convex parts: concave polygons, chains, compounds and masks.
//!
//! The point set of a composite is the union of its parts', whatever it was made from; the parts know nothing of each other.

mod serialize;

use alloc::vec::Vec;

use super::composite_source::CompositeSource;
use super::convex::Convex;
use super::part::Part;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::vector::norm1;

/// Convex parts, a tree over their boxes, and what they were made from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composite {
    pub(super) source: CompositeSource,
    parts: Vec<Convex>,
    /// Of a compound, where each part lies; else empty, and all lie in the shape's own frame.
    poses: Vec<Pose>,
    /// Over the boxes of the parts in the shape's own frame, radii included.
    tree: StaticBvh,
    /// How far all parts were grown.
    pub(super) radius: f64,
    /// No point, radii included, is farther from the origin than this, by the sum of its coordinates.
    bounding_radius: f64,
    /// Has a part a front and a back?
    one_sided: bool,
    /// Returns true if a part is a point or a segment without a radius.
    has_thin_parts: bool,
}

impl Composite {
    /// Parts that lie in the shape's own frame.
    pub(super) fn new(source: CompositeSource, parts: Vec<Convex>, radius: f64) -> Self {
        Self::with_poses(source, parts, Vec::new(), radius)
    }

    /// Parts with a pose each.
    pub(super) fn with_poses(source: CompositeSource, parts: Vec<Convex>, poses: Vec<Pose>, radius: f64) -> Self {
        let one_sided = parts.iter().any(Convex::is_one_sided);
        let has_thin_parts = parts.iter().any(Convex::is_thin);
        let mut composite = Self {
            source,
            parts,
            poses,
            tree: StaticBvh::new(&[]),
            radius,
            bounding_radius: 0.0,
            one_sided,
            has_thin_parts,
        };
        let boxes: Vec<Aabb> =
            (0..composite.parts.len()).map(|i| composite.part(i as u32, &Pose::IDENTITY).aabb()).collect();
        composite.bounding_radius = boxes.iter().map(|b| norm1(b.min().abs().max(b.max().abs()))).fold(0.0, f64::max);
        composite.tree = StaticBvh::new(&boxes);
        composite
    }

    /// How many parts.
    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// A part, where the shape is at `pose`: poses inside a compound are composed to one first, so that every point is rounded once.
    #[inline]
    pub(crate) fn part(&self, i: u32, pose: &Pose) -> Part<'_> {
        let pose = self.poses.get(i as usize).map_or(*pose, |own| pose.compose(own));
        Part { convex: &self.parts[i as usize], pose }
    }

    /// The boxes of the parts.
    pub(crate) fn tree(&self) -> &StaticBvh {
        &self.tree
    }

    /// A bound on how far the shape reaches from its origin.
    pub(crate) fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Has one of its parts a front and a back?
    pub(crate) fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// Returns true if one of the parts is a point or a segment without a radius.
    pub(crate) fn has_thin_parts(&self) -> bool {
        self.has_thin_parts
    }

    /// The same composite grown by a radius.
    pub(super) fn rounded(&self, radius: f64) -> Self {
        let mut parts = self.parts.clone();
        for part in &mut parts {
            part.radius += radius;
        }
        Self::with_poses(self.source.clone(), parts, self.poses.clone(), self.radius + radius)
    }
}
