//! Reads contacts and writes positions for the contact solvers between two updates.
//!
//! Input: handles and new positions. Output: the pairs that may intersect, their depths and
//! normals, and the state of colliders.
//!
//! A solver moves colliders several times per step. The simple version calls `World::update` after
//! each round: it sorts and diffs all contacts, and emits events. These functions only find the
//! pairs near moved colliders. They compute depths with the same kernels and filters as the update,
//! so both agree. Contact margins do not count here: a solver pushes overlaps only.
//!
//! Pairs stay cached while each box stays inside its fat box in the broad phase. A box that leaves
//! it is queried again, and its new pairs are appended.

use alloc::vec::Vec;
use core::mem;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::World;
use super::ccd::{is_disabled, may_collide};
use super::collider_set::{CHANGED, ENABLED, IN_MOTION, ONE_WAY, SENSOR};
use super::command::Command;
use super::contact::ContactRef;
use super::contact_diff::{WorkerBuffers, compute_manifolds};
use super::contact_store::deepest;
use super::handle::Handle;
use super::narrow_phase::CandidateBlock;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::prefetch::prefetch_distance;
use crate::math::sort::sort_pairs;
use crate::math::vector::{length, norm1};
use crate::query::{Impact, Least, Manifold, collide, collide_within, first_approach};
use crate::shape::Shape;

/// The data of a collider that a solver reads.
pub(crate) struct ColliderState<'a> {
    pub(crate) pose: Pose,
    pub(crate) aabb: &'a Aabb,
    pub(crate) shape: &'a Shape,
    /// The radius of a circle that is centred on its own origin; NaN for all other shapes.
    pub(crate) circle_radius: f64,
}

impl ColliderState<'_> {
    /// Returns the radius of a circle about the position that contains the collider: its own for a
    /// circle, else that of its box.
    pub(crate) fn bounding_radius(&self) -> f64 {
        if !self.circle_radius.is_nan() {
            return self.circle_radius;
        }
        let position = self.pose.translation();
        length((self.aabb.max() - position).max(position - self.aabb.min()))
    }
}

impl World {
    /// Appends the slot pairs that may intersect at the present poses and that push each other,
    /// sorted, if one of the two is in `of`.
    ///
    /// Filters and disabled pairs are respected; sensors push nothing. If the last update had a
    /// user filter, only pairs that were contacts then push each other.
    pub(crate) fn near_pairs(&mut self, of: impl Iterator<Item = Handle> + Clone, pairs: &mut Vec<[u32; 2]>) {
        self.space.pairs_of_slots(of.map(Handle::slot), self.columns.slots(), pairs);
        let (mut kept, ahead) = (0, prefetch_distance(self.columns.slots()));
        for i in 0..pairs.len() {
            if let Some(&[a, b]) = pairs.get(i + ahead) {
                self.columns.prefetch(a);
                self.columns.prefetch(b);
            }
            let pair = pairs[i];
            pairs[kept] = pair;
            kept += usize::from(self.columns.prefilter(pair)[1] && self.push_each_other(pair));
        }
        pairs.truncate(kept);
        // A pair is added again if one of the two leaves its box, so duplicates occur.
        sort_pairs(pairs);
        pairs.dedup();
    }

    /// Returns true if two colliders push each other if they intersect.
    fn push_each_other(&self, [a, b]: [u32; 2]) -> bool {
        let columns = &self.columns;
        let flags = [columns.flags[a as usize], columns.flags[b as usize]];
        let both_enabled = flags[0] & flags[1] & ENABLED != 0 && (flags[0] | flags[1]) & SENSOR == 0;
        if !both_enabled || is_disabled(columns, &self.disabled_pairs, [a, b]) {
            return false;
        }
        let is_contact = |contact: ContactRef<'_>| !contact.is_gap();
        !self.filtered || self.contacts.between(columns.handle(a), columns.handle(b)).is_some_and(is_contact)
    }

