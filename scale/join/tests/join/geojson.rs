//! Files of GeoJSON in all forms of the format.

use std::fmt::Write;

use crate::maps::write;
use crate::run::{run, stderr};

const SQUARE: &str = r#"{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}"#;

/// Returns a feature with this id, and with more members.
fn feature(id: &str, more: &str) -> String {
    format!(r#"{{"type": "Feature", "id": {id}, "properties": null, {more}}}"#)
}

/// Returns a square with this id.
fn square(id: &str) -> String {
    feature(id, &format!(r#""geometry": {SQUARE}"#))
}

/// Joins a text with itself. Returns the exit code, the pairs and the messages.
#[track_caller]
fn joined(name: &str, text: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&[&[write(folder.path(), name, text).as_str()], args].concat());
    let pairs = String::from_utf8_lossy(&output.stdout).replace("a,b\n", "").replace('\n', " ");
    (output.status.code(), pairs, stderr(&output))
}

#[test]
fn documents_of_all_forms() {
    let (one, two) = (square("1"), square("2"));
    for (name, text, expected) in [
        ("compact.geojson", r#"{"type":"FeatureCollection","features":[]}"#.to_owned(), ""),
        ("last.geojson", format!(r#"{{"features":[{one},{two}],"type":"FeatureCollection"}}"#), "1,2 "),
        // Another member has the same name.
        (
            "other.geojson",
            format!(r#"{{"type":"FeatureCollection","note":{{"features":[1,"]"]}},"features":[{one},{two}]}}"#),
            "1,2 ",
        ),
        ("mark.geojson", format!("\u{feff}{{\"type\":\"FeatureCollection\",\"features\":[{one}, {two}]}}"), "1,2 "),
        ("single.geojson", one.clone(), ""),
        ("geometry.json", SQUARE.to_owned(), ""),
        ("mark.ndjson", format!("\u{feff}{one}\r\n\r\n{two}\r\n"), "1,2 "),
        ("empty.ndjson", String::new(), ""),
    ] {
        let (code, pairs, log) = joined(name, &text, &[]);
        assert!(code == Some(0) && pairs == expected, "{name}: {pairs} {log}");
    }
}

#[test]
fn texts_that_are_not_geojson() {
    let one = square("1");
    for (name, text, words) in [
        ("topology.json", r#"{"type": "Topology", "objects": {}}"#.to_owned(), ["\"Topology\"", "feature collection"]),
        ("cut.geojson", format!(r#"{{"type": "FeatureCollection", "features": [{one}"#), ["feature 2", "EOF"]),
        ("none.geojson", String::new(), ["none.geojson", "EOF"]),
        ("lines.geojson", format!("{one}\n{one}\n"), ["line 2", ".ndjson"]),
        ("list.geojson", "[]".to_owned(), ["list.geojson", "a feature collection"]),
        ("wrong.ndjson", format!("{one}\n{SQUARE}\n"), ["line 2", "\"Polygon\""]),
        ("typeless.ndjson", "{}".to_owned(), ["line 1", "no type"]),
    ] {
        let (code, pairs, log) = joined(name, &text, &[]);
        assert!(code == Some(2) && pairs.is_empty(), "{name}: {log}");
        assert!(words.iter().all(|word| log.contains(word)), "{name}: {log}");
    }
}

/// A geometry that cannot be read is a fault of its row, as in other formats.
#[test]
fn geometries_that_cannot_be_read_are_left_out() {
    let bad = |id, geometry: &str| feature(id, &format!(r#""geometry": {geometry}"#));
    let lines = [
        square("1"),
        bad("2", r#"{"type": "Curve", "coordinates": [1, 2]}"#),
        bad("3", r#"{"type": "Point", "coordinates": [1]}"#),
        square("4"),
    ];
    for join in ["index", "hash"] {
        let (code, _, log) = joined("bad.ndjson", &lines.join("\n"), &["--join", join]);
        assert_eq!(code, Some(2));
        for words in ["2 rows", "bad.ndjson, row 2, id 2", "Curve", "row 3, id 3", "GeoJSON"] {
            assert!(log.contains(words), "no {words}: {log}");
        }
        let (code, pairs, log) = joined("bad.ndjson", &lines.join("\n"), &["--join", join, "--skip-invalid"]);
        assert!(code == Some(0) && pairs == "1,4 ", "{pairs} {log}");
        assert!(log.contains("2 of 4 rows were left out"), "{log}");
    }
}

/// Integers stay numbers: 9 comes before 10. With a text among them, all are text.
#[test]
fn ids_keep_their_type() {
    let lines = |ids: &[&str]| ids.iter().map(|id| square(id) + "\n").collect::<String>();
    let (_, pairs, _) = joined("ids.ndjson", &lines(&["10", "9"]), &["--format", "ndjson"]);
    assert_eq!(pairs, r#"{"a":9,"b":10} "#);
    let (_, pairs, _) = joined("ids.ndjson", &lines(&["10", "\"09\""]), &["--format", "ndjson"]);
    assert_eq!(pairs, r#"{"a":"09","b":"10"} "#);
}

/// A number that is not a plain integer of 64 bits keeps its digits, so different ids stay different.
#[test]
fn large_ids_and_fractions_keep_their_form() {
    for [a, b] in [
        ["18446744073709551617", "18446744073709551618"],
        ["1e5", "1e6"],
        ["1.50", "2.5"],
        ["-0", "0"],
        ["0.10000000000000000001", "0.10000000000000000002"],
    ] {
        let property =
            |id| format!(r#"{{"type": "Feature", "properties": {{"x": 1, "id": {id}}}, "geometry": {SQUARE}}}"#);
        let member = format!("{}\n{}\n", square(a), square(b));
        for (name, text) in [
            ("ids.ndjson", format!("{}\n{}\n", property(a), property(b))),
            ("ids.geojson", format!(r#"{{"type": "FeatureCollection", "features": [{},{}]}}"#, square(a), property(b))),
            ("ids.geojsonl", member),
        ] {
            let (_, pairs, log) = joined(name, &text, &[]);
            assert_eq!(pairs, format!("{a},{b} "), "{log}");
        }
    }
}

/// Coordinates of 17 digits are the same numbers in GeoJSON and in WKT: each point meets its copy.
#[test]
fn coordinates_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let (mut lines, mut wkt, mut state) = (String::new(), "id,wkt\n".to_owned(), 1_u64);
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 2_f64.powi(53) * 360.0 - 180.0
    };
    for id in 0..2000 {
        let [x, y] = [random(), random()];
        lines += &(feature(&id.to_string(), &format!(r#""geometry": {{"type": "Point", "coordinates": [{x}, {y}]}}"#))
            + "\n");
        writeln!(wkt, "{id},POINT ({x} {y})").unwrap();
    }
    let [lines, wkt] =
        [("points.ndjson", lines), ("points.csv", wkt)].map(|(name, text)| write(folder.path(), name, &text));
    let output = run(&[&lines, &wkt]);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found: Vec<u32> = text
        .lines()
        .skip(1)
        .map(|line| {
            let (a, b) = line.split_once(',').unwrap();
            assert_eq!(a, b);
            a.parse().unwrap()
        })
        .collect();
    found.sort_unstable();
    assert!(found == (0..2000).collect::<Vec<u32>>(), "{} of 2000 points: {}", found.len(), stderr(&output));
}
