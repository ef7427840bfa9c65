//! Bounces all contacts of a step.
//!
//! Input: contact normals, inverse masses, restitutions and velocities. Output: velocities after
//! all bounces. The method is an iteration over pairwise impulses, in the order of contacts
//! (Gauss–Seidel). Source: Catto, *Fast and simple physics using sequential impulses*, 2006.
//!
//! ```text
//! repeat, at most 32 times, while a pair approaches by more than the rounding error
//!     for each contact, forward in even iterations and backward in odd ones
//!         if the pair approaches faster than the tolerance: new velocities = bounce along the normal
//! ```
//!
//! One pass does not suffice. A bounce can make a body approach its other neighbour, as in Newton's
//! cradle. Both directions are needed because a forward pass transfers an impulse through a row of
//! bodies in one direction only.

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::{NOISE, bounced, restitution_of_pair};
use super::masses::Masses;
use super::tolerance::{at_speed, max_speed_tolerance};
use crate::math::prefetch::prefetch;
use crate::world::Handle;

/// Maximum number of iterations over all contacts. The rest is left to the next step.
const MAX_ITERATIONS: usize = 32;

/// A contact of two colliders, by their body indices; `None` for a collider that is no body. A body
/// of inverse mass 0 never changes its velocity.
#[derive(Clone, Copy, Debug)]
struct ContactConstraint {
    body_indices: [Option<u32>; 2],
    inverse_masses: [f64; 2],
    normal: DVec2,
    restitution: f64,
}

/// The contacts of a step that may bounce.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactConstraints(Vec<ContactConstraint>);

impl ContactConstraints {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Prefetches the data of a collider that [`add`](ContactConstraints::add) reads.
    #[inline]
    pub(super) fn prefetch_body(bodies: &Masses, restitutions: &[f64], handle: Handle) {
        if let Some(index) = bodies.prefetch_body(handle) {
            prefetch(restitutions, index);
        }
    }

    /// Adds a contact, unless both inverse masses are 0.
    #[inline]
    pub(super) fn add(&mut self, bodies: &Masses, restitutions: &[f64], [a, b]: [Handle; 2], normal: DVec2) {
        let (p, q) = (bodies.index(a), bodies.index(b));
        let inverse_mass = |index: Option<usize>| index.map_or(0.0, |index| bodies.inverse_masses()[index]);
        let inverse_masses = [inverse_mass(p), inverse_mass(q)];
        if inverse_masses != [0.0; 2] {
            let indices = [p.map(|index| index as u32), q.map(|index| index as u32)];
            self.0.push(ContactConstraint {
                body_indices: indices,
                inverse_masses,
                normal,
                restitution: restitution_of_pair(restitutions, [p, q]),
            });
        }
    }

    /// Bounces all contacts, forward and backward in turn. So a row of balls transfers a push in
    /// one step in either direction.
    ///
    /// An approach slower than `threshold` does not bounce, unless the restitution is 1.
    pub(super) fn bounce(&self, velocities: &mut [DVec2], threshold: f64) {
        for pass in 0..MAX_ITERATIONS {
            let mut again = false;
            let mut one = |constraint: &ContactConstraint| again |= constraint.bounce(velocities, threshold);
            if pass % 2 == 0 {
                self.0.iter().for_each(&mut one);
            } else {
                self.0.iter().rev().for_each(&mut one);
            }
            if !again {
                break;
            }
        }
    }
}

impl ContactConstraint {
    /// Bounces one contact. Returns true if the speed of approach was more than rounding error.
    #[inline]
    fn bounce(&self, velocities: &mut [DVec2], threshold: f64) -> bool {
        let [p, q] = self.body_indices;
        let velocity = |index: Option<u32>| index.map_or(DVec2::ZERO, |index| velocities[index as usize]);
        let before = [velocity(p), velocity(q)];
        let approach = (before[0] - before[1]).dot(self.normal);
        if approach <= 0.0 || (self.restitution < 1.0 && approach <= max_speed_tolerance(threshold)) {
            return false;
        }
        let restitution = at_speed(self.restitution, approach, threshold);
        let Some(after) = bounced(before, self.inverse_masses, self.normal, restitution) else { return false };
        for (index, velocity) in self.body_indices.into_iter().zip(after) {
            if let Some(index) = index {
                velocities[index as usize] = velocity;
            }
        }
        approach > NOISE * (before[0].abs() + before[1].abs()).max_element()
    }
}
