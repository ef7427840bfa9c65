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

use super::QueryFilter;
use crate::math::sort::sort_cold;
use crate::query::{ShapeHit, time_of_impact};
use crate::shape::Sweep;
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the first collider that a moving shape hits, with all colliders at rest. Tie: lowest
    /// handle.
    ///
    /// The normal is that of the collider's surface: it points from the collider to the moving
    /// shape. The times are those of [`time_of_impact`]. Candidates are the colliders whose boxes
    /// intersect the box of the motion.
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
    pub fn shape_cast<'a, 'b>(
        &self,
        motion: impl Into<Sweep<'a>>,
        filter: impl Into<QueryFilter<'b>>,
    ) -> Option<(Handle, ShapeHit)> {
        let mut best = None::<(Handle, ShapeHit)>;
        self.each_hit(&motion.into(), &filter.into(), |handle, hit| {
            if best.is_none_or(|(first, b)| (hit.time, handle) < (b.time, first)) {
                best = Some((handle, hit));
            }
        });
        best
    }

    /// Returns all colliders that a moving shape hits, sorted by time, then by handle.
    pub fn shape_cast_all<'a, 'b>(
        &self,
        motion: impl Into<Sweep<'a>>,
        filter: impl Into<QueryFilter<'b>>,
    ) -> Vec<(Handle, ShapeHit)> {
        let mut found = Vec::new();
        self.each_hit(&motion.into(), &filter.into(), |handle, hit| found.push((handle, hit)));
        sort_cold(&mut found, |(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
        found
    }

    fn each_hit(&self, motion: &Sweep<'_>, filter: &QueryFilter<'_>, mut found: impl FnMut(Handle, ShapeHit)) {
        self.each_in_box(&motion.aabb(), filter, |handle, placed| {
            if let Some(impact) = time_of_impact(*motion, placed) {
                found(handle, ShapeHit::of_first(&impact));
            }
            Continue(())
        });
    }
}
