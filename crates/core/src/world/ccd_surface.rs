//! Keeps colliders in motion from stopping at internal edges of flush neighbours.
//!
//! Input: an impact of a pair, and all motions. Output: the impact, with the normal of the surface; none if the motion
//! slides along the surface. The simple version stops at each impact. A ball that rolls along a chain, and touches it
//! exactly, stops at the next vertex: the gap to the next link is within the tolerance before the ball is over it.
//!
//! ```text
//! for each collider of the pair that is in motion
//!     neighbours = other colliders whose boxes touch its box at the time of the impact
//!     if both are convex, and no neighbour extends farther along the normal: the impact counts
//!     else it counts if a contact with the other collider of the pair stops the motion      (surface_stop.rs)
//!     else it counts if both parts are points or segments, and the motion leads through
//! ```
//!
//! A neighbour that the collider overlaps deeply hides no edges: the collider passes it in this update.

use core::ops::ControlFlow::Continue;

use glam::DVec2;
use smallvec::SmallVec;

use super::World;
use super::ccd::{PendingMotions, may_collide};
use super::collider_set::{IN_MOTION, SENSOR};
use super::one_way_filter::faces;
use super::start_overlap::{StartOverlap, is_shallow};
use super::surface_stop::{SurfaceStop, gap_at_hit};
use crate::math::aabb::Aabb;
use crate::math::sort::sort_in_place;
use crate::math::vector::{UNIT_ROUNDOFF, norm1};
use crate::pair_result::Manifold;
use crate::query::internal_edges::farthest;
use crate::query::{Impact, enters_at_start, first_after_slides, passage_after, time_of_impact};
use crate::shape::Sweep;
use crate::shape::part::Part;

/// Cosine of the largest angle between two normals of the same contact.
const SAME_NORMAL: f64 = 0.999;
/// Number of neighbours that are stored without an allocation.
const NEAR: usize = 8;

impl PendingMotions {
    /// Returns an impact if the surfaces around both colliders stop their motions there. Its normal is that of the
    /// surface. Returns `None` if a collider slides along flush neighbours.
    pub(super) fn exposed_impact(&self, i: usize, impact: Impact, world: &World) -> Option<Impact> {
        let pair = &self.pairs[i];
        let mut exposed = impact;
        for (mover, other) in [(0, 1), (1, 0)] {
            let Some(motion) = self.moving_at(pair.slots[mover], impact.time, world) else { continue };
            match self.surface_contact(motion, [mover, other].map(|k| pair.slots[k]), mover == 0, &impact, world) {
                Stop::AtImpact => {}
                Stop::At(manifold) => exposed = replaced(&impact, &manifold, mover == 0),
                Stop::Never => {
                    let enters = impact.time <= pair.from && self.enters_at_start(i, world);
                    if !enters {
                        exposed.normal = self.passage_after(i, &impact, world)?;
                    }
                }
            }
        }
        Some(exposed)
    }

    /// Returns true if a part without area enters the other collider of a pair along a seam. It has no contact that
    /// shows this.
    fn enters_at_start(&self, i: usize, world: &World) -> bool {
        let [a, b] = self.sweeps_of(&self.pairs[i], &world.columns);
        time_of_impact(a, b).is_some_and(|first| first.initial_depth.is_none()) && enters_at_start(&a, &b)
    }

    /// Returns the normal of an impact if its parts have no area, and pass through each other after it.
    fn passage_after(&self, i: usize, impact: &Impact, world: &World) -> Option<DVec2> {
        let [a, b] = self.pairs[i].slots.map(|slot| self.sweep_at(slot, impact.time, world));
        passage_after(&a, &b, impact.time, [impact.part_a, impact.part_b], impact.normal)
    }

    /// Returns the next impact of a pair after one at an internal edge, at a time of the rest of the update.
    pub(super) fn next_exposed(&self, i: usize, impact: &Impact, world: &World) -> Option<Impact> {
        let pair = &self.pairs[i];
        let [a, b] = self.sweeps_of(pair, &world.columns);
        let counts = |next: &Impact| {
            (next.initial_depth.is_none() || world.faces_fronts(pair.slots, next.normal))
                && self.exposed_impact(i, Impact { time: pair.in_update(next.time), ..*next }, world).is_some()
        };
        let least_gap = gap_at_hit(&a, [a.start().part(impact.part_a), b.start().part(impact.part_b)]);
        match time_of_impact(a, b).filter(|impact| impact.initial_depth.is_some()) {
            Some(deepest) => StartOverlap { sweeps: [a, b], deepest }.first_impact(least_gap, &counts),
            None => first_after_slides(&a, &b, least_gap, &counts),
        }
    }

