//! Runs a join in memory: reads each input once, and searches the second one in an index of the first one.
//!
//! ```text
//! index the smaller input: read its rows, check its outlines, build a tree of their boxes
//! for each batch of the other input: check its outlines, search their pairs, write them
//! a self-join searches the index in itself
//! ```
//!
//! The memory of the index is reserved from the pool of the engine, and so is that of batches larger than usual. If it
//! does not fit, `join.rs` runs a join of the engine, which can spill. This can happen during the search.
//!
//! Invalid outlines of the other input are known only at the end. Until then, the pairs are in a temporary file
//! (`output/`). It is deleted if an outline is refused, or if the memory does not suffice. Outlines that were left out
//! are listed at the end, so that another join does not list them again.

mod bytes;
mod parallel;
mod probe;

use std::sync::Arc;

use bytesize::ByteSize;
use carom_functions::{Index, Measure, Outlines, Packed, Search};
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array, new_empty_array};
use datafusion::arrow::compute::{concat, take};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::error::Result as EngineResult;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::physical_plan::{ExecutionPlan, displayable, execute_stream_partitioned};
use datafusion::prelude::SessionContext;

use crate::args::JoinArgs;
use crate::check::{self, Rows, list_left_out, refuse, repeated_ids};
use crate::engine::{self, BATCH_BYTES, exhausted};
use crate::error::Failure;
use crate::input::Source;
use crate::memory::Budget;
use crate::messages::{line, message};
use crate::output::Output;
use crate::progress::Progress;
use crate::query::JoinQuery;
use parallel::BatchLimits;
use probe::{Found, Indexed, Probe};

/// Outlines of the index that are searched as one task in a self-join.
const RANGE: usize = 4096;

/// Why the engine must join: the index is too large.
const NO_INPUT_FITS: &str = "no input fits";

/// Why the engine must join: the index fits, but not beside some rows of the other input.
const NO_BATCH_FITS: &str = "a batch of rows of the other input does not fit beside the index";

/// The reader of an input: a plan, and a session with batches of the size that fits to the rows of this input.
struct Scan {
    plan: Arc<dyn ExecutionPlan>,
    session: SessionContext,
}

/// A join in memory.
pub(crate) struct IndexJoin<'a> {
    pub(crate) args: &'a JoinArgs,
    pub(crate) query: &'a JoinQuery<'a>,
    pub(crate) session: &'a SessionContext,
    pub(crate) budget: Budget,
    pub(crate) threads: usize,
    /// For the pairs until the join is complete.
    pub(crate) temp: &'a std::path::Path,
}

