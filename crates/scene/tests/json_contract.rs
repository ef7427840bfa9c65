//! Scene files: every key, every default, and the way back to JSON.
use carom::{DVec2, Mask, Pose, Shape, ShapeKind};
use carom_scene::{Options, Scene, YAxis, read, to_json};

fn scene(json: &str) -> Scene {
    match read("test.json", json.as_bytes(), &Options::default(), &mut no_files) {
        Ok(scene) => scene,
        Err(error) => panic!("{error}\n{json}"),
    }
}

fn no_files(path: &str) -> std::io::Result<Vec<u8>> {
    panic!("a scene file refers to no other, but {path} was asked for")
}

/// Returns a scene of the given colliders.
fn colliders(list: &[&str]) -> Scene {
    scene(&format!("{{\"carom\": 1, \"colliders\": [{}]}}", list.join(",")))
}

const CIRCLE: &str = "\"shape\": {\"circle\": {\"radius\": 0.5}}";

#[test]
fn every_key_is_read() {
    let scene = scene(
        r#"{"$schema": "scene.schema.json", "carom": 1, "y": "down", "gravity": [0, -9.8], "walls": [-1, -2, 3, 4.5], "colliders": [
            {"id": "block", "shape": {"rectangle": {"width": 2, "height": 1, "radius": 0.1}}, "position": [1.2, 0.3], "rotation": 90,
             "layers": ["player"], "mask": ["wall", 7], "group": 3, "sensor": true, "one_way": [0, -2], "moving": {"path": [[1, 1], [1, 4]], "speed": 2},
             "motion": {"translation": [1, 2], "rotation": 45}, "body": {"mass": 2, "velocity": [3, 4], "restitution": 0.5}},
            {"shape": {"ellipse": {"radius_x": 2, "radius_y": 1, "deviation": 0.5}}, "layers": ["player"], "fixed": true}]}"#,
    );
    assert_eq!(scene.y, YAxis::Down);
    assert_eq!(scene.gravity, Some(DVec2::new(0.0, -9.8)));
    let walls = scene.walls.unwrap();
    assert_eq!((walls.min(), walls.max()), (DVec2::new(-1.0, -2.0), DVec2::new(3.0, 4.5)));
    let block = &scene.colliders[0];
    assert_eq!(block.id, "block");
    assert_eq!(block.shape, Shape::rectangle(2.0, 1.0).unwrap().rounded(0.1).unwrap());
    assert_eq!(block.pose.translation(), DVec2::new(1.2, 0.3));
    assert_eq!((block.pose.cos(), block.pose.sin()), (0.0, 1.0), "a quarter turn is exact");
    // The names get 1 and 2 in order of appearance. 7 stays 7.
    assert_eq!((block.filter.layers, block.filter.mask, block.filter.group), (0b10, 0b1000_0100, 3));
    assert_eq!(scene.layers, [None, Some("player".to_owned()), Some("wall".to_owned())]);
    assert!(block.sensor);
    assert_eq!(block.one_way.unwrap().front(), DVec2::NEG_Y);
    let moving = block.moving.as_ref().unwrap();
    assert_eq!((moving.offset(1.0), moving.speed()), (DVec2::new(0.0, 2.0), 2.0));
    assert!(!block.fixed && scene.colliders[1].fixed);
    assert_eq!(scene.colliders[1].shape, Shape::ellipse(2.0, 1.0, 0.5).unwrap());
    let motion = block.motion.unwrap();
    assert_eq!((motion.translation, motion.rotation), (DVec2::new(1.0, 2.0), 45.0));
    let body = block.body.unwrap();
    assert_eq!((body.mass, body.velocity, body.restitution), (2.0, DVec2::new(3.0, 4.0), 0.5));
}

#[test]
fn absent_keys_have_the_documented_default() {
    let scene = colliders(&[
        "{\"shape\": {\"circle\": {\"radius\": 1}}}",
        "{\"id\": \"x\", \"shape\": {\"circle\": {\"radius\": 1}}, \"group\": null, \"one_way\": null, \"moving\": \
         null, \"motion\": null, \"body\": null}",
    ]);
    assert_eq!((scene.y, scene.gravity, scene.walls), (YAxis::Up, None, None));
    assert_eq!(scene.layers, []);
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["#0", "x"]);
    for collider in &scene.colliders {
        assert_eq!(collider.pose, carom::Pose::IDENTITY);
        assert_eq!((collider.filter.layers, collider.filter.mask, collider.filter.group), (1, u64::MAX, 0));
        assert!(!collider.sensor && !collider.fixed && collider.one_way.is_none() && collider.moving.is_none());
        assert!(collider.motion.is_none() && collider.body.is_none());
    }
}

