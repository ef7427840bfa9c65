//! Runs the steps of a join: open the inputs, check and sample them, plan the cells, write the
//! pairs.
//!
//! ```text
//! open both inputs                                    (input/)
//! fit the batches to the sizes of the rows, and the partitions to those of the row groups
//! the smaller input fits into the memory budget: join with an index of it, and done   (index/)
//! for each input: one query for the number of rows, faults and a sample   (query.rs, check.rs)
//! choose the cells from both samples                  (carom_functions::Grid)
//! the input with the smaller estimated memory is the build side
//! hash join if the build side fits into the memory budget, else sort-merge join; a self-join is always sorted
//! execute the query of all pairs, and write its rows  (query.rs, output/)
//! ```
//!
//! The estimate of the memory can be wrong. If a hash join exhausts its budget, the output is
//! discarded and the sort-merge join runs, unless the user chose the hash join.
//!
//! A self-join of the engine finds each row with itself once. These pairs are counted and removed. If
//! there are more of them than rows, ids repeat, and the join ends with an error.

use std::path::Path;
use std::sync::Arc;

use bytesize::ByteSize;
use carom_functions::{Costs, Grid, NOT_AN_INTEGER, Sample};
use datafusion::arrow::array::{AsArray, BooleanArray, RecordBatch};
use datafusion::arrow::compute::{filter_record_batch, kernels::cmp::neq};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::physical_plan::{displayable, execute_stream};
use datafusion::prelude::SessionContext;
use futures::StreamExt as _;

use crate::args::{Algorithm, JoinArgs};
use crate::check::{self, Rows, list_left_out, refuse, repeated_ids};
use crate::cluster::or_lost_scheduler;
use crate::engine::{self, Options, exhausted};
use crate::error::Failure;
use crate::index::IndexJoin;
use crate::input::{Columns, LargestPage, RowGroup, Sizes, Source, different_crs};
use crate::memory::{self, Budget};
use crate::messages::{line, message};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::query::{self, JoinQuery};

/// Partitions of a job on a cluster, if no other number is given.
const CLUSTER_PARTITIONS: usize = 16;

/// Runs `carom-join INPUT [INPUT]`.
pub(crate) async fn run(args: JoinArgs, threads: usize) -> Result<(), Failure> {
    match Box::pin(attempt(&args, threads, false)).await {
        // The first ids of a CSV file were integers, a later one is not.
        Err(failure) if failure.to_string().contains(NOT_AN_INTEGER) => {
            if args.explain {
                line(format_args!("an id {NOT_AN_INTEGER}: the join starts again with ids as text"));
            }
            Box::pin(attempt(&args, threads, true)).await
        }
        other => other,
    }
}

