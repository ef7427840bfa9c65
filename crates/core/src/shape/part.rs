//! A convex shape at a pose: what the kernels work on.

use glam::DVec2;

use super::convex::Convex;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;

/// A convex shape, or a convex part of a composite one, placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) convex: &'a Convex,
    pub(crate) pose: Pose,
}

impl Convex {
    /// The shape at a pose.
    #[inline(always)]
    pub(crate) fn placed(&self, pose: &Pose) -> Part<'_> {
        Part { convex: self, pose: *pose }
    }
}

impl<'a> Part<'a> {
    /// A corner, placed.
    #[inline(always)]
    pub(crate) fn placed(&self, corner: usize) -> DVec2 {
        self.pose.transform_point(self.convex.corner(corner))
    }

    /// Every point, placed: their hull, grown by the radius, is the set that exact answers are about.
    #[inline(always)]
    pub(crate) fn points(&self) -> impl ExactSizeIterator<Item = DVec2> + Clone + use<'a> {
        let pose = self.pose;
        self.convex.points().iter().map(move |&p| pose.transform_point(p))
    }

    /// The smallest box around it, rounded outward.
    pub(crate) fn aabb(&self) -> Aabb {
        Aabb::around(self.points(), self.convex.radius)
    }
}
