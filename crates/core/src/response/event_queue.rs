//! Event queue of the event-driven solver: predicts the next impact of each fast particle.
//!
//! Input: the trajectory segments of the particles and the world. Output: the events of a step in
//! the order of time. The trajectory segment of a particle is divided into pieces. Only colliders
//! near the current piece are tested, so in a crowd the cost does not grow with the length of the
//! path. (Cells and their crossings: Rapaport, *The event scheduling problem in molecular dynamic
//! simulation*, 1980.)
//!
//! ```text
//! at the start of a piece of a particle:
//!     put the swept AABB of the piece into a BVH
//!     for each collider whose AABB intersects the swept AABB:
//!         compute the first impact of the two
//!         if it is before the end of both current pieces: push it into the queue
//!         (a later impact is found again when the next piece begins)
//!     push the end of the piece into the queue
//! pop the earliest event; skip it if one of its particles has begun a new segment since
//! ```
//!
//! An impact is always computed from the start of the later one of both segments. So the pieces
//! decide which pairs are tested, but never change the result of a test.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::bounce::NOISE;
use super::environment::Environment;
use super::masses::Masses;
use super::trajectory::TrajectorySegment;
use crate::broad_phase::{Aabb32, BroadPhase, Bvh, Filter};
use crate::math::ordered_map::KeyMap;
use crate::math::vector::norm1;
use crate::query::{Impact, first_approach};
use crate::world::{Collision, Handle};

/// Length of the first piece, in radii of the collider.
const FIRST_PIECE_RADII: f64 = 2.0;

/// Adapts the length of the pieces. If at most `FEW` colliders are near a piece (including the
/// particle itself), the next piece is twice as long. If more than `MANY` are near, the next piece
/// is half as long, but not shorter than the radius. Colliders larger than the length of the piece
/// do not count: a shorter piece would have as many of them near.
const FEW: usize = 1;
const MANY: usize = 6;

/// After this number of pieces of a segment, each piece is twice as long as the one before. So the
/// number of pieces grows with the logarithm of the path length, even for a tiny collider.
const CONSTANT_PIECES: u32 = 8;

/// Second slot of an impact with a wall: sorts after all colliders.
const WALL: u32 = u32::MAX;

/// A predicted event. It is valid as long as none of its particles begins another trajectory
/// segment.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// Sort key: see [`key`].
    key: u128,
    /// Numbers of the segments of both particles at the time of the prediction.
    numbers: [u32; 2],
    /// Index of the impact in `impacts`.
    impact: u32,
}

/// Returns the sort key: the bits of the time (not negative, so their order is that of the times),
/// then two slots, the first one plus 1. The end of a piece has 0 and the body index instead of the
/// slots. So it comes before all impacts of the same time.
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

/// Reversed order, because [`BinaryHeap`] pops the greatest element: the earliest event is the
/// greatest.
impl Ord for Event {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

/// The next valid event.
pub(super) enum NextEvent {
    /// A particle (body index) reaches the end of a piece of its segment at a time.
    Piece(usize, f64),
    /// A particle hits a wall.
    Wall(Collision),
    /// Two colliders hit each other, on segments with these numbers.
    Pair(Collision, [u32; 2]),
}

/// Predicted events of all particles that are simulated by events ("flying").
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    queue: BinaryHeap<Event>,
    /// Impacts of the queued events, and the unused indices among them.
    impacts: Vec<Collision>,
    free: Vec<u32>,
    /// Swept AABBs of the current pieces of flying particles, by body index, and a BVH of them. The
    /// broad phase of the world is not changed.
    boxes: Vec<Aabb32>,
    tree: Bvh,
    /// If true, `tree` contains all other colliders too, with their AABBs of this step. A collider
    /// that is no particle has the id (number of particles + slot).
    contains_all: bool,
    near: Vec<Handle>,
    /// Pairs of slots, and their segment numbers, that passed through each other: for example
    /// sensors and one-way colliders.
    passed: KeyMap,
}

/// Returns a pair of slots and their segment numbers as a key of [`EventQueue::passed`].
fn passed_key([a, b]: [u32; 2], [of_a, of_b]: [u32; 2]) -> [u64; 3] {
    [u64::from(a) << 32 | u64::from(b), u64::from(of_a) << 32 | u64::from(of_b), 0]
}