#[test]
fn the_stated_defaults_may_be_written() {
    let circle = "\"id\": \"x\", \"shape\": {\"segment\": {\"a\": [0, 0], \"b\": [1, 0]";
    let short = scene(&format!("{{\"carom\": 1, \"colliders\": [{{{circle}}}}}, \"motion\": {{}}}}]}}"));
    let long = format!(
        "{{\"carom\": 1, \"y\": \"up\", \"gravity\": null, \"walls\": null, \"colliders\": [{{{circle}, \"radius\": \
         0}}}}, \"position\": [0, 0], \"rotation\": 0, \"layers\": [0], \"group\": null, \"sensor\": false, \
         \"fixed\": false, \"one_way\": null, \"moving\": null, \"motion\": {{\"translation\": [0, 0], \"rotation\": \
         0}}, \"body\": null}}]}}"
    );
    assert_eq!(scene(&long), short);
}

#[test]
fn an_empty_list_is_a_scene() {
    let scene = scene("\u{feff} {\"carom\": 1.0, \"colliders\": []} \r\n");
    assert_eq!(scene, Scene::default());
    assert_eq!(to_json(&scene), "{\"carom\": 1, \"colliders\": []}\n");
}

/// Returns the forms of all kinds with the shapes that they describe.
#[expect(clippy::too_many_lines, reason = "a table")]
fn forms() -> [(&'static str, Shape, ShapeKind); 18] {
    let point = |x, y| DVec2::new(x, y);
    [
        (r#"{"circle": {"radius": 0}}"#, Shape::circle(0.0).unwrap(), ShapeKind::Circle),
        (
            r#"{"capsule": {"a": [0, 0], "b": [1, 0], "radius": 0.2}}"#,
            Shape::capsule(point(0.0, 0.0), point(1.0, 0.0), 0.2).unwrap(),
            ShapeKind::Capsule,
        ),
        (
            r#"{"segment": {"a": [0, 0], "b": [1, 0]}}"#,
            Shape::segment(point(0.0, 0.0), point(1.0, 0.0)).unwrap(),
            ShapeKind::Segment,
        ),
        (
            r#"{"segment": {"a": [0, 0], "b": [1, 0], "radius": 2}}"#,
            Shape::capsule(point(0.0, 0.0), point(1.0, 0.0), 2.0).unwrap(),
            ShapeKind::Capsule,
        ),
        (
            r#"{"segment": {"a": [3, 4], "b": [3, 4], "radius": 2}}"#,
            Shape::capsule(point(3.0, 4.0), point(3.0, 4.0), 2.0).unwrap(),
            ShapeKind::Circle,
        ),
        (r#"{"rectangle": {"width": 3, "height": 0.1}}"#, Shape::rectangle(3.0, 0.1).unwrap(), ShapeKind::Rectangle),
        (
            r#"{"ellipse": {"radius_x": 2, "radius_y": 1, "deviation": 0.01}}"#,
            Shape::ellipse(2.0, 1.0, 0.01).unwrap(),
            ShapeKind::ConvexPolygon,
        ),
        (
            r#"{"ellipse": {"radius_x": 0.1, "radius_y": 40}}"#,
            Shape::ellipse(0.1, 40.0, 0.04).unwrap(),
            ShapeKind::ConvexPolygon,
        ),
        (
            r#"{"polygon": {"points": [[0,0],[2,0],[1,1.5]], "holes": [], "radius": 0}}"#,
            Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]).unwrap(),
            ShapeKind::ConvexPolygon,
        ),
        (
            r#"{"polygon": {"points": [[0,0],[1,1.5],[2,0],[1,0]], "radius": 1e-3}}"#,
            Shape::polygon(&[[0.0, 0.0], [1.0, 1.5], [2.0, 0.0], [1.0, 0.0]]).unwrap().rounded(1e-3).unwrap(),
            ShapeKind::ConvexPolygon,
        ),
        (
            r#"{"polygon": {"points": [[0,0],[4,0],[4,4],[3,1]], "radius": 0.5}}"#,
            Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [3.0, 1.0]]).unwrap().rounded(0.5).unwrap(),
            ShapeKind::Polygon,
        ),
        (
            r#"{"polygon": {"points": [[0,0],[9,0],[0,9]], "holes": [[[1,1],[1,2],[2,1]],[[3,3],[3,4],[4,3]]]}}"#,
            Shape::polygon_with_holes(
                &[[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]],
                &[vec![[1.0, 1.0], [1.0, 2.0], [2.0, 1.0]], vec![[3.0, 3.0], [3.0, 4.0], [4.0, 3.0]]],
            )
            .unwrap(),
            ShapeKind::Polygon,
        ),
        (
            r#"{"chain": {"points": [[-9,0],[0,1],[9,0]], "closed": false}}"#,
            Shape::chain(&[[-9.0, 0.0], [0.0, 1.0], [9.0, 0.0]]).unwrap(),
            ShapeKind::Chain,
        ),
        (
            r#"{"chain": {"points": [[-9,0],[0,1],[9,0]], "closed": true, "one_sided": true, "radius": 0.1}}"#,
            Shape::closed_chain(&[[-9.0, 0.0], [0.0, 1.0], [9.0, 0.0]])
                .unwrap()
                .one_sided()
                .unwrap()
                .rounded(0.1)
                .unwrap(),
            ShapeKind::Chain,
        ),
        (
            r#"{"compound": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"compound": [{"shape": {"segment": {"a": [0,0], "b": [1,0]}}, "rotation": 90}]}, "position": [3,4]}]}"#,
            Shape::compound([
                (Shape::circle(1.0).unwrap(), Pose::IDENTITY),
                (
                    Shape::compound([(
                        Shape::segment([0.0, 0.0], [1.0, 0.0]).unwrap(),
                        Pose::from_degrees([0.0, 0.0], 90.0).unwrap(),
                    )])
                    .unwrap(),
                    Pose::from_translation([3.0, 4.0]).unwrap(),
                ),
            ])
            .unwrap(),
            ShapeKind::Compound,
        ),
        (
            r##"{"mask": {"rows": ["#..", ".##"]}}"##,
            Shape::mask(Mask::from_rows(&["#..", ".##"]).unwrap()).unwrap(),
            ShapeKind::Mask,
        ),
        (
            r##"{"mask": {"rows": ["#..", ".##"], "scale": [-2, 0.5]}}"##,
            Shape::mask(Mask::from_rows(&["#..", ".##"]).unwrap()).unwrap().scaled(-2.0, 0.5).unwrap(),
            ShapeKind::Mask,
        ),
        (
            r#"{"mask": {"rows": [".##"], "scale": 3, "radius": 0.25}}"#,
            Shape::mask(Mask::from_rows(&[".##"]).unwrap()).unwrap().scaled(3.0, 3.0).unwrap().rounded(0.25).unwrap(),
            ShapeKind::Mask,
        ),
    ]
}

