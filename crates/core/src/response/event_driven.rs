//! Flights: particles that move far in a step go from impact to impact, until the step is over.
//!
//! ```text
//! each that goes far has a leg                     straight on to the end of the step; what it runs into is looked for piece by piece (`event_queue.rs`)
//! the earliest impact of all                       by time, then by handles, so that no order matters
//!     the two bounce there, each begins a new leg  and its impacts are worked out anew; whom a fast one hits flies too
//! at the end of the step all are where their last legs lead
//! ```
//!
//! (Event-driven dynamics of hard spheres: Alder and Wainwright 1959; each with a clock of its own, so that nobody is touched who meets nothing: Lubachevsky 1991.)

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::{NOISE, bounced};
use super::environment::Environment;
use super::event_queue::{EventQueue, NextEvent};
use super::tolerance::at_speed;
use super::trajectory::{TrajectorySegment, hold};
use super::walls::Walls;
use crate::math::vector::in_range;
use crate::world::Collision;

/// How many impacts one counts as that loses energy; and if it follows the one before within this part of the step.
const LOSSY: u32 = 8;
const RAPID: u32 = 40;
const SOON: f64 = 1.0 / 16.0;

/// The flights of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct EventDrivenSolver {
    /// Of each particle.
    legs: Vec<TrajectorySegment>,
    /// The places of those that fly.
    flying: Vec<usize>,
    ahead: EventQueue,
    /// What was run into, by time.
    pub(super) impacts: Vec<Collision>,
}

impl EventDrivenSolver {
    /// Lets the `fast` ones fly from where they are with these velocities; writes where all that flew are at the end of the step, and how fast. Says how many flew.
    pub(super) fn run(
        &mut self,
        field: &Environment<'_>,
        fast: &[usize],
        velocities: &[DVec2],
        places: &mut [DVec2],
        after: &mut [DVec2],
    ) -> usize {
        self.begin(field, velocities, places);
        self.flying.extend(fast);
        for &place in fast {
            let leg = &mut self.legs[place];
            let TrajectorySegment { way, .. } =
                TrajectorySegment::new(0.0, leg.origin, leg.velocity, leg.pull, field.seconds);
            *leg = TrajectorySegment { way, flies: true, ..*leg };
        }
        self.ahead.begin(field, &mut self.legs, fast);
        while let Some(next) = self.ahead.next(field.bodies, &self.legs) {
            match next {
                NextEvent::Piece(place, now) => {
                    self.ahead.start_segment(field, &mut self.legs, place, now, false);
                    self.ahead.find_candidates(field, &mut self.legs, place, now, &|_, _| false);
                }
                NextEvent::Wall(hit) => self.meet_wall(field, hit),
                NextEvent::Pair(hit, numbers) => self.meet(field, hit, numbers),
            }
        }
        self.land(field, places, after);
        self.flying.len()
    }

    /// Returns the places of those that rested at the end of the last step.
    pub(super) fn resting(&self) -> impl Iterator<Item = usize> {
        self.flying.iter().copied().filter(|&place| self.legs[place].rests())
    }

    /// Legs of all, as if nothing met: who does not fly goes straight to its target.
    fn begin(&mut self, field: &Environment<'_>, velocities: &[DVec2], places: &[DVec2]) {
        self.flying.clear();
        self.impacts.clear();
        self.legs.clear();
        for (place, (&velocity, &target)) in velocities.iter().zip(places).enumerate() {
            let (origin, radius, round) = field.start(place);
            let leg = TrajectorySegment::new(0.0, origin, velocity, field.acceleration(place), field.seconds);
            let mut leg = TrajectorySegment { way: target - origin, radius, round, ..leg };
            leg.begin_piece(0.0);
            self.legs.push(leg);
        }
    }

    /// Handles the impact of a pair.
    fn meet(&mut self, field: &Environment<'_>, hit: Collision, numbers: [u32; 2]) {
        let Collision { a, b, impact, sensor } = hit;
        let places = [field.bodies.place(a), field.bodies.place(b)];
        let inverse_masses = [field.bodies.inverse_mass(a), field.bodies.inverse_mass(b)];
        let leg = |place: Option<usize>| {
            place.map_or(TrajectorySegment::default(), |place| self.legs[place].cut(impact.time, field.seconds, 0))
        };
        let legs = [leg(places[0]), leg(places[1])];
        let meets = field.is_from_the_front([a, b], places, &legs, &impact);
        if meets {
            self.impacts.push(hit);
        }
        if !meets || sensor || inverse_masses == [0.0; 2] {
            return self.ahead.let_pass([a, b], numbers);
        }
        let restitution = field.restitution(places);
        let velocities = [legs[0].velocity, legs[1].velocity];
        let approach = (velocities[0] - velocities[1]).dot(impact.normal);
        let noise = NOISE * (velocities[0].abs() + velocities[1].abs()).max_element();
        let restitution = at_speed(restitution, approach, field.threshold);
        let after = bounced(velocities, inverse_masses, impact.normal, restitution).filter(|_| approach > noise);
        let [p, q] = after.unwrap_or(velocities);
        let count = |k: usize| places[k].map_or(0, |place| count(&self.legs[place], impact.time, restitution));
        let next = [(0, p), (1, q)].map(|(k, velocity)| onward(field, legs[k], places[k], velocity, count(k)));
        let next = hold(&next, pushes(&next, inverse_masses), impact.normal).map(TrajectorySegment::pushed_on);
        if next.iter().any(TrajectorySegment::was_pushed_too_often) {
            return self.ahead.let_pass([a, b], numbers);
        }
        let movable = [0, 1].map(|k| places[k].filter(|_| inverse_masses[k] > 0.0));
        let mut moves = [false; 2];
        for (k, place) in movable.into_iter().enumerate().filter_map(|(k, place)| Some((k, place?))) {
            moves[k] = self.go_on(field, place, next[k]);
        }
        let parted = after.is_some() && restitution * approach > noise && go_straight(&legs);
        for (k, place) in movable.into_iter().enumerate().filter_map(|(k, place)| Some((k, place?))) {
            // If both go on, one of the two looks for the other.
            let done = parted || (k == 1 && moves[0]);
            if moves[k] {
                self.ahead.find_candidates(field, &mut self.legs, place, impact.time, &|other, _| {
                    done && places[1 - k] == Some(other)
                });
            }
        }
    }

