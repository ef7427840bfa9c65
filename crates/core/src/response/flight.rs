//! Flights: particles that move far in a step go from impact to impact, until the step is over.
//!
//! ```text
//! the way of each that goes far                    a box around it, in a tree of its own; whoever may be in it is asked for the first impact
//! the earliest impact of all                       by time, then by handles, so that no order matters
//!     the two bounce there, each begins a new leg  its box and its impacts are worked out anew; whom a fast one hits flies too
//! at the end of the step all are where their last legs lead
//! ```
//!
//! (Event-driven dynamics of hard spheres: Alder and Wainwright 1959; each with a clock of its own, so that nobody is touched who meets nothing: Lubachevsky 1991.)

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::bodies::Bodies;
use super::bounce::{NOISE, bounced};
use super::leg::{Leg, hold};
use super::walls::Walls;
use crate::broad::{BroadPhase, Bvh, Filter, Frame};
use crate::math::aabb::Aabb;
use crate::math::vector::in_range;
use crate::query::{Impact, time_of_impact};
use crate::shape::Sweep;
use crate::world::{Collision, Handle, World};

/// Impacts of one particle in one step, after which it rests until the next: its place stands still, its velocity does not change but by what hits it. Those that lose energy count eightfold:
/// they would follow each other faster and faster without end.
pub const MOST_IMPACTS: u32 = 128;

/// What an impact that loses energy counts.
const LOSSY: u32 = 8;

/// The second slot of an impact with a wall: after all others.
const WALL: u32 = u32::MAX;

/// What a flight goes through.
pub(super) struct Field<'a> {
    pub(super) world: &'a World,
    pub(super) bodies: &'a Bodies,
    pub(super) restitutions: &'a [f64],
    pub(super) walls: Option<Walls>,
    pub(super) gravity: DVec2,
    pub(super) seconds: f64,
    /// What the boxes around legs are relative to.
    pub(super) frame: Frame,
    /// No coordinate of a particle that does not fly changes by more.
    pub(super) farthest: f64,
}

/// An impact that will be, unless one of the two begins another leg before: the bits of its time (not negative, so they are in order), the slots, the numbers of the legs, and its place.
type Event = (u64, [u32; 2], [u32; 2], u32);

/// The flights of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    /// Of each particle.
    legs: Vec<Leg>,
    /// The places of those that fly.
    flying: Vec<usize>,
    queue: BinaryHeap<Reverse<Event>>,
    /// What the events tell of.
    ahead: Vec<Collision>,
    /// The boxes around the legs of those that fly, by their places: those of the world stay what they are.
    tree: Bvh,
    near: Vec<Handle>,
    /// What was run into, by time.
    pub(super) impacts: Vec<Collision>,
}

impl Flight {
    /// Lets the `fast` ones fly from where they are with these velocities; writes where all that flew are at the end of the step, and how fast. Says how many flew.
    pub(super) fn fly(
        &mut self,
        field: &Field<'_>,
        fast: &[usize],
        velocities: &[DVec2],
        places: &mut [DVec2],
        after: &mut [DVec2],
    ) -> usize {
        self.begin(field, velocities, places);
        self.flying.extend(fast);
        for &place in fast {
            let leg = &mut self.legs[place];
            *leg = Leg { flies: true, ..Leg::new(0.0, leg.origin, leg.velocity, leg.pull, field.seconds) };
        }
        let boxes = fast.iter().filter_map(|&place| Some((place as u32, field.frame.localize(&field.swept(place, &self.legs[place])?))));
        self.tree = Bvh::from_boxes(boxes.map(|(id, aabb)| (id, aabb, Filter::default(), true)));
        for &place in fast {
            self.look_ahead(field, place, true);
        }
        while let Some(Reverse((_, slots, numbers, at))) = self.queue.pop() {
            let hit = self.ahead[at as usize];
            let number = |handle: Handle| field.bodies.place(handle).map_or(0, |place| self.legs[place].number);
            if slots[1] == WALL && number(hit.a) == numbers[0] {
                self.meet_wall(field, hit);
            } else if slots[1] != WALL && [number(hit.a), number(hit.b)] == numbers {
                self.meet(field, hit);
            }
        }
        self.land(field, places, after);
        self.flying.len()
    }

