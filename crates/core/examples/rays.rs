//! A ball in a cave: a hollow ray hits the wall, and its normal reflects the ball.

use carom::{DVec2, Ray, Shape, ray_cast};

fn main() -> Result<(), carom::Error> {
    // A room with a pillar.
    let cave = Shape::polygon_with_holes(
        &[[0.0, 0.0], [12.0, 0.0], [12.0, 5.0], [7.0, 5.0], [7.0, 8.0], [0.0, 8.0]],
        &[vec![[3.0, 3.0], [4.0, 3.0], [4.0, 4.0], [3.0, 4.0]]],
    )?;
    let room = cave.at([0.0, 0.0])?;

    let (mut position, mut direction) = (DVec2::new(1.0, 2.0), DVec2::new(30.0, 17.0));
    for bounce in 1..=6 {
        let Some(hit) = ray_cast(Ray::new(position, direction)?.hollow(), room) else { break };
        println!("bounce {bounce}: {:.3} at ({:.3}, {:.3}), normal {}", hit.time, hit.point.x, hit.point.y, hit.normal);
        // Starts the next ray at a small distance from the wall, so that it is inside.
        position = hit.point + hit.normal * 1e-9;
        direction -= hit.normal * (2.0 * direction.dot(hit.normal));
    }
    Ok(())
}
