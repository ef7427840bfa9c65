//! Walking: keeps the mover on the ground, climbs steps and snaps down.

use glam::DVec2;

use super::slide::{Slid, Slide};
use super::{Ground, SurfaceClass, across, along, side};
use crate::math::vector::length;
use crate::world::Handle;

impl Slide<'_, '_> {
    /// Moves with an up direction. Returns the ground at the end, and the motion not made.
    pub(super) fn walk(&mut self, wanted: DVec2, up: DVec2, ground: Option<Ground>) -> (Option<Ground>, DVec2) {
        let jumps = wanted.dot(up) > 0.0;
        let walks = ground.is_some() && !jumps;
        let wanted = match ground {
            Some(ground) if walks => {
                let aside = across(wanted, up);
                if aside == DVec2::ZERO { aside } else { along(ground.normal, aside) }
            }
            _ => wanted,
        };
        let Slid { remaining, stepped } = self.slide_along(wanted, None, walks);
        if jumps {
            return (None, remaining);
        }
        let mut found = self.find_ground(up);
        if found.is_none() && stepped.is_none() && walks && wanted != DVec2::ZERO {
            found = self.snap(up);
        }
        let stepped = stepped.map(|handle| Ground { handle, normal: up, motion: DVec2::ZERO });
        (found.or(stepped), remaining)
    }

    /// Returns the flattest floor within the skin.
    fn find_ground(&mut self, up: DVec2) -> Option<Ground> {
        self.find_contacts(self.slack, None);
        let mut best: Option<Ground> = None;
        for i in 0..self.buffers.contacts.len() {
            let (handle, found) = self.buffers.contacts[i];
            let height = found.normal.dot(up);
            if self.class(found.normal) == SurfaceClass::Floor && best.is_none_or(|best| height > best.normal.dot(up)) {
                best = Some(Ground { handle, normal: found.normal, motion: DVec2::ZERO });
            }
        }
        if let Some(ground) = best {
            self.touch(ground.handle, ground.normal);
        }
        best
    }

    /// Moves down to a floor within the snap distance; stays if there is none.
    fn snap(&mut self, up: DVec2) -> Option<Ground> {
        let (start, motion) = (self.position, -up * self.settings.snap);
        let (time, hit) = self.cast(start, motion, None);
        hit?;
        self.position = start + motion * time;
        let found = self.find_ground(up);
        if found.is_none() {
            self.position = start;
        }
        found
    }

    /// Climbs a step: up, forward, down. Returns the collider that it lands on, and the rest of the
    /// motion.
    ///
    /// Before, it looks ahead by the mover's width: the step must have a floor there. So a round mover
    /// may land on the corner of a step.
    pub(super) fn step(&mut self, wanted: DVec2) -> Option<(Handle, DVec2)> {
        let (up, start) = (self.settings.up?, self.position);
        let (forward, far) = (side(wanted, up), length(across(wanted, up)));
        let rise = up * self.settings.step;
        let high = start + rise * self.cast(start, rise, None).0;
        let lifted = (high - start).dot(up);
        if far == 0.0 || lifted <= self.slack {
            return None;
        }
        let ahead = forward * far.max(self.width(forward));
        let free = ahead * self.cast(high, ahead, None).0;
        if length(free) <= 4.0 * self.slack {
            return None;
        }
        let (_, landing) = self.land(high + free, lifted)?;
        self.position = landing;
        let is_floor = self.find_ground(up).is_some();
        self.position = start;
        let way = forward * far.min(length(free));
        let (handle, end) = self.land(high + way, lifted).filter(|_| is_floor)?;
        if (end - start).dot(up) <= self.slack {
            return None;
        }
        self.position = end;
        Some((handle, forward * (far - length(way))))
    }

    /// Casts down by a height. Returns the collider that is hit, and the position there.
    fn land(&self, from: DVec2, height: f64) -> Option<(Handle, DVec2)> {
        let down = -self.settings.up? * height;
        let (time, hit) = self.cast(from, down, None);
        Some((hit?.0, from + down * time))
    }
}
