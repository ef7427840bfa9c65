//! P22: bad input gives one clear error with its location, never a panic, a hang or a guess.
use std::time::{Duration, Instant};

use carom_scene::{Error, Options, Scene, read};

fn try_read(bytes: &[u8], skip_invalid: bool) -> Result<Scene, Error> {
    let options = Options { skip_invalid, ..Options::default() };
    read("bad.json", bytes, &options, &mut |_| Err(std::io::ErrorKind::NotFound.into()))
}

/// Returns the message of a document that is refused with and without `skip_invalid`.
fn broken(bytes: &[u8]) -> String {
    let error = try_read(bytes, false).expect_err("must be refused").to_string();
    assert_eq!(try_read(bytes, true).map_err(|e| e.to_string()), Err(error.clone()), "going on is no way out");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn documents_that_are_no_scene() {
    let cases: [(&[u8], &str); 27] = [
        (b"", "bad.json: the file is empty; expected a carom scene"),
        (b" \n\t ", "bad.json: the file is empty"),
        (b"\x00\x01\x02", "bad.json: the file begins with '\\0'; expected a carom scene"),
        (b"\x89PNG", "bad.json: not text: byte 0 (0x89) is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "bad.json: broken PNG: the image ends too early"),
        (b"{\"carom\": 1, \"colliders\": [\xff]}", "bad.json: not text: byte 27 (0xFF) is not UTF-8"),
        (b"\xff\xfe{\x00}\x00", "bad.json: the text is UTF-16: save it as UTF-8"),
        (b"[]", "bad.json: the file begins with '['"),
        (b"NaN", "bad.json: the file begins with 'N'"),
        (b"{}", "bad.json: JSON without the keys of a scene (\"carom\")"),
        (
            b"{\"type\": \"FeatureCollections\"}",
            "bad.json: JSON without the keys of a scene (\"carom\"), a Tiled map or GeoJSON",
        ),
        (b"{\"type\": \"FeatureCollection\"}", "bad.json: line 1, column 1: a FeatureCollection without \"features\""),
        (b"{\"carom\": 1", "bad.json: line 1, column 11: the file ends too early: EOF while parsing"),
        (b"{\"carom\": 1, \"colliders\": [{\"shape\"", "the file ends too early"),
        (b"{\"carom\": 1, \"colliders\": []} []", "trailing characters"),
        (b"{\"carom\": 1, \"colliders\": [],}", "line 1, column 30: trailing comma"),
        (b"{\"colliders\": []}", "missing field `carom`; a scene looks like"),
        (b"{\"carom\": 1}", "missing field `colliders`"),
        (
            b"{\"carom\": 2, \"colliders\": []}",
            "line 1, column 11: the scene is of format version 2: this carom reads version 1",
        ),
        (b"{\"carom\": \"1\", \"colliders\": []}", "invalid type: string \"1\", expected a number"),
        (
            b"{\"carom\": 1, \"colliders\": [], \"color\": 0}",
            "unknown field `color`, expected one of `$schema`, `carom`, `colliders`, `y`, `gravity`, `walls`",
        ),
        (
            b"{\"carom\": 1,\n \"colliders\": null}",
            "bad.json: line 2, column 18, colliders: invalid type: null, expected a list of colliders",
        ),
        (
            b"{\"carom\": 1, \"colliders\": {\"shape\": 1}}",
            "colliders: invalid type: map, expected a list of colliders",
        ),
        (b"{\"colliders\": [1], \"carom\": 3}", "format version 3: this carom reads version 1"),
        (b"{\"carom\": 1, \"carom\": 1, \"colliders\": []}", "duplicate field `carom`"),
        (b"{\"carom\": 1, \"colliders\": [], \"gravity\": [0, 1e31]}", "bad.json: gravity: 1"),
        (b"{\"carom\": 1, \"colliders\": [], \"walls\": [1, 0, 0, 1]}", "bad.json: walls: the minimum"),
    ];
    for (bytes, expected) in cases {
        let error = broken(bytes);
        assert!(error.contains(expected), "{error}\nshould contain {expected}");
    }
}

/// An invalid collider, and the parts that its message must contain.
const REFUSED: [(&str, &str); 48] = [
    (r"5", "3, collider \"#0\": invalid type: integer `5`, expected a collider, such as {\"shape\""),
    (r"{}", "collider \"#0\": missing field `shape`"),
    (r#"{"id": "x"}"#, "collider \"x\": missing field `shape`"),
    (
        r#"{"id": 7, "shape": {"circle": {"radius": 1}}}"#,
        "10, collider \"#0\", id: invalid type: integer `7`, expected a string",
    ),
    (
        r##"{"id": "#1", "shape": {"circle": {"radius": 1}}}"##,
        "id: \"#1\" begins with #, which stands for colliders without an id",
    ),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "colour": 1}"#,
        "collider \"x\", colour: unknown field `colour`, expected one of `id`",
    ),
    (r#"{"id": "x", "id": "y", "shape": {"circle": {"radius": 1}}}"#, "duplicate field `id`"),
    (r#"{"id": "x", "shape": {}}"#, "collider \"x\", shape: an empty shape"),
    (r#"{"id": "x", "shape": "circle"}"#, "collider \"x\", shape: invalid type: string \"circle\", expected a shape"),
    (r#"{"id": "x", "shape": {"circel": {}}}"#, "unknown variant `circel`, expected one of `circle`, `capsule`"),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": 1}, "segment": {}}}"#,
        "a shape has one key, its kind, but here \"segment\" follows",
    ),
    (r#"{"id": "x", "shape": {"circle": {}}}"#, "collider \"x\", shape.circle: missing field `radius`"),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": "1"}}}"#,
        "shape.circle.radius: invalid type: string \"1\", expected a number",
    ),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": null}}}"#,
        "shape.circle.radius: invalid type: null, expected a number",
    ),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1e999}}}"#, "shape.circle.radius: number out of range"),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1e31}}}"#, "collider \"x\", shape.circle: radius is 1"),
    (r#"{"id": "x", "shape": {"circle": {"radius": -1}}}"#, "collider \"x\", shape.circle: radius is -1"),
    (r#"{"id": "x", "shape": {"rectangle": {"width": 0, "height": 1}}}"#, "use a segment"),
    (
        r#"{"id": "x", "shape": {"rectangle": {"width": 1, "height": 1, "radius": -1}}}"#,
        "shape.rectangle: radius is -1",
    ),
    (
        r#"{"id": "x", "shape": {"segment": {"a": [0], "b": [1, 0]}}}"#,
        "shape.segment.a: invalid length 1, expected a point [x, y]",
    ),
    (
        r#"{"id": "x", "shape": {"segment": {"a": [0, 0, 0], "b": [1, 0]}}}"#,
        "shape.segment.a: invalid length 3, expected a point [x, y]",
    ),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [1, 0]]}}}"#,
        "collider \"x\", shape.polygon: a polygon of 2 points",
    ),
    (r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [1, 1], [2, 2]]}}}"#, "use a segment"),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [1, 1], [2, true]]}}}"#,
        "shape.polygon.points[2][1]: invalid type: boolean `true`, expected a number",
    ),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [1e31, 1], [2, 0]]}}}"#,
        "shape.polygon.points[1]: x of the vertex 1 is 1e31",
    ),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [4, 4], [4, 0], [0, 4]]}}}"#,
        "collider \"x\", shape.polygon.points[0]: the outer ring crosses itself near (2.0, 2.0)",
    ),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [4, 0], [4, 4]], "holes": [[[3, 1], [3.5, 1], [3, 2]], [[9, 9], [9, 8], [8, 8]]]}}}"#,
        "shape.polygon.holes[1][0]: hole 1 ",
    ),
    (
        r#"{"id": "x", "shape": {"polygon": {"points": [[0, 0], [4, 0], [4, 4]], "holes": [[[3, 1], [3.5, 1]]]}}}"#,
        "shape.polygon.holes[0][0]: hole 0 has 2 points",
    ),
    (
        r#"{"id": "x", "shape": {"chain": {"points": [[0, 0]]}}}"#,
        "collider \"x\", shape.chain: a chain needs at least 2 points, not 1",
    ),
    (
        r#"{"id": "x", "shape": {"chain": {"points": [[0, 0], [1, 1e31]]}}}"#,
        "shape.chain.points[1]: y of the point 1 is 1e31",
    ),
    (
        r#"{"id": "x", "shape": {"chain": {"points": [[0, 0], [1, 0]], "closed": true}}}"#,
        "shape.chain: a closed chain needs at least 3 points, not 2",
    ),
    (r#"{"id": "x", "shape": {"compound": []}}"#, "shape.compound: a compound without shapes"),
    (
        r#"{"id": "x", "shape": {"compound": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"compound": [{"shape": {"circle": {"radius": -1}}}]}}]}}"#,
        "collider \"x\", shape.compound[1].shape.compound[0].shape.circle: radius is -1",
    ),
    (
        r#"{"id": "x", "shape": {"compound": [{"shape": {"circle": {"radius": 1}}, "position": [0, 1e31]}]}}"#,
        "shape.compound[0].position: ",
    ),
    (
        r#"{"id": "x", "shape": {"mask": {"image": "ship.png"}}}"#,
        "shape.mask.image: \"ship.png\" cannot be read: entity not found",
    ),
    (r#"{"id": "x", "shape": {"mask": {"threshold": 9}}}"#, "shape.mask: expected either \"image\" or \"rows\""),
    (r##"{"id": "x", "shape": {"mask": {"rows": ["#", ".."]}}}"##, "collider \"x\", shape.mask.rows: "),
    (
        r##"{"id": "x", "shape": {"mask": {"rows": ["#.", "#x"]}}}"##,
        "shape.mask.rows[1]: 'x' in a row: expected # where",
    ),
    (r#"{"id": "x", "shape": {"mask": {"rows": ["."]}}}"#, "a mask without solid pixels has no points"),
    (
        r##"{"id": "x", "shape": {"mask": {"rows": ["#"], "scale": -1}}}"##,
        "shape.mask.scale: a scale is above 0, not -1; [x, y] mirrors",
    ),
    (r##"{"id": "x", "shape": {"mask": {"rows": ["#"], "scale": [1, 0]}}}"##, "shape.mask: "),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "position": [1e31, 0]}"#, "collider \"x\", position: "),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "layers": [64]}"#,
        "layers[0]: a layer is a whole number from 0 to 63, not 64",
    ),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "layers": [1.5]}"#, "a whole number from 0 to 63, not 1.5"),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "mask": null}"#, "mask: invalid type: null"),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "group": 0}"#,
        "group: a group is a whole number from 1 to 4294967295, not 0",
    ),
    (r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "body": {"mass": 0}}"#, "body.mass: a mass is above 0"),
    (
        r#"{"id": "x", "shape": {"circle": {"radius": 1}}, "body": {"mass": 1, "restitution": 1.1}}"#,
        "body.restitution: a restitution is from 0",
    ),
];

#[test]
fn colliders_that_are_refused_by_name() {
    let at = "bad.json: line 2, column ";
    for (collider, expected) in REFUSED {
        let json = format!(
            "{{\"carom\": 1, \"colliders\": [\n  {collider}, {{\"id\": \"good\", \"shape\": {{\"circle\": \
             {{\"radius\": 1}}}}}}]}}"
        );
        let error = try_read(json.as_bytes(), false).expect_err(collider).to_string();
        assert!(error.starts_with(at) && error.contains(expected), "{error}\nshould contain {expected}");
        // With `skip_invalid` the reader reports the same error and keeps the other colliders.
        let scene = try_read(json.as_bytes(), true).unwrap();
        let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["good"], "{collider}");
        assert_eq!(scene.skipped.len(), 1);
        let refusal = &scene.skipped[0];
        assert_eq!(
            error.replace(&format!(", collider \"{}\"", refusal.object), ""),
            format!("bad.json: {}", refusal.reason)
        );
    }
}

