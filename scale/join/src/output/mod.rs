//! Writes the rows of a result: to a file that appears only when it is complete, or as CSV to
//! stdout.
//!
//! The rows go to a temporary file in the directory of the output. It gets its name after the last
//! row. So an interrupted or failed join leaves no partial file, and an existing file stays until
//! it is replaced. Rows for stdout are kept in a temporary file as well, and printed after the last one.

use std::fs::File;
use std::io::{BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use tempfile::NamedTempFile;

use crate::args::Format;
use crate::error::Failure;

/// Rows of a row group: bounds the memory of the writer.
const ROW_GROUP: usize = 1 << 17;

/// A destination of rows.
pub(crate) struct Output {
    name: String,
    writer: Writer,
    to: Destination,
}

/// The destination of the rows after the last one.
enum Destination {
    /// The file gets this name.
    File(NamedTempFile, PathBuf),
    /// The rows of this file are printed.
    Stdout(File),
}

/// A writer per format. All write batch by batch.
enum Writer {
    Parquet(Box<ArrowWriter<BufWriter<File>>>),
    Ndjson(LineDelimitedWriter<Box<dyn Write + Send>>),
    Csv(Box<csv::Writer<Box<dyn Write + Send>>>),
}

impl Output {
    /// Opens a destination. A file is written under a temporary name beside its final one. Rows for stdout are kept in
    /// `temp`.
    pub(crate) fn create(
        path: Option<&Path>,
        format: Option<Format>,
        schema: &Arc<Schema>,
        temp: &Path,
    ) -> Result<Self, Failure> {
        let format = match (format, path) {
            (Some(format), _) => format,
            (None, None) => Format::Csv,
            (None, Some(path)) => of_suffix(path)?,
        };
        let Some(path) = path else {
            if format == Format::Parquet {
                return Err(Failure::input("Parquet needs a file: name one with --output"));
            }
            let failed = |error| Failure::input(format!("{}: {error}", temp.display()));
            let rows = tempfile::tempfile_in(temp).map_err(failed)?;
            let writer = text_writer(format, Box::new(BufWriter::new(rows.try_clone().map_err(failed)?)));
            return Ok(Self { name: "stdout".into(), writer, to: Destination::Stdout(rows) });
        };
        let name = path.display().to_string();
        let failed = |error: &dyn std::fmt::Display| Failure::input(format!("{name}: {error}"));
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary =
            tempfile::Builder::new().prefix(".carom-join-").tempfile_in(directory).map_err(|error| failed(&error))?;
        let file = BufWriter::new(temporary.reopen().map_err(|error| failed(&error))?);
        let writer = if format == Format::Parquet {
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROW_GROUP)).build();
            let writer =
                ArrowWriter::try_new(file, Arc::clone(schema), Some(properties)).map_err(|error| failed(&error))?;
            Writer::Parquet(Box::new(writer))
        } else {
            text_writer(format, Box::new(file))
        };
        Ok(Self { name, writer, to: Destination::File(temporary, path.to_path_buf()) })
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Parquet(writer) => writer.write(batch).map_err(|error| error.to_string()),
            Writer::Ndjson(writer) => writer.write(batch).map_err(|error| error.to_string()),
            Writer::Csv(writer) => writer.write(batch).map_err(|error| error.to_string()),
        }
        .map_err(|error| Failure::input(format!("{}: {error}", self.name)))
    }

    /// Completes the output: now the file gets its name, or the rows are printed.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", self.name));
        match self.writer {
            Writer::Parquet(writer) => {
                let mut file = writer.into_inner().map_err(|error| failed(&error))?;
                file.flush().map_err(|error| failed(&error))?;
            }
            Writer::Ndjson(mut writer) => {
                writer.finish().map_err(|error| failed(&error))?;
                writer.into_inner().flush().map_err(|error| failed(&error))?;
            }
            Writer::Csv(writer) => writer.into_inner().flush().map_err(|error| failed(&error))?,
        }
        match self.to {
            Destination::File(file, path) => {
                readable_by_all(file.as_file()).map_err(|error| failed(&error))?;
                file.as_file().sync_all().map_err(|error| failed(&error))?;
                file.persist(path).map_err(|error| failed(&error.error))?;
            }
            Destination::Stdout(mut rows) => {
                rows.rewind().map_err(|error| failed(&error))?;
                std::io::copy(&mut rows, &mut std::io::stdout().lock()).map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }
}

/// A temporary file is private; a result has the usual permissions.
#[cfg(unix)]
fn readable_by_all(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) -> std::io::Result<()> {
    Ok(())
}

/// Returns the format that the suffix of an output names.
fn of_suffix(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|suffix| suffix.to_str()).unwrap_or("").to_ascii_lowercase().as_str() {
        "parquet" => Ok(Format::Parquet),
        "ndjson" | "jsonl" => Ok(Format::Ndjson),
        "csv" => Ok(Format::Csv),
        _ => Err(Failure::input(format!(
            "{}: the format is not known by this suffix; use .parquet, .ndjson or .csv, or add --format",
            path.display()
        ))),
    }
}

/// Returns a writer of NDJSON, or of CSV with a header.
fn text_writer(format: Format, out: Box<dyn Write + Send>) -> Writer {
    if format == Format::Ndjson {
        Writer::Ndjson(LineDelimitedWriter::new(out))
    } else {
        Writer::Csv(Box::new(csv::WriterBuilder::new().with_header(true).build(out)))
    }
}
