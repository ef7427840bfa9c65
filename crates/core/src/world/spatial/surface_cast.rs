//! Casts a shape against the surface of all colliders, without internal edges of flush neighbours.
//!
//! Input: a motion and a target distance. Output: the first hit at which the surface of the union of
//! all colliders stops the motion. The simple version drops each hit whose normal is that of an
//! internal edge:
//!
//! ```text
//! for each hit, by time: if the union has a contact there that stops the motion: return it
//! ```
//!
//! One collider has one hit, its first. A later hit with another part of it would be lost. So its next hit is computed:
//!
//! ```text
//! hits = first hit of each collider
//! repeat
//!     hit = the earliest one
//!     if a surface contact at the time of the hit stops the motion: return it      (surface_stop.rs)
//!     replace the hit by the next one of the same collider at which this is true, if there is one
//! ```
//!
//! A part that the motion slides along can be hit later. So it is tested again at smaller distances.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::ControlFlow::Continue;

use super::QueryFilter;
use crate::math::sort::{sort_cold, sort_in_place};
use crate::query::{
    Impact, ShapeHit, distance, enters_at_start, first_after_slides, passage_after, time_of_impact_within,
};
use crate::shape::{Placed, Sweep};
use crate::world::World;
use crate::world::handle::Handle;
use crate::world::surface_stop::{SurfaceStop, gap_at_hit};

impl World {
    /// Does a cast with a target distance that ignores internal edges.
    #[inline(never)]
    pub(super) fn surface_cast(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        target: f64,
    ) -> Option<(Handle, ShapeHit)> {
        let mut hits: Vec<(Handle, ShapeHit)> = Vec::new();
        let impact = |_, placed: Placed<'_>| time_of_impact_within(*motion, placed, target);
        self.each_hit(motion, filter, target, impact, |handle, hit| hits.push((handle, hit)));
        sort_cold(&mut hits, |(a, _), (b, _)| a.cmp(b));
        // Times are not negative, so their bits are ordered like the numbers. Of equal times, the lowest handle is
        // first.
        let key = |i: u32, hit: &ShapeHit| Reverse((hit.time.to_bits(), i, 0_u32));
        let mut queue: BinaryHeap<_> = (0..).zip(&hits).map(|(i, (_, hit))| key(i, hit)).collect();
        loop {
            let Reverse((_, i, _)) = queue.pop()?;
            let (handle, hit) = hits[i as usize];
            if hit.initial_depth.is_some() {
                return Some((handle, hit));
            }
            if let Some(exposed) = self.exposed_hit(motion, filter, target, (handle, &hit)) {
                return Some(exposed);
            }
            let placed = self.columns.placed(handle.slot());
            if hit.time == 0.0 && enters_at_start(motion, &placed.into()) {
                return Some((handle, hit));
            }
            let motion_to_gap = motion.until_gap(target.min(distance(motion.start(), placed).distance));
            let least_gap = self.gap_at_hit(motion, handle, &hit);
            let counts = |impact: &Impact| {
                self.exposed_hit(motion, filter, target, (handle, &ShapeHit::of_first(impact))).is_some()
            };
            let next = first_after_slides(&motion_to_gap, &placed.into(), least_gap, &counts);
            match next.map(|impact| ShapeHit::of_first(&impact)) {
                Some(hit) if self.stops_cast(filter, handle.slot(), hit.normal, false) => {
                    queue.push(key(i, &hit));
                    hits[i as usize].1 = hit;
                }
                _ => {}
            }
        }
    }

    /// Returns the largest gap of a hit of a motion with a collider.
    fn gap_at_hit(&self, motion: &Sweep<'_>, handle: Handle, hit: &ShapeHit) -> f64 {
        let [mover, other] = [motion.at(hit.time), self.columns.placed(handle.slot())];
        gap_at_hit(motion, [mover.part(hit.mover_part), other.part(hit.part)])
    }

    /// Returns the contact of the surface that stops a motion most, at the time of a hit.
    fn exposed_hit(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        target: f64,
        (handle, hit): (Handle, &ShapeHit),
    ) -> Option<(Handle, ShapeHit)> {
        let mut stop = SurfaceStop::new(*motion, hit.time);
        let slack = self.gap_at_hit(motion, handle, hit);
        let (margin, mut near) = (target + slack, Vec::new());
        self.each_in_box(&stop.mover().aabb().grown(margin), filter, &mut |handle, _| {
            near.push(handle);
            Continue(())
        });
        sort_in_place(&mut near, Ord::cmp);
        for &handle in &near {
            let placed = self.columns.placed(handle.slot());
            stop.add(placed.into(), margin, |manifolds| {
                manifolds.retain(|found| self.stops_cast(filter, handle.slot(), found.normal, found.depth > slack));
                true
            });
        }
        stop.smooth();
        let Some(first) = stop.fastest(|_| true) else {
            let other = self.columns.placed(handle.slot()).into();
            let normal = passage_after(motion, &other, hit.time, [hit.mover_part, hit.part], hit.normal)?;
            return Some((handle, ShapeHit { normal, ..*hit }));
        };
        let found = &first.manifold;
        let point = found.points().first().map_or(hit.point, |point| point.on_a);
        let (part, mover_part) = (found.part_a, found.part_b);
        Some((near[first.surface], ShapeHit { normal: found.normal, point, part, mover_part, ..*hit }))
    }
}
