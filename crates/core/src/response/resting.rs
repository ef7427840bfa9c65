//! Solves contacts that do not bounce, all together, before a step moves anything: a pile rests instead of bouncing ever faster.
//!
//! ```text
//! pairs      contacts of the last update, impacts of the last step, and pairs that stayed near since; particles at a wall. Only those that lose energy, and that
//!            approach slower than the restitution threshold, or got stuck in the last step. All others bounce
//! start      a particle that was carried in the last step, and still stands on something, does not fall
//! passes     from below to above: if a pair approaches faster than its gap allows, an impulse gives both one velocity along the normal
//!            a body that rests on something fixed, directly or through others, does not give way to the bodies on it
//! end        a pass that changes nothing, or the last one; the next step goes on with what is left
//! ```
//!
//! Impact by impact, a pile would need infinitely many: inelastic collapse. Passes are sequential impulses (Catto 2006) of restitution 0. Without gravity none
//! adds energy. The order and who gives way: shock propagation (Guendelman, Bridson and Fedkiw 2003).

use alloc::vec::Vec;

use glam::DVec2;

use super::masses::Masses;
use super::bounce::{NOISE, bounced};
use super::tolerance::{PENETRATION_SLOP, left};
use super::walls::Walls;
use crate::world::{Collision, Handle, World};

/// Passes over all pairs, at most.
const ITERATIONS: u8 = 12;

/// Share of the depth beyond half the slop by which a pair under gravity parts in a step, so that it need not be pushed apart.
const PARTS: f64 = 0.2;

/// Pairs with a gap up to this share of the smaller size are kept.
const NEAR: f64 = 0.1;

/// Cosine of the steepest angle at which a particle carries another one.
const CARRIES: f64 = 0.1;

/// A step, as far as contacts at rest need to know it.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub(super) world: &'a World,
    pub(super) bodies: &'a Masses,
    pub(super) restitutions: &'a [f64],
    pub(super) walls: Option<Walls>,
    pub(super) gravity: DVec2,
    pub(super) seconds: f64,
    pub(super) threshold: f64,
}

/// A pair that must not approach.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Places of the bodies; for anything else the one behind the last body, where the velocity is 0.
    places: [u32; 2],
    inverse_masses: [f64; 2],
    /// From the first to the second.
    normal: DVec2,
    /// Speed of approach that closes the gap within the step, less what gravity adds to the approach.
    free: f64,
    /// Speed of approach, along the normal, that needs no impulse.
    left: f64,
}

impl Support {
    /// Returns which of the two is the lower one.
    fn low(&self, gravity: DVec2) -> usize {
        usize::from(self.normal.dot(gravity) > 0.0)
    }

    /// Returns the body that may be carried by the other one: none if they are side by side.
    fn above(&self, gravity: DVec2) -> Option<u32> {
        let slope = self.normal.dot(gravity);
        let above = 1 - self.low(gravity);
        let leans = slope * slope > CARRIES * CARRIES * gravity.length_squared();
        (leans && self.inverse_masses[above] > 0.0).then_some(self.places[above])
    }

    #[inline(always)]
    fn velocities(&self, velocities: &[DVec2]) -> [DVec2; 2] {
        self.places.map(|place| velocities[place as usize])
    }

    /// Returns the speed of approach beyond what is free.
    #[inline(always)]
    fn approach(&self, velocities: [DVec2; 2]) -> f64 {
        (velocities[0] - velocities[1]).dot(self.normal) - self.free
    }
}

/// Bodies that rest on something fixed. Under gravity they do not give way to the bodies on them.
#[derive(Clone, Copy, Default)]
pub(super) struct Carriers<'a> {
    is_carried: &'a [bool],
    gravity: DVec2,
}