#[test]
fn ids_are_unique_even_among_refused_ones() {
    let circle = "\"shape\": {\"circle\": {\"radius\": 1}}";
    let json = format!(
        "{{\"carom\": 1, \"colliders\": [{{\"id\": \"x\", {circle}}},\n {{\"id\": \"y\", {circle}}},\n {{\"id\": \
         \"x\", {circle}}}]}}"
    );
    let error = try_read(json.as_bytes(), false).unwrap_err().to_string();
    assert_eq!(
        error,
        "bad.json: line 3, column 2, collider \"x\", id: \"x\" is the id of colliders[0] too: ids are unique"
    );
    let scene = try_read(json.as_bytes(), true).unwrap();
    assert_eq!((scene.colliders.len(), scene.skipped.len()), (2, 1));
}

#[test]
fn refused_shapes_keep_their_locations() {
    let bad = "{\"shape\": {\"circle\": {\"radius\": -1}}}";
    let json = format!("{{\"carom\": 1, \"colliders\": [{bad},\n{bad},\n\n   {bad}]}}");
    let scene = try_read(json.as_bytes(), true).unwrap();
    let places: Vec<String> = scene.skipped.iter().map(|r| format!("{} {}", r.object, &r.reason[..17])).collect();
    assert_eq!(
        places,
        ["#0 line 1, column 28", "#1 line 2, column 1,", "#2 line 4, column 4,"]
            .map(|s| s.chars().take(20).collect::<String>())
    );
}

