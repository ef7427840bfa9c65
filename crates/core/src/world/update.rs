//! Computes the contacts and events of one update from the colliders that changed.
//!
//! Input: the colliders, the pairs of the broad phase and the contacts of the last update. Output:
//! the new contacts, sorted by handles, and one event for each contact that began or ended.
//!
//! The simple version collides all pairs and compares the two sets of contacts:
//!
//! ```text
//! for each pair whose boxes intersect: collide
//! Begin = contacts that are new; End = contacts that are no more
//! ```
//!
//! It computes contacts of colliders at rest again, in random memory order. Here the candidates are
//! sorted, unchanged contacts are copied, and the comparison is a merge:
//!
//! ```text
//! pairs = all pairs of the broad phase          f32 boxes, some with a margin; filters applied
//! candidates = pairs whose f64 boxes intersect and that are not disabled      within the contact margin, if any
//! drop pairs of circles that are certainly apart      not if the user filters: it sees every pair
//! sort the rest by slots                        then every column is read in increasing order
//! for each block of candidates
//!     if either collider changed
//!         compute the manifolds                 SIMD kernels, scalar fallback
//!     merge the block with the last contacts, which are sorted too
//!         only new:  Begin      only old: End      neither collider changed: copy the old contact
//! ```
//!
//! With several threads, both loops run on chunks. A chunk of candidates is processed with the
//! matching range of the last contacts. The outputs are appended in order, so the thread count does
//! not change the result.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::take;

use super::World;
use super::ccd::is_disabled;
use super::collider_set::ColliderSet;
use super::command::Command;
use super::contact_diff::{DiffInput, DiffOutput, chunks};
use super::disabled_pairs::DisabledPairs;
use super::handle::Handle;
use super::radix_sort::Pair;
use crate::math::lists::resize;
use crate::math::parallel::{self, OutputBuffers};
use crate::math::prefetch::prefetch_distance;
use crate::math::sort::sort_cold;

/// A user filter: returns true if two colliders may form a contact.
type Allow<'a> = &'a mut dyn FnMut(Handle, Handle) -> bool;

impl World {
    /// Computes all contacts, and the events since the last update.
    ///
    /// Contacts and events stay as they are until the next update, whatever is changed in between.
    /// The contacts of colliders that were removed since the last update end here. If neither
    /// collider of a pair changed since the last update, its contact is copied.
    #[doc(alias = "step")]
    pub fn update(&mut self) {
        self.record(|| Command::Update);
        self.run_update(None);
    }

    /// Does an [`update`](World::update) with a user filter. A pair can be a contact only if
    /// `allow` returns true.
    ///
    /// `allow` is called once for each candidate: boxes that intersect, layers that match, not
    /// disabled. The calls are in the order of handles, before the shapes are tested.
    pub fn update_with(&mut self, mut allow: impl FnMut(Handle, Handle) -> bool) {
        if !self.is_recording() {
            return self.run_update(Some(&mut allow));
        }
        let mut refused = Vec::new();
        self.run_update(Some(&mut |a, b| {
            let allowed = allow(a, b);
            if !allowed {
                refused.push([a, b]);
            }
            allowed
        }));
        self.record(|| Command::UpdateWith(refused));
    }

    fn run_update(&mut self, allow: Option<Allow<'_>>) {
        self.events.clear();
        self.run_motions();
        core::mem::swap(&mut self.removed, &mut self.removed_since);
        self.removed_since.clear();
        // A pair that a user filter refused last time may be a contact now, even if nothing moved.
        let complete = allow.is_none() && !self.filtered;
        self.filtered = allow.is_some();
        if complete && self.columns.changed.is_empty() && self.removed.is_empty() {
            return;
        }
        sort_cold(&mut self.removed, |(p, _), (q, _)| p.cmp(q));
        self.space.update_origin(&self.columns);
        self.find_candidates(allow.is_some());
        if let Some(allow) = allow {
            let columns = &self.columns;
            self.boxes.to_test.retain(|&[a, b]| allow(columns.handle(a), columns.handle(b)));
            self.boxes.all.clone_from(&self.boxes.to_test);
        }
        self.candidates = self.boxes.all.len();
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.compute_contacts(complete);
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.clear_changed();
    }

