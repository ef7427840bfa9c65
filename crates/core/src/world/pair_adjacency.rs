//! Finds all pairs of a given slot: an adjacency list over a list of pairs.
//!
//! Input: a list of pairs, to which pairs are appended. Output: the indices of the pairs of a slot.
//! Each slot has a linked list through the pairs, stored as two arrays of indices.
//!
//! A sorted list has to be sorted again after each addition. Contact solvers append pairs in each
//! round, so the lists grow at their heads: one step per pair and slot.

use alloc::vec::Vec;
use core::iter;
use core::mem;

use super::radix_sort::Pair;

/// End of a list.
const END: u32 = u32::MAX;

/// A linked list of pairs for each slot. A link is 2 × pair index, plus 1 if the slot is the second
/// of the pair.
#[derive(Clone, Debug, Default)]
pub(super) struct PairAdjacency {
    heads: Vec<u32>,
    /// For each pair: the next link of the first slot's list, and of the second's.
    nexts: Vec<[u32; 2]>,
}

impl PairAdjacency {
    /// Removes all pairs.
    pub(super) fn clear(&mut self) {
        self.nexts.clear();
    }

    /// Links the pairs that were appended to `pairs` since the last call.
    pub(super) fn link_new(&mut self, pairs: &[Pair], slots: usize) {
        if self.nexts.is_empty() {
            self.heads.clear();
            self.heads.resize(slots, END);
        }
        let Self { heads, nexts } = self;
        for pair in &pairs[nexts.len()..] {
            let link = 2 * nexts.len() as u32;
            let next = mem::replace(&mut heads[pair[0] as usize], link);
            nexts.push([next, mem::replace(&mut heads[pair[1] as usize], link + 1)]);
        }
    }

    /// Returns the indices of the pairs of a slot.
    pub(super) fn of(&self, slot: u32) -> impl Iterator<Item = usize> {
        let mut link = self.heads.get(slot as usize).copied().unwrap_or(END);
        iter::from_fn(move || {
            let index = (link / 2) as usize;
            link = self.nexts.get(index)?[(link % 2) as usize];
            Some(index)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_has_its_pairs_and_those_that_come_later() {
        let seed = 5;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut links = PairAdjacency::default();
        for _ in 0..50 {
            let slots = rng.u32(2..40);
            let mut pairs: Vec<Pair> = Vec::new();
            links.clear();
            for _ in 0..3 {
                for _ in 0..rng.usize(..60) {
                    let a = rng.u32(..slots);
                    pairs.push([a, (a + rng.u32(1..slots)) % slots]);
                }
                links.link_new(&pairs, slots as usize);
                for slot in 0..slots {
                    let mut found: Vec<usize> = links.of(slot).collect();
                    found.sort_unstable();
                    let expected: Vec<usize> = (0..pairs.len()).filter(|&index| pairs[index].contains(&slot)).collect();
                    assert_eq!(found, expected, "seed {seed}");
                }
            }
        }
    }
}
