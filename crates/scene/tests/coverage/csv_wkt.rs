//! Every column, every geometry of OGC 06-103r4, and the prefix of EWKT.
use carom_scene::Format;

use super::check;

/// Returns a file with a header, whose only row has these fields.
fn file(columns: &[(&str, &str)]) -> String {
    let quoted = |text: &str| format!("\"{text}\"");
    let line = |texts: Vec<String>| texts.join(",") + "\n";
    line(columns.iter().map(|column| quoted(column.0)).collect())
        + &line(columns.iter().map(|column| quoted(column.1)).collect())
}

#[test]
fn every_column_is_read_named_or_ignored_as_listed() {
    let base = file(&[("id", "a"), ("wkt", "POINT (1 2)")]);
    let cases = [
        ("column with geometries", file(&[("id", "a"), ("wkt", "POINT (3 4)")])),
        ("column of the id", file(&[("id", "b"), ("wkt", "POINT (1 2)")])),
        ("further columns with geometries", file(&[("id", "a"), ("wkt", "POINT (1 2)"), ("centre", "POINT (5 5)")])),
        ("other columns", file(&[("id", "a"), ("wkt", "POINT (1 2)"), ("height", "5")])),
    ];
    for (name, changed) in cases {
        check(Format::Csv, ["row", name], base.as_bytes(), changed.as_bytes());
    }
}

#[test]
fn every_geometry_is_read_or_named_as_listed() {
    let base = file(&[("id", "a"), ("wkt", "POINT (1 2)")]);
    let cases = [
        ("POINT", "POINT (3 4)"),
        ("LINESTRING", "LINESTRING (0 0, 1 1)"),
        ("LINEARRING", "LINEARRING (0 0, 1 1, 1 0, 0 0)"),
        ("POLYGON", "POLYGON ((0 0, 1 1, 1 0, 0 0))"),
        ("MULTIPOINT", "MULTIPOINT (0 0, 1 1)"),
        ("MULTILINESTRING", "MULTILINESTRING ((0 0, 1 1), (5 5, 6 6))"),
        ("MULTIPOLYGON", "MULTIPOLYGON (((0 0, 1 1, 1 0, 0 0)), ((5 5, 6 6, 6 5, 5 5)))"),
        ("GEOMETRYCOLLECTION", "GEOMETRYCOLLECTION (POINT (0 0), POINT (1 1))"),
        ("SRID", "SRID=3857;POINT (1 2)"),
        ("Z and M values", "POINT ZM (1 2 3 4)"),
    ];
    for (name, wkt) in cases {
        let changed = file(&[("id", "a"), ("wkt", wkt)]);
        check(Format::Csv, ["geometry", name], base.as_bytes(), changed.as_bytes());
    }
}
