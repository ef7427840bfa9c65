//! Converts positions in a text to line and column numbers.
//!
//! The starts of all lines are collected at the first call, which only an error makes. Each
//! position is then found by binary search.

/// Finds lines of a text. The first call scans the text once.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    /// Start of each line. Empty before the first call.
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, starts: Vec::new() }
    }

    /// Returns line and column, both from 1, of a position in `part`, a slice of the text.
    pub(crate) fn position(&mut self, part: &str, (line, column): (usize, usize)) -> (usize, usize) {
        // `part` borrows from the text, so the difference of the addresses is its offset.
        let (first, before) = self.at(part.as_ptr().addr() - self.text.as_ptr().addr());
        (first + line.max(1) - 1, if line <= 1 { before - 1 } else { 0 } + column.max(1))
    }

    /// Returns line and column, both from 1, of a byte of the text.
    pub(crate) fn at(&mut self, offset: usize) -> (usize, usize) {
        if self.starts.is_empty() {
            self.starts = std::iter::once(0)
                .chain(self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
                .collect();
        }
        let line = self.starts.partition_point(|start| *start <= offset);
        (line, offset - self.starts[line - 1] + 1)
    }
}
