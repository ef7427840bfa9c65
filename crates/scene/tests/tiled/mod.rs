//! Tiled maps become the scene that Tiled shows (P36), for every format, encoding and file layout.
mod drawn;
mod encodings;
mod errors;
mod formats;
mod hostile;
mod ids;
mod orientations;
mod placement;
mod properties;
mod scenes;
mod templates;
mod tiles;

use carom::DVec2;
use carom_scene::{Error, Options, Scene, SceneCollider};
use std::io;

/// Reads a map that refers to `files`.
fn read_with(map: &str, files: &[(&str, &str)], options: &Options) -> Result<Scene, Error> {
    let load = &mut |path: &str| {
        let file = files.iter().find(|(name, _)| *name == path);
        file.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    carom_scene::read("map", map.as_bytes(), options, load)
}

/// Reads a map without other files and without errors.
fn read(map: &str) -> Scene {
    read_with(map, &[], &Options::default()).unwrap()
}

/// Returns the message of an invalid map.
fn refused(map: &str) -> String {
    read_with(map, &[], &Options::default()).expect_err("the map is wrong").to_string()
}

/// Returns an orthogonal map of 16 × 16 cells.
fn map(content: &str) -> String {
    format!(
        r#"<map orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16" infinite="0">{content}</map>"#
    )
}

/// Returns a map with one object layer.
fn objects(content: &str) -> String {
    map(&format!(r#"<objectgroup name="things">{content}</objectgroup>"#))
}

/// Returns the collider with this id or number.
fn find<'a>(scene: &'a Scene, id: &str) -> &'a SceneCollider {
    let known: Vec<_> = scene.colliders.iter().map(|c| &c.id).collect();
    let is_it = |c: &&SceneCollider| c.id == id || id.parse().is_ok_and(|number| c.origin.number == Some(number));
    scene.colliders.iter().find(is_it).unwrap_or_else(|| panic!("no collider {id} among {known:?}"))
}

/// Returns the points of a collider in the world.
fn points(scene: &Scene, id: &str) -> Vec<DVec2> {
    let collider = find(scene, id);
    collider.shape.placed(collider.pose).points().collect()
}

/// Asserts that the collider has exactly these points, with any first point and any winding.
fn assert_points(scene: &Scene, id: &str, expected: &[[f64; 2]]) {
    let found = points(scene, id);
    let expected: Vec<_> = expected.iter().map(|&p| DVec2::from(p)).collect();
    let backwards: Vec<_> = expected.iter().rev().copied().collect();
    let turned = |list: &[DVec2]| (0..list.len()).any(|i| [&list[i..], &list[..i]].concat() == found);
    assert!(turned(&expected) || turned(&backwards), "{id}: expected {expected:?}, found {found:?}");
}

/// The same up to 1e-12 of the coordinates, for angles with an inexact sine.
fn assert_near(scene: &Scene, id: &str, expected: &[[f64; 2]]) {
    let found = points(scene, id);
    assert_eq!(found.len(), expected.len(), "{id}: {found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            f.distance(DVec2::from(*e)) < 1e-12 * (1.0 + f.length()),
            "{id}: expected {expected:?}, found {found:?}"
        );
    }
}
