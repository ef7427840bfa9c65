//! Every key of Tiled's documentation of its JSON format, up to version 1.11.
use carom_scene::Format;
use serde_json::{Value, json};

use super::check;

fn base() -> Value {
    let square = |id: u32| json!({"id": id, "x": 1, "y": 1, "width": 4, "height": 6});
    let points = json!([{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 0, "y": 4}]);
    json!({
        "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 16, "tileheight": 16,
        "tilesets": [
            {"firstgid": 1, "name": "t", "tilewidth": 16, "tileheight": 24, "tilecount": 2, "image": "t.png", "imagewidth": 32,
             "tileoffset": {"x": 1, "y": 1}, "grid": {"orientation": "orthogonal", "width": 16, "height": 16},
             "tiles": [{"id": 0, "objectgroup": {"objects": [square(90)]}}]},
            {"firstgid": 10, "name": "c", "tilewidth": 16, "tileheight": 16, "tilecount": 2,
             "tiles": [{"id": 0, "width": 6, "height": 6, "image": "a.png", "imagewidth": 8, "imageheight": 8},
                       {"id": 1, "image": "b.png", "imagewidth": 9, "imageheight": 9}]}],
        "layers": [
            {"type": "tilelayer", "name": "ground", "width": 2, "height": 1, "data": [0, 1]},
            {"type": "objectgroup", "name": "things", "objects": [
                {"id": 5, "x": 40, "y": 40, "width": 32, "height": 16, "gid": 1}, {"id": 6, "x": 80, "y": 40, "width": 8, "height": 4},
                {"id": 7, "gid": 10, "x": 1, "y": 90}, {"id": 8, "gid": 11, "x": 20, "y": 90},
                {"id": 11, "x": 0, "y": 200, "polygon": points}, {"id": 12, "x": 0, "y": 300, "polyline": points},
                {"id": 14, "x": 0, "y": 500, "polyline": points}, {"id": 15, "x": 0, "y": 520, "width": 8, "height": 4, "properties": [
                    {"name": "moving", "type": "object", "value": 14}, {"name": "speed", "type": "float", "value": 8}]}]},
            {"type": "group", "name": "g", "layers": [{"type": "objectgroup", "name": "inner", "objects": [{"id": 20}]}]}]
    })
}

/// Position of an object, its parent in the list, and keys with values.
fn cases() -> Vec<(&'static str, &'static str, Value)> {
    let properties = json!([{"name": "solid", "type": "bool", "propertytype": "x", "value": true}]);
    let objects = json!([{"id": 77}]);
    let sensor = json!([{"name": "sensor", "type": "bool", "value": true}]);
    vec![
        (
            "",
            "map",
            json!({
            "type": "tileset", "version": "9", "tiledversion": "9", "class": "x", "orientation": "isometric", "renderorder": "left-up",
            "compressionlevel": 9, "width": 9, "tilewidth": 32, "tileheight": 32, "skewx": 1, "skewy": 1, "parallaxoriginx": 9, "parallaxoriginy": 9, "backgroundcolor": "#fff",
            "nextlayerid": 9, "nextobjectid": 9, "infinite": "no", "properties": properties, "tilesets": [], "layers": [],
            "editorsettings": {"export": {"target": "x"}}, "unheard-of": 1}),
        ),
        (
            "/tilesets/0",
            "tileset",
            json!({
            "type": 7, "firstgid": 2, "source": "x.tsj", "name": "n", "class": "x", "tilewidth": 8, "tileheight": 8,
            "spacing": 1, "margin": 1, "tilecount": 0, "columns": 1, "backgroundcolor": "#fff", "objectalignment": "center",
            "tilerendersize": "grid", "fillmode": "preserve-aspect-fit", "version": "9", "tiledversion": "9", "imageheight": 9,
            "transparentcolor": "#fff", "terrains": [1], "transformations": {"hflip": true}, "wangsets": [1],
            "properties": properties, "tiles": [], "tileproperties": {}, "tilepropertytypes": {}, "editorsettings": {}, "unheard-of": 1}),
        ),
        ("/tilesets/1", "tileset", json!({"image": "all.png"})),
        ("/tilesets/0/tileoffset", "tileoffset", json!({"x": 3, "y": 3, "unheard-of": 1})),
        ("/tilesets/0/grid", "grid", json!({"orientation": "isometric", "unheard-of": 1})),
        (
            "/tilesets/0/tiles/0",
            "tile",
            json!({
            "id": 1, "type": "x", "class": "x", "terrain": [0], "probability": 0.5, "x": 1, "y": 1, "properties": properties,
            "animation": [{"tileid": 0, "duration": 9}], "unheard-of": 1}),
        ),
        ("/tilesets/1/tiles/0", "tile", json!({"width": 3, "height": 3, "image": 5})),
        (
            "/tilesets/1/tiles/1",
            "tile",
            json!({"imagewidth": 3, "imageheight": 3, "objectgroup": {"objects": objects}}),
        ),
        (
            "/tilesets/0/tiles/0/objectgroup",
            "tile objectgroup",
            json!({
            "id": 3, "type": "objectgroup", "name": "n", "class": "x", "color": "#fff", "x": 3, "y": 3, "width": 3, "height": 3,
            "opacity": 0.5, "visible": false, "tintcolor": "#fff", "offsetx": 3, "offsety": 3, "draworder": "index",
            "objects": objects, "properties": properties, "unheard-of": 1}),
        ),
        (
            "/layers/0",
            "layer",
            json!({
            "type": "x", "id": 3, "name": "n", "class": "x", "x": 3, "y": 3, "width": 3, "height": 3, "opacity": 0.5, "visible": false,
            "locked": true, "tintcolor": "#fff", "mode": "add", "offsetx": 3, "offsety": 3, "parallaxx": 0.5, "parallaxy": 0.5,
            "startx": 3, "starty": 3, "encoding": "x", "compression": "x", "data": [0, 0], "chunks": [7], "properties": sensor,
            "unheard-of": 1}),
        ),
        (
            "/layers/1",
            "layer",
            json!({
            "color": "#fff", "draworder": "index", "objects": objects, "imagewidth": 3, "imageheight": 3, "transparentcolor": "#fff",
            "repeatx": true, "repeaty": true, "visible": false}),
        ),
        ("/layers/2", "layer", json!({"layers": [], "offsetx": 3})),
        (
            "/layers/1/objects/1",
            "object",
            json!({
            "id": 66, "name": "n", "type": "x", "class": "x", "x": 3, "y": 3, "width": 3, "height": 3, "rotation": 3, "gid": 1,
            "visible": false, "opacity": 0.5, "template": "x.tj", "ellipse": true, "capsule": true, "point": true,
            "polygon": [{"x": 0, "y": 0}, {"x": 3, "y": 0}, {"x": 3, "y": 3}], "polyline": [{"x": 0, "y": 0}, {"x": 3, "y": 0}],
            "properties": sensor, "unheard-of": 1}),
        ),
        (
            "/layers/1/objects/7/properties/0",
            "property",
            json!({"name": "sensor", "type": "string", "value": 13, "propertytype": "x", "unheard-of": 1}),
        ),
        ("/layers/1/objects/4/polygon/1", "point", json!({"x": 3, "y": 3, "unheard-of": 1})),
        ("/tilesets/0/tiles/0/objectgroup/objects/0", "object", json!({"x": 3, "type": "x", "visible": false})),
    ]
}

