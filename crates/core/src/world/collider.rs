//! What is put into a world, and how it is read there.

use super::one_way::OneWay;
use crate::broad_phase::Filter;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::shape::{Placed, Shape};

/// A shape at a pose, and what it may meet: plain data, put into a [`World`](super::World) by [`insert`](super::World::insert).
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
#[non_exhaustive]
pub struct Collider {
    /// What it is.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// Which others it meets.
    pub filter: Filter,
    /// Does it only notice others? The world treats sensors as all others; their contacts are marked, so that whoever answers contacts can leave them alone.
    pub sensor: bool,
    /// Does it hardly ever move? Fixed colliders never meet each other, and cost nothing while they lie still.
    pub fixed: bool,
    /// Is it there at all? What is disabled meets nothing and is found by no query.
    pub enabled: bool,
    /// Does it let others pass from behind? A platform to jump up through.
    pub one_way: Option<OneWay>,
    /// A number of yours.
    pub user_data: u64,
}

impl Collider {
    /// A shape at the origin that meets everything.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let (pose, filter) = (Pose::IDENTITY, Filter::default());
        Self { shape, pose, filter, sensor: false, fixed: false, enabled: true, one_way: None, user_data: 0 }
    }

    /// Without rotation, its origin at a point.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn at(self, position: impl IntoPoint) -> Result<Self, Error> {
        Ok(self.pose(Pose::from_translation(position)?))
    }

    /// At a pose.
    #[must_use]
    pub fn pose(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// On these layers, meeting those of the mask: a bit each. Two colliders meet where each one's mask has a layer of the other.
    #[must_use]
    pub fn layers(self, layers: u64, mask: u64) -> Self {
        Self { filter: Filter { layers, mask, ..self.filter }, ..self }
    }

    /// Of a group, whose members never meet each other; 0 is no group.
    #[must_use]
    pub fn group(self, group: u32) -> Self {
        Self { filter: Filter { group, ..self.filter }, ..self }
    }

    /// One that only notices others.
    #[must_use]
    pub fn sensor(self, sensor: bool) -> Self {
        Self { sensor, ..self }
    }

    /// One that hardly ever moves: a wall, a tile.
    #[must_use]
    pub fn fixed(self, fixed: bool) -> Self {
        Self { fixed, ..self }
    }

    /// One that is there, or waits for [`set_enabled`](super::World::set_enabled).
    #[must_use]
    pub fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// One that stops only what comes from its front, the side that this direction of its own frame leads to.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in magnitude.
    pub fn one_way(self, front: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { one_way: Some(OneWay::new(front)?), ..self })
    }

    /// With a number of yours: what to do with it is up to you.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }
}

/// A collider as it stands in a [`World`](super::World).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColliderRef<'a> {
    /// What it is.
    pub shape: &'a Shape,
    /// Where it is.
    pub pose: Pose,
    /// The box around it.
    pub aabb: Aabb,
    /// Which others it meets.
    pub filter: Filter,
    /// Does it only notice others?
    pub sensor: bool,
    /// Does it hardly ever move?
    pub fixed: bool,
    /// Is it there at all?
    pub enabled: bool,
    /// Does it let others pass from behind?
    pub one_way: Option<OneWay>,
    /// A number of yours.
    pub user_data: u64,
}

impl<'a> ColliderRef<'a> {
    /// The shape where it is: what pair queries are asked of.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> Placed<'a> {
        self.shape.placed(self.pose)
    }

    /// A copy, to be put into a world again.
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
        }
    }
}
