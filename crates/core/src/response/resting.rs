//! Solves resting contacts together at the start of a step, before any body moves.
//!
//! Input: the world, velocities, and the impacts of the last step. Output: new velocities. The
//! method is sequential impulses with accumulated impulses (E. Catto, *Fast and simple physics using
//! sequential impulses*, 2006) and restitution 0. The order of the pairs and the choice of the body
//! that gives way are those of shock propagation (Guendelman, Bridson and Fedkiw, *Nonconvex rigid
//! bodies with stacking*, 2003).
//!
//! The simple version treats a resting contact as an impact:
//!
//! ```text
//! while two bodies approach: bounce them with their restitution
//! ```
//!
//! In a pile, each bounce is slower and follows sooner than the one before: infinitely many impacts
//! (inelastic collapse). So all slow contacts are solved together. Without gravity, no iteration
//! adds energy.
//!
//! ```text
//! pairs = contacts of the last update, impacts of the last step, pairs that stayed near since,
//!         and particles at a wall
//! keep the pairs with restitution < 1 that approach slower than the restitution threshold,
//!         or that touch and have restitution 0, or that contain a body that got stuck in the
//!         last step (all other pairs bounce)
//! from the lowest to the highest pair: a body that rests on something fixed, directly or
//!         through other bodies, does not give way to the bodies on it
//! initial guess: apply to each pair the impulse of the last step
//! repeat, at most 12 times, while a velocity changes:
//!     for each pair, from the lowest to the highest:
//!         if the pair approaches faster than its gap allows: add an impulse
//!         if it approaches slower: remove an impulse, but not more than the pair has
//!         (both get the same velocity along the normal)
//! ```
//!
//! Impulses act along contact normals and are never negative. So a contact pushes, but does not
//! pull, and it does not brake a body that slides along it. A guess that is too large is removed:
//! a body whose contact has opened falls. The first iteration solves each pair exactly, so a body
//! at rest has the speed 0. Later ones ignore errors up to a tolerance, which are left to the next
//! step.

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::NOISE;
use super::environment::Environment;
use super::resting_constraint::{MIN_CARRYING_COSINE, RestingConstraint};
use crate::math::sort::{sort_by_distance, sort_in_place};
use crate::math::vector::{length, magnification, rescaled, vector_times_power_of_two};
use crate::world::{Collision, Handle};

/// Maximum number of iterations over all pairs.
const ITERATIONS: u8 = 12;

/// Bodies that rest on something fixed. Under gravity they do not give way to the bodies on them.
#[derive(Clone, Copy, Default)]
pub(super) struct Carriers<'a> {
    is_carried: &'a [bool],
    /// See [`Environment::down`].
    down: DVec2,
}

impl Carriers<'_> {
    /// Returns the lower one of the two, if it is carried itself. `direction` points from the first
    /// to the second.
    pub(super) fn low(&self, indices: [Option<u32>; 2], direction: DVec2) -> Option<usize> {
        let low = usize::from(direction.dot(self.down) > 0.0);
        let is_carried =
            indices[low].and_then(|index| self.is_carried.get(index as usize)).is_some_and(|&is_carried| is_carried);
        if !is_carried {
            return None;
        }
        let direction = vector_times_power_of_two(direction, magnification(direction.abs().max_element()));
        let slope = direction.dot(self.down);
        let leans = slope * slope
            > MIN_CARRYING_COSINE * MIN_CARRYING_COSINE * self.down.length_squared() * direction.length_squared();
        leans.then_some(low)
    }
}

/// A pair near each other, and the impulse along its normal in the last step.
#[derive(Clone, Copy, Debug)]
struct KeptPair {
    handles: [Handle; 2],
    impulse: f64,
}

/// A body near a wall (0 to 3), and the impulse of the wall in the last step.
#[derive(Clone, Copy, Debug)]
struct KeptWall {
    body_and_side: (usize, u8),
    impulse: f64,
}

/// Reusable buffers, and the state that one step leaves to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct RestingSolver {
    /// Sorted by handles.
    pairs: Vec<KeptPair>,
    /// Sorted by body and side. `old_walls`: those of the last step.
    walls: Vec<KeptWall>,
    old_walls: Vec<KeptWall>,
    /// Constraints of `pairs`, then of `walls`, with their heights.
    found: Vec<(f64, RestingConstraint)>,
    /// Heights of the resting pairs and their indices in `found`, from the lowest to the highest.
    order: Vec<(f64, u32)>,
    /// The resting pairs in this order.
    constraints: Vec<RestingConstraint>,
    /// Bodies whose velocity was changed, with the velocity before the change.
    solved: Vec<(u32, DVec2)>,
    is_solved: Vec<bool>,
    /// Per body: true if it rests, directly or through others, on something fixed.
    is_carried: Vec<bool>,
    /// Per body: true if it got stuck in the last step.
    is_stuck: Vec<bool>,
    /// Per body: the last iteration that changed its velocity, counted from 1; 0 if none did.
    changed: Vec<u8>,
}