#[test]
fn deep_nesting_is_refused_quickly() {
    let start = Instant::now();
    let deep = "[".repeat(200_000);
    let closed = format!("{deep}{}", "]".repeat(200_000));
    let objects = "{\"a\":".repeat(200_000);
    for json in [
        deep.clone(),
        closed.clone(),
        objects.clone(),
        format!("{{\"x\": {closed}}}"),
        format!("{{\"carom\": {closed}}}"),
        format!("{{\"carom\": 1, \"colliders\": {closed}}}"),
        format!("{{\"carom\": 1, \"colliders\": [{deep}"),
        format!("{{\"carom\": 1, \"colliders\": [{{\"shape\": {{\"circle\": {closed}}}}}]}}"),
        format!("{{\"carom\": 1, \"colliders\": [{{\"shape\": {{\"chain\": {closed}}}}}]}}"),
        format!(
            "{{\"carom\": 1, \"colliders\": [{{\"shape\": {{\"polygon\": {{\"points\": [], \"holes\": {closed}}}}}}}]}}"
        ),
    ] {
        let error = try_read(json.as_bytes(), false).expect_err(&json[..60]).to_string();
        assert!(error.len() < 400, "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn skipping_ends_at_unreadable_input() {
    let json = format!("{{\"carom\": 1, \"colliders\": [{}1]}}", "1,".repeat(100_000));
    let error = try_read(json.as_bytes(), true).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "bad.json: more than 100000 colliders cannot be read, the first of them #0: line 1, column 28: "
        ),
        "{error}"
    );
}

