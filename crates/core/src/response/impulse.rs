//! All bounces of a step: contact by contact, to and fro, until nothing approaches any more.

use alloc::vec::Vec;

use glam::DVec2;

use super::bodies::Bodies;
use super::bounce::bounced;
use crate::world::Handle;

/// Passes over all contacts after which the rest is left to the next step.
const MOST_PASSES: usize = 32;

/// What rounding leaves of an approach, as a share of the speeds.
const NOISE: f64 = 1e-12;

/// Two that touch, by their places; `None` for what is no body.
#[derive(Clone, Copy, Debug)]
struct Touch {
    places: [Option<u32>; 2],
    normal: DVec2,
    restitution: f64,
}

/// The pairs that may bounce.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches(Vec<Touch>);

impl Touches {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes a pair, unless nothing moves the two of them. The larger restitution counts: a ball that bounces does so on everything.
    #[inline]
    pub(super) fn add(&mut self, bodies: &Bodies, restitutions: &[f64], pair: [Handle; 2], normal: DVec2) {
        let places = pair.map(|handle| bodies.place(handle));
        let movable = places.into_iter().flatten().any(|place| bodies.inverse_masses()[place] > 0.0);
        if movable {
            let restitution = places.into_iter().flatten().map(|place| restitutions[place]).fold(0.0, f64::max);
            self.0.push(Touch { places: places.map(|place| place.map(|place| place as u32)), normal, restitution });
        }
    }

    /// Lets them bounce, forward and backward in turn, so that a row of balls hands a push on in one step whichever way it runs.
    pub(super) fn bounce(&self, bodies: &Bodies, velocities: &mut [DVec2]) {
        for pass in 0..MOST_PASSES {
            let mut again = false;
            let mut one = |touch: &Touch| again |= touch.bounce(bodies, velocities);
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

impl Touch {
    /// Says whether the two approached by more than rounding explains.
    #[inline]
    fn bounce(&self, bodies: &Bodies, velocities: &mut [DVec2]) -> bool {
        let before = self.places.map(|place| place.map_or(DVec2::ZERO, |place| velocities[place as usize]));
        let inverse_masses = self.places.map(|place| place.map_or(0.0, |place| bodies.inverse_masses()[place as usize]));
        let Some(after) = bounced(before, inverse_masses, self.normal, self.restitution) else { return false };
        for (place, velocity) in self.places.into_iter().zip(after) {
            if let Some(place) = place {
                velocities[place as usize] = velocity;
            }
        }
        let approach = (before[0] - before[1]).dot(self.normal);
        approach > NOISE * (before[0].abs() + before[1].abs()).max_element()
    }
}
