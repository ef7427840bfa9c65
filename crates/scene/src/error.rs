//! Defines errors of files and of their objects.
//!
//! Messages name the file, the location, the reason and, if there is one, the remedy. An [`Error`]
//! ends reading. A [`SkippedObject`] is a refused object, if the reader continues.

use std::fmt;

/// Object that cannot become a collider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedObject {
    /// Id of the object, as in contacts.
    pub object: String,
    /// The reason, the expected value, and the remedy.
    pub reason: String,
}

impl fmt::Display for SkippedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}

/// Error of a file that cannot be read. Names the file, the line or object, and the expected
/// content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub(crate) file: String,
    pub(crate) location: Option<String>,
    pub(crate) message: String,
}

impl Error {
    /// Returns an error about the whole file.
    pub(crate) fn new(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), location: None, message: message.into() }
    }

    /// Returns an error at a line or an object of the file.
    pub(crate) fn at(file: &str, location: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), location: Some(location.into()), message: message.into() }
    }

    /// Returns the name of the file, as given to the reader.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the line and column or the object. `None` for errors about the whole file.
    #[must_use]
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns the message: the reason, the expected content, and the remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
