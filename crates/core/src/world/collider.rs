//! Describes a collider: as input of a world, and as its present state in a world.
//!
//! [`Collider`] owns its data and is plain: a caller can build, clone and compare it without a
//! world. [`ColliderRef`] borrows the shape from the world, so that a loop over all colliders
//! copies no shapes.

use super::one_way::OneWay;
use crate::broad_phase::Filter;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::check_size;
use crate::shape::{Placed, Shape};

/// A shape at a pose, with its filter and flags. Plain data, inserted into a
/// [`World`](super::World) by [`insert`](super::World::insert).
///
/// ```
/// use carom::{Collider, Shape};
///
/// const HERO: u64 = 1;
/// const COIN: u64 = 2;
/// let coin = Collider::new(Shape::circle(0.25)?).at([3.0, 1.0])?.layers(COIN, HERO).sensor(true).user_data(7);
/// assert!(coin.sensor && coin.filter.mask == HERO);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Collider {
    /// Shape, in its own frame.
    pub shape: Shape,
    /// Position and rotation in the world.
    pub pose: Pose,
    /// Layers, mask and group, which determine with which others it can form contacts.
    pub filter: Filter,
    /// If true, contacts are reported with `sensor: true` and never resolved. The world computes
    /// them like all others.
    pub sensor: bool,
    /// If true, the collider is static. Two fixed colliders never form a contact. A fixed collider
    /// that does not move costs no time per update.
    pub fixed: bool,
    /// If false, the collider forms no contact and is not found by queries.
    pub enabled: bool,
    /// Front direction of a one-way platform, which others can pass from behind; `None` if solid.
    pub one_way: Option<OneWay>,
    /// User data, not used by the world.
    pub user_data: u64,
    /// A checked length, hence not public.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "read_contact_margin"))]
    pub(crate) contact_margin: Option<f64>,
}

impl Collider {
    /// Creates a collider at the origin, enabled and solid, that can form contacts with all others.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let (pose, filter) = (Pose::IDENTITY, Filter::default());
        let (sensor, fixed, enabled, one_way, contact_margin) = (false, false, true, None, None);
        Self { shape, pose, filter, sensor, fixed, enabled, one_way, user_data: 0, contact_margin }
    }

    /// Sets the position, without rotation.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn at(self, position: impl IntoPoint) -> Result<Self, Error> {
        Ok(self.pose(Pose::from_translation(position)?))
    }

    /// Sets the pose.
    #[must_use]
    pub fn pose(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// Sets layers and mask, one bit per layer. Two colliders can form a contact if each one's mask
    /// contains a layer of the other.
    #[must_use]
    pub fn layers(self, layers: u64, mask: u64) -> Self {
        Self { filter: Filter { layers, mask, ..self.filter }, ..self }
    }

    /// Sets the group. Members of a group never form contacts with each other; 0 means no group.
    #[must_use]
    pub fn group(self, group: u32) -> Self {
        Self { filter: Filter { group, ..self.filter }, ..self }
    }

    /// Sets whether it is a sensor.
    #[must_use]
    pub fn sensor(self, sensor: bool) -> Self {
        Self { sensor, ..self }
    }

    /// Sets whether it is fixed (static), as walls and tiles are.
    #[must_use]
    pub fn fixed(self, fixed: bool) -> Self {
        Self { fixed, ..self }
    }

    /// Sets whether it is enabled; see [`set_enabled`](super::World::set_enabled).
    #[must_use]
    pub fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// Makes it stop only others that come from its front: the side that this direction, in its own
    /// frame, points to.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in
    /// magnitude.
    pub fn one_way(self, front: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { one_way: Some(OneWay::new(front)?), ..self })
    }

    /// Sets the user data, which the world does not use.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Sets a contact margin of its own: the largest gap, a length, at which it forms contacts. Of
    /// two colliders the larger margin counts. Without this call, the margin is that of the
    /// [world](super::World::set_default_contact_margin).
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let mine = world.insert(Collider::new(Shape::circle(1.0)?).contact_margin(0.5)?);
    /// let hero = world.insert(Collider::new(Shape::circle(1.0)?).at([2.25, 0.0])?);
    /// world.update();
    /// assert_eq!(world.contact_between(mine, hero).unwrap().depth, -0.25);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A margin that is negative, not finite or above 1e30.
    pub fn contact_margin(self, margin: f64) -> Result<Self, Error> {
        Ok(Self { contact_margin: Some(check_size("contact margin", margin)?), ..self })
    }

    /// Returns its own contact margin; `None` if that of the world counts.
    #[must_use]
    pub fn own_contact_margin(&self) -> Option<f64> {
        self.contact_margin
    }
}

/// The present state of a collider in a [`World`](super::World).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColliderRef<'a> {
    /// Shape, in its own frame.
    pub shape: &'a Shape,
    /// Position and rotation in the world.
    pub pose: Pose,
    /// Bounding box in the world.
    pub aabb: Aabb,
    /// Layers, mask and group.
    pub filter: Filter,
    /// True if it is a sensor.
    pub sensor: bool,
    /// True if it is fixed.
    pub fixed: bool,
    /// True if it is enabled.
    pub enabled: bool,
    /// Front direction if it is one-way.
    pub one_way: Option<OneWay>,
    /// User data, not used by the world.
    pub user_data: u64,
    /// Its own contact margin; `None` if that of the world counts.
    pub contact_margin: Option<f64>,
}

impl<'a> ColliderRef<'a> {
    /// Returns the shape at its pose, for pair queries.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> Placed<'a> {
        self.shape.placed(self.pose)
    }

    /// Returns a copy that can be inserted into a world.
    #[must_use]
    pub fn to_collider(&self) -> Collider {
        Collider {
            shape: self.shape.clone(),
            pose: self.pose,
            filter: self.filter,
            sensor: self.sensor,
            fixed: self.fixed,
            enabled: self.enabled,
            one_way: self.one_way,
            user_data: self.user_data,
            contact_margin: self.contact_margin,
        }
    }
}

/// Deserializes an own contact margin, with the check of [`Collider::contact_margin`].
#[cfg(feature = "serde")]
fn read_contact_margin<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let margin = <Option<f64> as serde::Deserialize>::deserialize(deserializer)?;
    let checked = margin.map(|margin| check_size("contact margin", margin)).transpose();
    checked.map_err(serde::de::Error::custom)
}