/// Runs a join. Ids of CSV files are text if `text_ids` is true.
async fn attempt(args: &JoinArgs, threads: usize, text_ids: bool) -> Result<(), Failure> {
    output::check(args.output.as_deref(), args.format, std::iter::empty())?;
    let whole = Budget::new(args.memory, threads)?;
    let temp = temporary(args.temp.as_deref())?;
    let default = if args.cluster.is_some() { CLUSTER_PARTITIONS } else { threads };
    let mut options = Options {
        budget: whole,
        partitions: args.partitions.filter(|&count| count > 0).unwrap_or(default),
        temp: temp.path(),
        sizes: Sizes::default(),
        hash_join: true,
        cluster: args.cluster.as_deref(),
    };
    let mut session = engine::session(&options).await?;
    let reader = args.cluster.is_none().then_some(whole.of_readers(threads) / options.partitions as u64);
    let a = Source::open(&session, "a", &args.inputs[0], columns(args, 0, text_ids), temp.path(), reader).await?;
    let b = match args.inputs.get(1) {
        None => None,
        Some(input) => Some(Source::open(&session, "b", input, columns(args, 1, text_ids), temp.path(), reader).await?),
    };
    if let (Some(crs_a), Some(crs_b)) = (a.crs(), b.as_ref().and_then(Source::crs))
        && crs_a != crs_b
    {
        return Err(different_crs([&args.inputs[0], &args.inputs[1]], [crs_a, crs_b]));
    }
    let inputs = a.files().iter().chain(b.iter().flat_map(Source::files));
    output::check(args.output.as_deref(), args.format, inputs.map(|file| file.name.as_str()))?;
    let query = JoinQuery::new(args, &a, b.as_ref());
    if args.cluster.is_none() {
        let sources = [Some(&a), b.as_ref()];
        sources.into_iter().flatten().for_each(|source| options.sizes.merge(source.sizes()));
        // Each join reads one input after the other: a sort has read its input before the other one starts, and so has
        // the build side of a hash join.
        let largest = options.sizes.largest_row_group().clone();
        (options.partitions, options.budget) = readers(whole, &largest, options.partitions, threads)?;
        if args.join.is_none_or(|algorithm| algorithm == Algorithm::Index) {
            session = engine::session(&options).await?;
            register(&session, sources).await?;
            let budget = options.budget;
            let join = IndexJoin { args, query: &query, session: &session, budget, threads, temp: temp.path() };
            if join.run(&a, b.as_ref()).await? {
                explain_peak(args);
                return Ok(());
            }
        }
        session = engine::session(&options).await?;
        register(&session, sources).await?;
    }
    let (sample_a, rows_a) = summary(&session, &query, &a, args).await?;
    let of_b = match &b {
        None => None,
        Some(b) => Some((b, summary(&session, &query, b, args).await?)),
    };
    // Only now: an id of the second input can start the join again.
    list_left_out(&a, rows_a, args).await?;
    let sample_b = match of_b {
        None => sample_a.clone(),
        Some((b, (sample_b, rows_b))) => {
            list_left_out(b, rows_b, args).await?;
            sample_b
        }
    };

    let grid = Grid::planned(&sample_a, &sample_b, Costs::default());
    let bytes = [&sample_a, &sample_b].map(|sample| build_bytes(&grid, sample));
    let a_first = bytes[0] <= bytes[1];
    for sample in [&sample_a, &sample_b] {
        options.sizes.add_mean(sample.wkb_bytes() / sample.count().max(1));
    }
    let sort = |options: &mut Options<'_>| {
        options.hash_join = false;
        if args.cluster.is_none() && options.partitions < 2 {
            let sources = std::iter::once(&a).chain(&b);
            options.budget = two_readers(whole, sources.map(Source::sizes), threads)?;
            options.partitions = 2;
        }
        Ok::<_, Failure>(())
    };
    let is_hash_join = match args.join {
        Some(algorithm) => algorithm == Algorithm::Hash,
        // For a self-join, sorting takes less time, and less memory.
        None => b.is_some() && bytes[0].min(bytes[1]) <= options.budget.pool as f64,
    };
    if !is_hash_join {
        sort(&mut options)?;
    }
    let rows = sample_a.count() + if b.is_some() { sample_b.count() } else { sample_a.count() };
    let text = query.pairs(&grid, a_first);
    let job = Job { args, a: &a, b: b.as_ref(), text: &text, rows, own: sample_a.count() };
    match job.run(&options).await {
        Err(Failure::Engine(error)) if options.hash_join && args.join.is_none() && exhausted(&error) => {
            sort(&mut options)?;
            job.run(&options).await?;
        }
        other => other.map_err(|failure| or_lost_scheduler(args.cluster.as_deref(), failure))?,
    }
    explain_peak(args);
    Ok(())
}

/// Prints the largest resident memory, if the user wants explanations.
fn explain_peak(args: &JoinArgs) {
    if args.explain
        && let Some(peak) = memory::peak()
    {
        line(format_args!("largest resident memory: {} MB", peak / 1_000_000));
    }
}

/// Returns the directory for temporary files of this run. It is deleted at the end.
pub(crate) fn temporary(parent: Option<&Path>) -> Result<tempfile::TempDir, Failure> {
    let parent = parent.map_or_else(std::env::temp_dir, Path::to_path_buf);
    tempfile::Builder::new()
        .prefix("carom-join-")
        .tempdir_in(&parent)
        .map_err(|error| Failure::input(format!("{}: no temporary directory: {error}", parent.display())))
}

/// Returns the columns that the user gave for an input. One name counts for both inputs.
fn columns(args: &JoinArgs, side: usize, text_ids: bool) -> Columns<'_> {
    Columns {
        id: args.id.get(side).or(args.id.last()).map(String::as_str),
        geometry: args.geometry.get(side).or(args.geometry.last()).map(String::as_str),
        filter: args.filter.as_deref(),
        text_ids,
    }
}

