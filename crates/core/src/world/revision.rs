//! Numbers the states of worlds. A caller that keeps a result sees by the number whether colliders changed.
//!
//! The number does not change if only colliders that are not fixed move.
//!
//! Each number is used once in a program, whatever the world. So a clone of a world has the number of its original
//! until one of them changes.

use core::sync::atomic::{AtomicUsize, Ordering};

/// The number of a state, without the poses of colliders that are not fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision(usize);

impl Revision {
    /// Returns a number that no state had before.
    pub(super) fn next() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Default for Revision {
    fn default() -> Self {
        Self::next()
    }
}
