//! What flights will run into: looked for piece by piece, so that in a crowd nobody asks those who are far from where it goes next.
//!
//! ```text
//! the next piece of a leg                    a box around it, in a tree; whoever may be in it is asked for the first impact of the two
//! an impact while both are in their pieces   waits for its turn in a queue; a later one is found again when the next piece begins
//! the end of a piece                         waits in the same queue: then the next one begins
//! ```
//!
//! Impacts are worked out from where the later one of two legs begins, whatever the pieces are: they say who is asked, not what the answer is. (Cells and their crossings: Rapaport 1980.)

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::masses::Masses;
use super::bounce::NOISE;
use super::environment::Environment;
use super::trajectory::TrajectorySegment;
use crate::broad_phase::{Aabb32, BroadPhase, Bvh, Filter};
use crate::math::vector::norm1;
use crate::query::{Impact, first_approach};
use crate::world::{Collision, Handle};

/// How long the first pieces are, in radii of the collider.
const FIRST_REACH: f64 = 2.0;

/// After a piece with so few near it, itself among them, the next one is longer; after one with so many it is shorter, as long as the collider is not what makes its box large. Those that are larger
/// than the piece is long do not count: there would be as many of them near a shorter one.
const FEW: usize = 1;
const MANY: usize = 6;

/// From this piece of a leg on, each piece is twice as long as the one before: the number of pieces grows with the logarithm of the way, however small the collider is.
const PIECES: u32 = 8;

/// The second slot of an impact with a wall: after all others.
const WALL: u32 = u32::MAX;

/// What will be, unless one of those that it is about begins another leg before.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// By what events are sorted: see [`key`].
    key: u128,
    /// The numbers of the legs.
    numbers: [u32; 2],
    /// The place of the impact.
    at: u32,
}

