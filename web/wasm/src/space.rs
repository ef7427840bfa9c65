//! Stores worlds, with the particles and movers that belong to them.

use alloc::vec::Vec;

use carom::mover::Mover;
use carom::response::Particles;
use carom::world::OneWayCast;
use carom::world::QueryFilter;
use carom::{Collider, Handle, World};

use crate::columns::Columns;
use crate::failure::Failure;
use crate::ids::id_of;
use crate::slots::Slots;

/// A world and all that belongs to it.
pub(crate) struct Space {
    pub(crate) world: World,
    /// The last handle of each slot.
    handles: Vec<Handle>,
    pub(crate) particles: Slots<Particles>,
    pub(crate) movers: Slots<Mover>,
    pub(crate) columns: Columns,
}

impl Space {
    pub(crate) fn new(world: World) -> Self {
        let columns = Columns::default();
        let mut space = Self { world, handles: Vec::new(), particles: Slots::new(), movers: Slots::new(), columns };
        space.find_handles();
        space
    }

    /// Reads the handles of the world again, after its content was replaced.
    pub(crate) fn find_handles(&mut self) {
        self.handles.clear();
        for handle in self.world.handles() {
            self.handles.resize(handle.index(), Handle::NONE);
            self.handles.push(handle);
        }
    }

    /// Adds a collider. Returns its id.
    pub(crate) fn insert(&mut self, collider: Collider) -> f64 {
        let handle = self.world.insert(collider);
        if handle.index() >= self.handles.len() {
            self.handles.resize(handle.index() + 1, Handle::NONE);
        }
        self.handles[handle.index()] = handle;
        id_of(handle)
    }

    /// Returns the handle of an id, or an error if no collider has it.
    pub(crate) fn handle(&self, id: f64) -> Result<Handle, Failure> {
        self.find(id).ok_or_else(|| {
            Failure::new(format_args!(
                "no collider has the id {}: it was removed, or belongs to another world",
                id as u64
            ))
        })
    }

    /// Returns the handle of an id, or `None` if no collider has it.
    pub(crate) fn find(&self, id: f64) -> Option<Handle> {
        let handle = *self.handles.get((id as u64 & u64::from(u32::MAX)) as usize)?;
        (id_of(handle) == id && self.world.pose(handle).is_some()).then_some(handle)
    }

    /// Returns the handles of a list of ids.
    pub(crate) fn handles(&self, ids: &[f64]) -> Result<Vec<Handle>, Failure> {
        ids.iter().map(|&id| self.handle(id)).collect()
    }

    /// Returns the filter of a query. A negative `exclude` excludes no collider.
    pub(crate) fn filter(
        &self,
        layers: u64,
        without_sensors: u32,
        exclude: f64,
    ) -> Result<QueryFilter<'static>, Failure> {
        let mut filter = QueryFilter::from(layers).one_way(OneWayCast::ByDirection);
        if without_sensors != 0 {
            filter = filter.exclude_sensors();
        }
        if exclude >= 0.0 {
            filter = filter.exclude_collider(self.handle(exclude)?);
        }
        Ok(filter)
    }
}
