//! Nodes that are still to be looked at: a stack that reaches the heap only where a tree is uncommonly deep.

use alloc::vec::Vec;

/// Eight levels of eight.
pub(super) const INLINE: usize = 64;

/// The array is the caller's own, beside the stack and not in it, so that the length can stay in a register.
pub(super) struct Stack<'a, T> {
    inline: &'a mut [T; INLINE],
    len: usize,
    rest: Vec<T>,
}

impl<'a, T: Copy> Stack<'a, T> {
    #[inline(always)]
    pub(super) fn new(inline: &'a mut [T; INLINE]) -> Self {
        Self { inline, len: 0, rest: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, value: T) {
        if self.len < INLINE {
            self.inline[self.len] = value;
            self.len += 1;
        } else {
            spill(&mut self.rest, value);
        }
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == INLINE
            && let Some(value) = self.rest.pop()
        {
            return Some(value);
        }
        self.len = self.len.checked_sub(1)?;
        Some(self.inline[self.len % INLINE])
    }
}

#[cold]
fn spill<T>(rest: &mut Vec<T>, value: T) {
    rest.push(value);
}
