//! Pairs in order.

use alloc::vec::Vec;

/// Below this many, comparing costs less than counting.
const FEW: usize = 64;
/// The most bits that are counted at a time: each value's place stays in the nearest cache.
const MOST_BITS: u32 = 11;

/// Two slots, the lower one first.
pub(super) type Pair = [u32; 2];

/// What sorting needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    other: Vec<Pair>,
    /// Where the next pair of each digit's value goes: one digit after the other.
    places: Vec<u32>,
}

impl Sorter {
    /// Sorts pairs, all below a number of slots, each of which comes once: digit by digit, the last one first (radix sort), without a comparison.
    pub(super) fn sort(&mut self, pairs: &mut Vec<Pair>, slots: usize) {
        if pairs.len() < FEW {
            pairs.sort_unstable();
            return;
        }
        let bits = usize::BITS - slots.leading_zeros();
        let digits = bits.div_ceil(MOST_BITS).max(1);
        let width = bits.div_ceil(digits);
        self.other.resize(pairs.len(), [0; 2]);
        for (side, digit) in [1, 0].into_iter().flat_map(|side| (0..digits).map(move |digit| (side, digit))) {
            self.pass(pairs, side, digit * width, width);
            core::mem::swap(pairs, &mut self.other);
        }
    }

    /// Puts the pairs in order of one digit, into the other list.
    fn pass(&mut self, pairs: &[Pair], side: usize, shift: u32, width: u32) {
        let value = |pair: &Pair| (pair[side] >> shift) as usize & ((1 << width) - 1);
        self.places.clear();
        self.places.resize(1 << width, 0);
        for pair in pairs {
            self.places[value(pair)] += 1;
        }
        let mut before = 0;
        for place in &mut self.places {
            before += core::mem::replace(place, before);
        }
        for pair in pairs {
            let place = &mut self.places[value(pair)];
            self.other[*place as usize] = *pair;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_whether_few_or_many() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut sorter = Sorter::default();
        for (slots, count) in [(1000, 10), (1000, 5000), (50, 5000), (2, 1), (0, 0), (2048, 3000), (2049, 70), (u32::MAX, 500)] {
            let mut pairs: Vec<Pair> = (0..count).map(|_| [rng.u32(..slots), rng.u32(..slots)]).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sorter.sort(&mut pairs, slots as usize);
            assert_eq!(pairs, expected);
        }
    }
}