#[test]
fn every_form_of_shape_is_read() {
    for (form, shape, kind) in forms() {
        let scene = colliders(&[&format!("{{\"shape\": {form}}}")]);
        assert_eq!(scene.colliders[0].shape, shape, "{form}");
        assert_eq!(shape.kind(), kind, "{form}");
        assert_eq!(self::scene(&to_json(&scene)), scene, "{form}");
    }
}

/// An ellipse is written as such: its polygon may have thousands of vertices.
#[test]
fn ellipses_are_written_short() {
    let list = ["{\"radius_x\":3,\"radius_y\":2}", "{\"radius_x\":3,\"radius_y\":2,\"deviation\":0.000001}"];
    for ellipse in list {
        let scene = colliders(&[&format!("{{\"shape\":{{\"ellipse\":{ellipse}}}}}")]);
        let json = to_json(&scene);
        assert!(json.contains("{\"ellipse\":{\"radius_x\":3,\"radius_y\":2") && json.len() < 200, "{json}");
        assert_eq!(self::scene(&json), scene, "{json}");
    }
    // A polygon that is nearly an ellipse stays a polygon.
    let mut points: Vec<DVec2> = Shape::ellipse(3.0, 2.0, 0.1).unwrap().points().to_vec();
    points[1].x += 1e-12;
    let spoiled = Shape::polygon(&points).unwrap();
    let scene =
        Scene { colliders: vec![carom_scene::SceneCollider::new("#0", spoiled, Pose::IDENTITY)], ..Scene::default() };
    let json = to_json(&scene);
    assert!(json.contains("polygon"), "{json}");
    assert_eq!(self::scene(&json), scene);
}

