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

use super::World;
use super::collider_set::ENABLED;
use super::command::Command;
use super::handle::Handle;
use crate::error::Error;
use crate::math::vector::check_size;

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

impl World {
    /// Returns the contact margin of colliders without one of their own.
    #[must_use]
    pub fn default_contact_margin(&self) -> f64 {
        self.columns.margins.world()
    }

    /// Sets the contact margin of all colliders without one of their own, a length. It is 0 in a
    /// new world.
    ///
    /// From the next [`update`](World::update) on, two colliders form a contact if their distance
    /// is at most the larger margin of the two. The exact distance counts, not the rounded one. A
    /// contact with a gap has a negative depth, minus the distance, as in
    /// [`collide_within`](crate::query::collide_within). It begins and ends as all contacts do.
    /// There is no hysteresis: if the distance does not cross the margin, there is no event.
    ///
    /// - Contacts without a gap have the same normals and depths as without a margin. They can have
    ///   a second point, with a gap within the margin.
    /// - Sensors have margins, too. Filters and disabled pairs count as always.
    /// - A one-way collider reports gaps before its front only. Gaps do not change whether it stops
    ///   or passes another collider.
    /// - [`resolve_penetration`](crate::response::resolve_penetration), bounces and
    ///   [`Particles`](crate::response::Particles) ignore contacts with a negative depth. Motions,
    ///   casts and other queries ignore margins.
    ///
    /// ```
    /// use carom::{Collider, Event, Shape, World};
    ///
    /// let mut world = World::new();
    /// world.set_default_contact_margin(0.25)?;
    /// world.insert(Collider::new(Shape::rectangle(10.0, 1.0)?).at([0.0, -0.5])?.fixed(true));
    /// let hero = world.insert(Collider::new(Shape::circle(0.5)?).at([0.0, 0.75])?);
    /// world.update();
    /// let ground = world.contacts_of(hero).next().unwrap();
    /// assert_eq!(ground.depth, -0.25); // the gap is the margin
    ///
    /// world.set_position(hero, [0.0, 0.8])?;
    /// world.update();
    /// assert!(matches!(world.events().next(), Some(Event::End(_))));
    ///
    /// world.set_contact_margin(hero, Some(0.5))?;
    /// world.update();
    /// assert!(matches!(world.events().next(), Some(Event::Begin(_))));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A margin that is negative, not finite or above 1e30.
    pub fn set_default_contact_margin(&mut self, margin: f64) -> Result<(), Error> {
        let margin = check_size("contact margin", margin)?;
        self.record(|| Command::SetDefaultContactMargin(margin));
        if margin == self.columns.margins.world() {
            return Ok(());
        }
        for slot in 0..self.columns.slots() as u32 {
            if self.columns.is(slot, ENABLED) {
                self.columns.mark_changed(slot);
            }
        }
        self.columns.margins.set_world(margin);
        for slot in 0..self.columns.slots() as u32 {
            if self.columns.is(slot, ENABLED) {
                self.space.update(slot, &self.columns.search_box(slot));
            }
        }
        Ok(())
    }

    /// Sets the contact margin of a collider, or removes it (`None`): then the
    /// [default](World::set_default_contact_margin) counts. Of two colliders the larger margin
    /// counts.
    ///
    /// # Errors
    /// A stale handle; a margin that is negative, not finite or above 1e30.
    pub fn set_contact_margin(&mut self, handle: Handle, margin: Option<f64>) -> Result<(), Error> {
        let slot = self.columns.expect(handle)?;
        let margin = margin.map(|margin| check_size("contact margin", margin)).transpose()?;
        self.record(|| Command::SetContactMargin(handle, margin));
        if self.columns.margins.own(slot) != margin {
            self.columns.mark_changed(slot);
            self.columns.margins.set_own(slot, margin);
            if self.columns.is(slot, ENABLED) {
                self.space.update(slot, &self.columns.search_box(slot));
            }
        }
        Ok(())
    }
}
