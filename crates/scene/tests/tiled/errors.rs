//! One message names the line or the object, the input and the expected input.
use super::{map, objects, read_with, refused};
use carom_scene::Options;

/// Asserts that each map is refused with a message that contains all of the parts.
fn all_refused(cases: &[(&str, &[&str])]) {
    for (text, parts) in cases {
        let message = refused(text);
        assert!(message.starts_with("map: "), "the file is missing: {message}");
        assert!(!message.contains('\n'), "one line: {message}");
        for part in *parts {
            assert!(message.contains(part), "expected {part:?} in {message:?}");
        }
    }
}

#[test]
fn broken_files() {
    all_refused(&[
        ("<map", &["line 1, column 5", "XML"]),
        ("<map orientation=\"orthogonal\">\n <layer", &["line 2", "XML"]),
        ("<map orientation=\"orthogonal\"></mop>", &["line 1", "XML"]),
        ("<tileset/>", &["line 1, column 1", "expected a Tiled <map>, found <tileset>"]),
        ("<map/>", &["orientation \"\""]),
        ("<!DOCTYPE map [<!ENTITY a \"b\">]><map>&a;</map>", &["entity"]),
        ("{\"orientation\": \"orthogonal\",\n \"tilewidth\": 1, \"tileheight\": 1", &["line 2, column 32", "EOF"]),
        ("{\"type\": \"tileset\", \"tilewidth\": 1}", &["expected a Tiled map, found a tileset"]),
        ("{\"orientation\": \"orthogonal\", \"tilewidth\": 1, \"tileheight\": 1}", &["missing field `layers`"]),
        ("{\"orientation\": 3}", &["line 1, column 17", "integer `3`", "string"]),
    ]);
}