#[test]
fn a_fixed_collider_does_not_move() {
    for (key, value) in [("motion", "{}"), ("body", "{\"mass\": 1}")] {
        let json = format!("{{\"carom\": 1, \"colliders\": [{{{CIRCLE}, \"fixed\": true, \"{key}\": {value}}}]}}");
        let error = read("test.json", json.as_bytes(), &Options::default(), &mut no_files).unwrap_err().to_string();
        assert!(error.contains(&format!("fixed: a fixed collider has no {key}")), "{error}");
    }
}

#[test]
fn names_get_the_numbers_that_are_free() {
    // The default layer of the second collider is 0, and 1 and 2 are used as numbers. So the names
    // get 3 and 4.
    let scene = colliders(&[
        &format!("{{{CIRCLE}, \"layers\": [\"a\", 1, 2.0], \"mask\": [\"b\"]}}"),
        &format!("{{{CIRCLE}}}"),
        &format!("{{{CIRCLE}, \"layers\": [\"b\", \"a\", \"a\"], \"mask\": []}}"),
    ]);
    let filters: Vec<(u64, u64)> = scene.colliders.iter().map(|c| (c.filter.layers, c.filter.mask)).collect();
    assert_eq!(filters, [(0b1110, 0b10000), (1, u64::MAX), (0b11000, 0)]);
    assert_eq!(scene.layers[3..], [Some("a".to_owned()), Some("b".to_owned())]);
    assert_eq!(self::scene(&to_json(&scene)), scene);
}

#[test]
fn there_are_64_layers() {
    let named =
        |n: usize| (0..n).map(|i| format!("{{{CIRCLE}, \"layers\": [\"layer {i}\"]}}")).collect::<Vec<_>>().join(",");
    let scene = scene(&format!("{{\"carom\": 1, \"colliders\": [{}]}}", named(64)));
    // The names get 1 to 63 in order of appearance. The last name gets 0.
    for (i, collider) in scene.colliders.iter().enumerate() {
        assert_eq!(collider.filter.layers, 1 << ((i + 1) % 64));
        assert_eq!(scene.layers[(i + 1) % 64], Some(format!("layer {i}")));
    }
    assert_eq!((scene.free_layer(), self::scene(&to_json(&scene)) == scene), (None, true));
    let json = format!("{{\"carom\": 1, \"colliders\": [{}]}}", named(65));
    let error = read("test.json", json.as_bytes(), &Options::default(), &mut no_files).unwrap_err().to_string();
    assert!(error.contains("\"#64\", layers: layer \"layer 64\" is the 65th layer"), "{error}");
    // The default layer of the last collider leaves 63 names.
    let json = format!("{{\"carom\": 1, \"colliders\": [{}, {{{CIRCLE}}}]}}", named(64));
    let error = read("test.json", json.as_bytes(), &Options::default(), &mut no_files).unwrap_err().to_string();
    assert!(error.contains("\"layer 63\" is the 65th layer"), "{error}");
}

/// Law: writing and reading again gives each name its number, also if one collider has all 64.
#[test]
fn a_collider_on_64_named_layers_reads_back_equal() {
    let names: Vec<String> = (0..64).map(|i| format!("\"layer {i}\"")).collect();
    let scene = colliders(&[&format!("{{{CIRCLE}, \"layers\": [{}]}}", names.join(", "))]);
    assert_eq!((scene.colliders[0].filter.layers, scene.layers[0].as_deref()), (u64::MAX, Some("layer 63")));
    assert_eq!(self::scene(&to_json(&scene)), scene);
}

/// Law: a layer with a name has only the colliders that name it, whatever a program adds later.
#[test]
fn colliders_that_are_added_later_are_on_no_named_layer() {
    let scene = colliders(&[&format!("{{{CIRCLE}, \"layers\": [\"walls\"], \"mask\": [\"coins\"]}}")]);
    let (mut world, handles) = scene.to_world();
    let wall = handles.get("#0").unwrap();
    let later = world.insert(carom::Collider::new(Shape::circle(1.0).unwrap()));
    let free = scene.free_layer().unwrap();
    let player = world.insert(carom::Collider::new(Shape::circle(1.0).unwrap()).layers(free, u64::MAX));
    let found = |layers: u64| world.containing_point([0.0, 0.0], layers).unwrap();
    let bit = |name: &str| 1_u64 << scene.layers.iter().position(|layer| layer.as_deref() == Some(name)).unwrap();
    assert_eq!(found(bit("walls")), [wall]);
    assert_eq!(found(bit("coins")), []);
    assert_eq!((found(1), found(free)), (vec![later], vec![player]));
}

