//! Stores contacts, events and poses as columns: arrays with one field of many items.

use alloc::vec::Vec;

use carom::DVec2;
use carom::query::ContactPoint;
use carom::response::Particles;
use carom::world::ContactRef;

use crate::ids::id_of;

/// Columns of a world. JavaScript makes views of them.
#[derive(Default)]
pub(crate) struct Columns {
    pub(crate) contacts: PairColumns,
    /// Index after the last point of each contact.
    pub(crate) point_ends: Vec<u32>,
    /// Per point: x, y, depth.
    pub(crate) points: Vec<f64>,
    pub(crate) events: PairColumns,
    /// 1 for each event that is a begin.
    pub(crate) begins: Vec<u8>,
    pub(crate) ids: Vec<f64>,
    pub(crate) poses: Vec<f64>,
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
pub(crate) struct PairColumns {
    a: Vec<f64>,
    b: Vec<f64>,
    normals: Vec<f64>,
    depths: Vec<f64>,
    sensors: Vec<u8>,
}

impl PairColumns {
    pub(crate) fn clear(&mut self) {
        self.a.clear();
        self.b.clear();
        self.normals.clear();
        self.depths.clear();
        self.sensors.clear();
    }

    pub(crate) fn push(&mut self, contact: &ContactRef<'_>) {
        self.a.push(id_of(contact.a));
        self.b.push(id_of(contact.b));
        self.normals.extend(contact.normal.to_array());
        self.depths.push(contact.depth);
        self.sensors.push(contact.sensor.into());
    }

    /// Returns the length and the addresses.
    pub(crate) fn addresses(&self) -> [f64; 6] {
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

/// Appends the points of a contact. For composites: those of all pairs of parts, each point once.
pub(crate) fn write_points(points: &mut Vec<f64>, contact: &ContactRef<'_>) {
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
