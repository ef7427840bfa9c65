//! Sorts lists in code that runs rarely, and short lists.
//!
//! Input: a list and a comparison. Output: the sorted list. The standard library's sorts
//! are compiled for every type and comparison, about 10 KB of code each. [`sort_cold`] is compiled
//! once: it sorts indices by merging and compares through a pointer. It is slower, because it
//! allocates and calls a function per comparison. [`sort_in_place`] is heapsort: it is compiled once
//! too, does not allocate, and is not stable. [`sort_short`] is insertion sort: it does not allocate,
//! and its O(n²) comparisons are few for a short list. [`sort_pairs`] and [`sort_by_distance`] are
//! compiled once for the two most frequent types of items, as is [`select_first`] for points.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::lists::mapped;

/// Length up to which [`sort_cold`] uses insertion sort.
const MAX_INSERTION_SORT: usize = 16;

/// Sorts by a comparison. Stable. Allocates for more than 16 items.
pub(crate) fn sort_cold<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if items.len() <= MAX_INSERTION_SORT {
        return sort_short(items, compare);
    }
    let order = sorted_indices(items.len(), &mut |i, j| compare(&items[i], &items[j]));
    permute(order, &mut |i, j| items.swap(i, j));
}

/// Sorts by a comparison with insertion sort. Stable; does not allocate. Takes O(n²), so `items` must be short.
pub(crate) fn sort_short<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for end in 1..items.len() {
        let mut i = end;
        while i > 0 && compare(&items[i - 1], &items[i]) == Ordering::Greater {
            items.swap(i - 1, i);
            i -= 1;
        }
    }
}

/// Sorts by a comparison with heapsort. Not stable; does not allocate. Calls functions through a pointer, so it is
/// slower than the sort of the standard library.
pub(crate) fn sort_in_place<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    if items.len() <= MAX_INSERTION_SORT {
        return sort_short(items, compare);
    }
    heapsort(&mut Compared { items, compare });
}

/// A list that [`heapsort`] can sort.
trait Heap {
    fn len(&self) -> usize;
    /// Returns true if item `i` is less than item `j`.
    fn is_less(&mut self, i: usize, j: usize) -> bool;
    fn swap(&mut self, i: usize, j: usize);
}

/// Items and their comparison.
struct Compared<'a, T, F> {
    items: &'a mut [T],
    compare: F,
}

impl<T, F: FnMut(&T, &T) -> Ordering> Heap for Compared<'_, T, F> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn is_less(&mut self, i: usize, j: usize) -> bool {
        (self.compare)(&self.items[i], &self.items[j]) == Ordering::Less
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.items.swap(i, j);
    }
}

/// Heapsort (Williams 1964, with the construction of Floyd).
#[inline(never)]
fn heapsort(heap: &mut dyn Heap) {
    let len = heap.len();
    for root in (0..len / 2).rev() {
        sift_down(heap, root, len);
    }
    for end in (1..len).rev() {
        heap.swap(0, end);
        sift_down(heap, 0, end);
    }
}

/// Moves an item down until neither child is larger.
fn sift_down(heap: &mut dyn Heap, mut root: usize, end: usize) {
    loop {
        let mut child = 2 * root + 1;
        if child >= end {
            return;
        }
        if child + 1 < end && heap.is_less(child, child + 1) {
            child += 1;
        }
        if !heap.is_less(root, child) {
            return;
        }
        heap.swap(root, child);
        root = child;
    }
}

/// Sorts numbers in the order of [`f64::total_cmp`]. Sorts integers with the same order, because their sort exists.
#[inline(never)]
pub(crate) fn sort_numbers(numbers: &mut [f64]) {
    const SIGN: u64 = 1 << 63;
    let key = |bits: u64| if bits & SIGN == 0 { bits | SIGN } else { !bits };
    let number = |key: u64| f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN });
    let mut keys: Vec<u64> = mapped(numbers.iter(), |number| key(number.to_bits()));
    keys.sort_unstable();
    numbers.iter_mut().zip(keys).for_each(|(sorted, key)| *sorted = number(key));
}

/// Sorts by the first index, then by the second.
#[inline(never)]
pub(crate) fn sort_pairs(pairs: &mut [[u32; 2]]) {
    pairs.sort_unstable_by_key(|&[a, b]| u64::from(a) << 32 | u64::from(b));
}

