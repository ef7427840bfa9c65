//! `check --pairs` lists the pairs that intersect, in file order, in every format.
use std::fmt::Write as _;

use crate::carom::{BROADS, Folder, carom, carom_with};

/// Circle with integer center and radius, so that the oracle below is exact.
struct Circle {
    center: [i64; 2],
    radius: i64,
}

/// Returns circles of which about a sixth of the pairs intersect. Many only touch.
fn circles() -> Vec<Circle> {
    let number = |i: i64, modulus: i64| (i * 7_919 + i * i * 31) % modulus;
    (0..400).map(|i| Circle { center: [number(i, 40), number(i + 1_000, 37)], radius: 1 + number(i + 77, 5) }).collect()
}

fn scene(circles: &[Circle]) -> String {
    let mut text = String::from(r#"{"carom": 1, "colliders": ["#);
    for (i, Circle { center: [x, y], radius }) in circles.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"id": "c{i}", "shape": {{"circle": {{"radius": {radius}}}}}, "position": [{x}, {y}]}}"#
        )
        .unwrap();
    }
    text + "]}"
}

/// Decides all pairs by integers: squared distance against the squared sum of the radii.
fn expected(circles: &[Circle], touching_counts: bool) -> Vec<[String; 2]> {
    let meet = |p: &Circle, q: &Circle| {
        let [x, y] = [0, 1].map(|axis| p.center[axis] - q.center[axis]);
        let (distance_squared, sum_squared) = (x * x + y * y, (p.radius + q.radius).pow(2));
        distance_squared < sum_squared || (touching_counts && distance_squared == sum_squared)
    };
    let mut pairs = Vec::new();
    for (i, p) in circles.iter().enumerate() {
        for (j, q) in circles.iter().enumerate().skip(i + 1) {
            if meet(p, q) {
                pairs.push([i, j].map(|index| format!("c{index}")));
            }
        }
    }
    pairs
}

