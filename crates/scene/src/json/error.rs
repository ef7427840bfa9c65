//! Defines the error of one collider, with its position and path inside the element.
//!
//! `read.rs` converts the position to a line and column of the file.

/// Error of one collider.
pub(super) struct ParseError {
    /// Line and column inside the collider, from 1. (1, 1) if they are unknown.
    pub(super) position: (usize, usize),
    /// Path below the collider. Empty for the collider itself.
    pub(super) path: String,
    pub(super) message: String,
}

impl ParseError {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { position: (1, 1), path: path.into(), message: message.into() }
    }
}

/// Removes the position that `serde_json` appends, because it is at the front here.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}
