//! Finds the pairs of outlines in memory and a stream of others.
//!
//! Input: one input of a join as batches ([`Outlines`]), then each batch of the other one. Output: the pairs for which
//! a predicate holds.
//!
//! ```text
//! index: a tree of the boxes of all outlines in memory        (tree.rs)
//!     the boxes of all outlines and where their WKB is, in the order of the leaves    (packed.rs)
//! for each 128 outlines of a batch:
//!     candidates: the outlines in memory whose boxes intersect, from the tree
//!     load the boxes, then the geometries of all candidates: the processor runs many loads at once
//!     for each candidate: decide the predicate                (pair/)
//! ```
//!
//! The first pass over boxes or geometries only loads them. The later one has branches, and a wrong prediction waits
//! for its load.
//!
//! A join on cells (`grid/`) can spill and run on a cluster. But it writes a row for each cell of an outline, and
//! hashes and copies these rows. If one input fits into memory, a tree needs none of this, and each file is read once.

mod outlines;
mod packed;
mod tree;

use std::hint::black_box;
use std::ops::Range;

use datafusion::error::Result;

pub use outlines::Outlines;
use packed::Entry;
pub use packed::Packed;
use tree::{Found, Tree};

use crate::outline::{Bounds, Geometry};
use crate::pair::{Measure, Pair, Predicate};
use crate::sql::bad_argument;

/// The name of the index in errors.
const NAME: &str = "index";

/// Rows that are searched at once.
const BLOCK: usize = 128;

/// Candidates that are found at once, about.
const CANDIDATES: usize = 1 << 14;

/// Which pairs of an index and a batch are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The condition on a pair.
    pub predicate: Predicate,
    /// True if the first outline of a pair is in the index, false if it is in the batch.
    pub index_is_first: bool,
}

/// The outlines that are searched in an index.
///
/// A self-join searches the index in itself, here with each unordered pair once:
///
/// ```
/// use std::sync::Arc;
///
/// use carom_functions::{Cursor, Index, Outlines, Predicate, Queries, Search};
/// use datafusion::arrow::array::{ArrayRef, StringArray};
///
/// let texts = vec!["POINT (0 0)", "POINT (5 0)", "LINESTRING (0 0, 3 0)"];
/// let column: ArrayRef = Arc::new(StringArray::from(texts));
/// let search = Search { predicate: Predicate::Intersects, index_is_first: true };
/// let (index, indices) = Index::new(vec![Outlines::read(&column)?.packed()], search);
/// let range = 0..index.count();
/// let start = range.start as u32;
/// let (mut pairs, mut cursor) = (Vec::new(), Cursor::default());
/// index.search(&Queries::Index(range), &mut cursor, 100, |item, row| item < start + row, &mut pairs)?;
/// let (point, line) = (indices[0], indices[2]);
/// assert_eq!(pairs, [[point.min(line), point.max(line) - start]]);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Queries<'a> {
    /// The rows of a batch.
    Batch(&'a Outlines),
    /// Outlines of the index itself. Neighbours have near indices, so the search finds most of them in the cache.
    Index(Range<usize>),
}

/// The row of a batch at which a search continues. A new one starts at the first row.
#[derive(Debug, Default)]
pub struct Cursor {
    /// The rows of the candidates.
    rows: Range<usize>,
    /// The candidates.
    found: Found,
    /// The next candidate.
    next: usize,
}

impl Search {
    /// Returns the first and the second outline of a pair.
    fn in_order<T>(&self, indexed: T, other: T) -> (T, T) {
        if self.index_is_first { (indexed, other) } else { (other, indexed) }
    }
}

