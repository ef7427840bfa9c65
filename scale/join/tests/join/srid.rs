//! EWKT in CSV: an SRID is the coordinate reference system of a file.

use crate::cluster::Cluster;
use crate::maps::write;
use crate::run::{run, stderr};

const JOINS: [&str; 3] = ["index", "hash", "sort-merge"];

/// Returns the pairs of a join, sorted.
#[track_caller]
fn pairs(args: &[&str]) -> Vec<String> {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let mut lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().skip(1).map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Returns the message of a join that fails.
#[track_caller]
fn message(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn the_srid_is_compared_with_other_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let csv = |name: &str, prefix: &str| {
        write(folder.path(), name, &format!("id,wkt\n1,{prefix}POINT (1 1)\n2,POINT (1 1)\n3,{prefix}POINT (9 9)\n"))
    };
    let degrees = csv("degrees.csv", "SRID=4326;");
    let mercator = csv("mercator.csv", "srid=3857;");
    let unknown = csv("unknown.csv", "SRID=0;");
    let plain = csv("plain.csv", "");
    let geojson = write(
        folder.path(),
        "a.geojson",
        r#"{"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [1, 1]}}"#,
    );
    for join in JOINS {
        for file in [&degrees, &mercator, &unknown, &plain] {
            assert_eq!(pairs(&[file, "--join", join]), ["1,2"], "{file}");
        }
        assert_eq!(pairs(&[&degrees, &geojson, "--join", join]), ["1,7", "2,7"]);
        // Files without a system are not compared.
        assert_eq!(pairs(&[&mercator, &plain, "--join", join]).len(), 5);
        assert_eq!(pairs(&[&unknown, &geojson, "--join", join]).len(), 2);
        let text = message(&[&mercator, &geojson, "--join", join]);
        assert!(text.contains("mercator.csv has the coordinate reference system EPSG:3857, and "), "{text}");
        assert!(text.contains("a.geojson has OGC:CRS84"), "{text}");
    }
    let both = folder.path().join("[dm]*.csv").display().to_string();
    let text = message(&[&both]);
    assert!(text.contains("degrees.csv has") && text.contains("mercator.csv has"), "{text}");
    let cluster = Cluster::start(1);
    assert_eq!(pairs(&[&degrees, &geojson, "--cluster", &cluster.url]), ["1,7", "2,7"]);
}

/// A row with another SRID than the first geometry is invalid, as other invalid rows are.
#[test]
fn another_srid_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (first, reason) in [
        ("SRID=4326;", "SRID=3857, but the input has SRID=4326"),
        ("", "SRID=3857, but the first geometry of the file has none"),
    ] {
        let rows = format!("id,wkt\n9,\n1,{first}POINT (1 1)\n2,SRID=3857;POINT (1 1)\n3,{first}POINT (1 1)\n");
        let mixed = write(folder.path(), "mixed.csv", &rows);
        for join in JOINS {
            let text = message(&[&mixed, "--join", join]);
            assert!(text.contains(&format!("mixed.csv, row 3, id 2: not readable as EWKT: {reason}")), "{text}");
            assert_eq!(pairs(&[&mixed, "--skip-invalid", "--join", join]), ["1,3"]);
        }
    }
}

/// Rows that are not readable as geometries have no SRID.
#[test]
fn the_first_readable_geometry_decides() {
    let folder = tempfile::tempdir().unwrap();
    // More rows than a batch of the reader has.
    let blanks = "9,\" \"\n".repeat(40);
    for first in ["9,SRID=x;POINT (1 1)\n", "9,POINT (1\n", "9,SRID=3857;SRID=4326;POINT (1 1)\n", blanks.as_str()] {
        let rows =
            format!("id,wkt\n{first}1,SRID=4326;POINT (1 1)\n2,SRID=4326;POINT (1 1)\n3,SRID=3857;POINT (1 1)\n");
        let file = write(folder.path(), "first.csv", &rows);
        let text = message(&[&file]);
        assert!(text.contains("first.csv, row 1, id 9: not readable as "), "{text}");
        for join in JOINS {
            assert_eq!(pairs(&[&file, "--skip-invalid", "--join", join]), ["1,2"], "{first}");
        }
    }
}

/// A glob has one SRID. A file whose first geometry has none can have rows with this one.
#[test]
fn the_files_of_a_glob() {
    let folder = tempfile::tempdir().unwrap();
    let glob = folder.path().join("*.csv").display().to_string();
    write(folder.path(), "a.csv", "id,wkt\n1,POINT (1 1)\n2,SRID=4326;POINT (1 1)\n");
    write(folder.path(), "b.csv", "id,wkt\n3,SRID=4326;POINT (1 1)\n");
    assert_eq!(pairs(&[&glob]), ["1,2", "1,3", "2,3"]);
    write(folder.path(), "a.csv", "id,wkt\n1,POINT (1 1)\n2,SRID=3857;POINT (1 1)\n");
    let text = message(&[&glob]);
    assert!(
        text.contains("a.csv, row 2, id 2: not readable as EWKT: SRID=3857, but the input has SRID=4326"),
        "{text}"
    );
}
