//! All bounces of a step: contact by contact, to and fro, until nothing approaches any more.

use alloc::vec::Vec;

use glam::DVec2;

use super::masses::Masses;
use super::bounce::{NOISE, bounced};
use super::tolerance::{at_speed, left_of_any};
use crate::math::prefetch::prefetch;
use crate::world::Handle;

/// Passes over all contacts after which the rest is left to the next step.
const MAX_ITERATIONS: usize = 32;

/// Two that touch, by their places; `None` for what is no body. An inverse mass of 0 is that of what nothing moves.
#[derive(Clone, Copy, Debug)]
struct ContactConstraint {
    places: [Option<u32>; 2],
    inverse_masses: [f64; 2],
    normal: DVec2,
    restitution: f64,
}

/// The pairs that may bounce.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactConstraints(Vec<ContactConstraint>);

impl ContactConstraints {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Has brought near what [`add`](Touches::add) looks up of a collider.
    #[inline]
    pub(super) fn fetch(bodies: &Masses, restitutions: &[f64], handle: Handle) {
        if let Some(place) = bodies.fetch(handle) {
            prefetch(restitutions, place);
        }
    }

    /// Notes a pair, unless nothing moves the two of them. The larger restitution counts: a ball that bounces does so on everything.
    #[inline]
    pub(super) fn add(&mut self, bodies: &Masses, restitutions: &[f64], [a, b]: [Handle; 2], normal: DVec2) {
        let (p, q) = (bodies.place(a), bodies.place(b));
        let inverse_mass = |place: Option<usize>| place.map_or(0.0, |place| bodies.inverse_masses()[place]);
        let restitution = |place: Option<usize>| place.map_or(0.0, |place| restitutions[place]);
        let inverse_masses = [inverse_mass(p), inverse_mass(q)];
        if inverse_masses != [0.0; 2] {
            let places = [p.map(|place| place as u32), q.map(|place| place as u32)];
            self.0.push(ContactConstraint {
                places,
                inverse_masses,
                normal,
                restitution: restitution(p).max(restitution(q)),
            });
        }
    }

    /// Lets them bounce, forward and backward in turn, so that a row of balls hands a push on in one step whichever way it runs.
    ///
    /// An approach slower than `threshold` does not bounce, unless the restitution is 1.
    pub(super) fn bounce(&self, velocities: &mut [DVec2], threshold: f64) {
        for pass in 0..MAX_ITERATIONS {
            let mut again = false;
            let mut one = |touch: &ContactConstraint| again |= touch.bounce(velocities, threshold);
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
    /// Says whether the two approached by more than rounding explains.
    #[inline]
    fn bounce(&self, velocities: &mut [DVec2], threshold: f64) -> bool {
        let [p, q] = self.places;
        let velocity = |place: Option<u32>| place.map_or(DVec2::ZERO, |place| velocities[place as usize]);
        let before = [velocity(p), velocity(q)];
        let approach = (before[0] - before[1]).dot(self.normal);
        if approach <= 0.0 || (self.restitution < 1.0 && approach <= left_of_any(threshold)) {
            return false;
        }
        let restitution = at_speed(self.restitution, approach, threshold);
        let Some(after) = bounced(before, self.inverse_masses, self.normal, restitution) else { return false };
        for (place, velocity) in self.places.into_iter().zip(after) {
            if let Some(place) = place {
                velocities[place as usize] = velocity;
            }
        }
        approach > NOISE * (before[0].abs() + before[1].abs()).max_element()
    }
}
