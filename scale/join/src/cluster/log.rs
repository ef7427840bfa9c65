//! Writes the log of the servers to stderr. `RUST_LOG` sets its level: off, error, warn, info,
//! debug or trace.
//!
//! A join reports errors in its own words and has no log. The servers run without a user, so
//! warnings of the engine are shown.

use std::io::Write as _;

use log::{LevelFilter, Log, Metadata, Record};

/// The only logger. A line has the level, the module and the message.
struct Stderr;

static LOG: Stderr = Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // If stderr is closed, there is no place for the message.
            let _ = writeln!(std::io::stderr(), "{} {}: {}", record.level(), record.target(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Prints a line of a server on stderr. A full disk behind stderr does not end the server.
pub(super) fn line(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "carom-join: {text}");
}

/// Starts the log.
pub(super) fn start() {
    let level = std::env::var("RUST_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::Warn);
    if log::set_logger(&LOG).is_ok() {
        log::set_max_level(level);
    }
}
