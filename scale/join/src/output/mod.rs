//! Writes the rows of a result: to a file that appears only when it is complete, or as CSV to
//! stdout.
//!
//! The rows go to a temporary file in the directory of the output. It gets its name after the last
//! row. So an interrupted or failed join leaves no partial file, and an existing file stays until
//! it is replaced. A symbolic link stays, and its target is replaced. Rows for stdout, a pipe or a device are kept in a
//! temporary file as well, and copied after the last one.
//!
//! Paths of files are tested before the join, so that hours of work are not lost.

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
use url::Url;

use crate::args::Format;
use crate::error::Failure;

/// Rows of a row group: bounds the memory of the writer.
const ROW_GROUP: usize = 1 << 17;

/// Symbolic links that are followed, at most, as by Linux.
const MOST_LINKS: usize = 40;

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
    /// The rows of this file are copied to a pipe or a device.
    Device(File, PathBuf),
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
        let name = path.map_or_else(|| "stdout".to_owned(), |path| path.display().to_string());
        let failed = |error: &dyn std::fmt::Display| Failure::input(format!("{name}: {error}"));
        let to = match path {
            Some(path) if is_device(path) => Destination::Device(hidden(temp)?, path.to_path_buf()),
            Some(path) => {
                let path = target(path);
                Destination::File(beside(&path).map_err(|error| failed(&error))?, path)
            }
            None if format == Format::Parquet => {
                return Err(Failure::input("Parquet needs a file: name one with --output"));
            }
            None => Destination::Stdout(hidden(temp)?),
        };
        let file = match &to {
            Destination::File(file, _) => file.reopen(),
            Destination::Stdout(file) | Destination::Device(file, _) => file.try_clone(),
        };
        let file = BufWriter::new(file.map_err(|error| failed(&error))?);
        let writer = if format == Format::Parquet {
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROW_GROUP)).build();
            let writer =
                ArrowWriter::try_new(file, Arc::clone(schema), Some(properties)).map_err(|error| failed(&error))?;
            Writer::Parquet(Box::new(writer))
        } else {
            text_writer(format, Box::new(file))
        };
        let mut output = Self { name, writer, to };
        if format == Format::Csv {
            // The header is written with the first rows. Without any, the file must have it as well.
            output.write(&RecordBatch::new_empty(Arc::clone(schema)))?;
        }
        Ok(output)
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
    ///
    /// A pipe without a reader blocks. So the rows are copied on a thread of its own, and Ctrl-C ends the program
    /// meanwhile.
    pub(crate) async fn finish(self) -> Result<(), Failure> {
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
                // A file that is replaced keeps its permissions.
                if let Ok(old) = path.metadata() {
                    file.as_file().set_permissions(old.permissions()).map_err(|error| failed(&error))?;
                }
                file.as_file().sync_all().map_err(|error| failed(&error))?;
                file.persist(path).map_err(|error| failed(&error.error))?;
            }
            Destination::Stdout(rows) => copy(rows, None).await.map_err(|error| failed(&error))?,
            Destination::Device(rows, path) => copy(rows, Some(path)).await.map_err(|error| failed(&error))?,
        }
        Ok(())
    }
}

/// Copies rows to a pipe or a device, or to stdout.
async fn copy(mut rows: File, to: Option<PathBuf>) -> std::io::Result<()> {
    let copied = tokio::task::spawn_blocking(move || {
        rows.rewind()?;
        match to {
            Some(path) => std::io::copy(&mut rows, &mut File::options().write(true).open(path)?),
            None => std::io::copy(&mut rows, &mut std::io::stdout().lock()),
        }
    });
    copied.await?.map(|_| ())
}

/// Tests before a join that its output can be created, and that it replaces no input. Inputs are paths or addresses.
pub(crate) fn check<'a>(
    path: Option<&Path>,
    format: Option<Format>,
    mut inputs: impl Iterator<Item = &'a str>,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let failed = |reason: &dyn std::fmt::Display| Failure::input(format!("{}: {reason}", path.display()));
    if format.is_none() {
        of_suffix(path)?;
    }
    if path.is_dir() {
        return Err(failed(&"is a directory; name a file for the output"));
    }
    if is_socket(path) {
        return Err(failed(&"is a socket; name a file, a pipe or a device for the output"));
    }
    if is_device(path) {
        return Ok(());
    }
    if inputs.any(|input| local(input).is_some_and(|input| is_same(&input, path).unwrap_or(false))) {
        return Err(failed(&"is an input; give the output another name"));
    }
    beside(&target(path)).map_err(|error| failed(&error))?;
    Ok(())
}

/// Returns true if two paths lead to one file, by symbolic or hard links.
fn is_same(a: &Path, b: &Path) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (a, b) = (a.metadata()?, b.metadata()?);
        Ok(a.dev() == b.dev() && a.ino() == b.ino())
    }
    #[cfg(not(unix))]
    Ok(a.canonicalize()? == b.canonicalize()?)
}

/// Returns the path of an input; `None` for an address of another machine.
fn local(input: &str) -> Option<PathBuf> {
    if input.contains("://") { Url::parse(input).ok()?.to_file_path().ok() } else { Some(PathBuf::from(input)) }
}

/// Returns true if the path names a socket. It cannot be opened.
fn is_socket(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        path.metadata().is_ok_and(|metadata| metadata.file_type().is_socket())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Returns true if the path names a pipe or a device. Such a file must not be replaced.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Returns the path of the file to which symbolic links lead. It need not exist.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(link) = path.read_link() else { break };
        path = folder(&path).join(link);
    }
    path
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file without a name.
fn hidden(temp: &Path) -> Result<File, Failure> {
    tempfile::tempfile_in(temp).map_err(|error| Failure::input(format!("{}: {error}", temp.display())))
}

/// Creates a temporary file in the folder of another one, with the usual permissions of a new file.
fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".carom-join-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The system clears the bits of the umask.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(path)).map_err(|error| {
        // The error of the crate names a random file.
        std::io::Error::new(error.kind(), format!("cannot be created in {}: {}", folder(path).display(), error.kind()))
    })
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
