//! The frame: from boxes that meet to contacts and events.
//!
//! ```text
//! pairs of the broad phase, filters looked at inside      boxes in single precision
//! keep those whose boxes meet in double precision         the candidates
//! the narrow phase, where one of the two has changed      in the order in which they were found: neighbours share what is in the caches
//! sort by handles, walk along the last frame's contacts   what is in only one of the two began or ended; where neither changed, what was is
//! ```

use alloc::vec::Vec;
use core::slice;

use super::World;
use super::call::Call;
use super::columns::{CHANGED, Columns, ONE_WAY, RULED, SENSOR};
use super::contacts::{Contact, Contacts};
use super::handle::Handle;
use super::one_way::judge;
use crate::query::{Manifold, collide, manifolds};
use crate::shape::Placed;

/// Instead of a number: neither of the two has changed.
const AS_IT_WAS: u32 = u32::MAX;

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

    fn frame(&mut self, allow: Option<Allow<'_>>) {
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
        self.find_candidates(allow);
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.look_at_all(complete);
        self.compare();
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.settle();
    }

    /// The pairs whose boxes meet in double precision too, and that are not switched off.
    fn find_candidates(&mut self, allow: Option<Allow<'_>>) {
        let Self { space, boxes, columns, rules, .. } = self;
        boxes.clear();
        space.broad.pairs(boxes);
        boxes.retain(|&[a, b]| {
            let meet = columns.spots[a as usize].aabb.intersects(&columns.spots[b as usize].aabb);
            meet && !(columns.is(a, RULED) && columns.is(b, RULED) && rules.forbid(columns.handle(a), columns.handle(b)))
        });
        self.candidates = boxes.len();
        if let Some(allow) = allow {
            boxes.sort_unstable();
            boxes.retain(|&[a, b]| allow(columns.handle(a), columns.handle(b)));
        }
    }

    /// Looks at the candidates in the order in which they were found: neighbours in space come up together, so each one's data are fetched once.
    fn look_at_all(&mut self, complete: bool) {
        let Self { columns, contacts, boxes, pairs, fresh, scratch, .. } = self;
        pairs.found.clear();
        fresh.clear();
        for &[a, b] in &*boxes {
            let flags = columns.flags[a as usize] | columns.flags[b as usize];
            if complete && flags & CHANGED == 0 {
                pairs.found.push([a, b, AS_IT_WAS]);
                continue;
            }
            let [p, q] = [a, b].map(|slot| columns.placed(slot));
            if let Some((manifold, parts)) = contacts.look(p, q, scratch) {
                pairs.found.push([a, b, fresh.len() as u32]);
                let sensor = flags & SENSOR != 0;
                fresh.push(Contact { a: columns.handle(a), b: columns.handle(b), manifold, sensor, parts });
            }
        }
    }

    /// Walks what was found and the last contacts side by side.
    fn compare(&mut self) {
        let Self { columns, contacts, last, events, pairs, fresh, passing, last_passing, .. } = self;
        let mut old = last.list.iter().peekable();
        for &[a, b, number] in pairs.sort(columns.slots()) {
            while let Some(gone) = old.next_if(|contact| contact.slots() < [a, b]) {
                events.end(gone);
            }
            let before = old.next_if(|contact| contact.slots() == [a, b]);
            let Some(found) = fresh.get(number as usize) else {
                match before {
                    Some(contact) => contacts.keep(contact, last),
                    None => passing.extend(find_passing(last_passing, columns.handle(a), columns.handle(b))),
                }
                continue;
            };
            // Another collider may have taken the slot.
            let same = before.is_some_and(|contact| (contact.a, contact.b) == (found.a, found.b));
            contacts.list.push(*found);
            let mut met = true;
            if (columns.flags[a as usize] | columns.flags[b as usize]) & ONE_WAY != 0 {
                let was_passing = find_passing(last_passing, found.a, found.b);
                met = contacts.pass_or_hold(columns, before.filter(|_| same).map(|contact| last.manifolds(contact)), was_passing.is_some());
                passing.extend((!met).then_some([found.a, found.b]));
            }
            if let Some(gone) = before.filter(|_| !met || !same) {
                events.end(gone);
            }
            if met && !same {
                events.begin(contacts.list.len() - 1);
            }
        }
        old.for_each(|gone| events.end(gone));
    }
}

/// The pair, if it was passing.
fn find_passing(passing: &[[Handle; 2]], a: Handle, b: Handle) -> Option<[Handle; 2]> {
    passing.binary_search(&[a, b]).is_ok().then_some([a, b])
}

impl Contacts {
    /// Lets the last contact, of which one collider is one-way, be one or not.
    fn pass_or_hold(&mut self, columns: &Columns, last: Option<&[Manifold]>, was_passing: bool) -> bool {
        let Some(mut contact) = self.list.pop() else { return false };
        let [from, to] = contact.parts.map(|end| end as usize);
        let slots = contact.slots();
        let all = if from < to { &mut self.parts[from..to] } else { slice::from_mut(&mut contact.manifold) };
        let count = judge(columns, slots, all, last, was_passing);
        let Some(deepest) = all[..count].iter().copied().reduce(deeper) else { return false };
        contact.manifold = deepest;
        contact.parts = if count > 1 { [from as u32, (from + count) as u32] } else { [0, 0] };
        self.list.push(contact);
        true
    }

    /// Takes a contact over as it was.
    fn keep(&mut self, contact: &Contact, from: &Self) {
        let kept = from.manifolds(contact);
        let parts = if kept.len() > 1 { self.append(kept) } else { [0, 0] };
        self.list.push(Contact { parts, ..*contact });
    }

    /// Asks two shapes whether and how they meet: the deepest manifold, and where all of them are if there is more than one.
    #[inline]
    pub(super) fn look(&mut self, p: Placed<'_>, q: Placed<'_>, scratch: &mut Vec<Manifold>) -> Option<(Manifold, [u32; 2])> {
        if p.as_part().is_some() && q.as_part().is_some() {
            return collide(p, q).map(|manifold| (manifold, [0, 0]));
        }
        scratch.clear();
        manifolds(p, q, scratch);
        let deepest = scratch.iter().copied().reduce(deeper)?;
        Some((deepest, if scratch.len() > 1 { self.append(scratch) } else { [0, 0] }))
    }
}

/// Of two manifolds of a pair the deeper one; of equal ones the first.
pub(super) fn deeper(best: Manifold, next: Manifold) -> Manifold {
    if next.depth > best.depth { next } else { best }
}
