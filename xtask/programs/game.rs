// A world with moving colliders, events and a ray: a small game.

use carom::{Collider, Ray, Shape, World};

fn main() -> Result<(), carom::Error> {
    let frames = 60 * std::env::args().len();
    let mut world = World::new();
    for i in 0..50 {
        world.insert(Collider::new(Shape::rectangle(1.0, 1.0)?).at([f64::from(i), 0.0])?.fixed(true));
    }
    let crate_ = world.insert(Collider::new(Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])?).at([9.0, 2.0])?);
    let hero = world.insert(Collider::new(Shape::circle(0.5)?).at([0.0, 3.0])?);
    let (mut begins, mut ends, mut x) = (0, 0, 0.0);
    for _ in 0..frames {
        x += 0.25;
        world.set_position(hero, [x, 1.0])?;
        world.update();
        for event in world.take_events() {
            if event.is_begin() { begins += 1 } else { ends += 1 }
        }
        if let Some((_, hit)) = world.ray_cast(Ray::new([x, 9.0], [0.0, -20.0])?, u64::MAX) {
            x += 1e-3 * hit.time;
        }
    }
    world.remove(crate_);
    println!("{begins} {ends} {}", world.contacts().count());
    Ok(())
}
