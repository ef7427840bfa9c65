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

use crate::math::sort::sort_pairs;

/// Below this number of pairs, a comparison sort is faster.
const MIN_RADIX: usize = 64;
/// Maximum number of values of a digit: the table of counts fits in the L1 cache.
const VALUES: usize = 1 << 11;

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
        let digits = bits.div_ceil(VALUES.ilog2()).max(1);
        let width = bits.div_ceil(digits);
        self.0.resize(pairs.len(), [0; 2]);
        for digit in (0..digits).map(|digit| Digit { shift: digit * width, mask: (1 << width) - 1 }) {
            digit.sort::<1>(pairs, &mut self.0);
            core::mem::swap(pairs, &mut self.0);
        }
        for digit in (0..digits).map(|digit| Digit { shift: digit * width, mask: (1 << width) - 1 }) {
            digit.sort::<0>(pairs, &mut self.0);
            core::mem::swap(pairs, &mut self.0);
        }
    }
}

/// A range of bits of a slot number.
struct Digit {
    shift: u32,
    mask: u32,
}

impl Digit {
    #[inline(always)]
    fn value<const SIDE: usize>(&self, pair: Pair) -> usize {
        (pair[SIDE] >> self.shift & self.mask) as usize % VALUES
    }

    /// Copies pairs to `to`, stably sorted by this digit of one side (counting sort).
    fn sort<const SIDE: usize>(&self, from: &[Pair], to: &mut [Pair]) {
        let mut offsets = [0_u32; VALUES];
        for &pair in from {
            offsets[self.value::<SIDE>(pair)] += 1;
        }
        let mut total = 0;
        for offset in &mut offsets[..=self.mask as usize] {
            total += core::mem::replace(offset, total);
        }
        for &pair in from {
            let offset = &mut offsets[self.value::<SIDE>(pair)];
            to[*offset as usize] = pair;
            *offset += 1;
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
