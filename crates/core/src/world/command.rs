//! Represents calls that change a world as data, which can be recorded, sent and replayed.
//!
//! Each kind of change has one variant, with its arguments. Equal commands on equal worlds give
//! equal states, bit for bit. So a list of commands is a complete bug report, and a small message
//! for other machines in lockstep.

use alloc::vec::Vec;

use glam::DVec2;

use super::World;
use super::collider::Collider;
use super::handle::Handle;
use super::one_way::OneWay;
use crate::broad_phase::Filter;
use crate::error::Error;
use crate::math::pose::Pose;
use crate::shape::Shape;

/// A call that changed a world, with its arguments. A [`Recording`](super::Recording) is a list of
/// them.
///
/// Failed calls changed nothing and are not recorded. A call for several colliders is recorded as
/// one command per collider.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// [`World::insert`].
    Insert(Collider),
    /// [`World::remove`].
    Remove(Handle),
    /// [`World::set_pose`].
    SetPose(Handle, Pose),
    /// [`World::set_motion`]: translation and turning.
    SetMotion(Handle, DVec2, f64),
    /// [`World::set_shape`].
    SetShape(Handle, Shape),
    /// [`World::set_filter`].
    SetFilter(Handle, Filter),
    /// [`World::set_sensor`].
    SetSensor(Handle, bool),
    /// [`World::set_fixed`].
    SetFixed(Handle, bool),
    /// [`World::set_enabled`].
    SetEnabled(Handle, bool),
    /// [`World::set_user_data`].
    SetUserData(Handle, u64),
    /// [`World::set_one_way`].
    SetOneWay(Handle, Option<OneWay>),
    /// [`World::set_contact_margin`].
    SetContactMargin(Handle, Option<f64>),
    /// [`World::set_default_contact_margin`].
    SetDefaultContactMargin(f64),
    /// [`World::set_pair_enabled`].
    SetPair(Handle, Handle, bool),
    /// [`World::restore`], with its bytes.
    Restore(Vec<u8>),
    /// [`World::update`].
    Update,
    /// [`World::update_with`], and the pairs that its filter refused, sorted.
    UpdateWith(Vec<[Handle; 2]>),
}

impl Command {
    /// Replays the call.
    ///
    /// # Errors
    /// The errors of the call.
    pub fn apply(&self, world: &mut World) -> Result<(), Error> {
        match self {
            Self::Insert(collider) => {
                world.insert(collider.clone());
            }
            Self::Remove(handle) => {
                world.columns.expect(*handle)?;
                world.remove(*handle);
            }
            Self::SetPose(handle, pose) => world.set_pose(*handle, *pose)?,
            Self::SetMotion(handle, translation, turning) => world.set_motion(*handle, *translation, *turning)?,
            Self::SetShape(handle, shape) => world.set_shape(*handle, shape.clone())?,
            Self::SetFilter(handle, filter) => world.set_filter(*handle, *filter)?,
            Self::SetSensor(handle, sensor) => world.set_sensor(*handle, *sensor)?,
            Self::SetFixed(handle, fixed) => world.set_fixed(*handle, *fixed)?,
            Self::SetEnabled(handle, enabled) => world.set_enabled(*handle, *enabled)?,
            Self::SetUserData(handle, user_data) => world.set_user_data(*handle, *user_data)?,
            Self::SetOneWay(handle, one_way) => world.set_one_way(*handle, *one_way)?,
            Self::SetContactMargin(handle, margin) => world.set_contact_margin(*handle, *margin)?,
            Self::SetDefaultContactMargin(margin) => world.set_default_contact_margin(*margin)?,
            Self::SetPair(a, b, allowed) => world.set_pair_enabled(*a, *b, *allowed)?,
            Self::Restore(bytes) => world.restore(bytes)?,
            Self::Update => world.update(),
            Self::UpdateWith(refused) => world.update_with(|a, b| refused.binary_search(&[a, b]).is_err()),
        }
        Ok(())
    }
}
