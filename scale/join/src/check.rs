//! Finds rows that cannot be joined, and names them by file, row and id.
//!
//! Input: a source, a fault (an invalid geometry or a missing id), and an optional condition.
//! Output: one line per row with this fault, or an error that names the first of them and the
//! remedy.
//!
//! The join itself counts faulty rows while it reads the inputs, in parallel. Then row numbers are not known. So only
//! if there are faults, the files are read again, one after the other, in the order of their rows.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt as _;

use crate::args::JoinArgs;
use crate::engine;
use crate::error::Failure;
use crate::input::Source;
use crate::messages::message;
use crate::stores;

/// Rows that are named in an error. All are listed if they are skipped.
const NAMED: usize = 10;

/// Why rows are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The geometry is not a valid outline.
    Geometry,
    /// The id is NULL.
    Id,
}

/// Rows that were read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) all: u64,
    /// Rows with an id.
    pub(crate) with_id: u64,
    /// Rows whose geometry is missing or not valid.
    pub(crate) invalid: u64,
}

impl Rows {
    /// Adds the rows of another batch.
    pub(crate) fn add(&mut self, other: Self) {
        self.all += other.all;
        self.with_id += other.with_id;
        self.invalid += other.invalid;
    }
}

/// Returns one line per row with the fault: `file, row, id: reason`. Rows count from 1, in every file.
///
/// Reads the files one after the other, in the order of their rows, up to `limit` faults.
pub(crate) async fn find(
    source: &Source,
    fault: Fault,
    filter: Option<&str>,
    limit: usize,
) -> Result<Vec<String>, Failure> {
    let rows = engine::batch_rows(source.sizes(), engine::BATCH_BYTES);
    let config = SessionConfig::new().with_target_partitions(1).with_batch_size(rows);
    let session = SessionContext::new_with_config_rt(config, stores::runtime().build_arc()?);
    carom_functions::register(&session);
    let mut found = Vec::new();
    for file in source.files() {
        let table = format!("{}_file", source.table());
        session.deregister_table(table.as_str())?;
        session.register_table(table.as_str(), source.read_file(&session, file).await?.into_view())?;
        let reason = match fault {
            Fault::Geometry => format!("carom_invalid({})", source.geometry()),
            Fault::Id => format!("CASE WHEN {} IS NULL THEN 'the id is NULL' END", source.id()),
        };
        let reason = match filter {
            None => reason,
            Some(filter) => format!("CASE WHEN ({filter}) THEN {reason} END"),
        };
        let query = format!("SELECT {} AS id, {reason} AS reason FROM {table}", source.id());
        let failed = |error: &datafusion::error::DataFusionError| {
            Failure::input(format!("{}: {}", file.name, error.strip_backtrace()))
        };
        let mut stream = session.sql(&query).await?.execute_stream().await.map_err(|error| failed(&error))?;
        let mut row = 0_u64;
        while let Some(batch) = stream.next().await {
            let batch = batch.map_err(|error| failed(&error))?;
            let (ids, reasons) = (text(batch.column(0))?, text(batch.column(1))?);
            let (ids, reasons) = (ids.as_string::<i32>(), reasons.as_string::<i32>());
            for i in 0..batch.num_rows() {
                row += 1;
                if reasons.is_valid(i) {
                    let id = if ids.is_valid(i) { ids.value(i) } else { "NULL" };
                    found.push(format!("{}, row {row}, id {id}: {}", file.name, reasons.value(i)));
                    if found.len() == limit {
                        return Ok(found);
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Returns the error that names the first faulty rows of `count`.
pub(crate) async fn refused(source: &Source, fault: Fault, filter: Option<&str>, count: u64) -> Failure {
    let mut lines = match find(source, fault, filter, NAMED).await {
        Ok(lines) => lines,
        Err(failure) => return failure,
    };
    let more = count.saturating_sub(lines.len() as u64);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    let (what, remedy) = match fault {
        Fault::Geometry => ("not valid", "repair them, or leave them out with --skip-invalid"),
        Fault::Id => ("without an id", "give every row an id, or name another column with --id"),
    };
    let rows = if count == 1 { "1 row is".to_owned() } else { format!("{count} rows are") };
    Failure::input(format!("{rows} {what}: {remedy}\n  {}", lines.join("\n  ")))
}

/// Returns an error that names the faulty rows of a source, unless they may be left out.
pub(crate) async fn refuse(source: &Source, rows: Rows, args: &JoinArgs) -> Result<(), Failure> {
    let filter = args.filter.as_deref();
    let Rows { all, with_id, invalid } = rows;
    if with_id < all {
        return Err(refused(source, Fault::Id, filter, all - with_id).await);
    }
    if invalid > 0 && !args.skip_invalid {
        return Err(refused(source, Fault::Geometry, filter, invalid).await);
    }
    Ok(())
}

/// Lists the invalid rows of a source on stderr.
pub(crate) async fn list_left_out(source: &Source, rows: Rows, args: &JoinArgs) -> Result<(), Failure> {
    let Rows { all, invalid, .. } = rows;
    if invalid > 0 {
        for row in find(source, Fault::Geometry, args.filter.as_deref(), usize::MAX).await? {
            message(format_args!("left out: {row}"));
        }
        message(format_args!("{invalid} of {all} rows were left out"));
    }
    Ok(())
}

/// Returns the error of a self-join with this number of pairs of rows with the same id.
pub(crate) fn repeated_ids(args: &JoinArgs, pairs: u64) -> Failure {
    Failure::input(format!(
        "the ids of {} are not unique: {pairs} pairs of rows have the same id; name a unique column with --id",
        args.inputs[0]
    ))
}

/// Returns the error of a file that cannot be read, or `otherwise` if all can be read. Reads the columns of the join.
pub(crate) async fn unreadable(source: &Source, filter: Option<&str>, otherwise: Failure) -> Failure {
    // This search reads ids and geometries. Only its error counts.
    find(source, Fault::Geometry, filter, usize::MAX).await.err().unwrap_or(otherwise)
}

/// Returns a column as text, for messages.
fn text(column: &ArrayRef) -> Result<ArrayRef, Failure> {
    Ok(cast(column, &DataType::Utf8)?)
}