/// Orientation of the map, position of an object, its parent in the list, and keys with values: those that
/// count in some orientations only.
fn oriented() -> [(&'static str, &'static str, &'static str, Value); 3] {
    [
        ("isometric", "", "map", json!({"height": 9})),
        ("hexagonal", "", "map", json!({"hexsidelength": 9, "staggeraxis": "x", "staggerindex": "even"})),
        ("orthogonal", "/tilesets/0/grid", "grid", json!({"width": 3, "height": 3})),
    ]
}

#[test]
fn keys_of_one_orientation_are_read() {
    for (orientation, pointer, parent, keys) in oriented() {
        let mut base = base();
        base["orientation"] = orientation.into();
        base["tilesets"][0]["grid"]["orientation"] = "isometric".into();
        for (name, value) in keys.as_object().unwrap() {
            let mut base = base.clone();
            if name == "hexsidelength" {
                // The map has one row, so the side of a hexagon counts along x only.
                base["staggeraxis"] = "x".into();
            }
            let mut changed = base.clone();
            changed.pointer_mut(pointer).unwrap()[name] = value.clone();
            check(Format::Tmj, [parent, name], base.to_string().as_bytes(), changed.to_string().as_bytes());
        }
    }
}

#[test]
fn every_key_is_read_named_or_ignored_as_listed() {
    let base = base();
    let bytes = base.to_string().into_bytes();
    for (pointer, parent, keys) in cases() {
        for (name, value) in keys.as_object().unwrap() {
            let mut changed = base.clone();
            changed.pointer_mut(pointer).unwrap()[name] = value.clone();
            check(Format::Tmj, [parent, name], &bytes, changed.to_string().as_bytes());
        }
    }
    // An image layer and a text have no shape, and a warning names them.
    for (pointer, name, child) in [
        ("/layers", "image", json!({"type": "imagelayer", "name": "sky", "image": "sky.png"})),
        ("/layers/1/objects", "text", json!({"id": 79, "text": {"text": "x", "wrap": true}})),
    ] {
        let mut changed = base.clone();
        changed.pointer_mut(pointer).unwrap().as_array_mut().unwrap().push(child);
        let parent = if name == "text" { "object" } else { "layer" };
        check(Format::Tmj, [parent, name], &bytes, changed.to_string().as_bytes());
    }
}

/// Everything in the list of the format is fed above, except in chunks and templates, which have
/// the same keys.
#[test]
fn the_list_has_nothing_else() {
    for part in carom_scene::coverage::parts(Format::Tmj) {
        let fed = cases().iter().any(|(_, parent, keys)| *parent == part.parent && keys.get(part.name).is_some());
        let fed = fed
            || oriented().iter().any(|(_, _, parent, keys)| *parent == part.parent && keys.get(part.name).is_some());
        let by_children = ["image", "text", "tileoffset", "grid", "imagewidth", "width", "height"].contains(&part.name);
        assert!(fed || by_children || ["chunk", "template"].contains(&part.parent), "{part:?}");
    }
}
