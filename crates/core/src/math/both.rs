//! A function of both elements of a pair.

/// Applies a function to both elements of a pair, the first one first.
///
/// `array::map` gives the same. It unrolls a loop that can stop early, so each use costs the compiler ten times as much.
#[inline(always)]
pub(crate) fn both<T, U>([p, q]: [T; 2], mut f: impl FnMut(T) -> U) -> [U; 2] {
    [f(p), f(q)]
}
