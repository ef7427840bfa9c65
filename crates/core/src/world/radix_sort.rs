//! Sorts slot pairs with a least-significant-digit radix sort (Knuth, *The Art of Computer
//! Programming*, volume 3, 5.2.5).
//!
//! Input: pairs of slots below a limit, in any order. Output: the same pairs, sorted by the first
//! slot, then by the second. Each pass is a stable counting sort by one digit of up to 11 bits.
//!
//! Candidates are sorted in every update. A comparison sort has an unpredictable branch per
//! comparison, and log n comparisons per pair. Slots have few digits, so two to four passes suffice
//! for a million colliders.

use alloc::vec::Vec;

use crate::math::sort::{MAX_DIGIT_VALUES, counting_sort, sort_pairs};

/// Below this number of pairs, a comparison sort is faster.
const MIN_RADIX: usize = 64;

/// Two slots, the lower one first.
pub(super) type Pair = [u32; 2];

/// The buffer of the sort.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSorter(Vec<Pair>);

impl PairSorter {
    /// Sorts pairs of slots below `slots`: by the second slot, then, stably, by the first.
    pub(super) fn sort(&mut self, pairs: &mut Vec<Pair>, slots: usize) {
        if pairs.len() < MIN_RADIX {
            sort_pairs(pairs);
            return;
        }
        let bits = usize::BITS - slots.leading_zeros();
        let digits = bits.div_ceil(MAX_DIGIT_VALUES.ilog2()).max(1);
        let width = bits.div_ceil(digits);
        self.0.resize(pairs.len(), [0; 2]);
        self.sort_by_slot::<1>(pairs, width, digits);
        self.sort_by_slot::<0>(pairs, width, digits);
    }

    /// Sorts pairs stably by the slot at an index, one pass per digit of `width` bits.
    fn sort_by_slot<const SIDE: usize>(&mut self, pairs: &mut Vec<Pair>, width: u32, digits: u32) {
        let values = 1 << width;
        for shift in (0..digits).map(|digit| digit * width) {
            let digit = |pair: &Pair| (pair[SIDE] >> shift) as usize & (values - 1);
            counting_sort(pairs, &mut self.0, values, digit, |&pair| pair);
            core::mem::swap(pairs, &mut self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_whether_few_or_many() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut sorter = PairSorter::default();
        for (slots, count) in
            [(1000, 10), (1000, 5000), (50, 5000), (2, 1), (0, 0), (2048, 3000), (2049, 70), (u32::MAX, 500)]
        {
            let mut pairs: Vec<Pair> = (0..count).map(|_| [rng.u32(..slots), rng.u32(..slots)]).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sorter.sort(&mut pairs, slots as usize);
            assert_eq!(pairs, expected);
        }
    }
}
