//! An ordered map from integers to an index.
//!
//! Operations: get, insert, remove, and iteration in ascending order of the keys. The order makes iteration
//! deterministic. The map is a list of sorted blocks: a search is two binary searches, an insertion moves entries of
//! one block, and a split moves the list of blocks. Blocks are never merged; empty ones are removed. The map is
//! compiled once, while the B-tree of the standard library takes about 7 000 lines of LLVM code for each type of key.

use alloc::vec::Vec;

/// Number of entries at which a block is split in two, or the number of blocks if this is larger. So an insertion moves
/// O(√n) entries, and a split O(√n) blocks.
const MAX_BLOCK: usize = 32;

/// A key: up to three integers. Shorter keys end with 0.
pub(crate) type Key = [u64; 3];

/// An ordered map from up to three integers to an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyMap {
    /// Sorted blocks of entries, in ascending order. No block is empty.
    blocks: Vec<Vec<(Key, u32)>>,
}

/// Returns true if `p` comes before `q`. Mostly the first integer decides.
#[inline(always)]
fn is_less(p: &Key, q: &Key) -> bool {
    p[0] < q[0] || p[0] == q[0] && (p[1], p[2]) < (q[1], q[2])
}

impl KeyMap {
    /// Returns true if the map has no entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Returns the block that contains the key or to which it belongs, and the index of the first entry there whose key
    /// is not less.
    fn find(&self, key: &Key) -> (usize, usize) {
        // Binary searches with branches: `partition_point` compares all integers of each key, a third slower.
        let (mut block, mut end) = (0, self.blocks.len());
        while block + 1 < end {
            let middle = (block + end) >> 1;
            if is_less(key, &self.blocks[middle][0].0) {
                end = middle;
            } else {
                block = middle;
            }
        }
        let Some(entries) = self.blocks.get(block) else { return (0, 0) };
        let (mut at, mut end) = (0, entries.len());
        while at < end {
            let middle = (at + end) >> 1;
            if is_less(&entries[middle].0, key) {
                at = middle + 1;
            } else {
                end = middle;
            }
        }
        (block, at)
    }

    /// Returns the index stored for a key.
    pub(crate) fn get(&self, key: &Key) -> Option<u32> {
        self.first_from(key).filter(|entry| entry.0 == *key).map(|entry| entry.1)
    }

    /// Returns the first entry whose key is not less than `key`.
    pub(crate) fn first_from(&self, key: &Key) -> Option<(Key, u32)> {
        self.iter_from(key).next().copied()
    }

    /// Stores an index for a key.
    pub(crate) fn insert(&mut self, key: Key, index: u32) {
        let (block, at) = self.find(&key);
        let Some(entries) = self.blocks.get_mut(block) else {
            self.blocks.push([(key, index)].into());
            return;
        };
        match entries.get_mut(at) {
            Some(entry) if entry.0 == key => entry.1 = index,
            _ => entries.insert(at, (key, index)),
        }
        let len = entries.len();
        if len >= MAX_BLOCK.max(self.blocks.len()) {
            let upper = self.blocks[block].split_off(len / 2);
            self.blocks.insert(block + 1, upper);
        }
    }

    /// Removes a key, if it is present.
    pub(crate) fn remove(&mut self, key: &Key) {
        let (block, at) = self.find(key);
        let Some(entries) = self.blocks.get_mut(block) else { return };
        if entries.get(at).is_some_and(|entry| entry.0 == *key) {
            entries.remove(at);
            if entries.is_empty() {
                self.blocks.remove(block);
            }
        }
    }

    /// Returns the entries from a key on, in ascending order.
    pub(crate) fn iter_from(&self, key: &Key) -> impl Iterator<Item = &(Key, u32)> {
        let (mut block, mut at) = self.find(key);
        core::iter::from_fn(move || {
            if at == self.blocks.get(block)?.len() {
                (block, at) = (block + 1, 0);
            }
            at += 1;
            self.blocks.get(block).map(|entries| &entries[at - 1])
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        let seed = 31;
        let mut rng = fastrand::Rng::with_seed(seed);
        for largest in [3, 20, 60] {
            let (mut map, mut expected) = (KeyMap::default(), BTreeMap::new());
            for step in 0..20_000 {
                let key = [0; 3].map(|_: u64| rng.u64(0..largest));
                // First the map grows, then it shrinks.
                if rng.u32(0..20_000) > step {
                    map.insert(key, step);
                    expected.insert(key, step);
                } else {
                    map.remove(&key);
                    expected.remove(&key);
                }
                assert_eq!(map.get(&key), expected.get(&key).copied(), "seed {seed}, step {step}");
                assert_eq!(map.is_empty(), expected.is_empty(), "seed {seed}, step {step}");
                if step % 500 == 0 {
                    let rest = expected.range(key..).map(|(&key, &index)| (key, index));
                    assert!(map.iter_from(&key).copied().eq(rest), "seed {seed}, step {step}");
                }
            }
            // Removing all of them empties blocks at the start, at the end and between others.
            let mut keys: Vec<Key> = expected.keys().copied().collect();
            rng.shuffle(&mut keys);
            for key in keys {
                map.remove(&key);
                expected.remove(&key);
                let next = expected.range(key..).next().map(|(&key, &index)| (key, index));
                assert_eq!(map.first_from(&key), next, "seed {seed}");
            }
            assert!(map.is_empty() && map.iter_from(&[0; 3]).next().is_none());
            map.insert([1; 3], 1);
            map.clear();
            assert!(map.is_empty() && map.first_from(&[0; 3]).is_none());
        }
    }
}
