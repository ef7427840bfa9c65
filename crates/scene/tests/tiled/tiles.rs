//! P36: tiles lie where Tiled draws them, as cells and as objects, in every orientation. Only some
//! collide.
use super::{assert_near, assert_points, find, map, points, read, read_with, refused};
use carom::{DVec2, ShapeKind};
use carom_scene::{Options, Scene};

const H: u32 = 1 << 31;
const V: u32 = 1 << 30;
const D: u32 = 1 << 29;

/// Returns a tileset with one 16 × 24 tile, larger than the 16 × 16 grid, with these collision
/// shapes.
fn tileset(attributes: &str, children: &str, shapes: &str) -> String {
    format!(
        r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="24" tilecount="1" {attributes}>{children}
           <image source="t.png" width="16" height="24"/>
           <tile id="0"><objectgroup>{shapes}</objectgroup></tile></tileset>"#
    )
}

/// Vertices top left, bottom right, bottom left: different in each of the eight orientations.
const WEDGE: &str = r#"<object id="1" x="0" y="0"><polygon points="0,0 16,24 0,24"/></object>"#;

/// Returns a layer of two by two cells at (32, 48) from the map's origin.
fn cells(gids: [u32; 4]) -> String {
    let [a, b, c, d] = gids;
    format!(
        r#"<layer name="ground" width="2" height="2" x="2" y="3"><data encoding="csv">{a},{b},{c},{d}</data></layer>"#
    )
}

fn with_cell(tileset: &str, gid: u32) -> Scene {
    read(&map(&format!("{tileset}{}", cells([gid, 0, 0, 0]))))
}

