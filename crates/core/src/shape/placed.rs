//! Places a shape at a pose: the operand of queries.
//!
//! A placed shape borrows the shape and copies the pose. Points are transformed when they are read.
//! A stored copy of all placed points would allocate, and most queries read few of them.

use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::convex::Convex;
use super::part::Part;
use super::{Form, Shape};
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;

/// A [`Shape`] at a [`Pose`].
///
/// The exact set that all predicates decide about is the convex hull of the shape's points, grown
/// by the shape's radius. Each point is placed by [`Pose::transform_point`]. A composite is the
/// union of its parts. The pose of each part is composed with the pose of the shape first.
///
/// ```
/// use carom::Shape;
///
/// let block = Shape::rectangle(2.0, 1.0)?;
/// let placed = block.at([10.0, 5.0])?;
/// assert_eq!(placed.aabb().min(), [9.0, 4.5].into());
/// assert_eq!(placed.points().next(), Some([9.0, 4.5].into()));
/// assert!(placed.contains_point([11.0, 5.5])?); // the boundary belongs to it
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed<'a> {
    shape: &'a Shape,
    pose: Pose,
}

impl<'a> Placed<'a> {
    #[inline]
    pub(super) fn new(shape: &'a Shape, pose: Pose) -> Self {
        Self { shape, pose }
    }

    /// Returns the shape.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// Returns the pose.
    #[inline]
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Returns a convex shape as its only part; `None` for a composite.
    #[inline(always)]
    pub(crate) fn as_part(&self) -> Option<Part<'a>> {
        match &self.shape.0 {
            Form::Convex(convex) => Some(Part { convex, pose: self.pose }),
            Form::Composite(_) => None,
        }
    }

    /// Returns the pose without copying it.
    #[inline(always)]
    pub(crate) fn pose_ref(&self) -> &Pose {
        &self.pose
    }

    /// Returns a convex shape and its pose; `None` for a composite.
    #[inline(always)]
    pub(crate) fn as_convex(&self) -> Option<(&'a Convex, &Pose)> {
        match &self.shape.0 {
            Form::Convex(convex) => Some((convex, &self.pose)),
            Form::Composite(_) => None,
        }
    }

    /// Returns a circle as its only part, and its center in the shape's frame; `None` for other
    /// shapes.
    #[inline(always)]
    pub(crate) fn as_point(&self) -> Option<(Part<'a>, DVec2)> {
        let part = self.as_part()?;
        part.convex.as_point().map(|point| (part, point))
    }

    /// Reads the data that every query needs first, to load them into the cache. The result has no
    /// meaning.
    #[inline(always)]
    pub(crate) fn preload(&self) -> u64 {
        let here = self.pose.translation().x.to_bits();
        self.as_part().map_or(here, |part| here ^ part.convex.radius.to_bits() ^ part.convex.hull_vertex_count() as u64)
    }

    /// Reads the data that a query needs next. The result has no meaning.
    #[inline(always)]
    pub(crate) fn preload_vertices(&self) -> u64 {
        self.as_part().map_or(0, |part| part.convex.preload_vertices())
    }

    /// Returns true if one of the parts is a point or a segment without a radius.
    pub(crate) fn has_thin_parts(&self) -> bool {
        match &self.shape.0 {
            Form::Convex(convex) => convex.is_thin(),
            Form::Composite(composite) => composite.has_thin_parts(),
        }
    }

    pub(crate) fn part(&self, i: u32) -> Part<'a> {
        match &self.shape.0 {
            Form::Convex(convex) => Part { convex, pose: self.pose },
            Form::Composite(composite) => composite.part(i, &self.pose),
        }
    }

    pub(crate) fn parts(&self) -> impl ExactSizeIterator<Item = Part<'a>> + Clone + use<'a> {
        let placed = *self;
        (0..self.shape.part_count() as u32).map(move |i| placed.part(i))
    }

    /// Returns the points of all parts in world coordinates.
    ///
    /// The shape is the union of the hulls of the parts, each grown by its radius. A point that
    /// several parts share is returned once per part.
    pub fn points(&self) -> impl Iterator<Item = DVec2> + use<'a> {
        self.parts().flat_map(|part| part.points())
    }

    /// Returns the smallest axis-aligned bounding box, rounded outward. Without a radius the box is
    /// exact.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        if let Form::Convex(convex) = &self.shape.0 {
            return convex.placed(&self.pose).aabb();
        }
        let mut all: Option<Aabb> = None;
        let mut include = |bounds: Aabb| all = Some(all.map_or(bounds, |all| all.union(&bounds)));
        let _ = self.for_each_leaf(&mut |leaf| {
            match leaf.shape.as_composite().and_then(|composite| composite.outline()) {
                Some(outline) => include(outline.aabb(&leaf.pose)),
                None => leaf.parts().for_each(|part| include(part.aabb())),
            }
            Continue(())
        });
        // A shape has at least one part.
        all.unwrap_or_else(|| Aabb::around([self.pose.translation()].into_iter(), 0.0))
    }

    /// Visits the shape itself, or the placed shapes that a compound without a radius consists of. `Break` ends the
    /// visit.
    ///
    /// Poses of nested compounds are composed as those of parts are.
    pub(crate) fn for_each_leaf(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> ControlFlow<()> {
        self.for_each_leaf_below(None, visit)
    }

    /// Visits the placed shapes that a compound without a radius consists of, in the frame of the compound.
    pub(super) fn for_each_leaf_of(
        children: &'a [(Shape, Pose)],
        visit: &mut dyn FnMut(Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        children
            .iter()
            .try_for_each(|(shape, own)| Self { shape, pose: Pose::IDENTITY }.for_each_leaf_below(Some(*own), visit))
    }

    /// Visits the leaves of a shape whose pose in a compound is `inner`. The own pose is that of the compound.
    fn for_each_leaf_below(
        &self,
        inner: Option<Pose>,
        visit: &mut dyn FnMut(Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.shape.as_composite().and_then(|composite| composite.children()) {
            Some(children) => children.iter().try_for_each(|(shape, own)| {
                let inner = inner.map_or(*own, |inner| inner.compose(own));
                Self { shape, pose: self.pose }.for_each_leaf_below(Some(inner), visit)
            }),
            None => visit(Self { shape: self.shape, pose: inner.map_or(self.pose, |inner| self.pose.compose(&inner)) }),
        }
    }

    /// Returns the farthest point of the shape along a direction of any length.
    ///
    /// A direction that is zero, NaN or infinite counts as +x. If several points are equally far,
    /// the one with the lowest index is returned.
    #[must_use]
    pub fn support_point(&self, direction: impl IntoPoint) -> DVec2 {
        let direction = direction.into_point();
        let unit = if direction.is_finite() { crate::math::vector::unit(direction) } else { None }.unwrap_or(DVec2::X);
        let (mut farthest, mut height) = (self.pose.translation(), f64::NEG_INFINITY);
        for part in self.parts() {
            for p in part.points() {
                if p.dot(unit) + part.convex.radius > height {
                    (farthest, height) = (p + unit * part.convex.radius, p.dot(unit) + part.convex.radius);
                }
            }
        }
        farthest
    }
}
