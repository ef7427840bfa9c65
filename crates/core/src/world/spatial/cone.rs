//! What lies in a field of view.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::QueryFilter;
use crate::error::{Error, ErrorKind};
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{check, check_point, check_size, cross, unit};
use crate::query::{distance, intersects};
use crate::shape::{Placed, Shape};
use crate::world::World;
use crate::world::handle::Handle;

/// What an eye may see: all points no farther than `range` whose direction is at most `half_angle` off the middle of the view. Closed, as shapes are.
///
/// ```
/// use carom::{Collider, Shape, World};
/// use carom::world::ViewCone;
///
/// let mut world = World::new();
/// let [seen, _] = [[3.0, 1.0], [3.0, 4.0]].map(|p| Collider::new(Shape::circle(0.5).unwrap()).at(p).unwrap()).map(|ball| world.insert(ball));
/// let view = ViewCone::new([0.0, 0.0], [1.0, 0.0], 0.5, 10.0)?;
/// assert_eq!(world.intersecting_cone(&view, u64::MAX), [seen]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ViewCone {
    eye: DVec2,
    middle: DVec2,
    half_angle: f64,
    range: f64,
    /// From the eye to the ends of the arc.
    sides: [Shape; 2],
    dot: Shape,
}

impl ViewCone {
    /// A view from a point along a direction (of any length), `half_angle` radians to either side (π or more sees all around), as far as `range`.
    ///
    /// # Errors
    /// A number that is not finite or above 1e30 in magnitude; a negative angle or range; a direction of length 0.
    pub fn new(eye: impl IntoPoint, direction: impl IntoPoint, half_angle: f64, range: f64) -> Result<Self, Error> {
        let (eye, direction) =
            (check_point("eye", eye.into_point())?, check_point("direction", direction.into_point())?);
        let (range, half_angle) = (check_size("range", range)?, check_size("half angle", half_angle)?);
        let Some(middle) = unit(direction) else {
            return Err(Error::new(
                ErrorKind::ZeroSize,
                format!("the direction is {direction}; it must have a length"),
            ));
        };
        for (name, end) in [("x of the view's end", eye.x.abs() + range), ("y of the view's end", eye.y.abs() + range)]
        {
            check(name, end)?;
        }
        let half_angle = half_angle.min(core::f64::consts::PI);
        let (sin, cos) = libm::sincos(half_angle);
        let end = |sin: f64| eye + DVec2::new(middle.x * cos - middle.y * sin, middle.y * cos + middle.x * sin) * range;
        let sides = [Shape::segment(eye, end(sin))?, Shape::segment(eye, end(-sin))?];
        Ok(Self { eye, middle, half_angle, range, sides, dot: Shape::circle(0.0)? })
    }

    /// Does a shape share a point with the view?
    ///
    /// A convex part that meets neither side meets the disk within one connected piece, which lies in the view or outside: wherever its nearest point is.
    #[must_use]
    pub fn intersects(&self, placed: Placed<'_>) -> bool {
        if self.sides.iter().any(|side| intersects(placed, side.placed(Pose::IDENTITY))) {
            return true;
        }
        let Ok(eye) = self.dot.at(self.eye) else { return false };
        placed.parts().any(|part| {
            let shape = Shape::from(part.convex.clone());
            let nearest = distance(shape.placed(part.pose), eye);
            nearest.distance <= self.range && self.faces(nearest.point_a - self.eye)
        })
    }

    /// Is a direction in the view?
    fn faces(&self, direction: DVec2) -> bool {
        libm::atan2(cross(self.middle, direction), self.middle.dot(direction)).abs() <= self.half_angle
    }

    /// A box around the whole disk.
    fn aabb(&self) -> Option<Aabb> {
        Some(Shape::circle(self.range).ok()?.at(self.eye).ok()?.aabb())
    }
}

impl World {
    /// The colliders that share a point with a view, sorted, whether others hide them or not: [`ray_cast_any`](World::ray_cast_any) tells that.
    pub fn intersecting_cone<'a>(&self, view: &ViewCone, filter: impl Into<QueryFilter<'a>>) -> Vec<Handle> {
        let Some(aabb) = view.aabb() else { return Vec::new() };
        self.all_in_box(&aabb, &filter.into(), |placed| view.intersects(placed))
    }
}
