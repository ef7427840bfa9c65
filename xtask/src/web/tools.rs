//! Finds the tools of the web build, and installs the wasm target if rustup can.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cargo::{Error, root};

/// The target of the wasm modules.
pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// The oldest major version of Node that the build supports.
const OLDEST_NODE: u32 = 20;

/// Runs a command with its output on the terminal.
pub(super) fn run(command: &mut Command) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name} cannot be started: {error}"))?;
    if status.success() {
        return Ok(());
    }
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    Err(format!("{name} {} failed", arguments.join(" ")).into())
}

/// Returns the output of a command, or `None` if it does not exist or fails.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Installs the wasm target with rustup, unless it is there.
pub(super) fn require_wasm_target() -> Result<(), Error> {
    let folder = output_of("rustc", &["--print", "target-libdir", "--target", TARGET]);
    if folder.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    eprintln!("The target {TARGET} is missing. Installing it: rustup target add {TARGET}");
    run(Command::new("rustup").current_dir(root()).args(["target", "add", TARGET])).map_err(|error| {
        format!("{error}\nThe target {TARGET} is missing. Install it with rustup (https://rustup.rs).").into()
    })
}

/// Checks that Node and npm exist and are new enough.
pub(super) fn require_node() -> Result<(), Error> {
    let how =
        format!("Install Node {OLDEST_NODE} or newer: https://nodejs.org, or the package `nodejs` of your system.");
    let version = output_of("node", &["--version"]).ok_or_else(|| format!("Node is missing. {how}"))?;
    let major: u32 = version.trim_start_matches('v').split('.').next().unwrap_or("").parse().unwrap_or(0);
    if major < OLDEST_NODE {
        return Err(format!("Node {version} is too old. {how}").into());
    }
    if output_of(npm_program(), &["--version"]).is_none() {
        return Err(format!("npm is missing. {how}").into());
    }
    Ok(())
}

fn npm_program() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Runs npm in a folder.
pub(super) fn npm(folder: &Path, arguments: &[&str]) -> Result<(), Error> {
    eprintln!("\n== npm {} ({})", arguments.join(" "), folder.display());
    run(Command::new(npm_program()).current_dir(folder).args(arguments))
}
