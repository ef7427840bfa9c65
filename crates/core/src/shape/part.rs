//! Places a convex shape at a pose: the input of the pair kernels.
//!
//! A part is a convex shape, or one part of a composite. The exact set of a part is the convex hull
//! of its placed points, grown by the radius. Every kernel must agree with this set.

use glam::DVec2;

use super::convex::Convex;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;

/// A convex shape, or a convex part of a composite, at a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) convex: &'a Convex,
    pub(crate) pose: Pose,
}

impl Convex {
    /// Places the shape at a pose.
    #[inline(always)]
    pub(crate) fn placed(&self, pose: &Pose) -> Part<'_> {
        Part { convex: self, pose: *pose }
    }
}

impl<'a> Part<'a> {
    /// Returns a hull vertex in world coordinates.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn placed(&self, i: usize) -> DVec2 {
        self.pose.transform_point(self.convex.hull_vertex(i))
    }

    /// Returns every point in world coordinates. Their convex hull grown by the radius is the exact
    /// set that all predicates decide about.
    #[inline(always)]
    pub(crate) fn points(&self) -> impl ExactSizeIterator<Item = DVec2> + Clone + use<'a> {
        let pose = self.pose;
        self.convex.points().iter().map(move |&p| pose.transform_point(p))
    }

    /// Returns the smallest bounding box, rounded outward.
    pub(crate) fn aabb(&self) -> Aabb {
        Aabb::around(self.points(), self.convex.radius)
    }
}
