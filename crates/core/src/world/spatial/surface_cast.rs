//! Casts a shape against the surface of all colliders, without internal edges of flush neighbours.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use super::QueryFilter;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::query::internal_edges::SurfaceContact;
use crate::query::{ShapeHit, manifolds_within};
use crate::shape::Sweep;
use crate::world::World;
use crate::world::handle::Handle;

/// Number of times that the target distance of a composite is halved.
const HALVINGS: i32 = 20;

/// Sine of the smallest angle between a motion and a surface that stops it.
const APPROACH: f64 = 1e-9;

impl World {
    /// Does a cast with a target distance that ignores internal edges.
    #[inline(never)]
    pub(super) fn surface_cast(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        target: f64,
    ) -> Option<(Handle, ShapeHit)> {
        // Colliders along which the motion slides, and how often their target was halved.
        let mut along: Vec<(Handle, i32)> = Vec::new();
        loop {
            let hit = self.first_hit(motion, filter, |handle| {
                let halvings = along.iter().find(|(other, _)| *other == handle).map_or(0, |&(_, halvings)| halvings);
                (halvings <= HALVINGS).then(|| libm::ldexp(target, -halvings))
            });
            let (handle, hit) = hit?;
            if hit.initial_depth.is_some() || motion.angle() != 0.0 {
                return Some((handle, hit));
            }
            if let Some(exposed) = self.exposed_hit(motion, filter, target, &hit) {
                return Some(exposed);
            }
            let is_convex = self.columns.shapes[handle.index()].part_count() == 1;
            let step = if is_convex || target == 0.0 { HALVINGS + 1 } else { 1 };
            match along.iter_mut().find(|(other, _)| *other == handle) {
                Some((_, halvings)) => *halvings += step,
                None => along.push((handle, step)),
            }
        }
    }

    /// Returns the contact of the surface that stops a motion most, at the time of a hit.
    fn exposed_hit(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        target: f64,
        hit: &ShapeHit,
    ) -> Option<(Handle, ShapeHit)> {
        let mover = motion.at(hit.time);
        let slack = 4e-7 * length(mover.aabb().size()) + 32.0 * UNIT_ROUNDOFF * norm1(mover.pose().translation());
        let margin = target + slack;
        let (mut near, mut contacts, mut manifolds) = (Vec::new(), Vec::new(), Vec::new());
        self.each_in_box(&mover.aabb().grown(margin), filter, |handle, _| {
            near.push(handle);
            Continue(())
        });
        near.sort_unstable();
        for (surface, &handle) in near.iter().enumerate() {
            manifolds_within(self.columns.placed(handle.slot()), mover, margin, &mut manifolds);
            manifolds.retain(|found| self.stops_cast(filter, handle.slot(), found.normal, found.depth > slack));
            contacts.extend(manifolds.drain(..).map(|manifold| SurfaceContact { surface, manifold }));
        }
        self.smooth(mover, &near, &mut contacts);
        let translation = motion.translation();
        let closing = |contact: &SurfaceContact| -contact.manifold.normal.dot(translation);
        let stops = contacts.iter().filter(|contact| closing(contact) > APPROACH * length(translation));
        let first = stops.reduce(|p, q| if closing(q) > closing(p) { q } else { p })?;
        let found = &first.manifold;
        let point = found.points().first().map_or(hit.point, |point| point.on_a);
        let (part, mover_part) = (found.part_a, found.part_b);
        Some((near[first.surface], ShapeHit { normal: found.normal, point, part, mover_part, ..*hit }))
    }
}
