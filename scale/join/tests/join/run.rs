//! Runs the program and reads its pairs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// No run may take longer.
pub(crate) const LIMIT: Duration = Duration::from_mins(1);

/// Returns a command that runs the program.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom-join"))
}

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Output {
    finish(program().args(args))
}

/// Runs a command to its end. Kills it after [`LIMIT`] and fails the test.
pub(crate) fn finish(command: &mut Command) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let id = child.id().to_string();
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let guard = thread::spawn(move || {
        if receiver.recv_timeout(LIMIT).is_err() {
            // The caller sees the signal in the status.
            Command::new("kill").args(["-9", &id]).status().ok();
        }
    });
    let start = Instant::now();
    let output = child.wait_with_output().expect("it can be waited for");
    sender.send(()).ok();
    guard.join().expect("the guard ends");
    assert!(start.elapsed() < LIMIT, "not done in {LIMIT:?}: {}", stderr(&output));
    output
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the folder of the bundled maps.
pub(crate) fn map(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../maps").join(name).display().to_string()
}

/// Runs a join with CSV output, and returns the number of pairs and the checksum of the sorted lines.
pub(crate) fn join(args: &[&str]) -> (u64, String) {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    digest(&String::from_utf8(output.stdout).unwrap())
}

/// Returns the number of pairs in a CSV text and the checksum of the sorted lines `a b`.
pub(crate) fn digest(csv: &str) -> (u64, String) {
    let mut lines: Vec<String> = csv.lines().skip(1).map(|line| line.replacen(',', " ", 1) + "\n").collect();
    lines.sort();
    let sum = Sha256::digest(lines.concat().as_bytes());
    let hex = sum.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a text takes everything");
        hex
    });
    (lines.len() as u64, hex)
}

/// Returns the pairs that shapely found (`maps/expected.py`).
pub(crate) fn expected(name: &str) -> (u64, String) {
    let text = std::fs::read_to_string(map("expected.json")).unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let one = &all[name];
    (one["pairs"].as_u64().unwrap_or_else(|| panic!("no {name}")), one["sha256"].as_str().unwrap().to_owned())
}

/// Returns the entries of a folder.
pub(crate) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
