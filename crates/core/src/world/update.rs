//! The frame: from boxes that meet to contacts and events.
//!
//! ```text
//! pairs of the broad phase, filters looked at inside      boxes in single precision
//! keep those whose boxes meet in double precision         the candidates; sorted by handles
//! walk them along the contacts of the last frame          both are sorted: what is in only one of them began or ended
//!     neither collider changed: what was is
//!     else the narrow phase
//! ```

use alloc::vec::Vec;

use super::World;
use super::call::Call;
use super::columns::{CHANGED, Columns, ONE_WAY, RULED, SENSOR};
use super::contacts::{Contact, Contacts};
use super::handle::Handle;
use super::one_way::{Verdict, judge};
use crate::query::{Manifold, collide, manifolds};
use crate::shape::Placed;

/// Says of two colliders whether they may meet.
type Allow<'a> = &'a mut dyn FnMut(Handle, Handle) -> bool;

impl World {
    /// Finds all contacts anew, and what began and ended since the last update.
    ///
    /// Contacts and events are those of the last update until the next one, whatever is written in between; colliders that were removed since have ended theirs
    /// here. Pairs of colliders that were not written since the last update are not looked at again.
    pub fn update(&mut self) {
        self.note(|| Call::Update);
        self.frame(None);
    }

    /// [`update`](World::update) with a filter of yours: pairs whose boxes meet and whose filters allow it are contacts only if it says so.
    ///
    /// It is asked in the order of handles, once for each such pair and update, before their shapes are looked at.
    pub fn update_with(&mut self, mut allow: impl FnMut(Handle, Handle) -> bool) {
        if !self.is_recording() {
            return self.frame(Some(&mut allow));
        }
        let mut refused = Vec::new();
        self.frame(Some(&mut |a, b| {
            let yes = allow(a, b);
            if !yes {
                refused.push([a, b]);
            }
            yes
        }));
        self.note(|| Call::UpdateWith(refused));
    }

    fn frame(&mut self, mut allow: Option<Allow<'_>>) {
        self.events.clear();
        self.make_motions();
        core::mem::swap(&mut self.removed, &mut self.leaving);
        self.leaving.clear();
        // What a filter of the user refused may meet now though nothing moved.
        let complete = allow.is_none() && !self.filtered;
        self.filtered = allow.is_some();
        if complete && self.columns.changed.is_empty() && self.removed.is_empty() {
            return;
        }
        self.removed.sort_unstable_by_key(|(handle, _)| *handle);
        self.space.recentre(&self.columns);
        self.find_candidates();
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.compare(&mut allow, complete);
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.settle();
    }

    /// The pairs whose boxes meet in double precision too.
    fn find_candidates(&mut self) {
        self.pairs.found.clear();
        self.space.broad.pairs(&mut self.pairs.found);
        let (columns, rules) = (&self.columns, &self.rules);
        self.pairs.found.retain(|&[a, b]| {
            let meet = columns.boxes[a as usize].intersects(&columns.boxes[b as usize]);
            meet && !(columns.is(a, RULED) && columns.is(b, RULED) && rules.forbid(columns.handle(a), columns.handle(b)))
        });
        self.candidates = self.pairs.found.len();
    }

    /// Walks candidates and the last contacts side by side.
    fn compare(&mut self, allow: &mut Option<Allow<'_>>, complete: bool) {
        let Self { columns, contacts, last, events, pairs, scratch, passing, last_passing, .. } = self;
        let mut old = last.list.iter().peekable();
        for &[a, b] in pairs.sort(columns.slots()) {
            while let Some(gone) = old.next_if(|contact| contact.slots() < [a, b]) {
                events.end(gone);
            }
            let handles = (columns.handle(a), columns.handle(b));
            let before = old.next_if(|contact| contact.slots() == [a, b]);
            // Another collider may have taken the slot.
            let same = before.filter(|contact| (contact.a, contact.b) == handles);
            let allowed = allow.as_mut().is_none_or(|allow| allow(handles.0, handles.1));
            let flags = columns.flags[a as usize] | columns.flags[b as usize];
            let (changed, sensor) = (flags & CHANGED != 0, flags & SENSOR != 0);
            let mut met = match same {
                _ if !allowed => false,
                Some(contact) if !changed => contacts.keep(contact, last),
                None if !changed && complete && flags & ONE_WAY == 0 => false,
                _ => contacts.look(handles, [columns.placed(a), columns.placed(b)], sensor, scratch),
            };
            if met && flags & ONE_WAY != 0 && !(same.is_some() && !changed) {
                let was_passing = last_passing.binary_search(&[handles.0, handles.1]).is_ok();
                met = contacts.pass_or_hold(columns, [a, b], same.is_some(), was_passing);
                if !met {
                    passing.push([handles.0, handles.1]);
                }
            }
            if let Some(gone) = before.filter(|_| !met || same.is_none()) {
                events.end(gone);
            }
            if met && same.is_none() {
                events.begin(contacts.list.len() - 1);
            }
        }
        old.for_each(|gone| events.end(gone));
    }
}

impl Contacts {
    /// Lets the last contact, of which one collider is one-way, be one or not.
    fn pass_or_hold(&mut self, columns: &Columns, slots: [u32; 2], was_contact: bool, was_passing: bool) -> bool {
        let Some(contact) = self.list.last_mut() else { return false };
        match judge(columns, slots, contact.manifold, was_contact, was_passing) {
            Verdict::Solid(manifold) => {
                if contact.manifold != manifold {
                    // Those of its parts lead elsewhere.
                    (contact.manifold, contact.parts) = (manifold, [0, 0]);
                }
                true
            }
            Verdict::Pass => {
                self.list.pop();
                false
            }
        }
    }

    /// Takes a contact over as it was.
    fn keep(&mut self, contact: &Contact, from: &Self) -> bool {
        let kept = from.manifolds(contact);
        let parts = if kept.len() > 1 { self.append(kept) } else { [0, 0] };
        self.list.push(Contact { parts, ..*contact });
        true
    }

    /// Asks two shapes whether they meet, and appends how.
    #[inline]
    pub(super) fn look(&mut self, (a, b): (Handle, Handle), [p, q]: [Placed<'_>; 2], sensor: bool, scratch: &mut Vec<Manifold>) -> bool {
        if p.as_part().is_some() && q.as_part().is_some() {
            let Some(manifold) = collide(p, q) else { return false };
            self.list.push(Contact { a, b, manifold, sensor, parts: [0, 0] });
            return true;
        }
        scratch.clear();
        manifolds(p, q, scratch);
        let deepest = scratch.iter().copied().reduce(|best, next| if next.depth > best.depth { next } else { best });
        let Some(manifold) = deepest else { return false };
        let parts = if scratch.len() > 1 { self.append(scratch) } else { [0, 0] };
        self.list.push(Contact { a, b, manifold, sensor, parts });
        true
    }
}
