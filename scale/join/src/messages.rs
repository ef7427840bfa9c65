//! Prints messages on stderr. A full disk behind stderr does not end the program.

use std::fmt::Arguments;
use std::io::Write as _;

/// Prints a message after the name of the program.
pub(crate) fn message(text: Arguments<'_>) {
    line(format_args!("carom-join: {text}"));
}

/// Prints a line.
pub(crate) fn line(text: Arguments<'_>) {
    // If stderr is closed or full, the text has no destination.
    let _ = writeln!(std::io::stderr(), "{text}");
}
