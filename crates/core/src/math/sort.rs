//! Sorting for code that runs rarely, and for short slices.
//!
//! The standard library's sorts are compiled for every type and comparison, about 10 KB of code
//! each. [`sort_cold`] is compiled once: it sorts indices and compares through a pointer. [`sort_short`] is a
//! textbook insertion sort.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts by a comparison. Stable; allocates.
pub(crate) fn sort_cold<T: Clone>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted_indices(items.len(), &mut |i, j| compare(&items[i], &items[j]));
    let sorted: Vec<T> = order.into_iter().map(|i| items[i].clone()).collect();
    items.clone_from_slice(&sorted);
}

/// Sorts by a comparison with insertion sort. Stable; does not allocate. Takes O(n²), so `items` must be short.
#[inline(always)]
pub(crate) fn sort_short<T: Copy>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for i in 1..items.len() {
        let item = items[i];
        let mut hole = i;
        while hole > 0 && compare(&items[hole - 1], &item) == Ordering::Greater {
            items[hole] = items[hole - 1];
            hole -= 1;
        }
        items[hole] = item;
    }
}

/// Returns the indices 0 to `count` − 1 in sorted order.
#[inline(never)]
fn sorted_indices(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| compare(i, j));
    order
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
}