    /// Legs of all, as if nothing met: who does not fly goes straight to its target.
    fn begin(&mut self, field: &Field<'_>, velocities: &[DVec2], places: &[DVec2]) {
        self.flying.clear();
        self.queue.clear();
        self.ahead.clear();
        self.impacts.clear();
        self.legs.clear();
        for (place, (&handle, &velocity)) in field.bodies.handles().iter().zip(velocities).enumerate() {
            let origin = field.world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            let leg = Leg::new(0.0, origin, velocity, field.pull(place), field.seconds);
            self.legs.push(Leg { way: places[place] - origin, ..leg });
        }
    }

    /// Finds what a leg may run into. At the start of a step, when all that fly look ahead, `each` pair is asked once.
    fn look_ahead(&mut self, field: &Field<'_>, place: usize, each: bool) {
        let (handle, leg) = (field.bodies.handles()[place], self.legs[place]);
        if let Some(time) = field.wall_ahead(place, &leg) {
            self.push(Collision { a: handle, b: Handle::NONE, impact: at_wall(time), sensor: false }, [leg.number, 0]);
        }
        let mut near = core::mem::take(&mut self.near);
        near.clear();
        if let Some(aabb) = field.swept(place, &leg) {
            let flies = |handle: Handle| field.bodies.place(handle).is_some_and(|place| self.legs[place].flies);
            field.world.each_box_in(&aabb.grown(field.farthest), |other| {
                if !flies(other) {
                    near.push(other);
                }
            });
            self.tree.visit_box(field.frame.localize(&aabb), &mut |other| {
                // Two that both look ahead find each other twice.
                if other as usize != place && !(each && (other as usize) < place) {
                    near.push(field.bodies.handles()[other as usize]);
                }
                Continue(())
            });
        }
        for &other in &near {
            self.ask(field, [handle.min(other), handle.max(other)], leg.from);
        }
        self.near = near;
    }

    /// Works out when two run into each other, from a time on.
    fn ask(&mut self, field: &Field<'_>, [a, b]: [Handle; 2], from: f64) {
        let Some(sensor) = field.world.may_collide(a, b) else { return };
        let (p, q) = (field.bodies.place(a), field.bodies.place(b));
        if self.is_over(field, p, q) {
            return;
        }
        let sweep = |handle: Handle, place: Option<usize>| field.sweep(handle, place.map(|place| &self.legs[place]), from);
        let (Some(first), Some(second)) = (sweep(a, p), sweep(b, q)) else { return };
        let Some(mut impact) = time_of_impact(first, second) else { return };
        if impact.initial_depth.take().is_some() {
            // What overlaps from the start of the step is a contact. Later on it is rounding, which matters where the two go on into each other.
            let velocity = |place: Option<usize>| place.map_or(DVec2::ZERO, |place| self.legs[place].velocity_at(from, field.seconds));
            if sensor || from == 0.0 || (velocity(q) - velocity(p)).dot(impact.normal) >= 0.0 {
                return;
            }
        }
        impact.time = from + impact.time * (1.0 - from);
        let number = |place: Option<usize>| place.map_or(0, |place| self.legs[place].number);
        self.push(Collision { a, b, impact, sensor }, [number(p), number(q)]);
    }

    /// Do two let each other be, because what could be moved of them rests? Else two that overlap by rounding would meet without end.
    fn is_over(&self, field: &Field<'_>, p: Option<usize>, q: Option<usize>) -> bool {
        let rests = |place: usize| self.legs[place].number > MOST_IMPACTS;
        let mut movable = [p, q].into_iter().flatten().filter(|&place| field.bodies.inverse_masses()[place] > 0.0).peekable();
        movable.peek().is_some() && movable.all(rests)
    }

