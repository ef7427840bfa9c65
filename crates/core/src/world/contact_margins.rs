//! Stores contact margins: the largest gap at which two colliders count as a contact.
//!
//! Input: the margin of the world and those of single colliders. Output: the margin of a pair, and
//! the length by which the broad phase must grow the box of a collider.
//!
//! The margin of a pair is the larger one of its two colliders. The simple version grows each box
//! by the collider's own margin. Then two boxes intersect up to a gap of twice the margin, and most
//! of these candidates are no contacts. The margin of the world is common to nearly all colliders,
//! so each box takes half of it:
//!
//! ```text
//! share = max(margin of the collider, margin of the world) − margin of the world / 2
//! share a + share b = max(a, w) + max(b, w) − w ≥ max(a, b)      no pair within its margin is lost
//! ```
//!
//! The sum is `w` if neither collider has a margin of its own.

use alloc::vec::Vec;

/// The margin of the world, and those of single colliders.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactMargins {
    world: f64,
    /// By slot: the collider's own margin, or NaN. Slots behind the end have none.
    own: Vec<f64>,
    /// Number of colliders with a margin of their own.
    own_count: usize,
}

impl ContactMargins {
    /// Returns false if the margin of every pair is 0.
    #[inline(always)]
    pub(super) fn is_active(&self) -> bool {
        (self.own_count > 0) | (self.world > 0.0)
    }

    /// Returns the margin of the world.
    pub(super) fn world(&self) -> f64 {
        self.world
    }

    pub(super) fn set_world(&mut self, margin: f64) {
        self.world = margin;
    }

    /// Returns the margin of a collider if it has one of its own.
    pub(super) fn own(&self, slot: u32) -> Option<f64> {
        self.own.get(slot as usize).copied().filter(|margin| !margin.is_nan())
    }

    pub(super) fn set_own(&mut self, slot: u32, margin: Option<f64>) {
        let i = slot as usize;
        if self.own.len() <= i {
            if margin.is_none() {
                return;
            }
            self.own.resize(i + 1, f64::NAN);
        }
        self.own_count += usize::from(margin.is_some());
        self.own_count -= usize::from(!self.own[i].is_nan());
        self.own[i] = margin.unwrap_or(f64::NAN);
    }

    /// Returns the margin of a pair: the larger one of its two colliders.
    #[inline]
    pub(super) fn of_pair(&self, [a, b]: [u32; 2]) -> f64 {
        if self.own_count == 0 {
            return self.world;
        }
        self.of(a).max(self.of(b))
    }

    /// Returns the length by which the box of a collider is grown. If the gap of two boxes along
    /// both axes is at most the margin of the pair, the grown boxes intersect.
    pub(super) fn share(&self, slot: u32) -> f64 {
        let margin = self.of(slot).max(self.world);
        if margin == 0.0 {
            return 0.0;
        }
        // Both terms added cover the rounding of the gap and of this formula.
        (margin - 0.5 * self.world) * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE
    }

    fn of(&self, slot: u32) -> f64 {
        self.own(slot).unwrap_or(self.world)
    }
}
