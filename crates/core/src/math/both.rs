//! Applies a function to both elements of a pair.
//!
//! Pairs of shapes are arrays of two, and many steps apply to both. `array::map` would do the same,
//! but slows down compilation.

/// Applies a function to both elements of a pair, to the first one first.
///
/// Equivalent to `array::map`, which unrolls a loop with an early exit: each use of `map` takes the
/// compiler ten times as long.
#[inline(always)]
pub(crate) fn both<T, U>([p, q]: [T; 2], mut f: impl FnMut(T) -> U) -> [U; 2] {
    [f(p), f(q)]
}
