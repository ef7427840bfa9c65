//! Merges the candidates of an update with the contacts of the last update.
//!
//! Input: candidate pairs and last contacts, both sorted by slots. Output: new contacts, Begin and
//! End events, and the pairs that pass one-way colliders. The algorithm is the merge of two sorted
//! lists.
//!
//! ```text
//! for each candidate, in order of slots
//!     each last contact before it has ended: End
//!     if neither collider changed: copy the last contact
//!     else if the manifolds are not empty
//!         add a contact; if it was no contact at the last update: Begin
//! each last contact that is left has ended: End
//! ```
//!
//! A hash table of last contacts needs a random access per candidate, and a second pass for ended
//! contacts. The merge reads each list once, in order. Events come out sorted, so their order does
//! not depend on the broad phase. A slot can belong to another collider than before: then the old
//! contact ends and a new one begins.

use alloc::vec::Vec;
use core::ops::Range;

use super::collider_set::{ColliderSet, ONE_WAY, SENSOR};
use super::contact_graph::ContactGraph;
use super::contact_store::ContactStore;
use super::events::Events;
use super::handle::Handle;
use super::narrow_phase::{CandidateBlock, CandidateRow, PolygonPairs};
use super::one_way_filter::filter_one_way;
use super::radix_sort::Pair;
use crate::math::parallel;
use crate::query::{Manifold, manifolds_within};

/// Contacts, events and passing pairs of a chunk of candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct DiffOutput {
    pub(super) contacts: ContactStore,
    pub(super) events: Events,
    /// Pairs that intersect but are ignored, because a one-way collider lets the other pass.
    pub(super) passing: Vec<[Handle; 2]>,
}

impl parallel::OrderedOutput for DiffOutput {
    fn append(&mut self, next: &mut Self) {
        self.events.append(&mut next.events, self.contacts.len());
        self.contacts.append(&mut next.contacts);
        self.passing.append(&mut next.passing);
    }
}

/// Buffers of one thread, aligned so that no two threads share a cache line.
#[derive(Clone, Default)]
#[repr(align(128))]
pub(super) struct WorkerBuffers {
    pub(super) polygon_pairs: PolygonPairs,
    pub(super) scratch: Vec<Manifold>,
}

/// A chunk of sorted candidates, and the range of last contacts that lie before the next chunk's
/// first candidate.
pub(super) struct CandidateChunk<'a> {
    candidates: &'a [Pair],
    last: Range<usize>,
}

/// The colliders, and the results of the last update.
#[derive(Clone, Copy)]
pub(super) struct DiffInput<'a> {
    pub(super) columns: &'a ColliderSet,
    pub(super) contacts: &'a ContactGraph,
    pub(super) passing: &'a [[Handle; 2]],
    /// If true, a pair of unchanged colliders has the same result as at the last update.
    pub(super) complete: bool,
}

/// Splits a slice into `parts` consecutive slices of nearly equal length. An empty slice with
/// `parts` = 1 gives one empty slice.
pub(super) fn chunks<T>(all: &[T], parts: usize) -> impl Iterator<Item = &[T]> {
    (0..parts).map(move |i| &all[all.len() * i / parts..all.len() * (i + 1) / parts])
}

impl<'a> DiffInput<'a> {
    /// Splits all candidates and all last contacts into matching chunks.
    pub(super) fn chunks(self, candidates: &'a [Pair], parts: usize) -> impl Iterator<Item = CandidateChunk<'a>> {
        let mut next = chunks(candidates, parts).skip(1);
        let mut from = 0;
        chunks(candidates, parts).map(move |candidates| {
            let first = next.next().and_then(|next| next.first());
            let last = &self.contacts.store.pairs;
            let until = first.map_or(last.len(), |first| last.partition_point(|[a, b]| [a.slot(), b.slot()] < *first));
            CandidateChunk { candidates, last: core::mem::replace(&mut from, until)..until }
        })
    }

    /// Computes contacts and events of one chunk.
    pub(super) fn process(&self, part: CandidateChunk<'_>, tools: &mut WorkerBuffers, found: &mut DiffOutput) {
        let WorkerBuffers { polygon_pairs: others, scratch } = tools;
        let mut block = CandidateBlock::new(others);
        let mut merge = ContactMerge {
            columns: self.columns,
            last: &self.contacts.store,
            contacts: self.contacts,
            last_passing: self.passing,
            old: part.last,
            found,
            scratch,
        };
        let (mut candidates, within) = (part.candidates.iter(), self.columns.margins.is_active());
        while block.load(self.columns, &mut candidates, self.complete, within) {
            block.rows().for_each(|row| merge.process_candidate(&block, row));
        }
        merge.end_remaining();
    }
}

/// The state of the merge of candidates and last contacts.
struct ContactMerge<'a> {
    columns: &'a ColliderSet,
    last: &'a ContactStore,
    contacts: &'a ContactGraph,
    last_passing: &'a [[Handle; 2]],
    /// Indices of the last contacts that were not merged yet.
    old: Range<usize>,
    found: &'a mut DiffOutput,
    scratch: &'a mut Vec<Manifold>,
}

