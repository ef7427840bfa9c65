//! Stores inverse masses of colliders as columns, with an index by slot.
//!
//! Input: handles and masses. Output: two columns, handles and inverse masses, for loops over all
//! bodies; and the index of a handle in these columns.
//!
//! The structure is a sparse set: dense columns, and an array from slot to index. Removal moves the
//! last body to the free index. Handles come from the caller and can have any slot. So slots above
//! a limit have their index in a map: an array of 2³² entries would need 16 GiB.

use alloc::format;
use alloc::vec::Vec;

use super::bounce::{check_inverse_mass, inverse_of};
use crate::error::{Error, ErrorKind};
use crate::math::ordered_map::KeyMap;
use crate::math::prefetch::prefetch;
use crate::world::Handle;

/// Index for slots without a body.
const NONE: u32 = u32::MAX;

/// Slots below this limit, or below four times the number of bodies, have their index in an array;
/// all others in a map.
const DENSE: usize = 1 << 24;

/// Inverse masses of colliders, by handle: the bodies that
/// [`resolve_penetration`](super::resolve_penetration) moves. A collider without an entry does not
/// move.
///
/// Contains at most one body per slot. If a world gives the slot of a removed collider to a new
/// one, the body of the new handle replaces the old body. The old handle is stale from then on:
/// storing it again is an error. For a rollback, clone and restore the masses together with their
/// world.
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
    inverses: Vec<f64>,
    /// Index of each slot's body; `NONE` if it has none.
    indices: Vec<u32>,
    /// Indices for slots beyond the array. A world rarely has so many slots, but an invalid handle
    /// can have any slot.
    far: KeyMap,
}

impl Masses {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Returns true if there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// Returns the handles of the bodies, in the order of
    /// `inverse_masses`.
    #[must_use]
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Returns the inverse masses. A body of inverse mass 0 never moves.
    #[must_use]
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inverses
    }

    /// Sets the mass of a collider and makes it a body. A body of infinite mass never moves. A body
    /// with an older handle of the same slot is replaced.
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
    /// A mass that is NaN, 0, negative, below 1e-30, or finite and above 1e30. A stale handle: the
    /// slot has a body with a newer handle, or the handle is [`Handle::NONE`].
    pub fn set_mass(&mut self, handle: Handle, mass: f64) -> Result<(), Error> {
        let inverse_mass = inverse_of(mass)?;
        self.put(handle, inverse_mass).map(|_| ())
    }

    /// Sets the inverse mass of a collider and makes it a body, like
    /// [`set_mass`](Masses::set_mass). A body of inverse mass 0 never moves.
    ///
    /// # Errors
    /// A number that is not finite, negative, above 1e30, or below 1e-30 and not 0. A stale handle,
    /// as for [`set_mass`](Masses::set_mass).
    pub fn set_inverse_mass(&mut self, handle: Handle, inverse_mass: f64) -> Result<(), Error> {
        let inverse_mass = check_inverse_mass(inverse_mass)?;
        self.put(handle, inverse_mass).map(|_| ())
    }

    /// Returns the inverse mass of a collider; 0 if it is no body.
    #[inline]
    #[must_use]
    pub fn inverse_mass(&self, handle: Handle) -> f64 {
        self.index(handle).map_or(0.0, |index| self.inverses[index])
    }

    /// Removes a body; the last one moves to its index. Returns true if the body existed.
    pub fn remove(&mut self, handle: Handle) -> bool {
        self.take(handle).is_some()
    }

    /// Returns the index of a body in the columns.
    #[inline]
    pub(super) fn index(&self, handle: Handle) -> Option<usize> {
        let index = self.index_of_slot(handle.index());
        (index != NONE && self.handles[index as usize] == handle).then_some(index as usize)
    }

    /// Prefetches a body and returns the index of its slot's body.
    #[inline]
    pub(super) fn prefetch_body(&self, handle: Handle) -> Option<usize> {
        let index = self.indices.get(handle.index()).filter(|&&index| index != NONE).map(|&index| index as usize)?;
        prefetch(&self.handles, index);
        prefetch(&self.inverses, index);
        Some(index)
    }

    /// Returns the index of a slot's body, or `NONE`.
    #[inline]
    fn index_of_slot(&self, slot: usize) -> u32 {
        match self.indices.get(slot) {
            Some(&index) => index,
            None if self.far.is_empty() => NONE,
            None => self.far.get(&[slot as u64, 0, 0]).unwrap_or(NONE),
        }
    }

    /// Stores the index of a slot's body.
    fn set_index(&mut self, slot: usize, index: u32) {
        if slot >= self.indices.len() && slot < DENSE.max(4 * self.handles.len()) {
            self.indices.resize(slot + 1, NONE);
            while let Some((key, index)) = self.far.first_from(&[0; 3])
                && key[0] as usize <= slot
            {
                self.far.remove(&key);
                self.indices[key[0] as usize] = index;
            }
        }
        match self.indices.get_mut(slot) {
            Some(old) => *old = index,
            None if index == NONE => self.far.remove(&[slot as u64, 0, 0]),
            None => self.far.insert([slot as u64, 0, 0], index),
        }
    }

    /// Stores a body and returns its index in the columns. A stale handle is an error and changes
    /// nothing.
    pub(super) fn put(&mut self, handle: Handle, inverse_mass: f64) -> Result<usize, Error> {
        let mut index = self.index_of_slot(handle.index());
        // Handles of one slot are ordered by generation.
        if handle == Handle::NONE || (index != NONE && handle < self.handles[index as usize]) {
            return Err(self.stale(handle));
        }
        if index == NONE {
            index = self.handles.len() as u32;
            self.handles.push(handle);
            self.inverses.push(inverse_mass);
            self.set_index(handle.index(), index);
        }
        let index = index as usize;
        (self.handles[index], self.inverses[index]) = (handle, inverse_mass);
        Ok(index)
    }

    /// Returns the error for a handle that [`put`](Masses::put) refuses.
    #[cold]
    fn stale(&self, handle: Handle) -> Error {
        let message = match self.handles.get(self.index_of_slot(handle.index()) as usize) {
            Some(newer) => format!("{handle:?} is stale: its collider was removed, and {newer:?} has its slot now"),
            None => format!("{handle:?} is no collider: use a handle that `World::insert` returned"),
        };
        Error::new(ErrorKind::StaleHandle, message)
    }

    /// Removes a body from the columns. Returns its index, which the last body has now.
    pub(super) fn take(&mut self, handle: Handle) -> Option<usize> {
        let index = self.index(handle)?;
        self.set_index(handle.index(), NONE);
        self.handles.swap_remove(index);
        self.inverses.swap_remove(index);
        if let Some(moved) = self.handles.get(index) {
            self.set_index(moved.index(), index as u32);
        }
        Some(index)
    }
}
