//! The frame: from boxes that meet to contacts and events.
//!
//! ```text
//! pairs of the broad phase, filters looked at inside      boxes in single precision, some with room for what pushes them
//! keep those whose boxes meet in double precision         the candidates
//! sort by handles                                         from here on every column is walked in order, and the contacts come out in theirs
//! block by block
//!     the narrow phase, where one of the two has changed  pairs of like kinds many at a time
//!     walk along the last frame's contacts                what is in only one of the two began or ended; where neither changed, what was is
//! ```

use alloc::vec::Vec;
use core::slice;

use super::World;
use super::block::{Block, Row};
use super::call::Call;
use super::columns::{Columns, ONE_WAY, RULED, SENSOR};
use super::contacts::{Contact, Contacts, deeper};
use super::events::Events;
use super::handle::Handle;
use super::judge::judge;
use super::rules::Rules;
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
        self.find_candidates();
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.look_at_all(complete, allow);
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.settle();
    }

    /// Of the pairs of the broad phase those whose boxes meet in double precision too and that are not switched off, sorted.
    fn find_candidates(&mut self) {
        self.space.find_near(true);
        let (near, mut count) = (self.space.near(), 0);
        self.boxes.resize(near.len(), [0; 2]);
        for &pair in near {
            self.boxes[count] = pair;
            // Which of them stay cannot be foretold: no branch.
            count += usize::from(is_candidate(&self.columns, &self.rules, pair));
        }
        self.boxes.truncate(count);
        self.sorter.sort(&mut self.boxes, self.columns.slots());
    }

    /// From candidates to contacts and events.
    fn look_at_all(&mut self, complete: bool, mut allow: Option<Allow<'_>>) {
        let Self { columns, boxes, contacts, last, events, passing, last_passing, scratch, others, .. } = self;
        let mut block = Block::new(others);
        let mut walk = Walk { columns, contacts, last, events, passing, last_passing, scratch, old: 0 };
        let (mut from, mut kept) = (0, 0);
        while from < boxes.len() {
            block.clear();
            while from < boxes.len() && !block.is_full() {
                let [a, b] = boxes[from];
                from += 1;
                if allow.as_mut().is_none_or(|allow| allow(columns.handle(a), columns.handle(b))) {
                    boxes[kept] = [a, b];
                    kept += 1;
                    block.add(columns, [a, b], complete);
                }
            }
            block.solve(columns);
            block.rows().for_each(|row| walk.take(&block, row));
        }
        boxes.truncate(kept);
        self.candidates = kept;
        walk.finish();
    }
}

/// Do the boxes of two colliders meet in double precision too, and are the two not switched off?
#[inline(always)]
fn is_candidate(columns: &Columns, rules: &Rules, [a, b]: [u32; 2]) -> bool {
    let (p, q) = (&columns.spots[a as usize].aabb, &columns.spots[b as usize].aabb);
    let meet = p.min().cmple(q.max()).all() & q.min().cmple(p.max()).all();
    meet & !(columns.is(a, RULED) && columns.is(b, RULED) && rules.forbid(columns.handle(a), columns.handle(b)))
}

/// The pairs that meet, in order, beside the last contacts.
struct Walk<'a> {
    columns: &'a Columns,
    contacts: &'a mut Contacts,
    last: &'a Contacts,
    events: &'a mut Events,
    passing: &'a mut Vec<[Handle; 2]>,
    last_passing: &'a [[Handle; 2]],
    scratch: &'a mut Vec<Manifold>,
    /// How many of the last contacts lie behind.
    old: usize,
}

impl Walk<'_> {
    /// The next candidate.
    #[inline(always)]
    fn take(&mut self, block: &Block<'_>, row: Row) {
        let Row { slots: [a, b], flags, .. } = row;
        let (found, parts) = if row.is_as_it_was() {
            return self.keep([a, b]);
        } else if block.is_to_be_asked(row) {
            let (p, q) = (self.columns.placed(a), self.columns.placed(b));
            let Some(found) = self.contacts.look(p, q, self.scratch) else { return };
            found
        } else if let Some(found) = block.manifold(row) {
            (found, [0, 0])
        } else {
            return;
        };
        let before = self.before([a, b]);
        let pair = [self.columns.handle(a), self.columns.handle(b)];
        // Another collider may have taken the slot.
        let same = before.is_some_and(|old| self.last.pairs[old] == pair);
        self.contacts.push(Contact { a: pair[0], b: pair[1], manifold: found, sensor: flags & SENSOR != 0, parts });
        let met = flags & ONE_WAY == 0 || self.judge(pair, before.filter(|_| same));
        if let Some(gone) = before.filter(|_| !met || !same) {
            self.events.end(&self.last.list[gone]);
        }
        if met && !same {
            self.events.begin(self.contacts.list.len() - 1);
        }
    }

    /// Neither of the two has changed: what was is.
    fn keep(&mut self, slots: [u32; 2]) {
        match self.before(slots) {
            Some(old) => self.contacts.keep(&self.last.list[old], self.last),
            None => self.passing.extend(find_passing(self.last_passing, slots.map(|slot| self.columns.handle(slot)))),
        }
    }

    /// The place of the last contact of two slots; those before it have ended.
    #[inline(always)]
    fn before(&mut self, slots: [u32; 2]) -> Option<usize> {
        while let Some(&pair) = self.last.pairs.get(self.old) {
            let old = [pair[0].slot(), pair[1].slot()];
            if old > slots {
                break;
            }
            self.old += 1;
            if old == slots {
                return Some(self.old - 1);
            }
            self.events.end(&self.last.list[self.old - 1]);
        }
        None
    }

    /// Is the contact that was found last, of which one collider is one-way, one? It may have been one before.
    fn judge(&mut self, pair: [Handle; 2], old: Option<usize>) -> bool {
        let was_passing = find_passing(self.last_passing, pair).is_some();
        let met = self.contacts.pass_or_hold(self.columns, old.map(|old| self.last.manifolds(&self.last.list[old])), was_passing);
        self.passing.extend((!met).then_some(pair));
        met
    }

    /// The rest has ended.
    fn finish(self) {
        self.last.list[self.old..].iter().for_each(|gone| self.events.end(gone));
    }
}

/// The pair, if it was passing.
fn find_passing(passing: &[[Handle; 2]], pair: [Handle; 2]) -> Option<[Handle; 2]> {
    passing.binary_search(&pair).is_ok().then_some(pair)
}

impl Contacts {
    /// Lets the last contact, of which one collider is one-way, be one or not.
    fn pass_or_hold(&mut self, columns: &Columns, last: Option<&[Manifold]>, was_passing: bool) -> bool {
        let Some(mut contact) = self.pop() else { return false };
        let [from, to] = contact.parts.map(|end| end as usize);
        let slots = contact.slots();
        let all = if from < to { &mut self.parts[from..to] } else { slice::from_mut(&mut contact.manifold) };
        let count = judge(columns, slots, all, last, was_passing);
        let Some(deepest) = all[..count].iter().copied().reduce(deeper) else { return false };
        contact.manifold = deepest;
        contact.parts = if count > 1 { [from as u32, (from + count) as u32] } else { [0, 0] };
        self.push(contact);
        true
    }

    /// Takes a contact over as it was.
    fn keep(&mut self, contact: &Contact, from: &Self) {
        let kept = from.manifolds(contact);
        let parts = if kept.len() > 1 { self.append(kept) } else { [0, 0] };
        self.push(Contact { parts, ..*contact });
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
