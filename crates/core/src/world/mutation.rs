//! Changes a world between two updates: inserts, removes and moves colliders, and sets their
//! properties.
//!
//! Input: handles and new values. Output: new columns, a mark on each changed slot, and new boxes
//! in the broad phase. Queries see each change at once; contacts follow at the next update.
//!
//! Each function either succeeds completely, or returns an error and changes nothing. So it checks
//! all handles and values first, then records the command, then writes.
//!
//! Functions for several colliders pass all boxes to the broad phase in one call. The boxes of
//! circles are computed in SIMD blocks. One call per collider would cost a virtual call and scalar
//! rounding each.

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
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::check_point;
use crate::shape::Shape;

impl World {
    /// Inserts a collider and returns its handle. Queries find it at once; contacts begin at the
    /// next [`update`](World::update).
    #[doc(alias = "add")]
    pub fn insert(&mut self, collider: Collider) -> Handle {
        self.record_change(|| Command::Insert(collider.clone()));
        let handle = self.columns.insert(collider);
        if self.columns.is(handle.slot(), ENABLED) {
            self.enter(handle.slot());
        }
        handle
    }

    /// Removes and returns a collider; `None` if the handle is stale. Its contacts end at the next
    /// [`update`](World::update).
    ///
    /// The world keeps a copy until the update after the next one, for [`removed_collider`](World::removed_collider).
    /// A collider that was inserted after the last update is not copied. So a world that is never updated does not
    /// grow.
    pub fn remove(&mut self, handle: Handle) -> Option<Collider> {
        let slot = self.columns.find(handle)?;
        self.record_change(|| Command::Remove(handle));
        if self.columns.is(slot, ENABLED) {
            self.space.remove(slot);
        }
        if self.columns.is(slot, HAS_DISABLED_PAIRS) {
            self.disabled_pairs.forget(handle);
        }
        let is_new = self.columns.is_new[slot as usize];
        let collider = self.columns.remove(slot);
        // No contact and no event refers to a collider that was inserted after the last update.
        if !is_new {
            self.removed_since.push((handle, collider.clone()));
        }
        Some(collider)
    }