/// Adds the tables of the sources to a session.
async fn register(session: &SessionContext, sources: [Option<&Source>; 2]) -> Result<(), Failure> {
    for source in sources.into_iter().flatten() {
        source.register(session).await?;
    }
    Ok(())
}

/// Returns the number of partitions that fit beside each other, and the rest of the budget. A partition reads a row
/// group at a time.
fn readers(budget: Budget, group: &RowGroup, partitions: usize, threads: usize) -> Result<(usize, Budget), Failure> {
    let fitting = budget.for_readers(group.held(), partitions, threads);
    fitting.ok_or_else(|| too_large(group, "a reader holds them", Budget::least_for_reader(group.held(), threads)))
}

/// Returns the rest of the budget beside the readers of a sort. It has two partitions at least, so the two largest row
/// groups of an input can be read at once.
fn two_readers<'s>(budget: Budget, sizes: impl Iterator<Item = &'s Sizes>, threads: usize) -> Result<Budget, Failure> {
    let Some(largest) = sizes.max_by_key(|sizes| sizes.held_by_two()) else { return Ok(budget) };
    let held = largest.held_by_two();
    let rest = budget.for_readers(held, 1, threads).map(|(_, rest)| rest);
    rest.ok_or_else(|| {
        let holders =
            format!("with the second largest one, two readers of a sort hold {}", ByteSize(held).display().si());
        too_large(largest.largest_row_group(), &holders, Budget::least_for_reader(held, threads))
    })
}

/// Returns the error of a row group that does not fit.
fn too_large(group: &RowGroup, holders: &str, least: ByteSize) -> Failure {
    let size = |bytes| ByteSize(bytes).display().si();
    let LargestPage { column, bytes, is_bound } = &group.largest_page;
    let pages = match (group.pages, is_bound) {
        (0, _) => String::new(),
        (all, false) => format!(", and pages of {}: column {column} has a page of {}", size(all), size(*bytes)),
        (all, true) => format!(", and pages of up to {}: column {column} has up to {}", size(all), size(*bytes)),
    };
    let smaller = if group.pages > group.written { "pages" } else { "row groups" };
    Failure::input(format!(
        "{}: row group {} has {}{pages}; {holders} at once: raise --memory to {}, or write smaller {smaller}",
        group.file,
        group.index,
        size(group.written),
        least.display().si(),
    ))
}

/// Returns the estimated memory of an input as the build side of a hash join.
fn build_bytes(grid: &Grid, sample: &Sample) -> f64 {
    grid.expected_rows(sample) * engine::ROW_BYTES as f64 + sample.wkb_bytes() as f64
}

/// Checks a source and returns its summary, and the rows that were read. Rows that may be left out are not listed yet:
/// the other input can start the join again.
async fn summary(
    session: &SessionContext,
    query: &JoinQuery<'_>,
    source: &Source,
    args: &JoinArgs,
) -> Result<(Sample, Rows), Failure> {
    let progress = Progress::phase("check");
    let batches = async { session.sql(&query.summary(source)).await?.collect().await }.await;
    let batches = match batches {
        Ok(batches) => batches,
        Err(error) => {
            return Err(match or_lost_scheduler(args.cluster.as_deref(), error.into()) {
                // A file that cannot be read is named.
                failure @ Failure::Engine(_) => check::unreadable(source, args.filter.as_deref(), failure).await,
                lost => lost,
            });
        }
    };
    drop(progress);
    let row = batches.iter().find(|batch| batch.num_rows() > 0);
    let Some(row) = row else { return Err(Failure::input("the engine returned no summary of the input")) };
    let number = |column: usize| row.column(column).as_primitive::<Int64Type>().value(0) as u64;
    let rows = Rows { all: number(query::ROWS), with_id: number(query::IDS), invalid: number(query::INVALID) };
    refuse(source, rows, args).await?;
    let bytes = row.column(query::SAMPLE).as_binary::<i32>().value(0);
    match Sample::from_bytes(bytes) {
        Some(sample) => Ok((sample, rows)),
        None => Err(Failure::input("the engine returned a damaged summary of the input")),
    }
}

