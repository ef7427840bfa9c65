//! Coins are sensors: they report the player and are removed.

use carom::{Collider, Event, Shape, World};

const PLAYER: u64 = 1;
const COIN: u64 = 2;

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let player = world.insert(Collider::new(Shape::capsule([0.0, -0.5], [0.0, 0.5], 0.4)?).layers(PLAYER, COIN));
    for value in 1..=5_u8 {
        let position = [f64::from(value) * 2.0, f64::from(value % 3) - 1.0];
        // Coins have no contacts with each other: their mask contains the player only.
        world.insert(
            Collider::new(Shape::circle(0.25)?).at(position)?.layers(COIN, PLAYER).sensor(true).user_data(value.into()),
        );
    }
    let mut purse = 0;
    for step in 0..100_u8 {
        world.set_position(player, [f64::from(step) * 0.12, 0.0])?;
        world.update();
        let found = world.take_events().filter(Event::is_begin).filter_map(|event| event.other(player));
        for coin in found {
            purse += world.remove(coin).map_or(0, |coin| coin.user_data);
            println!("step {step}: {purse} in the purse");
        }
    }
    println!("{} coins were out of reach", world.len() - 1);
    Ok(())
}
