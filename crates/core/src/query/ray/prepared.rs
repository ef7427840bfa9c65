//! A ray as parts see it, and what it has of one.

use glam::DVec2;

use crate::math::ray::Ray;
use crate::math::vector::length_and_direction;
use crate::query::manifold::Feature;
use crate::shape::part::Part;

/// A ray as parts see it.
#[derive(Clone, Copy)]
pub(super) struct PreparedRay {
    pub(super) origin: DVec2,
    pub(super) end: DVec2,
    /// From the origin to the end as they are, both rounded.
    pub(super) way: DVec2,
    pub(super) radius: f64,
}

/// Where a ray goes through the boundary of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) time: f64,
    /// Unit, outward.
    pub(super) normal: DVec2,
    /// The time is within this of the exact one.
    pub(super) error: f64,
    /// The corner or edge, by the part's own numbers; none where there is no boundary to go through.
    pub(super) feature: Option<Feature>,
}

impl Crossing {
    /// The time, kept between two others; the first where it is no number.
    #[inline(always)]
    pub(super) fn time_within(&self, first: f64, last: f64) -> f64 {
        if self.time > first { self.time.min(last) } else { first }
    }

    /// What is gone through, by the numbers that the input gave.
    #[inline(always)]
    pub(super) fn feature_of(&self, part: Part<'_>) -> Option<Feature> {
        self.feature.map(|feature| match feature {
            Feature::Vertex(corner) => Feature::Vertex(part.convex.vertex_id(corner as usize)),
            Feature::Edge(edge) => Feature::Edge(part.convex.edge_id(edge as usize)),
        })
    }
}

/// What of the boundary a ray goes through.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoundaryFeature {
    /// An edge: where, is worked out where it is asked for.
    Edge(usize),
    Known(Crossing),
}

/// What a ray that meets a part has of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayInterval {
    /// Is its start in the part, the boundary included?
    pub(super) starts_inside: bool,
    pub(super) enter: BoundaryFeature,
    pub(super) exit: BoundaryFeature,
}

impl PreparedRay {
    #[inline(always)]
    pub(super) fn new(ray: &Ray) -> Self {
        let (origin, end) = (ray.origin(), ray.end());
        Self { origin, end, way: end - origin, radius: ray.radius() }
    }

    #[inline(always)]
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.origin + self.way * time
    }

    /// Has it no length?
    #[inline(always)]
    pub(super) fn is_point(&self) -> bool {
        self.way == DVec2::ZERO
    }

    /// Its length, and the unit vector along it; +x where it has none.
    #[inline(always)]
    pub(super) fn measure(&self) -> (f64, DVec2) {
        length_and_direction(self.way, DVec2::X)
    }

    #[inline(always)]
    pub(super) fn direction(&self) -> DVec2 {
        self.measure().1
    }

    /// Where the ray passes nearest to a point, were it endless.
    pub(super) fn nearest_to(&self, point: DVec2) -> f64 {
        let (length, direction) = self.measure();
        (point - self.origin).dot(direction) / length
    }
}
