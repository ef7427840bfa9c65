//! XML and JSON are two forms of one map. `everything.tmx` contains every kind of object and layer.
//! Tiled 1.8.2 converted it to `everything.tmj`.
use super::{assert_points, objects, read, read_with, refused};
use carom_scene::{Options, YAxis};

const XML: &str = include_str!("maps/everything.tmx");
const JSON: &str = include_str!("maps/everything.tmj");

#[test]
fn the_same_map_in_both_formats_is_the_same_scene() {
    let go_on = Options { skip_invalid: true, ..Options::default() };
    let (xml, json) = (read_with(XML, &[], &go_on).unwrap(), read_with(JSON, &[], &go_on).unwrap());
    assert!((&xml.colliders, &xml.layers) == (&json.colliders, &json.layers));
    let without_lines =
        |texts: &[String]| texts.iter().map(|t| t.split(" (").next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(without_lines(&xml.warnings), without_lines(&json.warnings));
    assert_eq!(xml.y, YAxis::Down);
    assert!(xml.colliders.len() > 30, "{} colliders", xml.colliders.len());
    assert!(xml.skipped.is_empty());
    let layers: Vec<_> = xml.layers.iter().flatten().collect();
    assert_eq!(layers, ["ground", "shapes", "sprites"], "one bit a name, in order of appearance");
}

#[test]
fn both_formats_refuse_the_same_objects_with_the_same_words() {
    let xml =
        refused(&objects(r#"<object id="7" name="bow" x="1" y="2"><polygon points="0,0 9,9 9,0 0,9"/></object>"#));
    let json = refused(
        r#"{"orientation": "orthogonal", "width": 1, "height": 1, "tilewidth": 16, "tileheight": 16, "layers": [{"type": "objectgroup",
        "name": "things", "objects": [{"id": 7, "name": "bow", "x": 1, "y": 2, "polygon":
        [{"x": 0, "y": 0}, {"x": 9, "y": 9}, {"x": 9, "y": 0}, {"x": 0, "y": 9}]}]}]}"#,
    );
    assert_eq!(xml, json);
    assert!(xml.starts_with(r#"map: object 7 "bow" in layer "things": "#), "{xml}");
}

/// Before Tiled 1.2 the tiles of a JSON tileset were an object with their numbers as keys.
#[test]
fn old_json_tilesets() {
    let scene = read(
        r#"{"orientation": "orthogonal", "width": 1, "height": 1, "tilewidth": 16, "tileheight": 16,
        "tilesets": [{"firstgid": 1, "name": "old", "tilewidth": 16, "tileheight": 16, "image": "a.png",
          "tiles": {"3": {"objectgroup": {"objects": [{"id": 1, "x": 2, "y": 3, "width": 4, "height": 5}]}}}}],
        "layers": [{"type": "tilelayer", "name": "l", "width": 1, "height": 1, "data": [4]}]}"#,
    );
    assert_points(&scene, "l[0,0]", &[[2.0, 3.0], [6.0, 3.0], [6.0, 8.0], [2.0, 8.0]]);
}

/// Versions of Tiled before 1.0 could name the document type.
#[test]
fn a_document_type_is_no_obstacle() {
    let text = r#"<?xml version="1.0"?><!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
        <map orientation="orthogonal" tilewidth="16" tileheight="16"/>"#;
    assert!(read(text).colliders.is_empty());
}