    /// Calls `visit` with the handles, depth (0 or more) and normal of each pair that intersects at
    /// the present poses.
    ///
    /// Circles that touch up to rounding may be included. One-way pairs are filtered as the next
    /// update will filter them.
    pub(crate) fn for_each_contact(
        &mut self,
        pairs: &[[u32; 2]],
        mut visit: impl FnMut(&Self, [Handle; 2], f64, DVec2),
    ) {
        let mut buffers = mem::take(&mut self.worker_buffers);
        if buffers.is_empty() {
            buffers.push(WorkerBuffers::default());
        }
        let WorkerBuffers { polygon_pairs: others, scratch } = &mut buffers[0];
        let mut block = CandidateBlock::new(others);
        let mut pairs = pairs.iter();
        while block.load(&self.columns, &mut pairs, false, false) {
            for row in block.rows() {
                let [a, b] = row.slots;
                let found = if row.flags & ONE_WAY != 0 {
                    self.one_way_stop(row.slots, scratch)
                } else if !block.needs_fallback(row) {
                    block.manifold(row)
                } else if let Some(manifold) = block.approximate_manifold(row) {
                    Some(manifold)
                } else {
                    collide(self.columns.placed(a), self.columns.placed(b))
                };
                if let Some(Manifold { depth, normal, .. }) = found {
                    visit(self, [self.columns.handle(a), self.columns.handle(b)], depth.max(0.0), normal);
                }
            }
        }
        self.worker_buffers = buffers;
    }

    /// Returns the handle of a slot; `None` if the slot does not exist.
    #[inline]
    pub(crate) fn handle_at(&self, slot: usize) -> Option<Handle> {
        let slot = slot as u32;
        self.columns.flags.get(slot as usize).map(|_| self.columns.handle(slot))
    }

    /// Visits all colliders whose boxes may intersect a box, in any order.
    pub(crate) fn for_each_in_aabb(&self, aabb: &Aabb, mut visit: impl FnMut(Handle)) {
        self.space.visit_box(aabb, &mut |slot| {
            visit(self.columns.handle(slot));
            Continue(())
        });
    }

