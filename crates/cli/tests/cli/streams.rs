//! Tests data on stdout, messages on stderr, pipes, full disks, colours, widths.
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use crate::carom::{Folder, carom, command, run};

/// Returns a row of n circles of radius 1. Each overlaps its neighbours.
fn row(n: usize) -> String {
    let circle = |i| format!(r#"{{"shape": {{"circle": {{"radius": 1}}}}, "position": [{i}.25, 0]}}"#);
    let circles: Vec<String> = (0..n).map(circle).collect();
    format!(r#"{{"carom": 1, "colliders": [{}]}}"#, circles.join(","))
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(5000));
    for format in ["ndjson", "json", "table", "csv"] {
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

/// JSON is written while contacts are computed. At the first byte the process has allocated its
/// candidates, not their contacts.
#[cfg(target_os = "linux")]
#[test]
fn json_begins_before_all_contacts_are_in_memory() {
    const SHAPES: usize = 2_000;
    let folder = Folder::new();
    let circles = vec![r#"{"shape": {"circle": {"radius": 1}}}"#; SHAPES].join(",");
    let file = folder.file("spot.json", format!(r#"{{"carom": 1, "colliders": [{circles}]}}"#));
    for format in ["ndjson", "json"] {
        let args = ["check", &file, "--format", format, "--threads", "2"];
        let mut child = command().args(args).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("stdout is piped"));
        reader.fill_buf().expect("the first bytes");
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("the status of the child");
        child.kill().expect("the child can be killed");
        child.wait().expect("the binary ends");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak of its memory");
        let peak: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes");
        let per_contact = peak * 1024 / (SHAPES * (SHAPES - 1) / 2);
        // A manifold alone takes more than 100 bytes; a candidate takes 8.
        assert!(per_contact < 64, "{format}: {per_contact} bytes a contact, {peak} kB");
    }
}

/// Exit code and count do not depend on the amount that the reader took. Near misses come first
/// here, intersecting pairs last.
#[test]
fn a_reader_that_leaves_early_changes_no_exit_code() {
    let folder = Folder::new();
    let circle = |x: f64| format!(r#"{{"shape": {{"circle": {{"radius": 1}}}}, "position": [{x}, 0]}}"#);
    let near = (0..20_000).map(|i| circle(f64::from(i) * 2.25));
    let circles: Vec<String> = near.chain([circle(-9.0), circle(-9.5)]).collect();
    let file = folder.file("row.json", format!(r#"{{"carom": 1, "colliders": [{}]}}"#, circles.join(",")));
    for format in ["ndjson", "json"] {
        let args = ["check", &file, "--format", format, "--margin", "0.5", "--threads", "1", "--deny", "--stats"];
        for args in [&args[..], &args[..args.len() - 1]] {
            let mut child =
                command().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
            let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("stdout is piped"));
            reader.fill_buf().expect("the first bytes");
            drop(reader);
            let mut errors = String::new();
            child.stderr.take().expect("stderr is piped").read_to_string(&mut errors).expect("UTF-8");
            assert_eq!(child.wait().expect("the binary ends").code(), Some(1), "{args:?}: {errors}");
            assert_eq!(errors.contains("contacts      20000\n"), args.contains(&"--stats"), "{errors}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let folder = Folder::new();
    let file = folder.file("row.json", row(10));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    for args in [&["check", &file][..], &["--help"], &["check", "--help"], &["--version"]] {
        let full = full.try_clone().expect("/dev/full");
        let output = command().args(args).stdout(full).output().expect("the binary runs");
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(errors.starts_with("carom: standard output: cannot be written: "), "{args:?}: {errors}");
    }
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
    assert_eq!(words[..6], ["a", "b", "layers", "depth", "normal", "points"]);
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
