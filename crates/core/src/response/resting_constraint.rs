//! Computes the constraints of resting contacts: how fast a pair may approach in a step.
//!
//! Input: a pair of colliders, or a particle near a wall, and the input of the step. Output: the
//! contact normal, the allowed speed of approach, and the height of the contact.
//!
//! ```text
//! apart:             allowed speed = gap / step              (the pair touches at the end of the step)
//! touching:          allowed speed = 0
//! deep, in gravity:  allowed speed = −share of the depth / step
//! subtract the speed of approach that gravity adds in the step
//! ```

use glam::DVec2;

use super::bounce::restitution_of_pair;
use super::environment::Environment;
use super::tolerance::{PENETRATION_SLOP, speed_tolerance};
use super::walls::Walls;
use crate::math::both::both;
use crate::world::Handle;

/// Share of the depth beyond half the slop by which a pair separates in a step under gravity.
/// Position correction is then not needed.
const SEPARATION_RATE: f64 = 0.2;

/// Pairs are kept if their gap is at most this share of the smaller size.
const MAX_RELATIVE_GAP: f64 = 0.1;

/// Smallest cosine of the angle between normal and gravity at which a particle carries another one.
pub(super) const MIN_CARRYING_COSINE: f64 = 0.1;

/// A contact constraint: a pair that must not approach faster than `allowed_speed`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RestingConstraint {
    /// Indices of the bodies. A collider that is no body has the index after the last body, where
    /// the velocity is 0.
    pub(super) body_indices: [u32; 2],
    pub(super) inverse_masses: [f64; 2],
    /// Unit contact normal, from the first to the second.
    pub(super) normal: DVec2,
    /// Allowed speed of approach: the speed that closes the gap within the step, minus the change
    /// by gravity.
    pub(super) allowed_speed: f64,
    /// Speed of approach that gravity adds in the step.
    pub(super) gravity_speed: f64,
    /// True if the pair touches and has restitution 0: it rests at any speed.
    pub(super) never_bounces: bool,
    /// Error of the speed of approach, along the normal, that needs no further iteration.
    pub(super) speed_tolerance: f64,
    /// Impulse along the normal, 0 or positive: at first the guess, then the sum of all iterations.
    pub(super) impulse: f64,
}

impl RestingConstraint {
    /// Returns which of the two is the lower one, 0 or 1.
    pub(super) fn low(&self, down: DVec2) -> usize {
        usize::from(self.normal.dot(down) > 0.0)
    }

    /// Returns the body that the other one may carry; `None` if they are side by side.
    pub(super) fn above(&self, down: DVec2) -> Option<u32> {
        let slope = self.normal.dot(down);
        let above = 1 - self.low(down);
        let leans = slope * slope > MIN_CARRYING_COSINE * MIN_CARRYING_COSINE * down.length_squared();
        (leans && self.inverse_masses[above] > 0.0).then_some(self.body_indices[above])
    }

    /// Returns the same constraint with a guess of its impulse.
    pub(super) fn with_guess(self, impulse: f64) -> Self {
        Self { impulse, ..self }
    }

    /// Returns the velocities of both bodies.
    #[inline(always)]
    pub(super) fn velocities(&self, velocities: &[DVec2]) -> [DVec2; 2] {
        both(self.body_indices, |index| velocities[index as usize])
    }

    /// Returns the speed of approach beyond the allowed speed.
    #[inline(always)]
    pub(super) fn approach(&self, velocities: [DVec2; 2]) -> f64 {
        (velocities[0] - velocities[1]).dot(self.normal) - self.allowed_speed
    }
}

impl Environment<'_> {
    /// Returns true if impacts of a pair lose energy.
    pub(super) fn is_lossy(&self, indices: [Option<usize>; 2]) -> bool {
        indices != [None; 2] && restitution_of_pair(self.restitutions, indices) < 1.0
    }

    /// Returns the current constraint of a pair and its height against `down`, or `None` if the
    /// pair is not near.
    pub(super) fn constraint(&self, [a, b]: [Handle; 2]) -> Option<(f64, RestingConstraint)> {
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
        let restitution = restitution_of_pair(self.restitutions, indices);
        let indices = both(indices, |index| index.unwrap_or(self.bodies.len()) as u32);
        Some((-point.dot(self.down), self.new_constraint(indices, inverse_masses, normal, depth, size, restitution)))
    }

    /// Creates the constraint of a pair with a contact of a depth; `size` is that of the smaller one.
    fn new_constraint(
        &self,
        body_indices: [u32; 2],
        inverse_masses: [f64; 2],
        normal: DVec2,
        depth: f64,
        size: f64,
        restitution: f64,
    ) -> RestingConstraint {
        let slop = PENETRATION_SLOP * size;
        let pull = |inverse_mass: f64| if inverse_mass > 0.0 { self.gravity.dot(normal) } else { 0.0 };
        let gravity_speed = (pull(inverse_masses[0]) - pull(inverse_masses[1])) * self.seconds;
        RestingConstraint {
            body_indices,
            inverse_masses,
            normal,
            allowed_speed: self.allowed_speed(depth, slop) - gravity_speed,
            gravity_speed,
            never_bounces: restitution == 0.0 && depth >= -slop,
            speed_tolerance: speed_tolerance(self.threshold, slop, self.seconds),
            impulse: 0.0,
        }
    }

    /// Calls `visit` for each wall that is near a particle: the number of the wall, 0 to 3, the height of the particle,
    /// and the constraint.
    pub(super) fn at_walls(&self, index: usize, walls: Walls, mut visit: impl FnMut(u8, f64, RestingConstraint)) {
        let (handle, inverse_mass) = (self.bodies.handles()[index], self.bodies.inverse_masses()[index]);
        let Some(state) = self.world.collider_state(handle).filter(|_| inverse_mass > 0.0) else { return };
        let origin = state.pose.translation();
        let (low, high) = walls.free_range(origin, state.aabb);
        let (size, restitution) = (state.aabb.size().max_element(), self.restitutions[index]);
        let sides = [
            (DVec2::X, high.x - origin.x),
            (DVec2::NEG_X, origin.x - low.x),
            (DVec2::Y, high.y - origin.y),
            (DVec2::NEG_Y, origin.y - low.y),
        ];
        for (side, (normal, gap)) in (0..).zip(sides) {
            if gap.abs() <= MAX_RELATIVE_GAP * size {
                let (indices, inverse_masses) = ([index as u32, self.bodies.len() as u32], [inverse_mass, 0.0]);
                let constraint = self.new_constraint(indices, inverse_masses, normal, -gap, size, restitution);
                visit(side, -origin.dot(self.down), constraint);
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
