//! Moves colliders with pending motions up to their first impact: continuous collision detection.
//!
//! Input: the colliders, and a translation and rotation for each mover. Output: the time at which
//! each mover stops, its pose there, and the impacts.
//!
//! The simple version computes one time of impact per pair:
//!
//! ```text
//! for each mover: stop time = earliest impact with any collider, all motions included
//! ```
//!
//! It does not suffice. A mover that stops no longer hits colliders further along its path, and
//! other movers may still hit it. So impacts are processed in order of time from a queue (Mirtich,
//! *Timewarp rigid body simulation*, 2000):
//!
//! ```text
//! pairs = pairs with at least one mover whose swept boxes intersect
//! for each pair: push its first impact to the queue. An overlap at the start counts at time 0 if the
//!                motion increases its depth (`start_overlap.rs`)
//! while the queue is not empty
//!     pop the earliest impact; skip it if the pair is done or the impact was recomputed
//!     at an internal edge of flush neighbours: push the next impact of the pair, and continue   (`ccd_surface.rs`)
//!     report it, unless it comes from the back of a one-way collider
//!     if neither is a sensor: both movers stop at this time
//!         for each other pair of a stopped mover
//!             if the other collider still moves: recompute the impact for the rest of the time
//!             else: the pair is done
//! set each mover to its pose at its stop time
//! ```
//!
//! [`PendingMotions`] holds a pointer to this code, which [`World::set_motion`] and snapshots with motions set. So a
//! program that calls neither links no time of impact for it.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::ControlFlow::Continue;
use core::ops::Range;

use glam::DVec2;

use super::World;
use super::collider_set::{ColliderSet, ENABLED, FIXED, HAS_DISABLED_PAIRS, IN_MOTION, SENSOR};
use super::command::Command;
use super::disabled_pairs::DisabledPairs;
use super::handle::Handle;
use super::start_overlap::StartOverlap;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::point::IntoPoint;
use crate::math::sort::{sort_cold, sort_in_place, sort_pairs};
use crate::query::{Impact, ShapeHit, time_of_impact};
use crate::shape::Sweep;

/// An impact of a mover on another collider during its [motion](World::set_motion).
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
    /// The collider that moved. If both moved at that time: the one with the lower handle.
    pub mover: Handle,
    /// The other collider.
    pub other: Handle,
    /// Time, point and normal of the impact. The time is a fraction of the update's motion, 0 to 1.
    /// The normal is that of the surface of `other`. The initial depth is always `None`: that of an overlap at the
    /// start is in the contact of the pair.
    pub hit: ShapeHit,
    /// If true, one of them is a sensor, and neither was stopped.
    pub sensor: bool,
}

/// An impact of two colliders during an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The first collider: the one with the lower handle.
    pub a: Handle,
    /// The second collider.
    pub b: Handle,
    /// Time, point and normal of the impact. The time is a fraction of the update's motion, 0 to 1.
    /// The normal points from `a` to `b`. The initial depth is always `None`.
    pub impact: Impact,
    /// If true, one of them is a sensor, and neither was stopped.
    pub sensor: bool,
}

/// A motion that the next update executes: a translation, and a rotation in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PendingMotion {
    pub(super) slot: u32,
    pub(super) translation: DVec2,
    pub(super) turning: f64,
}

/// An impact during an update, and which of the two moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionCollision {
    pub(super) collision: Collision,
    /// If true, the second collider moved at that time and the first one did not.
    pub(super) by_second: bool,
}

impl MotionCollision {
    fn seen_by_mover(&self) -> MotionHit {
        let Collision { a, b, impact, sensor } = self.collision;
        if self.by_second {
            MotionHit { mover: b, other: a, hit: ShapeHit::of_second(&impact), sensor }
        } else {
            MotionHit { mover: a, other: b, hit: ShapeHit::of_first(&impact), sensor }
        }
    }
}