fn with_object(tileset: &str, attributes: &str) -> Scene {
    read(&map(&format!(r#"{tileset}<objectgroup name="o"><object id="5" {attributes}/></objectgroup>"#)))
}

/// Tiled swaps x and y first, then flips. The bottom left of the drawn tile stays on the bottom
/// left of the cell.
#[test]
fn all_eight_turns_of_a_tile_larger_than_the_grid() {
    // Relative to the bottom left of the cell, which is (32, 64).
    let turns: [(u32, [[f64; 2]; 3]); 8] = [
        (0, [[0.0, -24.0], [16.0, 0.0], [0.0, 0.0]]),
        (H, [[16.0, -24.0], [0.0, 0.0], [16.0, 0.0]]),
        (V, [[0.0, 0.0], [16.0, -24.0], [0.0, -24.0]]),
        (H | V, [[16.0, 0.0], [0.0, -24.0], [16.0, -24.0]]),
        (D, [[0.0, -16.0], [24.0, 0.0], [24.0, -16.0]]),
        (D | H, [[24.0, -16.0], [0.0, 0.0], [0.0, -16.0]]),
        (D | V, [[0.0, 0.0], [24.0, -16.0], [24.0, 0.0]]),
        (D | H | V, [[24.0, 0.0], [0.0, -16.0], [0.0, 0.0]]),
    ];
    for (flags, corners) in turns {
        let scene = with_cell(&tileset("", "", WEDGE), 1 | flags);
        assert_points(&scene, "ground[2,3]", &corners.map(|[x, y]| [x + 32.0, y + 64.0]));
    }
}

#[test]
fn a_tile_offset_moves_the_drawn_tile_whatever_its_turn() {
    let offset = tileset("", r#"<tileoffset x="5" y="-3"/>"#, WEDGE);
    assert_points(&with_cell(&offset, 1), "ground[2,3]", &[[37.0, 37.0], [53.0, 61.0], [37.0, 61.0]]);
    assert_points(&with_cell(&offset, 1 | D), "ground[2,3]", &[[37.0, 45.0], [61.0, 61.0], [61.0, 45.0]]);
    // A tile object with twice the width and half the height scales the offset too.
    let scene = with_object(&offset, r#"gid="1" x="100" y="100" width="32" height="12""#);
    assert_points(&scene, "5", &[[110.0, 86.5], [142.0, 98.5], [110.0, 98.5]]);
}

#[test]
fn a_tile_object_stands_on_its_bottom_left_and_turns_about_it() {
    let plain = tileset("", "", "");
    let scene = with_object(&plain, r#"gid="1" x="100" y="200" width="32" height="48""#);
    assert_points(&scene, "5", &[[100.0, 152.0], [132.0, 152.0], [132.0, 200.0], [100.0, 200.0]]);
    assert_eq!(find(&scene, "5").shape.kind(), ShapeKind::Rectangle);
    let scene = with_object(&plain, r#"gid="1" x="100" y="200" width="32" height="48" rotation="90""#);
    assert_points(&scene, "5", &[[148.0, 200.0], [148.0, 232.0], [100.0, 232.0], [100.0, 200.0]]);
    // Without a size the object has that of the tile.
    let scene = with_object(&plain, r#"gid="1" x="100" y="200""#);
    assert_points(&scene, "5", &[[100.0, 176.0], [116.0, 176.0], [116.0, 200.0], [100.0, 200.0]]);
}

#[test]
fn the_alignment_of_the_tileset_defines_x_and_y() {
    let alignments = [
        ("unspecified", [0.0, -24.0]),
        ("bottomleft", [0.0, -24.0]),
        ("bottom", [-8.0, -24.0]),
        ("bottomright", [-16.0, -24.0]),
        ("left", [0.0, -12.0]),
        ("center", [-8.0, -12.0]),
        ("right", [-16.0, -12.0]),
        ("topleft", [0.0, 0.0]),
        ("top", [-8.0, 0.0]),
        ("topright", [-16.0, 0.0]),
    ];
    for (alignment, [x, y]) in alignments {
        let set = tileset(&format!(r#"objectalignment="{alignment}""#), "", "");
        let scene = with_object(&set, r#"gid="1" x="100" y="200""#);
        let (l, t, r, b) = (100.0 + x, 200.0 + y, 116.0 + x, 224.0 + y);
        assert_points(&scene, "5", &[[l, t], [r, t], [r, b], [l, b]]);
        // A rotation by 180 degrees about the aligned point mirrors the box in it.
        let scene = with_object(&set, r#"gid="1" x="100" y="200" rotation="180""#);
        let mirror = |p: [f64; 2]| [200.0 - p[0], 400.0 - p[1]];
        assert_points(&scene, "5", &[[l, t], [r, t], [r, b], [l, b]].map(mirror));
    }
}

#[test]
fn collision_shapes_of_a_tile_object_turn_with_it() {
    let scene = with_object(&tileset("", "", WEDGE), &format!(r#"gid="{}" x="100" y="200" rotation="90""#, 1 | H));
    // Mirrored: (16,-24) (0,0) (16,0) from the bottom left. A rotation by 90 degrees maps (x, y) to
    // (-y, x).
    assert_points(&scene, "5", &[[124.0, 216.0], [100.0, 200.0], [100.0, 216.0]]);
}

#[test]
fn a_collision_shape_may_be_turned_within_its_tile() {
    // 8 × 4 at (8, 8), rotated by 90 degrees about its top left: 4 to 8 across, 8 to 16 down.
    let bar = tileset("", "", r#"<object id="1" x="8" y="8" width="8" height="4" rotation="90"/>"#);
    let scene = with_cell(&bar, 1);
    assert_points(&scene, "ground[2,3]", &[[36.0, 48.0], [40.0, 48.0], [40.0, 56.0], [36.0, 56.0]]);
    assert_eq!(find(&scene, "ground[2,3]").shape.kind(), ShapeKind::Rectangle);
    let scene = with_cell(&bar, 1 | H);
    assert_points(&scene, "ground[2,3]", &[[40.0, 48.0], [44.0, 48.0], [44.0, 56.0], [40.0, 56.0]]);
    // Rotated by 45 degrees and mirrored upside down: the tile's y becomes 24 - y, its top edge is
    // at 40.
    let bar = tileset("", "", r#"<object id="1" x="8" y="8" width="8" height="4" rotation="45"/>"#);
    let h = f64::sqrt(0.5);
    let at = |x: f64, y: f64| [40.0 + h * (x - y), 40.0 + 24.0 - 8.0 - h * (x + y)];
    assert_near(&with_cell(&bar, 1 | V), "ground[2,3]", &[at(0.0, 0.0), at(8.0, 0.0), at(8.0, 4.0), at(0.0, 4.0)]);
}

#[test]
fn round_collision_shapes_stretch_to_circles_and_ellipses() {
    let disc = tileset("", "", r#"<object id="1" x="4" y="8" width="8" height="8"><ellipse/></object>"#);
    let scene = with_object(&disc, r#"gid="1" x="0" y="100" width="32" height="48""#);
    assert_eq!((find(&scene, "5").shape.kind(), find(&scene, "5").shape.radius()), (ShapeKind::Circle, 8.0));
    assert_points(&scene, "5", &[[16.0, 76.0]]);
    let scene = with_object(&disc, r#"gid="1" x="0" y="100" width="64" height="24""#);
    // Four times as wide: centre (32, 88), radii 16 and 4.
    for p in points(&scene, "5") {
        let v = (p - DVec2::new(32.0, 88.0)) / DVec2::new(16.0, 4.0);
        assert!((v.length() - 1.0).abs() < 2e-3, "{p} lies off the ellipse");
    }
    let pill = tileset("", "", r#"<object id="1" x="4" y="4" width="8" height="16"><capsule/></object>"#);
    let scene = with_object(&pill, r#"gid="1" x="0" y="100" width="32" height="48""#);
    assert_eq!((find(&scene, "5").shape.kind(), find(&scene, "5").shape.radius()), (ShapeKind::Capsule, 8.0));
    assert_points(&scene, "5", &[[16.0, 68.0], [16.0, 84.0]]);
    let uneven = r#"<objectgroup name="o"><object id="5" gid="1" x="0" y="0" width="40" height="24"/></objectgroup>"#;
    let message = refused(&map(&format!("{pill}{uneven}")));
    assert!(message.contains("object 5") && message.contains("capsule"), "{message}");
}

#[test]
fn tiles_drawn_at_the_size_of_the_grid() {
    let grid = tileset(r#"tilerendersize="grid""#, "", WEDGE);
    assert_points(&with_cell(&grid, 1), "ground[2,3]", &[[32.0, 48.0], [48.0, 64.0], [32.0, 64.0]]);
    // Two thirds along both axes, centred in the cell: 32/3 wide, with a margin of 8/3 on each
    // side.
    let fit = tileset(r#"tilerendersize="grid" fillmode="preserve-aspect-fit""#, "", WEDGE);
    let (l, r) = (32.0 + 8.0 / 3.0, 48.0 - 8.0 / 3.0);
    assert_near(&with_cell(&fit, 1), "ground[2,3]", &[[l, 48.0], [r, 64.0], [l, 64.0]]);
}

/// P17's ground: a floor is one object, but it touches the objects on it.
#[test]
fn the_tiles_of_one_layer_are_one_group() {
    let block = tileset("", "", r#"<object id="1" x="0" y="8" width="16" height="16"/>"#);
    let upper = r#"<layer name="upper" width="1" height="1"><data encoding="csv">1</data></layer>"#;
    let scene = read(&map(&format!("{block}{}{upper}", cells([1, 1, 1, 1]))));
    let filter = |id| find(&scene, id).filter;
    assert_eq!(scene.colliders.len(), 5);
    assert!(!filter("ground[2,3]").should_collide(filter("ground[3,4]")), "tiles of one layer report each other");
    assert!(filter("ground[2,3]").should_collide(filter("upper[0,0]")), "tiles of two layers do not");
    assert_eq!(scene.layers, [None, Some("ground".to_owned()), Some("upper".to_owned())]);
}

#[test]
fn several_collision_shapes_of_a_tile_have_different_ids() {
    let two = tileset(
        "",
        "",
        r#"<object id="1" x="0" y="0" width="4" height="4"/>
                                 <object id="2" x="8" y="0" width="4" height="4"/>"#,
    );
    let object = r#"<objectgroup name="o"><object id="5" gid="1" x="0" y="0"/><object id="6" gid="1" x="0" y="0"/></objectgroup>"#;
    let scene = read(&map(&format!("{two}{}{object}", cells([0, 1, 0, 0]))));
    let ids: Vec<_> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["ground[3,3].1", "ground[3,3].2", "5.1", "5.2", "6.1", "6.2"]);
    let filter = |id| find(&scene, id).filter;
    assert!(!filter("5.1").should_collide(filter("5.2")) && filter("5.1").should_collide(filter("6.1")));
}

#[test]
fn only_tiles_with_shapes_collide_unless_the_layer_is_solid() {
    let bare = tileset("", r#"<tileoffset x="1" y="2"/>"#, "");
    let text = map(&format!("{bare}{}", cells([1, 0, 0, 1 | D])));
    assert!(read(&text).colliders.is_empty());
    let solid = Options { solid: vec!["ground".to_owned()], ..Options::default() };
    let scene = read_with(&text, &[], &solid).unwrap();
    // As drawn: 16 × 24 on the bottom left of its cell, and rotated 24 × 16. Both are moved by the
    // offset.
    assert_points(&scene, "ground[2,3]", &[[33.0, 42.0], [49.0, 42.0], [49.0, 66.0], [33.0, 66.0]]);
    assert_points(&scene, "ground[3,4]", &[[49.0, 66.0], [73.0, 66.0], [73.0, 82.0], [49.0, 82.0]]);
    assert_eq!(scene.colliders.len(), 2);
    assert!(!scene.colliders[0].filter.should_collide(scene.colliders[1].filter));
    // The whole tile, without regard to its collision shapes.
    let wedge = map(&format!("{}{}", tileset("", "", WEDGE), cells([1, 0, 0, 0])));
    let scene = read_with(&wedge, &[], &solid).unwrap();
    assert_points(&scene, "ground[2,3]", &[[32.0, 40.0], [48.0, 40.0], [48.0, 64.0], [32.0, 64.0]]);
}

#[test]
fn an_unknown_solid_layer_is_an_error_that_lists_those_that_exist() {
    let text = map(&format!("{}<group>{}</group>", tileset("", "", ""), cells([1, 0, 0, 0])));
    let solid = Options { solid: vec!["grund".to_owned()], ..Options::default() };
    let message = read_with(&text, &[], &solid).unwrap_err().to_string();
    assert!(message.contains("\"grund\"") && message.contains("\"ground\""), "{message}");
    let message = read_with(&map(""), &[], &solid).unwrap_err().to_string();
    assert!(message.contains("no tile layers"), "{message}");
}

#[test]
fn an_image_collection_has_tiles_of_many_sizes_and_gaps() {
    let set = r#"<tileset firstgid="10" name="c" tilewidth="64" tileheight="64" tilecount="2">
        <tile id="0"><image source="a.png" width="8" height="12"/></tile>
        <tile id="7"><image source="b.png" width="64" height="64"/></tile></tileset>"#;
    let object =
        |gid: u32| format!(r#"{set}<objectgroup name="o"><object id="5" gid="{gid}" x="0" y="0"/></objectgroup>"#);
    assert_points(&read(&map(&object(10))), "5", &[[0.0, -12.0], [8.0, -12.0], [8.0, 0.0], [0.0, 0.0]]);
    assert_points(&read(&map(&object(17))), "5", &[[0.0, -64.0], [64.0, -64.0], [64.0, 0.0], [0.0, 0.0]]);
    let message = refused(&map(&object(11)));
    assert!(message.contains("object 5") && message.contains("no tile 1"), "{message}");
}