#[test]
fn a_file_of_200_mb_of_nonsense_is_refused_quickly() {
    let start = Instant::now();
    for byte in [0, b'x', b'[', 0xFF] {
        broken(&vec![byte; 200_000_000]);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn any_damage_is_an_error_or_a_scene() {
    let whole = include_bytes!("../../../scenes/example.json");
    assert!(try_read(whole, false).is_ok());
    for end in 0..whole.len() - 3 {
        broken(&whole[..end]);
    }
    let mut state = 0x00c0_ffee_u64;
    for _ in 0..20_000 {
        let mut bytes = whole.to_vec();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = b"0919eE+-.,:[]{}\"\\ nul\xC3\x00"[(state >> 20) as usize % 23];
        }
        // A damaged file may still be a scene. Reading must end in both cases.
        if let Err(error) = try_read(&bytes, false) {
            assert!(error.to_string().starts_with("bad.json: "), "{error}");
        }
    }
}

#[test]
fn a_motion_that_turns_too_far_is_refused_in_the_units_of_the_file() {
    let json = r#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}, "motion": {"translation": [0, 0], "rotation": 572958}}]}"#;
    let error = try_read(json.as_bytes(), false).unwrap().colliders[0].sweep().unwrap_err().to_string();
    assert_eq!(error, "rotation is 572958.0 degrees; the limit is 572957 in one motion: split the motion");
}
