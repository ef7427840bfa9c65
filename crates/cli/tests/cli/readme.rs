//! Runs every command line of README.md and docs/CLI.md.
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::carom::{root, run};

/// Prefixes of carom's lines in a ```` ```sh ```` block. The long form builds the binary first.
const BEGINNINGS: [&str; 3] = ["carom ", "cargo run --release -- ", "cargo run --release"];

/// Returns the lines to run: one for each `carom …` in a block marked `sh`.
fn command_lines(readme: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut shell = false;
    for line in readme.lines().map(str::trim) {
        if let Some(language) = line.strip_prefix("```") {
            shell = language.trim() == "sh";
        } else if shell {
            let line = line.split(" #").next().unwrap_or(line).trim_end();
            let beginning = BEGINNINGS.iter().find(|beginning| format!("{line} ").starts_with(**beginning));
            lines.extend(beginning.map(|beginning| {
                let rest = line.get(beginning.len()..).unwrap_or("");
                format!("carom {rest}")
            }));
        }
    }
    lines
}

/// Returns the text of a page of the repository.
fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_carom_command_line_works() {
    for path in ["README.md", "docs/CLI.md"] {
        works(path);
    }
}

/// Runs the command lines of a page in order in one folder: `replay` reads the file that `simulate` wrote.
fn works(path: &str) {
    let lines = command_lines(&page(path));
    assert!(!lines.is_empty(), "{path} shows no command line of carom");
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&root().join("scenes"), &folder.path().join("scenes"));
    for line in lines {
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(folder.path()).env("PATH", search_path());
        let ran = run(&mut shell, b"", Duration::from_mins(1));
        let expected = if line.contains("--deny") { 0..=1 } else { 0..=0 };
        assert!(expected.contains(&ran.code), "{line}: {}", ran.stderr);
        println!("{line}");
    }
}

/// Returns the search path with the folder of the binary first.
pub(crate) fn search_path() -> std::ffi::OsString {
    let binary = Path::new(env!("CARGO_BIN_EXE_carom"));
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&others));
    std::env::join_paths(folders).expect("a search path")
}

/// The Chinese README shows the same code and the same command lines as the English one.
#[test]
fn both_readmes_have_the_same_blocks() {
    let blocks = |path| page(path).split("```").skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    assert_eq!(blocks("README.md"), blocks("README.zh.md"));
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the folder can be listed") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a file type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn command_lines_are_found() {
    let readme = "```sh\ncarom check a.json # words\ncargo run --release -- man\ncargo run --release\n\
                  cargo test\n```\n```rust\ncarom check no\n```\ncarom check no\n";
    assert_eq!(command_lines(readme), ["carom check a.json", "carom man", "carom "]);
}
