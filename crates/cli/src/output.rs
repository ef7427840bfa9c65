//! Standard output: buffered, with colours only if they are wanted, without an error if the reader
//! closes it.
use std::io::{self, BufWriter, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use serde::Serialize;

use crate::error::CliError;

/// Format of a result that is one table or one object.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Table
    Table,
    /// One object, all digits
    Json,
}

impl ResultFormat {
    /// Prints a result, as a table with the function `table`.
    pub(crate) fn print(
        self,
        result: &impl Serialize,
        table: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        print(|out| match self {
            Self::Table => table(out),
            Self::Json => json(out, result),
        })
    }
}

/// Returns whether standard output takes colours. `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and
/// pipes are respected.
pub(crate) fn styled() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Calls `write` to print the data.
///
/// A closed reader (`carom check … | head -1`) is no error. A full disk is one.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    print_while_read(write).map(drop)
}

/// Writes a value as a line of JSON.
pub(crate) fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // All values are serialized to the same type of writer, so each type of value is compiled once.
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Calls `write` to print the data. Returns false if the reader has closed standard output.
pub(crate) fn print_while_read(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<bool, CliError> {
    let mut out = buffered_stdout();
    still_read(write(&mut out).and_then(|()| out.flush()))
}

fn buffered_stdout() -> BufWriter<Box<dyn Write>> {
    let stdout = io::stdout().lock();
    let stdout: Box<dyn Write> = if styled() { Box::new(AutoStream::always(stdout)) } else { Box::new(stdout) };
    BufWriter::with_capacity(1 << 16, stdout)
}

/// Returns false if the reader has closed standard output.
fn still_read(written: io::Result<()>) -> Result<bool, CliError> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::at("standard output", format!("cannot be written: {error}")))
        }
        Err(_) => Ok(false),
        Ok(()) => Ok(true),
    }
}
