//! The contacts of a frame: sorted, and linked for those who ask about one collider.

use alloc::vec::Vec;
use core::slice;

use super::handle::Handle;
use crate::query::Manifold;

/// Two colliders that meet.
///
/// `a` is the one with the lower handle. The manifold is that of [`collide`](crate::collide): of composites the deepest; [`World::manifolds`](super::World::manifolds) has all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The first collider.
    pub a: Handle,
    /// The second collider.
    pub b: Handle,
    /// How they meet: the normal leads from `a` to `b`.
    pub manifold: Manifold,
    /// Is one of them a sensor?
    pub sensor: bool,
    /// Where the manifolds of its pairs of parts are, if it has more than one.
    pub(super) parts: [u32; 2],
}

impl Contact {
    /// A contact that was stored, without those of its parts.
    #[cfg(feature = "serde")]
    pub(crate) fn from_stored([a, b]: [Handle; 2], manifold: Manifold, sensor: bool) -> Self {
        Self { a, b, manifold, sensor, parts: [0, 0] }
    }

    /// The other one of the two, if one of them is `handle`.
    pub fn other(&self, handle: Handle) -> Option<Handle> {
        if self.a == handle {
            Some(self.b)
        } else if self.b == handle {
            Some(self.a)
        } else {
            None
        }
    }

    #[inline]
    pub(super) fn slots(&self) -> [u32; 2] {
        [self.a.slot(), self.b.slot()]
    }
}

/// No contact.
const END: u32 = u32::MAX;

/// All contacts of a frame, sorted by handles.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub(super) list: Vec<Contact>,
    /// The colliders of each: what is compared, side by side.
    pub(super) pairs: Vec<[Handle; 2]>,
    /// The manifolds of contacts that have more than one.
    pub(super) parts: Vec<Manifold>,
    /// The first contact of which a slot is the second.
    heads: Vec<u32>,
    /// The next contact with the same second.
    nexts: Vec<u32>,
}

impl Contacts {
    pub(super) fn clear(&mut self) {
        if self.pairs.len() > self.heads.len() / 8 {
            self.heads.fill(END);
        } else {
            self.pairs.iter().for_each(|[_, b]| self.heads[b.index()] = END);
        }
        self.list.clear();
        self.pairs.clear();
        self.parts.clear();
        self.nexts.clear();
    }

    #[inline]
    pub(super) fn manifolds<'a>(&'a self, contact: &'a Contact) -> &'a [Manifold] {
        match contact.parts {
            [0, 0] => slice::from_ref(&contact.manifold),
            [from, to] => self.parts.get(from as usize..to as usize).unwrap_or(slice::from_ref(&contact.manifold)),
        }
    }

    /// Appends a contact.
    #[inline(always)]
    pub(super) fn push(&mut self, contact: Contact) {
        self.pairs.push([contact.a, contact.b]);
        self.list.push(contact);
    }

    /// Takes the last contact back.
    pub(super) fn pop(&mut self) -> Option<Contact> {
        self.pairs.pop();
        self.list.pop()
    }

    /// Appends a contact as it was stored.
    pub(super) fn restore(&mut self, contact: Contact, manifolds: &[Manifold]) {
        let parts = if manifolds.len() > 1 { self.append(manifolds) } else { [0, 0] };
        self.push(Contact { parts, ..contact });
    }

    /// Keeps the manifolds of one contact; says where.
    pub(super) fn append(&mut self, manifolds: &[Manifold]) -> [u32; 2] {
        let from = self.parts.len() as u32;
        self.parts.extend_from_slice(manifolds);
        [from, self.parts.len() as u32]
    }

    /// Links the contacts by their second colliders; the first ones they are sorted by.
    pub(super) fn link(&mut self, slots: usize) {
        self.heads.resize(slots.max(self.heads.len()), END);
        self.nexts.resize(self.pairs.len(), END);
        for (i, ([_, b], next)) in self.pairs.iter().zip(&mut self.nexts).enumerate().rev() {
            *next = core::mem::replace(&mut self.heads[b.index()], i as u32);
        }
    }

    /// The contacts of a collider, sorted by the other one.
    pub(super) fn of(&self, handle: Handle) -> impl Iterator<Item = &Contact> {
        let mut next = self.heads.get(handle.index()).copied().unwrap_or(END);
        let lower = core::iter::from_fn(move || {
            let contact = self.list.get(next as usize)?;
            next = self.nexts[next as usize];
            Some(contact)
        });
        let first = self.pairs.partition_point(|[a, _]| a.slot() < handle.slot());
        let higher = self.list[first..].iter().take_while(move |contact| contact.a.slot() == handle.slot());
        lower.chain(higher).filter(move |contact| contact.a == handle || contact.b == handle)
    }

    /// The contact of two colliders.
    pub(super) fn between(&self, a: Handle, b: Handle) -> Option<&Contact> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let found = self.pairs.binary_search_by_key(&[a.slot(), b.slot()], |pair| pair.map(Handle::slot)).ok()?;
        self.list.get(found).filter(|contact| contact.a == a && contact.b == b)
    }
}

/// Of two manifolds of a pair the deeper one; of equal ones the first.
pub(super) fn deeper(best: Manifold, next: Manifold) -> Manifold {
    if next.depth > best.depth { next } else { best }
}
