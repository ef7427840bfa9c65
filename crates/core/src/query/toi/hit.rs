//! Converts an impact of a pair to the view of its moving shape.
//!
//! Input: an impact of a and b. Output: the same time and point. The normal points from the hit
//! surface to the moving shape, and the parts are named by their role.

use glam::DVec2;

use super::Impact;

/// The result of a shape cast: the first contact of a moving shape with another one.
///
/// It is an [`Impact`] in the view of the moving shape. The normal is that of the hit surface, as
/// in a [`RayHit`](crate::RayHit).
///
/// ```
/// use carom::{Collider, DVec2, Shape, World};
///
/// let mut world = World::new();
/// world.insert(Collider::new(Shape::rectangle(10.0, 2.0)?)); // its top is y = 1
/// let ball = Shape::circle(1.0)?;
/// let (_, hit) = world.shape_cast(ball.at([0.0, 6.0])?.sweep([2.0, -8.0])?, u64::MAX).unwrap();
/// assert_eq!(hit.normal, DVec2::Y); // of the floor
/// assert!((hit.point - DVec2::new(1.0, 1.0)).length() < 1e-5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// Fraction of the motion, 0 ..= 1. Never later than the true time.
    pub time: f64,
    /// Contact point at that time, up to the tolerance of
    /// [`time_of_impact`](crate::time_of_impact). In both shapes if they overlap at the start.
    pub point: DVec2,
    /// Unit normal of the surface that was hit, from it to the moving shape. It points against the
    /// motion, unless the shapes overlap at the start.
    pub normal: DVec2,
    /// Depth of the overlap at the start of the motion. `None` if there is none. `normal * depth`
    /// moves the moving shape out.
    pub initial_depth: Option<f64>,
    /// Index of the part that was hit. 0 if that shape is convex.
    pub part: u32,
    /// Index of the part of the moving shape that hits it. 0 if the moving shape is convex.
    pub mover_part: u32,
}

impl ShapeHit {
    /// Returns the impact of a pair as seen by its first shape.
    pub(crate) fn of_first(impact: &Impact) -> Self {
        let Impact { normal, part_a, part_b, .. } = *impact;
        Self::of_second(&Impact { normal: -normal, part_a: part_b, part_b: part_a, ..*impact })
    }

    /// Returns the impact of a pair as seen by its second shape.
    pub(crate) fn of_second(impact: &Impact) -> Self {
        let Impact { time, normal, point, initial_depth, part_a, part_b } = *impact;
        // -0.0 becomes 0.
        Self { time, point, normal: DVec2::ZERO + normal, initial_depth, part: part_a, mover_part: part_b }
    }
}
