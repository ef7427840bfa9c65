//! Random walls that close on a mover, and platforms that turn under it. `CAROM_FAMILIES` sets the number
//! of each.
//!
//! The walls and the mover are placed by formulas, and depths come from [`collide`]. So each frame has a known
//! answer: the mover fits between the walls, or it is crushed.

use carom::mover::{Movement, Mover};
use carom::{Collider, DVec2, Pose, Shape, World, collide};

use super::kit::{GRAVITY, SKIN, block, hero, land, position, shapes, smallest_gap};
use crate::support::dice::{Dice, heading};
use crate::support::run::from_environment;

/// Largest error of a gap: 1e-6 of the mover's size, and that of the distance itself.
const TOLERANCE: f64 = 2e-6;

fn count() -> u64 {
    from_environment("CAROM_FAMILIES").unwrap_or(150)
}

fn any_shape(dice: &mut Dice) -> (&'static str, Shape) {
    shapes()[dice.index(5)].clone()
}

/// Returns the distance of a mover to the nearest other collider, minus the depth if they overlap.
fn signed_gap(world: &World, mover: &Mover) -> f64 {
    let own = world.placed(mover.handle()).unwrap();
    let others = world.colliders().filter(|(handle, _)| *handle != mover.handle());
    let depths = others.filter_map(|(_, other)| collide(other.placed(), own)).map(|found| found.depth);
    let deepest = depths.fold(0.0, f64::max);
    if deepest > 0.0 { -deepest } else { smallest_gap(world, mover) }
}

/// The mover keeps the skin, or the movement tells by how much it does not.
fn check_report(world: &World, mover: &Mover, moved: Movement, at: &str) {
    let (gap, missing) = (signed_gap(world, mover), moved.missing_gap);
    if missing == 0.0 {
        assert!(gap > SKIN - TOLERANCE, "{at}: gap {gap} without a report");
    } else {
        assert!((gap - (SKIN - missing)).abs() < TOLERANCE, "{at}: gap {gap}, reported {missing}");
    }
}

/// Two walls close on a mover and open again. It stays between them and keeps the skin while it
/// fits. It reports a missing gap in each frame in which it does not fit.
#[test]
fn closing_walls_crush_with_a_report() {
    let mut crushed = 0;
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 20);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        let (angle, thick) = (dice.angle(), dice.between(1.0, 3.0));
        let normal = heading(angle);
        let own = shape.at([0.0, 0.0]).unwrap();
        let extent = |side: f64| own.support_point(normal * side).dot(normal * side);
        let width = extent(1.0) + extent(-1.0);
        // The faces are at −half and half, as seen from the middle between them.
        let pose = |side: f64, middle: f64, half: f64| {
            Pose::new(normal * (middle + side * (half + 0.5 * thick)), angle).unwrap()
        };
        let (open, closed) = (0.5 * width + dice.between(0.05, 1.0), dice.between(0.3, 0.49) * width);
        let walls = [-1.0, 1.0].map(|side| {
            let wall = Collider::new(Shape::rectangle(thick, 60.0).unwrap()).pose(pose(side, 0.0, open));
            world.insert(wall)
        });
        let mut mover = Mover::new(world.insert(Collider::new(shape)));
        if dice.chance(0.5) {
            mover = mover.up(dice.direction()).unwrap();
        }
        // With a drift, one wall may stand still or move away.
        let (frames, drift) = (dice.whole(20, 80), dice.between(-0.03, 0.03));
        for frame in 0..2 * frames {
            let part = f64::from(frame.abs_diff(frames)) / f64::from(frames);
            let (middle, half) = (drift * f64::from(frame), closed + (open - closed) * part);
            for (wall, side) in walls.into_iter().zip([-1.0, 1.0]) {
                world.set_pose(wall, pose(side, middle, half)).unwrap();
            }
            let moved = mover.move_by(&mut world, dice.in_disk(0.02)).unwrap();
            let at = format!("{name}, walls {seed}, frame {frame}: half {half} of width {width}");
            check_report(&world, &mover, moved, &at);
            let here = position(&world, &mover).dot(normal) - middle;
            assert!(here.abs() < half, "{at}: through a wall, at {here}");
            let free = 2.0 * half - width - 2.0 * SKIN;
            if free > 1e-4 {
                assert_eq!(moved.missing_gap, 0.0, "{at}: it fits");
            } else if free < -1e-4 {
                assert!(moved.missing_gap > 0.0, "{at}: it does not fit");
                crushed += 1;
            }
        }
    }
    assert!(crushed > 10 * count(), "{crushed}");
}

