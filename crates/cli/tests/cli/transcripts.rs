//! The transcripts of docs/CLI.md are what the program prints.
//!
//! A block marked `console` has commands after `$ `, each followed by its output. The output is
//! stdout and stderr as a terminal shows them. The exit code follows if it is not 0.
//! `CAROM_BLESS=1` rewrites the outputs.
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::carom::{root, run};
use crate::readme::{copy, search_path};

/// Returns the page with the outputs of its commands, run in order in one folder.
fn rewritten(page: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&root().join("scenes"), &folder.path().join("scenes"));
    let (mut out, mut console, mut keep) = (String::new(), false, true);
    for line in page.lines() {
        let fence = line.starts_with("```");
        if fence {
            console = !console && line.trim() == "```console";
            keep = true;
        }
        match line.strip_prefix("$ ").filter(|_| console) {
            Some(command) => {
                writeln!(out, "{line}").expect("a String grows");
                // The output of a command whose tools are missing stays as it is.
                keep = command.contains("jq ") && !has_jq();
                if !keep {
                    out += &output(command, folder.path());
                }
            }
            None if console && !keep => {}
            None => writeln!(out, "{line}").expect("a String grows"),
        }
        if fence && !console {
            keep = true;
        }
    }
    out
}

fn has_jq() -> bool {
    Command::new("jq").arg("--version").output().is_ok_and(|ran| ran.status.success())
}

fn output(command: &str, folder: &Path) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).current_dir(folder).env("PATH", search_path());
    let ran = run(&mut shell, b"", Duration::from_mins(1));
    let code = if ran.code == 0 { String::new() } else { format!("(exit code {})\n", ran.code) };
    format!("{}{code}", ran.stdout)
}

#[test]
fn transcripts_equal_the_output() {
    let path = root().join("docs/CLI.md");
    let page = std::fs::read_to_string(&path).expect("docs/CLI.md");
    assert!(page.contains("```console\n$ carom check"), "docs/CLI.md has no transcript");
    let rewritten = rewritten(&page);
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(&path, &rewritten).expect("docs/CLI.md can be written");
        return;
    }
    let first = page.lines().zip(rewritten.lines()).find(|(old, new)| old != new);
    assert!(
        page == rewritten,
        "a transcript differs at {first:?}: run CAROM_BLESS=1 cargo test -p carom-cli, look at the difference, commit \
         it"
    );
}

#[test]
fn a_wrong_transcript_is_found() {
    let page = "# T\n```console\n$ echo a; echo b >&2; exit 3\nx\n```\ntext\n";
    assert_eq!(rewritten(page), "# T\n```console\n$ echo a; echo b >&2; exit 3\na\nb\n(exit code 3)\n```\ntext\n");
}
