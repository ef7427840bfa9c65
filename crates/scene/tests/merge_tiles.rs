//! Merged tiles cover the same cells as the tiles did. The expected cells are those of the file.
use carom::{DVec2, ShapeKind};
use carom_scene::{Options, Scene, TileMerge, merge_tiles};

use crate::support::random;

const WIDTH: usize = 12;
const HEIGHT: usize = 9;

/// Reads a map of 8 × 8 cells with an offset that is not exact in binary.
fn map(cells: &[bool], offset: &str) -> Scene {
    let data: Vec<&str> = cells.iter().map(|&solid| if solid { "1" } else { "0" }).collect();
    let map = format!(
        r#"<map orientation="orthogonal" width="{WIDTH}" height="{HEIGHT}" tilewidth="8" tileheight="8">
        <tileset firstgid="1" tilewidth="8" tileheight="8" tilecount="1"><image source="t.png"/></tileset>
        <layer name="ground" width="{WIDTH}" height="{HEIGHT}" offsetx="{offset}"><data encoding="csv">{}</data></layer></map>"#,
        data.join(",")
    );
    let options = Options { solid_all: true, ..Options::default() };
    carom_scene::read("map", map.as_bytes(), &options, &mut |_| unreachable!("no other file")).unwrap()
}

fn area(scene: &Scene) -> f64 {
    scene.colliders.iter().map(|c| c.shape.mass_properties().area).sum()
}

#[test]
fn random_cells_stay_covered_and_others_free() {
    let mut next = random(7);
    for round in 0..60 {
        let share = 1 + round % 9;
        let cells: Vec<bool> = (0..WIDTH * HEIGHT).map(|_| next(10) < share).collect();
        let count = cells.iter().filter(|solid| **solid).count();
        for form in [TileMerge::Rectangles, TileMerge::Outlines] {
            let mut scene = map(&cells, "16");
            merge_tiles(&mut scene, form);
            // Disjoint shapes of this total area that contain every solid centre and no other cover
            // exactly the cells.
            assert!((area(&scene) - 64.0 * count as f64).abs() < 1e-9, "{form:?}");
            for (i, &solid) in cells.iter().enumerate() {
                let centre = DVec2::new((i % WIDTH) as f64 * 8.0 + 20.0, (i / WIDTH) as f64 * 8.0 + 4.0);
                let contains = |c: &carom_scene::SceneCollider| c.shape.placed(c.pose).contains_point(centre).unwrap();
                assert_eq!(scene.colliders.iter().filter(|c| contains(c)).count(), usize::from(solid), "{form:?} {i}");
            }
        }
    }
}

#[test]
fn a_frame_is_four_rectangles_or_one_outline_with_a_hole() {
    let frame: Vec<bool> = (0..WIDTH * HEIGHT)
        .map(|i| i % WIDTH == 0 || i % WIDTH == WIDTH - 1 || i / WIDTH == 0 || i / WIDTH == HEIGHT - 1)
        .collect();
    let mut scene = map(&frame, "0");
    merge_tiles(&mut scene, TileMerge::Rectangles);
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    let expected =
        ["ground[0,0] (12 tiles)", "ground[0,1] (8 tiles)", "ground[11,1] (8 tiles)", "ground[1,8] (10 tiles)"];
    assert_eq!(ids, expected);
    let mut scene = map(&frame, "0");
    merge_tiles(&mut scene, TileMerge::Outlines);
    assert_eq!((scene.colliders.len(), scene.colliders[0].shape.kind()), (1, ShapeKind::Polygon));
    assert_eq!(scene.colliders[0].shape.rings().count(), 2);
    assert_eq!(scene.colliders[0].id, "ground[0,0] (38 tiles)");
    assert!(scene.colliders[0].origin.is_tile && scene.colliders[0].filter.group != 0);
}

/// Tiles whose corners do not fall on the grid exactly are not moved.
#[test]
fn inexact_vertices_keep_their_positions() {
    let cells = vec![true; WIDTH * HEIGHT];
    let before = map(&cells, "0.1");
    let mut after = before.clone();
    merge_tiles(&mut after, TileMerge::Rectangles);
    let bounds = |scene: &Scene| {
        let boxes = scene.colliders.iter().map(|c| c.shape.placed(c.pose).aabb());
        boxes.reduce(|a, b| a.union(&b)).unwrap()
    };
    assert_eq!((bounds(&after).min(), bounds(&after).max()), (bounds(&before).min(), bounds(&before).max()));
    assert!((area(&after) - area(&before)).abs() < 1e-6);
    assert!(after.colliders.len() < before.colliders.len());
}
