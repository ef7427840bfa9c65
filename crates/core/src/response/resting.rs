//! Solves resting contacts together at the start of a step, before any body moves.
//!
//! Input: the world, velocities, and the impacts of the last step. Output: new velocities. The
//! method is sequential impulses (E. Catto, *Fast and simple physics using sequential impulses*,
//! 2006) with restitution 0. The order of the pairs and the choice of the body that gives way are
//! those of shock propagation (Guendelman, Bridson and Fedkiw, *Nonconvex rigid bodies with
//! stacking*, 2003).
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
//!         or that contain a body that got stuck in the last step (all other pairs bounce)
//! initial guess: a particle that was carried in the last step, and still has a support,
//!         does not fall
//! repeat, at most 12 times, while a velocity changes:
//!     for each pair, from the lowest to the highest:
//!         if the pair approaches faster than its gap allows:
//!             apply an impulse: both get the same velocity along the normal
//!             (a body that rests on something fixed, directly or through other bodies,
//!              does not give way to the bodies on it)
//! ```
//!
//! A remaining error is left to the next step.

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::{NOISE, bounced, restitution_of_pair};
use super::environment::Environment;
use super::tolerance::{PENETRATION_SLOP, speed_tolerance};
use super::walls::Walls;
use crate::math::both::both;
use crate::math::sort::{sort_by_distance, sort_in_place};
use crate::math::vector::{magnification, rescaled, vector_times_power_of_two};
use crate::world::{Collision, Handle};

/// Maximum number of iterations over all pairs.
const ITERATIONS: u8 = 12;

/// Share of the depth beyond half the slop by which a pair separates in a step under gravity.
/// Position correction is then not needed.
const SEPARATION_RATE: f64 = 0.2;

/// Pairs are kept if their gap is at most this share of the smaller size.
const MAX_RELATIVE_GAP: f64 = 0.1;

/// Smallest cosine of the angle between normal and gravity at which a particle carries another one.
const MIN_CARRYING_COSINE: f64 = 0.1;

/// A contact constraint: a pair that must not approach faster than `allowed_speed`.
#[derive(Clone, Copy, Debug)]
struct RestingConstraint {
    /// Indices of the bodies. A collider that is no body has the index after the last body, where
    /// the velocity is 0.
    body_indices: [u32; 2],
    inverse_masses: [f64; 2],
    /// Unit contact normal, from the first to the second.
    normal: DVec2,
    /// Allowed speed of approach: the speed that closes the gap within the step, minus the change
    /// by gravity.
    allowed_speed: f64,
    /// Tolerance: speed of approach, along the normal, that needs no impulse.
    speed_tolerance: f64,
}

impl RestingConstraint {
    /// Returns which of the two is the lower one, 0 or 1.
    fn low(&self, down: DVec2) -> usize {
        usize::from(self.normal.dot(down) > 0.0)
    }

    /// Returns the body that the other one may carry; `None` if they are side by side.
    fn above(&self, down: DVec2) -> Option<u32> {
        let slope = self.normal.dot(down);
        let above = 1 - self.low(down);
        let leans = slope * slope > MIN_CARRYING_COSINE * MIN_CARRYING_COSINE * down.length_squared();
        (leans && self.inverse_masses[above] > 0.0).then_some(self.body_indices[above])
    }

    #[inline(always)]
    fn velocities(&self, velocities: &[DVec2]) -> [DVec2; 2] {
        both(self.body_indices, |index| velocities[index as usize])
    }

    /// Returns the speed of approach beyond the allowed speed.
    #[inline(always)]
    fn approach(&self, velocities: [DVec2; 2]) -> f64 {
        (velocities[0] - velocities[1]).dot(self.normal) - self.allowed_speed
    }
}

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

