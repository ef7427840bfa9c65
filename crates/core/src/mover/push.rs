//! Moves the mover out of colliders that are nearer than the skin.
//!
//! Input: the contacts at the start of a call. Output: a position at the skin of all of them, or as
//! far out as the limit and opposite colliders allow.
//!
//! ```text
//! repeat
//!     planes = normal · motion ≥ skin − gap, for each contact nearer than the skin
//!     move by the shortest allowed motion; if there is none: out of the deepest contact
//!     stop if another collider is hit
//! ```
//!
//! All contacts are solved together, as in [`plane_solver`](super::plane_solver): one at a time, two
//! tiles of a floor would lift the mover twice.

use glam::DVec2;

use super::contacts::Slide;
use super::plane_solver::{Plane, nearest_allowed};
use crate::math::vector::{length, unit};

/// Maximum number of motions out of overlaps.
const ITERATIONS: usize = 8;

impl Slide<'_, '_> {
    /// Moves out of colliders that are nearer than the skin, up to the limit. Returns true if none
    /// is left.
    pub(super) fn push_out(&mut self) -> bool {
        let mut left = self.settings.push;
        for _ in 0..ITERATIONS {
            self.find_contacts(self.slack, None);
            let (skin, slack) = (self.skin, self.slack);
            let planes = &mut self.buffers.planes;
            planes.clear();
            let mut deepest = Plane { normal: DVec2::ZERO, least: 0.0 };
            for (_, found) in &self.buffers.contacts {
                let least = skin + found.depth;
                let plane = Plane { normal: found.normal, least: if least > slack { least } else { 0.0 } };
                planes.push(plane);
                deepest = if plane.least > deepest.least { plane } else { deepest };
            }
            if deepest.least <= 0.0 {
                return true;
            }
            if left <= 0.0 {
                return false;
            }
            let motion = nearest_allowed(DVec2::ZERO, planes).unwrap_or(deepest.normal * deepest.least);
            let motion = if length(motion) > left { unit(motion).unwrap_or(DVec2::ZERO) * left } else { motion };
            left -= length(motion);
            let (time, _) = self.cast(self.position, motion, None);
            for i in 0..self.buffers.contacts.len() {
                let (other, found) = self.buffers.contacts[i];
                self.touch(other, found.normal);
            }
            self.position += motion * time;
            if time < 1.0 {
                return false;
            }
        }
        false
    }

    /// Returns the length by which the nearest collider is nearer than the skin; 0 below the slack.
    pub(super) fn missing_gap(&mut self) -> f64 {
        self.find_contacts(self.slack, None);
        let missing = self.buffers.contacts.iter().map(|(_, found)| self.skin + found.depth);
        let most = missing.fold(0.0, f64::max);
        if most <= 2.0 * self.slack { 0.0 } else { most }
    }
}
