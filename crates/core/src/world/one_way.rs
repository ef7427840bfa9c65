//! Defines the front direction of a one-way collider.
//!
//! The direction is a unit vector in the collider's own frame, so it turns with the collider. The
//! decisions based on it are in `one_way_filter.rs`. A front holds a pointer to them, so a program
//! that creates none links no time of impact for them.

use core::fmt;

use glam::DVec2;

use super::one_way_filter::{Filter, filter_manifolds};
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::vector::check_direction;

/// The front of a one-way collider: the side from which it is solid, a direction in its own frame.
///
/// - A collider that first touches it within 60° of the front normal, on its motion since the last
///   update, is stopped. This lasts until the two are apart, however deep it sinks.
/// - A collider that comes from behind or from the side, or appears inside, passes. It is no
///   contact until the two are apart, however it moves meanwhile.
/// - A row of platforms acts as one. A collider is stopped if it stood on a floor at the same height at the last
///   update, or if it was apart then and lies on the front now, at most 1e-6 of the smaller size deep. A step by
///   [`set_position`](super::World::set_position) that is longer than the collider can skip the floor before.
/// - A collider is pushed out only through the front, never sideways, even if the overlap at an end
///   is tiny.
/// - A gap within the [contact margin](super::World::set_default_contact_margin) is a contact only
///   if its normal is within 60° of the front.
/// - A [motion](super::World::set_motion) against the front stops a collider that was stopped at the last update, or
///   that touches the front. Rounding errors of a push out do not matter.
/// - A collider that slides over an end, to a normal more than 60° off the front, passes.
///
/// ```
/// use carom::{Collider, Pose, Shape, World};
/// use carom::world::OneWay;
///
/// let mut world = World::new();
/// let plank = world.insert(Collider::new(Shape::rectangle(4.0, 0.5)?).fixed(true).one_way([0.0, 1.0])?);
/// let ball = world.insert(Collider::new(Shape::circle(0.5)?).at([0.0, -2.0])?);
/// let mut move_to = |y: f64| {
///     world.set_pose(ball, Pose::from_translation([0.0, y]).unwrap()).unwrap();
///     world.update();
///     world.contacts().len()
/// };
/// assert_eq!([-2.0, -0.5, 0.5, 1.0].map(&mut move_to), [0, 0, 0, 0]); // up through it
/// assert_eq!(move_to(0.7), 1); // and down onto it
/// assert_eq!(OneWay::new([0.0, 2.0])?.front(), [0.0, 1.0].into());
/// # let _ = plank;
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct OneWay {
    front: DVec2,
    /// Always [`filter_manifolds`].
    pub(super) filter: Filter,
}

impl PartialEq for OneWay {
    fn eq(&self, other: &Self) -> bool {
        self.front == other.front
    }
}

#[allow(clippy::missing_fields_in_debug, reason = "the pointer is the same in all fronts")]
impl fmt::Debug for OneWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneWay").field("front", &self.front).finish()
    }
}

impl OneWay {
    /// Creates the front from a direction of any length.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in
    /// magnitude.
    pub fn new(front: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { front: check_direction("front", front.into_point())?, filter: filter_manifolds })
    }

    /// Restores a unit direction bit for bit; `None` if its length is not 1.
    pub(crate) fn from_stored(front: DVec2) -> Option<Self> {
        ((front.length_squared() - 1.0).abs() < 1e-12).then_some(Self { front, filter: filter_manifolds })
    }

    /// Returns the direction, a unit vector in the collider's own frame.
    #[must_use]
    pub fn front(&self) -> DVec2 {
        self.front
    }
}
