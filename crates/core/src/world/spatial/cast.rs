//! Casts moving shapes against the colliders of a world.
//!
//! Input: a shape with a translation and rotation from time 0 to 1. Output: the colliders it hits,
//! with times, points and normals. Candidates are the colliders whose boxes intersect the box of
//! the whole motion. Each candidate is decided by [`time_of_impact`].
//!
//! A test at sampled positions would miss colliders that are thinner than the distance of two
//! samples.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use super::{CastOptions, QueryFilter};
use crate::math::sort::sort_cold;
use crate::query::{Impact, ShapeHit, time_of_impact_within};
use crate::shape::{Placed, Sweep};
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the first collider that a moving shape hits, with all colliders at rest. Tie: lowest
    /// handle.
    ///
    /// The motion is a placed shape with a translation and a rotation, from [`Placed::sweep`](crate::Placed::sweep) or
    /// [`Sweep`]. A placed shape alone does not move.
    ///
    /// The normal is that of the collider's surface: it points from the collider to the moving
    /// shape. The times are those of [`time_of_impact`](crate::time_of_impact). Candidates are the
    /// colliders whose boxes intersect the box of the motion. One-way colliders are hit only from
    /// the front, unless the filter says otherwise ([`QueryFilter::one_way`]).
    ///
    /// ```
    /// use carom::{Collider, DVec2, Shape, World};
    ///
    /// let mut world = World::new();
    /// let wall = world.insert(Collider::new(Shape::rectangle(0.001, 10.0)?));
    /// let bullet = Shape::circle(0.25)?;
    /// let (handle, hit) = world.shape_cast(bullet.at([-500.0, 0.0])?.sweep([1000.0, 0.0])?, u64::MAX).unwrap();
    /// assert!(handle == wall && (hit.time - 0.49975).abs() < 1e-6);
    /// assert_eq!(hit.normal, DVec2::NEG_X);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "cast_shape")]
    pub fn shape_cast<'a, 'b>(
        &self,
        motion: impl Into<Sweep<'a>>,
        filter: impl Into<QueryFilter<'b>>,
    ) -> Option<(Handle, ShapeHit)> {
        self.shape_cast_with(motion, filter, CastOptions::new())
    }

    /// Does a [`shape_cast`](World::shape_cast) with options: a distance that the moving shape keeps
    /// to all colliders, and whether internal edges count.
    #[must_use]
    pub fn shape_cast_with<'a, 'b>(
        &self,
        motion: impl Into<Sweep<'a>>,
        filter: impl Into<QueryFilter<'b>>,
        options: CastOptions,
    ) -> Option<(Handle, ShapeHit)> {
        let (motion, filter) = (motion.into(), filter.into());
        if options.ignores_internal_edges {
            return self.surface_cast(&motion, &filter, options.target_distance);
        }
        let target = options.target_distance;
        self.first_hit(&motion, &filter, target, |_, placed| time_of_impact_within(motion, placed, target))
    }

    /// Returns the first hit. `impact` computes that of a collider; `distance` is the largest gap at
    /// which it finds one.
    fn first_hit(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        distance: f64,
        impact: impl Fn(Handle, Placed<'_>) -> Option<Impact>,
    ) -> Option<(Handle, ShapeHit)> {
        let mut best = None::<(Handle, ShapeHit)>;
        self.each_hit(motion, filter, distance, impact, |handle, hit| {
            if best.is_none_or(|(first, b)| (hit.time, handle) < (b.time, first)) {
                best = Some((handle, hit));
            }
        });
        best
    }

    /// Returns all colliders that a moving shape hits, sorted by time, then by handle.
    #[must_use]
    pub fn shape_cast_all<'a, 'b>(
        &self,
        motion: impl Into<Sweep<'a>>,
        filter: impl Into<QueryFilter<'b>>,
    ) -> Vec<(Handle, ShapeHit)> {
        let mut found = Vec::new();
        let motion = motion.into();
        let impact = |_, placed: Placed<'_>| time_of_impact_within(motion, placed, 0.0);
        self.each_hit(&motion, &filter.into(), 0.0, impact, |handle, hit| found.push((handle, hit)));
        sort_cold(&mut found, |(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
        found
    }

    pub(super) fn each_hit(
        &self,
        motion: &Sweep<'_>,
        filter: &QueryFilter<'_>,
        distance: f64,
        impact: impl Fn(Handle, Placed<'_>) -> Option<Impact>,
        mut found: impl FnMut(Handle, ShapeHit),
    ) {
        self.each_in_box(&motion.aabb().grown(distance), filter, &mut |handle, placed| {
            if let Some(impact) = impact(handle, placed) {
                let hit = ShapeHit::of_first(&impact);
                if self.stops_cast(filter, handle.slot(), hit.normal, hit.initial_depth.is_some()) {
                    found(handle, hit);
                }
            }
            Continue(())
        });
    }
}
