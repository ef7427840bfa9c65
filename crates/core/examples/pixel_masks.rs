//! Tests two sprites pixel by pixel.
//!
//!     cargo run -p carom --example pixel_masks

use carom::decompose::{Connectivity, trace_pixels};
use carom::{Error, Mask};

fn main() -> Result<(), Error> {
    // From an image: Mask::from_alpha(width, height, &alpha, 128)?
    let ship = Mask::from_rows(&[
        "#.......", //
        "###.....", "#######.", "########", "#######.", "###.....", "#.......",
    ])?;
    let rock = Mask::from_rows(&[
        "..###..", //
        ".#####.", "#######", "####.##", "#######", ".#####.", "..###..",
    ])?;

    // The rock falls past the front of the ship. Pixel (0, 0) of the rock is at `offset` in the
    // ship's pixels.
    for y in -8..0 {
        let offset = [5, y];
        let Some(overlap) = ship.overlap(&rock, offset) else {
            println!(
                "rock at {offset:?}: {}",
                if ship.intersects_at(&rock, offset) { "touches the ship" } else { "free" }
            );
            continue;
        };
        let [x, y] = [offset[0] + overlap.mtv_pixels[0], offset[1] + overlap.mtv_pixels[1]];
        println!(
            "rock at {offset:?}: hits {} pixels, the first at {:?}; free again at {:?}",
            overlap.count,
            overlap.first,
            [x, y]
        );
        assert!(!ship.overlaps_at(&rock, [x, y]));
    }

    // For poses between pixels: polygons along the pixel edges, with holes.
    for outline in trace_pixels(&rock, Connectivity::Four) {
        println!(
            "the rock has {} corners, {} hole, an area of {}",
            outline.outer.len(),
            outline.holes.len(),
            outline.area()
        );
    }
    Ok(())
}
