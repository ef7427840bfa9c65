//! PNG images as scenes, and as masks of scene files.
use carom::{Mask, Shape, ShapeKind};
use carom_scene::{Format, Options, Scene, YAxis, merge, read, to_json};

/// Returns a PNG with the pixels `#` (opaque), `+` (alpha 128), `-` (alpha 127) and `.`
/// (transparent).
fn png(rows: &[&str]) -> Vec<u8> {
    let alpha = |c: char| match c {
        '#' => 255,
        '+' => 128,
        '-' => 127,
        _ => 0,
    };
    grey(&rows.iter().map(|row| row.chars().map(alpha).collect()).collect::<Vec<_>>())
}

/// Returns a PNG with these alpha values.
fn grey(rows: &[Vec<u8>]) -> Vec<u8> {
    let data: Vec<u8> = rows.iter().flatten().flat_map(|&alpha| [0, 0, 0, alpha]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, rows[0].len() as u32, rows.len() as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&data).unwrap();
    bytes
}

fn image(name: &str, rows: &[&str]) -> Scene {
    read(name, &png(rows), &Options::default(), &mut |_| unreachable!()).unwrap()
}

fn mask(rows: &[&str]) -> Shape {
    Shape::mask(Mask::from_rows(rows).unwrap()).unwrap()
}

#[test]
fn an_image_is_a_scene_of_its_pixels() {
    let scene = image("ship.png", &["#+-.", ".##."]);
    assert_eq!((scene.y, scene.colliders.len(), scene.warnings.len()), (YAxis::Down, 1, 0));
    assert_eq!((scene.colliders[0].id.as_str(), &scene.colliders[0].shape), ("ship.png", &mask(&["##..", ".##."])));
    // In written JSON the mask contains its pixels.
    let again = read("x", to_json(&scene).as_bytes(), &Options::default(), &mut |_| unreachable!()).unwrap();
    assert_eq!(again, scene);
}

/// Both images have their upper left corner at the origin, so pixels are compared with pixels.
#[test]
fn two_images_are_compared_pixel_by_pixel() {
    let pair = |second: &[&str]| {
        let files =
            vec![("a.png".to_owned(), image("a.png", &["##..", "##.."])), ("b.png".to_owned(), image("b.png", second))];
        let scene = merge(files).unwrap();
        assert_eq!(scene.colliders.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["a.png", "b.png"]);
        let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
        (carom::intersects(placed(0), placed(1)), carom::overlaps(placed(0), placed(1)))
    };
    assert_eq!(pair(&[".#..", "...."]), (true, true));
    assert_eq!(pair(&["..#.", "...."]), (true, false), "neighbours touch");
    assert_eq!(pair(&["...#", "...."]), (false, false), "the boxes overlap, the pixels do not");
}

#[test]
fn invalid_masks_are_refused() {
    let message = |bytes: &[u8], options: &Options| {
        read("a.png", bytes, options, &mut |_| unreachable!()).unwrap_err().to_string()
    };
    let whole = png(&["##", ".#"]);
    assert_eq!(message(&whole[..whole.len() / 2], &Options::default()), "a.png: broken PNG: the image ends too early");
    let as_png = Options { format: Some(Format::Png), ..Options::default() };
    assert_eq!(message(b"GIF89a", &as_png), "a.png: this is no PNG image: only those are read");
    let empty = message(&png(&["--", ".."]), &Options::default());
    assert_eq!(empty, "a.png: a mask without solid pixels has no points: lower the threshold or omit the mask");
}

