//! What flights go through: the world as it stands, walls, gravity.

use glam::DVec2;

use super::masses::Masses;
use super::tolerance::{PENETRATION_SLOP, left};
use super::trajectory::TrajectorySegment;
use super::walls::Walls;
use crate::broad_phase::LocalOrigin;
use crate::math::aabb::Aabb;
use crate::math::vector::{in_range, length};
use crate::query::{Impact, Least};
use crate::shape::Sweep;
use crate::world::{Handle, World};

/// How far apart two shapes may be where their impact is told, as a share of their radius, and a bit more.
const GAP: f64 = 4e-7;

/// What a flight goes through.
pub(super) struct Environment<'a> {
    pub(super) world: &'a World,
    pub(super) bodies: &'a Masses,
    pub(super) restitutions: &'a [f64],
    /// Speed below which an impact does not bounce, unless its restitution is 1.
    pub(super) threshold: f64,
    pub(super) walls: Option<Walls>,
    pub(super) gravity: DVec2,
    pub(super) seconds: f64,
    /// What the boxes around legs are relative to.
    pub(super) frame: LocalOrigin,
    /// No coordinate of a particle that does not fly changes by more.
    pub(super) farthest: f64,
}

impl Environment<'_> {
    /// Returns the restitution of an impact of two colliders: the larger one of the two particles, 0 if there is none.
    pub(super) fn restitution(&self, places: [Option<usize>; 2]) -> f64 {
        places.into_iter().flatten().map(|place| self.restitutions[place]).fold(0.0, f64::max)
    }

    /// Returns from which lengths on a motion of two colliders into each other is an impact. `noise`: what rounding explains.
    ///
    /// If impacts lose energy, contacts at rest are no impacts: a pair may come deeper by what contacts at rest keep, and up to half the slop.
    pub(super) fn least(&self, [a, b]: [Handle; 2], places: [Option<usize>; 2], noise: f64) -> Least {
        if self.restitution(places) == 1.0 {
            return Least { motion: noise, depth: 0.0 };
        }
        let slop = PENETRATION_SLOP * self.world.size(a).min(self.world.size(b));
        Least { motion: noise.max(2.0 * left(self.threshold, slop, self.seconds) * self.seconds), depth: 0.5 * slop }
    }

    /// What a particle is accelerated by.
    pub(super) fn acceleration(&self, place: usize) -> DVec2 {
        if self.bodies.inverse_masses()[place] > 0.0 { self.gravity } else { DVec2::ZERO }
    }

    /// The leg after an impact: with another velocity from there.
    pub(super) fn next_segment(
        &self,
        leg: TrajectorySegment,
        place: Option<usize>,
        velocity: DVec2,
    ) -> TrajectorySegment {
        let Some(place) = place else { return leg };
        let next = TrajectorySegment::new(
            leg.from,
            leg.origin,
            velocity,
            self.acceleration(place),
            self.seconds * (1.0 - leg.from),
        );
        TrajectorySegment { from: next.from, velocity: next.velocity, way: next.way, pull: next.pull, ..leg }
    }

    /// A collider on its way from a time on; what has no leg stands still.
    pub(super) fn sweep(&self, handle: Handle, leg: Option<&TrajectorySegment>, from: f64) -> Option<Sweep<'_>> {
        let placed = self.world.placed(handle)?;
        let Some(leg) = leg else { return Some(placed.into()) };
        let there = placed.shape().placed(placed.pose().put_at(leg.at(from)));
        // Out of range it goes nowhere.
        Some(there.sweep(leg.rest(from)).unwrap_or(there.into()))
    }

    /// Where a particle is at the start of the step, and in which circle about its origin it lies; a number, too, if it is that circle.
    pub(super) fn start(&self, place: usize) -> (DVec2, f64, f64) {
        let Some(seen) = self.world.seen(self.bodies.handles()[place]) else { return (DVec2::ZERO, 0.0, f64::NAN) };
        let (origin, aabb) = (seen.pose.translation(), seen.aabb);
        let radius =
            if seen.round.is_nan() { length((aabb.max() - origin).max(origin - aabb.min())) } else { seen.round };
        (origin, radius, seen.round)
    }

    /// The box around the piece of a leg that begins at a time, and a bit more.
    pub(super) fn swept(&self, place: usize, leg: &TrajectorySegment, from: f64) -> Aabb {
        let (start, end) = (leg.at(from), leg.at(leg.until));
        // Out of range it goes nowhere.
        let end = if in_range(end) { end } else { start };
        let circle = |radius: f64| Aabb::around([start, end].into_iter(), radius * (1.0 + GAP));
        match self.world.placed(self.bodies.handles()[place]) {
            Some(placed) if leg.round.is_nan() => {
                let at = |origin: DVec2| placed.shape().placed(placed.pose().put_at(origin)).aabb();
                at(start).union(&at(end)).grown(GAP * leg.radius)
            }
            _ => circle(leg.radius),
        }
    }

    /// The corners between which the walls let the origin of a particle be.
    pub(super) fn room(&self, place: usize) -> Option<(DVec2, DVec2)> {
        let walls = self.walls.filter(|_| self.bodies.inverse_masses()[place] > 0.0)?;
        let seen = self.world.seen(self.bodies.handles()[place])?;
        Some(walls.free_range(seen.pose.translation(), seen.aabb))
    }

    /// When a leg comes to a wall.
    pub(super) fn wall_ahead(&self, place: usize, leg: &TrajectorySegment) -> Option<f64> {
        let (low, high) = self.room(place)?;
        let (part, at) = Walls::clip_path(leg.origin + leg.way, leg.origin, (low, high));
        (at != [false; 2]).then_some(leg.from + part * (1.0 - leg.from))
    }

    /// The place nearest to this one that the walls allow.
    pub(super) fn inside(&self, place: usize, target: DVec2) -> DVec2 {
        self.room(place).map_or(target, |(low, high)| target.max(low).min(high))
    }

    /// Does an impact of two that are there then come from the fronts of those that are one-way?
    pub(super) fn is_from_the_front(
        &self,
        pair: [Handle; 2],
        places: [Option<usize>; 2],
        legs: &[TrajectorySegment; 2],
        impact: &Impact,
    ) -> bool {
        let pose = |k: usize| {
            let pose = self.world.pose(pair[k])?;
            Some(if places[k].is_some() { pose.put_at(legs[k].origin) } else { pose })
        };
        pose(0).zip(pose(1)).is_some_and(|(p, q)| self.world.is_stopped_by(pair, [p, q], impact))
    }
}
