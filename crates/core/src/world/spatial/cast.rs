//! What a moving shape meets.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use super::QueryFilter;
use crate::query::{Impact, time_of_impact};
use crate::shape::Sweep;
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// The collider that a shape in motion meets first, all others at rest where they are; of several at the same time the lowest handle.
    ///
    /// The shape in motion is the first of the two: the normal leads from it to the collider. As [`time_of_impact`] asks it of those whose boxes the motion's box meets.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let wall = world.insert(Collider::new(Shape::rectangle(0.001, 10.0)?));
    /// let bullet = Shape::circle(0.25)?;
    /// let (hit, impact) = world.shape_cast(bullet.at([-500.0, 0.0])?.sweep([1000.0, 0.0])?, u64::MAX).unwrap();
    /// assert!(hit == wall && (impact.time - 0.49975).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn shape_cast<'a, 'b>(&self, motion: impl Into<Sweep<'a>>, filter: impl Into<QueryFilter<'b>>) -> Option<(Handle, Impact)> {
        let mut best = None::<(Handle, Impact)>;
        self.each_impact(&motion.into(), &filter.into(), |handle, impact| {
            if best.is_none_or(|(first, b)| (impact.time, handle) < (b.time, first)) {
                best = Some((handle, impact));
            }
        });
        best
    }

    /// All colliders that a shape in motion meets, sorted by time, then by handle.
    pub fn shape_cast_all<'a, 'b>(&self, motion: impl Into<Sweep<'a>>, filter: impl Into<QueryFilter<'b>>) -> Vec<(Handle, Impact)> {
        let mut found = Vec::new();
        self.each_impact(&motion.into(), &filter.into(), |handle, impact| found.push((handle, impact)));
        found.sort_unstable_by(|(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
        found
    }

    fn each_impact(&self, motion: &Sweep<'_>, filter: &QueryFilter<'_>, mut found: impl FnMut(Handle, Impact)) {
        self.each_in_box(&motion.aabb(), filter, |handle, placed| {
            if let Some(impact) = time_of_impact(*motion, placed) {
                found(handle, impact);
            }
            Continue(())
        });
    }
}