impl IndexJoin<'_> {
    /// Computes and writes all pairs. Returns false if the memory does not suffice. Then there is no output.
    ///
    /// # Errors
    /// If the memory does not suffice and the user chose the index, among others.
    pub(crate) async fn run(&self, a: &Source, b: Option<&Source>) -> Result<bool, Failure> {
        let (bytes_a, bytes_b) = (
            a.bytes(self.session).await?,
            match b {
                Some(b) => b.bytes(self.session).await?,
                None => u64::MAX,
            },
        );
        if bytes_a.min(bytes_b) > self.budget.pool as u64 {
            return self.too_large(NO_INPUT_FITS);
        }
        let is_first = bytes_a <= bytes_b;
        let (first, other) = match b {
            Some(b) if is_first => (a, Some(b)),
            Some(b) => (b, Some(a)),
            None => (a, None),
        };
        let scan = self.scan(first).await?;
        let other = match other {
            None => None,
            Some(other) => Some((other, self.scan(other).await?)),
        };
        let id = scan.plan.schema().field(0).clone();
        let other_id = other.as_ref().map_or_else(|| id.clone(), |(_, scan)| scan.plan.schema().field(0).clone());
        let (schema, measures) = self.columns(if is_first { [id, other_id] } else { [other_id, id] });
        let reservation = MemoryConsumer::new("the index").register(&self.session.runtime_env().memory_pool);
        let (index, ids, rows) = match self.index(first, &scan, is_first, &reservation).await {
            Err(Failure::Engine(error)) if exhausted(&error) => return self.too_large(NO_INPUT_FITS),
            other => other?,
        };
        match self.search(Indexed { index, ids, measures, schema }, (first, rows), other).await {
            Err(Failure::Engine(error)) if exhausted(&error) => self.too_large(NO_BATCH_FITS),
            other => other.map(|()| true),
        }
    }

    /// Returns false, so that the engine joins. An error with the reason if the user chose the index.
    fn too_large(&self, reason: &str) -> Result<bool, Failure> {
        if self.args.join.is_none() {
            return Ok(false);
        }
        let pool = ByteSize(self.budget.pool as u64).display().si();
        Err(Failure::input(format!(
            "{reason} into the {pool} that an index may use: raise --memory, or leave out --join index"
        )))
    }

    /// Returns the limits of the batches in flight.
    fn limits(&self) -> BatchLimits {
        BatchLimits::new(self.threads, &self.session.runtime_env().memory_pool)
    }

    /// Returns the columns of the output: two ids, and the numbers that are added to each pair.
    fn columns(&self, [a, b]: [Field; 2]) -> (Arc<Schema>, Vec<Measure>) {
        let mut fields = vec![a.with_name("a"), b.with_name("b")];
        let mut measures = Vec::new();
        for (wanted, measure, name) in
            [(self.args.depth, Measure::Depth, "depth"), (self.args.distance, Measure::Distance, "distance")]
        {
            if wanted {
                fields.push(Field::new(name, DataType::Float64, true));
                measures.push(measure);
            }
        }
        (Arc::new(Schema::new(fields)), measures)
    }

    /// Reads a source into an index. Returns it with the ids of its outlines, and the rows. Its memory is reserved.
    async fn index(
        &self,
        source: &Source,
        scan: &Scan,
        is_first: bool,
        reservation: &MemoryReservation,
    ) -> Result<(Index, ArrayRef, Rows), Failure> {
        let progress = Progress::phase("index");
        let (mut parts, mut rows) = (Vec::new(), Rows::default());
        let read = |batch| pieces(batch).map(|piece| PackedRows::new(Part::read(&piece)?));
        let keep = |PackedRows { ids, outlines, rows: of_part }: PackedRows| {
            // The ids are copied twice: to one array, and to the order of the index.
            let index = Index::BYTES_PER_OUTLINE * outlines.count();
            reservation.try_grow(outlines.memory() + index + 2 * ids.get_array_memory_size())?;
            rows.add(of_part);
            progress.update_counts(rows.all, 0);
            parts.push((ids, outlines));
            Ok(())
        };
        self.each(source, scan, read, keep).await?;
        drop(progress);
        refuse(source, rows, self.args).await?;
        let (ids, outlines): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let search = Search { predicate: self.query.predicate(), index_is_first: is_first };
        let none = new_empty_array(scan.plan.schema().field(0).data_type());
        // On a thread of its own, so that Ctrl-C ends the program meanwhile.
        let built = tokio::task::spawn_blocking(move || build(outlines, ids, search, none)).await;
        let (index, ids) = built.map_err(parallel::lost)??;
        Ok((index, ids, rows))
    }

    /// Searches the other input, or the index itself, and writes the pairs.
    async fn search(
        &self,
        indexed: Indexed,
        (first, rows_of_first): (&Source, Rows),
        other: Option<(&Source, Scan)>,
    ) -> Result<(), Failure> {
        let indexed = Arc::new(indexed);
        let mut output = Output::create(self.args.output.as_deref(), self.args.format, &indexed.schema, self.temp)?;
        let progress = Progress::phase("join");
        let (mut rows, mut pairs, mut repeated) = (Rows::default(), 0_u64, 0);
        let write = |found: Found| {
            rows.add(found.rows);
            repeated += found.repeated;
            pairs += found.pairs.num_rows() as u64;
            if found.pairs.num_rows() > 0 {
                output.write(&found.pairs)?;
            }
            progress.update_counts(rows.all, pairs);
            Ok(())
        };
        if let Some((other, scan)) = other {
            let probe = move |batch| {
                let indexed = Arc::clone(&indexed);
                pieces(batch).flat_map(move |piece| probe(&indexed, &piece))
            };
            self.each(other, &scan, probe, write).await?;
            drop(progress);
            refuse(other, rows, self.args).await?;
            list_left_out(first, rows_of_first, self.args).await?;
            list_left_out(other, rows, self.args).await?;
        } else {
            let is_symmetric = self.query.is_symmetric();
            let count = indexed.index.count();
            let ranges = (0..count).step_by(RANGE).map(move |start| Ok(start..count.min(start + RANGE)));
            let probe = move |range| started(Probe::itself(Arc::clone(&indexed), range, is_symmetric));
            // The outlines are in the memory of the index.
            parallel::each(vec![futures::stream::iter(ranges)], self.limits(), |_| 0, probe, write).await?;
            drop(progress);
            if repeated > 0 {
                return Err(repeated_ids(self.args, repeated / 2));
            }
            list_left_out(first, rows_of_first, self.args).await?;
        }
        output.finish().await?;
        message(format_args!("{pairs} pairs"));
        Ok(())
    }

    /// Returns the reader of the ids and geometries of a source.
    ///
    /// Large rows of one input make its batches small. Those of the other input stay large.
    async fn scan(&self, source: &Source) -> Result<Scan, Failure> {
        let rows = engine::batch_rows(source.sizes(), BATCH_BYTES);
        let config = self.session.copied_config().with_batch_size(rows);
        let session = SessionContext::new_with_config_rt(config, self.session.runtime_env());
        carom_functions::register(&session);
        source.register(&session).await?;
        let query = self.query.rows(source);
        let plan = async { session.sql(&query).await?.create_physical_plan().await }.await;
        let plan = match plan {
            Ok(plan) => plan,
            Err(error) => return Err(check::unreadable(source, self.args.filter.as_deref(), error.into()).await),
        };
        if self.args.explain {
            line(format_args!("{query}\n\n{}", displayable(plan.as_ref()).indent(false)));
            line(format_args!("rows of a batch: {rows}"));
        }
        Ok(Scan { plan, session })
    }

    /// Computes all batches of a plan. The error of a file that cannot be read names the file.
    async fn each<T, I>(
        &self,
        source: &Source,
        scan: &Scan,
        work: impl Fn(RecordBatch) -> I + Send + Sync + 'static,
        sink: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        T: Send + 'static,
        I: Iterator<Item = EngineResult<T>> + Send + 'static,
    {
        let result = match execute_stream_partitioned(Arc::clone(&scan.plan), scan.session.task_ctx()) {
            Ok(streams) => parallel::each(streams, self.limits(), bytes::used, work, sink).await,
            Err(error) => Err(error.into()),
        };
        match result {
            Err(Failure::Engine(error)) if !exhausted(&error) => {
                Err(check::unreadable(source, self.args.filter.as_deref(), Failure::Engine(error)).await)
            }
            other => other,
        }
    }
}

