//! Stores the contacts of an update, with an index by collider.
//!
//! Input: contacts sorted by handles. Output: the contacts of one collider, or of two. A binary
//! search finds the contacts whose first collider is given. Linked lists by slot find those whose
//! second collider is given.
//!
//! A search of all contacts per collider would take quadratic time for a caller that reads the
//! contacts of each collider. The lists are two arrays of indices. They are built in reverse order,
//! so each list is sorted by the first handle.

use alloc::vec::Vec;

use super::contact::ContactRef;
use super::contact_store::ContactStore;
use super::handle::Handle;

/// End of a list.
const END: u32 = u32::MAX;

/// All contacts of an update, sorted by handles.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactGraph {
    pub(super) store: ContactStore,
    /// By slot: the first contact whose second collider has this slot.
    heads: Vec<u32>,
    /// For each contact: the next contact with the same second collider.
    nexts: Vec<u32>,
}

impl ContactGraph {
    pub(super) fn clear(&mut self) {
        if self.store.len() > self.heads.len() / 8 {
            self.heads.fill(END);
        } else {
            self.store.pairs.iter().for_each(|[_, b]| self.heads[b.index()] = END);
        }
        self.store.clear();
        self.nexts.clear();
    }

    /// Builds the lists by second collider.
    pub(super) fn link(&mut self, slots: usize) {
        self.heads.resize(slots.max(self.heads.len()), END);
        self.nexts.resize(self.store.len(), END);
        for (i, ([_, b], next)) in self.store.pairs.iter().zip(&mut self.nexts).enumerate().rev() {
            *next = core::mem::replace(&mut self.heads[b.index()], i as u32);
        }
    }

    /// Returns the contacts of a collider, sorted by the other handle.
    pub(super) fn of(&self, handle: Handle) -> impl Iterator<Item = ContactRef<'_>> {
        let mut next = self.heads.get(handle.index()).copied().unwrap_or(END);
        let lower = core::iter::from_fn(move || {
            let contact = self.store.get(next as usize)?;
            next = self.nexts[next as usize];
            Some(contact)
        });
        let first = self.store.pairs.partition_point(|[a, _]| a.slot() < handle.slot());
        let higher = (first..)
            .map_while(move |i| self.store.get(i))
            .take_while(move |contact| contact.a.slot() == handle.slot());
        lower.chain(higher).filter(move |contact| contact.a == handle || contact.b == handle)
    }

    /// Returns the contact of two colliders, in either order.
    pub(super) fn between(&self, a: Handle, b: Handle) -> Option<ContactRef<'_>> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let found =
            self.store.pairs.binary_search_by_key(&[a.slot(), b.slot()], |&[a, b]| [a.slot(), b.slot()]).ok()?;
        self.store.get(found).filter(|contact| (contact.a, contact.b) == (a, b))
    }
}