/// A platform swings under a mover. The mover stays on its upper side, stands in each frame, and keeps the skin.
#[test]
fn swinging_platforms_carry() {
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 21);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        let origin = dice.in_disk(1.0) * dice.magnitude(1.0, 1e4);
        let thick = dice.between(0.1, 1.0);
        let swing = dice.between(1.0_f64, 35.0).to_radians();
        // Largest turn of a frame: 0.05 radians.
        let frequency = dice.magnitude(1e-3, 0.05) / swing;
        let pose = |angle: f64| Pose::new(origin, angle).unwrap();
        let platform = world.insert(Collider::new(Shape::rectangle(12.0, thick).unwrap()).pose(pose(0.0)));
        let start = origin + DVec2::new(dice.between(-1.5, 1.5), 0.5 * thick + 1.5);
        let mut mover = hero(&mut world, shape, start.into());
        land(&mut world, &mut mover);
        let mut last = 0.0;
        for frame in 0..200 {
            let angle = swing * (frequency * f64::from(frame)).sin();
            let before = position(&world, &mover);
            world.set_pose(platform, pose(angle)).unwrap();
            let moved = mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
            let at = format!("{name}, platform {seed}, frame {frame}, angle {angle}, turned {}", angle - last);
            check_report(&world, &mover, moved, &at);
            assert_eq!(moved.missing_gap, 0.0, "{at}");
            let above = (position(&world, &mover) - origin).dot(heading(angle).perp());
            assert!(above > 0.5 * thick, "{at}: {above} above the middle");
            let ground = mover.ground().unwrap_or_else(|| panic!("{at}: in the air, moved {moved:?}"));
            assert_eq!(ground.handle, platform, "{at}");
            // A rigid rotation about the origin.
            let (arm, turn) = (before - origin, angle - last);
            let carried = DVec2::from_angle(turn).rotate(arm) - arm;
            let rounding = 1e-12 * (10.0 + origin.length());
            assert!((ground.motion - carried).length() < rounding, "{at}: {} of {carried}", ground.motion);
            last = angle;
        }
    }
}

/// A blade turns through a mover on a floor. It pushes the mover, or crushes it against the floor. The
/// mover never passes the floor, and each missing gap is reported.
#[test]
fn turning_blades_push_or_crush_with_a_report() {
    let mut pushed = 0;
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 22);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        block(&mut world, [80.0, 4.0], [0.0, -2.0], 0.0);
        let (long, spin) = (dice.between(1.0, 4.0), dice.magnitude(5e-3, 0.1) * dice.one_of(&[-1.0, 1.0]));
        let hub = DVec2::new(0.0, long + dice.between(0.05, 0.5));
        let start = dice.angle();
        let blade = Shape::rectangle(2.0 * long, dice.between(0.05, 0.4)).unwrap();
        let pose = |angle: f64| Pose::new(hub, angle).unwrap();
        let blade = world.insert(Collider::new(blade).pose(pose(start)));
        let x = (long + 1.5) * dice.one_of(&[-1.0, 1.0]);
        let mut mover = hero(&mut world, shape, [x, 1.0]);
        land(&mut world, &mut mover);
        let walk = -0.05 * x.signum();
        for frame in 0..200 {
            world.set_pose(blade, pose(start + spin * f64::from(frame))).unwrap();
            let before = position(&world, &mover);
            let moved = mover.move_by(&mut world, [walk, -GRAVITY]).unwrap();
            let at = format!("{name}, blade {seed}, frame {frame}");
            check_report(&world, &mover, moved, &at);
            let here = position(&world, &mover);
            assert!(here.y > 0.0, "{at}: through the floor, at {here}");
            pushed += u32::from((here - before).dot(DVec2::X) * walk < -1e-3);
        }
    }
    assert!(pushed > 100, "{pushed}");
}
