//! A jump up through a one-way platform of several tiles, and a landing on it.
//!
//! The hero stands on two tiles at once. The sum of both MTVs would move it out twice, so it moves out
//! along the deepest contact of each direction: [`World::surface_contacts`] has no internal edges.

use carom::{Collider, DVec2, Shape, World};

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    for x in [-1.0, 0.0, 1.0] {
        let tile = Collider::new(Shape::rectangle(1.0, 0.3)?).at([x, 2.0])?;
        world.insert(tile.fixed(true).one_way([0.0, 1.0])?);
    }
    world.insert(Collider::new(Shape::rectangle(20.0, 1.0)?).at([0.0, -0.5])?.fixed(true));
    let hero = world.insert(Collider::new(Shape::rectangle(0.8, 1.0)?).at([0.5, 0.5])?);

    let (mut position, mut speed, mut contacts) = (DVec2::new(0.5, 0.5), 0.42, Vec::new());
    for step in 0..80 {
        speed -= 0.02;
        position.y += speed;
        world.set_position(hero, position)?;
        contacts.clear();
        world.surface_contacts(hero, 0.0, &mut contacts)?;
        let mtv = contacts
            .iter()
            .map(|(_, contact)| contact.mtv())
            .reduce(|deepest, mtv| if mtv.length_squared() > deepest.length_squared() { mtv } else { deepest });
        if let Some(mtv) = mtv {
            position += mtv;
            speed = 0.0;
            world.set_position(hero, position)?;
        }
        world.update(); // after the correction: it remembers what the hero passes
        if step % 8 == 0 {
            println!("step {step:2}: feet at {:6.3}{}", position.y - 0.5, if speed == 0.0 { ", standing" } else { "" });
        }
    }
    assert!((position.y - 2.65).abs() < 1e-9, "it stands on the tiles");
    Ok(())
}
