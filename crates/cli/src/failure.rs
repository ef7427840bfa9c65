//! Why a command could not do its work: one message, printed after `carom: `.
use std::fmt;

use crate::human;

/// What went wrong, where, what was expected, what to do.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// About a file or another place.
    pub(crate) fn at(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self(format!("{place}: {message}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&human::text(&self.0))
    }
}

impl From<carom_scene::Error> for Failure {
    fn from(error: carom_scene::Error) -> Self {
        Self(error.to_string())
    }
}