impl ContactMerge<'_> {
    /// Processes the next candidate.
    #[inline(always)]
    fn process_candidate(&mut self, block: &CandidateBlock<'_>, row: CandidateRow) {
        if row.is_unchanged() {
            self.copy_unchanged(row.slots);
        } else if block.needs_fallback(row) {
            compute_manifolds(self.columns, row.slots, self.columns.margins.of_pair(row.slots), self.scratch);
            self.push_manifolds(row);
        } else if let Some(found) = block.manifold(row) {
            if row.flags & ONE_WAY == 0 {
                return self.push_contact(row, |contacts, pair, sensor| contacts.push(pair, sensor, &found));
            }
            self.scratch.clear();
            self.scratch.push(found);
            self.push_manifolds(row);
        }
    }

    /// Adds a contact with the manifolds in `scratch`, after the one-way filter, if any are left.
    #[inline(never)]
    fn push_manifolds(&mut self, row: CandidateRow) {
        let mut manifolds = core::mem::take(self.scratch);
        if row.flags & ONE_WAY != 0 && !manifolds.is_empty() {
            self.apply_one_way(row.slots, &mut manifolds);
        }
        if !manifolds.is_empty() {
            self.push_contact(row, |contacts, pair, sensor| contacts.push_all(pair, sensor, &manifolds));
        }
        *self.scratch = manifolds;
    }

    /// Adds a contact, and a Begin event if it is new.
    #[inline(always)]
    fn push_contact(
        &mut self,
        CandidateRow { slots, flags, .. }: CandidateRow,
        push: impl FnOnce(&mut ContactStore, [Handle; 2], bool),
    ) {
        let pair = [self.columns.handle(slots[0]), self.columns.handle(slots[1])];
        let before = self.find_last_contact(slots);
        // The slot may belong to another collider now: then the old contact ends and a new one
        // begins.
        let same = before.is_some_and(|old| self.last.pairs[old] == pair);
        if !same {
            if let Some(old) = before {
                self.end(old);
            }
            self.found.events.begin(self.found.contacts.len());
        }
        push(&mut self.found.contacts, pair, flags & SENSOR != 0);
    }

    /// Copies the state of a pair of unchanged colliders: its contact, or that it is passing.
    fn copy_unchanged(&mut self, slots: [u32; 2]) {
        match self.find_last_contact(slots) {
            Some(old) => self.found.contacts.push_copy(self.last, old),
            None => {
                self.found.passing.extend(find_passing(self.last_passing, self.columns.handles(slots)));
            }
        }
    }

    /// Returns the index of the last contact of two slots. Last contacts before it have ended.
    #[inline(always)]
    fn find_last_contact(&mut self, slots: [u32; 2]) -> Option<usize> {
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

    /// Keeps only the manifolds that a one-way collider of the pair stops. If none is left, the
    /// pair is recorded as passing.
    fn apply_one_way(&mut self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) {
        let pair = self.columns.handles(slots);
        let was_passing = find_passing(self.last_passing, pair).is_some();
        let intersects = manifolds.iter().any(|manifold| !manifold.is_gap());
        let count = filter_one_way(self.columns, slots, manifolds, self.contacts, was_passing);
        manifolds.truncate(count);
        self.found.passing.extend((intersects && count == 0).then_some(pair));
    }

    /// Ends all last contacts that are left.
    fn end_remaining(&mut self) {
        self.old.clone().for_each(|old| self.end(old));
    }
}

/// Returns the pair if it was passing at the last update.
fn find_passing(passing: &[[Handle; 2]], pair: [Handle; 2]) -> Option<[Handle; 2]> {
    passing.binary_search(&pair).is_ok().then_some(pair)
}

/// Computes all manifolds of two colliders with the scalar path; none if their distance exceeds the
/// margin.
pub(super) fn compute_manifolds(columns: &ColliderSet, [a, b]: [u32; 2], margin: f64, manifolds: &mut Vec<Manifold>) {
    manifolds.clear();
    manifolds_within(columns.placed(a), columns.placed(b), margin, manifolds);
}
