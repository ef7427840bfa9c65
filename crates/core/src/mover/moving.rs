//! Moving colliders: the ground carries the mover, others push it.
//!
//! Input: the poses of the ground and of the colliders near the mover at the end of the last call,
//! and their poses now. Output: the mover's position after their motion. The simple version tests
//! overlaps at the new poses:
//!
//! ```text
//! if a collider overlaps the mover: move it out along the shortest way
//! ```
//!
//! A platform that rises past the feet of a falling mover would then be passed. A thin wall would push
//! the mover to its far side. So the motion of each collider since the last call is swept
//! against the mover (see [`time_of_impact_within`](crate::query::time_of_impact_within)):
//!
//! ```text
//! ground:  the mover keeps its position relative to the ground
//! others:  time = first impact of the two motions; none if a one-way collider is hit from behind
//!          push = motion of the contact point after that time, along the normal
//! slide by each of them, without the collider that moves the mover
//! ```
//!
//! A push is at most [`max_push`](super::Mover::max_push). Only colliders at most that far away at the
//! end of the last call are remembered (at most four sizes of the mover).

use alloc::vec::Vec;

use glam::DVec2;

use super::contacts::Slide;
use crate::math::pose::Pose;
use crate::world::Handle;

/// A collider near the mover at the end of the last call, and its pose there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) handle: Handle,
    pub(super) pose: Pose,
}

impl Slide<'_, '_> {
    /// Moves with the ground, and in front of colliders that hit the mover since the last call. Returns
    /// the motion of the floor below the mover. `near` are the colliders near it at the end of that call.
    pub(super) fn follow(&mut self, ground: Option<Neighbour>, near: &[Neighbour]) -> DVec2 {
        let start = self.position;
        let carried = ground.map_or(DVec2::ZERO, |ground| self.carry(ground));
        self.push_by_neighbours(near, start, ground.map(|ground| ground.handle));
        carried
    }

    /// Moves with the ground. Returns the wanted motion: that of the floor below the mover.
    fn carry(&mut self, ground: Neighbour) -> DVec2 {
        let Some(now) = self.world.pose(ground.handle).filter(|now| *now != ground.pose) else { return DVec2::ZERO };
        let seen = ground.pose.inverse_rotate_vector(self.position - ground.pose.translation());
        let motion = now.transform_point(seen) - self.position;
        self.slide(motion, Some(ground.handle));
        motion
    }

    /// Moves the mover in front of the colliders that hit it since the last call. `start` is its
    /// position at the end of that call; the ground has carried it since then.
    fn push_by_neighbours(&mut self, near: &[Neighbour], start: DVec2, ground: Option<Handle>) {
        let carried = self.position - start;
        for &Neighbour { handle, pose } in near {
            if Some(handle) == ground || self.passes(handle) {
                continue;
            }
            let Ok(mover) = self.at(start).sweep(carried) else { continue };
            let Some(hit) = self.world.impact_since(self.handle, &mover, handle, pose, self.target()) else { continue };
            let push = (hit.motion - carried * (1.0 - hit.time)).dot(hit.normal);
            if push > 0.0 && push <= self.settings.push {
                self.touch(handle, hit.normal);
                self.slide(hit.normal * push, Some(handle));
            }
        }
    }

    /// Remembers the colliders near the mover that can move, except fixed solid ones.
    pub(super) fn remember(&mut self, near: &mut Vec<Neighbour>) {
        near.clear();
        if !self.world.may_meet_movable(self.handle) {
            return;
        }
        let aabb = self.collider().aabb;
        let distance = self.settings.farthest(self.body.size) + self.skin;
        let nearby = &mut self.buffers.search.nearby;
        let mut remember = |handle, pose| near.push(Neighbour { handle, pose });
        self.world.each_movable_nearby(nearby, self.handle, &aabb.loosely_grown(distance), &mut remember);
    }
}
