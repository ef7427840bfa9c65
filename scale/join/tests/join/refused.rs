//! Bad input ends a join with a message that names the place, and without output.

use std::path::Path;

use crate::maps::write;
use crate::run::{leftovers, map, run, stderr};

const ROWS: &str = "id,wkt\n\
    1,\"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))\"\n\
    2,\"POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))\"\n\
    3,\"POLYGON ((4 4, 8 4, 8 8, 4 4))\"\n\
    4,POLYGON EMPTY\n";

/// Runs a join that fails, and returns its message.
fn message(folder: &Path, args: &[&str]) -> String {
    let to = folder.join("out.csv").display().to_string();
    let before = leftovers(folder).len();
    let output = run(&[args, &["-o", &to]].concat());
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(leftovers(folder).len(), before, "{:?}", leftovers(folder));
    stderr(&output)
}

#[track_caller]
fn has(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "no {word:?} in: {message}");
    }
}

#[test]
fn an_invalid_outline_is_named_by_file_row_and_id() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.csv", ROWS);
    let text = message(folder.path(), &[&bad]);
    has(&text, &["2 rows", "bad.csv, row 2, id 2", "crosses", "row 4, id 4", "empty", "--skip-invalid"]);
    // The larger input is in no index, so its faults are found last.
    for join in ["index", "hash"] {
        let inputs = [&map("new-england-states.geojson"), bad.as_str(), "--join", join];
        has(&message(folder.path(), &inputs), &["bad.csv, row 2, id 2"]);
        let small = write(folder.path(), "small.csv", "id,wkt\n1,POINT (1 1)\n");
        let output = run(&[&small, &bad, "--join", join]);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", stderr(&output));
        has(&stderr(&output), &["bad.csv, row 2, id 2"]);
    }
}

#[test]
fn invalid_outlines_that_are_left_out_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    for join in ["index", "hash"] {
        let output = run(&[&write(folder.path(), "bad.csv", ROWS), "--skip-invalid", "--join", join]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a,b\n1,3\n");
        has(&stderr(&output), &["bad.csv, row 2, id 2", "row 4, id 4", "2 of 4 rows were left out"]);
    }
}

/// Rows that `--where` excludes are not checked, but counted.
#[test]
fn the_row_counts_from_the_start_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.csv", ROWS);
    let text = message(folder.path(), &[&bad, "--where", "id > 2"]);
    has(&text, &["1 row is", "row 4, id 4"]);
    assert!(!text.contains("row 2"), "{text}");
}

#[test]
fn a_feature_without_a_geometry_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"{"type": "Feature", "properties": {}, "geometry": null, "id": "here"}"#;
    let text = message(folder.path(), &[&write(folder.path(), "none.ndjson", line)]);
    has(&text, &["none.ndjson, row 1, id here", "empty"]);
}

#[test]
fn ids_must_be_there_and_unique_in_a_self_join() {
    let folder = tempfile::tempdir().unwrap();
    let square = "\"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))\"";
    let none = write(folder.path(), "none.csv", &format!("id,wkt\na,{square}\n,{square}\n"));
    has(&message(folder.path(), &[&none]), &["none.csv, row 2", "id"]);
    let twice = write(folder.path(), "twice.csv", &format!("id,wkt\na,{square}\na,{square}\n"));
    for join in ["index", "hash"] {
        has(&message(folder.path(), &[&twice, "--join", join]), &["not unique", "1 pairs of rows", "--id"]);
    }
    let output = run(&[&twice, &twice]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 5, "{}", stderr(&output));
}

#[test]
fn files_and_columns_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.csv", "number,place\n1,POINT (0 0)\n");
    has(&message(folder.path(), &["nothing.parquet"]), &["nothing.parquet", "no such file"]);
    has(&message(folder.path(), &[&good]), &["good.csv", "no column id", "--id", "number, place"]);
    has(&message(folder.path(), &[&good, "--id", "number"]), &["geometry", "--geometry"]);
    has(&message(folder.path(), &["a.shp"]), &["a.shp"]);
    has(&message(folder.path(), &["ftp://host/a.parquet"]), &["ftp://host/a.parquet", "ftp:// cannot be read"]);
    let broken = write(folder.path(), "broken.geojson", "{\"type\": \"FeatureCollection\", \"features\": [{");
    has(&message(folder.path(), &[&broken]), &["broken.geojson", "feature 1"]);
}

#[test]
fn arguments_that_make_no_sense() {
    let counties = map("new-england-counties.geojson");
    for (args, words) in [
        (&["--on", "within-distance", "x"][..], &["within-distance"][..]),
        (&["--on", "near"], &["intersects", "contains"]),
        (&["--memory", "100MB"], &["--memory", "at least"]),
        (&["--where", "no_such_column > 1"], &["no_such_column"]),
    ] {
        let output = run(&[&[counties.as_str()], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        has(&stderr(&output), words);
    }
}

/// Thousands of threads would take minutes to start.
#[test]
fn too_many_threads() {
    let folder = tempfile::tempdir().unwrap();
    for count in ["1025", "99999", "-1", "x"] {
        let text = message(folder.path(), &[&map("new-england-states.geojson"), &format!("--threads={count}")]);
        has(&text, &[count, "--threads", "up to 1024"]);
    }
}
