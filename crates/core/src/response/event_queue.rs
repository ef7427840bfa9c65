//! Predicts the next impact of each fast particle and returns the events in the order of time.
//!
//! Input: the trajectory segments of the particles and the world. Output: impacts and ends of
//! pieces. One queue has the events of cell crossings and of collisions (Rapaport, *The event
//! scheduling problem in molecular dynamic simulation*, 1980).
//!
//! The simple version tests all colliders in the swept AABB of a whole segment:
//!
//! ```text
//! for each fast particle
//!     for each collider in its swept AABB: queue the first impact
//! ```
//!
//! In a crowd, a long segment passes hundreds of colliders but ends at its first impact. So each
//! segment is divided into pieces, and only colliders near the current piece are tested:
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
use core::cmp::Reverse;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::bounce::NOISE;
use super::environment::Environment;
use super::masses::Masses;
use super::trajectory::TrajectorySegment;
use crate::broad_phase::{Aabb32, BroadPhase, Bvh, Filter, LocalOrigin};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    /// Sort key: see [`key`].
    key: u128,
    /// Numbers of the segments of both particles at the time of the prediction.
    numbers: [u32; 2],
    /// Index of the impact in `impacts`.
    impact: u32,
}

/// Returns the sort key: the bits of the time, then two slots, the first one plus 1. Times are not
/// negative, so the order of their bits is that of the times. The end of a piece has 0 and the body
/// index instead of the slots. So it comes before all impacts of the same time.
fn key(time: f64, slots: [u32; 2]) -> u128 {
    u128::from(time.to_bits()) << 64 | u128::from(slots[0]) << 32 | u128::from(slots[1])
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
    queue: BinaryHeap<Reverse<Event>>,
    /// Impacts of the queued events, and the unused indices among them.
    impacts: Vec<Collision>,
    free: Vec<u32>,
    /// Upper bound of the coordinate change of a particle that does not fly.
    farthest: f64,
    /// Origin of the swept AABBs.
    origin: DVec2,
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
    pub(super) fn begin(
        &mut self,
        environment: &Environment<'_>,
        segments: &mut [TrajectorySegment],
        fast: &[usize],
        farthest: f64,
    ) {
        (self.farthest, self.origin) = (farthest, fast.first().map_or(DVec2::ZERO, |&index| segments[index].origin));
        self.queue.clear();
        self.impacts.clear();
        self.free.clear();
        self.passed.clear();
        self.boxes.clear();
        self.boxes.resize(segments.len(), Aabb32 { min: [0.0; 2], max: [0.0; 2] });
        for &index in fast {
            segments[index].piece_length = first_piece_length(&segments[index]);
            self.begin_piece(environment, segments, index, 0.0);
        }
        self.contains_all = 2 * fast.len() >= environment.world.len();
        let Self { boxes, contains_all, origin, .. } = &*self;
        let flying = fast.iter().map(|&index| (index as u32, boxes[index], Filter::default(), true));
        let others = environment.world.colliders().filter(|_| *contains_all).filter_map(|(handle, collider)| {
            let index = environment.bodies.index(handle);
            let aabb = match index {
                Some(index) if segments[index].flies => return None,
                Some(index) => environment.swept(index, &segments[index], 0.0),
                None => collider.placed().aabb(),
            };
            Some((
                index.unwrap_or(segments.len() + handle.index()) as u32,
                LocalOrigin::new(*origin).to_local(&aabb),
                Filter::default(),
                false,
            ))
        });
        self.tree = Bvh::from_boxes(flying.chain(others));
        for &index in fast {
            // If both predict, only one of the two tests the pair.
            self.find_candidates(environment, segments, index, 0.0, &|other, second| other < index && second.flies);
        }
    }

    /// Begins the next piece of a segment at a time. Queues the end of the piece if it is before
    /// the end of the segment.
    fn begin_piece(
        &mut self,
        environment: &Environment<'_>,
        segments: &mut [TrajectorySegment],
        index: usize,
        now: f64,
    ) {
        let segment = &mut segments[index];
        segment.begin_piece(now);
        if segment.piece_end < f64::INFINITY {
            let key = key(segment.piece_end, [0, index as u32]);
            self.queue.push(Reverse(Event { key, numbers: [segment.impact_count, 0], impact: 0 }));
        }
        self.boxes[index] = LocalOrigin::new(self.origin).to_local(&environment.swept(index, segment, now));
    }

    /// Begins the next piece of a segment, which may be its first one. If `joins`, the particle
    /// starts to fly now. The impacts of the piece are not predicted yet.
    pub(super) fn start_segment(
        &mut self,
        environment: &Environment<'_>,
        segments: &mut [TrajectorySegment],
        index: usize,
        now: f64,
        joins: bool,
    ) {
        if joins {
            segments[index].piece_length = first_piece_length(&segments[index]);
        }
        self.begin_piece(environment, segments, index, now);
        if joins {
            self.tree.insert(index as u32, self.boxes[index], Filter::default(), true);
        } else {
            self.tree.update(index as u32, self.boxes[index]);
        }
    }

    /// Predicts the impacts of the piece that begins now, except with particles for which `tested`
    /// returns true: these have tested the pair already.
    pub(super) fn find_candidates(
        &mut self,
        environment: &Environment<'_>,
        segments: &mut [TrajectorySegment],
        index: usize,
        now: f64,
        tested: &dyn Fn(usize, &TrajectorySegment) -> bool,
    ) {
        let (handle, segment) = (environment.bodies.handles()[index], segments[index]);
        if now <= segment.from
            && let Some(time) = environment.wall_ahead(index, &segment)
        {
            let hit = Collision { a: handle, b: Handle::NONE, impact: at_wall(time), sensor: false };
            self.push([handle.index() as u32, WALL], [segment.impact_count, 0], hit);
        }
        let mut near = core::mem::take(&mut self.near);
        near.clear();
        let mut shorter = 0;
        if !self.contains_all {
            environment.world.for_each_in_aabb(
                &environment.swept(index, &segment, now).grown(self.farthest),
                |other| {
                    let second = environment.bodies.index(other).map(|index| &segments[index]);
                    if second.is_none_or(|second| !second.flies) {
                        shorter += usize::from(environment.world.size(other) <= 2.0 * segment.piece_length);
                        if second.is_none_or(|second| !segment.keeps_apart(second, now)) {
                            near.push(other);
                        }
                    }
                },
            );
        }
        self.tree.query_aabb(self.boxes[index], &mut |other| {
            let other = other as usize;
            if let Some(second) = segments.get(other) {
                shorter += usize::from(second.bounding_radius <= segment.piece_length);
                if other != index && !tested(other, second) && !segment.keeps_apart(second, now) {
                    near.push(environment.bodies.handles()[other]);
                }
            } else {
                near.extend(environment.world.handle_at(other - segments.len()));
            }
            Continue(())
        });
        for &other in &near {
            self.predict(environment, segments, [handle.min(other), handle.max(other)], now);
        }
        let next = &mut segments[index];
        if shorter <= FEW || next.pieces > CONSTANT_PIECES {
            next.piece_length *= 2.0;
        } else if shorter > MANY && next.piece_length > next.bounding_radius {
            next.piece_length *= 0.5;
        }
        self.near = near;
    }

    /// Computes the first impact of two colliders and queues it if it is within both current
    /// pieces.
    fn predict(
        &mut self,
        environment: &Environment<'_>,
        segments: &[TrajectorySegment],
        [a, b]: [Handle; 2],
        now: f64,
    ) {
        let Some(sensor) = environment.world.may_collide(a, b) else { return };
        let (p, q) = (environment.bodies.index(a), environment.bodies.index(b));
        let segment = |index: Option<usize>| index.map(|index| &segments[index]);
        let (first_leg, second_leg) = (segment(p), segment(q));
        let number = |segment: Option<&TrajectorySegment>| segment.map_or(0, |segment| segment.impact_count);
        let (slots, numbers) = ([a.index() as u32, b.index() as u32], [number(first_leg), number(second_leg)]);
        if self.has_passed(slots, numbers) {
            return;
        }
        let from = first_leg.map_or(0.0, |segment| segment.from).max(second_leg.map_or(0.0, |segment| segment.from));
        let (Some(first), Some(second)) =
            (environment.sweep(a, first_leg, from), environment.sweep(b, second_leg, from))
        else {
            return;
        };
        let noise = NOISE * (norm1(first.translation()) + norm1(second.translation()));
        let Some(mut impact) = first_approach(&first, &second, environment.min_approach([a, b], [p, q], noise)) else {
            return;
        };
        // A sensor that overlaps at the start of a segment was reported before.
        if impact.initial_depth.take().is_some() && sensor {
            return;
        }
        // The tolerance can put the impact slightly before the end of the last piece: it counts as
        // now.
        impact.time = (from + impact.time * (1.0 - from)).max(now);
        let piece_end =
            |segment: Option<&TrajectorySegment>| segment.map_or(f64::INFINITY, |segment| segment.piece_end);
        if impact.time < piece_end(first_leg).min(piece_end(second_leg)) {
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
        let key = key(hit.impact.time, [slots[0] + 1, slots[1]]);
        self.queue.push(Reverse(Event { key, numbers, impact: at }));
    }

    /// Pops the next event whose particles are still on the same segments; `None` if the queue is
    /// empty.
    pub(super) fn next(&mut self, bodies: &Masses, segments: &[TrajectorySegment]) -> Option<NextEvent> {
        while let Some(Reverse(Event { key, numbers, impact: at })) = self.queue.pop() {
            let (time, first, second) = (f64::from_bits((key >> 64) as u64), (key >> 32) as u32, key as u32);
            if first == 0 {
                if segments[second as usize].impact_count == numbers[0] {
                    return Some(NextEvent::Piece(second as usize, time));
                }
                continue;
            }
            self.free.push(at);
            let hit = self.impacts[at as usize];
            let number = |handle: Handle| bodies.index(handle).map_or(0, |index| segments[index].impact_count);
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
        !self.passed.is_empty() && self.passed.get(&passed_key(slots, numbers)).is_some()
    }

    /// Marks a pair as passed: the two go on, and their impact on these segments is ignored from
    /// now on.
    pub(super) fn let_pass(&mut self, [a, b]: [Handle; 2], numbers: [u32; 2]) {
        self.passed.insert(passed_key([a.index() as u32, b.index() as u32], numbers), 0);
    }
}

fn first_piece_length(segment: &TrajectorySegment) -> f64 {
    FIRST_PIECE_RADII * segment.bounding_radius
}

/// Returns an impact of which only the time matters.
fn at_wall(time: f64) -> Impact {
    Impact { time, normal: DVec2::ZERO, point: DVec2::ZERO, initial_depth: None, part_a: 0, part_b: 0 }
}