    /// Finds the candidates: pairs of the broad phase whose f64 boxes intersect and that are not
    /// disabled. Sorts those that need the narrow phase: all if `keep_all`, else without circles
    /// that are certainly apart.
    fn find_candidates(&mut self, keep_all: bool) {
        self.space.find_pairs(true);
        let Self { columns, disabled_pairs: rules, space, boxes, sorter, lists, .. } = self;
        boxes.clear();
        let parts =
            parallel::chunk_count_capped(space.cached_pairs().len(), FILTER_CHUNK_SIZE[0], FILTER_CHUNK_SIZE[1]);
        let near = chunks(space.cached_pairs(), parts);
        let mut nothing = vec![(); parallel::worker_count(parts)];
        parallel::collect_in_order(near, &mut nothing, &mut lists.pairs, boxes, |near, (), boxes| {
            if columns.margins.is_active() {
                boxes.add::<true>(columns, rules, near, keep_all);
            } else {
                boxes.add::<false>(columns, rules, near, keep_all);
            }
        });
        sorter.sort(&mut boxes.to_test, columns.slots());
    }

    /// Computes contacts and events from the candidates.
    fn compute_contacts(&mut self, complete: bool) {
        let Self {
            columns, boxes, contacts, last, events, passing, last_passing, worker_buffers: tools, lists, ..
        } = self;
        let mut found =
            DiffOutput { contacts: take(&mut contacts.store), events: take(events), passing: take(passing) };
        let parts = parallel::chunk_count_capped(boxes.to_test.len(), CONTACT_CHUNK_SIZE[0], CONTACT_CHUNK_SIZE[1]);
        let crew = parallel::worker_count(parts);
        if tools.len() < crew {
            resize(tools, crew);
        }
        let then = DiffInput { columns, contacts: last, passing: last_passing, complete };
        parallel::collect_in_order(
            then.chunks(&boxes.to_test, parts),
            &mut tools[..crew],
            &mut lists.found,
            &mut found,
            |part, tools, found| {
                then.process(part, tools, found);
            },
        );
        (contacts.store, *events, *passing) = (found.contacts, found.events, found.passing);
    }
}

/// Minimum and maximum number of pairs per chunk if several threads filter them or run the narrow
/// phase. A chunk takes about 20 µs at least, and its output fits in a near cache.
const FILTER_CHUNK_SIZE: [usize; 2] = [2_048, 8_192];
const CONTACT_CHUNK_SIZE: [usize; 2] = [256, 2_048];

/// Outputs of the chunks, kept to reuse their memory.
#[derive(Debug, Default)]
pub(super) struct ChunkOutputs {
    pairs: OutputBuffers<Candidates>,
    found: OutputBuffers<DiffOutput>,
}

impl Clone for ChunkOutputs {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Pairs whose boxes intersect and whose filters allow a contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// All candidates, in any order.
    pub(super) all: Vec<Pair>,
    /// The candidates that need the narrow phase.
    to_test: Vec<Pair>,
}

impl parallel::OrderedOutput for Candidates {
    fn append(&mut self, next: &mut Self) {
        self.all.append(&mut next.all);
        self.to_test.append(&mut next.to_test);
    }
}

impl Candidates {
    fn clear(&mut self) {
        self.all.clear();
        self.to_test.clear();
    }

    /// Adds the candidates among `near`. If `keep_all`, all of them go to the narrow phase. `WITHIN`:
    /// with contact margins. It is constant, so that the loop has no branch for it.
    fn add<const WITHIN: bool>(&mut self, columns: &ColliderSet, rules: &DisabledPairs, near: &[Pair], keep_all: bool) {
        let (first_all, first_close) = (self.all.len(), self.to_test.len());
        self.all.resize(first_all + near.len(), [0; 2]);
        self.to_test.resize(first_close + near.len(), [0; 2]);
        let (all, close) = (&mut self.all[first_all..], &mut self.to_test[first_close..]);
        let (mut candidates, mut close_count) = (0, 0);
        let ahead = prefetch_distance(columns.slots());
        for (i, &pair) in near.iter().enumerate() {
            if let Some(&[a, b]) = near.get(i + ahead) {
                columns.prefetch(a);
                columns.prefetch(b);
            }
            // Branch-free, because the outcome is unpredictable: writes always, then advances the
            // count or not. Neither count exceeds `i`.
            let [boxes_intersect, may_touch] =
                if WITHIN { columns.prefilter_within(pair) } else { columns.prefilter(pair) };
            let on = !is_disabled(columns, rules, pair);
            (all[candidates], close[close_count]) = (pair, pair);
            candidates += usize::from(boxes_intersect & on);
            close_count += usize::from(if keep_all { boxes_intersect } else { may_touch } & on);
        }
        self.all.truncate(first_all + candidates);
        self.to_test.truncate(first_close + close_count);
    }
}
