//! Sorting for code that runs rarely.
//!
//! The standard library's sorts are compiled for every type and comparison, about 10 KB of code
//! each. This sort is compiled once: it sorts indices and compares through a pointer.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts by a comparison. Stable; allocates.
pub(crate) fn sort_cold<T: Clone>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted_indices(items.len(), &mut |i, j| compare(&items[i], &items[j]));
    let sorted: Vec<T> = order.into_iter().map(|i| items[i].clone()).collect();
    items.clone_from_slice(&sorted);
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
            sort_cold(&mut sorted, |p, q| p.0.cmp(&q.0));
            // Each item contains its index, so the complete order is the order of a stable sort.
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
    }
}