impl Carriers<'_> {
    /// Returns the side of a pair that is below the other one, and is carried itself. `way` leads from the first to the second.
    pub(super) fn low(&self, places: [Option<u32>; 2], way: DVec2) -> Option<usize> {
        let slope = way.dot(self.gravity);
        let low = usize::from(slope > 0.0);
        let leans = slope * slope > CARRIES * CARRIES * self.gravity.length_squared() * way.length_squared();
        let is_carried =
            places[low].and_then(|place| self.is_carried.get(place as usize)).is_some_and(|&is_carried| is_carried);
        (leans && is_carried).then_some(low)
    }
}

/// The buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    pairs: Vec<[Handle; 2]>,
    /// As they were found; their heights and numbers, from below to above; and in that order.
    found: Vec<(f64, Support)>,
    order: Vec<(u64, u32)>,
    supports: Vec<Support>,
    /// Bodies whose velocity was changed, with the velocity before.
    held: Vec<(u32, DVec2)>,
    is_held: Vec<bool>,
    /// Per body: true if it rests, directly or through others, on something fixed.
    is_carried: Vec<bool>,
    /// Per body: true if it got stuck in the last step.
    is_stuck: Vec<bool>,
    /// Per body: the last pass that changed its velocity, counted from 1.
    changed: Vec<u8>,
}

impl Resting {
    /// Takes the approach out of all contacts at rest, gravity of the step included. Bodies that are held get the velocity with which their trapezoid leads as far as the new velocity alone.
    pub(super) fn hold(&mut self, now: Now<'_>, impacts: &[Collision], velocities: &mut Vec<DVec2>) {
        self.held.clear();
        if now.restitutions.iter().all(|&restitution| restitution == 1.0) {
            return self.reset();
        }
        // What is no body.
        velocities.push(DVec2::ZERO);
        self.is_stuck.resize(velocities.len(), false);
        self.find(now, impacts, velocities);
        self.is_stuck.fill(false);
        self.is_held.clear();
        self.is_held.resize(velocities.len(), false);
        self.lift(now, velocities);
        self.is_carried.clear();
        self.is_carried.resize(velocities.len(), false);
        self.changed.clear();
        self.changed.resize(velocities.len(), 0);
        for pass in 0..ITERATIONS {
            if !self.pass(pass, now, velocities) {
                break;
            }
        }
        velocities.pop();
        for &(place, _) in &self.held {
            velocities[place as usize] += now.gravity * (0.5 * now.seconds);
        }
    }

