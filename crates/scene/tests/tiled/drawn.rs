//! P36: objects and tiles lie where Tiled draws them. `drawn.pbm` is what Tiled 1.8.2 made of `drawn.tmx` (its
//! `tmxrasterizer --no-smoothing`, cropped to the map's origin at 1, 5, a bit for each pixel that
//! is not clear): wedges in all eight turns, larger than the grid, with a tile offset, as cells and
//! as tile objects in every alignment, stretched and turned; rectangles, ellipses and polygons,
//! turned, inside nested groups with offsets.
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

    /// Returns true if all pixels within `reach` are equal. Beside an edge, a difference of half a
    /// pixel is a matter of rasterization.
    fn plain(&self, x: i64, y: i64, reach: i64) -> bool {
        let here = self.at(x, y);
        (-reach..=reach).all(|dy| (-reach..=reach).all(|dx| self.at(x + dx, y + dy) == here))
    }
}

#[test]
fn everything_lies_where_tiled_draws_it() {
    let picture = Bitmap::new(PICTURE);
    let scene = super::read(MAP);
    assert_eq!(scene.colliders.len(), 16 + 21 + 20);
    let placed: Vec<_> =
        scene.colliders.iter().map(|c| c.shape.placed(c.pose)).map(|place| (place, place.aabb())).collect();
    let (mut inside, mut outside) = (0, 0);
    let mut wrong = Vec::new();
    for y in 0..picture.height {
        for x in 0..picture.width {
            // Stretched wedges have stairs. Outlines have a pen, its shadow, and a dot on the first
            // point of a polygon.
            if !picture.plain(x, y, if y < 340 { 2 } else { 4 }) {
                continue;
            }
            let centre = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let covered = placed.iter().any(|(place, bounds)| {
                let near = bounds.min().cmple(centre).all() && bounds.max().cmpge(centre).all();
                near && place.contains_point(centre).unwrap()
            });
            *if covered { &mut inside } else { &mut outside } += 1;
            if covered != picture.at(x, y) {
                wrong.push((x, y, covered));
            }
        }
    }
    assert!(wrong.is_empty(), "{} pixels differ, such as {:?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(inside > 5_000 && outside > 200_000, "the test looked at {inside} and {outside} pixels");
}
