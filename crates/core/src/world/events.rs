//! Defines events: contacts that began or ended at an update.
//!
//! An event refers to its contact by index. The contact of a Begin event is in the contacts of the
//! update. The contact of an End event is in a store of its own, because the update replaces the
//! last contacts. For composites, this store has only the deepest manifold.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::contact::{Contact, ContactRef, ContactSide, Sides};
use super::contact_store::ContactStore;
use super::handle::Handle;
use crate::query::Manifold;

/// The begin or the end of a contact of two colliders.
///
/// The events of [`World::events`](super::World::events) contain a [`ContactRef`], which borrows the world. Those of
/// [`World::take_events`](super::World::take_events) contain a [`Contact`], a copy. The patterns `Event::Begin` and
/// `Event::End` match both.
///
/// ```
/// use carom::{Collider, DVec2, Event, Shape, World};
///
/// let mut world = World::new();
/// let hero = world.insert(Collider::new(Shape::circle(1.0)?));
/// let spike = world.insert(Collider::new(Shape::circle(1.0)?).at([1.5, 0.0])?);
/// world.update();
/// for event in world.events() {
///     assert!(matches!(event, Event::Begin(contact) if contact.other(hero) == Some(spike)));
/// }
/// for event in world.take_events() {
///     let Event::Begin(contact) = event else { continue };
///     let seen = contact.from(hero).unwrap();
///     assert_eq!((seen.other, seen.normal), (spike, DVec2::NEG_X));
///     world.set_position(hero, seen.mtv())?; // the loop borrows nothing of the world
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<C = Contact> {
    /// The two form a contact now and did not at the last update.
    Begin(C),
    /// The two formed a contact at the last update and do not now. The value is that last contact.
    /// If a collider was removed, [`World::removed_collider`](super::World::removed_collider) still
    /// returns it.
    End(C),
}

impl<C: Sides> Event<C> {
    /// Returns the contact that began or ended.
    #[must_use]
    pub fn contact(&self) -> C {
        match *self {
            Self::Begin(contact) | Self::End(contact) => contact,
        }
    }

    /// Returns true if the contact began.
    #[must_use]
    pub fn is_begin(&self) -> bool {
        matches!(self, Self::Begin(_))
    }

    /// Returns the other collider, if `handle` is one of the two.
    #[must_use]
    pub fn other(&self, handle: Handle) -> Option<Handle> {
        self.from(handle).map(|side| side.other)
    }

    /// Returns the contact as seen by `handle`; `None` if it is neither of the two.
    #[must_use]
    pub fn from(&self, handle: Handle) -> Option<ContactSide> {
        self.contact().seen_by(handle)
    }
}

impl Event<ContactRef<'_>> {
    /// Returns the event with a copy of its contact.
    pub(super) fn copied(self) -> Event {
        match self {
            Self::Begin(contact) => Event::Begin(contact.to_contact()),
            Self::End(contact) => Event::End(contact.to_contact()),
        }
    }
}

/// The events of [`World::take_events`](super::World::take_events), which borrow nothing.
#[derive(Clone, Debug)]
pub struct TakenEvents {
    events: Arc<Vec<Event>>,
    next: usize,
}

impl TakenEvents {
    pub(super) fn new(events: Arc<Vec<Event>>) -> Self {
        Self { events, next: 0 }
    }
}

impl Iterator for TakenEvents {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.events.get(self.next).copied()?;
        self.next += 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.events.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for TakenEvents {}

impl FusedIterator for TakenEvents {}

/// An event that refers to its contact by index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Index in the contacts of the update.
    Begin(u32),
    /// Index in the contacts that ended.
    End(u32),
}

/// The events of an update, sorted by handles. If a collider took the slot of another, the End
/// event comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    pub(super) changes: Vec<Change>,
    pub(super) ended: ContactStore,
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.ended.clear();
    }

    #[inline]
    pub(super) fn begin(&mut self, index: usize) {
        self.changes.push(Change::Begin(index as u32));
    }

    /// Adds an End event with a copy of the contact, for composites only of its deepest manifold.
    pub(super) fn end(&mut self, contact: ContactRef<'_>) {
        self.end_of(contact.pair(), contact.sensor, &contact.manifold());
    }

    pub(super) fn end_of(&mut self, pair: [Handle; 2], sensor: bool, manifold: &Manifold) {
        self.changes.push(Change::End(self.ended.len() as u32));
        self.ended.push_all(pair, sensor, core::slice::from_ref(manifold));
    }

    /// Appends the events of the next chunk, whose contacts start at index `contacts`.
    pub(super) fn append(&mut self, next: &mut Self, contacts: usize) {
        let (contacts, ended) = (contacts as u32, self.ended.len() as u32);
        for change in &mut next.changes {
            match change {
                Change::Begin(index) => *index += contacts,
                Change::End(index) => *index += ended,
            }
        }
        self.changes.append(&mut next.changes);
        self.ended.append(&mut next.ended);
    }

    pub(super) fn iter<'a>(
        &'a self,
        contacts: &'a ContactStore,
    ) -> impl ExactSizeIterator<Item = Event<ContactRef<'a>>> + Clone {
        self.changes.iter().map(|change| match *change {
            Change::Begin(index) => Event::Begin(contacts.at(index)),
            Change::End(index) => Event::End(self.ended.at(index)),
        })
    }
}
