//! Spreads bodies that are all at one position: concentric bodies have no least way out that parts them all.
//!
//! They are put on a spiral of Fermat in steps of the golden angle (Vogel 1979), which fills a disc evenly. The heaviest body stays nearest to the center.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::masses::Masses;
use crate::math::sort::sort_cold;
use crate::math::vector::{length, sqrt};
use crate::world::World;

/// Fewer bodies at one position part along their contact normals.
const LEAST: usize = 3;

/// Radius of the spiral per square root of the sum of squared radii: positions are then farther apart than two radii.
const PITCH: f64 = 1.25;

/// One of several at a position.
#[derive(Clone, Copy)]
struct Member {
    at: DVec2,
    inverse_mass: f64,
    slot: usize,
    place: u32,
}

/// Returns which bodies of some overlapping pairs are to be spread, by their places, and the vector by which each moves.
pub(super) fn targets(pairs: impl Iterator<Item = (u32, u32)>, world: &World, bodies: &Masses) -> Vec<(u32, DVec2)> {
    let position = |place: u32| world.seen(bodies.handles()[place as usize]).map(|seen| seen.pose.translation());
    let mut is_member: Vec<bool> = Vec::new();
    for (p, q) in pairs {
        if position(p).is_some_and(|at| position(q) == Some(at)) {
            is_member.resize(bodies.len(), false);
            is_member[p as usize] = true;
            is_member[q as usize] = true;
        }
    }
    let places = (0..).zip(is_member).filter_map(|(place, is_member)| is_member.then_some(place));
    let mut members: Vec<Member> = places.filter_map(|place| Member::new(place, world, bodies)).collect();
    sort_cold(&mut members, Member::compare);
    let mut targets = Vec::new();
    for group in members.chunk_by(|p, q| p.at == q.at).filter(|group| group.len() >= LEAST) {
        let mut area = 0.0;
        for (k, member) in group.iter().enumerate() {
            let radius = radius(member, world, bodies);
            let out = PITCH * sqrt(area + 0.5 * radius * radius);
            area += radius * radius;
            targets.push((member.place, golden_direction(k) * out));
        }
    }
    targets
}

impl Member {
    fn new(place: u32, world: &World, bodies: &Masses) -> Option<Self> {
        let (handle, inverse_mass) = (bodies.handles()[place as usize], bodies.inverse_masses()[place as usize]);
        let at = world.seen(handle)?.pose.translation();
        Some(Self { at, inverse_mass, slot: handle.index(), place })
    }

    /// By position, then the heaviest first, then by handle.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |member: &Self| [member.at.x, member.at.y, member.inverse_mass];
        let numbers = key(self).into_iter().zip(key(other));
        numbers
            .map(|(p, q)| (p + 0.0).total_cmp(&(q + 0.0)))
            .fold(Ordering::Equal, Ordering::then)
            .then(self.slot.cmp(&other.slot))
    }
}

/// Returns the radius of a circle about the origin of a body that holds all of it.
fn radius(member: &Member, world: &World, bodies: &Masses) -> f64 {
    let Some(seen) = world.seen(bodies.handles()[member.place as usize]) else { return 0.0 };
    let corner = (seen.aabb.max() - member.at).max(member.at - seen.aabb.min());
    if seen.round.is_nan() { length(corner) } else { seen.round }
}

/// Returns the direction of a number of golden angles.
fn golden_direction(count: usize) -> DVec2 {
    let golden = core::f64::consts::PI * (3.0 - sqrt(5.0));
    let angle = golden * count as f64;
    DVec2::new(libm::cos(angle), libm::sin(angle))
}
