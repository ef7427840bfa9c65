//! Finds the colliders in a field of view.
//!
//! Input: an eye, a direction, a half angle and a range. Output: the colliders that share a point
//! with this circular sector.
//!
//! ```text
//! if the shape is farther from the eye than the range: false
//! if the shape intersects one of the two sides of the sector: true
//! for each convex part: true if its nearest point to the eye is in the range and in the angle
//! ```
//!
//! A test of centres or vertices does not suffice: a long wall can cross the sector with all
//! vertices outside. A sector is not convex if the half angle is above 90 degrees, so it is no
//! shape of its own.

use alloc::vec::Vec;

use glam::DVec2;

use super::QueryFilter;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{MIN_SUBNORMAL, check, check_direction, check_point, check_size, cross, norm1};
use crate::query::{distance, intersects, is_within, within_distance};
use crate::shape::{Placed, Shape};
use crate::world::World;
use crate::world::handle::Handle;

/// A field of view: all points at most `range` from the eye, in a direction at most `half_angle`
/// off the middle. It is a closed set, as shapes are.
///
/// ```
/// use carom::{Collider, Shape, World};
/// use carom::world::ViewCone;
///
/// let mut world = World::new();
/// let ball = Collider::new(Shape::circle(0.5)?);
/// let seen = world.insert(ball.clone().at([3.0, 1.0])?);
/// world.insert(ball.at([3.0, 4.0])?);
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
    /// Segments from the eye to the ends of the arc.
    sides: [Shape; 2],
    dot: Shape,
}

impl ViewCone {
    /// Creates a view from a point along a direction of any length. It extends `half_angle` radians
    /// to either side, up to `range`. An angle of π or more covers all directions.
    ///
    /// # Errors
    /// A number that is not finite or above 1e30 in magnitude; a negative angle or range; a
    /// direction of length 0.
    pub fn new(eye: impl IntoPoint, direction: impl IntoPoint, half_angle: f64, range: f64) -> Result<Self, Error> {
        let eye = check_point("eye", eye.into_point())?;
        let middle = check_direction("direction", direction.into_point())?;
        let (range, half_angle) = (check_size("range", range)?, check_size("half angle", half_angle)?);
        for (name, end) in [("x of the view's end", eye.x.abs() + range), ("y of the view's end", eye.y.abs() + range)]
        {
            check(name, end)?;
        }
        let half_angle = half_angle.min(core::f64::consts::PI);
        let (sin, cos) = libm::sincos(half_angle);
        let dot = Shape::circle(0.0)?;
        let center = dot.at(eye)?;
        let side = |sin: f64| {
            let direction = DVec2::new(middle.x * cos - middle.y * sin, middle.y * cos + middle.x * sin);
            // A rounded end can lie outside of the range.
            let mut length = range;
            loop {
                let end = eye + direction * length;
                if length <= 0.0 || within_distance(dot.at(end)?, center, range) {
                    return Shape::segment(eye, end);
                }
                // The last term counts for subnormal lengths.
                length = (length - f64::EPSILON * (length + norm1(eye)) - MIN_SUBNORMAL).max(0.0);
            }
        };
        let sides = [side(sin)?, side(-sin)?];
        Ok(Self { eye, middle, half_angle, range, sides, dot })
    }

    /// Returns true if a shape and the view share a point. The range is exact, the angle is rounded.
    ///
    /// If a convex part intersects neither side, its intersection with the disk is one connected
    /// piece, inside or outside the view. Its nearest point to the eye decides which.
    #[must_use]
    pub fn intersects(&self, placed: Placed<'_>) -> bool {
        let Ok(eye) = self.dot.at(self.eye) else { return false };
        if !within_distance(placed, eye, self.range) {
            return false;
        }
        if self.sides.iter().any(|side| intersects(placed, side.placed(Pose::IDENTITY))) {
            return true;
        }
        placed.parts().any(|part| {
            let shape = Shape::from(part.convex.clone());
            let placed = shape.placed(part.pose);
            let nearest = distance(placed, eye);
            self.faces(nearest.point_a - self.eye) && is_within(placed, eye, nearest.distance, self.range)
        })
    }

    /// Returns true if a direction is in the view.
    fn faces(&self, direction: DVec2) -> bool {
        libm::atan2(cross(self.middle, direction), self.middle.dot(direction)).abs() <= self.half_angle
    }

    /// Returns the bounding box of the whole disk.
    fn aabb(&self) -> Option<Aabb> {
        Some(Shape::circle(self.range).ok()?.at(self.eye).ok()?.aabb())
    }
}

impl World {
    /// Returns the colliders that share a point with a view, sorted, even if others hide them. Use
    /// [`ray_cast_any`](World::ray_cast_any) to test for that.
    #[must_use]
    pub fn intersecting_cone<'a>(&self, view: &ViewCone, filter: impl Into<QueryFilter<'a>>) -> Vec<Handle> {
        let Some(aabb) = view.aabb() else { return Vec::new() };
        self.all_in_box(&aabb, &filter.into(), |placed| view.intersects(placed))
    }
}