impl EventQueue {
    /// Predicts the first impacts of all particles that fly from the start of the step.
    pub(super) fn begin(&mut self, field: &Environment<'_>, legs: &mut [TrajectorySegment], fast: &[usize]) {
        self.queue.clear();
        self.impacts.clear();
        self.free.clear();
        self.passed.clear();
        self.boxes.clear();
        self.boxes.resize(legs.len(), Aabb32 { min: [0.0; 2], max: [0.0; 2] });
        for &place in fast {
            legs[place].piece_length = first_piece_length(&legs[place]);
            self.begin_piece(field, legs, place, 0.0);
        }
        self.contains_all = 2 * fast.len() >= field.world.len();
        let Self { boxes, contains_all: holds_all, .. } = &*self;
        let flying = fast.iter().map(|&place| (place as u32, boxes[place], Filter::default(), true));
        let others = field.world.colliders().filter(|_| *holds_all).filter_map(|(handle, collider)| {
            let place = field.bodies.index(handle);
            let aabb = match place {
                Some(place) if legs[place].flies => return None,
                Some(place) => field.swept(place, &legs[place], 0.0),
                None => collider.placed().aabb(),
            };
            Some((
                place.unwrap_or(legs.len() + handle.index()) as u32,
                field.local_origin.to_local(&aabb),
                Filter::default(),
                false,
            ))
        });
        self.tree = Bvh::from_boxes(flying.chain(others));
        for &place in fast {
            // If both predict, only one of the two tests the pair.
            self.find_candidates(field, legs, place, 0.0, &|other, second| other < place && second.flies);
        }
    }

    /// Begins the next piece of a segment at a time. Queues the end of the piece if it is before
    /// the end of the segment.
    fn begin_piece(&mut self, field: &Environment<'_>, legs: &mut [TrajectorySegment], place: usize, now: f64) {
        let leg = &mut legs[place];
        leg.begin_piece(now);
        if leg.piece_end < f64::INFINITY {
            self.queue.push(Event {
                key: key(leg.piece_end, [0, place as u32]),
                numbers: [leg.impact_count, 0],
                impact: 0,
            });
        }
        self.boxes[place] = field.local_origin.to_local(&field.swept(place, leg, now));
    }

    /// Begins the next piece of a segment, which may be its first one. If `joins`, the particle
    /// starts to fly now. The impacts of the piece are not predicted yet.
    pub(super) fn start_segment(
        &mut self,
        field: &Environment<'_>,
        legs: &mut [TrajectorySegment],
        place: usize,
        now: f64,
        joins: bool,
    ) {
        if joins {
            legs[place].piece_length = first_piece_length(&legs[place]);
        }
        self.begin_piece(field, legs, place, now);
        if joins {
            self.tree.insert(place as u32, self.boxes[place], Filter::default(), true);
        } else {
            self.tree.update(place as u32, self.boxes[place]);
        }
    }

