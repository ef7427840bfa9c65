//! Computes the first impact of a moved collider with a mover, and other data that a mover needs.
//!
//! Input: the pose of a collider at an earlier time, and the motion of a mover since then. Output:
//! the first impact of the two motions, as one time of impact of two sweeps.

use glam::DVec2;

use crate::math::pose::Pose;
use crate::query::time_of_impact_within;
use crate::shape::Sweep;
use crate::world::World;
use crate::world::ccd::may_collide;
use crate::world::collider_set::{ENABLED, FIXED, SENSOR};
use crate::world::handle::Handle;
use crate::world::one_way_filter::{between, faces};
use crate::world::revision::Revision;

/// The first impact of a moved collider with a mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedImpact {
    /// Fraction of the motions.
    pub(crate) time: f64,
    /// Unit normal of the collider's surface, at its present pose.
    pub(crate) normal: DVec2,
    /// Motion of the contact point from the impact to the present.
    pub(crate) motion: DVec2,
}

impl World {
    /// Returns true if any collider is one-way.
    pub(crate) fn has_one_way(&self) -> bool {
        self.columns.has_one_way()
    }

    /// Returns the number of the present state, without the poses of colliders that are not fixed.
    pub(crate) fn revision(&self) -> Revision {
        self.columns.revision
    }

    /// Returns the front of a one-way collider, in the world.
    pub(crate) fn front(&self, handle: Handle) -> Option<DVec2> {
        let slot = handle.slot();
        let pose = self.columns.poses_and_boxes[slot as usize].pose;
        self.columns.one_way(slot).map(|one_way| pose.rotate_vector(one_way.front()))
    }

    /// Returns true if a collider is fixed.
    pub(crate) fn is_fixed(&self, handle: Handle) -> bool {
        self.columns.is(handle.slot(), FIXED)
    }

    /// Returns the first impact of a mover with a collider that had another pose when the motion
    /// began. `None` if it is stale, did not move, no longer collides, overlaps the mover at the
    /// start, or is one-way and hits it from behind.
    pub(crate) fn impact_since(
        &self,
        handle: Handle,
        mover: &Sweep<'_>,
        other: Handle,
        before: Pose,
        skin: f64,
    ) -> Option<MovedImpact> {
        let (columns, now) = (&self.columns, self.pose(other)?);
        let slots = [handle.slot(), other.slot()];
        let is_solid = columns.is(slots[1], ENABLED) && !columns.is(slots[1], SENSOR);
        if now == before || !is_solid || !may_collide(columns, &self.disabled_pairs, slots) {
            return None;
        }
        let sweep = between(&columns.shapes[slots[1] as usize], before, now)?;
        let impact = time_of_impact_within(*mover, sweep, skin).filter(|impact| impact.initial_depth.is_none())?;
        let (at, normal) = (sweep.at(impact.time).pose(), -impact.normal);
        if columns.one_way(slots[1]).is_some_and(|one_way| !faces(normal, at, one_way)) {
            return None;
        }
        let seen = at.inverse_rotate_vector(impact.point - at.translation());
        let motion = now.transform_point(seen) - impact.point;
        Some(MovedImpact { time: impact.time, normal: now.rotate_vector(at.inverse_rotate_vector(normal)), motion })
    }
}
