//! Spreads bodies that are all at one position, before position correction.
//!
//! Input: overlapping pairs. Output: a displacement for each body of a group of at least three. The
//! bodies are put on a spiral of Fermat in steps of the golden angle (Vogel, *A better way to
//! construct the sunflower head*, 1979). This spiral fills a disc evenly. The heaviest body is
//! nearest to the center.
//!
//! ```text
//! group the bodies of the pairs by equal position
//! for each group of at least 3, heaviest first
//!     displacement = direction of golden angle k, times a radius that grows with the area so far
//! ```
//!
//! Position correction alone does not separate such a group: concentric bodies have no MTVs that
//! separate all of them. Coordinates along one fixed direction would move the last of n bodies by n
//! radii, a spiral by √n radii.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::masses::Masses;
use crate::math::sort::sort_cold;
use crate::math::vector::{magnification, sqrt, times_power_of_two};
use crate::world::World;

/// Smallest number of bodies at one position that are spread. Two bodies separate along their
/// contact normal.
const MIN_GROUP: usize = 3;

/// Radius of the spiral per square root of the sum of squared radii. With this value, any two
/// positions are more than two radii apart.
const PITCH: f64 = 1.25;

/// A body of a group at one position.
#[derive(Clone, Copy)]
struct Member {
    at: DVec2,
    inverse_mass: f64,
    slot: usize,
    index: u32,
}

/// Returns the indices of the bodies to spread, and the displacement of each.
pub(super) fn targets(pairs: impl Iterator<Item = (u32, u32)>, world: &World, bodies: &Masses) -> Vec<(u32, DVec2)> {
    let position =
        |index: u32| world.collider_state(bodies.handles()[index as usize]).map(|seen| seen.pose.translation());
    let mut is_member: Vec<bool> = Vec::new();
    for (p, q) in pairs {
        if position(p).is_some_and(|at| position(q) == Some(at)) {
            is_member.resize(bodies.len(), false);
            is_member[p as usize] = true;
            is_member[q as usize] = true;
        }
    }
    let mut members = Vec::new();
    for (index, is_member) in is_member.into_iter().enumerate() {
        if is_member {
            members.extend(Member::new(index as u32, world, bodies));
        }
    }
    sort_cold(&mut members, Member::compare);
    let mut targets = Vec::new();
    for group in members.chunk_by(|p, q| p.at == q.at) {
        if group.len() < MIN_GROUP {
            continue;
        }
        // Squares of tiny radii would underflow.
        let largest = group.iter().map(|member| radius(member, world, bodies)).fold(0.0, f64::max);
        let (power, mut area) = (magnification(largest), 0.0);
        for (k, member) in group.iter().enumerate() {
            let radius = times_power_of_two(radius(member, world, bodies), power);
            let out = times_power_of_two(PITCH * sqrt(area + 0.5 * radius * radius), -power);
            area += radius * radius;
            targets.push((member.index, golden_direction(k) * out));
        }
    }
    targets
}

impl Member {
    fn new(index: u32, world: &World, bodies: &Masses) -> Option<Self> {
        let (handle, inverse_mass) = (bodies.handles()[index as usize], bodies.inverse_masses()[index as usize]);
        let at = world.collider_state(handle)?.pose.translation();
        Some(Self { at, inverse_mass, slot: handle.index(), index })
    }

    /// Compares by position, then inverse mass (heaviest first), then slot.
    fn compare(&self, other: &Self) -> Ordering {
        let compare = |p: f64, q: f64| (p + 0.0).total_cmp(&(q + 0.0));
        compare(self.at.x, other.at.x)
            .then(compare(self.at.y, other.at.y))
            .then(compare(self.inverse_mass, other.inverse_mass))
            .then(self.slot.cmp(&other.slot))
    }
}

/// Returns the bounding radius of a body about its origin.
fn radius(member: &Member, world: &World, bodies: &Masses) -> f64 {
    world.collider_state(bodies.handles()[member.index as usize]).map_or(0.0, |seen| seen.bounding_radius())
}

/// Returns the unit vector at `count` golden angles from +x.
fn golden_direction(count: usize) -> DVec2 {
    let golden = core::f64::consts::PI * (3.0 - sqrt(5.0));
    let angle = golden * count as f64;
    DVec2::new(libm::cos(angle), libm::sin(angle))
}
