//! The frame: from boxes that meet to contacts and events.
//!
//! ```text
//! pairs of the broad phase, filters looked at inside      boxes in single precision, some with room for what pushes them
//! keep those whose boxes meet in double precision         the candidates
//! leave out circles that are apart                        they are many, and the columns say so
//! sort by handles                                         from here on every column is walked in order, and the contacts come out in theirs
//! block by block
//!     the narrow phase, where one of the two has changed  pairs of like kinds many at a time
//!     walk along the last frame's contacts                what is in only one of the two began or ended; where neither changed, what was is
//! ```

use alloc::vec::Vec;

use super::World;
use super::block::{Block, Row};
use super::call::Call;
use super::columns::{Columns, ONE_WAY, RULED, SENSOR};
use super::events::Events;
use super::handle::Handle;
use super::judge::judge;
use super::rules::Rules;
use super::store::Store;
use crate::query::{self, Manifold, collide};

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
        self.find_candidates(allow.is_some());
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.look_at_all(complete, allow);
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.settle();
    }

    /// Of the pairs of the broad phase those whose boxes meet in double precision too and that are not switched off, and of these the ones to look at, sorted: all that somebody asks for, else
    /// no circles that are apart.
    fn find_candidates(&mut self, asked: bool) {
        self.space.find_near(true);
        let (near, mut count, mut few) = (self.space.near(), 0, 0);
        self.boxes.resize(near.len(), [0; 2]);
        self.close.resize(near.len(), [0; 2]);
        for &pair in near {
            // Which of them stay cannot be foretold: no branch.
            let candidate = is_candidate(&self.columns, &self.rules, pair);
            (self.boxes[count], self.close[few]) = (pair, pair);
            count += usize::from(candidate);
            few += usize::from(candidate & (asked | self.columns.may_touch(pair)));
        }
        self.boxes.truncate(count);
        self.close.truncate(few);
        self.sorter.sort(&mut self.close, self.columns.slots());
    }

    /// From candidates to contacts and events.
    fn look_at_all(&mut self, complete: bool, mut allow: Option<Allow<'_>>) {
        let Self { columns, boxes, close, contacts, last, events, passing, last_passing, scratch, others, .. } = self;
        let mut block = Block::new(others);
        let (contacts, last) = (&mut contacts.store, &last.store);
        let mut walk = Walk { columns, contacts, last, events, passing, last_passing, scratch, old: 0 };
        if let Some(allow) = &mut allow {
            close.retain(|&[a, b]| allow(columns.handle(a), columns.handle(b)));
            boxes.clone_from(close);
        }
        let mut close = close.iter();
        while !close.as_slice().is_empty() {
            block.clear();
            while !block.is_full()
                && let Some(&pair) = close.next()
            {
                block.add(columns, pair, complete);
            }
            block.solve(columns);
            block.rows().for_each(|row| walk.take(&block, row));
        }
        walk.finish();
        self.candidates = self.boxes.len();
    }
}

/// Do the boxes of two colliders meet in double precision too, and are the two not switched off?
#[inline(always)]
fn is_candidate(columns: &Columns, rules: &Rules, [a, b]: [u32; 2]) -> bool {
    columns.boxes_meet([a, b]) & !(columns.is(a, RULED) && columns.is(b, RULED) && rules.forbid(columns.handle(a), columns.handle(b)))
}

/// The pairs that meet, in order, beside the last contacts.
struct Walk<'a> {
    columns: &'a Columns,
    contacts: &'a mut Store,
    last: &'a Store,
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
        if row.is_as_it_was() {
            self.keep(row.slots);
        } else if block.is_to_be_asked(row) {
            look(self.columns, row.slots, self.scratch);
            self.settle_all(row);
        } else if let Some(found) = block.manifold(row) {
            if row.flags & ONE_WAY == 0 {
                return self.settle(row, |contacts, pair, sensor| contacts.push(pair, sensor, &found));
            }
            self.scratch.clear();
            self.scratch.push(found);
            self.settle_all(row);
        }
    }

    /// What of the manifolds of a candidate counts.
    #[inline(never)]
    fn settle_all(&mut self, row: Row) {
        let mut manifolds = core::mem::take(self.scratch);
        if row.flags & ONE_WAY != 0 && !manifolds.is_empty() {
            self.judge(row.slots, &mut manifolds);
        }
        if !manifolds.is_empty() {
            self.settle(row, |contacts, pair, sensor| contacts.push_all(pair, sensor, &manifolds));
        }
        *self.scratch = manifolds;
    }

    /// A candidate is a contact.
    #[inline(always)]
    fn settle(&mut self, Row { slots, flags, .. }: Row, push: impl FnOnce(&mut Store, [Handle; 2], bool)) {
        let pair = [self.columns.handle(slots[0]), self.columns.handle(slots[1])];
        let before = self.before(slots);
        // Another collider may have taken the slot.
        let same = before.is_some_and(|old| self.last.pairs[old] == pair);
        if !same {
            if let Some(old) = before {
                self.end(old);
            }
            self.events.begin(self.contacts.len());
        }
        push(self.contacts, pair, flags & SENSOR != 0);
    }

    /// Neither of the two has changed: what was is.
    fn keep(&mut self, slots: [u32; 2]) {
        match self.before(slots) {
            Some(old) => self.contacts.push_copy(self.last.at(old as u32)),
            None => self.passing.extend(find_passing(self.last_passing, slots.map(|slot| self.columns.handle(slot)))),
        }
    }

    /// The place of the last contact of two slots; those before it have ended.
    #[inline(always)]
    fn before(&mut self, slots: [u32; 2]) -> Option<usize> {
        while let Some(pair) = self.last.pairs.get(self.old)
            && [pair[0].slot(), pair[1].slot()] < slots
        {
            self.end(self.old);
            self.old += 1;
        }
        let found = self.last.pairs.get(self.old).is_some_and(|pair| [pair[0].slot(), pair[1].slot()] == slots);
        self.old += usize::from(found);
        found.then(|| self.old - 1)
    }

    fn end(&mut self, old: usize) {
        self.events.end(self.last.at(old as u32));
    }

    /// Leaves those of the manifolds of a pair, of which one is one-way, that stop it. It may have been a contact before.
    fn judge(&mut self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) {
        let pair = slots.map(|slot| self.columns.handle(slot));
        let was_passing = find_passing(self.last_passing, pair).is_some();
        let last = self.last.pairs[self.old..].binary_search(&pair).ok().map(|found| self.last.at((self.old + found) as u32));
        let count = judge(self.columns, slots, manifolds, last, was_passing);
        manifolds.truncate(count);
        self.passing.extend((count == 0).then_some(pair));
    }

    /// The rest has ended.
    fn finish(mut self) {
        (self.old..self.last.len()).for_each(|old| self.end(old));
    }
}

/// The pair, if it was passing.
fn find_passing(passing: &[[Handle; 2]], pair: [Handle; 2]) -> Option<[Handle; 2]> {
    passing.binary_search(&pair).is_ok().then_some(pair)
}

/// Asks two colliders whether and how they meet: all their manifolds.
pub(super) fn look(columns: &Columns, [a, b]: [u32; 2], manifolds: &mut Vec<Manifold>) {
    let (p, q) = (columns.placed(a), columns.placed(b));
    manifolds.clear();
    if p.as_part().is_some() && q.as_part().is_some() {
        manifolds.extend(collide(p, q));
    } else {
        query::manifolds(p, q, manifolds);
    }
}