/// Reusable buffers, and the state that one step leaves to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct RestingSolver {
    pairs: Vec<[Handle; 2]>,
    /// Pairs in the order of discovery, with their heights.
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
    /// adds in this step. A body whose velocity changed is integrated with the trapezoidal rule. So
    /// its result is offset by half the gravity of the step: then it moves as far as with the
    /// solved velocity alone.
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
        self.set_initial_guess(input, velocities);
        self.is_carried.clear();
        self.is_carried.resize(velocities.len(), false);
        self.changed.clear();
        self.changed.resize(velocities.len(), 0);
        for pass in 0..ITERATIONS {
            if !self.iterate(pass, input, velocities) {
                break;
            }
        }
        velocities.pop();
        for &(index, _) in &self.solved {
            velocities[index as usize] += input.gravity * (0.5 * input.seconds);
        }
    }

    /// Returns the bodies that the last solution marked as carried.
    pub(super) fn carriers(&self, gravity: DVec2) -> Carriers<'_> {
        Carriers { is_carried: &self.is_carried, down: rescaled(gravity).0 }
    }

    /// Clears the state of the last step.
    pub(super) fn reset(&mut self) {
        self.pairs.clear();
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

    /// Gives solved bodies their velocity after the step: removes the half of the gravity of the
    /// step that `solve_all` added.
    pub(super) fn finish(&self, gravity: DVec2, seconds: f64, velocities: &mut [DVec2]) {
        for &(index, _) in &self.solved {
            velocities[index as usize] -= gravity * (0.5 * seconds);
        }
    }

    /// Collects the pairs and sorts them from the lowest to the highest.
    fn find(&mut self, input: Environment<'_>, impacts: &[Collision], velocities: &[DVec2]) {
        for contact in input.world.contacts() {
            if !contact.sensor && !contact.is_gap() {
                self.pairs.push([contact.a, contact.b]);
            }
        }
        for hit in impacts {
            if !hit.sensor && hit.b != Handle::NONE {
                self.pairs.push([hit.a, hit.b]);
            }
        }
        // Without impacts, and if no slot was reused, they are sorted already.
        let key = |pair: &[Handle; 2]| [pair[0].to_bits(), pair[1].to_bits()];
        if !self.pairs.is_sorted_by_key(key) {
            sort_in_place(&mut self.pairs, |p, q| key(p).cmp(&key(q)));
        }
        self.pairs.dedup();
        self.found.clear();
        let found = &mut self.found;
        self.pairs.retain(|&pair| {
            let constraint = input.constraint(pair);
            found.extend(constraint);
            constraint.is_some()
        });
        if let Some(walls) = input.walls {
            for index in 0..input.bodies.len() {
                if input.is_lossy([Some(index), None]) {
                    input.at_walls(index, walls, &mut self.found);
                }
            }
        }
        self.order.clear();
        for (k, (height, constraint)) in self.found.iter().enumerate() {
            let stuck = constraint.body_indices.iter().any(|&index| self.is_stuck[index as usize]);
            if stuck || constraint.approach(constraint.velocities(velocities)) <= input.threshold {
                self.order.push((*height, k as u32));
            }
        }
        sort_by_distance(&mut self.order);
        self.constraints.clear();
        self.order.iter().for_each(|&(_, k)| self.constraints.push(self.found[k as usize].1));
    }

    /// Applies an impulse after which the pair approaches along the normal at the allowed speed.
    fn solve(
        &mut self,
        constraint: &RestingConstraint,
        inverse_masses: [f64; 2],
        before: [DVec2; 2],
        pass: u8,
        velocities: &mut [DVec2],
    ) {
        // Works in a frame that moves at the allowed speed of approach.
        let frame = constraint.normal * constraint.allowed_speed;
        let Some(after) = bounced([before[0] - frame, before[1]], inverse_masses, constraint.normal, 0.0) else {
            return;
        };
        for (k, after) in [after[0] + frame, after[1]].into_iter().enumerate() {
            let index = constraint.body_indices[k];
            if inverse_masses[k] > 0.0 {
                if !core::mem::replace(&mut self.is_solved[index as usize], true) {
                    self.solved.push((index, before[k]));
                }
                velocities[index as usize] = after;
                self.changed[index as usize] = pass + 1;
            }
        }
    }

    /// Sets the initial guess: a body that was carried in the last step, and still has a support,
    /// does not fall.
    fn set_initial_guess(&mut self, input: Environment<'_>, velocities: &mut [DVec2]) {
        self.is_carried.resize(velocities.len(), false);
        for constraint in &self.constraints {
            let Some(above) = constraint.above(input.down).filter(|&above| self.is_carried[above as usize]) else {
                continue;
            };
            let before = velocities[above as usize];
            if !self.is_solved[above as usize] && before.dot(constraint.normal).abs() <= input.threshold {
                self.solved.push((above, before));
                self.is_solved[above as usize] = true;
                velocities[above as usize] = before - input.gravity * input.seconds;
            }
        }
    }

    /// Runs one iteration over all pairs. Returns false if no pair approaches any more.
    fn iterate(&mut self, pass: u8, input: Environment<'_>, velocities: &mut [DVec2]) -> bool {
        let constraints = core::mem::take(&mut self.constraints);
        let mut again = false;
        for constraint in &constraints {
            let [first, second] = constraint.body_indices;
            // The last iteration changed neither velocity: nothing to do.
            if self.changed[first as usize].max(self.changed[second as usize]) < pass {
                continue;
            }
            let before = constraint.velocities(velocities);
            let approach = constraint.approach(before);
            let approaches = approach > constraint.speed_tolerance
                && approach > NOISE * (before[0].abs() + before[1].abs()).max_element();
            // The first iteration also finds the carried bodies.
            if approaches || pass == 0 {
                let inverse_masses = self.carried(constraint, before, input);
                if approaches {
                    self.solve(constraint, inverse_masses, before, pass, velocities);
                    again = true;
                }
            }
        }
        self.constraints = constraints;
        again
    }

    /// Returns the inverse masses of a pair, with 0 for a body that carries the other one. Marks
    /// the upper body as carried.
    ///
    /// A lower body that rises gives way all the same: otherwise the pair would gain energy.
    fn carried(&mut self, constraint: &RestingConstraint, velocities: [DVec2; 2], input: Environment<'_>) -> [f64; 2] {
        let low = constraint.low(input.down);
        let mut inverse_masses = constraint.inverse_masses;
        let Some(above) = constraint.above(input.down) else { return inverse_masses };
        let up = if low == 0 { constraint.normal } else { -constraint.normal };
        let rises = (velocities[low] + input.gravity * input.seconds).dot(up) > constraint.speed_tolerance;
        if inverse_masses[low] == 0.0 || (self.is_carried[constraint.body_indices[low] as usize] && !rises) {
            inverse_masses[low] = 0.0;
            self.is_carried[above as usize] = true;
        }
        inverse_masses
    }
}

