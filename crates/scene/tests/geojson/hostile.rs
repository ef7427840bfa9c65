//! Deep, large and damaged files end soon, in a scene or in one error.
use super::{SQUARE, WINDOW, features, scene, try_read};
use crate::support;

#[test]
fn deep_nesting_is_refused_quickly() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let collections = "{\"type\": \"GeometryCollection\", \"geometries\": [".repeat(200_000) + &"]}".repeat(200_000);
    for geometry in [
        format!("{{\"type\": \"Polygon\", \"coordinates\": {deep}}}"),
        format!("{{\"type\": \"Point\", \"coordinates\": {deep}}}"),
        format!("{{\"type\": \"GeometryCollection\", \"geometries\": {deep}}}"),
        collections,
    ] {
        for json in [features(&[&format!("\"geometry\": {geometry}")]), geometry] {
            let error = support::soon(|| try_read(&json, false)).expect_err("too deep").to_string();
            assert!(error.len() < 400, "{error}");
        }
    }
    // Ignored members may be nested to any depth.
    let json = features(&[&format!(
        "\"properties\": {{\"x\": {deep}, \"name\": \"n\"}}, \"geometry\": {{\"type\": \"Point\", \"coordinates\": \
         [0, 0, {deep}]}}"
    )]);
    assert_eq!(support::soon(|| scene(&json)).colliders[0].id, "n");
}

/// 200 000 vertices here, a million in release builds.
#[test]
fn a_large_outline_loads_soon() {
    let n = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    // Teeth along a circle: every second vertex is reflex.
    let vertex = |i: u32| {
        let angle = f64::from(i) / f64::from(n) * std::f64::consts::TAU;
        let radius = if i.is_multiple_of(2) { 100.0 } else { 99.0 };
        format!("[{},{}]", radius * angle.cos(), radius * angle.sin())
    };
    let ring: Vec<String> = (0..n).chain([0]).map(vertex).collect();
    let json = format!("{{\"type\": \"Polygon\", \"coordinates\": [[{}]]}}", ring.join(","));
    let scene = support::soon(|| scene(&json));
    assert_eq!(scene.colliders[0].shape.points().len(), n as usize);
}

#[test]
fn changed_files_end_in_a_scene_or_an_error() {
    let whole = features(&[
        &format!(
            "\"id\": 4, \"geometry\": {{\"type\": \"MultiPolygon\", \"coordinates\": [[{SQUARE}, {WINDOW}], \
             [{WINDOW}]]}}"
        ),
        "\"properties\": {\"name\": \"a\"}, \"geometry\": {\"type\": \"MultiLineString\", \"coordinates\": [[[0, 0], \
         [1, 1]]]}",
    ]);
    support::truncated_is_refused("map", &whole);
    let read = support::changed_is_sound(
        "map",
        &[whole.as_bytes()],
        b"0123456789-+.eE\"<>{}[],: \n\0\xffNai",
        20_000,
        0x5EED_0005,
    );
    assert!(read > 1_000, "only {read} of the changed files were read");
}
