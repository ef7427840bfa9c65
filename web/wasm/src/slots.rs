//! Stores objects by number. JavaScript knows an object by its number.

use alloc::vec::Vec;

/// Objects by number. The number of a removed object is used again.
pub(crate) struct Slots<T> {
    slots: Vec<Option<T>>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Stores an object. Returns its number, the lowest free one.
    pub(crate) fn insert(&mut self, object: T) -> usize {
        let free = self.slots.iter().position(Option::is_none).unwrap_or(self.slots.len());
        if free == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[free] = Some(object);
        free
    }

    /// Removes an object. An unknown number is ignored.
    pub(crate) fn remove(&mut self, number: usize) {
        if let Some(slot) = self.slots.get_mut(number) {
            *slot = None;
        }
    }

    /// Returns an object, or `None` if it was removed.
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        self.slots.get_mut(number)?.as_mut()
    }

    /// Returns all objects.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().flatten()
    }
}
