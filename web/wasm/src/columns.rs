//! Exports contacts, events and poses as columns: arrays with one field of many items.

use alloc::vec::Vec;

use carom::query::ContactPoint;
use carom::response::Particles;
use carom::world::ContactRef;
use carom::{DVec2, Handle};

use crate::export;
use crate::space::{Space, id_of};

/// Columns of a world. JavaScript makes views of them.
#[derive(Default)]
pub(crate) struct Columns {
    contacts: PairColumns,
    /// Index after the last point of each contact.
    point_ends: Vec<u32>,
    /// Per point: x, y, depth.
    points: Vec<f64>,
    events: PairColumns,
    /// 1 for each event that is a begin.
    begins: Vec<u8>,
    ids: Vec<f64>,
    poses: Vec<f64>,
    /// Ids and velocities of particles.
    particles: [Vec<f64>; 2],
}

impl Columns {
    /// Copies the ids and velocities of particles.
    pub(crate) fn set_particles(&mut self, particles: &Particles) {
        let [ids, velocities] = &mut self.particles;
        ids.clear();
        ids.extend(particles.bodies().handles().iter().map(|&handle| id_of(handle)));
        velocities.clear();
        velocities.extend(particles.velocities().iter().flat_map(DVec2::to_array));
    }

    /// Returns the ids and velocities of particles.
    pub(crate) fn particles(&self) -> &[Vec<f64>; 2] {
        &self.particles
    }
}

/// Columns of pairs.
#[derive(Default)]
struct PairColumns {
    a: Vec<f64>,
    b: Vec<f64>,
    normals: Vec<f64>,
    depths: Vec<f64>,
    sensors: Vec<u8>,
}

impl PairColumns {
    fn clear(&mut self) {
        self.a.clear();
        self.b.clear();
        self.normals.clear();
        self.depths.clear();
        self.sensors.clear();
    }

    fn push(&mut self, contact: &ContactRef<'_>) {
        self.a.push(id_of(contact.a));
        self.b.push(id_of(contact.b));
        self.normals.extend(contact.normal.to_array());
        self.depths.push(contact.depth);
        self.sensors.push(contact.sensor.into());
    }

    /// Returns the length and the addresses.
    fn addresses(&self) -> [f64; 6] {
        [
            self.a.len() as f64,
            address(&self.a),
            address(&self.b),
            address(&self.normals),
            address(&self.depths),
            address(&self.sensors),
        ]
    }
}

/// Returns the address of a column.
pub(crate) fn address<T>(column: &[T]) -> f64 {
    column.as_ptr() as usize as f64
}

impl Space {
    /// Reads all handles once.
    fn each_handle(&mut self, mut visit: impl FnMut(&mut Vec<f64>, &carom::World, Handle)) {
        self.columns.poses.clear();
        for handle in self.world.handles() {
            visit(&mut self.columns.poses, &self.world, handle);
        }
    }
}

/// Appends the points of a contact. For composites: those of all pairs of parts, each point once.
fn write_points(points: &mut Vec<f64>, contact: &ContactRef<'_>) {
    let first = points.len();
    let mut add = |point: &ContactPoint| {
        let [x, y] = point.position().to_array();
        if !points[first..].chunks_exact(3).any(|known| known[..2] == [x, y]) {
            points.extend([x, y, point.depth]);
        }
    };
    if contact.manifolds().len() > 1 {
        contact.manifolds().for_each(|manifold| manifold.points().iter().for_each(&mut add));
    } else {
        contact.points().iter().for_each(&mut add);
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
