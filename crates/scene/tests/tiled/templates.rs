//! An object takes missing attributes from its template. Paths of tilesets and templates are
//! relative to the file that names them.
use super::{assert_points, find, map, objects, read_with};
use carom_scene::{Options, Scene};

const TSX: &str = r#"<tileset name="tiles" tilewidth="16" tileheight="16" tilecount="4">
    <image source="t.png" width="64" height="16"/></tileset>"#;
const CRATE: &str = r#"<template><tileset firstgid="1" source="../tiles/t.tsx"/>
    <object name="crate" gid="3" width="32" height="16" rotation="90"/></template>"#;
const FILES: [(&str, &str); 4] = [
    ("templates/crate.tx", CRATE),
    ("tiles/t.tsx", TSX),
    (
        "templates/crate.tj",
        r#"{"type": "template", "tileset": {"firstgid": 1, "source": "../tiles/t.tsj"},
            "object": {"name": "crate", "gid": 3, "width": 32, "height": 16, "rotation": 90}}"#,
    ),
    (
        "tiles/t.tsj",
        r#"{"type": "tileset", "name": "tiles", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "image": "t.png"}"#,
    ),
];

fn read(text: &str) -> Scene {
    read_with(text, &FILES, &Options::default()).unwrap()
}

#[test]
fn an_instance_takes_absent_values_from_the_template() {
    for template in ["templates/crate.tx", "templates/crate.tj", "./tiles/../templates/crate.tx"] {
        let scene = read(&objects(&format!(r#"<object template="{template}" x="100" y="50"/>"#)));
        // 32 × 16 with the bottom left at (100, 50), rotated clockwise by 90 degrees.
        assert_points(&scene, "crate", &[[116.0, 50.0], [116.0, 82.0], [100.0, 82.0], [100.0, 50.0]]);
    }
}

#[test]
fn values_of_an_instance_have_priority() {
    let scene = read(&objects(
        r#"<object id="4" template="templates/crate.tx" x="100" y="50" width="10" height="20" rotation="0"/>
           <object name="mine" template="templates/crate.tx" x="100" y="50" width="10"/>"#,
    ));
    assert_points(&scene, "4", &[[100.0, 30.0], [110.0, 30.0], [110.0, 50.0], [100.0, 50.0]]);
    // A width without a height is ignored.
    assert_points(&scene, "mine", &[[116.0, 50.0], [116.0, 82.0], [100.0, 82.0], [100.0, 50.0]]);
}

/// Tile numbers of a template refer to its own tileset, those of the map to the map's.
#[test]
fn tile_numbers_belong_to_the_file_they_stand_in() {
    let text = map(r#"<tileset firstgid="1" name="large" tilewidth="64" tileheight="64" tilecount="9"/>
           <tileset firstgid="10" source="tiles/t.tsx"/>
           <objectgroup name="o"><object id="1" gid="3" x="0" y="100"/><object id="2" gid="12" x="0" y="100"/>
           <object id="3" template="templates/crate.tx" x="0" y="100" rotation="0"/></objectgroup>"#);
    let widths = ["1", "2", "3"].map(|id| super::points(&read(&text), id)[1].x);
    assert_eq!(widths, [64.0, 16.0, 32.0]);
}

#[test]
fn shapes_come_from_templates_too() {
    let disc = r#"<template><object name="disc" width="6" height="6"><ellipse/></object></template>"#;
    let nested = r#"<template><object template="disc.tx" width="8" height="8"/></template>"#;
    let files = [("disc.tx", disc), ("nested.tx", nested)];
    let text = objects(r#"<object template="disc.tx" x="1" y="2"/><object id="2" template="nested.tx" x="1" y="2"/>"#);
    let scene = read_with(&text, &files, &Options::default()).unwrap();
    assert_points(&scene, "disc", &[[4.0, 5.0]]);
    assert_eq!((find(&scene, "disc").shape.radius(), find(&scene, "2").shape.radius()), (3.0, 4.0));
}

#[test]
fn missing_files_are_named_with_the_object_that_needs_them() {
    let fail =
        |text: &str, files: &[(&str, &str)]| read_with(text, files, &Options::default()).unwrap_err().to_string();
    let message = fail(&objects(r#"<object id="9" template="t/none.tx" x="1" y="2"/>"#), &[]);
    assert!(message.contains("object 9") && message.contains("\"t/none.tx\""), "{message}");
    let message = fail(&map(r#"<tileset firstgid="1" source="none.tsx"/>"#), &[]);
    assert!(message.starts_with("map: tileset 1: ") && message.contains("\"none.tsx\""), "{message}");
    let message = fail(&objects(r#"<object id="9" template="templates/crate.tx" x="1" y="2"/>"#), &FILES[..1]);
    for part in ["object 9", "templates/crate.tx", "\"tiles/t.tsx\""] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let message = fail(&map(r#"<tileset firstgid="1" source="a.tsx"/>"#), &[("a.tsx", "<tileset name=")]);
    assert!(message.starts_with("a.tsx: line 1, column "), "{message}");
    let message = fail(&map(r#"<tileset firstgid="1" source="a.tsx"/>"#), &[("a.tsx", CRATE)]);
    assert!(message.contains("expected a Tiled <tileset>, found <template>"), "{message}");
}

/// A missing template removes its instances, not the map.
#[test]
fn a_missing_template_can_be_skipped() {
    let text = objects(r#"<object id="9" template="none.tx" x="1" y="2"/><object id="10" x="1" y="2"/>"#);
    let go_on = Options { skip_invalid: true, ..Options::default() };
    let scene = read_with(&text, &[], &go_on).unwrap();
    assert_eq!((scene.skipped[0].object.as_str(), scene.colliders[0].id.as_str()), ("9", "10"));
}

#[test]
fn templates_that_name_each_other_come_to_an_end() {
    let a = r#"<template><object template="b.tx"/></template>"#;
    let b = r#"<template><object template="./a.tx"/></template>"#;
    let text = objects(r#"<object id="1" template="a.tx" x="1" y="2"/>"#);
    let mut loads = 0;
    let load = &mut |path: &str| {
        loads += 1;
        Ok(if path == "a.tx" { a } else { b }.as_bytes().to_vec())
    };
    let message = carom_scene::read("map", text.as_bytes(), &Options::default(), load).unwrap_err().to_string();
    assert!(message.contains("object 1") && message.contains("deep"), "{message}");
    assert!(loads < 50, "{loads} files were read");
    // A template among the collision shapes of the tileset that it names.
    let ring = r#"<tileset name="r" tilewidth="8" tileheight="8" tilecount="1"><image source="r.png"/>
        <tile id="0"><objectgroup><object template="r.tx" x="0" y="0"/></objectgroup></tile></tileset>"#;
    let tx = r#"<template><tileset firstgid="1" source="r.tsx"/><object gid="1"/></template>"#;
    let text = map(r#"<tileset firstgid="1" source="r.tsx"/>
           <layer name="l" width="1" height="1"><data encoding="csv">1</data></layer>"#);
    let message = read_with(&text, &[("r.tsx", ring), ("r.tx", tx)], &Options::default()).unwrap_err().to_string();
    assert!(message.contains("tile 0 of tileset \"r\""), "{message}");
}