/// One attempt to compute all pairs.
struct Job<'a> {
    args: &'a JoinArgs,
    a: &'a Source,
    b: Option<&'a Source>,
    text: &'a str,
    /// Rows that will be read.
    rows: u64,
    /// Valid rows of the first input: a self-join finds each of them once.
    own: u64,
}

impl Job<'_> {
    /// Executes the query of all pairs and writes its rows. Fails if the ids of a self-join repeat.
    async fn run(&self, options: &Options<'_>) -> Result<(), Failure> {
        let session = engine::session(options).await?;
        self.a.register(&session).await?;
        if let Some(b) = self.b {
            b.register(&session).await?;
        }
        let frame = session.sql(self.text).await?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let plan = frame.create_physical_plan().await?;
        if self.args.explain {
            line(format_args!("{}\n\n{}", self.text, displayable(plan.as_ref()).indent(false)));
        }
        let mut output = Output::create(self.args.output.as_deref(), self.args.format, &schema, options.temp)?;
        let mut stream = execute_stream(Arc::clone(&plan), session.task_ctx())?;
        let progress = Progress::rows(self.rows);
        let (mut pairs, mut selves) = (0_u64, 0_u64);
        while let Some(batch) = stream.next().await {
            let mut batch = batch?;
            if self.b.is_none() {
                let all = batch.num_rows();
                batch = without_selves(&batch)?;
                selves += (all - batch.num_rows()) as u64;
            }
            pairs += batch.num_rows() as u64;
            if batch.num_rows() > 0 {
                output.write(&batch)?;
            }
            progress.update(&plan, pairs);
        }
        if self.b.is_none() && selves != self.own {
            return Err(repeated_ids(self.args, selves.saturating_sub(self.own) / 2));
        }
        output.finish().await?;
        drop(progress);
        message(format_args!("{pairs} pairs"));
        Ok(())
    }
}

/// Removes the pairs of a row with itself.
fn without_selves(batch: &RecordBatch) -> Result<RecordBatch, Failure> {
    let different: BooleanArray = neq(batch.column(0), batch.column(1))?;
    Ok(filter_record_batch(batch, &different)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A refusal names the file, the row group and its size. Large pages count.
    #[test]
    fn a_row_group_that_does_not_fit() {
        let group = |written: u64, pages: u64| RowGroup {
            file: "a.parquet".to_owned(),
            index: 3,
            written: written << 20,
            pages: pages << 20,
            largest_page: LargestPage { column: "g".to_owned(), bytes: pages << 19, is_bound: pages == 81 },
        };
        let budget = Budget { pool: 100 << 20 };
        assert!(matches!(readers(budget, &group(82, 0), 2, 2), Ok((1, Budget { pool: 52_428_800 }))));
        assert!(matches!(readers(budget, &group(42, 40), 2, 2), Ok((1, Budget { pool: 52_428_800 }))));
        let two = |first, second| {
            let mut sizes = Sizes::default();
            sizes.add_group(&group(first, 0), 1, 1);
            sizes.add_group(&group(second, 0), 1, 1);
            sizes
        };
        let of_sort = |inputs: &[Sizes]| two_readers(budget, inputs.iter(), 2);
        assert!(matches!(of_sort(&[two(41, 41), two(40, 1)]), Ok(Budget { pool: 52_428_800 })));
        let failure = of_sort(&[two(41, 41), two(1, 82)]).unwrap_err().to_string();
        assert!(failure.contains("row group 3 has 86.0 MB; with the second largest one, two readers"), "{failure}");
        for (group, words) in [
            (group(83, 0), ["a.parquet: row group 3 has 87.0 MB; ", "smaller row groups"]),
            (
                group(3, 80),
                [
                    "a.parquet: row group 3 has 3.1 MB, and pages of 83.9 MB: column g has a page of 41.9 MB; ",
                    "smaller pages",
                ],
            ),
            (group(3, 81), ["and pages of up to 84.9 MB: column g has up to 42.5 MB; ", "--memory to 384.0 MB"]),
        ] {
            let Err(failure) = readers(budget, &group, 2, 2) else { panic!("83 MB fit") };
            let text = failure.to_string();
            assert!(words.iter().all(|words| text.contains(words)) && text.contains("--memory"), "{text}");
        }
    }
}