    /// Sets the pose of a collider.
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
        self.move_to(slot, pose);
        Ok(())
    }

    /// Sets the position of a collider and keeps its angle.
    ///
    /// ```
    /// use carom::{Collider, Pose, Shape, World};
    ///
    /// let mut world = World::new();
    /// let upright = Pose::from_degrees([0.0, 0.0], 90.0)?;
    /// let block = world.insert(Collider::new(Shape::rectangle(2.0, 1.0)?).pose(upright));
    /// world.set_position(block, [3.0, 4.0])?;
    /// assert_eq!(world.pose(block), Some(Pose::from_degrees([3.0, 4.0], 90.0)?));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle; a coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_position(&mut self, handle: Handle, position: impl IntoPoint) -> Result<(), Error> {
        let pose = self.pose_of(handle)?.with_translation(position)?;
        self.set_pose(handle, pose)
    }

    /// Moves a collider by a displacement and keeps its angle.
    ///
    /// ```
    /// use carom::{Collider, Pose, Shape, World};
    ///
    /// let mut world = World::new();
    /// let block = world.insert(Collider::new(Shape::rectangle(2.0, 1.0)?).at([1.0, 1.0])?);
    /// world.translate(block, [0.5, 0.0])?;
    /// world.set_rotation(block, 0.3)?;
    /// assert_eq!(world.pose(block), Some(Pose::new([1.5, 1.0], 0.3)?));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle; a displacement or a new position that is not finite or above 1e30 in magnitude.
    #[doc(alias = "move")]
    pub fn translate(&mut self, handle: Handle, by: impl IntoPoint) -> Result<(), Error> {
        let pose = self.pose_of(handle)?;
        let by = check_point("displacement", by.into_point())?;
        self.set_pose(handle, pose.with_translation(pose.translation() + by)?)
    }

    /// Sets the angle of a collider in radians and keeps its position.
    ///
    /// # Errors
    /// A stale handle; an angle that [`Pose::new`] refuses.
    #[doc(alias("rotate", "set_angle"))]
    pub fn set_rotation(&mut self, handle: Handle, angle: f64) -> Result<(), Error> {
        let pose = Pose::new(self.pose_of(handle)?.translation(), angle)?;
        self.set_pose(handle, pose)
    }

    fn pose_of(&self, handle: Handle) -> Result<Pose, Error> {
        let slot = self.columns.expect(handle)?;
        Ok(self.columns.poses_and_boxes[slot as usize].pose)
    }

    /// Sets the poses of several colliders: `poses[i]` is that of `handles[i]`. If a handle occurs
    /// twice, its last pose counts.
    ///
    /// # Errors
    /// A stale handle, or slices of different lengths; nothing is moved then.
    pub fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) -> Result<(), Error> {
        same_length("poses", poses.len(), handles)?;
        self.expect_all(handles)?;
        if self.is_recording() {
            handles.iter().zip(poses).for_each(|(&handle, &pose)| self.record(|| Command::SetPose(handle, pose)));
        }
        self.move_many(handles, 0.0, |i, before| (*before != poses[i]).then_some(poses[i]));
        Ok(())
    }

    /// Replaces the shape of a collider.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_shape(&mut self, handle: Handle, shape: Shape) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetShape(handle, shape.clone()));
        self.reshape(slot, shape);
        Ok(())
    }

    /// Replaces the shapes of several colliders: `shapes[i]` is that of `handles[i]`.
    ///
    /// # Errors
    /// A stale handle, or slices of different lengths; nothing is changed then.
    pub fn set_shapes(&mut self, handles: &[Handle], shapes: &[Shape]) -> Result<(), Error> {
        same_length("shapes", shapes.len(), handles)?;
        self.expect_all(handles)?;
        for (&handle, shape) in handles.iter().zip(shapes) {
            self.record_change(|| Command::SetShape(handle, shape.clone()));
            self.reshape(handle.slot(), shape.clone());
        }
        Ok(())
    }

    /// Sets layers, mask and group of a collider.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_filter(&mut self, handle: Handle, filter: Filter) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetFilter(handle, filter));
        if self.columns.filters[slot as usize] != filter {
            self.columns.filters[slot as usize] = filter;
            self.reenter(slot);
        }
        Ok(())
    }

    /// Sets whether a collider is a sensor: its contacts are reported with `sensor: true` and never
    /// resolved.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_sensor(&mut self, handle: Handle, sensor: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetSensor(handle, sensor));
        if self.columns.is(slot, SENSOR) != sensor {
            self.columns.set(slot, SENSOR, sensor);
            self.columns.mark_changed(slot);
        }
        Ok(())
    }

    /// Sets whether a collider is fixed (static). Two fixed colliders never form a contact.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_fixed(&mut self, handle: Handle, fixed: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetFixed(handle, fixed));
        if self.columns.is(slot, FIXED) != fixed {
            self.columns.set(slot, FIXED, fixed);
            self.reenter(slot);
        }
        Ok(())
    }

    /// Enables or disables a collider. A disabled one keeps its handle, forms no contact and is not
    /// found by queries.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_enabled(&mut self, handle: Handle, enabled: bool) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetEnabled(handle, enabled));
        if self.columns.is(slot, ENABLED) != enabled {
            self.columns.set(slot, ENABLED, enabled);
            self.columns.mark_changed(slot);
            if enabled {
                self.enter(slot);
            } else {
                self.space.remove(slot);
            }
        }
        Ok(())
    }

    /// Makes a collider stop others only if they come from its front, or from all sides (`None`).
    /// Colliders that rest on the front stay contacts; others that overlap it pass.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_one_way(&mut self, handle: Handle, one_way: Option<OneWay>) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record_change(|| Command::SetOneWay(handle, one_way));
        self.columns.mark_changed(slot);
        self.columns.set_one_way(slot, one_way);
        Ok(())
    }

    /// Sets the user data of a collider.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_user_data(&mut self, handle: Handle, user_data: u64) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        self.record(|| Command::SetUserData(handle, user_data));
        self.columns.user_data[slot as usize] = user_data;
        Ok(())
    }

    /// Disables a pair, whatever its layers, or enables it again. This lasts until one of the two
    /// is removed. Does nothing if both handles are equal.
    ///
    /// # Errors
    /// A stale handle.
    pub fn set_pair_enabled(&mut self, a: Handle, b: Handle, allowed: bool) -> Result<(), Error> {
        let slots = [self.columns.expect(a)?, self.columns.expect(b)?];
        self.record_change(|| Command::SetPair(a, b, allowed));
        if a != b && self.disabled_pairs.set(a, b, allowed) {
            for slot in slots {
                // The flag is never cleared: it only tells that the set of disabled pairs must be
                // searched.
                self.columns.set(slot, HAS_DISABLED_PAIRS, true);
                self.columns.mark_changed(slot);
            }
        }
        Ok(())
    }

    fn expect_all(&self, handles: &[Handle]) -> Result<(), Error> {
        handles.iter().try_for_each(|&handle| self.columns.expect(handle).map(|_| ()))
    }

    /// Sets the pose and the known box of a collider. The handle must be valid. If the box leaves the stored box of the
    /// broad phase, it replaces that box, grown by a margin on all sides.
    pub(crate) fn set_pose_and_box(&mut self, handle: Handle, pose: Pose, aabb: Aabb, margin: f64) {
        let (slot, i) = (handle.slot(), handle.index());
        self.record(|| Command::SetPose(handle, pose));
        self.columns.set(slot, IN_MOTION, false);
        if self.columns.poses_and_boxes[i].pose != pose {
            self.columns.mark_changed(slot);
            self.columns.poses_and_boxes[i].pose = pose;
            debug_assert_eq!(self.columns.compute_aabb(slot), aabb, "the box of the shape at its pose");
            if self.columns.set_aabb(slot, aabb) {
                self.space.update_loosely(slot, &self.columns.grown_box(slot, aabb), margin);
            }
        }
    }

    #[inline]
    pub(super) fn move_to(&mut self, slot: u32, pose: Pose) {
        let i = slot as usize;
        if self.columns.poses_and_boxes[i].pose != pose {
            self.columns.mark_changed(slot);
            self.columns.poses_and_boxes[i].pose = pose;
            self.measure(slot);
        }
    }

    /// Moves several colliders whose handles are valid. `to` gets the index and the present pose,
    /// and returns the new pose, if it differs. The boxes go to the broad phase in one call, grown
    /// by a margin.
    #[inline]
    pub(super) fn move_many(
        &mut self,
        handles: &[Handle],
        margin: f64,
        mut to: impl FnMut(usize, &Pose) -> Option<Pose>,
    ) {
        let (Self { columns, space, .. }, mut circles) = (self, CircleBounds::new());
        space.reserve(handles.len(), columns.len);
        // Blocks of circles have one margin for all.
        let within = columns.margins.is_active();
        let mut others = [0; circle_bounds::CAPACITY];
        for (first, handles) in (0..).step_by(circle_bounds::CAPACITY).zip(handles.chunks(circle_bounds::CAPACITY)) {
            let to = |number, pose: &Pose| to(first + number, pose);
            let mut count = 0;
            columns.set_poses::<{ circle_bounds::CAPACITY }>(handles, to, |slot, center, circle_radius| {
                if circle_radius.is_nan() || within {
                    others[count] = slot;
                    count += 1;
                } else {
                    circles.add(slot, center, circle_radius);
                }
            });
            space.record_circles(&mut circles, margin, |slot, aabb| columns.set_aabb(slot, aabb));
            for &slot in &others[..count] {
                let aabb = columns.compute_aabb(slot);
                if columns.set_aabb(slot, aabb) {
                    space.record(slot, &columns.grown_box(slot, aabb), margin);
                }
            }
        }
        space.flush();
    }

    fn reshape(&mut self, slot: u32, shape: Shape) {
        self.columns.mark_changed(slot);
        self.columns.reshape(slot, shape);
        self.measure(slot);
    }

    /// Updates the box of a collider that was moved or reshaped.
    #[inline]
    fn measure(&mut self, slot: u32) {
        let aabb = self.columns.compute_aabb(slot);
        if self.columns.set_aabb(slot, aabb) {
            self.space.update(slot, &self.columns.grown_box(slot, aabb));
        }
    }

    /// Inserts a collider into the broad phase.
    pub(super) fn enter(&mut self, slot: u32) {
        let i = slot as usize;
        let moving = !self.columns.is(slot, FIXED);
        self.space.insert(slot, &self.columns.search_box(slot), self.columns.filters[i], moving);
    }

    /// Marks a collider as changed, and passes its new filter to the broad phase.
    fn reenter(&mut self, slot: u32) {
        self.columns.mark_changed(slot);
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