/// The motions of the next update, and the impacts of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingMotions {
    /// In the order of the calls. Only the last motion of a collider counts, and none if its
    /// `IN_MOTION` flag was cleared.
    pub(super) pending: Vec<PendingMotion>,
    /// Executes the motions. Set if there are any.
    execute: Option<fn(&mut World)>,
    pub(super) collisions: Vec<MotionCollision>,
    /// For each motion: the box around the swept shape, and (`stop_times`) the time at which it
    /// stops.
    pub(super) swept_aabbs: Vec<Aabb>,
    pub(super) stop_times: Vec<f64>,
    /// Pairs with at least one mover, sorted by slots.
    pub(super) pairs: Vec<SweptPair>,
    /// The pairs of each mover: index of the motion, index of the pair; sorted.
    pub(super) of_mover: Vec<[u32; 2]>,
    /// Time (as bits), pair index and version, the earliest first. Times are not negative, so their
    /// bits are ordered like the numbers.
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

/// Two colliders, at least one of which moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptPair {
    pub(super) slots: [u32; 2],
    /// The time from which the next impact was computed.
    pub(super) from: f64,
    /// The next impact; `version` counts how often it was computed.
    next: Option<Impact>,
    version: u32,
    /// If true, the pair has no further impact in this update.
    done: bool,
}

impl World {
    /// Sets the motion of a collider during the next update: a translation, and a rotation in
    /// radians. The collider does not pass through another one, however fast it is.
    ///
    /// It stops where it first hits another collider, which may be in motion too. Sensors do not
    /// stop it. [`motion_hits`](World::motion_hits) returns the impacts.
    ///
    /// Flush neighbours act as one surface, as in [`internal_edges`](crate::internal_edges): links of a chain, parts of
    /// a shape, and separate colliders. The collider slides and rolls along them. Corners of the surface stop it,
    /// convex and concave ones, also those of steps above
    /// [`INTERNAL_EDGE_TOLERANCE`](crate::internal_edges::INTERNAL_EDGE_TOLERANCE). At a seam the normal of an impact
    /// is that of the surface.
    ///
    /// An overlap at the start stops the collider at time 0 if the motion increases the depth there. The overlap does
    /// not stop it in three cases:
    ///
    /// - One contains the centre of the other's box, and its box contains that box: a bullet leaves the collider in
    ///   which it starts.
    /// - The overlap is deeper than half of the extent of a moving collider along the normal, and than 1e-7 of the
    ///   size of the smaller one + 8 ulp of the coordinates.
    /// - One of the two is a [one-way](crate::Collider::one_way) collider that lets the other one pass. It stops a
    ///   collider that it stopped at the last update, or that overlaps its front by at most 1e-6 of the smaller size.
    ///
    /// Parts that overlap at the start and do not stop the collider have no effect in this update, even if a turning
    /// collider overlaps them more later. The other parts of the same collider stop it, unless this is one of the three
    /// cases.
    ///
    /// A stopped collider is left as [`time_of_impact`] leaves it: touching, or at a gap below 1e-7 of the size of the
    /// larger part. A collider that slides over a seam can overlap the surface by 1e-6 of this size.
    /// [`set_pose`](World::set_pose) cancels the motion; the update ends it.
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
    /// A stale handle; a motion that [`Placed::sweep`](crate::Placed::sweep) or
    /// [`Sweep::with_rotation`] refuses.
    #[doc(alias("bullet", "ccd"))]
    pub fn set_motion(&mut self, handle: Handle, translation: impl IntoPoint, turning: f64) -> Result<(), Error> {
        let (slot, translation) = (self.columns.expect(handle)?, translation.into_point());
        self.columns.placed(slot).sweep(translation)?.with_rotation(turning)?;
        self.record(|| Command::SetMotion(handle, translation, turning));
        self.columns.set(slot, IN_MOTION, true);
        // Without updates, replaced motions and those of removed colliders would fill the memory.
        if self.motions.pending.len() > 2 * self.columns.slots() {
            self.motions.keep_last(&self.columns);
        }
        self.motions.pending.push(PendingMotion { slot, translation, turning });
        self.motions.execute = Some(execute_motions);
        Ok(())
    }