    /// One has come to a wall: along the axes that lead into it, it turns round, or is held.
    fn meet_wall(&mut self, field: &Environment<'_>, hit: Collision) {
        let Some(place) = field.bodies.place(hit.a) else { return };
        let (leg, time) = (self.legs[place], hit.impact.time);
        let Some((low, high)) = field.room(place) else { return };
        let (_, at) = Walls::clip_path(leg.origin + leg.way, leg.origin, (low, high));
        let restitution = field.restitutions[place];
        let here = leg.cut(time, field.seconds, 0);
        let (mut origin, mut velocity, mut held) = (here.origin, here.velocity, [false; 2]);
        for axis in (0..2).filter(|&axis| at[axis]) {
            let out = leg.way[axis].signum();
            origin[axis] = if out > 0.0 { high[axis] } else { low[axis] };
            let speed = velocity[axis] * out;
            let restitution = at_speed(restitution, speed, field.threshold);
            held[axis] = speed <= 0.0 || restitution == 0.0;
            if speed > 0.0 {
                velocity[axis] *= -restitution;
            }
        }
        let count = count(&leg, time, restitution);
        let mut next = onward(field, TrajectorySegment { origin, ..here }, Some(place), velocity, count);
        for axis in (0..2).filter(|&axis| held[axis]) {
            (next.way[axis], next.pull[axis]) = (0.0, 0.0);
        }
        self.go_on(field, place, next);
        self.ahead.find_candidates(field, &mut self.legs, place, time, &|_, _| false);
    }

    /// Begins another leg and says so; from here on the particle is swept. A particle that rested before and still does only changes its velocity.
    fn go_on(&mut self, field: &Environment<'_>, place: usize, next: TrajectorySegment) -> bool {
        let before = &mut self.legs[place];
        if before.rests() && next.number == before.number {
            before.velocity = next.velocity;
            return false;
        }
        *before = TrajectorySegment { flies: true, ..next };
        if !next.flies {
            self.flying.push(place);
        }
        self.ahead.start_segment(field, &mut self.legs, place, next.from, !next.flies);
        true
    }

    /// The end of the step.
    fn land(&self, field: &Environment<'_>, places: &mut [DVec2], after: &mut [DVec2]) {
        for &place in &self.flying {
            let leg = self.legs[place];
            let end = field.inside(place, leg.origin + leg.way);
            // Out of range it stays.
            places[place] = if in_range(end) { end } else { leg.origin };
            after[place] = leg.velocity_at(1.0, field.seconds);
        }
    }
}

/// Are two circles that nothing bends or holds? Once they have bounced off each other, they do not meet again on these legs.
fn go_straight([a, b]: &[TrajectorySegment; 2]) -> bool {
    !(a.round + b.round).is_nan() && a.pull == b.pull && !a.rests() && !b.rests()
}

/// Returns the leg after an impact. A particle that rested before stays the obstacle that it is; only its velocity changes.
fn onward(
    field: &Environment<'_>,
    leg: TrajectorySegment,
    place: Option<usize>,
    velocity: DVec2,
    count: u32,
) -> TrajectorySegment {
    if leg.rests() {
        return TrajectorySegment { velocity, ..leg };
    }
    let next = field.next_segment(TrajectorySegment { number: leg.number + count, ..leg }, place, velocity);
    if next.rests() { next.stopped() } else { next }
}

/// Returns how many impacts one counts as that ends a leg.
fn count(leg: &TrajectorySegment, time: f64, restitution: f64) -> u32 {
    if restitution == 1.0 {
        1
    } else if leg.number > 0 && time - leg.from < SOON {
        RAPID
    } else {
        LOSSY
    }
}

/// Returns the weights with which two legs give way to each other: the inverse masses. A leg that rests is an obstacle, unless the other one is of infinite mass and pushes it.
fn pushes(legs: &[TrajectorySegment; 2], [wa, wb]: [f64; 2]) -> [f64; 2] {
    let weight = |leg: &TrajectorySegment, own: f64, other: f64| if leg.rests() && other > 0.0 { 0.0 } else { own };
    [weight(&legs[0], wa, wb), weight(&legs[1], wb, wa)]
}
