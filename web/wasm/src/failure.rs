//! Defines the error of an export.

#[cfg(feature = "world")]
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

/// Error for JavaScript: a message.
pub(crate) struct Failure {
    pub(crate) message: String,
    /// Vertex that caused the error.
    pub(crate) vertex: Option<usize>,
}

impl Failure {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), vertex: None }
    }

    /// Names the item of a list that failed.
    #[cfg(feature = "world")]
    pub(crate) fn of(self, item: impl fmt::Display) -> Self {
        Self { message: format!("{item}: {}", self.message), ..self }
    }
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        Self { message: error.to_string(), vertex: error.vertex() }
    }
}
