//! A jump up through a one-way platform, and a landing on it.

use carom::{Collider, DVec2, Shape, World};

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let plank = Shape::rectangle(4.0, 0.3)?;
    world.insert(Collider::new(plank.clone()).at([0.0, 2.0])?.fixed(true).one_way([0.0, 1.0])?);
    world.insert(Collider::new(Shape::rectangle(20.0, 1.0)?).at([0.0, -0.5])?.fixed(true));
    let hero = world.insert(Collider::new(Shape::rectangle(0.8, 1.0)?).at([0.0, 0.5])?);

    let (mut place, mut speed) = (DVec2::new(0.0, 0.5), 0.42);
    for step in 0..80 {
        speed -= 0.02;
        place.y += speed;
        world.set_position(hero, place)?;
        world.update();
        for contact in world.contacts_of(hero) {
            place += contact.mtv();
            speed = 0.0;
        }
        if step % 8 == 0 {
            println!("step {step:2}: feet at {:6.3}{}", place.y - 0.5, if speed == 0.0 { ", standing" } else { "" });
        }
    }
    Ok(())
}
