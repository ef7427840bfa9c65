//! Simulates fast particles by events: advances each from impact to impact until the end of the
//! step.
//!
//! Input: positions and velocities of all particles, and the list of the fast ones. Output:
//! positions and velocities at the end of the step, and the impacts. The method is the event-driven
//! dynamics of hard spheres (Alder and Wainwright, *Studies in molecular dynamics*, 1959). Each
//! particle has its own clock, so a particle without impacts costs nothing (Lubachevsky, *How to
//! simulate billiards and similar systems*, 1991).
//!
//! The simple version is a discrete step:
//!
//! ```text
//! for each particle: position += velocity * dt
//! for each overlapping pair: bounce, push apart
//! ```
//!
//! It lets fast particles pass through others. One time of impact per step would stop a particle at
//! its first impact, so it would lose energy and time. The event-driven version continues after
//! each impact:
//!
//! ```text
//! each fast particle gets a segment: a straight path to the end of the step
//! predict the impacts of each segment, piece by piece (`event_queue.rs`)
//! while there is an event (earliest first; tie: lowest slots):
//!     end of a piece: begin the next piece, predict its impacts
//!     impact with a wall, or of two colliders:
//!         skip it if a one-way collider or a sensor lets the particle pass
//!         new velocities = bounce along the normal
//!         each particle begins a new segment (also a slow one that was hit: it flies now)
//!         predict the impacts of the new segments
//! each particle moves to the end of its last segment
//! ```
//!
//! The number of impacts per particle is bounded, see
//! [`MAX_IMPACTS_PER_STEP`](super::MAX_IMPACTS_PER_STEP). After that, the particle rests until the
//! next step.

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::{NOISE, bounced, restitution_of_pair};
use super::environment::Environment;
use super::event_queue::{EventQueue, NextEvent};
use super::tolerance::at_speed;
use super::trajectory::{TrajectorySegment, remove_approach};
use super::walls::Walls;
use crate::math::both::both;
use crate::math::vector::in_range;
use crate::world::Collision;

/// Counts of an impact that loses energy: `LOSSY`, or `RAPID` if it follows the last impact within
/// `SOON`, a fraction of the step.
const LOSSY: u32 = 8;
const RAPID: u32 = 40;
const SOON: f64 = 1.0 / 16.0;

/// State of the event-driven solver.
#[derive(Clone, Debug, Default)]
pub(super) struct EventDrivenSolver {
    /// Current segment of each particle, by body index.
    segments: Vec<TrajectorySegment>,
    /// Body indices of the particles that fly: whose impacts are predicted.
    flying: Vec<usize>,
    queue: EventQueue,
    /// Impacts of the step, sorted by time.
    pub(super) impacts: Vec<Collision>,
}

impl EventDrivenSolver {
    /// Simulates the step of the `fast` particles and of all particles that they hit. Writes the
    /// positions and velocities at the end of the step, and returns the number of particles that
    /// flew. The displacements of all other particles are at most `farthest`.
    pub(super) fn run(
        &mut self,
        environment: &Environment<'_>,
        fast: &[usize],
        farthest: f64,
        velocities: &[DVec2],
        positions: &mut [DVec2],
        after: &mut [DVec2],
    ) -> usize {
        self.begin(environment, velocities, positions);
        self.flying.extend(fast);
        for &index in fast {
            let segment = &mut self.segments[index];
            *segment = segment.with_velocity(segment.velocity, segment.acceleration, environment.seconds);
            segment.flies = true;
        }
        self.queue.begin(environment, &mut self.segments, fast, farthest);
        while let Some(next) = self.queue.next(environment.bodies, &self.segments) {
            match next {
                NextEvent::Piece(index, now) => {
                    self.queue.start_segment(environment, &mut self.segments, index, now, false);
                    self.queue.find_candidates(environment, &mut self.segments, index, now, &|_, _| false);
                }
                NextEvent::Wall(hit) => self.handle_wall_impact(environment, hit),
                NextEvent::Pair(hit, numbers) => self.handle_impact(environment, hit, numbers),
            }
        }
        self.finish(environment, positions, after);
        self.flying.len()
    }

