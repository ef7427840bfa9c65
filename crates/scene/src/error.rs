//! Why a file or one of its objects was refused.
use std::fmt;

/// One object that could not become a collider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedObject {
    /// Its id, as contacts would name it.
    pub object: String,
    /// What is wrong, what was expected, what to do.
    pub reason: String,
}

impl fmt::Display for SkippedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}

/// A file that could not be read: which file, which line or object, what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub(crate) file: String,
    pub(crate) place: Option<String>,
    pub(crate) message: String,
}

impl Error {
    /// An error about the whole file.
    pub(crate) fn new(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, message: message.into() }
    }

    /// An error at a line or an object of the file.
    pub(crate) fn at(file: &str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: Some(place.into()), message: message.into() }
    }

    /// The file, as it was named to the reader.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line and column or the object, where the error is about one.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// What is wrong, what was expected, what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