impl Environment<'_> {
    fn is_lossy(&self, indices: [Option<usize>; 2]) -> bool {
        indices != [None; 2] && restitution_of_pair(self.restitutions, indices) < 1.0
    }

    /// Returns the current constraint of a pair and its height against `down`, or `None` if the
    /// pair is not near.
    fn constraint(&self, [a, b]: [Handle; 2]) -> Option<(f64, RestingConstraint)> {
        let indices = [self.bodies.index(a), self.bodies.index(b)];
        if !self.is_lossy(indices) || self.world.may_collide(a, b) != Some(false) {
            return None;
        }
        let inverse_masses = both(indices, |index| index.map_or(0.0, |index| self.bodies.inverse_masses()[index]));
        if inverse_masses == [0.0; 2] {
            return None;
        }
        let size = self.world.size(a).min(self.world.size(b));
        let (depth, normal, point) = self.world.contact_within([a, b], MAX_RELATIVE_GAP * size)?;
        let indices = both(indices, |index| index.unwrap_or(self.bodies.len()) as u32);
        Some((-point.dot(self.down), self.new_constraint(indices, inverse_masses, normal, depth, size)))
    }

    /// Creates the constraint of a pair with a contact of a depth; `size` is that of the smaller one.
    fn new_constraint(
        &self,
        body_indices: [u32; 2],
        inverse_masses: [f64; 2],
        normal: DVec2,
        depth: f64,
        size: f64,
    ) -> RestingConstraint {
        let slop = PENETRATION_SLOP * size;
        let pull = |inverse_mass: f64| if inverse_mass > 0.0 { self.gravity.dot(normal) } else { 0.0 };
        let pulled = (pull(inverse_masses[0]) - pull(inverse_masses[1])) * self.seconds;
        RestingConstraint {
            body_indices,
            inverse_masses,
            normal,
            allowed_speed: self.allowed_speed(depth, slop) - pulled,
            speed_tolerance: speed_tolerance(self.threshold, slop, self.seconds),
        }
    }

    /// Appends the constraints of a particle with the walls that are near, with its height.
    fn at_walls(&self, index: usize, walls: Walls, out: &mut Vec<(f64, RestingConstraint)>) {
        let (handle, inverse_mass) = (self.bodies.handles()[index], self.bodies.inverse_masses()[index]);
        let Some(state) = self.world.collider_state(handle).filter(|_| inverse_mass > 0.0) else { return };
        let origin = state.pose.translation();
        let (low, high) = walls.free_range(origin, state.aabb);
        let size = state.aabb.size().max_element();
        let sides = [
            (DVec2::X, high.x - origin.x),
            (DVec2::NEG_X, origin.x - low.x),
            (DVec2::Y, high.y - origin.y),
            (DVec2::NEG_Y, origin.y - low.y),
        ];
        for (normal, gap) in sides {
            if gap.abs() <= MAX_RELATIVE_GAP * size {
                let (indices, inverse_masses) = ([index as u32, self.bodies.len() as u32], [inverse_mass, 0.0]);
                let constraint = self.new_constraint(indices, inverse_masses, normal, -gap, size);
                out.push((-origin.dot(self.down), constraint));
            }
        }
    }

    /// Returns the allowed speed of approach, which closes the gap within the step. It is negative
    /// if a deep pair must separate.
    fn allowed_speed(&self, depth: f64, slop: f64) -> f64 {
        let displacement = if depth < 0.0 {
            -depth
        } else if self.gravity != DVec2::ZERO {
            -SEPARATION_RATE * (depth - 0.5 * slop).max(0.0)
        } else {
            0.0
        };
        if self.seconds > 0.0 { displacement / self.seconds } else { 0.0 }
    }
}