    /// Returns the state of a collider with one lookup.
    #[inline]
    pub(crate) fn collider_state(&self, handle: Handle) -> Option<ColliderState<'_>> {
        let slot = self.columns.find(handle)?;
        let (record, shape) = (&self.columns.poses_and_boxes[slot as usize], &self.columns.shapes[slot as usize]);
        let circle_radius = self.columns.circle_radii[slot as usize];
        Some(ColliderState { pose: record.pose, aabb: &record.aabb, shape, circle_radius })
    }

    /// Returns depth, normal and a contact point of two colliders at their present poses. If they
    /// are apart by at most `margin`, the depth is the negative distance. One-way pairs have no
    /// margin.
    pub(crate) fn contact_within(&self, [a, b]: [Handle; 2], margin: f64) -> Option<(f64, DVec2, DVec2)> {
        let slots = [self.columns.find(a)?, self.columns.find(b)?];
        let manifold = if slots.into_iter().any(|slot| self.columns.is(slot, ONE_WAY)) {
            self.one_way_stop(slots, &mut Vec::new())?
        } else {
            collide_within(self.columns.placed(slots[0]), self.columns.placed(slots[1]), margin)?
        };
        Some((manifold.depth, manifold.normal, manifold.points().first()?.on_a))
    }

    /// Returns the deepest manifold of a one-way pair that the next update will report if nothing
    /// moves before.
    fn one_way_stop(&self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) -> Option<Manifold> {
        compute_manifolds(&self.columns, slots, 0.0, manifolds);
        self.retain_stopping(slots, manifolds);
        deepest(manifolds).copied()
    }

    /// Moves colliders without rotation to `positions`, and writes their old positions there. All
    /// must exist, and the positions must be in range. `margin` is that of their boxes in the broad
    /// phase, because a solver will move them again.
    pub(crate) fn swap_positions(&mut self, handles: &[Handle], positions: &mut [DVec2], margin: f64) {
        self.record_positions(handles, positions);
        self.move_many(handles, margin, |number, before| {
            let from = before.translation();
            let to = mem::replace(&mut positions[number], from);
            (from != to).then(|| before.with_valid_translation(to))
        });
    }

    /// Reads up to `N` positions, and the radii of circles (NaN for other shapes). The error is the
    /// first stale handle.
    #[inline(always)]
    pub(crate) fn read_positions<const N: usize>(
        &self,
        handles: &[Handle],
        [x, y, out_radii]: [&mut [f64; N]; 3],
    ) -> Result<(), Handle> {
        let columns = &self.columns;
        // Equal lengths: the compiler needs one bounds check for all.
        let slots = columns.slots();
        let (poses_and_boxes, radii) = (&columns.poses_and_boxes[..slots], &columns.circle_radii[..slots]);
        for (k, &handle) in handles.iter().enumerate().take(N) {
            let Some(slot) = columns.find(handle) else { return Err(handle) };
            let center = poses_and_boxes[slot as usize].pose.translation();
            (x[k], y[k], out_radii[k]) = (center.x, center.y, radii[slot as usize]);
        }
        Ok(())
    }

    /// Moves colliders, and keeps [`near_pairs`](World::near_pairs) complete. A box that leaves its
    /// fat box gets a new one with this `margin`.
    pub(crate) fn set_positions(&mut self, handles: &[Handle], positions: &[DVec2], margin: f64) {
        self.record_positions(handles, positions);
        let Self { columns, space, disabled_pairs: rules, .. } = self;
        let ahead = prefetch_distance(columns.slots());
        for (k, (&handle, &position)) in handles.iter().zip(positions).enumerate() {
            if let Some(next) = handles.get(k + ahead) {
                columns.prefetch(next.slot());
                space.prefetch(next.slot());
            }
            let (slot, i) = (handle.slot(), handle.index());
            columns.set(slot, IN_MOTION, false);
            if columns.poses_and_boxes[i].pose.translation() == position {
                continue;
            }
            columns.mark_changed(slot);
            columns.poses_and_boxes[i].pose = columns.poses_and_boxes[i].pose.with_valid_translation(position);
            let aabb = columns.compute_aabb(slot);
            if columns.set_aabb(slot, aabb) {
                space.update_if_left(slot, &columns.grown_box(slot, aabb), margin);
            }
        }
        space.add_pairs_of_moved(|pair| may_collide(columns, rules, pair));
    }

    fn record_positions(&mut self, handles: &[Handle], positions: &[DVec2]) {
        if self.is_recording() {
            for (&handle, &position) in handles.iter().zip(positions) {
                let pose = self.columns.poses_and_boxes[handle.index()].pose.with_valid_translation(position);
                self.record(|| Command::SetPose(handle, pose));
            }
        }
    }

    /// Returns whether one of two colliders is a sensor; `None` if they cannot form a contact.
    pub(crate) fn may_collide(&self, a: Handle, b: Handle) -> Option<bool> {
        let (slots, columns) = ([self.columns.find(a)?, self.columns.find(b)?], &self.columns);
        let there = slots.into_iter().all(|slot| columns.is(slot, ENABLED));
        let sensor = slots.into_iter().any(|slot| columns.is(slot, SENSOR));
        (there && may_collide(columns, &self.disabled_pairs, slots)).then_some(sensor)
    }

    /// Returns the fraction of a translation that a collider can move until it hits one of the
    /// `obstacles`; 1 if it hits none. Respects sensors, filters and one-way fronts.
    pub(crate) fn free_fraction(&self, handle: Handle, translation: DVec2, obstacles: impl Fn(Handle) -> bool) -> f64 {
        let Some(sweep) = self.placed(handle).and_then(|placed| placed.sweep(translation).ok()) else { return 0.0 };
        let mut free: f64 = 1.0;
        self.for_each_in_aabb(&sweep.aabb(), |other| {
            if other == handle || !obstacles(other) || self.may_collide(handle, other) != Some(false) {
                return;
            }
            let Some(obstacle) = self.placed(other) else { return };
            let least = Least { motion: 1e-12 * norm1(translation), depth: 0.0 };
            let obstacle = obstacle.into();
            let (pair, sweeps) = if handle < other {
                ([handle, other], [&sweep, &obstacle])
            } else {
                ([other, handle], [&obstacle, &sweep])
            };
            let Some(impact) = first_approach(sweeps[0], sweeps[1], least) else { return };
            let poses = both(sweeps, |sweep| sweep.at(impact.time).pose());
            if self.is_stopped_by(pair, poses, &impact) {
                free = free.min(impact.time);
            }
        });
        free
    }

    /// Returns true if an impact at these poses stops two colliders. One-way colliders stop impacts
    /// from the front only.
    pub(crate) fn is_stopped_by(&self, [a, b]: [Handle; 2], poses: [Pose; 2], impact: &Impact) -> bool {
        self.is_from_the_front([a.slot(), b.slot()], poses, impact)
    }

    /// Returns the longer side of a collider's box; 0 if the slot does not exist.
    #[inline]
    pub(crate) fn size(&self, handle: Handle) -> f64 {
        self.columns.poses_and_boxes.get(handle.index()).map_or(0.0, |record| record.aabb.size().max_element())
    }

    /// Returns true if the collider exists and did not change since the last update.
    #[inline]
    pub(crate) fn is_settled(&self, handle: Handle) -> bool {
        self.columns.find(handle).is_some_and(|slot| !self.columns.is(slot, CHANGED))
    }
}