    /// Predicts the impacts of the piece that begins now, except with particles for which `tested`
    /// returns true: these have tested the pair already.
    pub(super) fn find_candidates(
        &mut self,
        field: &Environment<'_>,
        legs: &mut [TrajectorySegment],
        place: usize,
        now: f64,
        tested: &dyn Fn(usize, &TrajectorySegment) -> bool,
    ) {
        let (handle, leg) = (field.bodies.handles()[place], legs[place]);
        if now <= leg.from
            && let Some(time) = field.wall_ahead(place, &leg)
        {
            let hit = Collision { a: handle, b: Handle::NONE, impact: at_wall(time), sensor: false };
            self.push([handle.index() as u32, WALL], [leg.impact_count, 0], hit);
        }
        let mut near = core::mem::take(&mut self.near);
        near.clear();
        let mut shorter = 0;
        if !self.contains_all {
            field.world.for_each_in_aabb(&field.swept(place, &leg, now).grown(field.farthest), |other| {
                let second = field.bodies.index(other).map(|place| &legs[place]);
                if second.is_none_or(|second| !second.flies) {
                    shorter += usize::from(field.world.size(other) <= 2.0 * leg.piece_length);
                    if second.is_none_or(|second| !leg.keeps_apart(second, now)) {
                        near.push(other);
                    }
                }
            });
        }
        self.tree.query_aabb(self.boxes[place], &mut |other| {
            let other = other as usize;
            if let Some(second) = legs.get(other) {
                shorter += usize::from(second.bounding_radius <= leg.piece_length);
                if other != place && !tested(other, second) && !leg.keeps_apart(second, now) {
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
        if shorter <= FEW || next.pieces > CONSTANT_PIECES {
            next.piece_length *= 2.0;
        } else if shorter > MANY && next.piece_length > next.bounding_radius {
            next.piece_length *= 0.5;
        }
        self.near = near;
    }

    /// Computes the first impact of two colliders and queues it if it is within both current
    /// pieces.
    fn predict(&mut self, field: &Environment<'_>, legs: &[TrajectorySegment], [a, b]: [Handle; 2], now: f64) {
        let Some(sensor) = field.world.may_collide(a, b) else { return };
        let (p, q) = (field.bodies.index(a), field.bodies.index(b));
        let leg = |place: Option<usize>| place.map(|place| &legs[place]);
        let (first_leg, second_leg) = (leg(p), leg(q));
        let number = |leg: Option<&TrajectorySegment>| leg.map_or(0, |leg| leg.impact_count);
        let (slots, numbers) = ([a.index() as u32, b.index() as u32], [number(first_leg), number(second_leg)]);
        if self.has_passed(slots, numbers) {
            return;
        }
        let from = first_leg.map_or(0.0, |leg| leg.from).max(second_leg.map_or(0.0, |leg| leg.from));
        let (Some(first), Some(second)) = (field.sweep(a, first_leg, from), field.sweep(b, second_leg, from)) else {
            return;
        };
        let noise = NOISE * (norm1(first.translation()) + norm1(second.translation()));
        let Some(mut impact) = first_approach(&first, &second, field.min_approach([a, b], [p, q], noise)) else {
            return;
        };
        // A sensor that overlaps at the start of a segment was reported before.
        if impact.initial_depth.take().is_some() && sensor {
            return;
        }
        // The tolerance can put the impact slightly before the end of the last piece: it counts as
        // now.
        impact.time = (from + impact.time * (1.0 - from)).max(now);
        let until = |leg: Option<&TrajectorySegment>| leg.map_or(f64::INFINITY, |leg| leg.piece_end);
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
        self.queue.push(Event { key: key(hit.impact.time, [slots[0] + 1, slots[1]]), numbers, impact: at });
    }

    /// Pops the next event whose particles are still on the same segments; `None` if the queue is
    /// empty.
    pub(super) fn next(&mut self, bodies: &Masses, legs: &[TrajectorySegment]) -> Option<NextEvent> {
        while let Some(Event { key, numbers, impact: at }) = self.queue.pop() {
            let (time, first, second) = (f64::from_bits((key >> 64) as u64), (key >> 32) as u32, key as u32);
            if first == 0 {
                if legs[second as usize].impact_count == numbers[0] {
                    return Some(NextEvent::Piece(second as usize, time));
                }
                continue;
            }
            self.free.push(at);
            let hit = self.impacts[at as usize];
            let number = |handle: Handle| bodies.index(handle).map_or(0, |place| legs[place].impact_count);
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
        !self.passed.is_empty() && self.passed.contains_key(&passed_key(slots, numbers))
    }

    /// Marks a pair as passed: the two go on, and their impact on these segments is ignored from
    /// now on.
    pub(super) fn let_pass(&mut self, [a, b]: [Handle; 2], numbers: [u32; 2]) {
        self.passed.insert(passed_key([a.index() as u32, b.index() as u32], numbers), 0);
    }
}

fn first_piece_length(leg: &TrajectorySegment) -> f64 {
    FIRST_PIECE_RADII * leg.bounding_radius
}

/// Returns an impact of which only the time matters.
fn at_wall(time: f64) -> Impact {
    Impact { time, normal: DVec2::ZERO, point: DVec2::ZERO, initial_depth: None, part_a: 0, part_b: 0 }
}