    /// Returns the bodies that the last solution found to be carried.
    pub(super) fn carriers(&self, gravity: DVec2) -> Carriers<'_> {
        Carriers { is_carried: &self.is_carried, gravity }
    }

    /// Clears the state of the last step.
    pub(super) fn reset(&mut self) {
        self.pairs.clear();
        self.is_carried.clear();
        self.is_stuck.clear();
    }

    /// Notes bodies that got stuck in this step: they rested after too many impacts, or had to go back to where it began.
    pub(super) fn record_stuck(&mut self, places: impl Iterator<Item = usize>, count: usize) {
        self.is_stuck.resize(count, false);
        for place in places {
            self.is_stuck[place] = true;
        }
    }

    /// Restores the velocities before [`hold`](Resting::hold).
    pub(super) fn forget(&mut self, velocities: &mut [DVec2]) {
        for (place, before) in self.held.drain(..) {
            velocities[place as usize] = before;
        }
    }

    /// Gives held bodies the velocity after the step: gravity was counted half of a step too often.
    pub(super) fn finish(&self, gravity: DVec2, seconds: f64, velocities: &mut [DVec2]) {
        for &(place, _) in &self.held {
            velocities[place as usize] -= gravity * (0.5 * seconds);
        }
    }

    /// Collects the pairs, from below to above.
    fn find(&mut self, now: Now<'_>, impacts: &[Collision], velocities: &[DVec2]) {
        let contacts = now.world.contacts().filter(|contact| !contact.sensor).map(|contact| [contact.a, contact.b]);
        let impacts = impacts.iter().filter(|hit| !hit.sensor && hit.b != Handle::NONE).map(|hit| [hit.a, hit.b]);
        self.pairs.extend(contacts.chain(impacts));
        self.pairs.sort_by_key(|[a, b]| u128::from(a.to_bits()) << 64 | u128::from(b.to_bits()));
        self.pairs.dedup();
        self.found.clear();
        let supports = &mut self.found;
        self.pairs.retain(|&pair| {
            let support = now.support(pair);
            supports.extend(support);
            support.is_some()
        });
        if let Some(walls) = now.walls {
            for place in 0..now.bodies.len() {
                if now.is_lossy([Some(place), None]) {
                    self.found.extend(now.at_walls(place, walls).into_iter().flatten());
                }
            }
        }
        let is_stuck = &self.is_stuck;
        self.found.retain(|(_, support)| {
            let stuck = support.places.iter().any(|&place| is_stuck[place as usize]);
            stuck || support.approach(support.velocities(velocities)) <= now.threshold
        });
        let supports = &self.found;
        self.order.clear();
        self.order.extend((0..).zip(supports).map(|(k, &(height, _)): (u32, _)| (sortable(height), k)));
        self.order.sort_unstable();
        self.supports.clear();
        self.supports.extend(self.order.iter().map(|&(_, k)| supports[k as usize].1));
    }

    /// Gives a pair one velocity along the normal, less what its gap allows.
    fn solve(
        &mut self,
        support: &Support,
        inverse_masses: [f64; 2],
        before: [DVec2; 2],
        pass: u8,
        velocities: &mut [DVec2],
    ) {
        // Seen from something that moves as fast as is allowed.
        let frame = support.normal * support.free;
        let Some(after) = bounced([before[0] - frame, before[1]], inverse_masses, support.normal, 0.0) else { return };
        for (k, after) in [after[0] + frame, after[1]].into_iter().enumerate() {
            let place = support.places[k];
            if inverse_masses[k] > 0.0 {
                if !core::mem::replace(&mut self.is_held[place as usize], true) {
                    self.held.push((place, before[k]));
                }
                velocities[place as usize] = after;
                self.changed[place as usize] = pass + 1;
            }
        }
    }

    /// Sets a first guess: a body that was carried in the last step, and still has a support, does not fall.
    fn lift(&mut self, now: Now<'_>, velocities: &mut [DVec2]) {
        self.is_carried.resize(velocities.len(), false);
        for support in &self.supports {
            let Some(above) = support.above(now.gravity).filter(|&above| self.is_carried[above as usize]) else {
                continue;
            };
            let before = velocities[above as usize];
            if !self.is_held[above as usize] && before.dot(support.normal).abs() <= now.threshold {
                self.held.push((above, before));
                self.is_held[above as usize] = true;
                velocities[above as usize] = before - now.gravity * now.seconds;
            }
        }
    }

    /// Solves every pair once; returns false if none approaches any more.
    fn pass(&mut self, pass: u8, now: Now<'_>, velocities: &mut [DVec2]) -> bool {
        let supports = core::mem::take(&mut self.supports);
        let mut again = false;
        for support in &supports {
            let [first, second] = support.places.map(|place| self.changed[place as usize]);
            // Both keep the velocities with which the last pass left them.
            if first.max(second) < pass {
                continue;
            }
            let before = support.velocities(velocities);
            let approach = support.approach(before);
            let approaches =
                approach > support.left && approach > NOISE * (before[0].abs() + before[1].abs()).max_element();
            // The first pass finds who is carried.
            if approaches || pass == 0 {
                let inverse_masses = self.carried(support, before, now);
                if approaches {
                    self.solve(support, inverse_masses, before, pass, velocities);
                    again = true;
                }
            }
        }
        self.supports = supports;
        again
    }

    /// Returns the inverse masses of a pair, with 0 for one that carries the other; that one is carried from now on.
    /// One that rises gives way all the same, or the pair would win energy.
    fn carried(&mut self, support: &Support, velocities: [DVec2; 2], now: Now<'_>) -> [f64; 2] {
        let low = support.low(now.gravity);
        let mut inverse_masses = support.inverse_masses;
        let Some(above) = support.above(now.gravity) else { return inverse_masses };
        let up = if low == 0 { support.normal } else { -support.normal };
        let rises = (velocities[low] + now.gravity * now.seconds).dot(up) > support.left;
        if inverse_masses[low] == 0.0 || (self.is_carried[support.places[low] as usize] && !rises) {
            inverse_masses[low] = 0.0;
            self.is_carried[above as usize] = true;
        }
        inverse_masses
    }
}

