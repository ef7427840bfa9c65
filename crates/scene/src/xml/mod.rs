//! Parses XML, after a check of its limits.
//!
//! Readers of Tiled and SVG share it. Errors name the line and column, also if the file ends early.

mod limits;

use roxmltree::{Document, ParsingOptions};

use crate::Error;

/// Parses a file. The error names line and column.
pub(crate) fn parse<'t>(file: &str, text: &'t str) -> Result<Document<'t>, Error> {
    limits::check(text).map_err(|(at, message)| {
        let line = text[..at].matches('\n').count() + 1;
        Error::at(file, format!("line {line}"), message)
    })?;
    // Old versions of Tiled and of drawing programs wrote a document type.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|e| broken(file, text, &e))
}

/// Returns the message of the parser without the position at its end.
fn broken(file: &str, text: &str, error: &roxmltree::Error) -> Error {
    use roxmltree::Error::{NoRootNode, UnclosedRootNode, UnexpectedEndOfStream};
    let message = error.to_string();
    let message = message.rsplit_once(" at ").map_or(message.as_str(), |(message, _)| message);
    let (line, column) = match error {
        // The parser has no position if a file ends early. The position is the end.
        NoRootNode | UnclosedRootNode | UnexpectedEndOfStream => {
            (text.lines().count(), text.lines().last().map_or(0, |line| line.chars().count()) + 1)
        }
        error => (error.pos().row as usize, error.pos().col as usize),
    };
    Error::at(file, format!("line {line}, column {column}"), format!("broken XML: {message}"))
}
