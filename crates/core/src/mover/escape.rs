//! Moves a mover that the caller has put inside colliders to free space.
//!
//! Input: a position from which the motion out of overlaps fails: the parts around it push in opposite
//! directions. Output: the position at the skin that needs the shortest straight way, if one of the
//! tested directions has a way within the limit.
//!
//! ```text
//! for each direction
//!     way = 0
//!     repeat: way = way + the largest missing gap, until none is missing
//!     reject the way if a collider that did not overlap the mover at the start blocks it
//! move by the shortest way
//! ```
//!
//! A mover that is crushed between moving colliders does not escape: it stays, and its missing gap is
//! reported. The search allocates a list of the overlapping colliders.

use glam::DVec2;

use super::contacts::Slide;
use crate::world::{Handle, QueryFilter};

/// Number of directions.
const DIRECTIONS: u32 = 32;
/// Maximum number of steps in one direction.
const STEPS: usize = 64;
/// Least length of a step, as a part of the skin.
const SHORTEST: f64 = 0.25;

impl Slide<'_, '_> {
    /// Moves from a start to the nearest free position in a tested direction. Returns false, and stays at the
    /// present position, if all ways are longer than the largest motion out of overlaps, or blocked.
    pub(super) fn escape(&mut self, start: DVec2) -> bool {
        let present = self.position;
        let filter = QueryFilter::ALL.exclude_sensors().exclude_collider(self.handle);
        let overlapping = self.world.overlapping(self.at(start), filter);
        let mut shortest: Option<(f64, DVec2)> = None;
        for i in 0..DIRECTIONS {
            let angle = core::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS);
            let direction = DVec2::new(libm::cos(angle), libm::sin(angle));
            let limit = shortest.map_or(self.settings.push, |(length, _)| length);
            if let Some(length) = self.way_out(start, direction, limit)
                && self.is_open(start, direction * length, &overlapping)
            {
                shortest = Some((length, direction));
            }
        }
        self.position = shortest.map_or(present, |(length, direction)| start + direction * length);
        shortest.is_some()
    }

    /// Returns the length of the way out along a unit direction, if it is below a limit.
    fn way_out(&mut self, start: DVec2, direction: DVec2, limit: f64) -> Option<f64> {
        let mut length = 0.0;
        for _ in 0..STEPS {
            self.position = start + direction * length;
            self.find_contacts(self.slack, None);
            let skin = self.skin;
            let missing = self.buffers.contacts.iter().map(|(_, found)| skin + found.depth).fold(0.0, f64::max);
            if missing <= self.slack {
                return Some(length);
            }
            // No way out of a contact is shorter than its depth.
            length += missing.max(SHORTEST * skin);
            if length >= limit {
                return None;
            }
        }
        None
    }

    /// Returns true if no collider except the overlapping ones blocks a motion.
    fn is_open(&mut self, start: DVec2, motion: DVec2, overlapping: &[Handle]) -> bool {
        let passed = self.passing.len();
        self.passing.extend(overlapping);
        let (time, _) = self.cast(start, motion, None);
        self.passing.truncate(passed);
        time == 1.0
    }
}
