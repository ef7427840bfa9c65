//! A mover does not allocate after warm-up.

use carom::mover::Mover;
use carom::{Collider, DVec2, Handle, Shape, World};

use super::kit::{GRAVITY, block, hero, shapes};

/// Frames of one round through the level.
const ROUND: u32 = 1_200;

/// Rounds before the measured one. The lists near the mover grow to their longest in them.
const WARM_UP: usize = 3;

/// A level with tiles, stairs, a slope of a chain, a wall, one-way tiles and a moving platform.
fn level() -> (World, Handle) {
    let mut world = World::new();
    for i in -10..10 {
        block(&mut world, [1.0, 1.0], [f64::from(i), -0.5], 0.0);
    }
    for i in 0..4 {
        block(&mut world, [1.0, 1.0], [4.0 + f64::from(i), -0.25 + 0.25 * f64::from(i)], 0.0);
    }
    for x in [-11.0, 10.0] {
        block(&mut world, [1.0, 9.0], [x, 3.5], 0.0);
    }
    let points: Vec<[f64; 2]> = (0..20).map(|i| [-10.0 + 0.4 * f64::from(i), 2.0 - 0.1 * f64::from(i)]).collect();
    world.insert(Collider::new(Shape::chain(&points).unwrap()).fixed(true));
    for i in 0..3 {
        let plank = Collider::new(Shape::rectangle(1.0, 0.2).unwrap()).at([f64::from(i), 1.3]).unwrap();
        world.insert(plank.fixed(true).one_way([0.0, 1.0]).unwrap());
    }
    let lift = Collider::new(Shape::rectangle(2.0, 0.2).unwrap());
    let lift = world.insert(lift.one_way([0.0, 1.0]).unwrap());
    (world, lift)
}

/// Walks, jumps and drops for one round. Returns the number of allocations, and the frames on the ground.
fn round(world: &mut World, mover: &mut Mover, lift: Handle) -> (u64, u32) {
    let (mut allocations, mut grounded, mut fall) = (0, 0, 0.0);
    for frame in 0..ROUND {
        let time = std::f64::consts::TAU * f64::from(frame) / 200.0;
        world.set_position(lift, [-2.0 + 1.5 * time.sin(), 0.5 + 0.4 * time.cos()]).unwrap();
        let left = frame % 600 >= 300;
        fall = if mover.is_grounded() { GRAVITY } else { fall + 0.5 * GRAVITY };
        if frame % 70 == 69 && mover.is_grounded() {
            fall = -0.25;
        }
        if frame % 111 == 0 {
            mover.drop_through();
        }
        let wanted = DVec2::new(if left { -0.06 } else { 0.06 }, -fall);
        let counted = allocation_counter::measure(|| {
            mover.move_by(world, wanted).unwrap();
        });
        allocations += counted.count_total;
        grounded += u32::from(mover.is_grounded());
        world.update();
    }
    (allocations, grounded)
}

#[test]
fn moves_allocate_nothing_after_warm_up() {
    for (name, shape) in shapes() {
        for walks in [false, true] {
            let (mut world, lift) = level();
            let mut mover = hero(&mut world, shape.clone(), [0.0, 0.6]);
            if !walks {
                mover = Mover::new(mover.handle());
            }
            for _ in 0..WARM_UP {
                round(&mut world, &mut mover, lift);
            }
            let (allocations, grounded) = round(&mut world, &mut mover, lift);
            assert_eq!(allocations, 0, "{name}, walks: {walks}");
            assert!(!walks || grounded > ROUND / 8, "{name}: {grounded}");
        }
    }
}
