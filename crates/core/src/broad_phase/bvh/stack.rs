//! Stores a stack of nodes to visit. It uses the heap only if the tree is unusually deep.
//!
//! A query would otherwise allocate. A fixed array alone would limit the depth of the tree, and
//! recursion would not be inlined in a SIMD kernel.

use alloc::vec::Vec;

/// Enough for eight levels with eight children each.
pub(super) const INLINE: usize = 64;

/// Enough for sixteen levels with one entry each.
pub(super) const LEVELS: usize = 16;

/// The array belongs to the caller and is stored outside this struct, so that `len` can stay in a
/// register.
pub(super) struct Stack<'a, T, const N: usize> {
    inline: &'a mut [T; N],
    /// Number of entries in `inline`.
    len: usize,
    rest: Vec<T>,
}

impl<'a, T: Copy, const N: usize> Stack<'a, T, N> {
    /// Returns an empty stack that uses the given array.
    #[inline(always)]
    pub(super) fn new(inline: &'a mut [T; N]) -> Self {
        Self { inline, len: 0, rest: Vec::new() }
    }

    /// Pushes a value; to the heap if the array is full.
    #[inline(always)]
    pub(super) fn push(&mut self, value: T) {
        if self.len < N {
            self.inline[self.len] = value;
            self.len += 1;
        } else {
            spill(&mut self.rest, value);
        }
    }

    /// Pops the last value.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == N
            && let Some(value) = self.rest.pop()
        {
            return Some(value);
        }
        self.len = self.len.checked_sub(1)?;
        Some(self.inline[self.len % N])
    }
}

/// Pushes to the heap. Cold, so that `push` stays small.
#[cold]
fn spill<T>(rest: &mut Vec<T>, value: T) {
    rest.push(value);
}