    fn push(&mut self, hit: Collision, numbers: [u32; 2]) {
        let event = (hit.impact.time.to_bits(), [hit.a.index() as u32, hit.b.index() as u32], numbers, self.ahead.len() as u32);
        self.ahead.push(hit);
        self.queue.push(Reverse(event));
    }

    /// Two have run into each other.
    fn meet(&mut self, field: &Field<'_>, hit: Collision) {
        let Collision { a, b, impact, sensor } = hit;
        let places = [field.bodies.place(a), field.bodies.place(b)];
        let restitution = |place: Option<usize>| place.map_or(0.0, |place| field.restitutions[place]);
        let restitution = restitution(places[0]).max(restitution(places[1]));
        let leg = |place: Option<usize>| {
            place.map_or(Leg::default(), |place| self.legs[place].cut(impact.time, field.seconds, counts(restitution)))
        };
        let legs = [leg(places[0]), leg(places[1])];
        if !field.is_from_the_front([a, b], places, &legs, &impact) {
            return;
        }
        self.impacts.push(hit);
        if sensor {
            return;
        }
        let inverse_masses = [field.bodies.inverse_mass(a), field.bodies.inverse_mass(b)];
        let velocities = [legs[0].velocity, legs[1].velocity];
        let approach = (velocities[0] - velocities[1]).dot(impact.normal);
        let noise = NOISE * (velocities[0].abs() + velocities[1].abs()).max_element();
        let after = bounced(velocities, inverse_masses, impact.normal, restitution).filter(|_| approach > noise);
        let next = match after {
            Some([p, q]) => [field.onward(legs[0], places[0], p), field.onward(legs[1], places[1], q)],
            None => hold(legs, inverse_masses, impact.normal),
        };
        let mut movable = [None; 2];
        for k in 0..2 {
            movable[k] = places[k].filter(|_| inverse_masses[k] > 0.0);
            if let Some(place) = movable[k] {
                self.go_on(field, place, next[k]);
            }
        }
        for place in movable.into_iter().flatten() {
            self.look_ahead(field, place, false);
        }
    }

    /// One has come to a wall: along the axes that lead into it, it turns round, or is held.
    fn meet_wall(&mut self, field: &Field<'_>, hit: Collision) {
        let Some(place) = field.bodies.place(hit.a) else { return };
        let (leg, time) = (self.legs[place], hit.impact.time);
        let Some((low, high)) = field.room(place) else { return };
        let (_, at) = Walls::cut(leg.origin + leg.way, leg.origin, (low, high));
        let restitution = field.restitutions[place];
        let here = leg.cut(time, field.seconds, counts(restitution));
        let (mut origin, mut velocity, mut held) = (here.origin, here.velocity, [false; 2]);
        for axis in (0..2).filter(|&axis| at[axis]) {
            let out = leg.way[axis].signum();
            origin[axis] = if out > 0.0 { high[axis] } else { low[axis] };
            if velocity[axis] * out > 0.0 {
                velocity[axis] *= -restitution;
            } else {
                held[axis] = true;
            }
        }
        let mut next = field.onward(Leg { origin, ..here }, Some(place), velocity);
        for axis in (0..2).filter(|&axis| held[axis]) {
            (next.way[axis], next.pull[axis]) = (0.0, 0.0);
        }
        self.go_on(field, place, next);
        self.look_ahead(field, place, false);
    }

    /// Begins another leg; after too many none that leads anywhere. From here on it is looked ahead for.
    fn go_on(&mut self, field: &Field<'_>, place: usize, next: Leg) {
        let rests = next.number > MOST_IMPACTS;
        let next = if rests { Leg { way: DVec2::ZERO, pull: DVec2::ZERO, ..next } } else { next };
        self.legs[place] = Leg { flies: true, ..next };
        let Some(aabb) = field.swept(place, &next) else { return };
        let (id, aabb) = (place as u32, field.frame.localize(&aabb));
        if next.flies {
            self.tree.update(id, aabb);
        } else {
            self.flying.push(place);
            self.tree.insert(id, aabb, Filter::default(), true);
        }
    }