/// The outlines of one input of a join, in memory.
///
/// ```
/// use std::sync::Arc;
///
/// use carom_functions::{Cursor, Index, Outlines, Predicate, Queries, Search};
/// use datafusion::arrow::array::{ArrayRef, StringArray};
///
/// let column = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
/// let lake = Outlines::read(&column("POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))"))?;
/// let pier = Outlines::read(&column("LINESTRING (4 1, 6 1)"))?;
/// let search = Search { predicate: Predicate::Intersects, index_is_first: true };
/// let (index, indices) = Index::new(vec![lake.packed()], search);
/// let mut pairs = Vec::new();
/// index.search(&Queries::Batch(&pier), &mut Cursor::default(), 100, |_, _| true, &mut pairs)?;
/// assert_eq!(pairs, [[indices[0], 0]]);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Debug)]
pub struct Index {
    tree: Tree,
    /// The outlines, in the order of the leaves.
    entries: Vec<Entry>,
    /// The WKB of all outlines.
    chunks: Vec<Vec<u8>>,
    search: Search,
}

impl Index {
    /// Bytes of an outline in the index and while it is built, besides those of [`Packed`].
    ///
    /// While the tree is built, it needs less memory than the entries do afterwards.
    pub const BYTES_PER_OUTLINE: usize = Tree::BYTES_PER_BOX + size_of::<Entry>() + 2 * size_of::<u32>();

    /// Builds the index. Outlines get new indices, so that neighbours have near ones. Returns the new index of each
    /// outline, in the order of the parts.
    ///
    /// # Panics
    /// If there are 2³² outlines or more.
    #[must_use]
    pub fn new(parts: Vec<Packed>, search: Search) -> (Self, Vec<u32>) {
        let count: usize = parts.iter().map(Packed::count).sum();
        assert!(u32::try_from(count).is_ok(), "an index has less than 2³² outlines");
        let margin = if search.index_is_first { search.predicate.margin() } else { 0.0 };
        let boxes = parts.iter().flat_map(|part| &part.entries).map(|entry| entry.bounds.grown(margin));
        let (tree, indices) = Tree::new(boxes);
        let mut chunks = Vec::new();
        let mut entries = vec![Entry::EMPTY; count];
        let mut left = &indices[..];
        for part in parts {
            let (of_part, others) = left.split_at(part.count());
            left = others;
            for (&index, &entry) in of_part.iter().zip(&part.entries) {
                entries[index as usize] = entry.in_later_chunks(chunks.len());
            }
            chunks.extend(part.chunks);
        }
        (Self { tree, entries, chunks, search }, indices)
    }

    /// Returns the kind of pairs that are searched.
    #[must_use]
    pub fn searched(&self) -> Search {
        self.search
    }

    /// Returns the number of outlines.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Appends the next pairs: index of the outline, and row of the batch or of the range. Ends as soon as
    /// `out` has `enough` pairs. Returns false if there are no further pairs.
    ///
    /// `wanted` decides first, for each pair whose boxes intersect.
    ///
    /// # Errors
    /// None for outlines that are valid.
    ///
    /// # Panics
    /// If a range of [`Queries::Index`] exceeds [`count`](Index::count). It can panic if the cursor is from a search of
    /// other outlines.
    pub fn search(
        &self,
        batch: &Queries<'_>,
        cursor: &mut Cursor,
        enough: usize,
        mut wanted: impl FnMut(u32, u32) -> bool,
        out: &mut Vec<[u32; 2]>,
    ) -> Result<bool> {
        let mut pair = Pair::default();
        while out.len() < enough {
            let Some(&[of_block, item]) = cursor.found.pairs.get(cursor.next) else {
                if !self.advance(batch, cursor) {
                    return Ok(false);
                }
                continue;
            };
            cursor.next += 1;
            let row = cursor.rows.start + of_block as usize;
            if wanted(item, row as u32) {
                let indexed = self.entries[item as usize].geometry(&self.chunks);
                let (a, b) = self.search.in_order(indexed, self.geometry(batch, row));
                if pair.decide_checked(self.search.predicate, a, b).map_err(|error| bad_argument(NAME, error))? {
                    out.push([item, row as u32]);
                }
            }
        }
        Ok(true)
    }

