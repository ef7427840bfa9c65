//! Lines and columns.

/// Counts lines forward, so that naming many places of a long file takes one pass over it.
pub(crate) struct Lines<'a> {
    text: &'a str,
    offset: usize,
    /// Newlines before `offset`.
    newlines: usize,
    /// Where the line of `offset` begins.
    start: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, newlines: 0, start: 0 }
    }

    /// Line and column, both from 1, of a place given by line and column inside `part`, a slice of the text.
    pub(crate) fn position(&mut self, part: &str, (line, column): (usize, usize)) -> (usize, usize) {
        // The part borrows from the text, so the difference of the addresses is its offset.
        self.go_to(part.as_ptr().addr() - self.text.as_ptr().addr());
        let before = if line <= 1 { self.offset - self.start } else { 0 };
        (self.newlines + line.max(1), before + column.max(1))
    }

    fn go_to(&mut self, offset: usize) {
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        let passed = &self.text[self.offset..offset];
        self.newlines += passed.bytes().filter(|&b| b == b'\n').count();
        if let Some(newline) = passed.rfind('\n') {
            self.start = self.offset + newline + 1;
        }
        self.offset = offset;
    }
}
