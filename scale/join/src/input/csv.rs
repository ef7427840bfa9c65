//! Finds the columns of CSV files and their types.
//!
//! Input: files, and the name of the id column. Output: the columns of all files together.
//!
//! The engine takes the columns and types of the first file for all. Here, every file is opened: all must have the same
//! columns in the same order. A type is that of the first rows of all files. Integers and other numbers together are
//! numbers; any other mixture is text.
//!
//! An id is reported as the file has it. So ids are integers only if each has the form of an integer: `007`, `+7` and
//! `1e5` are text. Only the first rows are known in advance. For others, `carom_integer` is an error. Then the join
//! starts again with ids as text (`join.rs`).
//!
//! A geometry can be EWKT. Then the SRID of the first readable geometry of a file is its coordinate reference system.

use std::sync::Arc;

use carom_functions::{is_plain_integer, srid_of_text};
use datafusion::arrow::array::{AsArray, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Column;
use datafusion::logical_expr::Expr;
use datafusion::prelude::{CsvReadOptions, DataFrame, SessionConfig, SessionContext};
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::{REQUESTS, SourceFile};
use crate::error::Failure;
use crate::stores;

/// Rows of a file whose ids are read in advance.
const FIRST_ROWS: usize = 1000;

/// Rows of a batch of these. The reader holds their whole lines, which can be long.
const FEW_ROWS: usize = 16;

/// The columns of CSV files, as the engine reads them.
#[derive(Debug)]
pub(super) struct CsvColumns {
    schema: Schema,
    /// The column of text that becomes integers.
    integers: Option<String>,
}

impl CsvColumns {
    /// Reads the columns of all files from their first rows.
    ///
    /// # Errors
    /// If files have different columns.
    pub(super) async fn of(session: &SessionContext, files: &[SourceFile]) -> Result<Self, Failure> {
        let of_file = async |file: &SourceFile| schema_of(session, file).await;
        let schemas: Vec<Schema> = stream::iter(files).map(of_file).buffered(REQUESTS).try_collect().await?;
        let mut all: Option<(&SourceFile, Schema)> = None;
        // A file of 0 bytes has no columns.
        for (file, schema) in files.iter().zip(schemas).filter(|(_, schema)| !schema.fields().is_empty()) {
            all = Some(match all {
                None => (file, schema),
                Some((first, all)) if names(&all) == names(&schema) => (first, merged(&all, &schema)),
                Some((first, all)) => {
                    return Err(Failure::input(format!(
                        "{}: the columns are {}; those of {} are {}: give all files the same columns in the same order",
                        file.name,
                        names(&schema).join(", "),
                        first.name,
                        names(&all).join(", ")
                    )));
                }
            });
        }
        let schema = all.map_or_else(Schema::empty, |(_, schema)| schema);
        // A column that is empty in the first rows can have any text later.
        let schema = changed(&schema, |field| match field.data_type() {
            DataType::Null => DataType::Utf8,
            other => other.clone(),
        });
        Ok(Self { schema, integers: None })
    }

    /// Sets the type of the id column: integers if the first ids of each file have this form, and `text` is false.
    pub(super) async fn set_id(&mut self, files: &[SourceFile], id: &str, text: bool) -> Result<(), Failure> {
        let are_integers = self.schema.field_with_name(id)?.data_type() == &DataType::Int64;
        self.schema =
            changed(&self.schema, |field| if field.name() == id { DataType::Utf8 } else { field.data_type().clone() });
        if text || !are_integers {
            return Ok(());
        }
        let session = local()?;
        let are_plain = async |file: &SourceFile| self.are_plain(&session, file, id).await;
        let plain = stream::iter(files).map(are_plain).buffered(REQUESTS);
        // Ends at the first file with other ids.
        if plain.try_all(std::future::ready).await? {
            self.integers = Some(id.to_owned());
        }
        Ok(())
    }

    /// Returns the SRID of the first readable geometry of each file; 0 if it has none.
    pub(super) async fn srids(&self, files: &[SourceFile], geometry: &str) -> Result<Vec<u32>, Failure> {
        let session = local()?;
        let first = async |file: &SourceFile| {
            let column = Expr::Column(Column::from_name(geometry));
            let rows = self.read(&session, vec![file.url.to_string()], file.suffix()).await?;
            let mut batches = rows.select(vec![column])?.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                if let Some(srid) = texts(&batch)?.iter().flatten().find_map(srid_of_text) {
                    return Ok(srid);
                }
            }
            Ok(0)
        };
        stream::iter(files).map(first).buffered(REQUESTS).try_collect().await
    }

    /// Returns true if the first ids of a file are plain integers.
    async fn are_plain(&self, session: &SessionContext, file: &SourceFile, id: &str) -> Result<bool, Failure> {
        let ids = self.read(session, vec![file.url.to_string()], file.suffix()).await?;
        let ids = ids.select(vec![Expr::Column(Column::from_name(id))])?.limit(0, Some(FIRST_ROWS))?;
        for batch in ids.collect().await? {
            if !texts(&batch)?.iter().flatten().all(is_plain_integer) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads files as one table.
    pub(super) async fn read(
        &self,
        session: &SessionContext,
        paths: Vec<String>,
        suffix: &str,
    ) -> Result<DataFrame, Failure> {
        let options = CsvReadOptions::new().file_extension(suffix).schema(&self.schema);
        let frame = session.read_csv(paths, options).await?;
        let Some(integers) = &self.integers else { return Ok(frame) };
        let columns = self.schema.fields().iter().map(|field| {
            let column = Expr::Column(Column::from_name(field.name()));
            if field.name() == integers {
                carom_functions::integer_udf().call(vec![column]).alias(field.name())
            } else {
                column
            }
        });
        Ok(frame.select(columns.collect::<Vec<_>>())?)
    }
}

/// Returns a session for the first rows of files. They are no job of a cluster.
fn local() -> Result<SessionContext, Failure> {
    let config = SessionConfig::new().with_target_partitions(1).with_batch_size(FEW_ROWS);
    Ok(SessionContext::new_with_config_rt(config, stores::runtime().build_arc()?))
}

/// Returns the first column as text. The engine can have other types of text.
fn texts(batch: &RecordBatch) -> Result<StringArray, Failure> {
    Ok(cast(batch.column(0), &DataType::Utf8)?.as_string::<i32>().clone())
}

/// Returns the columns of one file with the types of its first rows.
async fn schema_of(session: &SessionContext, file: &SourceFile) -> Result<Schema, Failure> {
    let options = CsvReadOptions::new().file_extension(file.suffix());
    let frame = session.read_csv(file.url.to_string(), options).await;
    let frame = frame.map_err(|error| Failure::input(format!("{}: {}", file.name, error.strip_backtrace())))?;
    Ok(frame.schema().as_arrow().clone())
}

/// Returns the names of columns.
fn names(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

/// Returns the columns of two files of the same names.
fn merged(a: &Schema, b: &Schema) -> Schema {
    let mut others = b.fields().iter();
    changed(a, |field| match (field.data_type(), others.next().map_or(&DataType::Null, |other| other.data_type())) {
        (a, b) if a == b => a.clone(),
        (DataType::Null, other) | (other, DataType::Null) => other.clone(),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => DataType::Float64,
        _ => DataType::Utf8,
    })
}

/// Returns columns with other types.
fn changed(schema: &Schema, mut data_type: impl FnMut(&Field) -> DataType) -> Schema {
    let fields = schema.fields().iter().map(|field| Arc::new(Field::new(field.name(), data_type(field), true)));
    Schema::new(fields.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{ArrayRef, LargeStringArray, StringViewArray};

    use super::*;

    #[test]
    fn every_type_of_text() {
        let rows = [Some("SRID=4326;POINT (1 2)"), None];
        let columns: [ArrayRef; 3] = [
            Arc::new(rows.into_iter().collect::<StringArray>()),
            Arc::new(rows.into_iter().collect::<LargeStringArray>()),
            Arc::new(rows.into_iter().collect::<StringViewArray>()),
        ];
        for column in columns {
            let batch = RecordBatch::try_from_iter([("wkt", column)]).unwrap();
            assert_eq!(texts(&batch).unwrap(), StringArray::from_iter(rows));
        }
    }
}
