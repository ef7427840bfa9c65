//! Data on stdout, the rest on stderr; pipes, full disks, colours, widths.
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use crate::carom::{Folder, carom, command, run};

/// A row of n circles of radius 1, each overlapping its neighbours on both sides.
fn row(n: usize) -> String {
    let circle = |i| format!(r#"{{"shape": {{"circle": {{"radius": 1}}}}, "position": [{i}.25, 0]}}"#);
    let circles: Vec<String> = (0..n).map(circle).collect();
    format!(r#"{{"carom": 1, "colliders": [{}]}}"#, circles.join(","))
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(5000));
    for format in ["ndjson", "json", "table"] {
        let mut child = command()
            .args(["check", &file, "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("stdout is piped"));
        reader.fill_buf().expect("the first bytes");
        drop(reader);
        let mut errors = String::new();
        child.stderr.take().expect("stderr is piped").read_to_string(&mut errors).expect("UTF-8");
        assert_eq!(child.wait().expect("the binary ends").code(), Some(0), "{format}: {errors}");
        assert_eq!(errors, "", "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(10));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = command().args(["check", &file]).stdout(full).output().expect("the binary runs");
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.starts_with("carom: standard output: cannot be written: "), "{errors}");
}

#[test]
fn a_picture_that_cannot_be_written_leaves_stdout_empty() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(10));
    let picture = folder.path().join("no-such-folder/out.svg");
    let picture = picture.to_str().expect("UTF-8");
    let ran = carom(&["check", &file, "--render", picture]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with(&format!("carom: {picture}: the picture cannot be written: ")), "{}", ran.stderr);
}

#[test]
fn colours_only_where_they_are_welcome() {
    let coloured = |environment: &[(&str, &str)]| {
        let ran = run(command().envs(environment.iter().copied()), b"", Duration::from_mins(1));
        assert_eq!(ran.code, 0);
        ran.stdout.contains('\u{1b}')
    };
    assert!(!coloured(&[]), "stdout is a pipe");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[("CLICOLOR", "0")]));
}

#[test]
fn json_is_never_coloured() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(10));
    let args = ["check", &file, "--format", "json"];
    let ran = run(command().args(args).env("CLICOLOR_FORCE", "1"), b"", Duration::from_mins(1));
    assert_eq!(ran.data(), carom(&args).data());
}

#[test]
fn the_table_is_aligned_and_fits_80_columns() {
    let ran = carom(&[]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("carom check FILE"), "{}", ran.stderr);
    let widths = ran.stdout.lines().map(|line| line.chars().count());
    assert!(widths.max().unwrap_or(0) <= 80, "{}", ran.stdout);
    let header = ran.stdout.lines().next().expect("a header");
    let words: Vec<&str> = header.split_whitespace().collect();
    assert_eq!(words[..5], ["a", "b", "depth", "normal", "points"]);
}

#[test]
fn control_characters_in_ids_are_spelled_out() {
    let folder = Folder::new();
    let scene = r#"{"carom": 1, "colliders": [{"id": "\u001b[2J", "shape": {"circle": {"radius": 1}}},
                                              {"id": "b", "shape": {"circle": {"radius": 1}}}]}"#;
    let file = folder.file("escape.json", scene);
    let table = carom(&["check", &file]).data();
    assert!(table.contains(r"\u{1b}[2J") && !table.contains('\u{1b}'), "{table:?}");
    let words = carom(&["explain", &file, "\u{1b}[2J", "b"]).data();
    assert!(words.contains(r"\u{1b}[2J") && !words.contains('\u{1b}'), "{words:?}");
}