/// Builds the index of all outlines. Returns it with their ids in its order; `none` if there are none.
fn build(
    outlines: Vec<Packed>,
    ids: Vec<ArrayRef>,
    search: Search,
    none: ArrayRef,
) -> Result<(Index, ArrayRef), Failure> {
    let (index, indices) = Index::new(outlines, search);
    let all: Vec<&dyn Array> = ids.iter().map(AsRef::as_ref).collect();
    let all = if all.is_empty() { none } else { concat(&all)? };
    drop(ids);
    // The ids in the order of the index.
    let mut order = vec![0; indices.len()];
    for (row, &index) in (0..).zip(&indices) {
        order[index as usize] = row;
    }
    drop(indices);
    Ok((index, take(&all, &UInt32Array::from(order), None)?))
}

/// The rows of a batch: ids and outlines.
struct Part {
    ids: ArrayRef,
    outlines: Outlines,
    rows: Rows,
}

impl Part {
    /// Reads a batch with the columns id and geometry.
    fn read(batch: &RecordBatch) -> EngineResult<Self> {
        let (ids, outlines) = (Arc::clone(batch.column(0)), Outlines::read(batch.column(1))?);
        let all = batch.num_rows() as u64;
        let rows =
            Rows { all, with_id: all - ids.logical_null_count() as u64, invalid: outlines.invalid_count() as u64 };
        Ok(Self { ids, outlines, rows })
    }
}

