//! Measures builds: how long they take, how large the results are, and how much source there is.
//! carom beside parry2d, cold, in one run.
//!
//! Each row builds crates in empty temporary folders. Dependencies are downloaded before the clock starts.

mod builds;
mod code;
mod sizes;

use std::collections::BTreeMap;

use crate::cargo::Error;

/// The version of parry2d that is measured.
const PARRY: &str = "parry2d = \"=0.31.1\"";

/// One line of the table.
struct Row {
    what: String,
    carom: String,
    parry: String,
    goal: &'static str,
}

impl Row {
    fn new(what: impl Into<String>, carom: impl Into<String>, parry: impl Into<String>, goal: &'static str) -> Self {
        Self { what: what.into(), carom: carom.into(), parry: parry.into(), goal }
    }
}

/// Measures some rows of the table, all if none is named, and prints it as Markdown.
pub(crate) fn run(names: &[&str]) -> Result<(), Error> {
    type Measure = fn() -> Result<Vec<Row>, Error>;
    let rows: BTreeMap<&str, Measure> = BTreeMap::from([
        ("clone", builds::fresh_clone as Measure),
        ("dependent", builds::dependent_crate),
        ("ir", code::intermediate_code),
        ("lines", code::source),
        ("programs", sizes::programs),
        ("wasm", sizes::wasm),
    ]);
    if let Some(unknown) = names.iter().find(|name| !rows.contains_key(**name)) {
        return Err(
            format!("unknown row {unknown:?}: one of {}", rows.keys().copied().collect::<Vec<_>>().join(", ")).into()
        );
    }
    println!("| measured | carom | parry2d | goal |\n|---|--:|--:|--:|");
    for (name, measure) in rows {
        if names.is_empty() || names.contains(&name) {
            for Row { what, carom, parry, goal } in measure()? {
                println!("| {what} | {carom} | {parry} | {goal} |");
            }
        }
    }
    Ok(())
}
