//! P36: objects and tiles lie where Tiled draws them. `drawn.pbm` is the picture by Tiled 1.8.2 of
//! `drawn.tmx` (`tmxrasterizer --no-smoothing`, cropped to the map's origin at 1, 5). It has one
//! bit per opaque pixel. The map has wedges in all eight orientations, larger than the grid, with a
//! tile offset. They are cells, and tile objects in every alignment, stretched and rotated. It also
//! has rotated rectangles, ellipses and polygons inside nested groups with offsets. The pictures of
//! the other orientations are whole ones.
use carom::DVec2;

const MAP: &str = include_str!("maps/drawn.tmx");
const PICTURE: &[u8] = include_bytes!("maps/drawn.pbm");

struct Bitmap {
    width: i64,
    height: i64,
    bits: &'static [u8],
}

impl Bitmap {
    /// Parses the binary PBM form: `P4`, width, height, then the rows with one bit per pixel.
    fn new(file: &'static [u8]) -> Self {
        let header = file.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1).unwrap().0;
        let words: Vec<_> = std::str::from_utf8(&file[..header]).unwrap().split_whitespace().collect();
        assert_eq!(words[0], "P4");
        Self { width: words[1].parse().unwrap(), height: words[2].parse().unwrap(), bits: &file[header + 1..] }
    }

    fn at(&self, x: i64, y: i64) -> bool {
        let row = (self.width + 7) / 8 * y;
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside && self.bits[usize::try_from(row + x / 8).unwrap()] >> (7 - x % 8) & 1 == 1
    }

    /// Returns true if all pixels within `distance` are equal. Beside an edge, a difference of half a
    /// pixel is a matter of rasterization.
    fn plain(&self, x: i64, y: i64, distance: i64) -> bool {
        let here = self.at(x, y);
        (-distance..=distance).all(|dy| (-distance..=distance).all(|dx| self.at(x + dx, y + dy) == here))
    }
}

/// Pixels that were compared.
struct Compared {
    inside: usize,
    outside: usize,
}

/// Compares a map with Tiled's picture. `distance`: distance from an edge of the picture, by the row, below
/// which a pixel is not compared.
fn compare(map: &str, picture: &'static [u8], distance: impl Fn(i64) -> i64) -> Compared {
    let picture = Bitmap::new(picture);
    let scene = super::read(map);
    let placed: Vec<_> =
        scene.colliders.iter().map(|c| c.shape.placed(c.pose)).map(|shape| (shape, shape.aabb())).collect();
    let (mut inside, mut outside) = (0, 0);
    let mut wrong = Vec::new();
    for y in 0..picture.height {
        for x in 0..picture.width {
            if !picture.plain(x, y, distance(y)) {
                continue;
            }
            let centre = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let covered = placed.iter().any(|(shape, bounds)| {
                let near = bounds.min().cmple(centre).all() && bounds.max().cmpge(centre).all();
                near && shape.contains_point(centre).unwrap()
            });
            *if covered { &mut inside } else { &mut outside } += 1;
            if covered != picture.at(x, y) {
                wrong.push((x, y, covered));
            }
        }
    }
    assert!(wrong.is_empty(), "{} pixels differ, such as {:?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    Compared { inside, outside }
}

#[test]
fn all_objects_lie_as_in_the_picture_of_tiled() {
    // Stretched wedges have stairs. Outlines have a pen, its shadow, and a dot on the first point of a
    // polygon.
    let Compared { inside, outside } = compare(MAP, PICTURE, |y| if y < 340 { 2 } else { 4 });
    assert_eq!(super::read(MAP).colliders.len(), 16 + 21 + 20);
    assert!(inside > 5_000 && outside > 200_000, "the test looked at {inside} and {outside} pixels");
}

/// The same tiles and objects in maps of the other orientations. Tiled aligns cells by shifted rows
/// or columns. It draws objects of isometric maps along the axes of the cells. It rotates the tiles
/// of hexagonal maps by 60°.
#[test]
fn maps_of_every_orientation_lie_as_in_the_picture_of_tiled() {
    macro_rules! pair {
        ($name:literal, $distances:expr) => {
            (
                include_str!(concat!("maps/", $name, ".tmx")),
                include_bytes!(concat!("maps/", $name, ".pbm")).as_slice(),
                $distances,
            )
        };
    }
    // Tiles are compared up to 2 pixels from an edge. Objects with a pen follow from row 150 on: 4 pixels. In
    // the isometric map they are beside the tiles, and an ellipse touches its box, which has a pen too.
    let maps: [(&str, &[u8], [i64; 2]); 5] = [
        pair!("isometric", [6, 6]),
        pair!("staggered", [2, 4]),
        pair!("staggered-x", [2, 4]),
        pair!("hexagonal", [2, 4]),
        pair!("hexagonal-x", [2, 4]),
    ];
    for (map, picture, [above, below]) in maps {
        let Compared { inside, outside } = compare(map, picture, |y| if y < 150 { above } else { below });
        assert!(inside > 500 && outside > 40_000, "the test looked at {inside} and {outside} pixels");
    }
}
