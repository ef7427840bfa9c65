//! `check --relations`: how the areas of a map meet. Expected values follow from the coordinates in
//! `scenes/fields.csv`, and from geometry in the head.
use crate::carom::{carom, carom_with, root};

fn fields(args: &[&str]) -> String {
    let file = root().join("scenes/fields.csv").display().to_string();
    carom(&[&["check", &file, "--relations"], args].concat()).data()
}

#[test]
fn every_relation_with_length_and_area() {
    let expected = "a,b,relation,border_length,intersection_area\n\
        meadow,orchard,touches_along_border,3.0,0.0\n\
        meadow,wood,touches_at_points,0.0,0.0\n\
        meadow,pond,contains,0.0,1.0\n\
        meadow,parcel 12,touches_along_border,3.0,0.0\n\
        meadow,well,contains,,\n\
        orchard,wood,touches_along_border,4.0,0.0\n\
        orchard,reserve,overlaps,0.0,4.0\n\
        orchard,parcel 12,equals,0.0,12.0\n\
        wood,reserve,overlaps,0.0,4.0\n\
        wood,parcel 12,touches_along_border,4.0,0.0\n\
        reserve,parcel 12,overlaps,0.0,4.0\n";
    assert_eq!(fields(&["--lengths", "--areas", "--format", "csv"]), expected);
}

#[test]
fn columns_appear_as_they_are_wanted() {
    let first =
        |args: &[&str]| fields(&[&["--format", "csv"], args].concat()).lines().take(2).collect::<Vec<_>>().join(" ");
    assert_eq!(first(&[]), "a,b,relation meadow,orchard,touches_along_border");
    assert_eq!(first(&["--lengths"]), "a,b,relation,border_length meadow,orchard,touches_along_border,3.0");
    assert_eq!(first(&["--areas"]), "a,b,relation,intersection_area meadow,orchard,touches_along_border,0.0");
    let line = fields(&["--lengths", "--format", "ndjson"]);
    let meadow = r#"{"a":"meadow","b":"orchard","relation":"touches_along_border","border_length":3.0}"#;
    assert_eq!(line.lines().next(), Some(meadow));
    let well = r#"{"a":"meadow","b":"well","relation":"contains","border_length":null}"#;
    assert_eq!(line.lines().nth(4), Some(well));
    let table = fields(&["--areas"]);
    assert!(table.starts_with("a        b          relation              intersection area\n"), "{table}");
    assert!(table.contains("meadow   well       contains                              –\n"), "{table}");
}

/// `--relations` reports the same pairs as `--pairs`. With `--overlaps`, both leave out touching pairs.
#[test]
fn the_pairs_are_those_of_pairs() {
    let file = root().join("scenes/fields.csv").display().to_string();
    for args in [&["--format", "csv"][..], &["--format", "csv", "--overlaps"]] {
        let pairs = carom(&[&["check", &*file, "--pairs"], args].concat()).data();
        let related = fields(args);
        let ids = |text: &str| -> Vec<String> {
            text.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect()
        };
        assert_eq!(ids(&pairs), ids(&related));
    }
    assert_eq!(fields(&["--count"]), "11\n");
    assert_eq!(fields(&["--count", "--overlaps"]), "6\n");
}

/// Shapes without an outline of straight edges have the relations that the exact predicates decide.
#[test]
fn round_shapes_points_and_lines() {
    let scene = r#"{"carom": 1, "colliders": [
        {"id": "disc", "shape": {"circle": {"radius": 2}}},
        {"id": "same disc", "shape": {"circle": {"radius": 2}}},
        {"id": "small disc", "shape": {"circle": {"radius": 1}}, "position": [1, 0]},
        {"id": "tangent", "shape": {"rectangle": {"width": 2, "height": 2}}, "position": [3, 0]},
        {"id": "line", "shape": {"segment": {"a": [-1.5, -9], "b": [-1.5, 9]}}},
        {"id": "point", "shape": {"circle": {"radius": 0}}, "position": [0, -1.5]}]}"#;
    let expected = "a,b,relation\n\
        disc,same disc,equals\ndisc,small \
        disc,contains\ndisc,tangent,touches\ndisc,line,overlaps\ndisc,point,contains\n\
        same disc,small disc,contains\nsame disc,tangent,touches\nsame disc,line,overlaps\nsame disc,point,contains\n\
        small disc,tangent,touches\n";
    assert_eq!(carom_with(&["check", "-", "--relations", "--format", "csv"], scene).data(), expected);
}

#[test]
fn json_is_valid_by_its_schema() {
    let json: serde_json::Value = serde_json::from_str(&fields(&["--lengths", "--areas", "--format", "json"])).unwrap();
    let text = std::fs::read_to_string(root().join("docs/schemas/check-pairs.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::is_valid(&schema, &json), "{json}");
    let mut wrong = json.clone();
    wrong["pairs"][0]["relation"] = "beside".into();
    assert!(!jsonschema::is_valid(&schema, &wrong));
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(11));
}