    /// Returns the indices of the particles that rested at the end of the last step.
    pub(super) fn resting(&self) -> impl Iterator<Item = usize> {
        self.flying.iter().copied().filter(|&index| self.segments[index].rests())
    }

    /// Creates the segments of all particles, without impacts. A particle that does not fly moves
    /// straight to its target.
    fn begin(&mut self, environment: &Environment<'_>, velocities: &[DVec2], positions: &[DVec2]) {
        self.flying.clear();
        self.impacts.clear();
        self.segments.clear();
        for (index, (&velocity, &target)) in velocities.iter().zip(positions).enumerate() {
            let (origin, radius, round) = environment.start(index);
            let mut segment = TrajectorySegment {
                origin,
                velocity,
                displacement: target - origin,
                acceleration: environment.acceleration(index),
                bounding_radius: radius,
                circle_radius: round,
                ..TrajectorySegment::default()
            };
            segment.begin_piece(0.0);
            self.segments.push(segment);
        }
    }

    /// Handles the impact of a pair.
    fn handle_impact(&mut self, environment: &Environment<'_>, hit: Collision, numbers: [u32; 2]) {
        let Collision { a, b, impact, sensor } = hit;
        let indices = [environment.bodies.index(a), environment.bodies.index(b)];
        let inverse_masses = [environment.bodies.inverse_mass(a), environment.bodies.inverse_mass(b)];
        let segment = |index: Option<usize>| {
            index.map_or(TrajectorySegment::default(), |index| {
                self.segments[index].cut(impact.time, environment.seconds)
            })
        };
        let segments = [segment(indices[0]), segment(indices[1])];
        let is_impact = environment.is_from_the_front([a, b], indices, &segments, &impact);
        if is_impact {
            self.impacts.push(hit);
        }
        if !is_impact || sensor || inverse_masses == [0.0; 2] {
            return self.queue.let_pass([a, b], numbers);
        }
        let restitution = restitution_of_pair(environment.restitutions, indices);
        let velocities = [segments[0].velocity, segments[1].velocity];
        let approach = (velocities[0] - velocities[1]).dot(impact.normal);
        let noise = NOISE * (velocities[0].abs() + velocities[1].abs()).max_element();
        let restitution = at_speed(restitution, approach, environment.threshold);
        let after = bounced(velocities, inverse_masses, impact.normal, restitution).filter(|_| approach > noise);
        let [p, q] = after.unwrap_or(velocities);
        let count = |k: usize| indices[k].map_or(0, |index| count(&self.segments[index], impact.time, restitution));
        let next = both([(0, p), (1, q)], |(k, velocity)| {
            segment_after(environment, segments[k], indices[k], velocity, count(k))
        });
        let next = remove_approach(&next, effective_inverse_masses(&next, inverse_masses), impact.normal)
            .map(TrajectorySegment::pushed_on);
        if next.iter().any(TrajectorySegment::was_pushed_too_often) {
            return self.queue.let_pass([a, b], numbers);
        }
        let movable = both([0, 1], |k| indices[k].filter(|_| inverse_masses[k] > 0.0));
        let mut moves = [false; 2];
        for (k, index) in movable.into_iter().enumerate().filter_map(|(k, index)| Some((k, index?))) {
            moves[k] = self.begin_segment(environment, index, next[k]);
        }
        let parted = after.is_some() && restitution * approach > noise && go_straight(&segments);
        for (k, index) in movable.into_iter().enumerate().filter_map(|(k, index)| Some((k, index?))) {
            // If both begin a segment, only the second one tests this pair.
            let done = parted || (k == 1 && moves[0]);
            if moves[k] {
                self.queue.find_candidates(environment, &mut self.segments, index, impact.time, &|other, _| {
                    done && indices[1 - k] == Some(other)
                });
            }
        }
    }

