//! Reads and sets contact margins of a world and of its colliders. `margins.rs` stores them.

use super::World;
use super::collider_set::ENABLED;
use super::command::Command;
use super::handle::Handle;
use crate::error::Error;
use crate::math::vector::check_size;

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
        for slot in self.columns.enabled_slots() {
            self.space.update(slot, &self.columns.search_box(slot));
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