    /// The end of the step.
    fn land(&self, field: &Field<'_>, places: &mut [DVec2], after: &mut [DVec2]) {
        for &place in &self.flying {
            let leg = self.legs[place];
            let end = field.inside(place, leg.origin + leg.way);
            // Out of range it stays.
            places[place] = if in_range(end) { end } else { leg.origin };
            after[place] = leg.velocity_at(1.0, field.seconds);
        }
    }
}

/// How many impacts one counts as.
fn counts(restitution: f64) -> u32 {
    if restitution < 1.0 { LOSSY } else { 1 }
}

/// An impact of which only the time matters.
fn at_wall(time: f64) -> Impact {
    Impact { time, normal: DVec2::ZERO, point: DVec2::ZERO, initial_depth: None, part_a: 0, part_b: 0 }
}

impl Field<'_> {
    /// What a particle is accelerated by.
    fn pull(&self, place: usize) -> DVec2 {
        if self.bodies.inverse_masses()[place] > 0.0 { self.gravity } else { DVec2::ZERO }
    }

    /// The leg after an impact: with another velocity from there.
    fn onward(&self, leg: Leg, place: Option<usize>, velocity: DVec2) -> Leg {
        let Some(place) = place else { return leg };
        let next = Leg::new(leg.from, leg.origin, velocity, self.pull(place), self.seconds * (1.0 - leg.from));
        Leg { number: leg.number, flies: leg.flies, ..next }
    }

    /// A collider on its way from a time on; what has no leg stands still.
    fn sweep(&self, handle: Handle, leg: Option<&Leg>, from: f64) -> Option<Sweep<'_>> {
        let placed = self.world.placed(handle)?;
        let Some(leg) = leg else { return Some(placed.into()) };
        let there = placed.shape().placed(placed.pose().put_at(leg.at(from)));
        // Out of range it goes nowhere.
        Some(there.sweep(leg.rest(from)).unwrap_or(there.into()))
    }

    /// The box around a leg.
    fn swept(&self, place: usize, leg: &Leg) -> Option<Aabb> {
        Some(self.sweep(self.bodies.handles()[place], Some(leg), leg.from)?.aabb())
    }

    /// The corners between which the walls let the origin of a particle be.
    fn room(&self, place: usize) -> Option<(DVec2, DVec2)> {
        let walls = self.walls.filter(|_| self.bodies.inverse_masses()[place] > 0.0)?;
        let seen = self.world.seen(self.bodies.handles()[place])?;
        Some(walls.room(seen.pose.translation(), seen.aabb))
    }

    /// When a leg comes to a wall.
    fn wall_ahead(&self, place: usize, leg: &Leg) -> Option<f64> {
        let (low, high) = self.room(place)?;
        let (part, at) = Walls::cut(leg.origin + leg.way, leg.origin, (low, high));
        (at != [false; 2]).then_some(leg.from + part * (1.0 - leg.from))
    }

    /// The place nearest to this one that the walls allow.
    fn inside(&self, place: usize, target: DVec2) -> DVec2 {
        self.room(place).map_or(target, |(low, high)| target.max(low).min(high))
    }

    /// Does an impact of two that are there then come from the fronts of those that are one-way?
    fn is_from_the_front(&self, pair: [Handle; 2], places: [Option<usize>; 2], legs: &[Leg; 2], impact: &Impact) -> bool {
        let pose = |k: usize| {
            let pose = self.world.pose(pair[k])?;
            Some(if places[k].is_some() { pose.put_at(legs[k].origin) } else { pose })
        };
        pose(0).zip(pose(1)).is_some_and(|(p, q)| self.world.is_stopped_by(pair, [p, q], impact))
    }
}
