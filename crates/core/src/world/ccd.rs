//! Colliders that move during an update, and what they run into on their way.
//!
//! ```text
//! boxes around whole motions                         pairs of which one moves, as the broad phase finds them
//! the first impact of each pair, earliest first      by time of impact
//!     a solid one stops both: from there on they are at rest, and their pairs are asked again for the time that is left
//! every mover is put where it stopped, or at its end
//! ```

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::World;
use super::collider_set::{ColliderSet, ENABLED, FIXED, HAS_DISABLED_PAIRS, IN_MOTION, SENSOR};
use super::command::Command;
use super::disabled_pairs::DisabledPairs;
use super::handle::Handle;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::query::{Impact, ShapeHit, time_of_impact};
use crate::shape::Sweep;

/// A collider that ran into another one on its [motion](World::set_motion).
///
/// ```
/// use carom::{Collider, DVec2, Shape, World};
///
/// let mut world = World::new();
/// let floor = world.insert(Collider::new(Shape::rectangle(10.0, 2.0)?).fixed(true)); // its top is y = 1
/// let ball = world.insert(Collider::new(Shape::circle(1.0)?).at([0.0, 6.0])?);
/// world.set_motion(ball, [2.0, -8.0], 0.0)?;
/// world.update();
/// let hit = world.motion_hits().next().unwrap();
/// assert_eq!((hit.mover, hit.other, hit.hit.normal), (ball, floor, DVec2::Y)); // the normal of the floor
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionHit {
    /// The collider that moved; if both did at that time, the one with the lower handle.
    pub mover: Handle,
    /// The collider that it hit.
    pub other: Handle,
    /// When, where and how: the normal is that of the surface of `other`, and the time is a fraction of the update's motion.
    pub hit: ShapeHit,
    /// If true, one of them is a sensor, and neither stopped.
    pub sensor: bool,
}

/// Two colliders that ran into each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The first collider: the one with the lower handle.
    pub a: Handle,
    /// The second collider.
    pub b: Handle,
    /// When, where and how: the normal leads from `a` to `b`, the time is a part of the update's motion.
    pub impact: Impact,
    /// Is one of them a sensor? Then neither stopped.
    pub sensor: bool,
}

/// A motion that the next update makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PendingMotion {
    pub(super) slot: u32,
    pub(super) translation: DVec2,
    pub(super) turning: f64,
}

/// A collision during an update, and which of the two moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped {
    pub(super) collision: Collision,
    /// If true, the second collider moved at that time and the first one did not.
    pub(super) by_second: bool,
}

impl Stopped {
    fn seen_by_mover(&self) -> MotionHit {
        let Collision { a, b, impact, sensor } = self.collision;
        if self.by_second {
            MotionHit { mover: b, other: a, hit: ShapeHit::of_second(&impact), sensor }
        } else {
            MotionHit { mover: a, other: b, hit: ShapeHit::of_first(&impact), sensor }
        }
    }
}

/// Motions that were asked for, and what the last ones ran into.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingMotions {
    /// In the order of the calls: of a collider the last one counts, and none where the flag was taken back.
    pub(super) asked: Vec<PendingMotion>,
    pub(super) collisions: Vec<Stopped>,
    /// Along the motions: the box around each, and when it stops.
    boxes: Vec<Aabb>,
    stops: Vec<f64>,
    /// Pairs of which one moves, by slots.
    pairs: Vec<SweptPair>,
    /// The pairs of each mover: its place among the motions, that of the pair.
    of_mover: Vec<[u32; 2]>,
    /// Times, pairs and versions, the earliest first. Times are not negative, so their bits are ordered as they are.
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

/// Two colliders of which one moves at least.
#[derive(Clone, Copy, Debug)]
struct SweptPair {
    slots: [u32; 2],
    /// Their next impact, and how often it was worked out.
    next: Option<Impact>,
    version: u32,
    /// Do they let each other be from now on?
    done: bool,
}

impl World {
    /// Lets a collider move by a translation, and turn by an angle in radians, during the next update: however fast it is, it passes nothing.
    ///
    /// It stops where it first runs into another collider, one in motion too perhaps, that neither is a sensor nor overlaps it where the motion starts;
    /// [`motion_hits`](World::motion_hits) tell when and where. What it overlaps at the start is a contact like any other and does not stop it. One that stops comes to lie as near as
    /// [`time_of_impact`] leaves it: touching, or closer than 1e-7 of its size. [`set_pose`](World::set_pose) and the update itself end the motion.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let bullet = world.insert(Collider::new(Shape::circle(0.1)?).at([-500.0, 0.0])?);
    /// let wall = world.insert(Collider::new(Shape::rectangle(0.001, 10.0)?).fixed(true));
    /// world.set_motion(bullet, [1000.0, 0.0], 0.0)?;
    /// world.update();
    /// let hit = world.motion_hits().next().unwrap();
    /// assert!((hit.mover, hit.other) == (bullet, wall) && (hit.hit.time - 0.5).abs() < 1e-3);
    /// assert!(world.pose(bullet).unwrap().translation().x < 0.0); // in front of it
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A stale handle; a motion that [`Placed::sweep`](crate::Placed::sweep) or [`Sweep::turning`] refuses.
    pub fn set_motion(&mut self, handle: Handle, translation: impl IntoPoint, turning: f64) -> Result<(), Error> {
        let (slot, translation) = (self.columns.expect(handle)?, translation.into_point());
        self.columns.placed(slot).sweep(translation)?.with_rotation(turning)?;
        self.record(|| Command::SetMotion(handle, translation, turning));
        self.columns.set(slot, IN_MOTION, true);
        self.motions.asked.push(PendingMotion { slot, translation, turning });
        Ok(())
    }

