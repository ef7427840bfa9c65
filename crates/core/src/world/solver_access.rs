//! What a response looks up and writes between two updates.

use alloc::vec::Vec;
use core::mem;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::World;
use super::ccd::{is_off, may_collide};
use super::collider_set::{CHANGED, ENABLED, IN_MOTION, ONE_WAY, SENSOR};
use super::command::Command;
use super::contact_diff::{WorkerBuffers, look};
use super::contact_store::deepest;
use super::handle::Handle;
use super::narrow_phase::Block;
use super::one_way_filter::filter_one_way;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::prefetch::prefetch_distance;
use crate::math::vector::norm1;
use crate::query::{Impact, Least, Manifold, collide, collide_within, first_approach};
use crate::shape::Shape;

/// A collider as responses see it.
pub(crate) struct ColliderState<'a> {
    pub(crate) pose: Pose,
    pub(crate) aabb: &'a Aabb,
    pub(crate) shape: &'a Shape,
    /// The radius of a circle about its own origin; NaN of all other shapes.
    pub(crate) round: f64,
}

impl World {
    /// Appends the pairs of slots that push each other and that may meet as they stand now, sorted, if one of them is in `of`. Filters and pairs that are switched off are
    /// respected, sensors push nothing. If the last update had a filter of the user, only pairs that had a contact then push each other.
    pub(crate) fn near_pairs(&mut self, of: impl Iterator<Item = Handle> + Clone, pairs: &mut Vec<[u32; 2]>) {
        self.space.near_to_any(of.map(Handle::slot), self.columns.slots(), pairs);
        let (mut kept, ahead) = (0, prefetch_distance(self.columns.slots()));
        for i in 0..pairs.len() {
            if let Some(&[a, b]) = pairs.get(i + ahead) {
                self.columns.fetch(a);
                self.columns.fetch(b);
            }
            let pair = pairs[i];
            pairs[kept] = pair;
            kept += usize::from(self.columns.may_collide(pair)[1] && self.push_each_other(pair));
        }
        pairs.truncate(kept);
        // A pair is found again when one of the two leaves its box.
        pairs.sort_unstable_by_key(|&[a, b]| u64::from(a) << 32 | u64::from(b));
        pairs.dedup();
    }

    /// Does one push the other, if they meet?
    fn push_each_other(&self, [a, b]: [u32; 2]) -> bool {
        let columns = &self.columns;
        let flags = [columns.flags[a as usize], columns.flags[b as usize]];
        let there = flags[0] & flags[1] & ENABLED != 0 && (flags[0] | flags[1]) & SENSOR == 0;
        if !there || is_off(columns, &self.rules, [a, b]) {
            return false;
        }
        !self.filtered || self.contacts.between(columns.handle(a), columns.handle(b)).is_some()
    }

    /// How deep, and along which normal, each of these pairs of slots meets as it stands now; those that do not are left out, but for circles that touch to rounding.
    /// One-way pairs are judged as the next update will judge them.
    pub(crate) fn for_each_contact(
        &mut self,
        pairs: &[[u32; 2]],
        mut visit: impl FnMut(&Self, [Handle; 2], f64, DVec2),
    ) {
        let mut tools = mem::take(&mut self.tools);
        if tools.is_empty() {
            tools.push(WorkerBuffers::default());
        }
        let WorkerBuffers { others, scratch } = &mut tools[0];
        let mut block = Block::new(others);
        let mut pairs = pairs.iter();
        while !pairs.as_slice().is_empty() {
            block.clear();
            while !block.is_full()
                && let Some(&pair) = pairs.next()
            {
                block.add(&self.columns, pair, false);
            }
            block.solve(&self.columns);
            for row in block.rows() {
                let [a, b] = row.slots;
                let found = if row.flags & ONE_WAY != 0 {
                    self.one_way_stop(row.slots, scratch)
                } else if !block.is_to_be_asked(row) {
                    block.manifold(row)
                } else if let Some(manifold) = block.rounded(row) {
                    Some(manifold)
                } else {
                    collide(self.columns.placed(a), self.columns.placed(b))
                };
                if let Some(Manifold { depth, normal, .. }) = found {
                    visit(self, [self.columns.handle(a), self.columns.handle(b)], depth.max(0.0), normal);
                }
            }
        }
        self.tools = tools;
    }

