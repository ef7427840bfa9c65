//! The JSON Schema is up to date and accepts the same documents as the reader.
use carom_scene::{Options, read, schema};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/scene.schema.json");

#[test]
fn the_file_is_up_to_date() {
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(FILE, schema()).unwrap();
    }
    let file = std::fs::read_to_string(FILE).unwrap();
    assert!(
        file == schema(),
        "the schema changed: run CAROM_BLESS=1 cargo test -p carom-scene, look at the difference, commit it"
    );
}

/// Returns the verdicts of the reader and of the schema.
fn verdicts(json: &str) -> (bool, bool) {
    let reads =
        read("x.json", json.as_bytes(), &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).is_ok();
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let document: Value = serde_json::from_str(json).unwrap();
    (reads, jsonschema::is_valid(&schema, &document))
}

fn with(collider: &str) -> String {
    format!("{{\"carom\": 1, \"colliders\": [{collider}]}}")
}

#[test]
fn both_accept_valid_scenes() {
    let circle = r#""shape": {"circle": {"radius": 1}}"#;
    let documents = [
        r#"{"carom": 1, "colliders": []}"#.to_owned(),
        r#"{"$schema": "a.json", "carom": 1.0, "colliders": [], "y": "down", "gravity": null, "walls": null}"#
            .to_owned(),
        r#"{"carom": 1, "colliders": [], "y": "up", "gravity": [0, -9.8], "walls": [0, 0, 1, 1]}"#.to_owned(),
        with(&format!("{{{circle}}}")),
        with(&format!("{{\"id\": \"\", {circle}, \"position\": [1e30, -1e30], \"rotation\": -1e30}}")),
        with(&format!(
            "{{\"id\": \"a#\", {circle}, \"layers\": [0, 63, 5.0, \"x\"], \"mask\": [], \"group\": 4294967295, \
             \"sensor\": false, \"fixed\": true}}"
        )),
        with(&format!("{{{circle}, \"group\": null, \"motion\": null, \"body\": null}}")),
        with(&format!(
            "{{{circle}, \"motion\": {{}}, \"body\": {{\"mass\": 1e30, \"velocity\": [1, 2], \"restitution\": 1}}}}"
        )),
        with(&format!("{{{circle}, \"one_way\": [0, -1], \"moving\": {{\"path\": [[0, 0], [1, 0]], \"speed\": 1}}}}")),
        with(&format!("{{{circle}, \"one_way\": null, \"moving\": null}}")),
        with(r#"{"shape": {"ellipse": {"radius_x": 2, "radius_y": 1}}}"#),
        with(r#"{"shape": {"ellipse": {"radius_x": 2, "radius_y": 1, "deviation": 1e30}}}"#),
        with(r#"{"shape": {"circle": {"radius": 0}}}"#),
        with(r#"{"shape": {"capsule": {"a": [0, 0], "b": [0, 0], "radius": 0}}}"#),
        with(r#"{"shape": {"segment": {"a": [0, 0], "b": [1, 0], "radius": 0.1}}}"#),
        with(r#"{"shape": {"rectangle": {"width": 1, "height": 2, "radius": 0}}}"#),
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [1, 0], [0, 1]], "holes": [], "radius": 3}}}"#),
    ];
    for json in documents {
        assert_eq!(verdicts(&json), (true, true), "{json}");
    }
}

#[test]
fn both_refuse_invalid_scenes() {
    let circle = r#""shape": {"circle": {"radius": 1}}"#;
    let documents = [
        r#"{"colliders": []}"#.to_owned(),
        r#"{"carom": 1}"#.to_owned(),
        r#"{"carom": 2, "colliders": []}"#.to_owned(),
        r#"{"carom": "1", "colliders": []}"#.to_owned(),
        r#"{"carom": 1, "colliders": {}}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "extra": 1}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "y": "left"}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "y": null}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "gravity": [1]}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "gravity": [1e31, 0]}"#.to_owned(),
        r#"{"carom": 1, "colliders": [], "walls": [0, 0, 1, 1, 1]}"#.to_owned(),
        with("{}"),
        with("7"),
        with(&format!("{{\"id\": \"#0\", {circle}}}")),
        with(&format!("{{\"id\": null, {circle}}}")),
        with(&format!("{{{circle}, \"position\": [0]}}")),
        with(&format!("{{{circle}, \"position\": [0, 1e31]}}")),
        with(&format!("{{{circle}, \"position\": null}}")),
        with(&format!("{{{circle}, \"rotation\": \"1\"}}")),
        with(&format!("{{{circle}, \"rotation\": 1e31}}")),
        with(&format!("{{{circle}, \"motion\": {{\"rotation\": 1e31}}}}")),
        with(&format!("{{{circle}, \"layers\": 0}}")),
        with(&format!("{{{circle}, \"layers\": [64]}}")),
        with(&format!("{{{circle}, \"layers\": [-1]}}")),
        with(&format!("{{{circle}, \"layers\": [0.5]}}")),
        with(&format!("{{{circle}, \"mask\": null}}")),
        with(&format!("{{{circle}, \"group\": 0}}")),
        with(&format!("{{{circle}, \"group\": 4294967296}}")),
        with(&format!("{{{circle}, \"sensor\": 1}}")),
        with(&format!("{{{circle}, \"fixed\": null}}")),
        with(&format!("{{{circle}, \"one_way\": [0, 0]}}")),
        with(&format!("{{{circle}, \"one_way\": \"up\"}}")),
        with(&format!("{{{circle}, \"moving\": {{\"path\": [[0, 0]], \"speed\": 1}}}}")),
        with(&format!("{{{circle}, \"moving\": {{\"path\": [[0, 0], [1, 0]]}}}}")),
        with(&format!("{{{circle}, \"moving\": {{\"path\": [[0, 0], [1, 0]], \"speed\": 0}}}}")),
        with(r#"{"shape": {"ellipse": {"radius_x": 2}}}"#),
        with(r#"{"shape": {"ellipse": {"radius_x": 2, "radius_y": 0}}}"#),
        with(r#"{"shape": {"ellipse": {"radius_x": 2, "radius_y": 1, "deviation": 0}}}"#),
        with(&format!("{{{circle}, \"motion\": {{\"speed\": 1}}}}")),
        with(&format!("{{{circle}, \"body\": {{}}}}")),
        with(&format!("{{{circle}, \"body\": {{\"mass\": 0}}}}")),
        with(&format!("{{{circle}, \"body\": {{\"mass\": 1, \"restitution\": -0.1}}}}")),
        with(&format!("{{{circle}, \"name\": 0}}")),
        with(r#"{"shape": {}}"#),
        with(r#"{"shape": null}"#),
        with(r#"{"shape": {"circle": {"radius": 1}, "segment": {"a": [0, 0], "b": [1, 0]}}}"#),
        with(r#"{"shape": {"circle": {"radius": -1}}}"#),
        with(r#"{"shape": {"circle": {"radius": 1, "center": [0, 0]}}}"#),
        with(r#"{"shape": {"capsule": {"a": [0, 0], "b": [1, 0]}}}"#),
        with(r#"{"shape": {"rectangle": {"width": 0, "height": 2}}}"#),
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [1, 0]]}}}"#),
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [1, 0], [0, 1]], "holes": [[]]}}}"#),
        with(r#"{"shape": {"chain": {"points": [[0, 0]]}}}"#),
        with(r#"{"shape": {"chain": {"points": [[0, 0], [1, 0]], "open": true}}}"#),
        with(r#"{"shape": {"compound": []}}"#),
        with(r#"{"shape": {"compound": [{"circle": {"radius": 1}}]}}"#),
        with(r#"{"shape": {"compound": [{"shape": {"circle": {"radius": 1}}, "id": "x"}]}}"#),
        with(r#"{"shape": {"mask": {}}}"#),
        with(r##"{"shape": {"mask": {"image": "a.png", "rows": ["#"]}}}"##),
        with(r##"{"shape": {"mask": {"rows": ["#"], "threshold": 0}}}"##),
        with(r##"{"shape": {"mask": {"rows": ["#"], "threshold": 256}}}"##),
        with(r##"{"shape": {"mask": {"rows": ["#"], "scale": 0}}}"##),
        with(r##"{"shape": {"mask": {"rows": ["#"], "scale": [1, 0]}}}"##),
        with(r##"{"shape": {"mask": {"rows": ["#"], "scale": [1, 2, 3]}}}"##),
    ];
    for json in documents {
        assert_eq!(verdicts(&json), (false, false), "{json}");
    }
}

#[test]
fn only_the_reader_finds_errors_of_geometry_or_of_several_colliders() {
    for json in [
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [1, 1], [2, 2]]}}}"#),
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [4, 4], [4, 0], [0, 4]]}}}"#),
        with(r#"{"shape": {"polygon": {"points": [[0, 0], [4, 0], [4, 4]], "holes": [[[9, 9], [9, 8], [8, 8]]]}}}"#),
        with(r#"{"shape": {"chain": {"points": [[1, 1], [1, 1]]}}}"#),
        with(r#"{"shape": {"mask": {"rows": ["..."]}}}"#),
        with(r#"{"shape": {"circle": {"radius": 1}}, "moving": {"path": [[2, 3], [2, 3]], "speed": 1}}"#),
        with(r#"{"shape": {"circle": {"radius": 1}}, "fixed": true, "motion": {}}"#),
        with(r#"{"shape": {"mask": {"image": "missing.png"}}}"#),
        with(r#"{"id": "x", "shape": {"circle": {"radius": 1}}}, {"id": "x", "shape": {"circle": {"radius": 1}}}"#),
        r#"{"carom": 1, "colliders": [], "walls": [1, 0, 0, 1]}"#.to_owned(),
    ] {
        assert_eq!(verdicts(&json), (false, true), "{json}");
    }
}

#[test]
fn the_scenes_of_the_repository_are_valid() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let scenes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut seen = 0;
    for folder in [scenes.to_owned(), format!("{scenes}/articles")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = match path.extension() {
                Some(json) if json == "json" => std::fs::read_to_string(&path).unwrap(),
                _ => continue,
            };
            let document: Value = serde_json::from_str(&text).unwrap();
            if document.get("carom").is_some() {
                assert!(validator.is_valid(&document), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 9, "only {seen} scenes found");
}
