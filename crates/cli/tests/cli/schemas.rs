//! Tests the JSON Schemas of `explain`, `simulate`, `replay`, `bench` and `check --contains` with real output.
use serde_json::{Value, json};

use crate::carom::{Folder, carom, root};
use crate::replay;

/// Checks that output is valid against a schema which has its fields, and that the schema refuses each field with a
/// value of another type.
fn check(name: &str, output: &str) {
    let text = std::fs::read_to_string(root().join(format!("docs/schemas/{name}.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let output: Value = serde_json::from_str(output).unwrap();
    if let Some(error) = jsonschema::validator_for(&schema).unwrap().iter_errors(&output).next() {
        panic!("{name}: {error}");
    }
    for key in output.as_object().unwrap().keys() {
        assert!(schema["properties"].get(key).is_some(), "{name} has no {key}");
        let mut wrong = output.clone();
        wrong[key] = json!({"wrong": true});
        assert!(!jsonschema::is_valid(&schema, &wrong), "{name}: {key}");
    }
}

/// Law: `docs/schemas` describes what the commands print.
#[test]
fn output_is_valid_by_its_schema() {
    let folder = Folder::new();
    let square = json!({"rectangle": {"width": 2, "height": 2}});
    let scene = |x: f64| {
        let colliders = [("a", 0.0), ("b", x)].map(|(id, x)| json!({"id": id, "shape": square, "position": [x, 0]}));
        folder.file(&format!("at {x}.json"), json!({"carom": 1, "colliders": colliders}).to_string())
    };
    // Equal squares contain each other.
    for file in [scene(0.0), scene(1.0), scene(5.0)] {
        for (name, args) in [
            ("explain", &[] as &[&str]),
            ("explain-gjk", &["--gjk"]),
            ("explain-sweep", &["--sweep", "--move", "b", "-9,1,30"]),
            ("explain-contains", &["--contains"]),
        ] {
            check(name, &carom(&[&["explain", &file, "a", "b", "--format", "json"], args].concat()).data());
        }
        check("check-contains", &carom(&["check", &file, "--contains", "--format", "json"]).data());
    }
    let [trace, recording] = ["trace.ndjson", "run.carom"].map(|name| folder.path().join(name).display().to_string());
    let balls =
        ["simulate", "--balls", "9", "--steps", "4", "--format", "json", "--trace", &trace, "--record", &recording];
    check("simulate", &carom(&balls).data());
    check("simulate", &carom(&[&balls[..7], &["--restitution", "0.5"]].concat()).data());
    for line in std::fs::read_to_string(&trace).unwrap().lines() {
        check("simulate-trace", line);
    }
    check("replay", &carom(&["replay", &recording, "--format", "json"]).data());
    check("replay", &carom(&["replay", &recording, "--until", "2", "--format", "json"]).data());
    // Its last frame has an impact.
    let bounce = folder.file("bounce.carom", replay::recording());
    for file in [&recording, &bounce] {
        for line in carom(&["replay", file, "--format", "ndjson"]).data().lines() {
            check("replay-line", line);
        }
    }
    check("bench", &carom(&["bench", "--most", "300", "--format", "json"]).data());
}
