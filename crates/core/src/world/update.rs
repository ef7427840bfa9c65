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
//!
//! Filtering and blocks are cut into parts for several cores: runs of candidates, each beside its run of the last contacts.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::take;

use super::World;
use super::ccd::is_off;
use super::collider_set::ColliderSet;
use super::command::Command;
use super::contact_diff::{DiffInput, Found, WorkerBuffers, chunks};
use super::disabled_pairs::DisabledPairs;
use super::handle::Handle;
use super::radix_sort::Pair;
use crate::math::parallel::{self, OutputBuffers};
use crate::math::prefetch::prefetch_distance;

/// Says of two colliders whether they may meet.
type Allow<'a> = &'a mut dyn FnMut(Handle, Handle) -> bool;

impl World {
    /// Finds all contacts anew, and what began and ended since the last update.
    ///
    /// Contacts and events are those of the last update until the next one, whatever is written in between; colliders that were removed since have ended theirs
    /// here. Pairs of colliders that were not written since the last update are not looked at again.
    pub fn update(&mut self) {
        self.record(|| Command::Update);
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
        self.record(|| Command::UpdateWith(refused));
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
        self.space.update_origin(&self.columns);
        self.find_candidates(allow.is_some());
        if let Some(allow) = allow {
            let columns = &self.columns;
            self.boxes.close.retain(|&[a, b]| allow(columns.handle(a), columns.handle(b)));
            self.boxes.all.clone_from(&self.boxes.close);
        }
        self.candidates = self.boxes.all.len();
        core::mem::swap(&mut self.contacts, &mut self.last);
        core::mem::swap(&mut self.passing, &mut self.last_passing);
        self.look_at_all(complete);
        self.last.clear();
        self.last_passing.clear();
        self.contacts.link(self.columns.slots());
        self.columns.settle();
    }

    /// Of the pairs of the broad phase those whose boxes meet in double precision too and that are not switched off, and of these the ones to look at, sorted: all that somebody asks for, else
    /// no circles that are apart.
    fn find_candidates(&mut self, asked: bool) {
        self.space.find_near(true);
        let Self { columns, rules, space, boxes, sorter, lists, .. } = self;
        boxes.clear();
        let parts = parallel::chunk_count_capped(space.near().len(), FILTERED[0], FILTERED[1]);
        let near = chunks(space.near(), parts);
        let mut nothing = vec![(); parallel::worker_count(parts)];
        parallel::collect_in_order(near, &mut nothing, &mut lists.pairs, boxes, |near, (), boxes| {
            boxes.add(columns, rules, near, asked)
        });
        sorter.sort(&mut boxes.close, columns.slots());
    }

    /// From candidates to contacts and events.
    fn look_at_all(&mut self, complete: bool) {
        let Self { columns, boxes, contacts, last, events, passing, last_passing, tools, lists, .. } = self;
        let mut found = Found { contacts: take(&mut contacts.store), events: take(events), passing: take(passing) };
        let parts = parallel::chunk_count_capped(boxes.close.len(), LOOKED_AT[0], LOOKED_AT[1]);
        let crew = parallel::worker_count(parts);
        if tools.len() < crew {
            tools.resize_with(crew, WorkerBuffers::default);
        }
        let then = DiffInput { columns, contacts: &last.store, passing: last_passing, complete };
        parallel::collect_in_order(
            then.parts(&boxes.close, parts),
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

/// The fewest and the most pairs of a part where several cores filter them, and where they look at them: some 20 µs of work at least, and what is found stays in a near cache.
const FILTERED: [usize; 2] = [2_048, 8_192];
const LOOKED_AT: [usize; 2] = [256, 2_048];

/// Lists of parts, kept for their memory.
#[derive(Debug, Default)]
pub(super) struct PartLists {
    pairs: OutputBuffers<Candidates>,
    found: OutputBuffers<Found>,
}

impl Clone for PartLists {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Pairs whose boxes meet and whose filters allow it.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// In any order.
    pub(super) all: Vec<Pair>,
    /// Those whose shapes are to be looked at.
    close: Vec<Pair>,
}

impl parallel::OrderedOutput for Candidates {
    fn append(&mut self, next: &mut Self) {
        self.all.append(&mut next.all);
        self.close.append(&mut next.close);
    }
}

impl Candidates {
    fn clear(&mut self) {
        self.all.clear();
        self.close.clear();
    }

    /// Adds those of some pairs that are candidates; where somebody is `asked` about each of them, all are looked at.
    fn add(&mut self, columns: &ColliderSet, rules: &DisabledPairs, near: &[Pair], asked: bool) {
        let (count, few) = (self.all.len(), self.close.len());
        self.all.resize(count + near.len(), [0; 2]);
        self.close.resize(few + near.len(), [0; 2]);
        let (all, close) = (&mut self.all[count..], &mut self.close[few..]);
        let (mut candidates, mut looked_at) = (0, 0);
        let ahead = prefetch_distance(columns.slots());
        for (i, &pair) in near.iter().enumerate() {
            if let Some(&[a, b]) = near.get(i + ahead) {
                columns.fetch(a);
                columns.fetch(b);
            }
            // Which of them stay cannot be foretold: no branch. There are never more of them than were looked at.
            let [meet, may_touch] = columns.may_collide(pair);
            let on = !is_off(columns, rules, pair);
            (all[candidates], close[looked_at]) = (pair, pair);
            candidates += usize::from(meet & on);
            looked_at += usize::from(if asked { meet } else { may_touch } & on);
        }
        self.all.truncate(count + candidates);
        self.close.truncate(few + looked_at);
    }
}
