//! Finds the topmost shape under the mouse.

use carom::{Collider, Pose, Shape, World};

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let card = Shape::rectangle(3.0, 4.0)?.rounded(0.2)?;
    for depth in 0..5_u8 {
        let pose = Pose::from_degrees([f64::from(depth), f64::from(depth) * 0.5], f64::from(depth) * 8.0)?;
        // The topmost shape is the last one inserted.
        world.insert(Collider::new(card.clone()).pose(pose).user_data(depth.into()));
    }
    for click in [[0.0, 0.0], [2.0, 1.0], [5.5, 3.0], [9.0, 9.0]] {
        let under = world.containing_point(click, u64::MAX)?;
        match under.iter().filter_map(|&card| world.get(card)).max_by_key(|card| card.user_data) {
            Some(card) => println!("{click:?}: card {}, of {} there", card.user_data, under.len()),
            None => println!("{click:?}: the table"),
        }
    }
    Ok(())
}
