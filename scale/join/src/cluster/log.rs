//! Writes the log of the servers to stderr. `RUST_LOG` sets its level: off, error, warn, info,
//! debug or trace.
//!
//! A join reports errors in its own words and has no log. The servers run without a user, so
//! warnings of the engine are shown.

use log::{LevelFilter, Log, Metadata, Record};

use crate::messages::line;

/// The only logger. A line has the level, the module and the message.
struct Stderr;

static LOG: Stderr = Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            line(format_args!("{} {}: {}", record.level(), record.target(), record.args()));
        }
    }

    fn flush(&self) {}
}

/// Starts the log.
pub(super) fn start() {
    let level = std::env::var("RUST_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::Warn);
    if log::set_logger(&LOG).is_ok() {
        log::set_max_level(level);
    }
}
