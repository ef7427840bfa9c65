//! Inputs that do not fit into the memory budget.

use std::fmt::Write as _;

use crate::large::peak;
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

/// The file is small, but the boxes and the tree of its outlines are not. The engine sorts them in many files. It read
/// each file with a thread of its own, and the memory of these threads exceeded the budget.
#[test]
fn an_index_that_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let points = write(folder.path(), "points.csv", &pairs_of_points(600_000));
    let output = run(&[&[points.as_str(), "--explain"], &LITTLE[..]].concat());
    let plan = stderr(&output);
    // The whole plan has megabytes.
    assert!(output.status.success(), "{}", plan.lines().last().unwrap_or_default());
    assert!(plan.contains("carom_cells"), "the engine did not join");
    assert!(peak(&plan) <= 263, "{} MB", peak(&plan));
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

/// The index fits, but one row of the other input does not fit beside it. Rows that are left out are listed once.
#[test]
fn a_row_that_does_not_fit_beside_the_index() {
    let folder = tempfile::tempdir().unwrap();
    // 32 MB as WKB.
    let mut lines = "id,wkt\n".to_owned();
    for x in 0..2000 {
        let points: Vec<String> = (0..1000).map(|y| format!("{x} {y}")).collect();
        writeln!(lines, "{x},\"LINESTRING ({})\"", points.join(", ")).unwrap();
    }
    let lines = lines + "2000,\"POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))\"\n";
    let lines = write(folder.path(), "lines.csv", &lines);
    let long = "x".repeat(55_000_000);
    let other = write(folder.path(), "other.csv", &format!("id,wkt\n{long},POINT (7 0.5)\n"));
    let args = [&[lines.as_str(), &other, "--skip-invalid"], &LITTLE[..]].concat();
    let output = run(&args);
    let log = stderr(&output);
    assert!(output.status.success(), "{}", log.lines().last().unwrap_or_default());
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<String> = text.lines().skip(1).map(|line| line.replace(&long, "long")).collect();
    assert_eq!(found, ["7,long"]);
    assert_eq!(log.matches("left out: ").count(), 1, "{log}");
    assert_eq!(log.matches("1 of 2001 rows were left out").count(), 1, "{log}");

    let output = run(&[&args[..], &["--join", "index"]].concat());
    let log = stderr(&output);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{log}");
    for words in ["beside", "--memory", "--join index"] {
        assert!(log.contains(words), "no {words:?} in: {log}");
    }
    assert!(!log.contains("no input fits"), "{log}");
}

#[track_caller]
fn refused(output: &std::process::Output) {
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", stderr(output));
    for words in ["no input fits", "--memory", "--join index"] {
        assert!(stderr(output).contains(words), "no {words:?} in: {}", stderr(output));
    }
}
