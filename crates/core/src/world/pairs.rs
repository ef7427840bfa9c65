//! Candidates in order.

use alloc::vec::Vec;

/// Below this many slots to a pair, counting them costs less than comparing.
const SLOTS_PER_PAIR: usize = 4;

/// Two slots, the lower one first, and a number that goes with them.
pub(super) type Pair = [u32; 3];

/// Pairs as they were found, and in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub(super) found: Vec<Pair>,
    sorted: Vec<Pair>,
    /// Where the pairs of each first slot end.
    ends: Vec<u32>,
}

impl Pairs {
    /// Sorts what was found, all below a number of slots: a counting sort by the first, and a small sort of each one's seconds.
    pub(super) fn sort(&mut self, slots: usize) -> &[Pair] {
        if self.found.len().saturating_mul(SLOTS_PER_PAIR) < slots {
            self.found.sort_unstable();
            return &self.found;
        }
        self.ends.clear();
        self.ends.resize(slots, 0);
        for &[a, ..] in &self.found {
            self.ends[a as usize] += 1;
        }
        let mut before = 0;
        for end in &mut self.ends {
            before += core::mem::replace(end, before);
        }
        self.sorted.resize(self.found.len(), [0; 3]);
        for &pair in &self.found {
            let place = &mut self.ends[pair[0] as usize];
            self.sorted[*place as usize] = pair;
            *place += 1;
        }
        let mut from = 0;
        for &end in &self.ends {
            let of_one = &mut self.sorted[from..end as usize];
            if of_one.len() > 1 {
                of_one.sort_unstable_by_key(|pair| pair[1]);
            }
            from = end as usize;
        }
        &self.sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_whether_few_or_many() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut pairs = Pairs::default();
        for (slots, count) in [(1000, 10), (1000, 5000), (50, 5000), (2, 1), (0, 0)] {
            pairs.found = (0..count).map(|i| [rng.u32(..slots), rng.u32(..slots), i]).collect();
            // Pairs come up once.
            pairs.found.sort_unstable();
            pairs.found.dedup_by_key(|pair| [pair[0], pair[1]]);
            let expected = pairs.found.clone();
            rng.shuffle(&mut pairs.found);
            assert_eq!(pairs.sort(slots as usize), expected);
        }
    }
}