    /// Returns the colliders that ran into others during the last update, sorted by time, then by handles (the lower one of each pair first). Each pair occurs at most
    /// once, and never after both have stopped.
    pub fn motion_hits(&self) -> impl ExactSizeIterator<Item = MotionHit> + Clone + '_ {
        self.motions.collisions.iter().map(Stopped::seen_by_mover)
    }

    /// Moves what is to move, as far as it gets.
    pub(super) fn make_motions(&mut self) {
        self.motions.collisions.clear();
        if self.motions.asked.is_empty() {
            return;
        }
        let mut motions = core::mem::take(&mut self.motions);
        motions.keep_last(&self.columns);
        self.find_swept_pairs(&mut motions);
        motions.run(self);
        for (motion, &stop) in motions.asked.iter().zip(&motions.stops) {
            let pose = motion.sweep(&self.columns).at(stop).pose();
            self.columns.set(motion.slot, IN_MOTION, false);
            self.place(motion.slot, pose);
        }
        motions.asked.clear();
        self.motions = motions;
    }

    /// Every pair of which one moves, whose boxes around the whole motion meet and that may meet at all.
    fn find_swept_pairs(&mut self, motions: &mut PendingMotions) {
        let Self { columns, space, rules, .. } = self;
        motions.boxes.clear();
        motions.boxes.extend(motions.asked.iter().map(|motion| motion.sweep(columns).aabb()));
        let there = |motion: &PendingMotion| columns.is(motion.slot, ENABLED);
        for (motion, aabb) in motions.asked.iter().zip(&motions.boxes).filter(|(motion, _)| there(motion)) {
            space.update(motion.slot, aabb);
        }
        motions.pairs.clear();
        let PendingMotions { asked, boxes, pairs, .. } = motions;
        for (motion, aabb) in asked.iter().zip(&*boxes).filter(|(motion, _)| there(motion)) {
            space.visit_box(aabb, &mut |other| {
                // Two movers find each other twice.
                let moves = columns.is(other, IN_MOTION);
                let bounds = if moves { boxes[place_of(asked, other)] } else { columns.spots[other as usize].aabb };
                if !(moves && other <= motion.slot)
                    && bounds.intersects(aabb)
                    && may_collide(columns, rules, [motion.slot, other])
                {
                    let slots = [motion.slot.min(other), motion.slot.max(other)];
                    pairs.push(SweptPair { slots, next: None, version: 0, done: false });
                }
                Continue(())
            });
        }
        pairs.sort_unstable_by_key(|pair| pair.slots);
        for motion in asked.iter().filter(|motion| there(motion)) {
            space.update(motion.slot, &columns.spots[motion.slot as usize].aabb);
        }
    }
}

/// The place of a mover among the motions, which are sorted by slots.
fn place_of(asked: &[PendingMotion], slot: u32) -> usize {
    asked.partition_point(|motion| motion.slot < slot)
}

/// Do filters and rules let two colliders meet?
pub(super) fn may_collide(columns: &ColliderSet, rules: &DisabledPairs, [a, b]: [u32; 2]) -> bool {
    let off = is_off(columns, rules, [a, b]);
    let fixed = columns.is(a, FIXED) && columns.is(b, FIXED);
    columns.filters[a as usize].should_collide(columns.filters[b as usize]) && !off && !fixed
}

/// Is a pair switched off?
#[inline(always)]
pub(super) fn is_off(columns: &ColliderSet, rules: &DisabledPairs, [a, b]: [u32; 2]) -> bool {
    !rules.is_empty()
        && columns.is(a, HAS_DISABLED_PAIRS)
        && columns.is(b, HAS_DISABLED_PAIRS)
        && rules.disable(columns.handle(a), columns.handle(b))
}

impl PendingMotion {
    /// As the shape and pose of its collider are now.
    fn sweep<'a>(&self, columns: &'a ColliderSet) -> Sweep<'a> {
        self.part_of_sweep(columns, 0.0)
    }

    /// What is left of it at a time. The whole of it was in range, so every part of it is.
    fn part_of_sweep<'a>(&self, columns: &'a ColliderSet, from: f64) -> Sweep<'a> {
        let placed = columns.placed(self.slot);
        let sweep =
            placed.sweep(self.translation).and_then(|sweep| sweep.with_rotation(self.turning)).unwrap_or(placed.into());
        if from == 0.0 {
            return sweep;
        }
        let (start, left) = (sweep.at(from), 1.0 - from);
        start
            .sweep(self.translation * left)
            .and_then(|sweep| sweep.with_rotation(self.turning * left))
            .unwrap_or(start.into())
    }
}

