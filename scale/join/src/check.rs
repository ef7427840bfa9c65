//! Finds rows that cannot be joined, and names them by file, row and id.
//!
//! Input: a source, a fault (an invalid geometry or a missing id), and an optional condition.
//! Output: one line per row with this fault, or an error that names the first of them and the
//! remedy.
//!
//! The join itself counts faulty rows while it reads the inputs, in parallel. Then row numbers are not known. So only if
//! there are faults, the files are read again, one after the other, in the order of their rows.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt as _;

use crate::engine;
use crate::error::Failure;
use crate::input::Source;
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

/// Returns the error of a file that cannot be read, or `otherwise` if all can be read. Reads the columns of the join.
pub(crate) async fn unreadable(source: &Source, filter: Option<&str>, otherwise: Failure) -> Failure {
    // This search reads ids and geometries. Only its error counts.
    find(source, Fault::Geometry, filter, usize::MAX).await.err().unwrap_or(otherwise)
}

/// Returns a column as text, for messages.
fn text(column: &ArrayRef) -> Result<ArrayRef, Failure> {
    Ok(cast(column, &DataType::Utf8)?)
}
