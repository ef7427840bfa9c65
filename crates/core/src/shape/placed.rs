//! A shape at a pose: what queries are asked of.

use glam::DVec2;

use super::Shape;
use super::part::Part;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;

/// A [`Shape`] at a [`Pose`].
///
/// The point set that all exact answers are about: the convex hull of the shape's points, each placed by [`Pose::apply`], grown by the
/// shape's radius.
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

    /// The shape.
    #[inline]
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// Where it is.
    #[inline]
    pub fn pose(&self) -> Pose {
        self.pose
    }

    #[inline(always)]
    pub(crate) fn part(&self) -> Part<'a> {
        Part { convex: &self.shape.0, pose: self.pose }
    }

    /// Every point of the shape, placed.
    pub fn points(&self) -> impl ExactSizeIterator<Item = DVec2> + use<'a> {
        let pose = self.pose;
        self.shape.points().iter().map(move |&p| pose.apply(p))
    }

    /// The smallest axis-aligned box around it: nothing of it lies outside, and without a radius the box is exact.
    pub fn aabb(&self) -> Aabb {
        Aabb::around(self.points(), self.shape.radius())
    }

    /// The farthest point of the shape along a direction (of any length but zero; zero, NaN and infinite directions give the point farthest along +x).
    ///
    /// Of several, the one whose number is lowest.
    pub fn support_point(&self, direction: impl Into<DVec2>) -> DVec2 {
        let direction: DVec2 = direction.into();
        let unit = if direction.is_finite() { crate::math::vector::unit(direction) } else { None }.unwrap_or(DVec2::X);
        let farthest = self.points().map(|p| (p, p.dot(unit))).reduce(|best, next| if next.1 > best.1 { next } else { best });
        // A shape has at least one point.
        farthest.map_or(self.pose.translation(), |(p, _)| p) + unit * self.shape.radius()
    }
}