/// The bits of a time (not negative, so they are in order), then two slots, the first one plus one. The end of a piece comes before all impacts of its time: instead of slots it has 0 and a place.
fn key(time: f64, slots: [u32; 2]) -> u128 {
    u128::from(time.to_bits()) << 64 | u128::from(slots[0]) << 32 | u128::from(slots[1])
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest one is the greatest.
impl Ord for Event {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

/// What comes next in a flight.
pub(super) enum NextEvent {
    /// A particle comes to the end of a piece of its leg, at a time.
    Piece(usize, f64),
    /// One comes to a wall.
    Wall(Collision),
    /// Two run into each other, on legs of these numbers.
    Pair(Collision, [u32; 2]),
}

/// What lies ahead of those that fly.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    queue: BinaryHeap<Event>,
    /// The impacts that events tell of, and places among them that none tells of any more.
    impacts: Vec<Collision>,
    free: Vec<u32>,
    /// The boxes around the pieces of those that fly, by their places, and a tree of them: those of the world stay what they are.
    boxes: Vec<Aabb32>,
    tree: Bvh,
    /// Are those that do not fly in the tree too, with the boxes that they have in this step? What is no particle has its slot for a number there, after all places.
    holds_all: bool,
    near: Vec<Handle>,
    /// Pairs of slots, and their legs, that have met and went on as if they had not.
    passed: BTreeSet<([u32; 2], [u32; 2])>,
}

impl EventQueue {
    /// Finds what those that fly from the start run into first.
    pub(super) fn begin(&mut self, field: &Environment<'_>, legs: &mut [TrajectorySegment], fast: &[usize]) {
        self.queue.clear();
        self.impacts.clear();
        self.free.clear();
        self.passed.clear();
        self.boxes.clear();
        self.boxes.resize(legs.len(), Aabb32 { min: [0.0; 2], max: [0.0; 2] });
        for &place in fast {
            legs[place].reach = first_reach(&legs[place]);
            self.begin_piece(field, legs, place, 0.0);
        }
        self.holds_all = 2 * fast.len() >= field.world.len();
        let Self { boxes, holds_all, .. } = &*self;
        let flying = fast.iter().map(|&place| (place as u32, boxes[place], Filter::default(), true));
        let others = field.world.colliders().filter(|_| *holds_all).filter_map(|(handle, collider)| {
            let place = field.bodies.place(handle);
            let aabb = match place {
                Some(place) if legs[place].flies => return None,
                Some(place) => field.swept(place, &legs[place], 0.0),
                None => collider.placed().aabb(),
            };
            Some((
                place.unwrap_or(legs.len() + handle.index()) as u32,
                field.frame.to_local(&aabb),
                Filter::default(),
                false,
            ))
        });
        self.tree = Bvh::from_boxes(flying.chain(others));
        for &place in fast {
            // Two that both look ahead would find each other twice.
            self.find_candidates(field, legs, place, 0.0, &|other, second| other < place && second.flies);
        }
    }

    /// The next piece of a leg, from a time on: its end will be told of, unless the leg ends before.
    fn begin_piece(&mut self, field: &Environment<'_>, legs: &mut [TrajectorySegment], place: usize, now: f64) {
        let leg = &mut legs[place];
        leg.begin_piece(now);
        if leg.until < f64::INFINITY {
            self.queue.push(Event { key: key(leg.until, [0, place as u32]), numbers: [leg.number, 0], at: 0 });
        }
        self.boxes[place] = field.frame.to_local(&field.swept(place, leg, now));
    }

    /// Begins the next piece of a leg, which may be the first one, of one that flies or `joins`. What is in it is not looked for yet.
    pub(super) fn start_segment(
        &mut self,
        field: &Environment<'_>,
        legs: &mut [TrajectorySegment],
        place: usize,
        now: f64,
        joins: bool,
    ) {
        if joins {
            legs[place].reach = first_reach(&legs[place]);
        }
        self.begin_piece(field, legs, place, now);
        if joins {
            self.tree.insert(place as u32, self.boxes[place], Filter::default(), true);
        } else {
            self.tree.update(place as u32, self.boxes[place]);
        }
    }

    /// Finds what the piece of a leg that begins now may run into, but for those who have `asked` it already.
    pub(super) fn find_candidates(
        &mut self,
        field: &Environment<'_>,
        legs: &mut [TrajectorySegment],
        place: usize,
        now: f64,
        asked: &dyn Fn(usize, &TrajectorySegment) -> bool,
    ) {
        let (handle, leg) = (field.bodies.handles()[place], legs[place]);
        if now <= leg.from
            && let Some(time) = field.wall_ahead(place, &leg)
        {
            let hit = Collision { a: handle, b: Handle::NONE, impact: at_wall(time), sensor: false };
            self.push([handle.index() as u32, WALL], [leg.number, 0], hit);
        }
        let mut near = core::mem::take(&mut self.near);
        near.clear();
        let mut shorter = 0;
        if !self.holds_all {
            field.world.each_box_in(&field.swept(place, &leg, now).grown(field.farthest), |other| {
                let second = field.bodies.place(other).map(|place| &legs[place]);
                if second.is_none_or(|second| !second.flies) {
                    shorter += usize::from(field.world.size(other) <= 2.0 * leg.reach);
                    if second.is_none_or(|second| !leg.keeps_apart(second, now)) {
                        near.push(other);
                    }
                }
            });
        }
        self.tree.query_aabb(self.boxes[place], &mut |other| {
            let other = other as usize;
            if let Some(second) = legs.get(other) {
                shorter += usize::from(second.radius <= leg.reach);
                if other != place && !asked(other, second) && !leg.keeps_apart(second, now) {
                    near.push(field.bodies.handles()[other]);
                }
            } else {
                near.extend(field.world.handle_at(other - legs.len()));
            }
            Continue(())
        });
        for &other in &near {
            self.predict(field, legs, [handle.min(other), handle.max(other)], now);
        }
        let next = &mut legs[place];
        if shorter <= FEW || next.pieces > PIECES {
            next.reach *= 2.0;
        } else if shorter > MANY && next.reach > next.radius {
            next.reach *= 0.5;
        }
        self.near = near;
    }

    /// Works out when two run into each other.
    fn predict(&mut self, field: &Environment<'_>, legs: &[TrajectorySegment], [a, b]: [Handle; 2], now: f64) {
        let Some(sensor) = field.world.may_collide(a, b) else { return };
        let (p, q) = (field.bodies.place(a), field.bodies.place(b));
        let leg = |place: Option<usize>| place.map(|place| &legs[place]);
        let (first_leg, second_leg) = (leg(p), leg(q));
        let number = |leg: Option<&TrajectorySegment>| leg.map_or(0, |leg| leg.number);
        let (slots, numbers) = ([a.index() as u32, b.index() as u32], [number(first_leg), number(second_leg)]);
        if self.has_passed(slots, numbers) {
            return;
        }
        let from = first_leg.map_or(0.0, |leg| leg.from).max(second_leg.map_or(0.0, |leg| leg.from));
        let (Some(first), Some(second)) = (field.sweep(a, first_leg, from), field.sweep(b, second_leg, from)) else {
            return;
        };
        let noise = NOISE * (norm1(first.translation()) + norm1(second.translation()));
        let Some(mut impact) = first_approach(&first, &second, field.least([a, b], [p, q], noise)) else { return };
        // A sensor that overlaps at the start of a leg was reported before.
        if impact.initial_depth.take().is_some() && sensor {
            return;
        }
        // What the gap between them let pass at the end of the last piece is now.
        impact.time = (from + impact.time * (1.0 - from)).max(now);
        let until = |leg: Option<&TrajectorySegment>| leg.map_or(f64::INFINITY, |leg| leg.until);
        if impact.time < until(first_leg).min(until(second_leg)) {
            self.push(slots, numbers, Collision { a, b, impact, sensor });
        }
    }

    fn push(&mut self, slots: [u32; 2], numbers: [u32; 2], hit: Collision) {
        let at = self.free.pop().unwrap_or(self.impacts.len() as u32);
        if at as usize == self.impacts.len() {
            self.impacts.push(hit);
        } else {
            self.impacts[at as usize] = hit;
        }
        self.queue.push(Event { key: key(hit.impact.time, [slots[0] + 1, slots[1]]), numbers, at });
    }

    /// What comes next, of which none has begun another leg in the meantime.
    pub(super) fn next(&mut self, bodies: &Masses, legs: &[TrajectorySegment]) -> Option<NextEvent> {
        while let Some(Event { key, numbers, at }) = self.queue.pop() {
            let (time, first, second) = (f64::from_bits((key >> 64) as u64), (key >> 32) as u32, key as u32);
            if first == 0 {
                if legs[second as usize].number == numbers[0] {
                    return Some(NextEvent::Piece(second as usize, time));
                }
                continue;
            }
            self.free.push(at);
            let hit = self.impacts[at as usize];
            let number = |handle: Handle| bodies.place(handle).map_or(0, |place| legs[place].number);
            if second == WALL && number(hit.a) == numbers[0] {
                return Some(NextEvent::Wall(hit));
            } else if second != WALL
                && [number(hit.a), number(hit.b)] == numbers
                && !self.has_passed([first - 1, second], numbers)
            {
                return Some(NextEvent::Pair(hit, numbers));
            }
        }
        None
    }

    fn has_passed(&self, slots: [u32; 2], numbers: [u32; 2]) -> bool {
        !self.passed.is_empty() && self.passed.contains(&(slots, numbers))
    }

    /// Two that met go on as if they had not.
    pub(super) fn let_pass(&mut self, [a, b]: [Handle; 2], numbers: [u32; 2]) {
        self.passed.insert(([a.index() as u32, b.index() as u32], numbers));
    }
}

fn first_reach(leg: &TrajectorySegment) -> f64 {
    FIRST_REACH * leg.radius
}

/// An impact of which only the time matters.
fn at_wall(time: f64) -> Impact {
    Impact { time, normal: DVec2::ZERO, point: DVec2::ZERO, initial_depth: None, part_a: 0, part_b: 0 }
}