    /// Returns the impacts of the last update, sorted by time, then by handles (the lower one of
    /// each pair first). Each pair occurs at most once, and never after both have stopped.
    #[doc(alias = "impacts")]
    pub fn motion_hits(&self) -> impl ExactSizeIterator<Item = MotionHit> + Clone + '_ {
        self.motions.collisions.iter().map(MotionCollision::seen_by_mover)
    }

    /// Clears the impacts of the last update, and executes all pending motions, each up to its stop time.
    pub(super) fn run_motions(&mut self) {
        self.motions.collisions.clear();
        if let Some(execute) = self.motions.execute.take() {
            execute(self);
        }
    }

    /// Finds the pairs with at least one mover whose swept boxes intersect and whose filters allow
    /// a contact.
    fn find_swept_pairs(&mut self, motions: &mut PendingMotions) {
        let Self { columns, space, disabled_pairs: rules, .. } = self;
        motions.swept_aabbs.clear();
        let is_enabled = |motion: &PendingMotion| columns.is(motion.slot, ENABLED);
        for motion in &motions.pending {
            let aabb = motion.sweep(columns).aabb();
            motions.swept_aabbs.push(aabb);
            if is_enabled(motion) {
                space.update(motion.slot, &aabb);
            }
        }
        motions.pairs.clear();
        let PendingMotions { pending, swept_aabbs: boxes, pairs, .. } = motions;
        for (motion, aabb) in pending.iter().zip(&*boxes).filter(|(motion, _)| is_enabled(motion)) {
            space.visit_box(aabb, &mut |other| {
                // Two movers find each other twice: only the query of the lower slot adds the pair.
                let moves = columns.is(other, IN_MOTION);
                let bounds = if moves {
                    boxes[motion_index(pending, other)]
                } else {
                    columns.poses_and_boxes[other as usize].aabb
                };
                if !(moves && other <= motion.slot)
                    && bounds.intersects(aabb)
                    && may_collide(columns, rules, [motion.slot, other])
                {
                    let slots = [motion.slot.min(other), motion.slot.max(other)];
                    pairs.push(SweptPair { slots, from: 0.0, next: None, version: 0, done: false });
                }
                Continue(())
            });
        }
        sort_in_place(pairs, |p, q| p.slots.cmp(&q.slots));
        for motion in pending.iter().filter(|motion| is_enabled(motion)) {
            space.update(motion.slot, &columns.search_box(motion.slot));
        }
    }
}

/// Executes all pending motions, each up to its stop time.
fn execute_motions(world: &mut World) {
    let mut motions = core::mem::take(&mut world.motions);
    motions.keep_last(&world.columns);
    world.find_swept_pairs(&mut motions);
    motions.run(world);
    for (motion, &stop) in motions.pending.iter().zip(&motions.stop_times) {
        let pose = motion.sweep(&world.columns).at(stop).pose();
        world.columns.set(motion.slot, IN_MOTION, false);
        world.move_to(motion.slot, pose);
    }
    motions.pending.clear();
    world.motions = motions;
}

/// Returns the index of a mover's motion. The motions are sorted by slot.
fn motion_index(pending: &[PendingMotion], slot: u32) -> usize {
    pending.partition_point(|motion| motion.slot < slot)
}

/// Returns true if the filters allow a contact, the pair is not disabled, and not both are fixed.
pub(super) fn may_collide(columns: &ColliderSet, rules: &DisabledPairs, [a, b]: [u32; 2]) -> bool {
    let off = is_disabled(columns, rules, [a, b]);
    let fixed = columns.is(a, FIXED) && columns.is(b, FIXED);
    columns.filters[a as usize].should_collide(columns.filters[b as usize]) && !off && !fixed
}

/// Returns true if a pair is disabled by hand.
#[inline(always)]
pub(super) fn is_disabled(columns: &ColliderSet, rules: &DisabledPairs, [a, b]: [u32; 2]) -> bool {
    !rules.is_empty()
        && columns.is(a, HAS_DISABLED_PAIRS)
        && columns.is(b, HAS_DISABLED_PAIRS)
        && rules.contains(columns.handle(a), columns.handle(b))
}