#[test]
fn orientations_that_are_not_read_are_named() {
    for orientation in ["oblique", "isometrical", ""] {
        let xml = format!(r#"<map orientation="{orientation}" tilewidth="1" tileheight="1"/>"#);
        let json = format!(r#"{{"orientation": "{orientation}", "tilewidth": 1, "tileheight": 1, "layers": []}}"#);
        let expected = [&*format!("\"{orientation}\""), "only orthogonal, isometric, staggered and hexagonal"];
        all_refused(&[(&xml, &expected), (&json, &expected)]);
    }
}

#[test]
fn staggered_grids_must_be_known() {
    let xml =
        |attributes: &str| format!(r#"<map orientation="hexagonal" tilewidth="8" tileheight="10" {attributes}/>"#);
    all_refused(&[
        (&xml("staggeraxis=\"z\""), &["staggeraxis=\"z\"", "expected y or x"]),
        (&xml("staggerindex=\"both\""), &["staggerindex=\"both\"", "expected odd or even"]),
        (&xml("hexsidelength=\"11\""), &["hexsidelength 11", "expected 0 to 10"]),
        (&xml("hexsidelength=\"9\" staggeraxis=\"x\""), &["hexsidelength 9", "expected 0 to 8"]),
        (&xml("hexsidelength=\"-1\""), &["hexsidelength -1"]),
    ]);
}

#[test]
fn numbers_that_are_none() {
    let object = |attributes: &str| objects(&format!("\n<object id=\"3\" {attributes}/>"));
    all_refused(&[
        (&object("x=\"one\""), &["line 2, column 1", "<object> x=\"one\": expected a number"]),
        (&object("x=\"NaN\""), &["line 2", "x=\"NaN\": expected a finite number"]),
        (&object("x=\"-inf\""), &["line 2", "x=\"-inf\": expected a finite number"]),
        (&object("x=\"1e999\""), &["line 2", "x=\"1e999\": expected a finite number"]),
        (&object("rotation=\"nan\""), &["line 2", "rotation=\"nan\": expected a finite number"]),
        (&object("width=\"-4\" height=\"2\""), &["object 3 in layer \"things\"", "width -4"]),
        (&object("x=\"1e31\""), &["object 3 in layer \"things\"", "1e30"]),
        (&object("gid=\"-1\""), &["line 2", "gid=\"-1\": expected a whole number"]),
        (&object("gid=\"5\""), &["object 3", "tile number 5 is in no tileset"]),
        (&objects("<object><polygon points=\"0,0 1\"/></object>"), &["line 1", "\"1\" is no point: expected x,y"]),
        (&objects("<object><polygon points=\"0,0 1,inf 2,2\"/></object>"), &["\"1,inf\" is no point"]),
        (&objects("<object id=\"3\"><polygon points=\"0,0 1,1\"/></object>"), &["object 3"]),
        (&objects("<object id=\"3\"><polygon points=\"0,0 1,1 2,2\"/></object>"), &["object 3", "segment"]),
        (
            &objects("<object id=\"3\"><polygon points=\"0,0 4,4 4,0 0,4\"/></object>"),
            &["object 3 in layer \"things\"", "cross"],
        ),
    ]);
    let json = |object: &str| {
        format!(
            r#"{{"orientation": "orthogonal", "tilewidth": 1, "tileheight": 1,
            "layers": [{{"type": "objectgroup", "name": "o", "objects": [{object}]}}]}}"#
        )
    };
    all_refused(&[
        (&json("{\"x\": \"one\"}"), &["line 2", "string \"one\"", "f64"]),
        (&json("{\"x\": 1e999}"), &["line 2", "out of range"]),
        (&json("{\"x\": NaN}"), &["line 2"]),
        (&json("{\"id\": 4, \"x\": 1e31}"), &["object 4 in layer \"o\"", "1e30"]),
    ]);
}

#[test]
fn tilesets_and_tile_numbers() {
    let set = r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4"><image source="t.png"/></tileset>"#;
    let layer = |gids: &str| {
        map(&format!(r#"{set}<layer name="l" width="2" height="1"><data encoding="csv">{gids}</data></layer>"#))
    };
    all_refused(&[
        (&layer("0,5"), &["l[1,0]", "tile number 5", "\"t\"", "only 4 tiles"]),
        // With all four flags set, the number itself counts.
        (&layer("0,4026531845"), &["l[1,0]", "tile number 5"]),
        (&map("<tileset name=\"t\"/>"), &["line 1", "firstgid"]),
        (&map("<tileset firstgid=\"1\" objectalignment=\"middle\"/>"), &["unknown objectalignment \"middle\""]),
        (&map("<tileset firstgid=\"1\"><tile/></tileset>"), &["<tile> without id"]),
        (&map("<layer name=\"l\" width=\"2\"><data/></layer>"), &["line 1", "layer \"l\"", "height"]),
    ]);
}

/// A tile with an invalid collision shape is reported once for all its uses.
#[test]
fn a_tile_with_a_wrong_shape_is_named_once() {
    let set = r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1"><image source="t.png"/>
        <tile id="0"><objectgroup><object><polyline points="3,3 3,3"/></object>
        <object width="8" height="4"/></objectgroup></tile></tileset>"#;
    let text = map(&format!(
        r#"{set}<layer name="l" width="3" height="1"><data encoding="csv">1,1,1</data></layer>
        <objectgroup name="o"><object id="2" gid="1"/></objectgroup>"#
    ));
    all_refused(&[(&text, &["tile 0 of tileset \"t\", collision shape 1", "all 2 points of the chain are the same"])]);
    let go_on = Options { skip_invalid: true, ..Options::default() };
    let scene = read_with(&text, &[], &go_on).unwrap();
    let refused: Vec<_> = scene.skipped.iter().map(|r| r.object.as_str()).collect();
    assert_eq!(refused, ["tile 0 of tileset \"t\", collision shape 1"]);
    let ids: Vec<_> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["l[0,0].2", "l[1,0].2", "l[2,0].2", "2.2"], "the sound shape keeps its number");
}

#[test]
fn skipping_lists_omitted_objects_and_keeps_the_rest() {
    let text = objects(
        r#"<object id="1" x="0" y="0"><polygon points="0,0 9,9 9,0 0,9"/></object><object id="2" x="1" y="1"/>
           <object name="far" x="1e40" y="0"/>"#,
    );
    let go_on = Options { skip_invalid: true, ..Options::default() };
    let scene = read_with(&text, &[], &go_on).unwrap();
    let refused: Vec<_> = scene.skipped.iter().map(|r| r.object.as_str()).collect();
    assert_eq!((refused.as_slice(), scene.colliders.len()), (["1", "far"].as_slice(), 1));
}
