//! Ids are reported as the files have them, and the files of a glob have the same columns.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;

use crate::maps::write;
use crate::run::{leftovers, run, stderr};

/// Returns the output of a join that succeeds.
#[track_caller]
fn pairs(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the message of a join that fails without output.
#[track_caller]
fn message(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

/// Writes a CSV file with points at one place.
fn points(folder: &Path, name: &str, ids: &[&str]) -> String {
    let rows: Vec<String> = ids.iter().map(|id| format!("{id},POINT (1 1)\n")).collect();
    write(folder, name, &format!("id,wkt\n{}", rows.concat()))
}

/// Codes of counties start with 0. A number has no leading zero, no plus sign and no exponent.
#[test]
fn ids_of_csv_keep_their_form() {
    let folder = tempfile::tempdir().unwrap();
    for (first, second) in [
        ("01001", "01003"),
        ("1e5", "100000"),
        ("+3", "3"),
        ("18446744073709551614", "18446744073709551615"),
        ("2020-01-01", "2020-01-02"),
        ("1.50", "2.25"),
        ("-1", "2"),
    ] {
        let file = points(folder.path(), "points.csv", &[first, second]);
        for join in ["index", "hash", "sort-merge"] {
            let found = pairs(&[&file, "--join", join]);
            let text = found.strip_prefix("a,b\n").unwrap().trim_end();
            let (a, b) = text.split_once(',').unwrap();
            assert!([(first, second), (second, first)].contains(&(a, b)), "{join}: {found}");
        }
    }
    // Integers are compared as numbers.
    assert_eq!(pairs(&[&points(folder.path(), "points.csv", &["10", "9"])]), "a,b\n9,10\n");
}

/// SQL takes -0.0 for 0.0: both are one id, in each kind of join.
#[test]
fn zeros_of_both_signs_are_one_id() {
    let folder = tempfile::tempdir().unwrap();
    for data_type in ["Float64", "Float32"] {
        let write = |name: &str, ids: &[&str]| {
            let rows: Vec<_> = ids.iter().map(|id| format!("({id}, 'POINT (1 1)')")).collect();
            let values = format!("(VALUES {}) AS t(id, wkt)", rows.join(", "));
            let query = format!("SELECT arrow_cast(id, '{data_type}') AS id, wkt FROM {values}");
            let path = folder.path().join(name).display().to_string();
            let output = run(&["sql", &query, "-o", &path]);
            assert!(output.status.success(), "{}", stderr(&output));
            path
        };
        let both = write("both.parquet", &["'0.0'", "'-0.0'", "'1'"]);
        let one = write("one.parquet", &["'-0.0'", "'0.1'"]);
        for join in ["index", "hash", "sort-merge"] {
            let text = message(&[&both, "--join", join]);
            assert!(text.contains("are not unique: 1 pairs of rows"), "{join}: {text}");
            assert_eq!(pairs(&[&one, "--join", join]), "a,b\n0.0,0.1\n", "{join}");
        }
    }
}

/// Only the first rows tell the type. A later id of another form makes all ids text.
#[test]
fn a_late_id_of_another_form() {
    let folder = tempfile::tempdir().unwrap();
    for last in ["07", "A7"] {
        let rows: Vec<String> = (1..3000).map(|id| format!("{id},POINT ({id} 0)\n")).collect();
        let text = format!("id,wkt\n{}{last},POINT (7 0)\n", rows.concat());
        let file = write(folder.path(), "late.csv", &text);
        for join in ["index", "hash"] {
            let found = pairs(&[&file, "--join", join]);
            assert!([format!("a,b\n7,{last}\n"), format!("a,b\n{last},7\n")].contains(&found), "{found}");
        }
    }
}

/// Rows that are left out are listed once, even if a late id of the other input starts the join again.
#[test]
fn a_late_id_lists_left_out_rows_once() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.csv", "id,wkt\n1,POLYGON EMPTY\n2,POINT (7 0)\n");
    let rows: Vec<String> = (1..3000).map(|id| format!("{id},POINT ({id} 0)\n")).collect();
    let late = write(folder.path(), "late.csv", &format!("id,wkt\n{}07,POINT (7 0)\n", rows.concat()));
    for join in ["index", "hash"] {
        let output = run(&[&bad, &late, "--skip-invalid", "--join", join]);
        let mut lines: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["2,07", "2,7", "a,b"]);
        assert_eq!(stderr(&output).matches("left out: ").count(), 1, "{}", stderr(&output));
    }
}

