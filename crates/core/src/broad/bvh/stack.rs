//! Nodes that are still to be looked at: a stack that reaches the heap only where a tree is uncommonly deep.

use alloc::vec::Vec;

/// Eight levels of eight.
const INLINE: usize = 64;

pub(super) struct Stack<T> {
    inline: [T; INLINE],
    len: usize,
    rest: Vec<T>,
}

impl<T: Copy + Default> Stack<T> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { inline: [T::default(); INLINE], len: 0, rest: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, value: T) {
        if let Some(slot) = self.inline.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        } else {
            self.rest.push(value);
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
        self.inline.get(self.len).copied()
    }
}
