//! Stores the gaps of a mover to the colliders near it, which the search of its contacts found.
//!
//! A cast of the mover from the same position needs no second computation of these distances.

use alloc::vec::Vec;

use glam::DVec2;

use super::nearby::ColliderAt;
use crate::world::handle::Handle;

/// The gaps of a mover to the convex colliders near it, at one position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// Position and largest gap of the search; none if there was no search, or if the mover is a composite.
    searched: Option<(DVec2, f64)>,
    found: Vec<Gap>,
}

/// The gap of a mover to a convex collider.
#[derive(Clone, Copy, Debug)]
struct Gap {
    handle: Handle,
    /// Unit normal of the collider's surface at its closest point.
    normal: DVec2,
    /// Negative if they overlap.
    distance: f64,
}

impl Gaps {
    /// Forgets all gaps.
    pub(crate) fn clear(&mut self) {
        self.searched = None;
        self.found.clear();
    }

    /// Forgets all gaps, and begins a search of colliders up to a distance.
    pub(super) fn search(&mut self, mover: &ColliderAt<'_>, distance: f64) {
        self.clear();
        self.searched = mover.placed.as_part().map(|part| (part.pose.translation(), distance));
    }

    /// Adds the contact with a convex collider.
    pub(super) fn push(&mut self, handle: Handle, normal: DVec2, gap: f64) {
        self.found.push(Gap { handle, normal, distance: gap });
    }

    /// Returns the gap to a convex collider: `None` if it is not known, infinite if it is above `limit`.
    pub(super) fn gap(&self, handle: Handle, position: DVec2, limit: f64) -> Option<(DVec2, f64)> {
        let (at, distance) = self.searched?;
        if at != position || distance < limit {
            return None;
        }
        let found = self.found.iter().find(|found| found.handle == handle);
        Some(found.map_or((DVec2::ZERO, f64::INFINITY), |found| (found.normal, found.distance)))
    }
}
