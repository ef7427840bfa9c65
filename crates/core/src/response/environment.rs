//! Provides the input of the event-driven solver that does not change during a step.
//!
//! Input: world, masses, restitutions, walls, gravity and step length. Output: quantities that
//! depend on these and on a trajectory segment. These are the swept AABB of a piece, the time of a
//! wall impact, the restitution, and the smallest approach that counts as an impact.
//!
//! The solver and its event queue share this read-only structure. The world is not changed before
//! the end of the step, so a failed step changes nothing.

use glam::DVec2;

use super::bounce::restitution_of_pair;
use super::masses::Masses;
use super::tolerance::{PENETRATION_SLOP, half_width, speed_tolerance};
use super::trajectory::TrajectorySegment;
use super::walls::Walls;
use crate::math::aabb::Aabb;
use crate::math::vector::in_range;
use crate::query::{Impact, Least};
use crate::shape::Sweep;
use crate::world::{Handle, World};

/// Tolerance of impacts, relative to the radius: upper bound of the distance of two shapes at their
/// reported impact, plus a margin.
const IMPACT_TOLERANCE: f64 = 4e-7;

/// Everything that does not change while the velocities of a step are computed.
#[derive(Clone, Copy)]
pub(super) struct Environment<'a> {
    pub(super) world: &'a World,
    pub(super) bodies: &'a Masses,
    pub(super) restitutions: &'a [f64],
    /// Speed below which an impact does not bounce, unless its restitution is 1.
    pub(super) threshold: f64,
    pub(super) walls: Option<Walls>,
    pub(super) gravity: DVec2,
    /// Gravity times a power of two that makes its larger component 1 to 2. Zero if gravity is zero.
    pub(super) down: DVec2,
    pub(super) seconds: f64,
    /// Per body: true if its velocity includes the gravity of this step already. Empty: for none.
    pub(super) solved: &'a [bool],
}

/// Returns true if the velocity of a body includes the gravity of this step already.
pub(super) fn is_solved(solved: &[bool], index: usize) -> bool {
    solved.get(index) == Some(&true)
}

impl Environment<'_> {
    /// Returns the smallest approach of two colliders, as a length, that counts as an impact.
    /// `noise`: upper bound of the rounding error.
    ///
    /// If impacts lose energy, resting contacts are no impacts. Such a pair may become deeper by
    /// the tolerance of resting contacts, and up to half the slop. Thin shapes that are deeper than the sum of their
    /// half widths have passed through each other, so the slop is at most this sum.
    pub(super) fn min_approach(&self, [a, b]: [Handle; 2], indices: [Option<usize>; 2], noise: f64) -> Least {
        if restitution_of_pair(self.restitutions, indices) == 1.0 {
            return Least { motion: noise, depth: 0.0 };
        }
        let half_width = |handle| self.world.shape(handle).map_or(f64::INFINITY, half_width);
        let slop = (PENETRATION_SLOP * self.world.size(a).min(self.world.size(b))).min(half_width(a) + half_width(b));
        Least {
            motion: noise.max(2.0 * speed_tolerance(self.threshold, slop, self.seconds) * self.seconds),
            depth: 0.5 * slop,
        }
    }

    /// Returns the acceleration of a particle during the step.
    pub(super) fn acceleration(&self, index: usize) -> DVec2 {
        let falls = self.bodies.inverse_masses()[index] > 0.0 && !is_solved(self.solved, index);
        if falls { self.gravity } else { DVec2::ZERO }
    }

    /// Returns a collider with its motion from a time on. A collider without a segment does not
    /// move.
    pub(super) fn sweep(&self, handle: Handle, segment: Option<&TrajectorySegment>, from: f64) -> Option<Sweep<'_>> {
        let placed = self.world.placed(handle)?;
        let Some(segment) = segment else { return Some(placed.into()) };
        let there = placed.shape().placed(placed.pose().with_valid_translation(segment.at(from)));
        // If the motion is out of range, the collider does not move.
        Some(there.sweep(segment.remaining_displacement(from)).unwrap_or(there.into()))
    }

    /// Returns the position of a particle at the start of the step and its bounding radius. The
    /// third value is its radius if it is a circle, else NaN.
    pub(super) fn start(&self, index: usize) -> (DVec2, f64, f64) {
        let Some(state) = self.world.collider_state(self.bodies.handles()[index]) else {
            return (DVec2::ZERO, 0.0, f64::NAN);
        };
        (state.pose.translation(), state.bounding_radius(), state.circle_radius)
    }

    /// Returns the swept AABB of the piece of a segment that begins at a time, with a margin.
    pub(super) fn swept(&self, index: usize, segment: &TrajectorySegment, from: f64) -> Aabb {
        let (start, end) = (segment.at(from), segment.at(segment.piece_end));
        // If the target is out of range, the collider does not move.
        let end = if in_range(end) { end } else { start };
        let circle = |radius: f64| Aabb::around([start, end].into_iter(), radius * (1.0 + IMPACT_TOLERANCE));
        match self.world.placed(self.bodies.handles()[index]) {
            Some(placed) if segment.circle_radius.is_nan() => {
                let at = |origin: DVec2| placed.shape().placed(placed.pose().with_valid_translation(origin)).aabb();
                at(start).union(&at(end)).grown(IMPACT_TOLERANCE * segment.bounding_radius)
            }
            _ => circle(segment.bounding_radius),
        }
    }

    /// Returns the range of positions of a particle inside the walls; `None` if no walls limit it.
    pub(super) fn free_range(&self, index: usize) -> Option<(DVec2, DVec2)> {
        let walls = self.walls.filter(|_| self.bodies.inverse_masses()[index] > 0.0)?;
        let state = self.world.collider_state(self.bodies.handles()[index])?;
        Some(walls.free_range(state.pose.translation(), state.aabb))
    }

    /// Returns the time at which a segment hits a wall.
    pub(super) fn wall_ahead(&self, index: usize, segment: &TrajectorySegment) -> Option<f64> {
        let (low, high) = self.free_range(index)?;
        let (part, at) = Walls::clip_path(segment.origin + segment.displacement, segment.origin, (low, high));
        (at != [false; 2]).then_some(segment.from + part * (1.0 - segment.from))
    }

    /// Returns the position inside the walls that is nearest to a target.
    pub(super) fn clamp_to_walls(&self, index: usize, target: DVec2) -> DVec2 {
        self.free_range(index).map_or(target, |(low, high)| target.max(low).min(high))
    }

    /// Returns true if an impact comes from the front of every one-way collider of the pair. Both
    /// are at the start of their segments in `legs`.
    pub(super) fn is_from_the_front(
        &self,
        pair: [Handle; 2],
        indices: [Option<usize>; 2],
        legs: &[TrajectorySegment; 2],
        impact: &Impact,
    ) -> bool {
        let pose = |k: usize| {
            let pose = self.world.pose(pair[k])?;
            Some(if indices[k].is_some() { pose.with_valid_translation(legs[k].origin) } else { pose })
        };
        pose(0).zip(pose(1)).is_some_and(|(p, q)| self.world.is_stopped_by(pair, [p, q], impact))
    }
}
