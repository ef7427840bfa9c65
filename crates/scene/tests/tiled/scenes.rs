//! The Tiled maps among the example scenes are large, of many kinds, with intersecting objects.
use carom::{ShapeKind, collide};
use carom_scene::{Options, Scene};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn open(file: &str, options: &Options) -> Scene {
    let bytes = std::fs::read(folder().join(file)).unwrap();
    carom_scene::read(file, &bytes, options, &mut |path| std::fs::read(folder().join(path))).unwrap()
}

fn pairs(scene: &Scene) -> Vec<(&str, &str, f64)> {
    let all = &scene.colliders;
    let mut meet = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in all[i + 1..].iter().filter(|b| a.filter.should_collide(b.filter)) {
            if let Some(m) = collide(a.shape.placed(a.pose), b.shape.placed(b.pose)) {
                meet.push((a.id.as_str(), b.id.as_str(), m.depth));
            }
        }
    }
    meet
}

/// At least 30 objects of at least three kinds, some rotated, and at least ten intersecting pairs.
fn assert_rich(scene: &Scene) {
    let objects: Vec<_> = scene.colliders.iter().filter(|c| c.origin.number.is_some()).collect();
    let kinds: HashSet<_> = objects.iter().map(|c| format!("{:?}", c.shape.kind())).collect();
    let turned = objects.iter().filter(|c| c.pose.sin() != 0.0).count();
    assert!(objects.len() >= 30 && kinds.len() >= 3 && turned >= 5, "{} {kinds:?} {turned}", objects.len());
    let is_object = |id: &str| objects.iter().any(|c| c.id == id);
    let meet = pairs(scene).into_iter().filter(|(a, b, _)| is_object(a) && is_object(b)).count();
    assert!(meet >= 10, "{meet} pairs of objects meet");
}

#[test]
fn the_platformer() {
    let scene = open("platformer.tmx", &Options::default());
    assert_rich(&scene);
    let meet = pairs(&scene);
    let depth = |a, b| meet.iter().find(|(x, y, _)| (*x, *y) == (a, b)).map(|(_, _, depth)| *depth);
    // Crate 1 stands on the ground beside crate 2. Crate 3 stands on both. All touch at depth
    // exactly 0.
    for pair in [("Ground[1,9]", "crate"), ("crate", "crate#2"), ("crate", "crate#3"), ("crate#2", "crate#3")] {
        assert_eq!(depth(pair.0, pair.1), Some(0.0), "{pair:?}");
    }
    // The drawbridge hangs on the corner of the platform, rotated by 150°.
    assert_eq!(depth("Platforms[9,5]", "drawbridge"), Some(0.0));
    // The wedge that stands upside down touches the tip of the other.
    assert_eq!(depth("wedge", "balanced wedge"), Some(0.0));
    assert!(
        depth("pushed crate", "tumbling crate").is_some_and(|d| d > 19.0),
        "the tumbling crate is in the pushed one"
    );
    assert_eq!(depth("coin#2", "coin#3"), None, "coins do not touch");
}

#[test]
fn the_dungeon() {
    let scene = open("dungeon.tmj", &Options::default());
    assert_rich(&scene);
    assert!(scene.colliders.iter().any(|c| c.shape.kind() == ShapeKind::Circle && c.id.starts_with("Furniture")));
    assert!(!scene.colliders.iter().any(|c| c.id.starts_with("Walls")), "the walls have no collision shapes");
    let solid = Options { solid: vec!["Walls".to_owned()], ..Options::default() };
    let walls = open("dungeon.tmj", &solid);
    assert_eq!(walls.colliders.iter().filter(|c| c.id.starts_with("Walls")).count(), 147);
    assert!(pairs(&walls).len() > pairs(&scene).len());
}

#[test]
fn scene_files_are_small() {
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let kind = entry.metadata().unwrap();
            if kind.is_dir() { folders.push(entry.path()) } else { assert!(kind.len() < 200_000, "{entry:?}") }
        }
    }
}