/// The rows of a batch for the index. They hold no memory of the file.
struct PackedRows {
    ids: ArrayRef,
    outlines: Packed,
    rows: Rows,
}

impl PackedRows {
    /// Copies the rows.
    fn new(Part { ids, outlines, rows }: Part) -> EngineResult<Self> {
        Ok(Self { ids: bytes::copied(&ids)?, outlines: outlines.packed(), rows })
    }
}

/// Splits a batch that is much larger than usual, so that no copy of it is as large.
fn pieces(batch: RecordBatch) -> impl Iterator<Item = RecordBatch> + Send {
    let (rows, bytes, usual) = (batch.num_rows(), bytes::used(&batch), BATCH_BYTES as usize);
    let step = if bytes <= 2 * usual { rows } else { (rows as f64 * usual as f64 / bytes as f64) as usize };
    let step = step.max(1);
    (0..rows).step_by(step).map(move |start| batch.slice(start, step.min(rows - start)))
}

/// Starts the search of a batch of the other input.
fn probe(indexed: &Arc<Indexed>, batch: &RecordBatch) -> Box<dyn Iterator<Item = EngineResult<Found>> + Send> {
    started(Part::read(batch).map(|part| Probe::other(Arc::clone(indexed), part.ids, part.outlines, part.rows)))
}

/// Returns the pairs of a search, or the error of its start.
fn started(probe: EngineResult<Probe>) -> Box<dyn Iterator<Item = EngineResult<Found>> + Send> {
    match probe {
        Ok(probe) => Box::new(probe),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{BinaryViewBuilder, Int64Array};

    use super::*;

    /// Returns a batch of points that are views of `page` bytes, of which each point uses 21. The page has no further
    /// use.
    fn points(count: usize, page: usize) -> RecordBatch {
        let mut wkb = vec![1, 1, 0, 0, 0];
        wkb.resize(21, 0);
        wkb.resize(page, 0);
        let mut geometries = BinaryViewBuilder::new();
        let block = geometries.append_block(wkb.into());
        for _ in 0..count {
            geometries.try_append_view(block, 0, 21).unwrap();
        }
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..count as i64));
        RecordBatch::try_from_iter([("id", ids), ("g", Arc::new(geometries.finish()) as ArrayRef)]).unwrap()
    }

    /// A batch of small rows of a large page is not split: 8 + 16 + 21 bytes per row.
    #[test]
    fn a_large_page_does_not_split_a_batch() {
        let batch = points(1000, 24 << 20);
        assert!(batch.get_array_memory_size() > 24 << 20);
        assert_eq!(bytes::used(&batch), 1000 * (8 + 16 + 21));
        assert_eq!(pieces(batch).count(), 1);
    }

    /// The pieces of a large batch together reserve the memory of its ids once.
    #[test]
    fn pieces_reserve_their_own_ids() {
        let batch = points(1_000_000, 21);
        let parts: Vec<_> = pieces(batch).map(|piece| PackedRows::new(Part::read(&piece).unwrap()).unwrap()).collect();
        assert!(parts.len() > 5, "{}", parts.len());
        let reserved: usize = parts.iter().map(|part| part.ids.get_array_memory_size()).sum();
        assert!((8_000_000..8_100_000).contains(&reserved), "{reserved}");
    }
}
