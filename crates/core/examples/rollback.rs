//! Rollback for a late input of another player: restores a snapshot of eight frames ago, and
//! repeats the frames.

use std::collections::VecDeque;
use std::time::Instant;

use carom::{Collider, DVec2, Handle, Shape, World};

/// Advances one frame: all bodies drift, and player 0 is controlled.
fn frame(world: &mut World, players: &[Handle], steer: DVec2) -> Result<(), carom::Error> {
    for (i, &player) in players.iter().enumerate() {
        let drift = if i == 0 { steer } else { DVec2::new(-0.02, 0.01) };
        let position = world.pose(player).map_or(DVec2::ZERO, |pose| pose.translation());
        world.set_position(player, position + drift)?;
    }
    world.update();
    Ok(())
}

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let ball = Shape::circle(0.5)?;
    let players: Vec<Handle> = (0..1000_i32)
        .map(
            |i| Ok(world.insert(Collider::new(ball.clone()).at([f64::from(i % 40) * 1.25, f64::from(i / 40) * 1.25])?)),
        )
        .collect::<Result<_, carom::Error>>()?;

    // A clone is a snapshot. The last eight are kept.
    let mut past = VecDeque::new();
    for _ in 0..20 {
        past.push_back(world.clone());
        if past.len() > 8 {
            past.pop_front();
        }
        frame(&mut world, &players, DVec2::ZERO)?;
    }
    println!("guessed:   {:016x}, {} contacts", world.state_hash(), world.contacts().len());

    // Player 0 moved right during all these frames.
    if let Some(back) = past.front() {
        let start = Instant::now();
        world.clone_from(back);
        for _ in 0..past.len() {
            frame(&mut world, &players, DVec2::new(0.1, 0.0))?;
        }
        println!("eight frames of {} players again: {:.2} ms", players.len(), start.elapsed().as_secs_f64() * 1e3);
    }
    println!("corrected: {:016x}, {} contacts", world.state_hash(), world.contacts().len());
    println!("{} bytes would send it all to a third player", world.to_bytes().len());
    Ok(())
}
