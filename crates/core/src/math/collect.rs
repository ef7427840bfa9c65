//! Collects iterators in lists, for code that is not in an inner loop.
//!
//! Input: an iterator. Output: a list with its items. [`Iterator::collect`] is compiled to two to six times as much
//! code, because it has many special cases.

use alloc::vec::Vec;

use crate::error::Error;

/// Collects items in a list.
pub(crate) fn collect_list<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::with_capacity(items.size_hint().0);
    for item in items {
        list.push(item);
    }
    list
}

/// Collects results in a list, up to the first error.
pub(crate) fn collect_results<T>(results: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    for result in results {
        list.push(result?);
    }
    Ok(list)
}

/// Changes the length of a list. New items have their default value.
pub(crate) fn resize<T: Default>(list: &mut Vec<T>, len: usize) {
    list.truncate(len);
    while list.len() < len {
        list.push(T::default());
    }
}

/// Returns the items with the given indices.
pub(crate) fn gather<T: Copy>(items: &[T], indices: &[u32]) -> Vec<T> {
    let mut list = Vec::with_capacity(indices.len());
    for &index in indices {
        list.push(items[index as usize]);
    }
    list
}
