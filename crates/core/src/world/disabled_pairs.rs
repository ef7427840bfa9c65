//! Stores the pairs that were disabled by hand.
//!
//! The set is an ordered map of pairs, so that its order is the same on every machine. It
//! contains each pair in both orders. So one range query finds all pairs of a collider, which are
//! removed together with it.

use alloc::vec::Vec;

use super::handle::Handle;
use crate::math::ordered_map::KeyMap;

/// The set of disabled pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct DisabledPairs(KeyMap);

/// Returns a handle as an integer with the same order: by index, then by generation.
fn key(handle: Handle) -> u64 {
    handle.to_bits().rotate_left(32)
}

fn pair_of([a, b, _]: [u64; 3]) -> [Handle; 2] {
    [Handle::from_bits(a.rotate_left(32)), Handle::from_bits(b.rotate_left(32))]
}

impl DisabledPairs {
    /// Returns true if no pair is disabled.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, a: Handle, b: Handle) -> bool {
        self.0.get(&[key(a), key(b), 0]).is_some()
    }

    /// Enables or disables a pair; returns true if that changed something.
    pub(super) fn set(&mut self, a: Handle, b: Handle, allowed: bool) -> bool {
        let changes = self.contains(a, b) == allowed;
        for key in [[key(a), key(b), 0], [key(b), key(a), 0]] {
            if allowed {
                self.0.remove(&key);
            } else {
                self.0.insert(key, 0);
            }
        }
        changes
    }

    /// Removes all pairs of a collider.
    pub(super) fn forget(&mut self, handle: Handle) {
        while let Some((pair, _)) = self.0.first_from(&[key(handle), 0, 0])
            && pair[0] == key(handle)
        {
            let [a, b] = pair_of(pair);
            self.set(a, b, true);
        }
    }

    /// Returns each pair once, sorted.
    pub(super) fn pairs(&self) -> Vec<[Handle; 2]> {
        self.0.iter_from(&[0; 3]).map(|&(key, _)| pair_of(key)).filter(|[a, b]| a < b).collect()
    }
}
