//! Stores the pairs that were disabled by hand.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::handle::Handle;

/// The set of disabled pairs. It is ordered, for determinism, and contains each pair in both
/// orders, so that a range query finds all pairs of one collider.
#[derive(Clone, Debug, Default)]
pub(super) struct DisabledPairs(BTreeSet<(Handle, Handle)>);

impl DisabledPairs {
    /// Returns true if no pair is disabled.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, a: Handle, b: Handle) -> bool {
        self.0.contains(&(a, b))
    }

    /// Enables or disables a pair; returns true if that changed something.
    pub(super) fn set(&mut self, a: Handle, b: Handle, allowed: bool) -> bool {
        if allowed {
            self.0.remove(&(a, b)) | self.0.remove(&(b, a))
        } else {
            self.0.insert((a, b)) | self.0.insert((b, a))
        }
    }

    /// Removes all pairs of a collider.
    pub(super) fn forget(&mut self, handle: Handle) {
        let of_it: Vec<_> = self.0.range((handle, Handle::new(0, 0))..=(handle, Handle::NONE)).copied().collect();
        for (a, b) in of_it {
            self.set(a, b, true);
        }
    }

    /// Returns each pair once, sorted.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Handle, Handle)> + '_ {
        self.0.iter().copied().filter(|(a, b)| a < b)
    }
}