/// Law: no collider, mask or name uses the free layer. It is 0 only if all others are used.
#[test]
fn a_free_layer_is_used_by_nothing() {
    let free = |layers: &str| colliders(&[&format!("{{{CIRCLE}, {layers}}}")]).free_layer();
    assert_eq!(free("\"layers\": [0]"), Some(0b10));
    assert_eq!(free("\"layers\": [5], \"mask\": [1, 3]"), Some(0b100));
    assert_eq!(free("\"layers\": [1], \"mask\": [\"a\"]"), Some(0b1000));
    let list = |range: std::ops::Range<u32>| range.map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(free(&format!("\"layers\": [{}]", list(1..63))), Some(1 << 63));
    assert_eq!(free(&format!("\"layers\": [{}]", list(1..64))), Some(1));
    assert_eq!(free(&format!("\"layers\": [{}]", list(0..64))), None);
    // A mask of all layers uses none.
    assert_eq!(free(&format!("\"layers\": [1], \"mask\": [{}]", list(0..64))), Some(0b100));
}

#[test]
fn written_scenes_read_back_equal() {
    let seed = 0x5eed_u64;
    let mut random = Random(seed);
    for round in 0..300 {
        let list: Vec<String> = (0..5).map(|i| random.collider(i)).collect();
        let scene =
            scene(&format!("{{\"carom\": 1, \"gravity\": [0.1, -9.81], \"colliders\": [{}]}}", list.join(",\n")));
        let json = to_json(&scene);
        assert_eq!(self::scene(&json), scene, "seed {seed:#x}, round {round}\n{list:#?}\n{json}");
    }
}

#[test]
fn written_numbers_are_the_shortest() {
    // A position has no negative zero.
    let list = r#"{"shape": {"circle": {"radius": 0.1}}, "position": [1e30, -0.0], "rotation": 23}"#;
    let json = to_json(&colliders(&[list]));
    assert_eq!(
        json,
        "{\"carom\": 1, \"colliders\": [\n  \
         {\"shape\":{\"circle\":{\"radius\":0.1}},\"position\":[1e+30,0],\"rotation\":23}\n]}\n"
    );
}

/// The multiplier and increment of Knuth's MMIX; the upper bits are good enough for test data.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Returns a number with 53 random bits, over many magnitudes.
    fn number(&mut self) -> f64 {
        let bits = (self.below(1 << 27) << 26 | self.below(1 << 26)) as f64;
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * bits * 10f64.powi(self.below(30) as i32 - 20)
    }

    fn collider(&mut self, index: usize) -> String {
        let (x, y, w, h) = (self.number(), self.number(), self.number().abs() + 1e-9, self.number().abs() + 1e-9);
        let shape = match self.below(5) {
            0 => format!("{{\"circle\": {{\"radius\": {w:e}}}}}"),
            1 => format!("{{\"capsule\": {{\"a\": [{x:e}, {y:e}], \"b\": [{y:e}, {w:e}], \"radius\": {h:e}}}}}"),
            2 => format!("{{\"segment\": {{\"a\": [{x:e}, {y:e}], \"b\": [{h:e}, {w:e}]}}}}"),
            3 => format!("{{\"rectangle\": {{\"width\": {w:e}, \"height\": {h:e}, \"radius\": {h:e}}}}}"),
            _ => format!("{{\"polygon\": {{\"points\": [[0, 0], [{w:e}, 0], [0, {h:e}]], \"radius\": {w:e}}}}}"),
        };
        let (px, py, degrees, group) = (self.number(), self.number(), self.number(), self.below(3) + 1);
        let layer = self.below(6);
        let (front, turns) = (DVec2::new(x, y).normalize(), self.below(1000));
        format!(
            "{{\"id\": \"c{index}\", \"shape\": {shape}, \"position\": [{px:e}, {py:e}], \"rotation\": {degrees:e}, \
             \"layers\": [{layer}, \"n{layer}\"], \"mask\": [\"n0\", \"m\", 9], \"group\": {group}, \"sensor\": {}, \
             \"one_way\": [{:e}, {:e}], \"moving\": {{\"path\": [[{px:e}, 0], [0, {h:e}]], \"speed\": {w:e}}}, \
             \"motion\": {{\"translation\": [{px:e}, {py:e}], \"rotation\": {degrees:e}}}, \"body\": {{\"mass\": \
             {w:e}, \"velocity\": [{x:e}, {y:e}], \"restitution\": 0.3}}}}",
            self.below(2) == 0,
            front.x * turns as f64 - 1.0,
            front.y * turns as f64
        )
    }
}
