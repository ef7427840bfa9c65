//! Which side a one-way collider is solid from.

use alloc::format;

use glam::DVec2;

use crate::error::{Error, ErrorKind};
use crate::math::point::IntoPoint;
use crate::math::vector::{check_point, unit};

/// Which way a one-way collider faces: the side from which it is solid, a direction of its own frame.
///
/// Whoever touches it within 60° of the front, on the way since the last update, is stopped until the two are apart, however deep it sinks. Whoever comes from behind or from the side, or
/// appears inside of it, passes until then: it is no contact, however it moves meanwhile. Nothing is ever pushed sideways out of it: what stands on it by a hair is led out by the front,
/// and what slides over an end by more than 60° is let go.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneWay {
    front: DVec2,
}

impl OneWay {
    /// Solid from the side that a direction (of any length) leads to.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in magnitude.
    pub fn new(front: impl IntoPoint) -> Result<Self, Error> {
        let front = check_point("front", front.into_point())?;
        let unit = unit(front)
            .ok_or_else(|| Error::new(ErrorKind::ZeroSize, format!("the front is {front}; it must have a length")))?;
        Ok(Self { front: unit })
    }

    /// A direction that was stored, bit for bit.
    pub(crate) fn from_stored(front: DVec2) -> Option<Self> {
        ((front.length_squared() - 1.0).abs() < 1e-12).then_some(Self { front })
    }

    /// The direction, a unit vector of the collider's own frame.
    #[must_use]
    pub fn front(&self) -> DVec2 {
        self.front
    }
}