#[test]
fn scene_files_name_images() {
    let json = r#"{"carom": 1, "y": "down", "colliders": [
        {"id": "a", "shape": {"mask": {"image": "art/ship.png"}}},
        {"id": "b", "shape": {"mask": {"image": "art/ship.png", "threshold": 1, "scale": 2}}},
        {"id": "c", "shape": {"mask": {"image": "cut.png"}}},
        {"id": "d", "shape": {"mask": {"image": "gone.png"}}},
        {"id": "e", "shape": {"compound": [{"shape": {"mask": {"image": "art/ship.png", "threshold": 255}}, "position": [5, 5]}]}}]}"#;
    let ship = png(&["#+-.", ".##."]);
    let mut load = |path: &str| match path {
        "art/ship.png" => Ok(ship.clone()),
        "cut.png" => Ok(ship[..20].to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let options = Options { skip_invalid: true, ..Options::default() };
    let scene = read("scene.json", json.as_bytes(), &options, &mut load).unwrap();
    assert_eq!(scene.colliders[0].shape, mask(&["##..", ".##."]));
    assert_eq!(scene.colliders[1].shape, mask(&["###.", ".##."]).scaled(2.0, 2.0).unwrap());
    assert_eq!(scene.colliders[2].shape.kind(), ShapeKind::Compound);
    assert_eq!(scene.colliders[2].shape.children()[0].0, mask(&["#...", ".##."]));
    let reasons: Vec<&str> = scene.skipped.iter().map(|r| r.reason.split_once(", shape").unwrap().1).collect();
    assert_eq!(
        reasons,
        [
            ".mask.image: \"cut.png\": broken PNG: the image ends too early",
            ".mask.image: \"gone.png\" cannot be read: entity not found"
        ]
    );
}

/// A noise image is refused with a message before it fills the memory: each of its pixels is a
/// polygon.
#[test]
fn outlines_beyond_measure_are_refused() {
    let rows: Vec<String> = (0..2050).map(|y| "#.".repeat(1026)[y % 2..][..2050].to_owned()).collect();
    let board = png(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let error = carom_scene::trace("board.png", &board, "board", &carom_scene::TraceOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("board.png: the outlines have 8405000 corners; the limit is 8388608"), "{error}");
}

/// Every collider decoded its image again: a small file could use a large image a hundred thousand
/// times.
#[test]
fn an_image_of_many_colliders_is_read_once() {
    let collider = |i: usize| {
        format!("{{\"shape\": {{\"mask\": {{\"image\": \"{}.png\", \"threshold\": {}}}}}}}", i % 2, 127 + i % 4 / 2)
    };
    let list: Vec<String> = (0..100).map(collider).collect();
    let json = format!("{{\"carom\": 1, \"colliders\": [{}]}}", list.join(", "));
    let mut loads = Vec::new();
    let scene = read("x", json.as_bytes(), &Options::default(), &mut |path| {
        loads.push(path.to_owned());
        Ok(png(&[["#-", ".+"], ["+#", "-."]][usize::from(path == "1.png")]))
    });
    let colliders = scene.unwrap().colliders;
    let shapes = [mask(&["##", ".#"]), mask(&["##", "#."]), mask(&["#.", ".#"]), mask(&["##", ".."])];
    assert!(colliders.iter().enumerate().all(|(i, collider)| collider.shape == shapes[i % 4]));
    // One decoding for each threshold.
    assert_eq!(loads, ["0.png", "1.png", "0.png", "1.png"]);
}

/// Squares stay convex polygons, other contours are decomposed. The shapes equal those of
/// decomposing every contour.
#[test]
fn traced_outlines_are_the_shapes_of_their_contours() {
    use carom::decompose::{Connectivity, marching_squares, simplify_contours, trace_pixels};
    let mut state = 7_u64;
    let mut kinds = [0; 2];
    for round in 0..60 {
        let (width, height) = (24_u32, 16_u32);
        let values: Vec<u8> = (0..width * height)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let smooth = round % 2 == 1;
        let options = carom_scene::TraceOptions {
            tolerance: f64::from(round % 3) * 0.5,
            smooth,
            ..carom_scene::TraceOptions::default()
        };
        let rows: Vec<Vec<u8>> = values.chunks(width as usize).map(<[u8]>::to_vec).collect();
        let scene = carom_scene::trace("i.png", &grey(&rows), "i", &options).unwrap();
        let found = if smooth {
            marching_squares(width, height, &values, options.threshold).unwrap()
        } else {
            trace_pixels(&Mask::from_alpha(width, height, &values, options.threshold).unwrap(), Connectivity::Four)
        };
        let expected = simplify_contours(&found, options.tolerance).unwrap();
        assert_eq!(scene.colliders.len(), expected.len());
        for (collider, contour) in scene.colliders.iter().zip(expected) {
            assert_eq!(collider.shape, Shape::polygon_with_holes(&contour.outer, &contour.holes).unwrap());
            kinds[usize::from(collider.shape.kind() == ShapeKind::ConvexPolygon)] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}

/// A checkerboard of 2048 × 2048 pixels took 20 s: each of its two million squares was
/// triangulated. The test counts allocations for two sizes.
#[test]
fn the_work_of_tracing_grows_with_the_corners() {
    let allocations = |n: u32| {
        let rows: Vec<String> =
            (0..n).map(|y| (0..n).map(|x| if (x + y) % 2 == 0 { '#' } else { '.' }).collect()).collect();
        let board = png(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let mut pieces = 0;
        let counted = allocation_counter::measure(|| {
            pieces = carom_scene::trace("board.png", &board, "board", &carom_scene::TraceOptions::default())
                .unwrap()
                .colliders
                .len();
        });
        assert_eq!(pieces, (n * n / 2) as usize);
        counted.count_total as f64 / pieces as f64
    };
    let [small, large] = [64, 256].map(allocations);
    println!("{small} and {large} allocations a piece");
    assert!(large < 24.0 && large < 1.1 * small, "{small} and {large} allocations a piece");
}