/// The types come from all files of a glob, the names must be the same.
#[test]
fn the_files_of_a_glob() {
    let folder = tempfile::tempdir().unwrap();
    let glob = folder.path().join("*.csv").display().to_string();
    points(folder.path(), "1.csv", &["1"]);
    points(folder.path(), "2.csv", &["b2"]);
    write(folder.path(), "3.csv", "");
    assert_eq!(pairs(&[&glob]), "a,b\n1,b2\n");
    // The same columns in another order.
    write(folder.path(), "4.csv", "wkt,id\nPOINT (1 1),4\n");
    let text = message(&[&glob]);
    assert!(text.contains("4.csv: the columns are wkt, id") && text.contains("1.csv are id, wkt"), "{text}");
    let empty = write(folder.path(), "empty.csv", "");
    assert!(message(&[&empty]).contains("empty.csv: the file is empty"));
}

/// Columns of other types are refused before rows are read.
#[test]
fn types_that_are_no_ids_or_geometries() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = write(folder.path(), "numbers.csv", "id,wkt\n1,2\n");
    for join in ["index", "hash"] {
        let text = message(&[&numbers, "--join", join]);
        assert!(text.contains("numbers.csv: column wkt has the type Int64") && text.contains("--geometry"), "{text}");
    }
}

/// Writes GeoParquet of one point with this reference system.
fn geoparquet(folder: &Path, name: &str, crs: &str) -> String {
    let path = folder.join(name).display().to_string();
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let points: ArrayRef = Arc::new(StringArray::from(vec!["POINT (1 1)"]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("geometry", points)]).unwrap();
    let column = format!(r#"{{"encoding": "WKB", "geometry_types": [] {crs}}}"#);
    let geo = format!(r#"{{"version": "1.1.0", "primary_column": "geometry", "columns": {{"geometry": {column}}}}}"#);
    let key = KeyValue::new("geo".to_owned(), geo);
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![key])).build();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

/// A file without a reference system has longitudes and latitudes. One with `null` has an unknown system.
#[test]
fn reference_systems() {
    let folder = tempfile::tempdir().unwrap();
    let epsg = |code| format!(r#", "crs": {{"name": "x{code}", "id": {{"authority": "EPSG", "code": {code}}}}}"#);
    let mercator = geoparquet(folder.path(), "a.parquet", &epsg(3857));
    let degrees = geoparquet(folder.path(), "b.parquet", &epsg(4326));
    let none = geoparquet(folder.path(), "c.parquet", "");
    let null = geoparquet(folder.path(), "d.parquet", r#", "crs": null"#);
    let point = r#""geometry": {"type": "Point", "coordinates": [1, 1]}, "type": "Feature", "id": 1"#;
    let geojson = write(folder.path(), "a.geojson", &format!("{{{point}}}"));
    let named = |name| format!(r#"{{{point}, "crs": {{"type": "name", "properties": {{"name": "{name}"}}}}}}"#);
    let old = write(folder.path(), "b.geojson", &named("urn:ogc:def:crs:EPSG::3857"));
    for other in [&degrees, &none, &geojson] {
        let text = message(&[&mercator, other]);
        assert!(text.contains("a.parquet has the coordinate reference system EPSG:3857"), "{text}");
        assert!(text.contains("OGC:CRS84"), "{text}");
    }
    for [a, b] in [[&mercator, &null], [&degrees, &none], [&geojson, &none], [&geojson, &null], [&old, &mercator]] {
        assert_eq!(pairs(&[a, b]), "a,b\n1,1\n");
    }
    let glob = folder.path().join("*.parquet").display().to_string();
    let text = message(&[&glob]);
    assert!(text.contains("a.parquet has") && text.contains("b.parquet has"), "{text}");
    // A first file without a system does not hide those of others.
    geoparquet(folder.path(), "0.parquet", r#", "crs": null"#);
    let text = message(&[&glob]);
    assert!(text.contains("a.parquet has") && text.contains("b.parquet has"), "{text}");
    std::fs::remove_file(&mercator).unwrap();
    geoparquet(folder.path(), "e.parquet", &epsg(4326));
    assert!(message(&[&glob, &old]).contains("OGC:CRS84, and "));
    // A definition without a name is not printed.
    let own = |name| geoparquet(folder.path(), name, &format!(r#", "crs": {{"name": "{name}"}}"#));
    let text = message(&[&own("own.parquet"), &own("other.parquet")]);
    assert!(text.contains("other.parquet have different coordinate reference systems: convert one"), "{text}");
    assert_eq!(leftovers(folder.path()).len(), 9);
}
