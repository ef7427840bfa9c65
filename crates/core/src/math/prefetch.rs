//! Prefetches data that will be read soon.
//!
//! Input: a list and an index that will be read about 32 elements later. Output: none; only the
//! time changes.
//!
//! A cache miss takes as long as hundreds of additions. The hardware prefetcher handles sequential
//! access, but not far enough ahead, and it cannot predict access by index. So loops over slots,
//! handles and pairs prefetch the rows of a later element while they process the current one.

/// Number of elements up to which a slice is assumed to be in the cache. A prefetch would cost more
/// than it saves.
const CACHED_LEN: usize = 4096;

/// Returns how many elements ahead to call [`prefetch`] in a list of `count` elements.
///
/// 32 is far enough to hide the latency of memory. It is also near enough that the data are still
/// in the cache when they are used. For short lists the distance exceeds any length, so nothing is
/// prefetched.
#[inline(always)]
pub(crate) fn prefetch_distance(count: usize) -> usize {
    if count > CACHED_LEN { 32 } else { usize::MAX / 2 }
}

/// Prefetches element `i` of a list, or nothing if there is no such element.
///
/// This is a hint: no result depends on it. Of an element longer than a cache line, only the first
/// line is prefetched.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T], i: usize) {
    #[cfg(feature = "std")]
    prefetch_index::prefetch_index(list, i);
    #[cfg(not(feature = "std"))]
    let _ = (list, i);
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    /// Law: a prefetch beyond the end of a list does nothing.
    #[test]
    fn any_number_of_any_list() {
        for i in [0, 1, 7, usize::MAX] {
            prefetch::<u64>(&[], i);
            prefetch(&[[1.0; 9]; 3], i);
        }
    }
}
