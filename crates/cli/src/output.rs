//! Standard output: buffered, coloured only where colours are welcome, quiet when the reader leaves.
use std::io::{self, BufWriter, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};

use crate::error::CliError;

/// Does standard output take colours? `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and pipes are respected.
pub(crate) fn styled() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Lets `write` print the data of this run.
///
/// A reader that has seen enough (`carom check … | head -1`) is no failure; a full disk is one.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    let stdout = io::stdout().lock();
    let stdout: Box<dyn Write> = if styled() { Box::new(AutoStream::always(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::at("standard output", format!("cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}
