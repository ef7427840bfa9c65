//! Bullets that move farther per step than a wall is thick. Motions stop at the wall.

use carom::{Collider, Shape, World};

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let bullet = Shape::circle(0.05)?;
    let wall = world.insert(Collider::new(Shape::rectangle(0.001, 4.0)?).at([50.0, 0.0])?.fixed(true));
    let alarm = world.insert(Collider::new(Shape::rectangle(1.0, 4.0)?).at([30.0, 0.0])?.fixed(true).sensor(true));
    for k in 0..4 {
        let shot = world.insert(Collider::new(bullet.clone()).at([0.0, f64::from(k) - 1.0])?);
        world.set_motion(shot, [1e6, f64::from(k) * 1e4], 0.0)?;
    }
    world.update();
    for hit in world.motion_hits() {
        let what = if hit.other == wall {
            "the wall"
        } else if hit.other == alarm {
            "the alarm"
        } else {
            "each other"
        };
        println!(
            "{:?} and {what}: at time {:.9}, at ({:.3}, {:.3})",
            hit.mover, hit.hit.time, hit.hit.point.x, hit.hit.point.y
        );
    }
    Ok(())
}