/// Sorts ids by their distances, equal distances by id.
#[inline(never)]
pub(crate) fn sort_by_distance(found: &mut [(f64, u32)]) {
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}

/// A point with an id.
#[derive(Clone, Copy)]
pub(crate) struct IdPoint {
    pub(crate) point: DVec2,
    pub(crate) id: u32,
}

/// Moves the first `count` points along an axis to the front, equal ones by id. Returns them and the others, at least
/// one.
#[inline(never)]
pub(crate) fn select_first(points: &mut [IdPoint], count: usize, axis: usize) -> [&mut [IdPoint]; 2] {
    points.select_nth_unstable_by(count, |p, q| p.point[axis].total_cmp(&q.point[axis]).then(p.id.cmp(&q.id)));
    let (first, second) = points.split_at_mut(count);
    [first, second]
}

/// Returns the indices 0 to `count` − 1 in sorted order: merge sort from single indices up. Equal ones keep their
/// order.
#[inline(never)]
fn sorted_indices(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = order.clone();
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let (middle, end) = ((start + width).min(count), (start + 2 * width).min(count));
            let is_sorted = middle == end || compare(order[middle - 1], order[middle]) != Ordering::Greater;
            let (mut left, mut right) = (start, middle);
            for to in &mut merged[start..end] {
                let takes_left = right == end
                    || left < middle && (is_sorted || compare(order[left], order[right]) != Ordering::Greater);
                let from = if takes_left { &mut left } else { &mut right };
                *to = order[*from];
                *from += 1;
            }
        }
        core::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    order
}

/// Moves item `order[i]` to `i`, for each i, by swaps. Follows each cycle of the permutation once.
#[inline(never)]
fn permute(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut i = start;
        loop {
            let from = core::mem::replace(&mut order[i], i);
            if from == start {
                break;
            }
            swap(i, from);
            i = from;
        }
    }
}

/// Maximum number of values of a digit of [`counting_sort`]: the table of counts fits in the L1 cache.
pub(crate) const MAX_DIGIT_VALUES: usize = 1 << 11;

/// Copies items to `to`, stably sorted by a digit below `values`: one pass of a radix sort.
#[inline(always)]
pub(crate) fn counting_sort<T, U>(
    from: &[T],
    to: &mut [U],
    values: usize,
    digit: impl Fn(&T) -> usize,
    output: impl Fn(&T) -> U,
) {
    let mut starts = [0_u32; MAX_DIGIT_VALUES];
    for item in from {
        starts[digit(item) % MAX_DIGIT_VALUES] += 1;
    }
    let mut sum = 0;
    for start in &mut starts[..values] {
        sum += core::mem::replace(start, sum);
    }
    for item in from {
        let start = &mut starts[digit(item) % MAX_DIGIT_VALUES];
        to[*start as usize] = output(item);
        *start += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let mut rng = fastrand::Rng::with_seed(8);
        for count in 0..100 {
            let items: Vec<(u8, usize)> = (0..count).map(|i| (rng.u8(0..9), i)).collect();
            let (mut sorted, mut expected) = (items.clone(), items);
            let mut inserted = sorted.clone();
            sort_short(&mut inserted, |p, q| p.0.cmp(&q.0));
            sort_cold(&mut sorted, |p, q| p.0.cmp(&q.0));
            // Each item contains its index, so the complete order is the order of a stable sort.
            expected.sort_unstable();
            assert_eq!(sorted, expected);
            assert_eq!(inserted, expected);
        }
    }

    #[test]
    fn numbers_are_in_total_order() {
        let mut rng = fastrand::Rng::with_seed(10);
        let odd = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::MIN_POSITIVE, -5e-324];
        let mut numbers: Vec<f64> = odd.into_iter().chain((0..500).map(|_| f64::from_bits(rng.u64(..)))).collect();
        let mut expected = numbers.clone();
        sort_numbers(&mut numbers);
        expected.sort_by(f64::total_cmp);
        assert!(numbers.iter().zip(&expected).all(|(p, q)| p.to_bits() == q.to_bits()));
    }

    #[test]
    fn heapsort_agrees_with_the_standard_library() {
        let mut rng = fastrand::Rng::with_seed(9);
        for count in 0..200 {
            let mut items: Vec<u64> = (0..count).map(|_| rng.u64(0..150)).collect();
            let mut expected = items.clone();
            sort_in_place(&mut items, Ord::cmp);
            expected.sort_unstable();
            assert_eq!(items, expected);
        }
    }
}
