//! Computes the contacts of one collider with its surroundings as one surface, without internal
//! edges.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use glam::DVec2;
use smallvec::SmallVec;

use super::gaps::Gaps;
use super::nearby::{ColliderAt, Nearby};
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::sort::sort_in_place;
use crate::math::vector::{UNIT_ROUNDOFF, norm1};
use crate::pair_result::{ContactPoint, Manifold};
use crate::query::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, vertex_along};
use crate::query::{collide_within, manifolds_within};
use crate::shape::Placed;
use crate::world::World;
use crate::world::ccd::may_collide;
use crate::world::collider_set::{FIXED, ONE_WAY, SENSOR};
use crate::world::handle::Handle;
use crate::world::one_way_filter::faces_front;
use crate::world::surface_stop::smooth;

/// Number of neighbours that are stored without an allocation.
const NEAR: usize = 64;

/// Reusable memory of surface contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct SurfaceBuffers {
    pub(crate) nearby: Nearby,
    /// Gaps at the position of the last search.
    pub(crate) gaps: Gaps,
    /// Colliders that a cast may hit, with the times at which their boxes are hit.
    pub(super) candidates: Vec<(f64, Handle)>,
    near: Vec<Handle>,
    /// The colliders of `near` that are not fixed with their poses at the end of a call, for the next one.
    poses: Vec<(Handle, Pose)>,
    contacts: Vec<SurfaceContact>,
    manifolds: Vec<Manifold>,
}

