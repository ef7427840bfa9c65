//! The pairs that meet, in order, beside those that met at the last update: what is in only one of the two began or ended.

use alloc::vec::Vec;
use core::ops::Range;

use super::collider_set::{ColliderSet, ONE_WAY, SENSOR};
use super::contact_store::ContactStore;
use super::events::Events;
use super::handle::Handle;
use super::narrow_phase::{Block, PolygonPairs, Row};
use super::one_way_filter::filter_one_way;
use super::radix_sort::Pair;
use crate::math::parallel;
use crate::math::prefetch::{prefetch, prefetch_distance};
use crate::query::{self, Manifold, collide};

/// What candidates come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) contacts: ContactStore,
    pub(super) events: Events,
    /// Pairs that one-way colliders let pass.
    pub(super) passing: Vec<[Handle; 2]>,
}

impl parallel::OrderedOutput for Found {
    fn append(&mut self, next: &mut Self) {
        self.events.append(&mut next.events, self.contacts.len());
        self.contacts.append(&mut next.contacts);
        self.passing.append(&mut next.passing);
    }
}

/// What a core needs to look at candidates; no two share a cache line.
#[derive(Clone, Default)]
#[repr(align(128))]
pub(super) struct WorkerBuffers {
    pub(super) others: PolygonPairs,
    pub(super) scratch: Vec<Manifold>,
}

/// Candidates in order, and the places of the last contacts from the first of them up to those behind them.
pub(super) struct Part<'a> {
    candidates: &'a [Pair],
    last: Range<usize>,
}

/// Colliders, and what the last update left.
#[derive(Clone, Copy)]
pub(super) struct DiffInput<'a> {
    pub(super) columns: &'a ColliderSet,
    pub(super) contacts: &'a ContactStore,
    pub(super) passing: &'a [[Handle; 2]],
    /// Is what has not changed as it was?
    pub(super) complete: bool,
}

/// Slices, as many as parts, that follow each other: one empty one of nothing.
pub(super) fn chunks<T>(all: &[T], parts: usize) -> impl Iterator<Item = &[T]> {
    (0..parts).map(move |i| &all[all.len() * i / parts..all.len() * (i + 1) / parts])
}

impl<'a> DiffInput<'a> {
    /// All candidates and all last contacts in parts.
    pub(super) fn parts(self, candidates: &'a [Pair], parts: usize) -> impl Iterator<Item = Part<'a>> {
        let mut next = chunks(candidates, parts).skip(1);
        let mut from = 0;
        chunks(candidates, parts).map(move |candidates| {
            let first = next.next().and_then(|next| next.first());
            let last = &self.contacts.pairs;
            let until = first.map_or(last.len(), |first| last.partition_point(|[a, b]| [a.slot(), b.slot()] < *first));
            Part { candidates, last: core::mem::replace(&mut from, until)..until }
        })
    }

    /// From some candidates to contacts and events.
    pub(super) fn process(&self, part: Part<'_>, tools: &mut WorkerBuffers, found: &mut Found) {
        let WorkerBuffers { others, scratch } = tools;
        let mut block = Block::new(others);
        let mut walk = Walk {
            columns: self.columns,
            last: self.contacts,
            last_passing: self.passing,
            old: part.last,
            found,
            scratch,
        };
        let ahead = prefetch_distance(self.columns.slots());
        let mut candidates = part.candidates.iter();
        while !candidates.as_slice().is_empty() {
            block.clear();
            while !block.is_full()
                && let Some(&pair) = candidates.next()
            {
                if let Some(&[_, b]) = candidates.as_slice().get(ahead) {
                    // Of the first ones, which are in order, the processor sees to it.
                    self.columns.fetch(b);
                    prefetch(&self.columns.generations, b as usize);
                }
                block.add(self.columns, pair, self.complete);
            }
            block.solve(self.columns);
            block.rows().for_each(|row| walk.take(&block, row));
        }
        walk.finish();
    }
}

/// A walk along candidates and last contacts.
struct Walk<'a> {
    columns: &'a ColliderSet,
    last: &'a ContactStore,
    last_passing: &'a [[Handle; 2]],
    /// The last contacts that lie ahead.
    old: Range<usize>,
    found: &'a mut Found,
    scratch: &'a mut Vec<Manifold>,
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
    fn settle(&mut self, Row { slots, flags, .. }: Row, push: impl FnOnce(&mut ContactStore, [Handle; 2], bool)) {
        let pair = [self.columns.handle(slots[0]), self.columns.handle(slots[1])];
        let before = self.before(slots);
        // Another collider may have taken the slot.
        let same = before.is_some_and(|old| self.last.pairs[old] == pair);
        if !same {
            if let Some(old) = before {
                self.end(old);
            }
            self.found.events.begin(self.found.contacts.len());
        }
        push(&mut self.found.contacts, pair, flags & SENSOR != 0);
    }

    /// Neither of the two has changed: what was is.
    fn keep(&mut self, slots: [u32; 2]) {
        match self.before(slots) {
            Some(old) => self.found.contacts.push_copy(self.last, old),
            None => {
                self.found.passing.extend(find_passing(self.last_passing, slots.map(|slot| self.columns.handle(slot))))
            }
        }
    }

    /// The place of the last contact of two slots; those before it have ended.
    #[inline(always)]
    fn before(&mut self, slots: [u32; 2]) -> Option<usize> {
        while let Some(&[a, b]) = self.last.pairs[..self.old.end].get(self.old.start) {
            let (old, pair) = (self.old.start, [a.slot(), b.slot()]);
            if pair > slots {
                break;
            }
            self.old.start += 1;
            if pair == slots {
                return Some(old);
            }
            self.end(old);
        }
        None
    }

    fn end(&mut self, old: usize) {
        self.found.events.end(self.last.at(old as u32));
    }

    /// Leaves those of the manifolds of a pair, of which one is one-way, that stop it. It may have been a contact before.
    fn judge(&mut self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) {
        let pair = slots.map(|slot| self.columns.handle(slot));
        let was_passing = find_passing(self.last_passing, pair).is_some();
        let last = self.last.pairs[self.old.clone()].binary_search(&pair).ok();
        let last = last.map(|place| self.last.at((self.old.start + place) as u32));
        let count = filter_one_way(self.columns, slots, manifolds, last, was_passing);
        manifolds.truncate(count);
        self.found.passing.extend((count == 0).then_some(pair));
    }

    /// The rest has ended.
    fn finish(&mut self) {
        self.old.clone().for_each(|old| self.end(old));
    }
}

/// The pair, if it was passing.
fn find_passing(passing: &[[Handle; 2]], pair: [Handle; 2]) -> Option<[Handle; 2]> {
    passing.binary_search(&pair).is_ok().then_some(pair)
}

/// Asks two colliders whether and how they meet: all their manifolds.
pub(super) fn look(columns: &ColliderSet, [a, b]: [u32; 2], manifolds: &mut Vec<Manifold>) {
    let (p, q) = (columns.placed(a), columns.placed(b));
    manifolds.clear();
    if p.as_part().is_some() && q.as_part().is_some() {
        manifolds.extend(collide(p, q));
    } else {
        query::manifolds(p, q, manifolds);
    }
}