impl PendingMotions {
    /// As they were stored.
    pub(super) fn restored(asked: Vec<PendingMotion>, collisions: Vec<Stopped>) -> Self {
        Self { asked, collisions, ..Self::default() }
    }

    /// Sorted by slots; of each that still is to move, the motion that was asked for last.
    pub(super) fn keep_last(&mut self, columns: &ColliderSet) {
        self.asked.retain(|motion| columns.is(motion.slot, IN_MOTION));
        // The later ones first, so that they are those that stay.
        self.asked.reverse();
        self.asked.sort_by_key(|motion| motion.slot);
        self.asked.dedup_by_key(|motion| motion.slot);
    }

    /// From impact to impact.
    fn run(&mut self, world: &World) {
        self.stops.clear();
        self.stops.resize(self.asked.len(), 1.0);
        self.of_mover.clear();
        for (i, pair) in self.pairs.iter().enumerate() {
            let movers = pair.slots.into_iter().filter(|&slot| world.columns.is(slot, IN_MOTION));
            self.of_mover.extend(movers.map(|slot| [place_of(&self.asked, slot) as u32, i as u32]));
        }
        self.of_mover.sort_unstable();
        self.queue.clear();
        for i in 0..self.pairs.len() {
            self.ask(i, 0.0, world);
        }
        while let Some(Reverse((_, i, version))) = self.queue.pop() {
            let pair = self.pairs[i as usize];
            if pair.version == version
                && !pair.done
                && let Some(impact) = pair.next
            {
                self.collide(i as usize, impact, world);
            }
        }
        self.collisions.sort_by(|Stopped { collision: p, .. }, Stopped { collision: q, .. }| {
            p.impact.time.total_cmp(&q.impact.time).then((p.a, p.b).cmp(&(q.a, q.b)))
        });
    }

    /// The place of a slot among the motions, if it still moves at a time.
    fn mover(&self, slot: u32, columns: &ColliderSet, time: f64) -> Option<usize> {
        let place = columns.is(slot, IN_MOTION).then(|| place_of(&self.asked, slot));
        place.filter(|&place| self.stops[place] > time)
    }

    /// Works out the next impact of a pair from a time on.
    fn ask(&mut self, i: usize, from: f64, world: &World) {
        let columns = &world.columns;
        let mut pair = self.pairs[i];
        let [a, b] = pair.slots.map(|slot| match self.mover(slot, columns, from) {
            Some(place) => self.asked[place].part_of_sweep(columns, from),
            None if columns.is(slot, IN_MOTION) => {
                let place = place_of(&self.asked, slot);
                self.asked[place].sweep(columns).at(self.stops[place]).into()
            }
            None => columns.placed(slot).into(),
        });
        pair.version += 1;
        pair.next = time_of_impact(a, b);
        // What overlaps from the start is a contact, not a collision.
        pair.done |= from == 0.0 && pair.next.is_some_and(|impact| impact.initial_depth.is_some());
        if let Some(impact) = &mut pair.next {
            impact.time = from + impact.time * (1.0 - from);
            impact.initial_depth = None;
            self.queue.push(Reverse((impact.time.to_bits(), i as u32, pair.version)));
        }
        self.pairs[i] = pair;
    }

    /// Two colliders have run into each other.
    fn collide(&mut self, i: usize, impact: Impact, world: &World) {
        let columns = &world.columns;
        let [a, b] = self.pairs[i].slots;
        self.pairs[i].done = true;
        let then = [a, b].map(|slot| {
            let place = columns.is(slot, IN_MOTION).then(|| place_of(&self.asked, slot));
            place.map_or(columns.spots[slot as usize].pose, |i| {
                self.asked[i].sweep(columns).at(impact.time.min(self.stops[i])).pose()
            })
        });
        if !world.is_from_the_front([a, b], then, &impact) {
            return;
        }
        let sensor = columns.is(a, SENSOR) || columns.is(b, SENSOR);
        let collision = Collision { a: columns.handle(a), b: columns.handle(b), impact, sensor };
        let by_second = self.mover(a, columns, impact.time).is_none() && self.mover(b, columns, impact.time).is_some();
        self.collisions.push(Stopped { collision, by_second });
        if sensor {
            return;
        }
        let stopped = [a, b].map(|slot| self.mover(slot, columns, impact.time));
        for place in stopped.into_iter().flatten() {
            self.stops[place] = impact.time;
        }
        for place in stopped.into_iter().flatten() {
            let from = self.of_mover.partition_point(|&[mover, _]| (mover as usize) < place);
            for k in from..self.of_mover.len() {
                let [mover, other] = self.of_mover[k];
                if mover as usize != place {
                    break;
                }
                let pair = self.pairs[other as usize];
                if !pair.done {
                    let moving = pair.slots.iter().any(|&slot| self.mover(slot, columns, impact.time).is_some());
                    // Two that are at rest meet nothing new.
                    if moving {
                        self.ask(other as usize, impact.time, world)
                    } else {
                        self.pairs[other as usize].done = true
                    }
                }
            }
        }
    }
}