    /// Handles the impact of a particle with a wall. Along each axis that leads into the wall, the
    /// velocity is reflected or the particle is blocked.
    fn handle_wall_impact(&mut self, environment: &Environment<'_>, hit: Collision) {
        let Some(index) = environment.bodies.index(hit.a) else { return };
        let (segment, time) = (self.segments[index], hit.impact.time);
        let Some((low, high)) = environment.free_range(index) else { return };
        let (_, at) = Walls::clip_path(segment.origin + segment.displacement, segment.origin, (low, high));
        let restitution = environment.restitutions[index];
        let here = segment.cut(time, environment.seconds);
        let (mut origin, mut velocity, mut blocked) = (here.origin, here.velocity, [false; 2]);
        for axis in (0..2).filter(|&axis| at[axis]) {
            let out = segment.displacement[axis].signum();
            origin[axis] = if out > 0.0 { high[axis] } else { low[axis] };
            let speed = velocity[axis] * out;
            let restitution = at_speed(restitution, speed, environment.threshold);
            blocked[axis] = speed <= 0.0 || restitution == 0.0;
            if speed > 0.0 {
                velocity[axis] *= -restitution;
            }
        }
        let count = count(&segment, time, restitution);
        let mut next = segment_after(environment, TrajectorySegment { origin, ..here }, Some(index), velocity, count);
        for axis in (0..2).filter(|&axis| blocked[axis]) {
            (next.displacement[axis], next.acceleration[axis]) = (0.0, 0.0);
        }
        self.begin_segment(environment, index, next);
        self.queue.find_candidates(environment, &mut self.segments, index, time, &|_, _| false);
    }

    /// Begins another segment and returns true; from here on the particle flies. If a particle
    /// rested before and still does, changes only its velocity and returns false.
    fn begin_segment(&mut self, environment: &Environment<'_>, index: usize, next: TrajectorySegment) -> bool {
        let before = &mut self.segments[index];
        if before.rests() && next.impact_count == before.impact_count {
            before.velocity = next.velocity;
            return false;
        }
        *before = TrajectorySegment { flies: true, ..next };
        if !next.flies {
            self.flying.push(index);
        }
        self.queue.start_segment(environment, &mut self.segments, index, next.from, !next.flies);
        true
    }

    /// Writes the positions and velocities at the end of the step.
    fn finish(&self, environment: &Environment<'_>, positions: &mut [DVec2], after: &mut [DVec2]) {
        for &index in &self.flying {
            let segment = self.segments[index];
            let end = environment.clamp_to_walls(index, segment.origin + segment.displacement);
            // If the target is out of range, the particle stays where its last segment began.
            positions[index] = if in_range(end) { end } else { segment.origin };
            after[index] = segment.velocity_at(1.0, environment.seconds);
        }
    }
}

/// Returns true for two circles with equal acceleration that do not rest. After they bounce off
/// each other, they do not touch again on these segments.
fn go_straight([a, b]: &[TrajectorySegment; 2]) -> bool {
    !(a.circle_radius + b.circle_radius).is_nan() && a.acceleration == b.acceleration && !a.rests() && !b.rests()
}

/// Returns the segment after an impact. A particle that rested before stays an obstacle; only its
/// velocity changes.
fn segment_after(
    environment: &Environment<'_>,
    segment: TrajectorySegment,
    index: Option<usize>,
    velocity: DVec2,
    count: u32,
) -> TrajectorySegment {
    if segment.rests() {
        return TrajectorySegment { velocity, ..segment };
    }
    let mut next = TrajectorySegment { impact_count: segment.impact_count + count, ..segment };
    if let Some(index) = index {
        let seconds = environment.seconds * (1.0 - segment.from);
        next = next.with_velocity(velocity, environment.acceleration(index), seconds);
    }
    if next.rests() { next.stopped() } else { next }
}

/// Returns the count of the impact that ends a segment.
fn count(segment: &TrajectorySegment, time: f64, restitution: f64) -> u32 {
    if restitution == 1.0 {
        1
    } else if segment.impact_count > 0 && time - segment.from < SOON {
        RAPID
    } else {
        LOSSY
    }
}

/// Returns the inverse masses with which two segments give way to each other. A resting particle
/// has 0, except against a collider of infinite mass, which pushes it.
fn effective_inverse_masses(segments: &[TrajectorySegment; 2], [wa, wb]: [f64; 2]) -> [f64; 2] {
    let weight =
        |segment: &TrajectorySegment, own: f64, other: f64| if segment.rests() && other > 0.0 { 0.0 } else { own };
    [weight(&segments[0], wa, wb), weight(&segments[1], wb, wa)]
}
