//! `carom decompose` and `carom trace` print a scene that `check` reads. Its area is that of the
//! input.
use std::fs;

use carom::Shape;
use carom_scene::{Options, Scene, read};

use crate::carom::{carom, carom_with};

const L: &str = r#"{"carom": 1, "colliders": [{"id": "l", "position": [5, 5], "rotation": 30,
    "shape": {"polygon": {"points": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}}]}"#;

fn sprite(name: &str) -> String {
    format!("{}/../../scenes/sprites/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn scene(json: &str) -> Scene {
    read("out.json", json.as_bytes(), &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap()
}

fn area(scene: &Scene) -> f64 {
    scene.colliders.iter().map(|c| c.shape.mass_properties().area).sum()
}

#[test]
fn decompose_prints_convex_parts_of_the_same_area() {
    let printed = carom_with(&["decompose", "-"], L).data();
    let scene = scene(&printed);
    assert_eq!((scene.colliders.len(), scene.colliders[0].id.as_str(), area(&scene)), (1, "l", 3.0));
    let children = scene.colliders[0].shape.children();
    assert!(children.len() == 2 && children.iter().all(|(child, _)| child.part_count() == 1), "{printed}");
    // Convex input is unchanged.
    assert_eq!(carom_with(&["decompose", "-"], &printed).data(), printed);
}

#[test]
fn decompose_takes_every_format_and_draws() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("parts.svg");
    let map = format!("{}/../../scenes/countries.geojson", env!("CARGO_MANIFEST_DIR"));
    let printed = carom(&["decompose", &map, "--render", picture.to_str().unwrap()]).data();
    let whole =
        read("countries.geojson", &fs::read(&map).unwrap(), &Options::default(), &mut |_| unreachable!()).unwrap();
    let split = scene(&printed);
    assert_eq!(split.colliders.len(), whole.colliders.len());
    assert!((area(&split) - area(&whole)).abs() < 1e-9 * area(&whole));
    let drawn = fs::read_to_string(picture).unwrap();
    assert!(
        drawn.starts_with("<svg") && drawn.contains(" parts") && !drawn.contains("contact"),
        "nobody looked for contacts"
    );
}

/// The documented bound: the area changes by at most deviation × perimeter. The oracle counts
/// pixels.
#[test]
fn trace_prints_outlines_within_the_stated_bound() {
    for name in ["playerShip1_orange.png", "bee.png", "meteorGrey_med1.png", "keyYellow.png", "laserBlue01.png"] {
        let exact = scene(&carom(&["trace", &sprite(name), "--deviation", "0"]).data());
        let pixels =
            carom_scene::read(name, &fs::read(sprite(name)).unwrap(), &Options::default(), &mut |_| unreachable!())
                .unwrap();
        let (mask, _, _) = pixels.colliders[0].shape.pixels().unwrap();
        assert_eq!(area(&exact), mask.count() as f64, "{name}");
        let perimeter: f64 = exact.colliders.iter().map(|c| perimeter(&c.shape)).sum();
        for deviation in [0.75, 1.5] {
            let traced = scene(&carom(&["trace", &sprite(name), "--deviation", &deviation.to_string()]).data());
            assert!((area(&traced) - area(&exact)).abs() <= deviation * perimeter, "{name} {deviation}");
            let corners = |scene: &Scene| scene.colliders.iter().map(|c| c.shape.points().len()).sum::<usize>();
            assert!(corners(&traced) < corners(&exact), "{name} {deviation}");
        }
        assert_eq!(exact.colliders[0].id, name.trim_end_matches(".png"));
    }
}

fn perimeter(shape: &Shape) -> f64 {
    let edges =
        |ring: &[carom::DVec2]| -> f64 { (0..ring.len()).map(|i| ring[i].distance(ring[(i + 1) % ring.len()])).sum() };
    shape.rings().map(edges).sum()
}

#[test]
fn trace_refuses_invalid_and_empty_images() {
    for (file, expected) in [("Cargo.toml", "no PNG"), ("missing.png", "cannot be read")] {
        let ran = carom(&["trace", file]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{file}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    let ran = carom(&["trace", &sprite("bee.png"), "--deviation=-1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("deviation is -1"), "{}", ran.stderr);
}
