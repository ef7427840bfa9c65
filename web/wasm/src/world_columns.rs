//! Exports the columns of a world: contacts, events and poses.

use alloc::vec::Vec;

use carom::Handle;

use crate::columns::{Columns, address, write_points};
use crate::export;
use crate::ids::id_of;
use crate::space::Space;

impl Space {
    /// Reads all handles once.
    fn each_handle(&mut self, mut visit: impl FnMut(&mut Vec<f64>, &carom::World, Handle)) {
        self.columns.poses.clear();
        for handle in self.world.handles() {
            visit(&mut self.columns.poses, &self.world, handle);
        }
    }
}

export! {
    /// Writes the length and the addresses of: a, b, normals, depths, sensors, ends of points, points; and the number
    /// of points.
    fn world_contacts(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        let Columns { contacts, point_ends, points, .. } = &mut space.columns;
        contacts.clear();
        point_ends.clear();
        points.clear();
        for contact in space.world.contacts() {
            contacts.push(&contact);
            write_points(points, &contact);
            point_ends.push((points.len() / 3) as u32);
        }
        output.clear();
        output.extend(contacts.addresses());
        output.extend([address(point_ends), address(points), (points.len() / 3) as f64]);
        Ok(true)
    }

    /// Writes the length and the addresses of: a, b, normals, depths, sensors, begins.
    fn world_events(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        let Columns { events, begins, .. } = &mut space.columns;
        events.clear();
        begins.clear();
        for event in space.world.events() {
            events.push(&event.contact());
            begins.push(event.is_begin().into());
        }
        output.clear();
        output.extend(events.addresses());
        output.push(address(begins));
        Ok(true)
    }

    /// Writes the number of colliders and the address of their ids.
    fn world_ids(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        space.columns.ids.clear();
        space.columns.ids.extend(space.world.handles().map(id_of));
        output.clear();
        output.extend([space.columns.ids.len() as f64, address(&space.columns.ids)]);
        Ok(true)
    }

    /// Writes the number of colliders and the address of their poses: x, y, angle.
    fn world_poses(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        space.each_handle(|poses, world, handle| {
            let pose = world.pose(handle).unwrap_or_default();
            let [x, y] = pose.translation().to_array();
            poses.extend([x, y, pose.angle()]);
        });
        output.clear();
        output.extend([space.world.len() as f64, address(&space.columns.poses)]);
        Ok(true)
    }

    /// Writes the number of colliders and the address of their transforms: x, y, cos, sin.
    fn world_transforms(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        space.each_handle(|poses, world, handle| {
            let pose = world.pose(handle).unwrap_or_default();
            let [x, y] = pose.translation().to_array();
            poses.extend([x, y, pose.cos(), pose.sin()]);
        });
        output.clear();
        output.extend([space.world.len() as f64, address(&space.columns.poses)]);
        Ok(true)
    }
}
