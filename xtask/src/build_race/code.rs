//! Counts the code: source lines, and lines of LLVM IR that the compiler generates.

use std::fs;

use super::Row;
use crate::cargo::{Error, cargo, root};
use crate::source_lines::count;

/// Counts the source lines of the library, and of its vectors.
pub(super) fn source() -> Result<Vec<Row>, Error> {
    let row = |folder: &str, goal: &'static str| -> Result<Row, Error> {
        let lines = count(&root().join(folder))?;
        let found =
            format!("{} code, {} comment, {} blank, {} files", lines.code, lines.comment, lines.blank, lines.files);
        Ok(Row::new(format!("`{folder}`, lines"), found, "", goal))
    };
    Ok(vec![row("crates/core/src", "22000 code")?, row("crates/simd/src", "")?])
}

/// Counts the functions and the instructions of LLVM's intermediate code of the library, before optimization,
/// with the default features. `cargo llvm-lines` counts the same, up to 4 %.
pub(super) fn intermediate_code() -> Result<Vec<Row>, Error> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("target");
    let arguments = [
        "rustc",
        "--release",
        "--lib",
        "--package",
        "carom",
        "--target-dir",
        &target.to_string_lossy(),
        "--",
        "--emit=llvm-ir",
        "-Cno-prepopulate-passes",
        "-Cpasses=name-anon-globals",
        "-Ccodegen-units=1",
    ];
    cargo(&root(), &arguments, &[])?;
    let (mut functions, mut lines) = (0, 0);
    for entry in fs::read_dir(target.join("release/deps"))? {
        let path = entry?.path();
        let is_library = path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("carom-"));
        if is_library && path.extension().is_some_and(|extension| extension == "ll") {
            let mut is_in_function = false;
            for line in fs::read_to_string(&path)?.lines() {
                let is_start = line.starts_with("define ");
                functions += usize::from(is_start);
                is_in_function |= is_start;
                // Instructions are indented; labels, blank lines and the function's head are not.
                lines += usize::from(is_in_function && line.starts_with("  "));
                is_in_function &= line != "}";
            }
        }
    }
    let found = format!("{lines} lines, {functions} functions");
    Ok(vec![Row::new("LLVM code of the library, release", found, "", "half of 791000")])
}
