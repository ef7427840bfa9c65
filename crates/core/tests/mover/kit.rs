//! Scenes and shapes that several tests of the mover use.

use carom::mover::Mover;
use carom::{Collider, DVec2, Handle, Pose, Shape, World, distance};

/// Fall of a frame.
pub(super) const GRAVITY: f64 = 0.02;
/// Default skin of a mover.
pub(super) const SKIN: f64 = 0.01;

/// Inserts a fixed rectangle.
pub(super) fn block(world: &mut World, size: [f64; 2], at: [f64; 2], degrees: f64) -> Handle {
    let shape = Shape::rectangle(size[0], size[1]).unwrap();
    world.insert(Collider::new(shape).pose(Pose::from_degrees(at, degrees).unwrap()).fixed(true))
}

/// Inserts a collider, and returns its mover with +y as the up direction.
pub(super) fn hero(world: &mut World, shape: Shape, at: [f64; 2]) -> Mover {
    let handle = world.insert(Collider::new(shape).at(at).unwrap());
    Mover::new(handle).up([0.0, 1.0]).unwrap()
}

/// Returns the position of a mover.
pub(super) fn position(world: &World, mover: &Mover) -> DVec2 {
    world.pose(mover.handle()).unwrap().translation()
}

/// Returns the least distance of a mover to all other colliders.
pub(super) fn smallest_gap(world: &World, mover: &Mover) -> f64 {
    let own = world.placed(mover.handle()).unwrap();
    let others = world.colliders().filter(|(handle, _)| *handle != mover.handle());
    others.map(|(_, other)| distance(other.placed(), own).distance).fold(f64::INFINITY, f64::min)
}

/// A box, a circle, a capsule, a rounded box and an octagon, each 0.8 wide or about so.
pub(super) fn shapes() -> [(&'static str, Shape); 5] {
    let octagon: Vec<[f64; 2]> = (0..8)
        .map(|i| f64::from(i) * std::f64::consts::FRAC_PI_4 + 0.3)
        .map(|angle| [0.5 * angle.cos(), 0.5 * angle.sin()])
        .collect();
    [
        ("box", Shape::rectangle(0.8, 0.8).unwrap()),
        ("circle", Shape::circle(0.4).unwrap()),
        ("capsule", Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.4).unwrap()),
        ("rounded box", Shape::rectangle(0.6, 0.6).unwrap().rounded(0.1).unwrap()),
        ("octagon", Shape::polygon(&octagon).unwrap()),
    ]
}

/// Falls until it stands.
pub(super) fn land(world: &mut World, mover: &mut Mover) {
    for _ in 0..1_000 {
        mover.move_by(world, [0.0, -GRAVITY]).unwrap();
        if mover.is_grounded() {
            return;
        }
    }
    panic!("never stands");
}
