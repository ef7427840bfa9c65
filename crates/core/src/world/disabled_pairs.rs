//! Pairs that are switched off by hand.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::handle::Handle;

/// Ordered, so that nothing depends on chance; both ways around, so that those of one collider lie together.
#[derive(Clone, Debug, Default)]
pub(super) struct DisabledPairs(BTreeSet<(Handle, Handle)>);

impl DisabledPairs {
    /// Are all pairs on?
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn disable(&self, a: Handle, b: Handle) -> bool {
        self.0.contains(&(a, b))
    }

    /// Switches a pair off or on again; says whether that is new.
    pub(super) fn set(&mut self, a: Handle, b: Handle, allowed: bool) -> bool {
        if allowed {
            self.0.remove(&(a, b)) | self.0.remove(&(b, a))
        } else {
            self.0.insert((a, b)) | self.0.insert((b, a))
        }
    }

    /// Forgets the pairs of a collider.
    pub(super) fn forget(&mut self, handle: Handle) {
        let of_it: Vec<_> = self.0.range((handle, Handle::new(0, 0))..=(handle, Handle::NONE)).copied().collect();
        for (a, b) in of_it {
            self.set(a, b, true);
        }
    }

    /// Each pair once, in order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Handle, Handle)> + '_ {
        self.0.iter().copied().filter(|(a, b)| a < b)
    }
}
