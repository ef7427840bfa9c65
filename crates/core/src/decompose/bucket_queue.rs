//! A queue that knows small from large, and otherwise takes turns.

use alloc::collections::VecDeque;
use core::array::from_fn;

const CLASSES: usize = 64;

/// Entries with a size from 0 to a largest one: small ones before large ones, as long as their logarithms differ by a half; the others in the order in which they
/// came. What comes late waits behind those whose turn it is.
///
/// Because entries take turns, what is put together from two neighbours grows everywhere alike: an entry costs its size, and all together n log n. Nothing is sorted.
pub(super) struct BucketQueue<T> {
    largest: f64,
    classes: [VecDeque<T>; CLASSES],
    current: usize,
}

impl<T> BucketQueue<T> {
    pub(super) fn new(largest: f64) -> Self {
        Self { largest, classes: from_fn(|_| VecDeque::new()), current: 0 }
    }

    pub(super) fn push(&mut self, size: f64, entry: T) {
        self.classes[self.class(size).max(self.current)].push_back(entry);
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        loop {
            let entry = self.classes[self.current].pop_front();
            if entry.is_some() || self.current + 1 == CLASSES {
                return entry;
            }
            self.current += 1;
        }
    }

    /// 0 for the size 0, else higher the larger.
    fn class(&self, size: f64) -> usize {
        if size == 0.0 {
            return 0;
        }
        // The bits of a positive number, read as a whole one, are its logarithm but for a bend: the exponent and half of the way to the next.
        let half_octaves = |x: f64| x.to_bits() >> (f64::MANTISSA_DIGITS - 2);
        (CLASSES - 1).saturating_sub(half_octaves(self.largest).saturating_sub(half_octaves(size)) as usize).max(1)
    }
}
