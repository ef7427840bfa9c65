//! Makes lists, for code that is not in an inner loop.
//!
//! `iter().map(f).collect()` would do the same. It compiles about eight functions of the standard library for each use,
//! because it has many special cases.

use alloc::vec::Vec;

use crate::error::Error;

/// Applies a function to each item, in order, and returns the results.
pub(crate) fn mapped<I: IntoIterator, U>(items: I, mut f: impl FnMut(I::Item) -> U) -> Vec<U> {
    let items = items.into_iter();
    let mut results = Vec::with_capacity(items.size_hint().0);
    for item in items {
        results.push(f(item));
    }
    results
}

/// Applies a function to each item, in order, and returns the results that are not `None`.
pub(crate) fn filter_mapped<I: IntoIterator, U>(items: I, mut f: impl FnMut(I::Item) -> Option<U>) -> Vec<U> {
    let mut results = Vec::new();
    for item in items {
        if let Some(result) = f(item) {
            results.push(result);
        }
    }
    results
}

/// Applies a function to each item, in order, up to the first error, and returns the results.
pub(crate) fn try_mapped<I: IntoIterator, U>(
    items: I,
    mut f: impl FnMut(I::Item) -> Result<U, Error>,
) -> Result<Vec<U>, Error> {
    let mut results = Vec::new();
    for item in items {
        results.push(f(item)?);
    }
    Ok(results)
}

/// Returns the items with the given indices.
pub(crate) fn gather<T: Copy>(items: &[T], indices: &[u32]) -> Vec<T> {
    mapped(indices, |&index| items[index as usize])
}

/// Changes the length of a list, as `Vec::resize_with` does with less code. New items have their default value.
pub(crate) fn resize<T: Default>(list: &mut Vec<T>, len: usize) {
    list.truncate(len);
    while list.len() < len {
        list.push(T::default());
    }
}