    /// Finds further outlines of the index whose boxes intersect those of some rows. Returns false after the last row.
    ///
    /// A row with many candidates is searched alone, in steps.
    fn advance(&self, batch: &Queries<'_>, cursor: &mut Cursor) -> bool {
        let Cursor { rows, found, next } = cursor;
        let margin = self.search.predicate.margin();
        let grown = if self.search.index_is_first { 0.0 } else { margin };
        *next = 0;
        if !found.has_more() {
            *rows = rows.end..batch.count().min(rows.end + BLOCK);
            if rows.start == rows.end {
                return false;
            }
            while !self.tree.search(rows.clone().map(|row| self.bounds(batch, row).grown(grown)), CANDIDATES, found) {
                if rows.len() == 1 {
                    self.tree.start(&self.bounds(batch, rows.start).grown(grown), found);
                    break;
                }
                rows.end = rows.start + rows.len() / 2;
            }
        }
        if found.has_more() {
            self.tree.resume(CANDIDATES, found);
        }
        let entry = |&[_, item]: &[u32; 2]| &self.entries[item as usize];
        black_box(found.pairs.iter().map(entry).fold(0, |sum, entry| sum ^ entry.touch()));
        found.pairs.retain(|pair| {
            let of_batch = self.bounds(batch, rows.start + pair[0] as usize);
            let (first, second) = self.search.in_order(entry(pair).bounds, of_batch);
            first.grown(margin).intersects(&second)
        });
        black_box(found.pairs.iter().map(entry).fold(0, |sum, entry| sum ^ entry.touch_wkb(&self.chunks)));
        true
    }

    /// Measures pairs that [`search`](Index::search) found. A distance is rounded, but never above that of
    /// [`Predicate::Within`].
    ///
    /// # Errors
    /// None for outlines that are valid.
    ///
    /// # Panics
    /// If a pair has an outline or a row that does not exist.
    pub fn measure(&self, measure: Measure, batch: &Queries<'_>, pairs: &[[u32; 2]]) -> Result<Vec<Option<f64>>> {
        let mut pair = Pair::default();
        let one = |&[item, row]: &[u32; 2]| {
            let indexed = self.entries[item as usize].geometry(&self.chunks).0;
            let (a, b) = self.search.in_order(indexed, self.geometry(batch, row as usize).0);
            let value = pair.measure(measure, a, b).map_err(|error| bad_argument(NAME, error))?;
            Ok(match (measure, self.search.predicate) {
                (Measure::Distance, Predicate::Within(limit)) => value.map(|distance| distance.min(limit)),
                _ => value,
            })
        };
        pairs.iter().map(one).collect()
    }

    /// Returns the box of a row.
    fn bounds(&self, batch: &Queries<'_>, row: usize) -> Bounds {
        match batch {
            Queries::Batch(outlines) => outlines.bounds(row),
            Queries::Index(range) => self.entries[range.start + row].bounds,
        }
    }

    /// Returns the geometry of a valid row, and true if it is a small ring that is certainly simple.
    fn geometry<'a>(&'a self, batch: &'a Queries<'_>, row: usize) -> (Geometry<'a>, Option<bool>) {
        match batch {
            Queries::Batch(outlines) => outlines.geometry(row),
            Queries::Index(range) => self.entries[range.start + row].geometry(&self.chunks),
        }
    }
}

impl Queries<'_> {
    /// Returns the number of rows.
    fn count(&self) -> usize {
        match self {
            Self::Batch(outlines) => outlines.count(),
            Self::Index(range) => range.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, StringArray};

    use super::*;

    /// A row that is not valid neither is a candidate nor adds candidates to other rows.
    #[test]
    fn an_invalid_row_has_no_candidates() {
        let mut rows: Vec<Option<String>> = (0..2000).map(|x| Some(format!("POINT ({x} 0)"))).collect();
        rows[700] = None;
        let column: ArrayRef = Arc::new(StringArray::from(rows));
        let outlines = Outlines::read(&column).unwrap();
        for index_is_first in [true, false] {
            let search = Search { predicate: Predicate::Within(0.25), index_is_first };
            let (index, _) = Index::new(vec![outlines.packed()], search);
            let grown = if index_is_first { 0.0 } else { 0.25 };
            let queries = (0..outlines.count()).map(|row| outlines.bounds(row).grown(grown));
            let mut found = Found::default();
            assert!(index.tree.search(queries, usize::MAX, &mut found));
            assert_eq!(found.pairs.len(), 1999);
        }
    }
}
