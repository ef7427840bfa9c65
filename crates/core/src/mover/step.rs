//! Climbs steps.
//!
//! Input: a motion on the ground that a wall stops. Output: the position on top of the wall, if it is
//! a step. A step is at most as high as the step height. It has head room, and a floor on top.
//!
//! ```text
//! cast up by the step height
//! for each of several distances ahead, the first at least the mover's width, the last half of it:
//!     cast forward; cast down: a floor at most at the step height?
//! no such floor: it is no step
//! cast forward by the motion only; cast down: this is the end of the step
//! ```
//!
//! The floor is searched ahead, because a round mover lands on the corner of a step first. The corner has
//! a steep normal, as a steep slope has; only the floor behind it tells a step from a slope. If the steps
//! are shorter than the mover is wide, it meets the next corner one width ahead. So nearer floors count too.

use glam::DVec2;

use super::contacts::Slide;
use super::{SurfaceClass, across, side};
use crate::math::vector::length;
use crate::world::Handle;

/// Parts of the distance ahead at which a floor is searched, if there is none at its end.
const LOOK_AHEAD: [f64; 3] = [0.75, 0.6, 0.5];

impl Slide<'_, '_> {
    /// Climbs a step. Returns the collider that it lands on, and the fraction of the motion made.
    pub(super) fn step(&mut self, wanted: DVec2) -> Option<(Handle, f64)> {
        let (up, start) = (self.settings.up?, self.position);
        let (forward, far) = (side(wanted, up), length(across(wanted, up)));
        let rise = up * self.settings.step;
        let high = start + rise * self.cast(start, rise, None).0;
        let lifted = (high - start).dot(up);
        if far == 0.0 || lifted <= self.slack {
            return None;
        }
        let top = self.lowest(start, up) - self.skin + self.settings.step + 4.0 * self.slack;
        let free = self.floor_ahead(high, forward * far.max(self.width(forward)), lifted, top)?;
        let made = far.min(free);
        let (handle, end) = self.land(high + forward * made, lifted)?;
        if (end - start).dot(up) <= self.slack {
            return None;
        }
        self.position = end;
        Some((handle, made / far))
    }

    /// Returns a distance ahead with a floor at most `height` below. The motion up to there is free.
    pub(super) fn floor_ahead(&mut self, from: DVec2, ahead: DVec2, height: f64, top: f64) -> Option<f64> {
        let free = self.cast(from, ahead, None).0;
        let farthest = length(ahead) * free;
        if farthest <= 4.0 * self.slack {
            return None;
        }
        let [near, nearer, nearest] = LOOK_AHEAD;
        for part in [free, near, nearer, nearest] {
            if part <= free && self.is_floor_below(from + ahead * part, height, top) {
                return Some(length(ahead) * part);
            }
        }
        None
    }

    /// Returns true if the mover finds a floor at most `height` below a position. All points of that floor
    /// are at most at the height `top` in the world. Otherwise a round mover, lifted by the step height, could
    /// stand on the corner of a higher step.
    fn is_floor_below(&mut self, from: DVec2, height: f64, top: f64) -> bool {
        let (Some(up), Some((_, landing))) = (self.settings.up, self.land(from, height)) else { return false };
        let here = core::mem::replace(&mut self.position, landing);
        self.find_contacts(self.slack, None);
        self.position = here;
        self.buffers.contacts.iter().any(|(_, found)| {
            self.class(found.normal) == SurfaceClass::Floor
                && found.points().iter().all(|point| point.on_a.dot(up) <= top)
        })
    }

    /// Casts down by a height. Returns the collider that is hit, and the position there.
    fn land(&mut self, from: DVec2, height: f64) -> Option<(Handle, DVec2)> {
        let down = -self.settings.up? * height;
        let (time, hit) = self.cast(from, down, None);
        Some((hit?.0, from + down * time))
    }
}