    /// Computes how the contacts with a second collider affect the motion of the first, at the time of an impact.
    fn surface_contact(
        &self,
        motion: usize,
        [mover, other]: [u32; 2],
        is_first: bool,
        impact: &Impact,
        world: &World,
    ) -> Stop {
        let columns = &world.columns;
        let mut stop = SurfaceStop::new(self.pending[motion].sweep(columns), impact.time);
        let own = self.sweep_at(other, impact.time, world);
        let [part, part_other] = if is_first { [impact.part_a, impact.part_b] } else { [impact.part_b, impact.part_a] };
        let margin = gap_at_hit(
            &self.pending[motion].sweep(columns),
            [stop.mover().part(part), own.at(impact.time).part(part_other)],
        );
        let aabb = stop.mover().aabb().grown(margin);
        let mut near: SmallVec<[(u32, Sweep<'_>); NEAR]> = SmallVec::new();
        let mut add = |neighbour: u32| {
            if neighbour == other || columns.is(neighbour, SENSOR) {
                return;
            }
            let sweep = self.sweep_at(neighbour, impact.time, world);
            if sweep.at(impact.time).aabb().intersects(&aabb) {
                near.push((neighbour, sweep));
            }
        };
        // The broad phase has no boxes at this time of colliders in motion.
        world.space.visit_box(&aabb, &mut |neighbour| {
            if !columns.is(neighbour, IN_MOTION) && may_collide(columns, &world.disabled_pairs, [mover, neighbour]) {
                add(neighbour);
            }
            Continue(())
        });
        for k in self.pairs_of_mover(motion).filter(|_| self.pending.len() > 1) {
            let [a, b] = self.pairs[self.of_mover[k][1] as usize].slots;
            let neighbour = if a == mover { b } else { a };
            if self.motion_of(neighbour, columns).is_some_and(|motion| self.swept_aabbs[motion].intersects(&aabb)) {
                add(neighbour);
            }
        }
        sort_in_place(&mut near, |(p, _), (q, _)| p.cmp(q));
        let normal = if is_first { -impact.normal } else { impact.normal };
        if let (Some(ground), Some(_)) = (own.at(impact.time).as_part(), stop.mover().as_part())
            && near.iter().all(|(_, sweep)| !extends_farther(&sweep.at(impact.time).aabb(), &ground, normal))
            && (near.is_empty() || stop.approaches(&own, normal, impact.point))
        {
            return Stop::AtImpact;
        }
        let mover_at = stop.mover();
        stop.add(own, margin, |_| true);
        if stop.contacts.is_empty() {
            return Stop::AtImpact;
        }
        for (neighbour, sweep) in near {
            let at = sweep.at(impact.time);
            let pair = columns.handles([mover.min(neighbour), mover.max(neighbour)]);
            stop.add(sweep, margin, |manifolds| {
                let deepest = manifolds.iter().max_by(|p, q| p.depth.total_cmp(&q.depth));
                let is_surface = deepest.is_none_or(|deepest| {
                    is_shallow([(mover_at, true), (at, !sweep.is_still())], deepest.depth, deepest.normal)
                });
                manifolds.retain(|found| {
                    columns.one_way(neighbour).is_none_or(|front| faces(found.normal, at.pose(), front))
                });
                is_surface && !world.is_passing(pair)
            });
        }
        stop.smooth();
        match stop.fastest(|contact| contact.surface == 0) {
            None => Stop::Never,
            Some(_)
                if stop
                    .contacts
                    .iter()
                    .any(|contact| contact.surface == 0 && contact.manifold.normal.dot(normal) >= SAME_NORMAL) =>
            {
                Stop::AtImpact
            }
            Some(contact) => Stop::At(contact.manifold),
        }
    }

    /// Returns the motion of a collider at a time; without motion if it has stopped.
    fn sweep_at<'a>(&self, slot: u32, time: f64, world: &'a World) -> Sweep<'a> {
        let columns = &world.columns;
        match self.motion_of(slot, columns) {
            Some(motion) if self.moves_at(motion, time) => self.pending[motion].sweep(columns),
            Some(motion) => self.pending[motion].sweep(columns).at(self.stop_times[motion]).into(),
            None => columns.placed(slot).into(),
        }
    }

    /// Returns the index of the motion of a collider that has not stopped before a time.
    fn moving_at(&self, slot: u32, time: f64, world: &World) -> Option<usize> {
        self.motion_of(slot, &world.columns).filter(|&motion| self.moves_at(motion, time))
    }

    /// Returns true if a motion has not stopped before a time. At time 1, motions that were not stopped end.
    fn moves_at(&self, motion: usize, time: f64) -> bool {
        self.stop_times[motion] > time || self.stop_times[motion] == 1.0
    }
}

/// Returns true if a box extends farther along a normal than a part. Otherwise nothing in it hides a contact of the
/// part with this normal.
fn extends_farther(aabb: &Aabb, part: &Part<'_>, normal: DVec2) -> bool {
    let top = farthest(part, normal);
    let half = 0.5 * aabb.size().dot(normal.abs());
    normal.dot(aabb.center() - top) + half > 16.0 * UNIT_ROUNDOFF * norm1(top)
}

/// The effect of the surface around a collider on its motion at an impact.
enum Stop {
    /// A contact with the normal of the impact stops it.
    AtImpact,
    /// A contact with another normal stops it. It points to the mover.
    At(Manifold),
    /// No contact stops it.
    Never,
}

/// Returns an impact with the normal, point and parts of a contact. Its normal points to the first collider of the pair
/// if that one is the mover.
fn replaced(impact: &Impact, manifold: &Manifold, is_first: bool) -> Impact {
    let found = if is_first { manifold.flipped() } else { *manifold };
    let point = found.points().first().map_or(impact.point, |point| point.on_a);
    Impact { normal: found.normal, point, part_a: found.part_a, part_b: found.part_b, ..*impact }
}
