//! Asking memory for what is soon looked at.
//!
//! A place that was never near takes as long as hundreds of sums; asked for early enough, it is there when it is its turn. Where places follow one another the
//! processor does so by itself, but not far enough ahead; where they come by number it cannot.

/// So many are near anyway: asking would only take time.
const FEW: usize = 4096;

/// How far ahead of its turn to [`prefetch`] what comes by number, of so many: far enough for memory, and not so far that what has come is gone again. Of few, farther than any list is long.
#[inline(always)]
pub(crate) fn prefetch_distance(many: usize) -> usize {
    if many > FEW { 32 } else { usize::MAX / 2 }
}

/// Has number `i` of a list brought near: a hint, which no result depends on, whether there is such a number or not. Of a long element only the beginning comes.
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

    /// Law: a hint about what is not there does nothing.
    #[test]
    fn any_number_of_any_list() {
        for i in [0, 1, 7, usize::MAX] {
            prefetch::<u64>(&[], i);
            prefetch(&[[1.0; 9]; 3], i);
        }
    }
}
