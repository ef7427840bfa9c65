//! Adds the sizes of the row groups of Parquet files.
//!
//! A reader holds the columns of a row group as written, and decodes a page of each at a time. The metadata of a file
//! has the bytes of a column chunk, which bound each of its pages. Headers of pages are more exact (`pages.rs`):
//!
//! ```text
//! a local file: the headers of all pages; the metadata need not be true
//! an address: the metadata if such a reader fits, else the headers of some pages
//! ```

use std::slice;

use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use object_store::ObjectStore;
use object_store::path::Path;

use super::REQUESTS;
use super::pages::Pages;
use super::sizes::{LargestPage, RowGroup, Sizes};
use crate::error::Failure;

/// Requests for headers of pages of a file at an address, at most.
const REMOTE_REQUESTS: usize = 1024;

/// How the pages of a file are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// By the metadata.
    Metadata,
    /// By the headers of all pages.
    Headers,
    /// By the headers of some pages, if a row group of the metadata has more bytes than this.
    SomeHeaders(u64),
}

/// A file of Parquet.
pub(super) struct File<'a> {
    pub(super) store: &'a dyn ObjectStore,
    pub(super) path: &'a Path,
    pub(super) name: &'a str,
    pub(super) metadata: &'a ParquetMetaData,
}

/// The columns of a row group that are read.
struct GroupColumns<'a> {
    group: &'a RowGroupMetaData,
    read: Vec<&'a ColumnChunkMetaData>,
    has_headers: bool,
}

impl File<'_> {
    /// Adds the sizes of the row groups, for some columns.
    ///
    /// # Errors
    /// If a local file has a page whose header cannot be read. Its metadata are not trusted.
    pub(super) async fn add_sizes(&self, columns: &[&str], measure: Measure, sizes: &mut Sizes) -> Result<(), Failure> {
        let is_read = |column: &&ColumnChunkMetaData| {
            let name = column.column_path().parts().first().map_or("", String::as_str);
            columns.contains(&name)
        };
        let of_group = |group| {
            let read: Vec<_> = RowGroupMetaData::columns(group).iter().filter(is_read).collect();
            let bytes = read.iter().fold(0_u64, |sum, column| sum.saturating_add(held(column)));
            let has_headers = match measure {
                Measure::Metadata => false,
                Measure::Headers => true,
                Measure::SomeHeaders(limit) => bytes > limit,
            };
            GroupColumns { group, read, has_headers }
        };
        let groups: Vec<GroupColumns<'_>> = self.metadata.row_groups().iter().map(of_group).collect();
        let limit = match measure {
            Measure::Metadata | Measure::Headers => None,
            Measure::SomeHeaders(_) => {
                let with_headers = groups.iter().filter(|group| group.has_headers);
                Some(REMOTE_REQUESTS / with_headers.map(|group| group.read.len()).sum::<usize>().max(1))
            }
        };
        let chunks = groups.iter().flat_map(|group| group.read.iter().map(|&column| (column, group.has_headers)));
        let pages = async |(column, has_headers)| {
            let known = if has_headers { Pages::read(self.store, self.path, column, limit).await } else { None };
            match known {
                None if measure == Measure::Headers => Err(Failure::input(format!(
                    "{}: the headers of the pages of column {} cannot be read: write the file again",
                    self.name,
                    column.column_path().string(),
                ))),
                known => Ok(known.unwrap_or_else(|| Pages::of_sum(decoded(column)))),
            }
        };
        // The walk over a local file waits for no server.
        let at_once = if measure == Measure::Headers { 1 } else { REQUESTS };
        let pages: Vec<Pages> = stream::iter(chunks).map(pages).buffered(at_once).try_collect().await?;
        let mut pages = pages.iter();
        for (index, group) in groups.iter().enumerate() {
            self.add_group(index, group, &mut pages, sizes);
        }
        Ok(())
    }

    /// Adds the sizes of a row group, and takes the pages of its columns.
    fn add_group(
        &self,
        index: usize,
        columns: &GroupColumns<'_>,
        pages: &mut slice::Iter<'_, Pages>,
        sizes: &mut Sizes,
    ) {
        let mut group = RowGroup { file: self.name.to_owned(), index, ..RowGroup::default() };
        let mut bytes = 0_u64;
        let mut means = Vec::new();
        for (column, pages) in columns.read.iter().zip(pages) {
            group.written = group.written.saturating_add(written(column));
            // Pages that are not compressed are parts of the row group in memory.
            if column.compression() != Compression::UNCOMPRESSED {
                group.pages = group.pages.saturating_add(pages.held());
                if pages.largest_bytes() > group.largest_page.bytes {
                    group.largest_page = LargestPage {
                        column: column.column_path().string(),
                        bytes: pages.largest_bytes(),
                        is_bound: pages.is_bound(),
                    };
                }
            }
            // Dictionaries and shared prefixes make pages smaller than their values.
            let of_dictionary = || pages.mean_in_dictionary().saturating_mul(column.num_values().max(0) as u64);
            let values = column.unencoded_byte_array_data_bytes().map_or_else(of_dictionary, |sum| sum.max(0) as u64);
            bytes = bytes.saturating_add(decoded(column).max(pages.decoded()).max(values));
            // Without repetition, each value is a row.
            if column.column_descr().max_rep_level() == 0 {
                means.extend(pages.means());
            }
        }
        let rows = columns.group.num_rows().max(0) as u64;
        sizes.add_group(&group, rows, bytes);
        // Large rows can be in one page, between pages of small ones.
        let mean = bytes / rows.max(1);
        for (of_page, rows) in means.into_iter().filter(|&(of_page, _)| of_page / 2 > mean) {
            sizes.add_rows(of_page.saturating_add(mean), rows);
        }
    }
}

/// Returns the decoded bytes of a column chunk by the metadata.
fn decoded(column: &ColumnChunkMetaData) -> u64 {
    column.uncompressed_size().max(0) as u64
}

/// Returns the bytes that a reader of a column chunk holds at most, by the metadata.
fn held(column: &ColumnChunkMetaData) -> u64 {
    // Pages that are not compressed are parts of the row group in memory.
    let pages = if column.compression() == Compression::UNCOMPRESSED { 0 } else { decoded(column) };
    written(column).saturating_add(pages)
}

/// Returns the bytes of a column chunk in the file by the metadata.
fn written(column: &ColumnChunkMetaData) -> u64 {
    column.compressed_size().max(0) as u64
}
