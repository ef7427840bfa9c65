//! Implements spatial queries of a world: rays, shape casts, overlaps, nearest colliders,
//! visibility.
//!
//! Input: a ray, shape, box or point, and a [`QueryFilter`]. Output: handles with hits or
//! distances. Each query visits candidates of the broad phase, applies the filter, and decides with
//! a pair query.
//!
//! Queries see all changes at once, also those since the last update. Each result equals that of a
//! test of every collider, in an order that depends only on handles and computed values.

mod cast;
mod cast_options;
mod cone;
mod crossings;
mod gaps;
mod mover_access;
mod mover_cast;
mod nearby;
mod nearest;
mod overlap;
mod point;
mod ray;
mod surface;
mod surface_cast;
mod visibility;

use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow::{self, Continue};

use super::World;
use super::collider::ColliderRef;
use super::collider_set::SENSOR;
use super::handle::{Handle, sort_handles};
use crate::math::aabb::Aabb;
use crate::shape::Placed;
pub use cast_options::{CastOptions, OneWayCast};
pub use cone::ViewCone;
pub(crate) use nearby::{ColliderAt, Margins};
pub(crate) use surface::SurfaceBuffers;

/// Selects the colliders that a query may find: by layers, sensor flag, one excluded collider and a
/// predicate. For casts: also how one-way colliders count.
///
/// A `u64` converts to a filter by layers. A filter with all 64 layers finds every layer and also colliders without a
/// layer. Disabled colliders are never found.
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
    one_way: OneWayCast,
}

/// Returns true if a query may find the collider.
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
    /// Finds all enabled colliders, also those without a layer.
    pub const ALL: Self =
        Self { layers: u64::MAX, sensors: true, without: Handle::NONE, only: None, one_way: OneWayCast::ByDirection };

    /// Finds only colliders on at least one of these layers. All 64 layers (`u64::MAX`) exclude no collider, not even
    /// one without a layer.
    #[must_use]
    pub fn layers(self, layers: u64) -> Self {
        Self { layers, ..self }
    }

    /// Excludes sensors.
    #[must_use]
    pub fn exclude_sensors(self) -> Self {
        Self { sensors: false, ..self }
    }

    /// Excludes one collider, for example the one that casts a ray.
    #[must_use]
    #[doc(alias = "exclude")]
    pub fn exclude_collider(self, handle: Handle) -> Self {
        Self { without: handle, ..self }
    }

    /// Sets how ray casts and shape casts treat one-way colliders. Other queries find them always.
    #[must_use]
    pub fn one_way(self, one_way: OneWayCast) -> Self {
        Self { one_way, ..self }
    }

    /// Finds only colliders for which `allow` returns true. It is called before the shapes are
    /// tested, in any order.
    #[must_use]
    pub fn predicate(self, allow: &'a dyn Fn(Handle, &ColliderRef<'_>) -> bool) -> Self {
        Self { only: Some(allow), ..self }
    }
}

impl World {
    /// Returns true if the filter admits the collider of a slot.
    fn admits(&self, filter: &QueryFilter<'_>, slot: u32) -> bool {
        let columns = &self.columns;
        let handle = columns.handle(slot);
        (filter.layers == u64::MAX || columns.filters[slot as usize].layers & filter.layers != 0)
            && (filter.sensors || !columns.is(slot, SENSOR))
            && handle != filter.without
            && filter.only.is_none_or(|only| only(handle, &columns.view(slot)))
    }

    /// Visits all colliders whose boxes intersect a box and that the filter admits, in any order.
    fn each_in_box(
        &self,
        aabb: &Aabb,
        filter: &QueryFilter<'_>,
        visit: &mut dyn FnMut(Handle, Placed<'_>) -> ControlFlow<()>,
    ) {
        self.space.visit_box(aabb, &mut |slot| {
            if self.columns.poses_and_boxes[slot as usize].aabb.intersects(aabb) && self.admits(filter, slot) {
                return visit(self.columns.handle(slot), self.columns.placed(slot));
            }
            Continue(())
        });
    }

    /// Returns the colliders whose boxes intersect a box and that pass filter and test, sorted.
    fn all_in_box(
        &self,
        aabb: &Aabb,
        filter: &QueryFilter<'_>,
        mut test: impl FnMut(Placed<'_>) -> bool,
    ) -> Vec<Handle> {
        let mut found = Vec::new();
        self.each_in_box(aabb, filter, &mut |handle, placed| {
            if test(placed) {
                found.push(handle);
            }
            Continue(())
        });
        sort_handles(&mut found);
        found
    }
}