impl RestingSolver {
    /// Removes the speed of approach from all resting contacts, including the speed that gravity
    /// adds in this step. A body whose velocity changed gets its velocity at the end of the step:
    /// it includes gravity, and the body moves with it for the whole step.
    pub(super) fn solve_all(&mut self, input: Environment<'_>, impacts: &[Collision], velocities: &mut Vec<DVec2>) {
        self.solved.clear();
        if input.restitutions.iter().all(|&restitution| restitution == 1.0) {
            return self.reset();
        }
        // The last entry is the velocity of all colliders that are no bodies.
        velocities.push(DVec2::ZERO);
        self.is_stuck.resize(velocities.len(), false);
        self.find(input, impacts, velocities);
        self.is_stuck.fill(false);
        self.is_solved.clear();
        self.is_solved.resize(velocities.len(), false);
        self.find_carried(input, velocities);
        self.changed.clear();
        self.changed.resize(velocities.len(), 0);
        self.apply_guess(input, velocities);
        for pass in 0..ITERATIONS {
            if !self.iterate(pass, velocities) {
                break;
            }
        }
        self.keep_impulses();
        self.restore_free(velocities);
        velocities.pop();
        for &(index, _) in &self.solved {
            velocities[index as usize] += input.gravity * input.seconds;
        }
    }

    /// Returns for each body whether its velocity includes the gravity of this step. Empty: for none.
    pub(super) fn solved(&self) -> &[bool] {
        if self.solved.is_empty() { &[] } else { &self.is_solved }
    }

