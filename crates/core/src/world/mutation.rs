//! Everything that changes a world between two updates.
//!
//! Each call either does all that it says, or returns an error and has changed nothing.

use alloc::format;

use super::World;
use super::circle_bounds::{self, CircleBounds};
use super::collider::Collider;
use super::collider_set::{ENABLED, FIXED, HAS_DISABLED_PAIRS, IN_MOTION, SENSOR};
use super::command::Command;
use super::handle::Handle;
use super::one_way::OneWay;
use crate::broad_phase::Filter;
use crate::error::{Error, ErrorKind};
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::shape::Shape;

impl World {
    /// Puts a collider in. Queries find it at once, contacts begin at the next [`update`](World::update).
    pub fn insert(&mut self, collider: Collider) -> Handle {
        self.record(|| Command::Insert(collider.clone()));
        let handle = self.columns.insert(collider);
        if self.columns.is(handle.slot(), ENABLED) {
            self.enter(handle.slot());
        }
        handle
    }

    /// Takes a collider out and gives it back; `None` where the handle is stale. Its contacts end at the next [`update`](World::update).
    pub fn remove(&mut self, handle: Handle) -> Option<Collider> {
        let slot = self.columns.find(handle)?;
        self.record(|| Command::Remove(handle));
        if self.columns.is(slot, ENABLED) {
            self.space.remove(slot);
        }
        if self.columns.is(slot, HAS_DISABLED_PAIRS) {
            self.rules.forget(handle);
        }
        let collider = self.columns.remove(slot);
        self.leaving.push((handle, collider.clone()));
        Some(collider)
    }

