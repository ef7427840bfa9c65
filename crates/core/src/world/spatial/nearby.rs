//! Stores the colliders near a mover, so that the queries of a call search the broad phase once.
//!
//! Input: a collider and the box of a query. Output: the colliders in the box that can form contacts
//! with it. The simple version searches the broad phase at each query:
//!
//! ```text
//! for each collider of the broad phase in the box: test its own box and the filters
//! ```
//!
//! A call of a mover makes four to six queries, all near each other. Here the first one searches a
//! larger region and keeps the colliders. Later queries in that region test only the boxes of these.
//!
//! The world must not change meanwhile. So the list is forgotten at the start of each call.

use alloc::vec::Vec;

use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::shape::Placed;
use crate::world::World;
use crate::world::collider_set::{FIXED, ONE_WAY};
use crate::world::handle::Handle;

/// A collider at another position than in the world, with its box there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderAt<'a> {
    pub(crate) handle: Handle,
    pub(crate) placed: Placed<'a>,
    pub(crate) aabb: Aabb,
}

/// The colliders whose boxes intersect a region, without sensors and filtered ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearby {
    /// The searched region; none at the start of a call.
    region: Option<Aabb>,
    /// Sorted.
    handles: Vec<Handle>,
    /// Length by which a region is larger than the box of its first query, on all sides.
    margin: f64,
    /// Longest side of a box that gets a region. Longer ones search the broad phase.
    longest: f64,
}

impl Nearby {
    /// Forgets the colliders.
    pub(crate) fn reset(&mut self, margin: f64, longest: f64) {
        (self.region, self.margin, self.longest) = (None, margin, longest);
    }
}

impl World {
    /// Visits the colliders in a box that can form contacts with a collider, without sensors.
    pub(super) fn each_nearby(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb, mut visit: impl FnMut(Handle)) {
        if nearby.region.is_none_or(|region| !region.contains(aabb)) {
            if aabb.size().max_element() > nearby.longest {
                return self.each_partner(handle, aabb, &mut visit);
            }
            let region = aabb.grown(nearby.margin);
            nearby.region = Some(region);
            nearby.handles.clear();
            self.each_partner(handle, &region, &mut |other| nearby.handles.push(other));
            nearby.handles.sort_unstable();
        }
        for &other in &nearby.handles {
            if self.columns.poses_and_boxes[other.index()].aabb.intersects(aabb) {
                visit(other);
            }
        }
    }

    /// Visits the colliders of [`each_nearby`](World::each_nearby) that are not fixed, and all one-way ones.
    pub(crate) fn each_movable_nearby(
        &self,
        nearby: &mut Nearby,
        handle: Handle,
        aabb: &Aabb,
        mut visit: impl FnMut(Handle, Pose),
    ) {
        self.each_nearby(nearby, handle, aabb, |other| {
            let slot = other.slot();
            if !self.columns.is(slot, FIXED) || self.columns.is(slot, ONE_WAY) {
                visit(other, self.columns.poses_and_boxes[slot as usize].pose);
            }
        });
    }

    /// Returns true if a collider of [`each_nearby`](World::each_nearby) is one-way.
    pub(crate) fn has_one_way_nearby(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb) -> bool {
        let mut has_one_way = false;
        self.each_nearby(nearby, handle, aabb, |other| has_one_way |= self.columns.is(other.slot(), ONE_WAY));
        has_one_way
    }
}