    /// Returns the bodies that the last solution marked as carried.
    pub(super) fn carriers(&self, gravity: DVec2) -> Carriers<'_> {
        Carriers { is_carried: &self.is_carried, down: rescaled(gravity).0 }
    }

    /// Clears the state of the last step.
    pub(super) fn reset(&mut self) {
        self.pairs.clear();
        self.walls.clear();
        self.is_carried.clear();
        self.is_stuck.clear();
    }

    /// Records bodies that got stuck in this step: they rested after too many impacts, or were
    /// moved back to the start of the step.
    pub(super) fn record_stuck(&mut self, indices: impl Iterator<Item = usize>, count: usize) {
        self.is_stuck.resize(count, false);
        for index in indices {
            self.is_stuck[index] = true;
        }
    }

    /// Restores the velocities before `solve_all`.
    pub(super) fn restore_velocities(&mut self, velocities: &mut [DVec2]) {
        for (index, before) in self.solved.drain(..) {
            velocities[index as usize] = before;
        }
    }

    /// Collects the pairs and sorts them from the lowest to the highest.
    fn find(&mut self, input: Environment<'_>, impacts: &[Collision], velocities: &[DVec2]) {
        for contact in input.world.contacts() {
            if !contact.sensor && !contact.is_gap() {
                self.pairs.push(KeptPair { handles: [contact.a, contact.b], impulse: 0.0 });
            }
        }
        for hit in impacts {
            if !hit.sensor && hit.b != Handle::NONE {
                self.pairs.push(KeptPair { handles: [hit.a, hit.b], impulse: 0.0 });
            }
        }
        // Without impacts, and if no slot was reused, they are sorted already.
        let key = |pair: &KeptPair| [pair.handles[0].to_bits(), pair.handles[1].to_bits()];
        if !self.pairs.is_sorted_by_key(key) {
            sort_in_place(&mut self.pairs, |p, q| key(p).cmp(&key(q)));
        }
        self.pairs.dedup_by(|next, first| {
            let is_same = next.handles == first.handles;
            if is_same {
                first.impulse = first.impulse.max(next.impulse);
            }
            is_same
        });
        self.found.clear();
        let found = &mut self.found;
        self.pairs.retain(|pair| {
            let constraint = input.constraint(pair.handles);
            found.extend(constraint.map(|(height, constraint)| (height, constraint.with_guess(pair.impulse))));
            constraint.is_some()
        });
        self.find_walls(input);
        self.order.clear();
        for (k, (height, constraint)) in self.found.iter().enumerate() {
            let stuck = constraint.body_indices.iter().any(|&index| self.is_stuck[index as usize]);
            let approach = constraint.approach(constraint.velocities(velocities)) - constraint.gravity_speed;
            if stuck || constraint.never_bounces || approach <= input.threshold {
                self.order.push((*height, k as u32));
            }
        }
        sort_by_distance(&mut self.order);
        self.constraints.clear();
        self.order.iter().for_each(|&(_, k)| self.constraints.push(self.found[k as usize].1));
    }

    /// Collects the constraints of particles near a wall.
    fn find_walls(&mut self, input: Environment<'_>) {
        core::mem::swap(&mut self.walls, &mut self.old_walls);
        self.walls.clear();
        let Some(walls) = input.walls else { return };
        let mut old = self.old_walls.iter().peekable();
        for index in 0..input.bodies.len() {
            if !input.is_lossy([Some(index), None]) {
                continue;
            }
            input.at_walls(index, walls, |side, height, constraint| {
                let body_and_side = (index, side);
                while old.next_if(|wall| wall.body_and_side < body_and_side).is_some() {}
                let before = old.next_if(|wall| wall.body_and_side == body_and_side);
                let impulse = before.map_or(0.0, |wall| wall.impulse);
                self.walls.push(KeptWall { body_and_side, impulse });
                self.found.push((height, constraint.with_guess(impulse)));
            });
        }
    }

    /// Marks the bodies that are carried. In each pair, a body that carries the other one gets the
    /// inverse mass 0 for this step.
    ///
    /// A lower body that rises gives way all the same: otherwise the pair would gain energy.
    fn find_carried(&mut self, input: Environment<'_>, velocities: &[DVec2]) {
        self.is_carried.clear();
        self.is_carried.resize(velocities.len(), false);
        for constraint in &mut self.constraints {
            let low = constraint.low(input.down);
            let Some(above) = constraint.above(input.down) else { continue };
            let up = if low == 0 { constraint.normal } else { -constraint.normal };
            let lower = constraint.body_indices[low] as usize;
            let rises = velocities[lower].dot(up) > constraint.speed_tolerance;
            if constraint.inverse_masses[low] == 0.0 || (self.is_carried[lower] && !rises) {
                constraint.inverse_masses[low] = 0.0;
                self.is_carried[above as usize] = true;
            }
        }
    }

    /// Applies the guess: the impulses of the last step. A guess changes the speed of a body by at
    /// most the speed that gravity adds in the step. Otherwise the impulse of a heavy body would
    /// throw a light one when a contact between them opens.
    fn apply_guess(&mut self, input: Environment<'_>, velocities: &mut [DVec2]) {
        let fall = length(input.gravity) * input.seconds;
        for constraint in &mut self.constraints {
            let [wa, wb] = constraint.inverse_masses;
            constraint.impulse = constraint.impulse.min(fall / wa.max(wb));
        }
        for k in 0..self.constraints.len() {
            let constraint = self.constraints[k];
            if constraint.impulse > 0.0 {
                self.push(&constraint, constraint.impulse, 0, velocities);
            }
        }
    }

    /// Runs one iteration over all pairs. Returns false if all pairs approach as fast as allowed.
    fn iterate(&mut self, pass: u8, velocities: &mut [DVec2]) -> bool {
        let mut again = false;
        for k in 0..self.constraints.len() {
            let constraint = self.constraints[k];
            let [first, second] = constraint.body_indices;
            // The last iteration changed neither velocity: nothing to do.
            if self.changed[first as usize].max(self.changed[second as usize]) < pass {
                continue;
            }
            let before = constraint.velocities(velocities);
            let approach = constraint.approach(before);
            let noise = NOISE * (before[0].abs() + before[1].abs()).max_element();
            let tolerance = match pass {
                // Otherwise a body at rest would keep a speed of this size, and drift.
                0 if constraint.impulse > 0.0 => 0.0,
                0 => noise,
                _ => noise.max(constraint.speed_tolerance),
            };
            if approach > tolerance || (approach < -tolerance && constraint.impulse > 0.0) {
                let [wa, wb] = constraint.inverse_masses;
                let change = (approach / (wa + wb)).max(-constraint.impulse);
                self.constraints[k].impulse = constraint.impulse + change;
                self.push(&constraint, change, pass + 1, velocities);
                again = true;
            }
        }
        again
    }

    /// Adds an impulse along the normal to the velocities of a pair. `mark`: number of the
    /// iteration, counted from 1.
    fn push(&mut self, constraint: &RestingConstraint, impulse: f64, mark: u8, velocities: &mut [DVec2]) {
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let (index, inverse_mass) = (constraint.body_indices[k], constraint.inverse_masses[k]);
            if inverse_mass > 0.0 {
                let velocity = &mut velocities[index as usize];
                if !core::mem::replace(&mut self.is_solved[index as usize], true) {
                    self.solved.push((index, *velocity));
                }
                *velocity += constraint.normal * (sign * impulse * inverse_mass);
                self.changed[index as usize] = mark;
            }
        }
    }

    /// Stores the impulses for the guess of the next step.
    fn keep_impulses(&mut self) {
        self.pairs.iter_mut().for_each(|pair| pair.impulse = 0.0);
        self.walls.iter_mut().for_each(|wall| wall.impulse = 0.0);
        for (&(_, k), constraint) in self.order.iter().zip(&self.constraints) {
            let k = k as usize;
            match self.pairs.get_mut(k) {
                Some(pair) => pair.impulse = constraint.impulse,
                None => self.walls[k - self.pairs.len()].impulse = constraint.impulse,
            }
        }
    }

    /// Restores the velocities of bodies on which no impulse remains: they move freely.
    fn restore_free(&mut self, velocities: &mut [DVec2]) {
        self.is_solved.fill(false);
        for constraint in self.constraints.iter().filter(|constraint| constraint.impulse > 0.0) {
            for k in 0..2 {
                self.is_solved[constraint.body_indices[k] as usize] |= constraint.inverse_masses[k] > 0.0;
            }
        }
        let is_solved = &self.is_solved;
        self.solved.retain(|&(index, before)| {
            let is_solved = is_solved[index as usize];
            if !is_solved {
                velocities[index as usize] = before;
            }
            is_solved
        });
    }
}