    /// Moves a collider.
    ///
    /// ```
    /// use carom::{Collider, ErrorKind, Pose, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Collider::new(Shape::circle(1.0)?));
    /// world.set_pose(ball, Pose::new([3.0, 4.0], 0.5)?)?;
    /// assert_eq!(world.pose(ball).unwrap().translation(), [3.0, 4.0].into());
    /// world.remove(ball);
    /// assert_eq!(world.set_pose(ball, Pose::IDENTITY).unwrap_err().kind(), ErrorKind::StaleHandle);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_pose(&mut self, handle: Handle, pose: Pose) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetPose(handle, pose));
        self.columns.set(slot, IN_MOTION, false);
        self.place(slot, pose);
        Ok(())
    }

    /// Moves a collider to a position; its angle stays.
    ///
    /// ```
    /// use carom::{Collider, Pose, Shape, World};
    ///
    /// let mut world = World::new();
    /// let block = world.insert(Collider::new(Shape::rectangle(2.0, 1.0)?).pose(Pose::from_degrees([0.0, 0.0], 90.0)?));
    /// world.set_position(block, [3.0, 4.0])?;
    /// assert_eq!(world.pose(block), Some(Pose::from_degrees([3.0, 4.0], 90.0)?));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle; a coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_position(&mut self, handle: Handle, position: impl IntoPoint) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        let pose = self.columns.spots[slot as usize].pose.with_translation(position)?;
        self.set_pose(handle, pose)
    }

    /// Moves many colliders, each to the pose of the same place in the other slice; of one that is named twice the last counts.
    ///
    /// # Errors
    /// A stale handle, or slices of different lengths; nothing is moved then.
    pub fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) -> Result<(), Error> {
        same_length("poses", poses.len(), handles)?;
        self.expect_all(handles)?;
        if self.is_recording() {
            handles.iter().zip(poses).for_each(|(&handle, &pose)| self.record(|| Command::SetPose(handle, pose)));
        }
        self.place_many(handles, 0.0, |i, before| (*before != poses[i]).then_some(poses[i]));
        Ok(())
    }

    /// Gives a collider another shape.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_shape(&mut self, handle: Handle, shape: Shape) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetShape(handle, shape.clone()));
        self.reshape(slot, shape);
        Ok(())
    }

    /// Gives many colliders other shapes, as [`set_poses`](World::set_poses) does poses.
    ///
    /// # Errors
    /// A stale handle, or slices of different lengths; nothing is changed then.
    pub fn set_shapes(&mut self, handles: &[Handle], shapes: &[Shape]) -> Result<(), Error> {
        same_length("shapes", shapes.len(), handles)?;
        self.expect_all(handles)?;
        for (&handle, shape) in handles.iter().zip(shapes) {
            self.record(|| Command::SetShape(handle, shape.clone()));
            self.reshape(handle.slot(), shape.clone());
        }
        Ok(())
    }

    /// Gives a collider other layers, another mask and group.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_filter(&mut self, handle: Handle, filter: Filter) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetFilter(handle, filter));
        if self.columns.filters[slot as usize] != filter {
            self.columns.filters[slot as usize] = filter;
            self.reenter(slot);
        }
        Ok(())
    }

    /// Makes a collider one that only notices others, or an ordinary one.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_sensor(&mut self, handle: Handle, sensor: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetSensor(handle, sensor));
        if self.columns.is(slot, SENSOR) != sensor {
            self.columns.set(slot, SENSOR, sensor);
            self.columns.touch(slot);
        }
        Ok(())
    }

    /// Makes a collider one that hardly ever moves, or an ordinary one. Fixed colliders never meet each other.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_fixed(&mut self, handle: Handle, fixed: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetFixed(handle, fixed));
        if self.columns.is(slot, FIXED) != fixed {
            self.columns.set(slot, FIXED, fixed);
            self.reenter(slot);
        }
        Ok(())
    }

    /// Lets a collider be there or not: a disabled one keeps its handle, meets nothing and is found by no query.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_enabled(&mut self, handle: Handle, enabled: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetEnabled(handle, enabled));
        if self.columns.is(slot, ENABLED) != enabled {
            self.columns.set(slot, ENABLED, enabled);
            self.columns.touch(slot);
            if enabled {
                self.enter(slot);
            } else {
                self.space.remove(slot);
            }
        }
        Ok(())
    }

    /// Lets a collider stop only what comes from its front, or (`None`) from everywhere. What stands on its front stays there; what else it overlaps passes.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_one_way(&mut self, handle: Handle, one_way: Option<OneWay>) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetOneWay(handle, one_way));
        self.columns.touch(slot);
        self.columns.set_one_way(slot, one_way);
        Ok(())
    }

    /// Gives a collider another number of yours.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_user_data(&mut self, handle: Handle, user_data: u64) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetUserData(handle, user_data));
        self.columns.user_data[slot as usize] = user_data;
        Ok(())
    }

    /// Switches a pair off, whatever its layers say, or on again. That lasts until one of them is removed. Of one and the same collider it does nothing.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_pair_enabled(&mut self, a: Handle, b: Handle, allowed: bool) -> Result<(), Error> {
        let slots = [self.columns.expect(a)?, self.columns.expect(b)?];
        self.record(|| Command::SetPair(a, b, allowed));
        if a != b && self.rules.set(a, b, allowed) {
            for slot in slots {
                // That one of them was ruled once is no harm: the rules themselves decide.
                self.columns.set(slot, HAS_DISABLED_PAIRS, true);
                self.columns.touch(slot);
            }
        }
        Ok(())
    }

    fn expect_all(&self, handles: &[Handle]) -> Result<(), Error> {
        handles.iter().try_for_each(|&handle| self.columns.expect(handle).map(|_| ()))
    }

    #[inline]
    pub(super) fn place(&mut self, slot: u32, pose: Pose) {
        let i = slot as usize;
        if self.columns.spots[i].pose != pose {
            self.columns.touch(slot);
            self.columns.spots[i].pose = pose;
            self.measure(slot);
        }
    }

    /// [`place`](World::place) for many whose handles were looked up: where each goes, if elsewhere, is told from its number and its pose. Their boxes, with room on all sides, go to the broad phase
    /// in one call.
    #[inline]
    pub(super) fn place_many(
        &mut self,
        handles: &[Handle],
        room: f64,
        mut to: impl FnMut(usize, &Pose) -> Option<Pose>,
    ) {
        let (Self { columns, space, .. }, mut circles) = (self, CircleBounds::new());
        space.reserve(handles.len(), columns.len);
        let mut others = [0; circle_bounds::ROOM];
        for (first, handles) in (0..).step_by(circle_bounds::ROOM).zip(handles.chunks(circle_bounds::ROOM)) {
            let to = |number, pose: &Pose| to(first + number, pose);
            let mut count = 0;
            columns.put_all::<{ circle_bounds::ROOM }>(handles, to, |slot, center, round| {
                if round.is_nan() {
                    others[count] = slot;
                    count += 1;
                } else {
                    circles.add(slot, center, round);
                }
            });
            space.record_circles(&mut circles, room, |slot, aabb| columns.set_box(slot, aabb));
            for &slot in &others[..count] {
                let aabb = columns.measured(slot);
                if columns.set_box(slot, aabb) {
                    space.record(slot, &aabb, room);
                }
            }
        }
        space.flush();
    }

    fn reshape(&mut self, slot: u32, shape: Shape) {
        self.columns.touch(slot);
        self.columns.reshape(slot, shape);
        self.measure(slot);
    }

    /// The box of a collider that was moved or reshaped.
    #[inline]
    fn measure(&mut self, slot: u32) {
        let aabb = self.columns.measured(slot);
        self.columns.spots[slot as usize].aabb = aabb;
        if self.columns.is(slot, ENABLED) {
            self.space.update(slot, &aabb);
        }
    }

    /// Into the broad phase.
    fn enter(&mut self, slot: u32) {
        let i = slot as usize;
        self.space.insert(slot, &self.columns.spots[i].aabb, self.columns.filters[i], !self.columns.is(slot, FIXED));
    }

    /// The broad phase learns of another filter.
    fn reenter(&mut self, slot: u32) {
        self.columns.touch(slot);
        if self.columns.is(slot, ENABLED) {
            self.enter(slot);
        }
    }
}

fn same_length(what: &str, count: usize, handles: &[Handle]) -> Result<(), Error> {
    if count == handles.len() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::WrongLength,
        format!("{count} {what} for {} handles; there must be one for each", handles.len()),
    ))
}
