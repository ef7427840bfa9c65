//! What is wrong with a part of the file.

/// What is wrong with one collider.
pub(super) struct ParseError {
    /// Line and column inside the collider, where they are known; from 1.
    pub(super) position: (usize, usize),
    /// The path below the collider; empty for the collider itself.
    pub(super) path: String,
    pub(super) message: String,
}

impl ParseError {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { position: (1, 1), path: path.into(), message: message.into() }
    }
}

/// `serde_json` appends the position, which stands in front here.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}
