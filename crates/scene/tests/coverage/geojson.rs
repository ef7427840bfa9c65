//! Every member of RFC 7946, `crs` of its predecessor, and foreign members.
use carom_scene::Format;
use serde_json::{Value, json};

use super::check;

fn base() -> Value {
    json!({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "a"}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
        {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}}]})
}

#[test]
fn every_member_is_read_named_or_ignored_as_listed() {
    let base = base();
    let crs = json!({"type": "name", "properties": {"name": "EPSG:3857"}});
    let cases = [
        (
            "",
            "FeatureCollection",
            json!({
            "type": "Feature", "features": [], "bbox": [0, 0, 1, 1], "crs": crs, "name": "layer", "geometry": 1, "properties": 1,
            "coordinates": 1, "geometries": 1, "id": 1, "style": "red"}),
        ),
        (
            "/features/0",
            "Feature",
            json!({
            "type": "x", "geometry": null, "properties": {"name": "b"}, "id": "7", "bbox": [0, 0, 1, 1], "crs": crs, "features": 1,
            "coordinates": 1, "geometries": 1, "style": "red"}),
        ),
        (
            "/features/0/geometry",
            "geometry",
            json!({
            "type": "x", "coordinates": [3, 4], "bbox": [0, 0, 1, 1], "crs": crs, "features": 1, "geometry": 1,
            "properties": 1, "id": 1, "style": "red"}),
        ),
        ("/features/1/geometry", "geometry", json!({"geometries": []})),
    ];
    for (pointer, parent, members) in cases {
        for (name, value) in members.as_object().unwrap() {
            let mut changed = base.clone();
            changed.pointer_mut(pointer).unwrap()[name] = value.clone();
            check(Format::GeoJson, [parent, name], base.to_string().as_bytes(), changed.to_string().as_bytes());
        }
    }
    for (pointer, parent, name, value) in [
        ("/features/0/geometry/coordinates", "geometry", "third and later numbers of a position", json!([1, 2, 3])),
        ("/features/0/properties", "Feature", "properties other than the id", json!({"name": "a", "height": 5})),
    ] {
        let mut changed = base.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        check(Format::GeoJson, [parent, name], base.to_string().as_bytes(), changed.to_string().as_bytes());
    }
}

#[test]
fn altitudes_are_counted() {
    let json = br#"{"type": "LineString", "coordinates": [[0, 0, 1], [1, 1], [2, 0, 1, 5]]}"#;
    let scene = super::read("line", json).unwrap();
    assert_eq!(scene.warnings, ["2 positions have numbers after x and y, such as an altitude: they are not read"]);
}