    /// The collider of a slot.
    #[inline]
    pub(crate) fn handle_at(&self, slot: usize) -> Option<Handle> {
        let slot = slot as u32;
        self.columns.flags.get(slot as usize).map(|_| self.columns.handle(slot))
    }

    /// Every collider whose box meets a box, in any order.
    pub(crate) fn each_box_in(&self, aabb: &Aabb, mut visit: impl FnMut(Handle)) {
        self.space.visit_box(aabb, &mut |slot| {
            visit(self.columns.handle(slot));
            Continue(())
        });
    }

    /// All that a response asks of a collider, with one look.
    #[inline]
    pub(crate) fn seen(&self, handle: Handle) -> Option<ColliderState<'_>> {
        let slot = self.columns.find(handle)?;
        let (spot, round) = (&self.columns.spots[slot as usize], self.columns.rounds[slot as usize]);
        Some(ColliderState { pose: spot.pose, aabb: &spot.aabb, shape: &self.columns.shapes[slot as usize], round })
    }

    /// How deep two colliders overlap now, along which normal, and at which point; if they are apart by at most the margin, how far, as a negative depth. One-way colliders have no margin.
    pub(crate) fn meets_within(&self, [a, b]: [Handle; 2], margin: f64) -> Option<(f64, DVec2, DVec2)> {
        let slots = [self.columns.find(a)?, self.columns.find(b)?];
        let manifold = if slots.into_iter().any(|slot| self.columns.is(slot, ONE_WAY)) {
            self.one_way_stop(slots, &mut Vec::new())?
        } else {
            collide_within(self.columns.placed(slots[0]), self.columns.placed(slots[1]), margin)?
        };
        Some((manifold.depth, manifold.normal, manifold.points().first()?.on_a))
    }

    /// Returns the deepest manifold of two slots, of which one is one-way at least, that the next update will report if nothing moves before.
    fn one_way_stop(&self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) -> Option<Manifold> {
        let pair = slots.map(|slot| self.columns.handle(slot));
        look(&self.columns, slots, manifolds);
        if manifolds.is_empty() {
            return None;
        }
        let count = filter_one_way(
            &self.columns,
            slots,
            manifolds,
            self.contacts.between(pair[0], pair[1]),
            self.is_passing(pair),
        );
        deepest(&manifolds[..count]).copied()
    }

    /// Moves colliders that are there, each to a place in range, without turning them, and swaps the places with those where they were. They will be pushed from there: the
    /// broad phase gives them room for it on all sides.
    pub(crate) fn swap_places(&mut self, handles: &[Handle], places: &mut [DVec2], room: f64) {
        self.record_positions(handles, places);
        self.place_many(handles, room, |number, before| {
            let from = before.translation();
            let to = mem::replace(&mut places[number], from);
            (from != to).then(|| before.put_at(to))
        });
    }

    /// Where some colliders are, as many as there is room for, and the radii of circles, NaN of all else; or the first that is not there.
    #[inline(always)]
    pub(crate) fn fetch<const N: usize>(
        &self,
        handles: &[Handle],
        [x, y, rounds]: [&mut [f64; N]; 3],
    ) -> Result<(), Handle> {
        let columns = &self.columns;
        // As long as each other: one look for all.
        let slots = columns.slots();
        let (spots, radii) = (&columns.spots[..slots], &columns.rounds[..slots]);
        for (k, &handle) in handles.iter().enumerate().take(N) {
            let Some(slot) = columns.find(handle) else { return Err(handle) };
            let center = spots[slot as usize].pose.translation();
            (x[k], y[k], rounds[k]) = (center.x, center.y, radii[slot as usize]);
        }
        Ok(())
    }

    /// The same for those that are pushed, while [`near_pairs`](World::near_pairs) stays up to date; `room` is for what leaves that which it had.
    pub(crate) fn push_to(&mut self, handles: &[Handle], places: &[DVec2], room: f64) {
        self.record_positions(handles, places);
        let Self { columns, space, rules, .. } = self;
        let ahead = prefetch_distance(columns.slots());
        for (k, (&handle, &place)) in handles.iter().zip(places).enumerate() {
            if let Some(next) = handles.get(k + ahead) {
                columns.fetch(next.slot());
                space.fetch(next.slot());
            }
            let (slot, i) = (handle.slot(), handle.index());
            columns.set(slot, IN_MOTION, false);
            if columns.spots[i].pose.translation() == place {
                continue;
            }
            columns.touch(slot);
            columns.spots[i].pose = columns.spots[i].pose.put_at(place);
            let aabb = columns.measured(slot);
            if columns.set_box(slot, aabb) {
                space.push(slot, &aabb, room);
            }
        }
        space.meet_others(|pair| may_collide(columns, rules, pair));
    }

    fn record_positions(&mut self, handles: &[Handle], places: &[DVec2]) {
        if self.is_recording() {
            for (&handle, &place) in handles.iter().zip(places) {
                let pose = self.columns.spots[handle.index()].pose.put_at(place);
                self.record(|| Command::SetPose(handle, pose));
            }
        }
    }

    /// Is one of two colliders that may run into each other a sensor? `None` where they may not.
    pub(crate) fn may_collide(&self, a: Handle, b: Handle) -> Option<bool> {
        let (slots, columns) = ([self.columns.find(a)?, self.columns.find(b)?], &self.columns);
        let there = slots.into_iter().all(|slot| columns.is(slot, ENABLED));
        let sensor = slots.into_iter().any(|slot| columns.is(slot, SENSOR));
        (there && may_collide(columns, &self.rules, slots)).then_some(sensor)
    }

    /// Returns the part of a translation that a collider can make from where it is until it runs into one of the `obstacles`; 1 if it meets none. Sensors, filters and fronts are respected.
    pub(crate) fn free_part(&self, handle: Handle, translation: DVec2, obstacles: impl Fn(Handle) -> bool) -> f64 {
        let Some(sweep) = self.placed(handle).and_then(|placed| placed.sweep(translation).ok()) else { return 0.0 };
        let mut free: f64 = 1.0;
        self.each_box_in(&sweep.aabb(), |other| {
            if other == handle || !obstacles(other) || self.may_collide(handle, other) != Some(false) {
                return;
            }
            let Some(obstacle) = self.placed(other) else { return };
            let least = Least { motion: 1e-12 * norm1(translation), depth: 0.0 };
            let poses = |time: f64| [sweep.at(time).pose(), obstacle.pose()];
            let (impact, pair, poses) = if handle < other {
                let Some(impact) = first_approach(&sweep, &obstacle.into(), least) else { return };
                (impact, [handle, other], poses(impact.time))
            } else {
                let Some(impact) = first_approach(&obstacle.into(), &sweep, least) else { return };
                let [p, q] = poses(impact.time);
                (impact, [other, handle], [q, p])
            };
            if self.is_stopped_by(pair, poses, &impact) {
                free = free.min(impact.time);
            }
        });
        free
    }

    /// Does an impact of two colliders that are at these poses then stop them? Of one-way ones only from the front.
    pub(crate) fn is_stopped_by(&self, [a, b]: [Handle; 2], poses: [Pose; 2], impact: &Impact) -> bool {
        self.is_from_the_front([a.slot(), b.slot()], poses, impact)
    }

    /// The longer side of the box around a collider that is there.
    #[inline]
    pub(crate) fn size(&self, handle: Handle) -> f64 {
        self.columns.spots.get(handle.index()).map_or(0.0, |spot| spot.aabb.size().max_element())
    }

    /// Was nothing of a collider written since the last update?
    #[inline]
    pub(crate) fn is_settled(&self, handle: Handle) -> bool {
        self.columns.find(handle).is_some_and(|slot| !self.columns.is(slot, CHANGED))
    }
}
