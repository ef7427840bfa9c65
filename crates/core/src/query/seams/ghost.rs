//! Contacts with inner edges, and what becomes of them.

use core::cmp::Ordering;

use alloc::vec::Vec;

use super::exit::{self, Exit};
use super::meeting::Meeting;
use super::{Surface, SurfaceContact};
use crate::query::manifold::Manifold;

/// A contact whose normal the surface does not have there.
pub(super) struct Ghost<'a> {
    /// Its number in the list.
    pub(super) contact: usize,
    meeting: Meeting<'a>,
    original: Manifold,
    exit: Option<Exit>,
}

/// The ghosts of a list of contacts, each with its way out: those first that a mover stands on, shallow ones first.
pub(super) fn ghosts<'a>(surface: &Surface<'a>, contacts: &[SurfaceContact]) -> Vec<Ghost<'a>> {
    let depths = contacts.iter().flat_map(|contact| contact.manifold.points()).map(|point| point.depth);
    // As near a miss as the list has.
    let margin = -depths.fold(0.0, f64::min);
    let ghost = |(i, contact): (usize, &SurfaceContact)| {
        let (meeting, original) = (Meeting::of(contact, surface)?, contact.manifold);
        if meeting.is_deep_as_told(&original) && meeting.is_open(&original, surface) {
            return None;
        }
        Some(Ghost { contact: i, meeting, original, exit: exit::shortest(&meeting, surface, margin) })
    };
    let mut ghosts: Vec<Ghost<'a>> = contacts.iter().enumerate().filter_map(ghost).collect();
    ghosts.sort_by(|p, q| p.rank().partial_cmp(&q.rank()).unwrap_or(Ordering::Equal));
    ghosts
}

/// Gives every ghost what it becomes. `kept` are the contacts of the list, none yet for ghosts.
pub(super) fn settle(ghosts: &[Ghost<'_>], kept: &mut [Option<Manifold>]) {
    for ghost in ghosts {
        kept[ghost.contact] = ghost.settled(kept);
    }
    for ghost in ghosts {
        // What was cut at the ends of a face may leave some overlap beside it.
        if kept[ghost.contact].is_some() && !ghost.ends_with_any(kept) {
            kept[ghost.contact] = Some(ghost.shorter(ghost.exit.map(|exit| exit.whole), kept));
        }
    }
}

impl Ghost<'_> {
    fn rank(&self) -> (bool, f64) {
        self.exit.map_or((true, f64::INFINITY), |exit| (!exit.supports, exit.manifold.depth))
    }

    /// What it becomes beside the contacts that are settled: `None` where one of them does its work. One on which the mover stands is dropped only for less depth.
    fn settled(&self, kept: &[Option<Manifold>]) -> Option<Manifold> {
        let limit = match self.exit {
            Some(exit) if exit.supports => exit.manifold.depth - self.meeting.tolerance,
            _ => f64::INFINITY,
        };
        let needless = kept.iter().flatten().any(|other| other.depth < limit && self.meeting.ends_with(other));
        (!needless).then(|| self.shorter(self.exit.map(|exit| exit.manifold), kept))
    }

    fn ends_with_any(&self, kept: &[Option<Manifold>]) -> bool {
        kept.iter().flatten().any(|other| self.meeting.ends_with(other))
    }

    /// An open way out; where it is longer than anything that the others ask for, rather the shortest along the normal of one of them. Where there is neither, the ghost.
    fn shorter(&self, open: Option<Manifold>, kept: &[Option<Manifold>]) -> Manifold {
        let others = || kept.iter().flatten();
        let deepest = others().map(|other| other.depth).fold(0.0, f64::max) + self.meeting.tolerance;
        if let Some(open) = open.filter(|open| open.depth <= deepest) {
            return open;
        }
        let along = others().map(|other| self.meeting.along(other.normal));
        open.into_iter().chain(along).reduce(|best, next| if next.depth < best.depth { next } else { best }).unwrap_or(self.original)
    }
}
