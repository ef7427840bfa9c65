//! Two sprites, pixel by pixel: not when their boxes meet, but when something solid does.
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

    // The rock comes down past the ship's nose: pixel (0, 0) of the rock lies at `offset` in the ship's pixels.
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

    // Where more than whole pixels is asked for: outlines along the pixels' edges, holes included.
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