impl SweptPair {
    /// Converts a time of the rest of the update to that of the whole update.
    pub(super) fn in_update(&self, time: f64) -> f64 {
        self.from + time * (1.0 - self.from)
    }
}

impl PendingMotion {
    /// Returns the whole motion, from the collider's present pose.
    pub(super) fn sweep<'a>(&self, columns: &'a ColliderSet) -> Sweep<'a> {
        self.part_of_sweep(columns, 0.0)
    }

    /// Returns the rest of the motion from time `from` on. It is in range, because the whole motion
    /// is.
    fn part_of_sweep<'a>(&self, columns: &'a ColliderSet, from: f64) -> Sweep<'a> {
        let placed = columns.placed(self.slot);
        let sweep = placed.sweep(self.translation).and_then(|sweep| sweep.with_rotation(self.turning));
        sweep.unwrap_or(placed.into()).after(from)
    }
}

impl PendingMotions {
    /// Creates the motions and impacts of a snapshot.
    pub(super) fn restored(pending: Vec<PendingMotion>, collisions: Vec<MotionCollision>) -> Self {
        let execute = (!pending.is_empty()).then_some(execute_motions as fn(&mut World));
        Self { pending, execute, collisions, ..Self::default() }
    }

    /// Sorts the motions by slot, and keeps only the last valid one of each collider.
    pub(super) fn keep_last(&mut self, columns: &ColliderSet) {
        self.pending.retain(|motion| columns.is(motion.slot, IN_MOTION));
        // Reversed before the stable sort, so that deduplication keeps the latest motion.
        self.pending.reverse();
        sort_cold(&mut self.pending, |p, q| p.slot.cmp(&q.slot));
        self.pending.dedup_by_key(|motion| motion.slot);
    }

    /// Processes all impacts in order of time.
    fn run(&mut self, world: &World) {
        self.stop_times.clear();
        self.stop_times.resize(self.pending.len(), 1.0);
        self.of_mover.clear();
        for (i, pair) in self.pairs.iter().enumerate() {
            for slot in pair.slots {
                if world.columns.is(slot, IN_MOTION) {
                    self.of_mover.push([motion_index(&self.pending, slot) as u32, i as u32]);
                }
            }
        }
        sort_pairs(&mut self.of_mover);
        self.queue.clear();
        for i in 0..self.pairs.len() {
            self.compute_impact(i, 0.0, world);
        }
        while let Some(Reverse((_, i, version))) = self.queue.pop() {
            let pair = self.pairs[i as usize];
            if pair.version == version
                && !pair.done
                && let Some(impact) = pair.next
            {
                self.process_impact(i as usize, impact, world);
            }
        }
        sort_in_place(
            &mut self.collisions,
            |MotionCollision { collision: p, .. }, MotionCollision { collision: q, .. }| {
                p.impact.time.total_cmp(&q.impact.time).then((p.a, p.b).cmp(&(q.a, q.b)))
            },
        );
    }

    /// Returns the index of the motion of a collider, if it has one.
    pub(super) fn motion_of(&self, slot: u32, columns: &ColliderSet) -> Option<usize> {
        columns.is(slot, IN_MOTION).then(|| motion_index(&self.pending, slot))
    }

    /// Returns the index of the motion of a collider that still moves after a time.
    fn mover(&self, slot: u32, columns: &ColliderSet, time: f64) -> Option<usize> {
        self.motion_of(slot, columns).filter(|&index| self.stop_times[index] > time)
    }