impl World {
    /// Appends the contacts of a collider with all others within `margin`, a length, so that flush
    /// neighbours act as one surface. Each contact has the handle of the other collider. Its normal
    /// points from the other collider to this one, and its depth is negative if there is a gap.
    ///
    /// The world's counterpart of
    /// [`internal_edges::surface_contacts`](crate::internal_edges::surface_contacts). Uses the
    /// present poses. Sensors, disabled pairs and filtered pairs are excluded. One-way colliders
    /// count only if they stop this collider, as at the next [`update`](World::update). If there is
    /// a gap, the normal must be within 60° of the front, whatever side the collider came from.
    /// A negative or NaN `margin` counts as 0.
    ///
    /// To move the collider out of a floor of several tiles, use the deepest contact along each
    /// normal once. The sum of all MTVs moves it out twice.
    ///
    /// ```
    /// use carom::{Collider, DVec2, Shape, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 1.0] {
    ///     world.insert(Collider::new(Shape::rectangle(1.0, 1.0)?).at([x, -0.5])?.fixed(true));
    /// }
    /// let hero = world.insert(Collider::new(Shape::rectangle(0.8, 0.8)?).at([0.12, 0.35])?); // past the seam
    /// let mut contacts = Vec::new();
    /// world.surface_contacts(hero, 0.0, &mut contacts)?;
    /// assert_eq!(contacts.len(), 2);
    /// assert!(contacts.iter().all(|(_, manifold)| manifold.normal == DVec2::Y));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle.
    pub fn surface_contacts(
        &self,
        handle: Handle,
        margin: f64,
        out: &mut Vec<(Handle, Manifold)>,
    ) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        let mut buffers = SurfaceBuffers::default();
        let placed = self.columns.placed(slot);
        let mover = ColliderAt { handle, placed, aabb: placed.aabb() };
        self.collect_surface(&mover, margin, &mut buffers, out, &mut |other, manifolds| {
            self.keep_one_way([slot, other.slot()], manifolds);
        });
        Ok(())
    }

    /// Appends the surface contacts of a collider at another pose. `keep` gets the manifolds with
    /// each one-way collider, from it to the mover, and removes those that do not count.
    pub(crate) fn collect_surface(
        &self,
        mover: &ColliderAt<'_>,
        margin: f64,
        buffers: &mut SurfaceBuffers,
        out: &mut Vec<(Handle, Manifold)>,
        keep: &mut dyn FnMut(Handle, &mut Vec<Manifold>),
    ) {
        let columns = &self.columns;
        let (handle, slot, margin) = (mover.handle, mover.handle.slot(), margin.max(0.0));
        let SurfaceBuffers { nearby, gaps, near, contacts, manifolds, .. } = buffers;
        near.clear();
        gaps.search(mover, margin);
        self.each_nearby(nearby, handle, &mover.aabb.loosely_grown(margin), &mut |other| near.push(other));
        sort_in_place(near, Ord::cmp);
        let (first, own) = (out.len(), mover.placed.as_convex());
        for &other in near.iter() {
            let placed = columns.placed(other.slot());
            let is_one_way = columns.is(other.slot(), ONE_WAY) || columns.is(slot, ONE_WAY);
            if let (Some((own, _)), Some(_), false) = (own, placed.as_convex(), is_one_way) {
                // The same as below for a single manifold.
                if mover.is_farther(&columns.poses_and_boxes[other.index()].aabb, own.radius, margin) {
                    continue;
                }
                if let Some(manifold) = collide_within(placed, mover.placed, margin) {
                    gaps.push(other, manifold.normal, -manifold.depth);
                    out.push((other, manifold));
                }
                continue;
            }
            manifolds.clear();
            manifolds_within(placed, mover.placed, margin, manifolds);
            if let [only] = manifolds[..]
                && placed.as_convex().is_some()
            {
                gaps.push(other, only.normal, -only.depth);
            }
            if is_one_way {
                keep(other, manifolds);
            }
            for &manifold in manifolds.iter() {
                out.push((other, manifold));
            }
        }
        if self.is_plain_surface(mover, near, &out[first..]) {
            return;
        }
        contacts.clear();
        for &(other, manifold) in &out[first..] {
            // Sorted.
            let surface = near.partition_point(|&before| before < other);
            contacts.push(SurfaceContact { surface, manifold });
        }
        self.smooth(mover.placed, near, contacts);
        out.truncate(first);
        for contact in contacts.iter() {
            out.push((near[contact.surface], contact.manifold));
        }
    }

    /// Stores the poses of the colliders of the last [`collect_surface`](World::collect_surface) that are not fixed.
    pub(crate) fn keep_poses(&self, buffers: &mut SurfaceBuffers) {
        let SurfaceBuffers { near, poses, .. } = buffers;
        poses.clear();
        for &other in near.iter() {
            if !self.columns.is(other.slot(), FIXED) {
                poses.push((other, self.columns.poses_and_boxes[other.index()].pose));
            }
        }
    }

    /// Returns true if the same colliders with the same poses are near a mover as at the last
    /// [`keep_poses`](World::keep_poses). Fixed ones are the same as long as the revision of the world is.
    pub(crate) fn has_same_poses(&self, mover: &ColliderAt<'_>, margin: f64, buffers: &mut SurfaceBuffers) -> bool {
        let SurfaceBuffers { nearby, poses, .. } = buffers;
        let (mut before, mut is_same) = (poses.iter(), true);
        // Both lists are sorted.
        self.each_movable(nearby, mover.handle, &mover.aabb.loosely_grown(margin), &mut |other| {
            is_same &= before.next() == Some(&(other, self.columns.poses_and_boxes[other.index()].pose));
        });
        is_same && before.next().is_none()
    }

    /// Returns true if certainly no collider near a convex mover hides one of its contacts.
    ///
    /// By its box, none extends farther along the normal, or none is at the contact point. Then
    /// [`smooth`](Self::smooth) changes nothing.
    fn is_plain_surface(&self, mover: &ColliderAt<'_>, near: &[Handle], contacts: &[(Handle, Manifold)]) -> bool {
        let aabb = |other: Handle| &self.columns.poses_and_boxes[other.index()].aabb;
        let is_plain = |(own, manifold): &(Handle, Manifold)| {
            let (normal, points) = (manifold.normal, manifold.points());
            let Some(part) = self.columns.placed(own.slot()).as_part() else { return false };
            let size = aabb(*own).size().max_element().min(mover.aabb.size().max_element());
            let (top, flush) = (points[0].on_a, INTERNAL_EDGE_TOLERANCE * size);
            let (height, rounding) = (normal.dot(top), 16.0 * UNIT_ROUNDOFF * norm1(top));
            // Half the tolerance of `fix_internal_edges`.
            let is_straight =
                |p: &ContactPoint| (p.on_a - p.on_b - normal * p.depth).abs().max_element() <= 0.5 * flush;
            let hides = |&other: &Handle| {
                let aabb = aabb(other);
                let farthest = DVec2::new(
                    if normal.x > 0.0 { aabb.max().x } else { aabb.min().x },
                    if normal.y > 0.0 { aabb.max().y } else { aabb.min().y },
                );
                // A point is moved inward by at most three tolerances, and is covered at a distance of one.
                let is_at = |point: DVec2| aabb.gap(&Aabb::at(point)) <= 8.0 * (flush + 4.0 * rounding);
                other != *own
                    && normal.dot(farthest) - height > rounding
                    && (points.iter().any(|p| is_at(p.on_a)) || vertex_along(&part, normal).is_some_and(is_at))
            };
            points.iter().all(is_straight) && !near.iter().any(hides)
        };
        mover.placed.as_part().is_some() && contacts.iter().all(is_plain)
    }

    /// Replaces contacts of a mover with internal edges of its neighbours.
    fn smooth(&self, mover: Placed<'_>, near: &[Handle], contacts: &mut Vec<SurfaceContact>) {
        // Filled in place: a collected list would be copied as a whole.
        let mut surface: SmallVec<[Placed<'_>; NEAR]> = SmallVec::new();
        for other in near {
            surface.push(self.columns.placed(other.slot()));
        }
        smooth(mover, &surface, contacts);
    }

    /// Visits the colliders in a box that can form contacts with a collider, without sensors.
    pub(super) fn each_partner(&self, handle: Handle, aabb: &Aabb, visit: &mut dyn FnMut(Handle)) {
        self.space.visit_box(aabb, &mut |other| {
            if self.is_partner(handle, other, aabb) {
                visit(self.columns.handle(other));
            }
            Continue(())
        });
    }

    /// Returns true if a collider is in a box, is no sensor, and can form contacts with another one.
    pub(super) fn is_partner(&self, handle: Handle, other: u32, aabb: &Aabb) -> bool {
        let (columns, slot) = (&self.columns, handle.slot());
        other != slot
            && !columns.is(other, SENSOR)
            && columns.poses_and_boxes[other as usize].aabb.intersects(aabb)
            && may_collide(columns, &self.disabled_pairs, [slot, other])
    }

    /// Returns true if a collider is solid, or one-way with its front toward this normal of its
    /// surface.
    pub(crate) fn faces_front(&self, handle: Handle, normal: DVec2) -> bool {
        faces_front(&self.columns, handle.slot(), normal)
    }

    /// Returns true if a collider is one-way.
    pub(crate) fn is_one_way(&self, handle: Handle) -> bool {
        self.columns.one_way(handle.slot()).is_some()
    }

    /// Returns a collider at its pose with its box, or an error if the handle is stale.
    pub(crate) fn expect_at(&self, handle: Handle) -> Result<ColliderAt<'_>, Error> {
        let slot = self.columns.expect(handle)?;
        let aabb = self.columns.poses_and_boxes[slot as usize].aabb;
        Ok(ColliderAt { handle, placed: self.columns.placed(slot), aabb })
    }

    /// Removes the manifolds of a pair with a one-way collider that do not stop it. The first slot
    /// is the mover; the normals point to it.
    fn keep_one_way(&self, [slot, other]: [u32; 2], manifolds: &mut Vec<Manifold>) {
        // The filter expects the lower slot first.
        let flip = |manifolds: &mut Vec<Manifold>| {
            if slot < other {
                for found in manifolds.iter_mut() {
                    *found = found.flipped();
                }
            }
        };
        flip(manifolds);
        self.retain_stopping([slot.min(other), slot.max(other)], manifolds);
        flip(manifolds);
    }
}
