//! Prepares a ray for tests against parts, and describes its intersection with one.
//!
//! The end of a ray is rounded. All tests use the vector from the origin to that rounded end, and
//! not the input displacement. So they agree with the exact predicate, which tests the segment
//! between both points.

use glam::DVec2;

use crate::math::pose::Pose;
use crate::math::ray::Ray;
use crate::math::vector::length_and_direction;
use crate::pair_result::Feature;
use crate::shape::part::Part;

/// A ray relative to parts.
#[derive(Clone, Copy)]
pub(super) struct PreparedRay {
    /// The start of the ray.
    pub(super) origin: DVec2,
    /// The end, rounded.
    pub(super) end: DVec2,
    /// Vector from the origin to the end, both as rounded.
    pub(super) displacement: DVec2,
    /// The radius of the ray.
    pub(super) radius: f64,
}

/// The crossing of a ray and the boundary of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Time of the crossing, a fraction of the ray; may be outside 0 ..= 1.
    pub(super) time: f64,
    /// Outward unit normal.
    pub(super) normal: DVec2,
    /// Error bound of the time.
    pub(super) error: f64,
    /// Hull vertex or edge, by the part's numbers. `None` if there is no boundary.
    pub(super) feature: Option<Feature>,
}

impl Crossing {
    /// Returns the time clamped between two others. The first of them if it is NaN.
    #[inline(always)]
    pub(super) fn time_within(&self, first: f64, last: f64) -> f64 {
        if self.time > first { self.time.min(last) } else { first }
    }

    /// Returns the crossed feature by the input's numbers.
    #[inline(always)]
    pub(super) fn feature_of(&self, part: Part<'_>) -> Option<Feature> {
        self.feature.map(|feature| match feature {
            Feature::Vertex(vertex) => Feature::Vertex(part.convex.vertex_id(vertex as usize)),
            Feature::Edge(edge) => Feature::Edge(part.convex.edge_id(edge as usize)),
        })
    }
}

/// The boundary feature that a ray crosses.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoundaryFeature {
    /// An edge. The crossing is computed on request.
    Edge(usize),
    /// A crossing that is already computed.
    Known(Crossing),
}

/// The interval of a ray inside a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayInterval {
    /// True if the ray starts in the part, boundary included.
    pub(super) starts_inside: bool,
    /// The feature at the entry.
    pub(super) enter: BoundaryFeature,
    /// The feature at the exit.
    pub(super) exit: BoundaryFeature,
}

impl PreparedRay {
    /// Prepares a ray.
    #[inline(always)]
    pub(super) fn new(ray: &Ray) -> Self {
        let (origin, end) = (ray.origin(), ray.end());
        Self { origin, end, displacement: end - origin, radius: ray.radius() }
    }

    /// Returns the point of the ray at a time.
    #[inline(always)]
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.origin + self.displacement * time
    }

    /// Returns the origin and the displacement in the frame of a pose.
    #[inline(always)]
    pub(super) fn seen_from(&self, pose: &Pose) -> (DVec2, DVec2) {
        (pose.inverse_rotate_vector(self.origin - pose.translation()), pose.inverse_rotate_vector(self.displacement))
    }

    /// Returns true if the ray has no length.
    #[inline(always)]
    pub(super) fn is_point(&self) -> bool {
        self.displacement == DVec2::ZERO
    }

    /// Returns the length and the unit direction. +x if the length is 0.
    #[inline(always)]
    pub(super) fn measure(&self) -> (f64, DVec2) {
        length_and_direction(self.displacement, DVec2::X)
    }

    /// Returns the unit direction. +x if the length is 0.
    #[inline(always)]
    pub(super) fn direction(&self) -> DVec2 {
        self.measure().1
    }

    /// Returns the parameter of the point nearest to a given point on the infinite line.
    pub(super) fn nearest_to(&self, point: DVec2) -> f64 {
        let (length, direction) = self.measure();
        (point - self.origin).dot(direction) / length
    }
}
