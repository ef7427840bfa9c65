//! Searches the pairs of one batch with the outlines of the index.

use std::ops::Range;
use std::sync::Arc;

use carom_functions::{Cursor, Index, Measure, Outlines, Queries};
use datafusion::arrow::array::{ArrayRef, DynComparator, Float64Array, RecordBatch, UInt32Array, make_comparator};
use datafusion::arrow::compute::{SortOptions, take};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;

use crate::check::Rows;

/// Pairs in a batch of the output, at most.
const PAIRS: usize = 8192;

/// The index, with the ids and the output columns of all batches.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) index: Index,
    /// The ids of all outlines of the index, in its order.
    pub(super) ids: ArrayRef,
    /// Numbers that are added to each pair.
    pub(super) measures: Vec<Measure>,
    /// Columns of the output: both ids and the measures.
    pub(super) schema: SchemaRef,
}

/// Pairs of a batch.
pub(super) struct Found {
    /// Rows of the batch. Counted once per batch.
    pub(super) rows: Rows,
    /// Pairs for which the predicate holds.
    pub(super) pairs: RecordBatch,
    /// Pairs of different rows with the same id, in a self-join.
    pub(super) repeated: u64,
}

/// Searches a batch. An item has at most [`PAIRS`] pairs, so that the memory is bounded, even if one outline has a pair
/// with each of the index.
pub(super) struct Probe {
    indexed: Arc<Indexed>,
    batch: Batch,
    ids: ArrayRef,
    rows: Rows,
    cursor: Cursor,
    is_done: bool,
}

/// The outlines of a batch.
enum Batch {
    /// Rows of the other input.
    Other(Outlines),
    /// Outlines of the index itself, in a self-join.
    Index(Itself),
}

/// Outlines of the index that are joined with the index.
struct Itself {
    range: Range<usize>,
    /// Compares the ids of two outlines.
    compare: DynComparator,
    /// True if each unordered pair is reported once.
    is_symmetric: bool,
}

impl Probe {
    /// Searches the rows of the other input.
    pub(super) fn other(indexed: Arc<Indexed>, ids: ArrayRef, outlines: Outlines, rows: Rows) -> Self {
        Self { indexed, batch: Batch::Other(outlines), ids, rows, cursor: Cursor::default(), is_done: false }
    }

    /// Searches outlines of the index in the index.
    pub(super) fn itself(indexed: Arc<Indexed>, range: Range<usize>, is_symmetric: bool) -> Result<Self> {
        let compare = make_comparator(&indexed.ids, &indexed.ids, SortOptions::default())?;
        let ids = indexed.ids.slice(range.start, range.len());
        let batch = Batch::Index(Itself { range, compare, is_symmetric });
        Ok(Self { indexed, batch, ids, rows: Rows::default(), cursor: Cursor::default(), is_done: false })
    }

    /// Returns the next pairs.
    fn search(&mut self) -> Result<Found> {
        let indexed = &*self.indexed;
        let (mut pairs, mut repeated) = (Vec::new(), 0);
        let queries = match &self.batch {
            Batch::Other(outlines) => Queries::Batch(outlines),
            Batch::Index(itself) => Queries::Index(itself.range.clone()),
        };
        let wanted = |item: u32, row: u32| match &self.batch {
            Batch::Other(_) => true,
            Batch::Index(itself) => {
                let (item, row) = (item as usize, itself.range.start + row as usize);
                if item == row {
                    return false;
                }
                let order = (itself.compare)(item, row);
                repeated += u64::from(order.is_eq());
                if itself.is_symmetric { order.is_lt() } else { order.is_ne() }
            }
        };
        self.is_done = !indexed.index.search(&queries, &mut self.cursor, PAIRS, wanted, &mut pairs)?;
        let of_index = take(&indexed.ids, &UInt32Array::from_iter_values(pairs.iter().map(|pair| pair[0])), None)?;
        let of_batch = take(&self.ids, &UInt32Array::from_iter_values(pairs.iter().map(|pair| pair[1])), None)?;
        let mut columns =
            if indexed.index.searched().index_is_first { vec![of_index, of_batch] } else { vec![of_batch, of_index] };
        for &measure in &indexed.measures {
            columns.push(Arc::new(Float64Array::from(indexed.index.measure(measure, &queries, &pairs)?)));
        }
        let pairs = RecordBatch::try_new(Arc::clone(&indexed.schema), columns)?;
        Ok(Found { rows: std::mem::take(&mut self.rows), pairs, repeated })
    }
}

impl Iterator for Probe {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Result<Found>> {
        if self.is_done {
            return None;
        }
        // After an error there is nothing more.
        self.is_done = true;
        Some(self.search())
    }
}
