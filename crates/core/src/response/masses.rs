//! Which colliders can be moved, and how easily.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::bounce::{check_inverse_mass, inverse_of};
use crate::error::{Error, ErrorKind};
use crate::math::prefetch::prefetch;
use crate::world::Handle;

/// No body has this place.
const NONE: u32 = u32::MAX;

/// Slots up to this one have a place in an array, as have those up to four times as many as there are bodies.
const DENSE: usize = 1 << 24;

/// Inverse masses of colliders, by handle: what [`resolve_penetration`](super::position_solver) moves. A collider that is not among them stays where it is.
///
/// Holds at most one body per slot. If a world gave the slot of a removed collider to a new one, the body of the new handle replaces the old body.
/// The old handle is stale from then on: storing it again is an error. Roll bodies back together with their world: a clone is a snapshot.
///
/// ```
/// use carom::response::Masses;
/// use carom::{Collider, Shape, World};
///
/// let mut world = World::new();
/// let [light, heavy] = [0, 1].map(|_| world.insert(Collider::new(Shape::circle(1.0).unwrap())));
/// let mut bodies = Masses::new();
/// bodies.set_mass(light, 1.0)?;
/// bodies.set_mass(heavy, f64::INFINITY)?; // nothing moves it
/// assert_eq!((bodies.inverse_mass(light), bodies.inverse_mass(heavy), bodies.len()), (1.0, 0.0, 2));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Masses {
    handles: Vec<Handle>,
    inverse_masses: Vec<f64>,
    /// The place of each slot's body.
    places: Vec<u32>,
    /// The same for slots beyond: hardly any world has so many, but a handle that names nothing may have any.
    far: BTreeMap<u32, u32>,
}

impl Masses {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// The colliders, in the order of [`inverse_masses`](Masses::inverse_masses).
    #[must_use]
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Their inverse masses; 0 is one that nothing moves.
    #[must_use]
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inverse_masses
    }

    /// Sets the mass of a collider and makes it a body. Nothing moves a body of infinite mass. A body with an older handle of the same slot is replaced.
    ///
    /// ```
    /// use carom::response::Masses;
    /// use carom::{Collider, ErrorKind, Shape, World};
    ///
    /// let (mut world, mut bodies) = (World::new(), Masses::new());
    /// let old = world.insert(Collider::new(Shape::circle(1.0)?));
    /// world.remove(old);
    /// let new = world.insert(Collider::new(Shape::circle(1.0)?)); // reuses the slot
    /// bodies.set_mass(new, 2.0)?;
    /// assert_eq!(bodies.set_mass(old, 1.0).unwrap_err().kind(), ErrorKind::StaleHandle);
    /// assert_eq!(bodies.inverse_mass(new), 0.5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A mass that is NaN, 0, negative, below 1e-30 or, being finite, above 1e30. A stale handle: the slot has a body with a newer handle, or the handle is [`Handle::NONE`].
    pub fn set_mass(&mut self, handle: Handle, mass: f64) -> Result<(), Error> {
        let inverse_mass = inverse_of(mass)?;
        self.put(handle, inverse_mass).map(|_| ())
    }

    /// [`set_mass`](Masses::set_mass) by one divided by it; 0 is a body that nothing moves.
    ///
    /// # Errors
    /// A number that is not finite, negative, above 1e30, or below 1e-30 and not 0. A stale handle, as for [`set_mass`](Masses::set_mass).
    pub fn set_inverse_mass(&mut self, handle: Handle, inverse_mass: f64) -> Result<(), Error> {
        let inverse_mass = check_inverse_mass(inverse_mass)?;
        self.put(handle, inverse_mass).map(|_| ())
    }

    /// The inverse mass of a collider; 0 where it is no body.
    #[inline]
    #[must_use]
    pub fn inverse_mass(&self, handle: Handle) -> f64 {
        self.place(handle).map_or(0.0, |place| self.inverse_masses[place])
    }

    /// Forgets a body; the last one takes its place. Says whether there was one.
    pub fn remove(&mut self, handle: Handle) -> bool {
        self.take(handle).is_some()
    }

    /// The place of a body in the columns.
    #[inline]
    pub(super) fn place(&self, handle: Handle) -> Option<usize> {
        let place = self.place_of(handle.index());
        (place != NONE && self.handles[place as usize] == handle).then_some(place as usize)
    }

    /// Has a body brought near; says where it is.
    #[inline]
    pub(super) fn fetch(&self, handle: Handle) -> Option<usize> {
        let place = self.places.get(handle.index()).filter(|&&place| place != NONE).map(|&place| place as usize)?;
        prefetch(&self.handles, place);
        prefetch(&self.inverse_masses, place);
        Some(place)
    }

    /// The place of a slot's body.
    #[inline]
    fn place_of(&self, slot: usize) -> u32 {
        match self.places.get(slot) {
            Some(&place) => place,
            None if self.far.is_empty() => NONE,
            None => self.far.get(&(slot as u32)).copied().unwrap_or(NONE),
        }
    }

    /// Writes down the place of a slot's body.
    fn set_place(&mut self, slot: usize, place: u32) {
        if slot >= self.places.len() && slot < DENSE.max(4 * self.handles.len()) {
            self.places.resize(slot + 1, NONE);
            while let Some(entry) = self.far.first_entry().filter(|entry| *entry.key() as usize <= slot) {
                let (near, place) = entry.remove_entry();
                self.places[near as usize] = place;
            }
        }
        match self.places.get_mut(slot) {
            Some(old) => *old = place,
            None if place == NONE => drop(self.far.remove(&(slot as u32))),
            None => drop(self.far.insert(slot as u32, place)),
        }
    }

    /// Stores a body and returns its index in the columns. A stale handle is an error and changes nothing.
    pub(super) fn put(&mut self, handle: Handle, inverse_mass: f64) -> Result<usize, Error> {
        let mut place = self.place_of(handle.index());
        // Handles of one slot are ordered by generation.
        if handle == Handle::NONE || (place != NONE && handle < self.handles[place as usize]) {
            return Err(self.stale(handle));
        }
        if place == NONE {
            place = self.handles.len() as u32;
            self.handles.push(handle);
            self.inverse_masses.push(inverse_mass);
            self.set_place(handle.index(), place);
        }
        let place = place as usize;
        (self.handles[place], self.inverse_masses[place]) = (handle, inverse_mass);
        Ok(place)
    }

    /// Describes a handle that [`put`](Masses::put) refuses.
    #[cold]
    fn stale(&self, handle: Handle) -> Error {
        let message = match self.handles.get(self.place_of(handle.index()) as usize) {
            Some(newer) => format!("{handle:?} is stale: its collider was removed, and {newer:?} has its slot now"),
            None => format!("{handle:?} is no collider: use a handle that `World::insert` returned"),
        };
        Error::new(ErrorKind::StaleHandle, message)
    }

    /// Takes a body out of the columns; says where it was, now the place of the last one.
    pub(super) fn take(&mut self, handle: Handle) -> Option<usize> {
        let place = self.place(handle)?;
        self.set_place(handle.index(), NONE);
        self.handles.swap_remove(place);
        self.inverse_masses.swap_remove(place);
        if let Some(moved) = self.handles.get(place) {
            self.set_place(moved.index(), place as u32);
        }
        Some(place)
    }
}
