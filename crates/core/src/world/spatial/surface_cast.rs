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
//! One collider has one hit, its first. A later hit with another part of it would be lost. So the cast
//! is repeated:
//!
//! ```text
//! repeat
//!     hit = first hit
//!     contacts = surface contacts at the time of the hit, without internal edges
//!     if one of them stops the motion: return it
//!     translation: leave out the part that was hit: the motion slides along it
//!     rotation:    halve the target distance to that collider; after 20 times: return the hit
//! ```
//!
//! A convex part that translation slides along is not hit later. A turning shape can hit it later, so
//! it is never left out.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::QueryFilter;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::query::internal_edges::SurfaceContact;
use crate::query::{Impact, ShapeHit, manifolds_within, time_of_impact_within, time_of_impact_without};
use crate::shape::{Placed, Sweep};
use crate::world::World;
use crate::world::handle::{Handle, sort_handles};

/// Number of times that the target distance of a turning motion is halved.
const HALVINGS: i32 = 20;

/// Sine of the smallest angle between a motion and a surface that stops it.
const APPROACH: f64 = 1e-9;

/// A collider along which the motion slides.
struct Along {
    handle: Handle,
    /// Parts that are left out.
    parts: Vec<u32>,
    /// How often the target distance was halved.
    halvings: i32,
}

impl Along {
    /// Returns the impact of a motion with the collider, without these parts.
    fn impact(&self, motion: &Sweep<'_>, placed: Placed<'_>, target: f64) -> Option<Impact> {
        if self.parts.is_empty() {
            time_of_impact_within(*motion, placed, libm::ldexp(target, -self.halvings))
        } else {
            time_of_impact_without(motion, &placed.into(), target, &self.parts)
        }
    }
}

impl World {
    /// Does a cast with a target distance that ignores internal edges.
    #[inline(never)]
    pub(super) fn surface_cast(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        target: f64,
    ) -> Option<(Handle, ShapeHit)> {
        let turns = motion.angle() != 0.0;
        let mut along: Vec<Along> = Vec::new();
        loop {
            let (handle, hit) = self.first_hit(motion, filter, target, |other, placed| {
                match along.iter().find(|along| along.handle == other) {
                    Some(along) => along.impact(motion, placed, target),
                    None => time_of_impact_within(*motion, placed, target),
                }
            })?;
            if hit.initial_depth.is_some() {
                return Some((handle, hit));
            }
            if let Some(exposed) = self.exposed_hit(motion, filter, target, &hit) {
                return Some(exposed);
            }
            let i = along.iter().position(|along| along.handle == handle).unwrap_or_else(|| {
                along.push(Along { handle, parts: Vec::new(), halvings: 0 });
                along.len() - 1
            });
            let is_last = target == 0.0 || along[i].halvings >= HALVINGS;
            if turns && is_last {
                return Some((handle, hit));
            }
            if turns {
                along[i].halvings += 1;
            } else {
                along[i].parts.push(hit.part);
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
        self.each_in_box(&mover.aabb().grown(margin), filter, &mut |handle, _| {
            near.push(handle);
            Continue(())
        });
        sort_handles(&mut near);
        for (surface, &handle) in near.iter().enumerate() {
            manifolds_within(self.columns.placed(handle.slot()), mover, margin, &mut manifolds);
            manifolds.retain(|found| self.stops_cast(filter, handle.slot(), found.normal, found.depth > slack));
            manifolds.drain(..).for_each(|manifold| contacts.push(SurfaceContact { surface, manifold }));
        }
        self.smooth(mover, &near, &mut contacts);
        let pivot = mover.pose().translation();
        // The largest speed of a point of the mover.
        let radius = length(mover.aabb().max() - pivot).max(length(mover.aabb().min() - pivot));
        let max_speed = length(motion.translation()) + motion.angle().abs() * radius;
        let (mut first, mut fastest) = (None, APPROACH * max_speed);
        for contact in &contacts {
            let speed = closing(motion, pivot, &contact.manifold);
            if speed > fastest {
                (first, fastest) = (Some(contact), speed);
            }
        }
        let first = first?;
        let found = &first.manifold;
        let point = found.points().first().map_or(hit.point, |point| point.on_a);
        let (part, mover_part) = (found.part_a, found.part_b);
        Some((near[first.surface], ShapeHit { normal: found.normal, point, part, mover_part, ..*hit }))
    }
}

/// Returns the largest speed at which a moving shape comes closer along the normal of a manifold, at one
/// of its points.
fn closing(motion: &Sweep<'_>, pivot: DVec2, manifold: &Manifold) -> f64 {
    let speeds = manifold.points().iter().map(|point| {
        let velocity = motion.translation() + (point.on_b - pivot).perp() * motion.angle();
        -manifold.normal.dot(velocity)
    });
    speeds.reduce(f64::max).unwrap_or(-manifold.normal.dot(motion.translation()))
}
