//! Cells and objects of isometric, staggered and hexagonal maps lie where the documentation of TMX
//! says. The expected numbers are computed by hand from it; `drawn` compares with pictures by Tiled.
use super::{assert_near, assert_points, find, points, read_with};
use carom::DVec2;
use carom_scene::{Options, Scene};

const TILES: &str = r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="12" tilecount="1"><image source="t.png" width="8" height="12"/><tile id="0"><objectgroup><object x="1" y="2" width="3" height="4"/></objectgroup></tile></tileset>"#;

/// Reads a map whose layer `solid` is solid.
fn solid(map: &str) -> Scene {
    let options = Options { solid: vec!["solid".to_owned()], ..Options::default() };
    read_with(map, &[], &options).unwrap()
}

/// Returns a map with a solid layer and one with the collision shapes of its tiles, 3 × 3 cells.
fn map(orientation: &str, attributes: &str, gids: &str) -> String {
    let layer =
        |name: &str| format!(r#"<layer name="{name}" width="3" height="3"><data encoding="csv">{gids}</data></layer>"#);
    format!(
        r#"<map orientation="{orientation}" width="3" height="3" {attributes}>{TILES}{}{}</map>"#,
        layer("solid"),
        layer("shapes")
    )
}

const ALL: &str = "1,1,1,1,1,1,1,1,1";

#[test]
fn isometric_cells_are_diamonds() {
    let scene = solid(&map("isometric", r#"tilewidth="8" tileheight="4""#, ALL));
    // Three rows: the top corner of the map is at x = 3 · 4. A cell of the next column is half a
    // cell to the right and down. A cell of the next row is half a cell to the left and down.
    assert_points(&scene, "solid[0,0]", &[[12.0, 0.0], [16.0, 2.0], [12.0, 4.0], [8.0, 2.0]]);
    assert_points(&scene, "solid[2,0]", &[[20.0, 4.0], [24.0, 6.0], [20.0, 8.0], [16.0, 6.0]]);
    assert_points(&scene, "solid[0,2]", &[[4.0, 4.0], [8.0, 6.0], [4.0, 8.0], [0.0, 6.0]]);
    // The tile of 8 × 12 pixels stands on the bottom left of the box at 8, 4: its top left is at 8, -8.
    assert_points(&scene, "shapes[0,0]", &[[9.0, -6.0], [12.0, -6.0], [12.0, -2.0], [9.0, -2.0]]);
}

#[test]
fn staggered_rows_and_columns_are_shifted_by_half_a_cell() {
    let cell = r#"tilewidth="8" tileheight="4""#;
    let origin = |axis: &str, index: &str, id: &str| {
        let attributes = format!(r#"{cell} staggeraxis="{axis}" staggerindex="{index}""#);
        let scene = solid(&map("staggered", &attributes, ALL));
        let aabb = find(&scene, id).shape.placed(find(&scene, id).pose).aabb();
        assert_eq!(aabb.max() - aabb.min(), DVec2::new(8.0, 4.0));
        aabb.min().to_array()
    };
    assert_eq!(origin("y", "odd", "solid[0,0]"), [0.0, 0.0]);
    assert_eq!(origin("y", "odd", "solid[1,1]"), [12.0, 2.0]);
    assert_eq!(origin("y", "odd", "solid[1,2]"), [8.0, 4.0]);
    assert_eq!(origin("y", "even", "solid[1,2]"), [12.0, 4.0]);
    assert_eq!(origin("y", "even", "solid[1,1]"), [8.0, 2.0]);
    assert_eq!(origin("x", "odd", "solid[1,1]"), [4.0, 6.0]);
    assert_eq!(origin("x", "odd", "solid[2,1]"), [8.0, 4.0]);
    assert_eq!(origin("x", "even", "solid[2,1]"), [8.0, 6.0]);
    // The default is every odd row.
    let scene = solid(&map("staggered", cell, ALL));
    assert_points(&scene, "solid[1,1]", &[[16.0, 2.0], [20.0, 4.0], [16.0, 6.0], [12.0, 4.0]]);
}

#[test]
fn hexagonal_cells_have_a_side_along_the_axis() {
    let attributes = r#"tilewidth="8" tileheight="10" hexsidelength="4" staggeraxis="y" staggerindex="odd""#;
    let scene = solid(&map("hexagonal", attributes, ALL));
    // Corners 3 above and below the sides of length 4: rows are 7 apart, odd ones 4 to the right.
    let hexagon = [[4.0, 0.0], [8.0, 3.0], [8.0, 7.0], [4.0, 10.0], [0.0, 7.0], [0.0, 3.0]];
    assert_points(&scene, "solid[0,0]", &hexagon);
    assert_points(&scene, "solid[2,1]", &hexagon.map(|[x, y]| [x + 20.0, y + 7.0]));
    let attributes = r#"tilewidth="10" tileheight="8" hexsidelength="4" staggeraxis="x" staggerindex="even""#;
    let scene = solid(&map("hexagonal", attributes, ALL));
    let hexagon = [[0.0, 4.0], [3.0, 0.0], [7.0, 0.0], [10.0, 4.0], [7.0, 8.0], [3.0, 8.0]];
    assert_points(&scene, "solid[1,1]", &hexagon.map(|[x, y]| [x + 7.0, y + 8.0]));
    assert_points(&scene, "solid[2,1]", &hexagon.map(|[x, y]| [x + 14.0, y + 12.0]));
}

#[test]
fn tiles_of_hexagonal_maps_turn_by_sixths() {
    let attributes = r#"tilewidth="8" tileheight="12" hexsidelength="6" staggeraxis="y""#;
    // Bits 29 and 28: 60° and 120° clockwise about the centre at 4, 6; both together turn by 180°.
    let turned = (1_u32 << 29 | 1 << 28 | 1).to_string();
    let scene = solid(&map("hexagonal", attributes, &format!("{turned},0,0,0,0,0,0,0,0")));
    assert_near(&scene, "shapes[0,0]", &[[7.0, 10.0], [4.0, 10.0], [4.0, 6.0], [7.0, 6.0]]);
    let sixth = (1_u32 << 29 | 1).to_string();
    let scene = solid(&map("hexagonal", attributes, &format!("{sixth},0,0,0,0,0,0,0,0")));
    let (c, s) = (0.5, 0.75_f64.sqrt());
    let expected = [[1.0, 2.0], [4.0, 2.0], [4.0, 6.0], [1.0, 6.0]]
        .map(|[x, y]: [f64; 2]| [4.0 + c * (x - 4.0) - s * (y - 6.0), 6.0 + s * (x - 4.0) + c * (y - 6.0)]);
    assert_near(&scene, "shapes[0,0]", &expected);
}

#[test]
fn infinite_maps_have_cells_before_the_origin() {
    let chunk = |x: i32, y: i32| {
        format!(
            r#"<layer name="solid"><data encoding="csv"><chunk x="{x}" y="{y}" width="1" height="1">1</chunk></data></layer>"#
        )
    };
    let read = |orientation: &str, x, y| {
        let attributes = r#"width="3" height="3" tilewidth="8" tileheight="4" infinite="1" hexsidelength="2""#;
        let scene = solid(&format!(r#"<map orientation="{orientation}" {attributes}>{TILES}{}</map>"#, chunk(x, y)));
        points(&scene, &format!("solid[{x},{y}]")).into_iter().fold(DVec2::INFINITY, DVec2::min).to_array()
    };
    assert_eq!(read("isometric", -1, -2), [8.0 + 4.0, -6.0]);
    assert_eq!(read("staggered", -1, -1), [-8.0 + 4.0, -2.0]);
    assert_eq!(read("staggered", -1, -2), [-8.0, -4.0]);
    assert_eq!(read("hexagonal", -1, -1), [-8.0 + 4.0, -3.0]);
}

fn isometric_objects(content: &str) -> Scene {
    let map = format!(
        r#"<map orientation="isometric" width="2" height="3" tilewidth="8" tileheight="4">{TILES}<objectgroup name="things" offsetx="100">{content}</objectgroup></map>"#
    );
    read_with(&map, &[], &Options::default()).unwrap()
}

#[test]
fn objects_of_isometric_maps_lie_along_the_cells() {
    // x and y count in cell heights: 4 along x is one column, which is 4 right and 2 down.
    let scene = isometric_objects(
        r#"<object id="1" x="4" y="8" width="8" height="4"/>
        <object id="2" x="0" y="4"><polygon points="0,0 4,0 0,4"/></object>
        <object id="3" x="0" y="4"><polyline points="0,0 4,0 4,4"/></object>
        <object id="4" x="4" y="4"><point/></object>
        <object id="5" x="8" y="0" width="4" height="0"/>"#,
    );
    // The origin of the map is at 3 · 4 + 100.
    assert_points(&scene, "1", &[[108.0, 6.0], [116.0, 10.0], [112.0, 12.0], [104.0, 8.0]]);
    assert_points(&scene, "2", &[[108.0, 2.0], [112.0, 4.0], [104.0, 4.0]]);
    // Two edges, each with both ends.
    assert_points(&scene, "3", &[[108.0, 2.0], [112.0, 4.0], [112.0, 4.0], [108.0, 6.0]]);
    assert_points(&scene, "4", &[[112.0, 4.0]]);
    assert_points(&scene, "5", &[[120.0, 4.0], [124.0, 6.0]]);
}

#[test]
fn objects_of_isometric_maps_rotate_on_the_screen() {
    let scene = isometric_objects(r#"<object id="1" x="4" y="4" width="4" height="4" rotation="90"/>"#);
    // The diamond (0, 0), (4, 2), (0, 4), (-4, 2) from the position at 112, 4, turned clockwise.
    assert_points(&scene, "1", &[[112.0, 4.0], [110.0, 8.0], [108.0, 4.0], [110.0, 0.0]]);
}

#[test]
fn round_objects_of_isometric_maps_are_projected() {
    let scene = isometric_objects(
        r#"<object id="1" x="0" y="0" width="8" height="8"><ellipse/></object>
        <object id="2" x="0" y="0" width="16" height="8"><capsule/></object>"#,
    );
    // The circle about (4, 4) of radius 4 becomes an ellipse about (112, 4), twice as wide as high.
    // Its half axes are 4 · √2 and 2 · √2. All points are within 0.1 % of the radius.
    let unit = |p: &DVec2| ((p - DVec2::new(112.0, 4.0)) / (DVec2::new(4.0, 2.0) * std::f64::consts::SQRT_2)).length();
    let circle = points(&scene, "1");
    assert!(circle.len() > 20 && circle.iter().all(|p| (unit(p) - 1.0).abs() < 2e-3), "{circle:?}");
    // The capsule from 4, 4 to 12, 4 of radius 4 has the area 16 · 8 − (4 − π) · 16. The projection keeps it:
    // a cell of 4 × 4 becomes a diamond of 8 × 4.
    let capsule = find(&scene, "2").shape.mass_properties().area;
    let exact = 16.0 * 8.0 - (4.0 - std::f64::consts::PI) * 16.0;
    assert!((capsule / exact - 1.0).abs() < 2e-3, "{capsule} and {exact}");
}

#[test]
fn tile_objects_of_isometric_maps_stand_upright_on_their_middle() {
    let scene = isometric_objects(r#"<object id="1" gid="1" x="4" y="4" width="8" height="12"/>"#);
    // The middle of the bottom is at 112, 4, so the top left is at 108, -8.
    assert_points(&scene, "1", &[[109.0, -6.0], [112.0, -6.0], [112.0, -2.0], [109.0, -2.0]]);
}

#[test]
fn collision_shapes_on_an_isometric_grid_stand_at_the_bottom_of_the_tile() {
    let tiles = TILES.replace("<image", r#"<grid orientation="isometric" width="8" height="4"/><image"#);
    let map = format!(
        r#"<map orientation="isometric" width="1" height="1" tilewidth="8" tileheight="4">{tiles}<layer name="shapes" width="1" height="1"><data encoding="csv">1</data></layer></map>"#
    );
    let scene = read_with(&map, &[], &Options::default()).unwrap();
    // The box of the cell is 0, 0 to 8, 4, as is the bottom of the tile. The rectangle from 1, 2 to 4, 6
    // has the corner at ((1 − 2) · 1 + 4, 3 / 2).
    assert_points(&scene, "shapes[0,0]", &[[3.0, 1.5], [6.0, 3.0], [2.0, 5.0], [-1.0, 3.5]]);
}

#[test]
fn paths_of_isometric_maps_are_projected() {
    let scene = isometric_objects(
        r#"<object id="1" x="0" y="0"><polyline points="0,0 8,0"/></object>
        <object id="2" x="0" y="0" width="4" height="4"><properties><property name="moving" type="object" value="1"/><property name="speed" type="float" value="4"/></properties></object>"#,
    );
    let moving = find(&scene, "2").moving.clone().expect("a path");
    assert_eq!(moving.path()[1] - moving.path()[0], DVec2::new(8.0, 4.0));
}
