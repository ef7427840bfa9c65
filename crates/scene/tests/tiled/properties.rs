//! Custom properties of objects and layers: the meaning of each value, and refused values.
use super::{find, map, objects, points, read, read_with, refused};
use carom::DVec2;
use carom_scene::{Options, Scene};

fn property(name: &str, kind: &str, value: &str) -> String {
    format!(r#"<property name="{name}" type="{kind}" value="{value}"/>"#)
}

/// Returns an object of 8 × 4 with attributes and properties.
fn object(id: u32, attributes: &str, properties: &str) -> String {
    format!(
        r#"<object id="{id}" x="10" y="20" width="8" height="4" {attributes}><properties>{properties}</properties></object>"#
    )
}

fn one(properties: &str) -> Scene {
    read(&objects(&object(1, "", properties)))
}

/// +y points down in Tiled, so up is −y.
#[test]
fn one_way_is_a_side_as_on_the_screen() {
    for (kind, value, front) in [
        ("string", "up", [0.0, -1.0]),
        ("bool", "true", [0.0, -1.0]),
        ("string", "down", [0.0, 1.0]),
        ("string", "left", [-1.0, 0.0]),
        ("string", " right ", [1.0, 0.0]),
        ("string", "3,-4", [0.6, -0.8]),
    ] {
        let scene = one(&property("one_way", kind, value));
        assert_eq!(scene.colliders[0].one_way.unwrap().front().to_array(), front, "{value}");
        assert_eq!(scene.colliders[0].to_collider().one_way, scene.colliders[0].one_way);
        assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    }
    assert_eq!(one(&property("one_way", "bool", "false")).colliders[0].one_way, None);
    // The front turns with the object: 90° from +x towards +y (down) turns up to the right.
    let turned = read(&objects(&object(1, "rotation=\"90\"", &property("one_way", "string", "up"))));
    let collider = find(&turned, "1");
    assert_eq!(collider.pose.rotate_vector(collider.one_way.unwrap().front()), DVec2::X);
}

#[test]
fn sensors_and_masks_are_read() {
    let text = map(&format!(
        r#"<objectgroup name="Walls">{}</objectgroup><objectgroup name="Doors">{}{}{}</objectgroup>"#,
        object(1, "", ""),
        object(2, "", &(property("sensor", "bool", "true") + &property("mask", "string", "Walls, Players"))),
        object(3, "", &property("mask", "string", "*")),
        object(4, "", &property("mask", "string", "")),
    ));
    let scene = read(&text);
    let names: Vec<_> = scene.layers.iter().flatten().map(String::as_str).collect();
    assert_eq!(names, ["Walls", "Doors", "Players"]);
    let masks: Vec<u64> = scene.colliders.iter().map(|c| c.filter.mask).collect();
    // Walls have layer 1, Doors 2, Players 3.
    assert_eq!(masks, [u64::MAX, 0b1010, u64::MAX, 0]);
    let sensors: Vec<bool> = scene.colliders.iter().map(|c| c.sensor).collect();
    assert_eq!(sensors, [false, true, false, false]);
}

/// The path has edges of length 8, at 4 units per second: 2 s there and 2 s back.
#[test]
fn platforms_move_along_polylines_polygons_and_points() {
    let speed = property("speed", "float", "4");
    let text = objects(&format!(
        r#"<object id="7" name="rail" x="100" y="100"><polyline points="0,0 8,0"/></object>
        <object id="8" name="ring" x="0" y="0" rotation="90"><polygon points="5,5 13,5 13,13 5,13"/></object>{}{}{}{}{}"#,
        object(1, "", &(property("moving", "string", "rail") + &speed)),
        object(2, "", &(property("moving", "object", "7") + &speed)),
        object(3, "", &(property("moving", "string", "3,3 11,3") + &speed)),
        object(4, "", &(property("moving", "string", "ring") + &speed)),
        object(5, "", &property("moving", "object", "0")),
    ));
    let scene = read(&text);
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5"], "objects that are paths have no colliders");
    for id in ["1", "2", "3"] {
        let moving = find(&scene, id).moving.clone().unwrap();
        assert_eq!([0.0, 1.0, 2.0, 3.0, 4.0].map(|time| moving.offset(time).x), [0.0, 4.0, 8.0, 4.0, 0.0], "{id}");
        assert_eq!(points(&scene, id)[0], DVec2::new(10.0, 20.0), "it starts at its own place");
    }
    // The ring is turned: its first edge points down, and it closes.
    let ring = find(&scene, "4").moving.clone().unwrap();
    assert_eq!(
        [0.0, 2.0, 4.0, 8.0].map(|time| ring.offset(time).to_array()),
        [[0.0, 0.0], [0.0, 8.0], [-8.0, 8.0], [0.0, 0.0]]
    );
    assert_eq!(find(&scene, "5").moving, None);
}

/// Object, then template, then layer, then group.
#[test]
fn the_property_of_a_layer_is_the_default() {
    let list = |properties: &str| format!("<properties>{properties}</properties>");
    let text = map(&format!(
        r#"<group name="g">{}<objectgroup name="a">{}{}{}<object id="3" template="t.tx"/></objectgroup>
        <objectgroup name="b">{}</objectgroup></group>"#,
        list(&(property("one_way", "string", "up") + &property("sensor", "bool", "true"))),
        list(&property("one_way", "string", "left")),
        object(1, "", ""),
        object(2, "", &(property("one_way", "bool", "false") + &property("sensor", "bool", "false"))),
        object(4, "", ""),
    ));
    let template = format!(
        r#"<template><object width="3" height="3">{}</object></template>"#,
        list(&property("one_way", "string", "right"))
    );
    let scene = read_with(&text, &[("t.tx", &template)], &Options::default()).unwrap();
    let front = |id: &str| find(&scene, id).one_way.map(|one_way| one_way.front());
    assert_eq!(["1", "2", "3", "4"].map(front), [Some(DVec2::NEG_X), None, Some(DVec2::X), Some(DVec2::NEG_Y)]);
    assert_eq!(["1", "2", "3", "4"].map(|id| find(&scene, id).sensor), [true, false, true, true]);
}

/// A tile with a one-way collision shape, drawn upright, upside down (gid + 2³⁰) and on its side.
#[test]
fn tiles_have_the_properties_of_their_layer_and_their_collision_shapes() {
    let tileset = format!(
        r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="2"><image source="t.png"/>
        <tile id="0"><objectgroup><object x="0" y="0" width="16" height="4"><properties>{}</properties></object></objectgroup></tile>
        <tile id="1"><objectgroup><object x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset>"#,
        property("one_way", "string", "up")
    );
    let layer = |properties: &str| {
        format!(
            r#"{tileset}<layer name="l" width="4" height="1"><properties>{properties}</properties>
            <data encoding="csv">1,1073741825,2684354561,2</data></layer>"#
        )
    };
    let scene = read(&map(&layer(&property("sensor", "bool", "true"))));
    let fronts: Vec<_> = scene.colliders.iter().map(|c| c.one_way.map(|one_way| one_way.front().to_array())).collect();
    // 0xA0000001: x and y are swapped, then x is flipped. The top goes to the left by the swap, to the
    // right by the flip.
    assert_eq!(fronts, [Some([0.0, -1.0]), Some([0.0, 1.0]), Some([1.0, 0.0]), None]);
    assert!(scene.colliders.iter().all(|c| c.sensor));
    let moving = property("moving", "string", "0,0 16,0") + &property("speed", "int", "16");
    let scene = read(&map(&layer(&moving)));
    assert!(scene.colliders.iter().all(|c| c.moving.as_ref().unwrap().offset(0.5) == DVec2::new(8.0, 0.0)));
}

#[test]
fn values_that_mean_nothing_are_refused() {
    let rail = r#"<object id="7" name="rail"><polyline points="0,0 8,0"/></object>
        <object id="8" name="rail"><polyline points="0,0 8,0"/></object><object id="9" name="box" width="1" height="1"/>"#;
    let speed = property("speed", "float", "4");
    for (properties, parts) in [
        (property("one_way", "string", "sideways"), vec!["line", "one_way=\"sideways\"", "up, down, left, right"]),
        (property("one_way", "string", "0,0"), vec!["one_way=\"0,0\"", "must have a length"]),
        (property("sensor", "string", "yes"), vec!["sensor=\"yes\"", "true or false"]),
        (property("speed", "float", "-1"), vec!["speed=\"-1\"", "above 0"]),
        (property("speed", "string", "fast"), vec!["speed=\"fast\"", "above 0"]),
        (property("moving", "string", "rail"), vec!["object 1", "moving", "2 objects have the name \"rail\""]),
        (property("moving", "string", "road") + &speed, vec!["object 1", "there is no object \"road\""]),
        (property("moving", "string", "box") + &speed, vec!["object 1", "\"box\" is no path", "polyline"]),
        (property("moving", "object", "77") + &speed, vec!["object 1", "object 77 is no path"]),
        (property("moving", "object", "7"), vec!["object 1", "speed", "missing"]),
        (property("moving", "string", "1,1 1,1") + &speed, vec!["object 1", "two different points"]),
        (
            r#"<property name="mask" type="class"><properties/></property>"#.to_owned(),
            vec!["property mask", "expected a text"],
        ),
    ] {
        let message = refused(&objects(&format!("{rail}{}", object(1, "", &properties))));
        assert!(parts.iter().all(|part| message.contains(part)), "{properties}: {message}");
    }
    let json = r#"{"orientation": "orthogonal", "tilewidth": 1, "tileheight": 1, "layers": [{"type": "objectgroup",
        "name": "o", "properties": [{"name": "sensor", "type": "bool", "value": 3}]}]}"#;
    let message = refused(json);
    assert!(message.contains("line 2") && message.contains("sensor=\"3\": expected true or false"), "{message}");
}

#[test]
fn properties_without_effect_are_named() {
    let scene =
        one(&(property("solid", "bool", "true") + &property("speed", "float", "3") + &property("hp", "int", "9")));
    assert_eq!(scene.warnings.len(), 1);
    for word in ["\"hp\", \"solid\", \"speed\"", "one_way, moving with speed, sensor and mask"] {
        assert!(scene.warnings[0].contains(word), "{:?}", scene.warnings);
    }
    let many: String = (0..40).map(|i| property(&format!("p{i:02}"), "int", "1")).collect();
    assert!(one(&many).warnings[0].contains("and 30 more"));
}
