//! Inputs that do not fit into the memory budget.

use std::fmt::Write as _;

use crate::maps::write;
use crate::run::{leftovers, run, stderr};

/// The least budget of a thread. An index may use 64 MiB of it.
const LITTLE: [&str; 4] = ["--memory", "263MB", "--threads", "1"];

/// Points on a line, and two at each place.
fn pairs_of_points(count: usize) -> String {
    let mut text = "id,wkt\n".to_owned();
    for i in 0..count {
        writeln!(text, "{i},POINT ({} 0)", i / 2).unwrap();
    }
    text
}

/// The file is small, but the boxes and the tree of its outlines are not.
#[test]
fn an_index_that_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let points = write(folder.path(), "points.csv", &pairs_of_points(600_000));
    let output = run(&[&[points.as_str(), "--explain"], &LITTLE[..]].concat());
    let plan = stderr(&output);
    // The whole plan has megabytes.
    assert!(output.status.success(), "{}", plan.lines().last().unwrap_or_default());
    assert!(plan.contains("carom_cells"), "the engine did not join");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found: Vec<Vec<u32>> =
        text.lines().skip(1).map(|line| line.split(',').map(|id| id.parse().unwrap()).collect()).collect();
    found.sort_unstable();
    let expected: Vec<Vec<u32>> = (0..300_000).map(|place| vec![2 * place, 2 * place + 1]).collect();
    assert!(found == expected, "{} pairs", found.len());

    let file = folder.path().join("out.csv").display().to_string();
    let output = run(&[&[points.as_str(), "--join", "index", "-o", &file], &LITTLE[..]].concat());
    refused(&output);
    assert_eq!(leftovers(folder.path()).len(), 1);
}

/// The file alone is larger than the budget of an index.
#[test]
fn a_file_that_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let pad = "x".repeat(100_000);
    let rows: Vec<String> = (0..700).map(|i| format!("{i},POINT ({i} 0),{pad}\n")).collect();
    let padded = write(folder.path(), "padded.csv", &format!("id,wkt,pad\n{}", rows.concat()));
    refused(&run(&[&[padded.as_str(), "--join", "index"], &LITTLE[..]].concat()));
}

#[track_caller]
fn refused(output: &std::process::Output) {
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", stderr(output));
    for words in ["no input fits", "--memory", "--join index"] {
        assert!(stderr(output).contains(words), "no {words:?} in: {}", stderr(output));
    }
}
