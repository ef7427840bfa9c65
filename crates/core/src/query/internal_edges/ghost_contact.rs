//! Finds the ghost contacts of a list, and replaces or drops each of them.
//!
//! Input: a surface and the contacts of the mover. Output: the contacts that remain. A ghost is a
//! contact with a normal that the surface does not have there.
//!
//! ```text
//! sort the ghosts: those that the mover stands on first, then by depth, shallow first
//! for each ghost: drop it if the MTV of a kept contact also ends its overlap; else replace it by its exposed contact
//! again for each replaced ghost: if the normal of a kept contact gives an MTV of less than half the length: use it
//! ```
//!
//! One pass does not suffice. The first pass compares a ghost with the contacts decided before it.
//! A later one can make an earlier replacement needless or too long.

use core::cmp::Ordering;

use smallvec::SmallVec;

use super::open_direction::{self, OpenDirection};
use super::part_pair::PartPair;
use super::{Surface, SurfaceContact};
use crate::math::sort::sort_cold;
use crate::pair_result::Manifold;

/// Ratio of two MTV lengths above which the longer one is rejected.
const MUCH: f64 = 2.0;

/// Number of ghosts that are stored without an allocation.
const INLINE_GHOSTS: usize = 6;

/// A contact with a normal that the surface does not have there.
#[derive(Clone, Copy)]
pub(super) struct Ghost<'a> {
    /// Index in the list of contacts.
    pub(super) contact: usize,
    meeting: PartPair<'a>,
    /// The contact as computed for the two parts.
    original: Manifold,
    /// The open direction that replaces its normal.
    exit: Option<OpenDirection>,
}

/// Returns the ghosts of a list of contacts with their exposed contacts. Ghosts that the mover
/// stands on are first, then by depth, shallow first.
pub(super) fn ghosts<'a>(surface: &Surface<'a>, contacts: &[SurfaceContact]) -> SmallVec<[Ghost<'a>; INLINE_GHOSTS]> {
    // The largest gap in the list.
    let mut margin = 0.0_f64;
    for contact in contacts {
        contact.manifold.points().iter().for_each(|point| margin = margin.max(-point.depth));
    }
    let mut ghosts: SmallVec<[Ghost<'a>; INLINE_GHOSTS]> = SmallVec::new();
    for (i, contact) in contacts.iter().enumerate() {
        let Some(meeting) = PartPair::of(contact, surface) else { continue };
        let original = contact.manifold;
        if !meeting.has_depth_of(&original) || !meeting.is_open(&original, surface) {
            let exit = open_direction::shortest(&meeting, surface, margin);
            ghosts.push(Ghost { contact: i, meeting, original, exit });
        }
    }
    sort_cold(&mut ghosts, |p, q| p.rank().partial_cmp(&q.rank()).unwrap_or(Ordering::Equal));
    ghosts
}

/// Replaces or drops each ghost. `kept` contains the contacts of the list, and `None` for ghosts.
pub(super) fn settle(ghosts: &[Ghost<'_>], kept: &mut [Option<Manifold>]) {
    for ghost in ghosts {
        kept[ghost.contact] = ghost.settled(kept);
    }
    for ghost in ghosts {
        if kept[ghost.contact].is_none() {
            continue;
        }
        let is_enough = kept.iter().flatten().any(|other| ghost.meeting.ends_with(other));
        kept[ghost.contact] = None;
        // A contact clipped at the ends of a face can leave an overlap beside the face.
        let open = ghost.exit.map(|exit| if is_enough { exit.manifold } else { exit.whole });
        kept[ghost.contact] = Some(ghost.shorter(open, kept));
    }
}

impl Ghost<'_> {
    /// Returns the order in which ghosts are replaced.
    fn rank(&self) -> (bool, f64) {
        self.exit.map_or((true, f64::INFINITY), |exit| (!exit.supports, exit.manifold.depth))
    }

    /// Returns the replacement, or `None` if a resolved contact also ends this overlap. A ghost
    /// that the mover stands on is dropped only for a smaller depth.
    fn settled(&self, kept: &[Option<Manifold>]) -> Option<Manifold> {
        let limit = match self.exit {
            Some(exit) if exit.supports => exit.manifold.depth - self.meeting.tolerance,
            _ => f64::INFINITY,
        };
        let needless = kept.iter().flatten().any(|other| other.depth < limit && self.meeting.ends_with(other));
        (!needless).then(|| self.exit.map_or(self.original, |exit| exit.manifold))
    }

    /// Returns the exposed contact. If the normal of another contact gives a much shorter MTV, the
    /// exposed contact leads to a far side: returns the shorter one. If neither exists, returns the
    /// ghost.
    fn shorter(&self, open: Option<Manifold>, kept: &[Option<Manifold>]) -> Manifold {
        let mut along: Option<Manifold> = None;
        for other in kept.iter().flatten() {
            let next = self.meeting.along(other.normal);
            along = along.filter(|best| next.depth >= best.depth).or(Some(next));
        }
        match (open, along) {
            (Some(open), Some(along)) if MUCH * along.depth < open.depth => along,
            (Some(direction), _) | (None, Some(direction)) => direction,
            (None, None) => self.original,
        }
    }
}