    /// Computes the next impact of a pair from time `from` on, and pushes it to the queue.
    fn compute_impact(&mut self, i: usize, from: f64, world: &World) {
        let columns = &world.columns;
        let mut pair = SweptPair { from, ..self.pairs[i] };
        let [a, b] = self.sweeps_of(&pair, columns);
        pair.next = time_of_impact(a, b);
        if let Some(deepest) = pair.next.filter(|impact| impact.initial_depth.is_some()) {
            let is_sensor = pair.slots.iter().any(|&slot| columns.is(slot, SENSOR));
            if is_sensor || !world.is_stopped_by_fronts(pair.slots, deepest.initial_depth.unwrap_or(0.0)) {
                // A sensor, or a one-way collider that lets the other one pass, is a contact, not an impact.
                pair.done |= from == 0.0;
            } else {
                let counts =
                    |impact: &Impact| impact.initial_depth.is_none() || world.faces_fronts(pair.slots, impact.normal);
                pair.next = StartOverlap { sweeps: [a, b], deepest }.first_impact(0.0, &counts);
            }
        }
        self.push_next(i, pair);
    }

    /// Returns the sweeps of a pair for the rest of the time.
    pub(super) fn sweeps_of<'a>(&self, pair: &SweptPair, columns: &'a ColliderSet) -> [Sweep<'a>; 2] {
        both(pair.slots, |slot| match self.motion_of(slot, columns) {
            Some(index) if self.stop_times[index] > pair.from => self.pending[index].part_of_sweep(columns, pair.from),
            // The collider stopped earlier.
            Some(index) => self.pending[index].sweep(columns).at(self.stop_times[index]).into(),
            None => columns.placed(slot).into(),
        })
    }

    /// Stores a pair with its next impact, whose time is relative to the rest of the time, and pushes it to the queue.
    fn push_next(&mut self, i: usize, mut pair: SweptPair) {
        pair.version += 1;
        if let Some(next) = pair.next {
            let impact = Impact { time: pair.in_update(next.time), initial_depth: None, ..next };
            pair.next = Some(impact);
            self.queue.push(Reverse((impact.time.to_bits(), i as u32, pair.version)));
        }
        self.pairs[i] = pair;
    }

    /// Returns the range of a motion in `of_mover`.
    pub(super) fn pairs_of_mover(&self, motion: usize) -> Range<usize> {
        let from = self.of_mover.partition_point(|&[mover, _]| (mover as usize) < motion);
        from..from + self.of_mover[from..].iter().take_while(|[mover, _]| *mover as usize == motion).count()
    }

    /// Processes an impact: reports it, stops both colliders, and recomputes the impacts of their
    /// pairs.
    fn process_impact(&mut self, i: usize, impact: Impact, world: &World) {
        let columns = &world.columns;
        let [a, b] = self.pairs[i].slots;
        let then = both([a, b], |slot| {
            self.motion_of(slot, columns).map_or(columns.poses_and_boxes[slot as usize].pose, |i| {
                self.pending[i].sweep(columns).at(impact.time.min(self.stop_times[i])).pose()
            })
        });
        let sensor = columns.is(a, SENSOR) || columns.is(b, SENSOR);
        let exposed = if sensor { Some(impact) } else { self.exposed_impact(i, impact, world) };
        let Some(impact) = exposed else {
            let next = self.next_exposed(i, &impact, world);
            self.push_next(i, SweptPair { next, ..self.pairs[i] });
            return;
        };
        self.pairs[i].done = true;
        if !world.is_from_the_front([a, b], then, &impact) {
            return;
        }
        let collision = Collision { a: columns.handle(a), b: columns.handle(b), impact, sensor };
        let stopped = both([a, b], |slot| self.mover(slot, columns, impact.time));
        let by_second = stopped[0].is_none() && stopped[1].is_some();
        self.collisions.push(MotionCollision { collision, by_second });
        if sensor {
            return;
        }
        for index in stopped.into_iter().flatten() {
            self.stop_times[index] = impact.time;
        }
        for index in stopped.into_iter().flatten() {
            for k in self.pairs_of_mover(index) {
                let [_, other] = self.of_mover[k];
                let pair = self.pairs[other as usize];
                if !pair.done {
                    let moving = pair.slots.iter().any(|&slot| self.mover(slot, columns, impact.time).is_some());
                    // Two colliders at rest have no further impact.
                    if moving {
                        self.compute_impact(other as usize, impact.time, world);
                    } else {
                        self.pairs[other as usize].done = true;
                    }
                }
            }
        }
    }
}
