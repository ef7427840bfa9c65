//! Stores the convex parts of a composite, each with an optional pose, and a BVH over their boxes.

use alloc::vec::Vec;

use super::Shape;
use super::convex::Convex;
use super::part::Part;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::decompose::PolygonWithHoles;
use crate::math::aabb::Aabb;
use crate::math::lists::mapped;
use crate::math::pose::Pose;
use crate::math::vector::norm1;

/// The convex parts of a composite, and a BVH over their boxes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompositeParts {
    pub(super) convexes: Vec<Convex>,
    /// The pose of each part of a compound. Empty for other composites: then all parts lie in the
    /// shape's own frame.
    pub(super) poses: Vec<Pose>,
    /// Index of the first part of each child of a compound. Empty for other composites.
    pub(crate) first_parts: Vec<u32>,
    /// BVH over the boxes of the parts in the shape's own frame, radii included.
    pub(super) tree: StaticBvh,
    /// Upper bound of `|x| + |y|` of all points relative to the origin, radii included. For each part it also bounds a
    /// sum: `|x| + |y|` of its points in its own frame, plus that of its translation.
    pub(super) bounding_radius: f64,
    /// True if a part has a front and a back.
    pub(super) one_sided: bool,
    /// True if a part is a point or a segment without a radius.
    pub(super) has_thin_parts: bool,
}

impl CompositeParts {
    /// Stores parts with a pose each; without poses, all parts lie in the shape's own frame.
    pub(crate) fn new(convexes: Vec<Convex>, poses: Vec<Pose>) -> Self {
        let one_sided = convexes.iter().any(Convex::is_one_sided);
        let has_thin_parts = convexes.iter().any(Convex::is_thin);
        let (tree, bounding_radius) = (StaticBvh::new(&[]), 0.0);
        let first_parts = Vec::new();
        let mut parts = Self { convexes, poses, first_parts, tree, bounding_radius, one_sided, has_thin_parts };
        let boxes: Vec<Aabb> = mapped(0..parts.convexes.len(), |i| parts.part(i as u32, &Pose::IDENTITY).aabb());
        for bounds in &boxes {
            parts.bounding_radius = parts.bounding_radius.max(norm1(bounds.min().abs().max(bounds.max().abs())));
        }
        for (convex, pose) in parts.convexes.iter().zip(&parts.poses) {
            let reach = convex.bounding_radius + convex.radius + norm1(pose.translation());
            parts.bounding_radius = parts.bounding_radius.max(reach);
        }
        parts.tree = StaticBvh::new(&boxes);
        parts
    }

    /// Computes the convex parts of a polygon.
    pub(crate) fn of_polygon(outline: &PolygonWithHoles) -> Self {
        Self::new(Convex::parts_of_polygon(outline).collect(), Vec::new())
    }

    /// Collects the parts of the children of a compound, one child after the other.
    pub(crate) fn of_children(children: &[(Shape, Pose)]) -> Self {
        let (mut convexes, mut poses, mut first_parts) = (Vec::new(), Vec::new(), Vec::with_capacity(children.len()));
        for (child, pose) in children {
            first_parts.push(convexes.len() as u32);
            for part in child.placed(*pose).parts() {
                convexes.push(part.convex.clone());
                poses.push(part.pose);
            }
        }
        Self { first_parts, ..Self::new(convexes, poses) }
    }

    /// Returns part `i` of the shape at `pose`.
    #[inline]
    pub(super) fn part(&self, i: u32, pose: &Pose) -> Part<'_> {
        let pose = self.poses.get(i as usize).map_or(*pose, |own| pose.compose(own));
        Part { convex: &self.convexes[i as usize], pose }
    }
}
