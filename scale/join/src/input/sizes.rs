//! Estimates how many rows a batch may have.
//!
//! Input: blocks of consecutive rows with their sizes, from the metadata of Parquet files or from samples of a text
//! file. Output: the number of rows that have about a number of bytes, wherever a batch starts.
//!
//! A filter removes rows, and the engine collects the rest of several blocks in one batch. So a batch can have the rows
//! of all blocks with large rows.

use std::collections::BTreeMap;

/// Bytes of a row, if nothing is known.
const UNKNOWN: u64 = 512;

/// The largest row group of some Parquet files.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowGroup {
    /// The name of its file.
    pub(crate) file: String,
    /// Its position in the file.
    pub(crate) index: usize,
    /// Bytes of the columns that are read, as written. A reader holds them until the last row.
    pub(crate) written: u64,
    /// Bytes of the pages that a reader decodes at a time.
    pub(crate) pages: u64,
    /// The largest of these pages.
    pub(crate) largest_page: LargestPage,
}

/// The largest page of a row group.
#[derive(Clone, Debug, Default)]
pub(crate) struct LargestPage {
    /// The name of its column.
    pub(crate) column: String,
    /// Its decoded bytes.
    pub(crate) bytes: u64,
    /// True if the size is an upper bound.
    pub(crate) is_bound: bool,
}

impl RowGroup {
    /// Returns the bytes that a reader holds.
    pub(crate) fn held(&self) -> u64 {
        self.written.saturating_add(self.pages)
    }
}

/// The sizes of the rows of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes {
    /// Number of rows of the blocks with this mean number of bytes of a row.
    rows: BTreeMap<u64, u64>,
    largest: RowGroup,
    /// Bytes that a reader of the second largest row group holds.
    second: u64,
}

impl Sizes {
    /// Adds a row group of a Parquet file, and the decoded bytes of its columns.
    pub(crate) fn add_group(&mut self, group: &RowGroup, rows: u64, decoded: u64) {
        self.add_largest(group);
        self.add_rows(decoded / rows.max(1), rows);
    }

    fn add_largest(&mut self, group: &RowGroup) {
        self.second = self.second.max(self.largest.held().min(group.held()));
        if group.held() > self.largest.held() {
            self.largest = group.clone();
        }
    }

    /// Adds a part of a text file that has a whole line or more.
    pub(super) fn add_sample(&mut self, text: &[u8]) {
        let lines = text.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
        self.add_mean(text.len() as u64 / lines.max(1));
    }

    /// Adds any number of rows with this mean number of bytes.
    pub(crate) fn add_mean(&mut self, bytes: u64) {
        self.add_rows(bytes, u64::MAX);
    }

    /// Adds rows with this mean number of bytes.
    pub(super) fn add_rows(&mut self, mean: u64, rows: u64) {
        let sum = self.rows.entry(mean).or_default();
        *sum = sum.saturating_add(rows);
    }

    /// Adds the sizes of another file or input.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.add_largest(&other.largest);
        self.second = self.second.max(other.second);
        other.rows.iter().for_each(|(&mean, &rows)| self.add_rows(mean, rows));
    }

    /// Returns the largest row group.
    pub(crate) fn largest_row_group(&self) -> &RowGroup {
        &self.largest
    }

    /// Returns the bytes that readers of the two largest row groups hold.
    pub(crate) fn held_by_two(&self) -> u64 {
        self.largest.held().saturating_add(self.second)
    }

    /// Returns how many rows of their columns and `more` bytes have about `bytes`, 1 or more.
    pub(crate) fn rows_in(&self, bytes: u64, more: u64) -> u64 {
        if self.rows.is_empty() {
            return (bytes / (UNKNOWN + more)).max(1);
        }
        let mut larger = 0_u64;
        let limits = self.rows.iter().rev().filter_map(|(&mean, &rows)| {
            larger = larger.saturating_add(rows);
            let limit = bytes / mean.saturating_add(more).max(1);
            // No batch has more rows of this mean or a larger one than there are.
            (limit < larger).then_some(limit)
        });
        limits.min().unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(file: &str, written: u64) -> RowGroup {
        RowGroup { file: file.to_owned(), written, ..RowGroup::default() }
    }

    /// A batch has the rows of a large row group, unless the row group is so small that all its rows fit.
    #[test]
    fn the_densest_block_limits_a_batch() {
        let mut sizes = Sizes::default();
        assert_eq!(sizes.rows_in(1024, 0), 2);
        sizes.add_group(&group("a", 7), 1_000_000, 10_000_000);
        assert_eq!(sizes.rows_in(1000, 0), 100);
        assert_eq!(sizes.rows_in(1000, 10), 50);
        sizes.add_group(&group("b", 900), 2, 800);
        assert_eq!((sizes.rows_in(1000, 0), sizes.rows_in(500, 0)), (100, 1));
        sizes.add_group(&group("c", 8), 100, 20_000);
        let RowGroup { written, file, .. } = sizes.largest_row_group();
        assert_eq!((sizes.rows_in(1000, 0), *written, file.as_str()), (5, 900, "b"));
        sizes.add_sample("1234\n1234\n12".repeat(100).as_bytes());
        assert_eq!((sizes.rows_in(1000, 0), sizes.rows_in(30_000, 0)), (5, 3000));
        sizes.add_sample(&[b'x'; 5000]);
        assert_eq!(sizes.rows_in(1000, 0), 1);
    }

    /// Row groups that fit each limit a batch together, as the rows of a filter come from all of them.
    #[test]
    fn small_row_groups_limit_a_batch_together() {
        let (mut sizes, mut parts) = (Sizes::default(), Sizes::default());
        for i in 0..500 {
            // The means differ a little.
            parts.add_group(&group("a", 9), 10, 4_000_000 + 10 * i);
        }
        sizes.add_group(&group("b", 7), 1_000_000, 10_000_000);
        sizes.merge(&parts);
        assert_eq!(sizes.rows_in(4_100_000, 0), 10);
        assert_eq!(sizes.rows_in(8_200_000, 0), 20);
        // All 5000 rows have 2 GB.
        assert_eq!(sizes.rows_in(2_100_000_000, 0), u64::MAX);
    }
}