#[test]
fn pairs_are_those_of_integer_arithmetic_in_every_format() {
    let circles = circles();
    let scene = scene(&circles);
    for (args, touching_counts) in [(&[][..], true), (&["--overlaps"][..], false)] {
        let expected = expected(&circles, touching_counts);
        assert!(expected.len() > 2_000, "{} pairs", expected.len());
        let print =
            |format: &str| carom_with(&[&["check", "-", "--pairs", "--format", format], args].concat(), &scene).data();

        let lines = |row: fn(&[String; 2]) -> String| expected.iter().map(|pair| row(pair) + "\n").collect::<String>();
        let ndjson = lines(|[a, b]| format!(r#"{{"a":"{a}","b":"{b}"}}"#));
        assert_eq!(print("ndjson"), ndjson);
        assert_eq!(print("csv"), format!("a,b\n{}", lines(|[a, b]| format!("{a},{b}"))));
        let object: serde_json::Value = serde_json::from_str(&print("json")).expect("one object");
        let pair = |[a, b]: &[String; 2]| serde_json::json!({"a": a, "b": b});
        assert_eq!(object["pairs"], expected.iter().map(pair).collect::<serde_json::Value>());
        assert_eq!(
            (&object["shapes"], object["candidates"].as_u64() >= Some(expected.len() as u64)),
            (&400.into(), true)
        );

        let table = print("table");
        let rows: Vec<Vec<&str>> = table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert!(rows.iter().zip(&expected).all(|(row, pair)| row == pair));
        assert!(table.ends_with(&format!("\n\n400 shapes: {} pairs intersect\n", expected.len())));
    }
}

#[test]
fn pairs_are_the_same_bytes_for_every_broad_phase_and_number_of_threads() {
    let scene = scene(&circles());
    let print =
        |args: &[&str]| carom_with(&[&["check", "-", "--pairs", "--format", "json"], args].concat(), &scene).data();
    let first = print(&["--threads", "1"]);
    for broad in BROADS {
        assert!(print(&["--broad", broad, "--threads", "3"]) == first, "{broad}");
    }
}

/// An id may have quotes, commas and line breaks. JSON escapes them, CSV quotes the field.
#[test]
fn ids_are_escaped_as_the_format_requires() {
    let circle = |id: &str| format!(r#"{{"id": {}, "shape": {{"circle": {{"radius": 1}}}}}}"#, serde_json::json!(id));
    let ids = ["a \"b\", c", "line\nbreak", " blank "];
    let scene = format!(r#"{{"carom": 1, "colliders": [{}]}}"#, ids.map(circle).join(","));
    let print = |format: &str| carom_with(&["check", "-", "--pairs", "--format", format], &scene).data();
    let expected = [[ids[0], ids[1]], [ids[0], ids[2]], [ids[1], ids[2]]];

    let csv = print("csv");
    let mut reader = csv::ReaderBuilder::new().from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap(), vec!["a", "b"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows, expected.map(|pair| csv::StringRecord::from(pair.to_vec())));
    let lines = print("ndjson");
    let read = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    assert_eq!(lines.lines().map(read).collect::<Vec<_>>(), expected.map(|[a, b]| serde_json::json!({"a": a, "b": b})));
}

#[test]
fn counts_exit_codes_and_empty_results() {
    let meeting = scene(&circles());
    let apart = r#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}}]}"#;
    let ran = |scene: &str, args: &[&str]| {
        let ran = carom_with(&[&["check", "-", "--pairs"], args].concat(), scene);
        (ran.code, ran.stdout)
    };
    let count = expected(&circles(), true).len();
    assert_eq!(ran(&meeting, &["--count"]), (0, format!("{count}\n")));
    let object = ran(&meeting, &["--count", "--format", "json"]).1;
    assert!(
        object.starts_with("{\"shapes\":400,\"candidates\":") && object.ends_with(&format!(",\"pairs\":{count}}}\n"))
    );
    assert_eq!(ran(&meeting, &["--deny", "--quiet"]), (1, String::new()));
    assert_eq!(ran(apart, &["--deny", "--quiet"]), (0, String::new()));
    assert_eq!(ran(apart, &[]), (0, "1 shape: no pair intersects\n".to_owned()));
    assert_eq!(ran(apart, &["--format", "json"]), (0, "{\"shapes\":1,\"candidates\":0,\"pairs\":[]}\n".to_owned()));
}

/// A reader of CSV finds its columns in the header. A file without one is no table, and not the same as one without
/// rows.
#[test]
fn csv_without_rows_has_a_header_because_readers_need_the_columns() {
    let apart = r#"{"carom": 1, "colliders": [{"id": "a", "shape": {"circle": {"radius": 1}}}]}"#;
    for (args, header) in [
        (&["--pairs"][..], "a,b"),
        (&["--relations", "--areas"], "a,b,relation,intersection_area"),
        (&[], "a,b,depth,normal_x,normal_y,mtv_x,mtv_y,point_x,point_y,points,sensor,layers_a,layers_b"),
        (&["--by", "object"], "a,b,pairs,touching,depth,total,deepest_a,deepest_b"),
        (&["--contains"], "outer,inner"),
        (
            &["--sweep", "--move", "a", "1,0"],
            "time,a,b,normal_x,normal_y,point_x,point_y,initial_depth,layers_a,layers_b",
        ),
    ] {
        let ran = carom_with(&[&["check", "-", "--format", "csv"], args].concat(), apart);
        assert_eq!((ran.code, ran.stdout), (0, format!("{header}\n")), "{args:?}: {}", ran.stderr);
    }
}

/// `--stats` prints the number of pairs and the time of the printing, by which the rate is measured.
#[test]
fn stats_count_the_pairs() {
    let folder = Folder::new();
    let file = folder.file("circles.json", scene(&circles()));
    let ran = carom(&["check", &file, "--pairs", "--format", "csv", "--stats"]);
    let value = |name: &str| {
        let line = ran.stderr.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{}", ran.stderr));
        line[name.len()..].trim().to_owned()
    };
    assert_eq!(value("pairs"), expected(&circles(), true).len().to_string());
    assert!(value("print").ends_with(" ms"));
}