/// Returns a number whose order is that of the heights.
fn sortable(height: f64) -> u64 {
    let bits = height.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

impl Now<'_> {
    fn is_lossy(&self, places: [Option<usize>; 2]) -> bool {
        let restitution = |place: usize| self.restitutions[place];
        places.iter().any(Option::is_some) && places.into_iter().flatten().map(restitution).fold(0.0, f64::max) < 1.0
    }

    /// Returns a pair as it stands now, if it is near, and its height against gravity.
    fn support(&self, [a, b]: [Handle; 2]) -> Option<(f64, Support)> {
        let places = [self.bodies.place(a), self.bodies.place(b)];
        if !self.is_lossy(places) || self.world.may_collide(a, b) != Some(false) {
            return None;
        }
        let inverse_masses = places.map(|place| place.map_or(0.0, |place| self.bodies.inverse_masses()[place]));
        if inverse_masses == [0.0; 2] {
            return None;
        }
        let size = self.world.size(a).min(self.world.size(b));
        let (depth, normal, point) = self.world.meets_within([a, b], NEAR * size)?;
        let pull = |inverse_mass: f64| if inverse_mass > 0.0 { self.gravity.dot(normal) } else { 0.0 };
        let pulled = (pull(inverse_masses[0]) - pull(inverse_masses[1])) * self.seconds;
        let left = left(self.threshold, PENETRATION_SLOP * size, self.seconds);
        let places = places.map(|place| place.unwrap_or(self.bodies.len()) as u32);
        let free = self.free(depth, PENETRATION_SLOP * size) - pulled;
        Some((-point.dot(self.gravity), Support { places, inverse_masses, normal, free, left }))
    }

    /// Returns the sides of the walls that a particle is at.
    fn at_walls(&self, place: usize, walls: Walls) -> [Option<(f64, Support)>; 4] {
        let (handle, inverse_mass) = (self.bodies.handles()[place], self.bodies.inverse_masses()[place]);
        let Some(seen) = self.world.seen(handle).filter(|_| inverse_mass > 0.0) else { return [None; 4] };
        let origin = seen.pose.translation();
        let (low, high) = walls.free_range(origin, seen.aabb);
        let size = seen.aabb.size().max_element();
        let sides = [
            (DVec2::X, high.x - origin.x),
            (DVec2::NEG_X, origin.x - low.x),
            (DVec2::Y, high.y - origin.y),
            (DVec2::NEG_Y, origin.y - low.y),
        ];
        sides.map(|(normal, gap)| {
            let free = self.free(-gap, PENETRATION_SLOP * size) - self.gravity.dot(normal) * self.seconds;
            let left = left(self.threshold, PENETRATION_SLOP * size, self.seconds);
            let (places, inverse_masses) = ([place as u32, self.bodies.len() as u32], [inverse_mass, 0.0]);
            let support = Support { places, inverse_masses, normal, free, left };
            (gap.abs() <= NEAR * size).then_some((-origin.dot(self.gravity), support))
        })
    }

    /// Returns the speed at which a pair may approach: that which closes its gap within the step. A pair that is deep must part.
    fn free(&self, depth: f64, slop: f64) -> f64 {
        let way = if depth < 0.0 {
            -depth
        } else if self.gravity != DVec2::ZERO {
            -PARTS * (depth - 0.5 * slop).max(0.0)
        } else {
            0.0
        };
        if self.seconds > 0.0 { way / self.seconds } else { 0.0 }
    }
}
