//! Implements a bucket queue with 64 buckets, each half an octave wide.
//!
//! Input: entries with a size. Output: the entries, smallest bucket first, FIFO inside a bucket.
//! Push and pop take constant time.
//!
//! A binary heap pops the exact minimum, in O(log n) steps with unpredictable branches.
//! Simplification needs only an approximate order, and an even one. A heap pops equal sizes in any
//! order. Then one edge can grow over and over, and the total time is quadratic.

use alloc::collections::VecDeque;
use core::array::from_fn;

const BUCKETS: usize = 64;

/// A priority queue of entries with a size from 0 to `largest`.
///
/// Sizes in different half octaves (a factor of about 1.4) are popped in order; sizes in one half
/// octave in the order of insertion. An entry whose bucket has passed goes to the end of the
/// current bucket. All sizes more than 31 octaves below the largest share a bucket, except 0.
///
/// The FIFO order makes all entries grow evenly. So the total cost stays at O(n log n), if two
/// neighbours merge into each entry and its cost is its length. No sorting is needed.
pub(super) struct BucketQueue<T> {
    largest: f64,
    buckets: [VecDeque<T>; BUCKETS],
    current: usize,
}

impl<T> BucketQueue<T> {
    pub(super) fn new(largest: f64) -> Self {
        Self { largest, buckets: from_fn(|_| VecDeque::new()), current: 0 }
    }

    pub(super) fn push(&mut self, size: f64, entry: T) {
        self.buckets[self.bucket(size).max(self.current)].push_back(entry);
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        loop {
            let entry = self.buckets[self.current].pop_front();
            if entry.is_some() || self.current + 1 == BUCKETS {
                return entry;
            }
            self.current += 1;
        }
    }

    /// Returns the bucket of a size: 0 for the size 0, otherwise a larger bucket for a larger size.
    fn bucket(&self, size: f64) -> usize {
        if size == 0.0 {
            return 0;
        }
        // The bits of a positive number, as an integer, are a piecewise linear logarithm. The shift
        // keeps the exponent and one bit of the mantissa.
        let half_octaves = |x: f64| x.to_bits() >> (f64::MANTISSA_DIGITS - 2);
        (BUCKETS - 1).saturating_sub(half_octaves(self.largest).saturating_sub(half_octaves(size)) as usize).max(1)
    }
}
