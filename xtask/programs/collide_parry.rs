// The program of `collide.rs` with parry2d.

use parry2d::math::{Pose, Vector};
use parry2d::query::contact;
use parry2d::shape::{Ball, Cuboid};

fn main() {
    let x = std::env::args().len() as f32;
    let (ball, block) = (Ball::new(0.5), Cuboid::new(Vector::new(1.0, 0.5)));
    let found = contact(&Pose::translation(0.0, 0.0), &ball, &Pose::translation(x, 0.3), &block, 0.0);
    let depth = found.ok().flatten().map_or(0.0, |contact| -contact.dist);
    std::process::exit(i32::from(depth > 0.1));
}
