//! Tests `--render`: SVG, and PNG with labels on machines without fonts.
use std::fs;

use crate::carom::{Folder, carom, command};
use resvg::tiny_skia::Pixmap;

const SCENE: &str = r#"{"carom": 1, "colliders": [
    {"id": "NAME", "shape": {"rectangle": {"width": 4, "height": 2}}},
    {"id": "b", "shape": {"circle": {"radius": 1}}, "position": [2, 1]}]}"#;

/// Renders a scene. Its first collider has the id `name`.
fn render(name: &str, command: &str, suffix: &str) -> Vec<u8> {
    let folder = Folder::new();
    let file = folder.file("scene.json", SCENE.replace("NAME", name));
    let picture = folder.path().join(format!("out.{suffix}"));
    let path = picture.to_str().expect("UTF-8");
    let args = match command {
        "check" => vec!["check", &file, "--render", path],
        "explain" => vec!["explain", &file, name, "b", "--render", path],
        steps => vec!["explain", &file, name, "b", steps, "--render", path],
    };
    let with = carom(&args).data();
    let without = carom(&args[..args.len() - 2]).data();
    assert_eq!(with, without, "the picture does not change the data");
    fs::read(picture).expect("the picture was written")
}

#[test]
fn svg_shows_contacts() {
    for command in ["check", "explain", "--gjk", "--sweep", "--contains"] {
        let svg = String::from_utf8(render("block", command, "svg")).expect("SVG is text");
        assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{svg}");
        assert!(svg.contains("block"), "{svg}");
        assert_eq!(svg.as_bytes(), render("block", command, "svg"), "the same bytes every time");
    }
}

/// Only the label differs between the two images, so different pixels belong to letters.
#[test]
fn png_shows_labels_without_any_installed_font() {
    for command in ["check", "explain"] {
        let pictures = ["iiiii", "WWWWW"].map(|name| Pixmap::decode_png(&render(name, command, "png")).expect("PNG"));
        assert!(pictures[0].width() > 200 && pictures[0].height() > 100);
        assert_eq!(pictures[0].width(), pictures[1].width());
        let both = pictures[0].pixels().iter().zip(pictures[1].pixels());
        let letters = both.filter(|(p, q)| p != q).count();
        assert!(letters > 50, "{command}: {letters} pixels");
    }
}

#[test]
fn the_suffix_may_be_in_capitals() {
    let folder = Folder::new();
    let picture = folder.path().join("OUT.PNG");
    let file = folder.file("scene.json", SCENE);
    let ran = command().args(["check", &file, "--render"]).arg(&picture).output().expect("the binary runs");
    assert!(ran.status.success());
    assert!(fs::read(picture).expect("the picture was written").starts_with(b"\x89PNG"));
}

/// `check --contains --render` shows the pairs that it lists, and does not call shapes disjoint.
#[test]
fn a_picture_of_contained_shapes_names_them() {
    let folder = Folder::new();
    let plate = r#"{"carom": 1, "colliders": [
        {"id": "plate", "shape": {"circle": {"radius": 5}}},
        {"id": "bean", "shape": {"circle": {"radius": 1}}, "position": [2, 0]},
        {"id": "spoon", "shape": {"circle": {"radius": 1}}, "position": [5, 0]}]}"#;
    let file = folder.file("scene.json", plate);
    let picture = folder.path().join("out.svg");
    let path = picture.to_str().expect("UTF-8");
    assert_eq!(carom(&["check", &file, "--contains", "--count", "--render", path]).data(), "1\n");
    let svg = fs::read_to_string(picture).expect("the picture was written");
    assert!(svg.contains("3 shapes, 1 contained pair") && svg.contains("neither"), "{svg}");
    assert!(!svg.contains("disjoint") && !svg.contains("0 contacts"), "{svg}");
}
