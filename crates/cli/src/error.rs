//! Error of a command: one message, printed after `carom: `.
use std::fmt;

use crate::number_format;

/// Message with the error, its location, the expected input and the remedy.
#[derive(Debug)]
pub(crate) struct CliError(String);

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Returns an error about a file or another source.
    pub(crate) fn at(location: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self(format!("{location}: {message}"))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&number_format::text(&self.0))
    }
}

impl From<carom_scene::Error> for CliError {
    fn from(error: carom_scene::Error) -> Self {
        Self(error.to_string())
    }
}
