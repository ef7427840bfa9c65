//! Finds the pairs of outlines in memory and a stream of others.
//!
//! Input: one input of a join as batches ([`Outlines`]), then each batch of the other one. Output: the pairs for which
//! a predicate holds.
//!
//! ```text
//! index: a tree of the boxes of all outlines in memory        (tree.rs)
//! for each 64 outlines of a batch:
//!     candidates: the outlines in memory whose boxes intersect, from the tree
//!     load the geometries of all candidates: the processor runs many loads at once
//!     for each candidate: decide the predicate                (pair/)
//! ```
//!
//! A join on cells (`grid/`) can spill and run on a cluster. But it writes a row for each cell of an outline, and
//! hashes and copies these rows. If one input fits into memory, a tree needs none of this, and each file is read once.

mod outlines;
mod tree;

use std::ops::Range;

use datafusion::error::Result;

pub use outlines::Outlines;
use tree::{Found, Tree};

use crate::outline::Geometry;
use crate::pair::{Measure, Pair, Predicate};
use crate::sql::bad_argument;

/// The name of the index in errors.
const NAME: &str = "index";

/// Rows that are searched at once.
const BLOCK: usize = 64;

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

/// The place in a batch where a search continues. A new one starts at the first row.
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
/// use carom_functions::{Cursor, Index, Outlines, Predicate, Search};
/// use datafusion::arrow::array::{ArrayRef, StringArray};
///
/// let column = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
/// let lake = Outlines::read(&column("POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))"))?;
/// let pier = Outlines::read(&column("LINESTRING (4 1, 6 1)"))?;
/// let index = Index::new(vec![lake], Search { predicate: Predicate::Intersects, index_is_first: true });
/// let mut pairs = Vec::new();
/// index.search(&pier, &mut Cursor::default(), 100, |_, _| true, &mut pairs)?;
/// assert_eq!(pairs, [[0, 0]]);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Debug)]
pub struct Index {
    parts: Vec<Outlines>,
    /// Index of the first outline of each part.
    starts: Vec<u32>,
    tree: Tree,
    search: Search,
}

impl Index {
    /// Bytes of an outline in the index, besides those of [`Outlines`].
    pub const BYTES_PER_OUTLINE: usize = Tree::BYTES_PER_BOX;

    /// Builds the index. Outlines are numbered in the order of the parts.
    ///
    /// # Panics
    /// If there are 2³² outlines or more.
    #[must_use]
    pub fn new(parts: Vec<Outlines>, search: Search) -> Self {
        let mut count = 0_usize;
        let starts = parts
            .iter()
            .map(|part| {
                let start = count;
                count += part.count();
                start as u32
            })
            .collect();
        assert!(u32::try_from(count).is_ok(), "an index has less than 2³² outlines");
        let margin = if search.index_is_first { search.predicate.margin() } else { 0.0 };
        let tree = Tree::new(parts.iter().flat_map(Outlines::boxes).map(|bounds| bounds.grown(margin)));
        Self { parts, starts, tree, search }
    }

    /// Returns the kind of pairs that are searched.
    #[must_use]
    pub fn searched(&self) -> Search {
        self.search
    }

    /// Returns the parts of the index.
    #[must_use]
    pub fn parts(&self) -> &[Outlines] {
        &self.parts
    }

    /// Appends the next pairs: index of the outline in the index, and row of the batch. Ends as soon as `out` has
    /// `enough` pairs. Returns false if there are no further pairs.
    ///
    /// `wanted` decides first, for each pair whose boxes intersect.
    ///
    /// # Errors
    /// None for outlines that are valid.
    pub fn search(
        &self,
        batch: &Outlines,
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
                let (part, place) = self.place(item);
                let (a, b) = self.search.in_order(part.geometry(place), batch.geometry(row));
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
    fn advance(&self, batch: &Outlines, cursor: &mut Cursor) -> bool {
        let Cursor { rows, found, next } = cursor;
        let margin = self.search.predicate.margin();
        let grown = if self.search.index_is_first { 0.0 } else { margin };
        *next = 0;
        if !found.has_more() {
            *rows = rows.end..batch.count().min(rows.end + BLOCK);
            if rows.start == rows.end {
                return false;
            }
            while !self.tree.search(rows.clone().map(|row| batch.bounds(row).grown(grown)), CANDIDATES, found) {
                if rows.len() == 1 {
                    self.tree.start(&batch.bounds(rows.start).grown(grown), found);
                    break;
                }
                rows.end = rows.start + rows.len() / 2;
            }
        }
        if found.has_more() {
            self.tree.resume(CANDIDATES, found);
        }
        found.pairs.retain(|&[of_block, item]| {
            let (part, place) = self.place(item);
            let (first, second) =
                self.search.in_order(part.bounds(place), batch.bounds(rows.start + of_block as usize));
            first.grown(margin).intersects(&second)
        });
        // Reads a byte of each geometry. The loads are independent, so the later tests find all bytes in the cache.
        let first_byte = |&[_, item]: &[u32; 2]| {
            let (part, place) = self.place(item);
            part.geometry(place).0.bytes().first().map_or(0, |&byte| u32::from(byte))
        };
        std::hint::black_box(found.pairs.iter().map(first_byte).sum::<u32>());
        true
    }

    /// Measures pairs that [`search`](Index::search) found.
    ///
    /// # Errors
    /// None for outlines that are valid.
    pub fn measure(&self, measure: Measure, batch: &Outlines, pairs: &[[u32; 2]]) -> Result<Vec<Option<f64>>> {
        let mut pair = Pair::default();
        let one = |&[item, row]: &[u32; 2]| {
            let (part, place) = self.place(item);
            let (a, b): (Geometry, Geometry) =
                self.search.in_order(part.geometry(place).0, batch.geometry(row as usize).0);
            pair.measure(measure, a, b).map_err(|error| bad_argument(NAME, error))
        };
        pairs.iter().map(one).collect()
    }

    /// Returns the part of an outline, and its row there.
    fn place(&self, item: u32) -> (&Outlines, usize) {
        let part = self.starts.partition_point(|&start| start <= item) - 1;
        (&self.parts[part], (item - self.starts[part]) as usize)
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
            let index = Index::new(vec![outlines.clone()], search);
            let grown = if index_is_first { 0.0 } else { 0.25 };
            let queries = outlines.boxes().iter().map(|bounds| bounds.grown(grown));
            let mut found = Found::default();
            assert!(index.tree.search(queries, usize::MAX, &mut found));
            assert_eq!(found.pairs.len(), 1999);
        }
    }
}
