//! Stores the colliders near a mover, so that its queries search the broad phase once per call.
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
//! Most colliders are fixed. They are kept for the next calls too, until one of them changes or the mover
//! leaves the region. The others are searched anew in each call.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::sort::sort_in_place;
use crate::math::vector::norm1;
use crate::shape::Placed;
use crate::world::World;
use crate::world::collider_set::{FIXED, ONE_WAY};
use crate::world::handle::Handle;
use crate::world::revision::Revision;

/// A collider at another position than in the world, with its box there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderAt<'a> {
    pub(crate) handle: Handle,
    pub(crate) placed: Placed<'a>,
    pub(crate) aabb: Aabb,
}

impl ColliderAt<'_> {
    /// Returns true if a box is certainly farther than `margin` away, by the distance to the box of the points without
    /// their radius.
    pub(super) fn is_farther(&self, other: &Aabb, radius: f64, margin: f64) -> bool {
        let (min, max) = (self.aabb.min(), self.aabb.max());
        let apart = (other.min() - max).max(min - other.max()) + radius;
        let limit = (radius + margin) * (1.0 + 8.0 * f64::EPSILON) + 8.0 * f64::EPSILON * (norm1(min) + norm1(max));
        // `MIN_POSITIVE` covers squares that underflow.
        apart.max(DVec2::ZERO).length_squared() > limit * limit * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE
    }
}

/// The colliders near a mover that can form contacts with it, without sensors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearby {
    /// The region of the fixed colliders, and the state of the world that they are of.
    fixed_region: Option<(Aabb, Revision)>,
    /// The fixed colliders in their region, with their boxes. Sorted by handle.
    fixed: Vec<(Handle, Aabb)>,
    /// The region of the other colliders; none at the start of a call.
    movable_region: Option<Aabb>,
    /// The other colliders in their region. Sorted.
    movable: Vec<Handle>,
    /// False if the world has one-way colliders. Also false if the call found a collider that can move, or searched a
    /// second region or a long box for them.
    pub(crate) is_alone: bool,
    margins: Margins,
}

/// Lengths that decide which region is searched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Margins {
    /// Length by which the region of fixed colliders is larger than the box of a query, on all sides.
    pub(crate) fixed: f64,
    /// The same for other colliders.
    pub(crate) movable: f64,
    /// Longest side of a box that gets a region. Longer ones search the broad phase.
    pub(crate) longest: f64,
}

impl Nearby {
    /// Begins a call: forgets the colliders that can move.
    pub(crate) fn begin_call(&mut self, margins: Margins) {
        (self.movable_region, self.margins, self.is_alone) = (None, margins, true);
    }
}

impl World {
    /// Visits the colliders in a box that can form contacts with a collider, without sensors.
    pub(super) fn each_nearby(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb, visit: &mut dyn FnMut(Handle)) {
        if aabb.size().max_element() > nearby.margins.longest {
            nearby.is_alone = false;
            return self.each_partner(handle, aabb, visit);
        }
        self.search_fixed(nearby, handle, aabb);
        for (other, of_other) in &nearby.fixed {
            if of_other.intersects(aabb) {
                visit(*other);
            }
        }
        self.each_movable(nearby, handle, aabb, visit);
    }

    /// Returns false if no collider is one-way, and layers, masks or a common group exclude all that are not fixed.
    pub(crate) fn may_meet_movable(&self, handle: Handle) -> bool {
        self.columns.has_one_way() || self.space.has_moving_partners(self.columns.filters[handle.index()])
    }

    /// Visits the colliders of [`each_nearby`](World::each_nearby) that are not fixed, and all one-way ones.
    pub(crate) fn each_movable_nearby(
        &self,
        nearby: &mut Nearby,
        handle: Handle,
        aabb: &Aabb,
        visit: &mut dyn FnMut(Handle, Pose),
    ) {
        let columns = &self.columns;
        let mut visit = |other: Handle| visit(other, columns.poses_and_boxes[other.index()].pose);
        if columns.has_one_way() {
            nearby.is_alone = false;
            self.each_partner(handle, aabb, &mut |other| {
                if !columns.is(other.slot(), FIXED) || columns.is(other.slot(), ONE_WAY) {
                    visit(other);
                }
            });
        } else {
            self.each_movable(nearby, handle, aabb, &mut visit);
        }
    }

    /// Returns true if a collider of [`each_nearby`](World::each_nearby) is one-way.
    pub(crate) fn has_one_way_nearby(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb) -> bool {
        let mut has_one_way = false;
        self.each_nearby(nearby, handle, aabb, &mut |other| has_one_way |= self.columns.is(other.slot(), ONE_WAY));
        has_one_way
    }

    /// Visits the colliders in a box that are not fixed.
    pub(super) fn each_movable(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb, visit: &mut dyn FnMut(Handle)) {
        if !self.space.has_moving_partners(self.columns.filters[handle.index()]) {
            return;
        }
        if nearby.movable_region.is_none_or(|region| !region.contains(aabb)) {
            let region = aabb.loosely_grown(nearby.margins.movable);
            let Nearby { movable_region, movable, is_alone, .. } = nearby;
            *is_alone &= movable_region.replace(region).is_none();
            movable.clear();
            self.space.visit_moving_box(&region, &mut |other| {
                if !self.columns.is(other, FIXED) && self.is_partner(handle, other, &region) {
                    movable.push(self.columns.handle(other));
                }
                Continue(())
            });
            sort_in_place(movable, Ord::cmp);
            *is_alone &= movable.is_empty();
        }
        for &other in &nearby.movable {
            if self.columns.poses_and_boxes[other.index()].aabb.intersects(aabb) {
                visit(other);
            }
        }
    }

    /// Searches the fixed colliders near a box, unless they are known.
    fn search_fixed(&self, nearby: &mut Nearby, handle: Handle, aabb: &Aabb) {
        let now = self.columns.revision;
        if nearby.fixed_region.is_some_and(|(region, then)| then == now && region.contains(aabb)) {
            return;
        }
        let region = aabb.loosely_grown(nearby.margins.fixed);
        nearby.fixed_region = Some((region, now));
        nearby.fixed.clear();
        self.each_partner(handle, &region, &mut |other| {
            if self.columns.is(other.slot(), FIXED) {
                nearby.fixed.push((other, self.columns.poses_and_boxes[other.index()].aabb));
            }
        });
        sort_in_place(&mut nearby.fixed, |(p, _), (q, _)| p.cmp(q));
    }
}
