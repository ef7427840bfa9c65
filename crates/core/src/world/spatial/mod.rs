//! What can be asked of a world at any time: each answer is about the last write, with or without an update since.
//!
//! Each question has a [`QueryFilter`], and each answer is what asking every collider gives, in an order that depends on nothing but handles and numbers.

mod cast;
mod cone;
mod crossings;
mod nearest;
mod overlap;
mod point;
mod ray;
mod visibility;

use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow::{self, Continue};

use super::World;
use super::collider::ColliderRef;
use super::collider_set::SENSOR;
use super::handle::Handle;
use crate::math::aabb::Aabb;
use crate::shape::Placed;
pub use cone::ViewCone;

/// Which colliders a query finds: those on certain layers, sensors or not, all but one, those that a function of yours lets pass.
///
/// A number is the layers that are looked for. Disabled colliders are never found.
///
/// ```
/// use carom::{Collider, Shape, World};
/// use carom::world::QueryFilter;
///
/// const WALL: u64 = 1;
/// const COIN: u64 = 2;
/// let mut world = World::new();
/// let wall = world.insert(Collider::new(Shape::circle(1.0)?).layers(WALL, u64::MAX));
/// let coin = world.insert(Collider::new(Shape::circle(1.0)?).layers(COIN, u64::MAX).sensor(true));
/// assert_eq!(world.containing_point([0.0, 0.0], WALL)?, [wall]);
/// assert_eq!(world.containing_point([0.0, 0.0], QueryFilter::ALL.exclude_collider(wall))?, [coin]);
/// assert_eq!(world.containing_point([0.0, 0.0], QueryFilter::ALL.exclude_sensors())?, [wall]);
/// let odd = |handle: carom::Handle, _: &carom::world::ColliderRef<'_>| handle.index() % 2 == 1;
/// assert_eq!(world.containing_point([0.0, 0.0], QueryFilter::ALL.predicate(&odd))?, [coin]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    layers: u64,
    sensors: bool,
    without: Handle,
    only: Option<&'a Predicate<'a>>,
}

/// Says of a collider whether a query may find it.
type Predicate<'a> = dyn Fn(Handle, &ColliderRef<'_>) -> bool + 'a;

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self::ALL
    }
}

impl From<u64> for QueryFilter<'_> {
    fn from(layers: u64) -> Self {
        Self { layers, ..Self::ALL }
    }
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("layers", &self.layers)
            .field("sensors", &self.sensors)
            .field("without", &self.without)
            .finish_non_exhaustive()
    }
}

impl<'a> QueryFilter<'a> {
    /// Finds everything.
    pub const ALL: Self = Self { layers: u64::MAX, sensors: true, without: Handle::NONE, only: None };

    /// Finds what is on one of these layers.
    #[must_use]
    pub fn layers(self, layers: u64) -> Self {
        Self { layers, ..self }
    }

    /// Finds no sensors.
    #[must_use]
    pub fn exclude_sensors(self) -> Self {
        Self { sensors: false, ..self }
    }

    /// Does not find one collider: the one who asks.
    #[must_use]
    pub fn exclude_collider(self, handle: Handle) -> Self {
        Self { without: handle, ..self }
    }

    /// Finds only what a function lets pass; it is asked before shapes are looked at, in any order.
    #[must_use]
    pub fn predicate(self, allow: &'a dyn Fn(Handle, &ColliderRef<'_>) -> bool) -> Self {
        Self { only: Some(allow), ..self }
    }
}

impl World {
    /// May a query find the collider of a slot?
    fn admits(&self, filter: &QueryFilter<'_>, slot: u32) -> bool {
        let columns = &self.columns;
        let handle = columns.handle(slot);
        columns.filters[slot as usize].layers & filter.layers != 0
            && (filter.sensors || !columns.is(slot, SENSOR))
            && handle != filter.without
            && filter.only.is_none_or(|only| only(handle, &columns.view(slot)))
    }

    /// Every collider whose box meets a box, that a filter admits, in any order.
    fn each_in_box(
        &self,
        aabb: &Aabb,
        filter: &QueryFilter<'_>,
        mut visit: impl FnMut(Handle, Placed<'_>) -> ControlFlow<()>,
    ) {
        self.space.visit_box(aabb, &mut |slot| {
            if self.columns.spots[slot as usize].aabb.intersects(aabb) && self.admits(filter, slot) {
                return visit(self.columns.handle(slot), self.columns.placed(slot));
            }
            Continue(())
        });
    }

    /// The colliders whose boxes meet a box and that pass a test, sorted.
    fn all_in_box(
        &self,
        aabb: &Aabb,
        filter: &QueryFilter<'_>,
        mut test: impl FnMut(Placed<'_>) -> bool,
    ) -> Vec<Handle> {
        let mut found = Vec::new();
        self.each_in_box(aabb, filter, |handle, placed| {
            if test(placed) {
                found.push(handle);
            }
            Continue(())
        });
        found.sort_unstable();
        found
    }
}
