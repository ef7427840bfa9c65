//! Casts rays, and rays with a radius (moving circles), against the colliders of a world.
//!
//! Input: a ray. Output: the first hit, all hits, or whether there is a hit. The first hit is a
//! branch-and-bound search. The broad phase visits near boxes first, and skips boxes that begin
//! behind the best hit.
//!
//! A hit is never earlier than the entry into the collider's box, which has a margin for rounding.
//! Without this rule, rounding would decide which colliders are candidates, so the result would
//! depend on the broad phase.

use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use super::QueryFilter;
use crate::math::aabb::Aabb;
use crate::math::ray::Ray;
use crate::math::sort::sort_cold;
use crate::query::{RayHit, ray_cast};
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the first collider that a ray hits. Tie: lowest handle.
    ///
    /// One-way colliders are hit only from the front, unless the filter says otherwise
    /// ([`QueryFilter::one_way`]).
    ///
    /// ```
    /// use carom::{Collider, Ray, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = Collider::new(Shape::circle(1.0)?);
    /// let [near, far] = [2.0, 5.0].map(|x| world.insert(ball.clone().at([x, 0.0]).unwrap()));
    /// let ray = Ray::new([-8.0, 0.0], [16.0, 0.0])?;
    /// let (handle, hit) = world.ray_cast(ray, u64::MAX).unwrap();
    /// assert_eq!((handle, hit.time), (near, 9.0 / 16.0));
    /// let all = world.ray_cast_all(ray, u64::MAX);
    /// assert_eq!(all.iter().map(|(handle, _)| *handle).collect::<Vec<_>>(), [near, far]);
    /// assert!(world.ray_cast_any(ray, u64::MAX));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "raycast")]
    pub fn ray_cast<'a>(&self, ray: Ray, filter: impl Into<QueryFilter<'a>>) -> Option<(Handle, RayHit)> {
        let (filter, mut best) = (filter.into(), None::<(Handle, RayHit)>);
        self.space.search_ray(&ray, &mut |slot| {
            let earliest = entry(&ray, &self.columns.poses_and_boxes[slot as usize].aabb);
            if best.is_none_or(|(_, hit)| earliest <= hit.time)
                && self.admits(&filter, slot)
                && let Some(hit) = self.hit(&ray, slot, earliest, &filter)
            {
                let handle = self.columns.handle(slot);
                if best.is_none_or(|(first, b)| (hit.time, handle) < (b.time, first)) {
                    best = Some((handle, hit));
                }
            }
            Continue(best.map_or(1.0, |(_, hit)| hit.time))
        });
        best
    }

    /// Returns all colliders that a ray hits, sorted by time, then by handle.
    #[must_use]
    pub fn ray_cast_all<'a>(&self, ray: Ray, filter: impl Into<QueryFilter<'a>>) -> Vec<(Handle, RayHit)> {
        let (filter, mut found) = (filter.into(), Vec::new());
        self.space.visit_ray(&ray, &mut |slot| {
            if self.admits(&filter, slot) {
                let earliest = entry(&ray, &self.columns.poses_and_boxes[slot as usize].aabb);
                found.extend(self.hit(&ray, slot, earliest, &filter).map(|hit| (self.columns.handle(slot), hit)));
            }
            Continue(())
        });
        sort_cold(&mut found, |(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
        found
    }

    /// Returns the hit of a ray on a collider. Its time is at least `earliest`, the lower bound
    /// from the collider's box: so rounding does not change which colliders are candidates.
    #[inline]
    fn hit(&self, ray: &Ray, slot: u32, earliest: f64, filter: &QueryFilter<'_>) -> Option<RayHit> {
        let hit = ray_cast(*ray, self.columns.placed(slot))
            .filter(|hit| self.stops_cast(filter, slot, hit.normal, hit.feature.is_none()))?;
        Some(if hit.time < earliest { RayHit { time: earliest.min(1.0), ..hit } } else { hit })
    }

    /// Returns true if a ray hits any collider: a line-of-sight test. The fastest of the three ray
    /// queries.
    #[must_use]
    pub fn ray_cast_any<'a>(&self, ray: Ray, filter: impl Into<QueryFilter<'a>>) -> bool {
        let (filter, mut any) = (filter.into(), false);
        self.space.visit_ray(&ray, &mut |slot| {
            any = self.admits(&filter, slot) && self.hit(&ray, slot, 0.0, &filter).is_some();
            if any { Break(()) } else { Continue(()) }
        });
        any
    }
}

/// Returns a lower bound of the time at which a ray hits a box, and so any shape in it.
fn entry(ray: &Ray, aabb: &Aabb) -> f64 {
    let (origin, motion) = (ray.origin(), ray.end() - ray.origin());
    let axis = |start: f64, motion: f64, min: f64, max: f64| {
        if motion == 0.0 {
            return 0.0;
        }
        let gap = if motion > 0.0 { min - start } else { start - max } - ray.radius();
        // Error bound of the differences here and of the quotient below.
        let rounding = 8.0 * f64::EPSILON * (start.abs() + min.abs().max(max.abs()) + ray.radius() + gap.abs());
        (gap - rounding) / motion.abs()
    };
    let (min, max) = (aabb.min(), aabb.max());
    axis(origin.x, motion.x, min.x, max.x).max(axis(origin.y, motion.y, min.y, max.y))
}
