//! Random rooms: a mover never ends deeper than the skin, never passes a wall, and never stops without
//! a reason. `CAROM_ROOMS` sets the number of rooms, `CAROM_JUMPS` that of jumps onto platforms.

use carom::mover::Mover;
use carom::{Collider, DVec2, Pose, Shape, World, distance};

use crate::support::dice::Dice;
use crate::support::run::from_environment;

const SKIN: f64 = 0.01;
const GRAVITY: f64 = 0.02;

fn convex(dice: &mut Dice, size: f64) -> Shape {
    match dice.index(4) {
        0 => Shape::circle(0.5 * size),
        1 => Shape::capsule([0.0, -0.2 * size], [0.0, 0.2 * size], 0.3 * size),
        2 => Shape::rectangle(size, dice.between(0.6, 1.0) * size),
        _ => Shape::rectangle(0.6 * size, 0.6 * size).and_then(|shape| shape.rounded(0.2 * size)),
    }
    .unwrap()
}

/// Four walls around the origin and obstacles inside, clear of the start.
fn room(dice: &mut Dice, world: &mut World) {
    let mut insert = |shape: Shape, pose: Pose| world.insert(Collider::new(shape).pose(pose).fixed(true));
    for (size, at) in
        [([14.0, 0.2], [0.0, -5.0]), ([14.0, 0.2], [0.0, 5.0]), ([0.2, 14.0], [-6.0, 0.0]), ([0.2, 14.0], [6.0, 0.0])]
    {
        insert(Shape::rectangle(size[0], size[1]).unwrap(), Pose::from_translation(at).unwrap());
    }
    for _ in 0..dice.count(0, 9) {
        let at = DVec2::new(dice.between(-6.0, 6.0), dice.between(-5.0, 5.0));
        if at.length() > 2.8 {
            let size = dice.between(0.3, 2.0);
            insert(convex(dice, size), Pose::new(at, dice.angle()).unwrap());
        }
    }
}

fn smallest_gap(world: &World, mover: &Mover) -> f64 {
    let own = world.placed(mover.handle()).unwrap();
    let others = world.colliders().filter(|(handle, _)| *handle != mover.handle());
    others.map(|(_, other)| distance(other.placed(), own).distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn movers_keep_the_skin_in_random_rooms() {
    for seed in 0..from_environment("CAROM_ROOMS").unwrap_or(300) {
        let mut dice = Dice::new(seed, 1);
        let dice = &mut dice;
        let mut world = World::new();
        room(dice, &mut world);
        let shape = convex(dice, 0.9);
        let mut mover = Mover::new(world.insert(Collider::new(shape))).skin(SKIN).unwrap();
        let walks = dice.chance(0.5);
        if walks {
            mover = mover.up([0.0, 1.0]).unwrap();
        }
        let mut speed = DVec2::ZERO;
        for frame in 0..120 {
            if frame % 20 == 0 {
                let fast = dice.magnitude(0.01, 3.0);
                speed = if walks { DVec2::new(dice.between(-0.2, 0.2), 0.0) } else { dice.direction() * fast };
                if walks && dice.chance(0.3) {
                    speed.y = 0.3;
                }
            }
            mover.move_by(&mut world, speed).unwrap();
            if walks {
                speed.y = if mover.is_grounded() { -GRAVITY } else { speed.y - GRAVITY };
            }
            let gap = smallest_gap(&world, &mover);
            assert!(gap >= SKIN - 2e-6, "room {seed} frame {frame}: {gap}");
            let at = world.pose(mover.handle()).unwrap().translation();
            assert!(at.x.abs() < 6.0 && at.y.abs() < 5.0, "room {seed} frame {frame}: {at}");
        }
        // At rest.
        if walks && mover.is_grounded() {
            for _ in 0..10 {
                let moved = mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
                assert_eq!(moved.translation, DVec2::ZERO, "room {seed}");
                assert!(mover.is_grounded(), "room {seed}");
            }
        }
    }
}

/// A jump passes a platform from below and lands on it if its apex clears it; never falls through and
/// never snaps up.
#[test]
fn jumps_onto_platforms_land_or_fall_back() {
    let (mut landed, mut fell) = (0, 0);
    // Jump 6227 ended above a platform, nearer than the skin, and the next move lifted the mover onto it.
    for seed in 0..from_environment("CAROM_JUMPS").unwrap_or(7_000) {
        let mut dice = Dice::new(seed, 2);
        let dice = &mut dice;
        let mut world = World::new();
        world.insert(Collider::new(Shape::rectangle(60.0, 1.0).unwrap()).at([0.0, -0.5]).unwrap().fixed(true));
        let (thick, height) = (dice.magnitude(0.01, 0.6), dice.between(1.5, 3.0));
        let plank = Collider::new(Shape::rectangle(12.0, thick).unwrap()).at([0.0, height]).unwrap();
        let plank = world.insert(plank.fixed(true).one_way([0.0, 1.0]).unwrap());
        let shape = convex(dice, 0.8);
        let low = -shape.at([0.0, 0.0]).unwrap().aabb().min().y;
        let start = [dice.between(-2.0, 2.0), low + SKIN];
        let mut mover = Mover::new(world.insert(Collider::new(shape).at(start).unwrap())).up([0.0, 1.0]).unwrap();
        let gravity = dice.magnitude(0.005, 0.1);
        let mut speed = DVec2::new(dice.between(-0.01, 0.01), dice.between(0.2, 0.7));
        let (mut apex, top) = (0.0_f64, height + 0.5 * thick);
        let mut feet = SKIN;
        for _ in 0..4_000 {
            let moved = mover.move_by(&mut world, speed).unwrap().translation;
            assert!(moved.y <= speed.y.max(0.0) + 1e-9, "jump {seed}: snapped up by {moved}");
            feet = world.pose(mover.handle()).unwrap().translation().y - low;
            apex = apex.max(feet);
            speed.y -= gravity;
            if mover.is_grounded() {
                break;
            }
        }
        let on_plank = mover.ground().is_some_and(|ground| ground.handle == plank);
        assert_eq!(on_plank, (feet - top - SKIN).abs() < 1e-5, "jump {seed}: feet at {feet}, top {top}");
        // Between the skin and its tolerance either is right.
        if (apex - top - SKIN).abs() > 1e-5 {
            assert_eq!(on_plank, apex > top + SKIN, "jump {seed}: apex {apex}, top {top}");
        }
        landed += u32::from(on_plank);
        fell += u32::from(!on_plank);
    }
    assert!(landed > 30 && fell > 30, "{landed} landed, {fell} fell");
}
