//! Checks before a pull request, and benchmarks of single kernels.

use std::process::Command;

use crate::cargo::{Error, root};

/// Runs cargo in the repository with its output on the terminal.
fn step(title: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Error> {
    eprintln!("\n== {title}: cargo {}", arguments.join(" "));
    let status =
        Command::new("cargo").current_dir(root()).args(arguments).envs(environment.iter().copied()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{title} failed: cargo {}", arguments.join(" ")).into()) }
}

/// Checks format, lints, docs and tests, also of the crate outside the workspace. Stops at the first failure.
pub(crate) fn run() -> Result<(), Error> {
    step("format", &["fmt", "--all", "--check"], &[])?;
    step("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    step("lints of scenes without schemas", &["clippy", "--package", "carom-scene", "--", "-D", "warnings"], &[])?;
    step("docs", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    step("tests", &["test", "--workspace"], &[])?;
    step("vector types of other crates", &["test", "--manifest-path", "crates/core/tests/interop/Cargo.toml"], &[])
}

/// Benchmarks the kernels whose names contain one of `names`; all if `names` is empty.
pub(crate) fn bench(names: &[&str]) -> Result<(), Error> {
    let arguments = ["bench", "--package", "carom", "--bench", "kernels", "--"];
    step("bench", &[&arguments, names].concat(), &[])
}
