//! A bullet that moves farther than its length in one step: time and point of the impact, and the
//! reflected path.
//!
//!     cargo run -p carom --example time_of_impact

use carom::{DVec2, Error, Shape, time_of_impact};

fn main() -> Result<(), Error> {
    let bullet = Shape::circle(0.01)?;
    let wall = Shape::rectangle(0.001, 4.0)?;
    let walls = [wall.at([3.0, 0.0])?, wall.at([-3.0, 0.0])?];
    let (mut position, mut velocity, mut left) = (DVec2::ZERO, DVec2::new(900.0, 100.0), 0.02);
    // A step of a fiftieth of a second: 18 units. The wall is a thousandth thick.
    while left > 0.0 {
        let motion = bullet.at(position)?.sweep(velocity * left)?;
        let hits = walls.iter().filter_map(|&wall| time_of_impact(motion, wall));
        let Some(hit) = hits.min_by(|p, q| p.time.total_cmp(&q.time)) else { break };
        position += velocity * (left * hit.time);
        left *= 1.0 - hit.time;
        println!("hits a wall at {:.3}, {left:.5} s before the end of the step", hit.point);
        // Touching the wall and moving away is no impact, so the next cast is free.
        velocity -= hit.normal * (2.0 * velocity.dot(hit.normal));
    }
    println!("ends at {:.3}", position + velocity * left);
    Ok(())
}
