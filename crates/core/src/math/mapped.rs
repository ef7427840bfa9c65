//! Collects the results of a function for the items of a list.
//!
//! `iter().map(f).collect()` would do the same, but compiles about eight functions of the standard
//! library for each use. The lists here grow as needed, so this is for code that runs rarely.

use alloc::vec::Vec;

/// Applies a function to each item, in order, and returns the results.
pub(crate) fn mapped<I: IntoIterator, U>(items: I, mut f: impl FnMut(I::Item) -> U) -> Vec<U> {
    let mut results = Vec::new();
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
