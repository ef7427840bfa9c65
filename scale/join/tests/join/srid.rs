//! EWKT in CSV, EWKB in Parquet: an SRID is the coordinate reference system of a file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};

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

/// Returns a point as WKB, or as EWKB with an SRID above 0, little or big endian. `PostGIS` writes these bytes.
fn point(srid: u32, [x, y]: [f64; 2], is_big: bool) -> Vec<u8> {
    let kind = if srid > 0 { 0x2000_0001_u32 } else { 1 };
    let numbers = if srid > 0 { vec![kind, srid] } else { vec![kind] };
    let mut bytes = vec![u8::from(!is_big)];
    for number in numbers {
        bytes.extend(if is_big { number.to_be_bytes() } else { number.to_le_bytes() });
    }
    for value in [x, y] {
        bytes.extend(if is_big { value.to_be_bytes() } else { value.to_le_bytes() });
    }
    bytes
}

/// Writes geometries with the ids 1, 2, … as Parquet, with a value of the metadata key `geo` if there is one.
fn parquet(
    folder: &Path,
    name: &str,
    geometries: ArrayRef,
    geo: Option<&str>,
    statistics: EnabledStatistics,
) -> String {
    let path = folder.join(name);
    let ids = Int64Array::from_iter_values(1..=geometries.len() as i64);
    let columns: [(_, ArrayRef); 2] = [("id", Arc::new(ids)), ("geometry", geometries)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let metadata = geo.map(|geo| vec![KeyValue::new("geo".to_owned(), geo.to_owned())]);
    let properties =
        WriterProperties::builder().set_key_value_metadata(metadata).set_statistics_enabled(statistics).build();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path.display().to_string()
}

/// Writes points at [1, 1] with these SRIDs as EWKB, with statistics.
fn points(folder: &Path, name: &str, srids: &[u32], geo: Option<&str>) -> String {
    let rows = srids.iter().enumerate().map(|(row, &srid)| point(srid, [1.0, 1.0], row % 2 == 1));
    parquet(folder, name, Arc::new(BinaryArray::from_iter_values(rows)), geo, EnabledStatistics::Chunk)
}

#[test]
fn the_srid_of_ewkb_is_compared_with_other_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let degrees = points(folder.path(), "degrees.parquet", &[4326, 4326, 0], None);
    let mercator = points(folder.path(), "mercator.parquet", &[3857, 3857], None);
    let plain = points(folder.path(), "plain.parquet", &[0, 0], None);
    let texts = StringArray::from(vec!["POINT (1 1)", "SRID=3857;POINT (1 1)"]);
    let texts = parquet(folder.path(), "texts.parquet", Arc::new(texts), None, EnabledStatistics::Chunk);
    let csv = write(folder.path(), "a.csv", "id,wkt\n7,SRID=3857;POINT (1 1)\n");
    for join in JOINS {
        assert_eq!(pairs(&[&degrees, "--join", join]), ["1,2", "1,3", "2,3"]);
        assert_eq!(pairs(&[&mercator, &csv, "--join", join]), ["1,7", "2,7"]);
        assert_eq!(pairs(&[&mercator, &texts, "--join", join]).len(), 4);
        // Files without a system are not compared.
        assert_eq!(pairs(&[&plain, &csv, "--join", join]), ["1,7", "2,7"]);
        let text = message(&[&degrees, &csv, "--join", join]);
        assert!(text.contains("degrees.parquet has the coordinate reference system OGC:CRS84, and "), "{text}");
        assert!(text.contains("a.csv has EPSG:3857"), "{text}");
    }
    let both = folder.path().join("[dm]*.parquet").display().to_string();
    let text = message(&[&both]);
    assert!(text.contains("degrees.parquet has") && text.contains("mercator.parquet has"), "{text}");
    let cluster = Cluster::start(1);
    assert_eq!(pairs(&[&mercator, &csv, "--cluster", &cluster.url]), ["1,7", "2,7"]);
}

/// A row with another SRID than the input is invalid. The metadata of GeoParquet decide before the rows.
#[test]
fn another_srid_of_ewkb() {
    let folder = tempfile::tempdir().unwrap();
    let geo = |crs: &str| {
        format!(r#"{{"primary_column": "geometry", "columns": {{"geometry": {{"encoding": "WKB"{crs}}}}}}}"#)
    };
    let utm = geo(r#", "crs": {"id": {"authority": "EPSG", "code": 32633}}"#);
    let (degrees, unknown) = (geo(""), geo(r#", "crs": null"#));
    let other = geo(r#", "crs": {"name": "local"}"#);
    for (srids, geo, row, reason, valid) in [
        (&[32633, 4326, 0][..], Some(&utm), 2, "SRID=4326, but the input has SRID=32633", &["1,3"][..]),
        (&[4326, 3857, 4326], Some(&degrees), 2, "SRID=3857, but the input has SRID=4326", &["1,3"]),
        // The bytes of the second row are the least, as they are big endian.
        (&[4326, 3857, 4326], None, 1, "SRID=4326, but the input has SRID=3857", &[]),
        (&[3857, 4326, 3857], Some(&unknown), 1, "SRID=3857, but the input has SRID=4326", &[]),
    ] {
        let mixed = points(folder.path(), "mixed.parquet", srids, geo.map(String::as_str));
        for join in JOINS {
            let text = message(&[&mixed, "--join", join]);
            let line = format!("mixed.parquet, row {row}, id {row}: not readable as EWKB: {reason}");
            assert!(text.contains(&line), "{text}");
            assert_eq!(pairs(&[&mixed, "--skip-invalid", "--join", join]), *valid);
        }
    }
    // A system without a number has no SRID to compare with.
    let local = points(folder.path(), "local.parquet", &[4326, 3857], Some(&other));
    assert_eq!(pairs(&[&local]), ["1,2"]);
    // Without statistics the SRID of the file is not known.
    let rows = [4326, 3857].map(|srid| point(srid, [1.0, 1.0], false));
    let rows = Arc::new(BinaryArray::from_iter_values(rows));
    let bare = parquet(folder.path(), "bare.parquet", rows, None, EnabledStatistics::None);
    assert_eq!(pairs(&[&bare]), ["1,2"]);
}

/// `PostGIS` writes geometries to CSV as EWKB in hexadecimal digits.
#[test]
fn hexadecimal_ewkb_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let digits: Vec<String> = point(4326, [1.0, 1.0], false).iter().map(|byte| format!("{byte:02X}")).collect();
    let digits = digits.concat();
    let file = write(folder.path(), "hex.csv", &format!("id,geom\n1,{digits}\n"));
    let text = message(&[&file]);
    assert!(text.contains("hex.csv, row 1, id 1: not readable as WKT: hexadecimal WKB is not read;"), "{text}");
    assert!(text.contains("ST_AsEWKT"), "{text}");
}
