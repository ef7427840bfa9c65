//! Candidates in order.

use alloc::vec::Vec;

/// Below this many slots to a pair, counting them costs less than comparing.
const SLOTS_PER_PAIR: usize = 4;

/// Pairs as the broad phase found them, and in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub(super) found: Vec<[u32; 2]>,
    sorted: Vec<[u32; 2]>,
    /// Where the pairs of each first slot end.
    ends: Vec<u32>,
}

impl Pairs {
    /// Sorts what was found, all below a number of slots: a counting sort by the first, and a small sort of each one's seconds.
    pub(super) fn sort(&mut self, slots: usize) -> &[[u32; 2]] {
        if self.found.len().saturating_mul(SLOTS_PER_PAIR) < slots {
            self.found.sort_unstable();
            return &self.found;
        }
        self.ends.clear();
        self.ends.resize(slots, 0);
        for &[a, _] in &self.found {
            self.ends[a as usize] += 1;
        }
        let mut before = 0;
        for end in &mut self.ends {
            before += core::mem::replace(end, before);
        }
        self.sorted.resize(self.found.len(), [0, 0]);
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
            pairs.found = (0..count).map(|_| [rng.u32(..slots), rng.u32(..slots)]).collect();
            let mut expected = pairs.found.clone();
            expected.sort_unstable();
            assert_eq!(pairs.sort(slots as usize), expected);
        }
    }
}
