//! Counts the code, comment and blank lines of Rust files.

use std::fs;
use std::path::Path;

use crate::cargo::Error;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) files: usize,
    pub(crate) code: usize,
    pub(crate) comment: usize,
    pub(crate) blank: usize,
}

/// Counts the lines of all Rust files below a folder. A line is a comment if it begins with `//`.
pub(crate) fn count(folder: &Path) -> Result<Lines, Error> {
    let mut lines = Lines::default();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let below = count(&path)?;
            lines.files += below.files;
            lines.code += below.code;
            lines.comment += below.comment;
            lines.blank += below.blank;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            lines.files += 1;
            for line in fs::read_to_string(&path)?.lines().map(str::trim) {
                match line {
                    "" => lines.blank += 1,
                    line if line.starts_with("//") => lines.comment += 1,
                    _ => lines.code += 1,
                }
            }
        }
    }
    Ok(lines)
}
