//! Estimates how many rows a batch may have.
//!
//! Input: blocks of consecutive rows with their sizes, from the metadata of Parquet files or from samples of a text
//! file. Output: the number of rows that do not exceed a number of bytes, wherever a batch starts.

/// Bytes of a row, if nothing is known.
const UNKNOWN: u64 = 512;

/// Consecutive rows of a file.
#[derive(Clone, Copy, Debug)]
struct Block {
    rows: u64,
    /// Mean bytes of a row.
    mean: u64,
}

/// The sizes of the rows of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes {
    blocks: Vec<Block>,
    /// The most bytes that a reader holds besides a batch.
    held: u64,
}

impl Sizes {
    /// Adds a row group of a Parquet file: bytes of its columns, decoded and as written.
    ///
    /// A reader holds the written bytes of a row group until its last row.
    pub(super) fn add_group(&mut self, rows: u64, decoded: u64, written: u64) {
        self.held = self.held.max(written);
        self.add(Block { rows, mean: decoded / rows.max(1) });
    }

    /// Adds a part of a text file.
    pub(super) fn add_sample(&mut self, text: &[u8]) {
        let lines = text.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
        self.add_mean(text.len() as u64 / lines.max(1));
    }

    /// Adds any number of rows with this mean number of bytes.
    pub(crate) fn add_mean(&mut self, bytes: u64) {
        self.add(Block { rows: u64::MAX, mean: bytes });
    }

    /// Adds a block. A block with fewer and smaller rows than another one changes no result, so it is not kept.
    fn add(&mut self, block: Block) {
        if !self.blocks.iter().any(|other| other.rows >= block.rows && other.mean >= block.mean) {
            self.blocks.retain(|other| other.rows > block.rows || other.mean > block.mean);
            self.blocks.push(block);
        }
    }

    /// Adds the sizes of another input.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.held = self.held.max(other.held);
        other.blocks.iter().for_each(|&block| self.add(block));
    }

    /// Returns the most bytes that a reader holds besides a batch.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Returns how many rows of their columns and `more` bytes have about `bytes`, 1 or more.
    pub(crate) fn rows_in(&self, bytes: u64, more: u64) -> u64 {
        if self.blocks.is_empty() {
            return (bytes / (UNKNOWN + more)).max(1);
        }
        let rows = self.blocks.iter().filter_map(|block| {
            let rows = bytes / (block.mean + more);
            // A batch has no more rows of a block than the block.
            (rows < block.rows).then_some(rows)
        });
        rows.min().unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A batch has the rows of a large row group, unless the row group is so small that all its rows fit.
    #[test]
    fn the_densest_block_limits_a_batch() {
        let mut sizes = Sizes::default();
        assert_eq!(sizes.rows_in(1024, 0), 2);
        sizes.add_group(1_000_000, 10_000_000, 7);
        assert_eq!(sizes.rows_in(1000, 0), 100);
        assert_eq!(sizes.rows_in(1000, 10), 50);
        sizes.add_group(2, 800, 900);
        assert_eq!((sizes.rows_in(1000, 0), sizes.rows_in(500, 0)), (100, 1));
        sizes.add_group(100, 20_000, 8);
        assert_eq!((sizes.rows_in(1000, 0), sizes.held()), (5, 900));
        sizes.add_sample("1234\n1234\n12".repeat(100).as_bytes());
        assert_eq!((sizes.rows_in(1000, 0), sizes.rows_in(30_000, 0)), (5, 3000));
        sizes.add_sample(&[b'x'; 5000]);
        assert_eq!(sizes.rows_in(1000, 0), 1);
    }
}
