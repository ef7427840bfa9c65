//! Climbs steps.
//!
//! Input: a motion on the ground that a wall stops. Output: the position on top of the wall, if it is
//! a step: at most the step height, with head room, and with a floor on top.
//!
//! ```text
//! cast up by the step height
//! cast forward by the motion, at least by the mover's width; cast down
//!     no floor there, or one above the step height: it is no step
//! cast forward by the motion only; cast down: this is the end of the step
//! ```
//!
//! The floor is searched one width ahead, because a round mover lands on the corner of a step first. The
//! corner has a steep normal, as a steep slope has; only the floor behind it tells a step from a slope.

use glam::DVec2;

use super::contacts::Slide;
use super::{SurfaceClass, across, side};
use crate::math::vector::length;
use crate::world::Handle;

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
        let top = self.lowest(start, up) - self.settings.skin + self.settings.step + 4.0 * self.slack;
        let free = self.floor_ahead(high, forward * far.max(self.width(forward)), lifted, top)?;
        let way = far.min(free);
        let (handle, end) = self.land(high + forward * way, lifted)?;
        if (end - start).dot(up) <= self.slack {
            return None;
        }
        self.position = end;
        Some((handle, way / far))
    }

    /// Returns the free length of a motion, if there is a floor at most `height` below its end. All points
    /// of that floor are at most at the height `top` in the world: a round mover that is lifted by the step
    /// height can stand on the corner of a higher step.
    pub(super) fn floor_ahead(&mut self, from: DVec2, ahead: DVec2, height: f64, top: f64) -> Option<f64> {
        let (up, here) = (self.settings.up?, self.position);
        let free = ahead * self.cast(from, ahead, None).0;
        if length(free) <= 4.0 * self.slack {
            return None;
        }
        (_, self.position) = self.land(from + free, height)?;
        self.find_contacts(self.slack, None);
        let is_floor = self.buffers.contacts.iter().any(|(_, found)| {
            self.class(found.normal) == SurfaceClass::Floor
                && found.points().iter().all(|point| point.on_a.dot(up) <= top)
        });
        self.position = here;
        is_floor.then(|| length(free))
    }

    /// Casts down by a height. Returns the collider that is hit, and the position there.
    fn land(&self, from: DVec2, height: f64) -> Option<(Handle, DVec2)> {
        let down = -self.settings.up? * height;
        let (time, hit) = self.cast(from, down, None);
        Some((hit?.0, from + down * time))
    }
}
