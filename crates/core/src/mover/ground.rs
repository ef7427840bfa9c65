//! Walking: keeps the mover on the ground.
//!
//! Input: the wanted motion, the up direction, and the ground at the end of the last call. Output: the
//! ground at the end of this call.
//!
//! ```text
//! if the motion leads up: jump, without ground
//! ground = floor within the skin; else the corner that was climbed; else snap down
//! motion = part of the motion along the ground, with the length of its part across `up`
//! slide, and climb steps                                       // slide.rs, step.rs
//! ground = floor within the skin; else the step; else snap down
//! ```
//!
//! The ground is searched anew in each call, because it can be removed, turned or left behind by a
//! caller that moves the mover. A round mover on the corner of a step touches it with a steep normal.
//! There the ground is the corner, as long as a floor is one width ahead.

use glam::DVec2;

use super::contacts::Slide;
use super::slide::Slid;
use super::{Ground, SurfaceClass, across, along, is_jump, side};
use crate::world::Handle;

impl Slide<'_, '_> {
    /// Moves with an up direction. Returns the ground at the end, and the motion not made.
    pub(super) fn walk(&mut self, wanted: DVec2, up: DVec2, ground: Option<Ground>) -> (Option<Ground>, DVec2) {
        if is_jump(wanted, up) {
            return (None, self.slide_along(wanted, None, false).remaining);
        }
        let ground = ground.and_then(|ground| self.support(ground, up));
        let wanted = match ground {
            Some(ground) => {
                let aside = across(wanted, up);
                if aside == DVec2::ZERO { aside } else { along(ground.normal, aside) }
            }
            None => wanted,
        };
        let start = self.position;
        let Slid { remaining, stepped } = self.slide_along(wanted, None, ground.is_some());
        let mut found = self.find_ground(up);
        if found.is_none() && stepped.is_none() && ground.is_some() {
            found = if self.position == start { ground } else { self.snap(wanted, up) };
        }
        let stepped = stepped.map(|handle| Ground::corner(handle, up));
        (found.or(stepped), remaining)
    }

    /// Returns the ground at the start of a call, if the mover still stands on one.
    fn support(&mut self, ground: Ground, up: DVec2) -> Option<Ground> {
        if let Some(floor) = self.flattest_floor(up) {
            return Some(floor);
        }
        let mut contacts = self.buffers.contacts.iter();
        if ground.corner && contacts.any(|(other, found)| *other == ground.handle && found.normal.dot(up) > 1e-9) {
            return Some(ground);
        }
        self.snap(DVec2::ZERO, up)
    }

    /// Returns the flattest floor within the skin, and records it as touched.
    fn find_ground(&mut self, up: DVec2) -> Option<Ground> {
        let ground = self.flattest_floor(up)?;
        self.touch(ground.handle, ground.normal);
        Some(ground)
    }

    /// Returns the flattest floor within the skin.
    fn flattest_floor(&mut self, up: DVec2) -> Option<Ground> {
        self.find_contacts(self.slack, None);
        let mut best: Option<Ground> = None;
        for &(handle, found) in &self.buffers.contacts {
            let height = found.normal.dot(up);
            if self.class(found.normal) == SurfaceClass::Floor && best.is_none_or(|best| height > best.normal.dot(up)) {
                best = Some(Ground { handle, normal: found.normal, motion: DVec2::ZERO, corner: false });
            }
        }
        best
    }

    /// Moves down to a floor within the snap distance, or to a corner in front of a lower floor. Stays
    /// if there is none. `walked` is the walked motion.
    fn snap(&mut self, walked: DVec2, up: DVec2) -> Option<Ground> {
        let (start, motion) = (self.position, -up * self.settings.snap);
        let (time, hit) = self.cast(start, motion, None);
        let (handle, _) = hit?;
        self.position = start + motion * time;
        let mut found = self.find_ground(up);
        if found.is_none() {
            let forward = side(walked, up);
            let ahead = forward * self.width(forward);
            let lower = self.floor_ahead(self.position, ahead, self.settings.snap, f64::INFINITY);
            found = lower.map(|_| Ground::corner(handle, up));
        }
        if found.is_none() {
            self.position = start;
        }
        found
    }
}

impl Ground {
    /// Creates the ground on a corner.
    fn corner(handle: Handle, up: DVec2) -> Self {
        Self { handle, normal: up, motion: DVec2::ZERO, corner: true }
    }
}
