//! Random staircases, wedges and moving platforms, each with its own law. `CAROM_FAMILIES` sets the
//! number of each.

use carom::mover::Mover;
use carom::{Collider, DVec2, Pose, Shape, World};

use super::kit::{GRAVITY, SKIN, block, hero, land, position, shapes, smallest_gap};
use crate::support::dice::{Dice, heading};
use crate::support::run::from_environment;

fn count() -> u64 {
    from_environment("CAROM_FAMILIES").unwrap_or(150)
}

fn any_shape(dice: &mut Dice) -> (&'static str, Shape) {
    shapes()[dice.index(5)].clone()
}

/// Climbs all steps up to the step height, and none above; comes down again. Never leaves the ground.
#[test]
fn staircases_are_climbed_up_to_the_step_height() {
    let mut stopped = 0;
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 10);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        // Round shapes and the octagon walk over steps up to 0.25: the corner is a floor there.
        let limit = dice.between(0.26, 0.45);
        block(&mut world, [40.0, 2.0], [-20.0, -1.0], 0.0);
        let (mut x, mut top, mut climbed, mut blocked) = (0.0, 0.0, 0.0, None);
        for _ in 0..dice.count(2, 7) {
            let high = dice.chance(0.15);
            let step = if high { limit + dice.between(0.001, 0.5) } else { dice.between(0.02, limit - 0.001) };
            if high && blocked.is_none() {
                blocked = Some(x);
            }
            top += step;
            climbed = if blocked.is_none() { top } else { climbed };
            let tread = dice.between(1.1, 2.5);
            block(&mut world, [tread, top + 1.0], [x + 0.5 * tread, 0.5 * (top - 1.0)], 0.0);
            x += tread;
        }
        block(&mut world, [9.0, top + 1.0], [x + 4.5, 0.5 * (top - 1.0)], 0.0);
        stopped += u32::from(blocked.is_some());
        let mut mover = hero(&mut world, shape, [-2.0, 0.6]).step_height(limit).unwrap().snap_distance(limit).unwrap();
        land(&mut world, &mut mover);
        let low = position(&world, &mover).y;
        let speed = dice.between(0.01, 0.15);
        let far = ((x + 6.0) / speed).ceil() as u32;
        let mut walk = |world: &mut World, speed: f64| {
            for frame in 0..far {
                mover.move_by(world, [speed, -GRAVITY]).unwrap();
                let at = position(world, &mover);
                assert!(mover.is_grounded(), "{name}, stairs {seed}, speed {speed}, frame {frame}: at {at}");
            }
            position(world, &mover)
        };
        let end = walk(&mut world, speed);
        let rise = end.y - low;
        assert!((rise - climbed).abs() < 1e-5, "{name}, stairs {seed}: {rise} of {climbed}, limit {limit}, at {end}");
        assert!(blocked.is_none_or(|wall| end.x < wall), "{name}, stairs {seed}: {end} beyond {blocked:?}");
        let end = walk(&mut world, -speed);
        assert!((end.y - low).abs() < 1e-5 && end.x < -0.4, "{name}, stairs {seed}: down to {end} from {low}");
    }
    assert!(stopped > 10, "{stopped}");
}

/// A mover that is pulled into a wedge keeps the skin, stays on the free side, and comes to rest.
#[test]
fn wedges_stop_the_mover() {
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 11);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        let half = dice.between(1.0_f64, 75.0).to_radians();
        let (turn, apex) = (dice.angle(), dice.in_disk(1.0) * dice.magnitude(1e-2, 1e5));
        // The free side is between the directions turn − half and turn + half from the apex.
        let sides = [(1.0, turn + half), (-1.0, turn - half)].map(|(side, angle)| {
            let (along, normal) = (heading(angle), heading(angle).perp() * -side);
            let wall = Pose::new(apex + along * 40.0 - normal, angle).unwrap();
            world.insert(Collider::new(Shape::rectangle(90.0, 2.0).unwrap()).pose(wall).fixed(true));
            normal
        });
        let start = apex + heading(turn) * (0.7 / half.sin() + 2.0);
        let mut mover = Mover::new(world.insert(Collider::new(shape).at(start).unwrap()));
        // Toward the apex along both walls.
        let lean = std::f64::consts::FRAC_PI_2 - half;
        let pull = -heading(turn + 0.9 * dice.between(-lean, lean)) * dice.between(0.02, 0.4);
        let mut last = DVec2::ZERO;
        for frame in 0..4_000 {
            last = mover.move_by(&mut world, pull).unwrap().translation;
            let (gap, at) = (smallest_gap(&world, &mover), position(&world, &mover));
            assert!(gap > SKIN - 2e-6, "{name}, wedge {seed}, frame {frame}: gap {gap}");
            for normal in sides {
                assert!((at - apex).dot(normal) > 0.0, "{name}, wedge {seed}, frame {frame}: {at}");
            }
            if last == DVec2::ZERO {
                break;
            }
        }
        for _ in 0..20 {
            last = last.max(mover.move_by(&mut world, pull).unwrap().translation.abs());
        }
        assert!(last.length() < 1e-7, "{name}, wedge {seed}: moves by {last}, pull {pull}, half {half}");
    }
}

/// A mover rides exactly with a platform that translates, one-way or not.
#[test]
fn platforms_carry_exactly() {
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 12);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        let tilt = dice.between(-40.0, 40.0);
        let mut lift = Collider::new(Shape::rectangle(5.0, dice.between(0.05, 1.0)).unwrap());
        if dice.chance(0.5) {
            lift = lift.one_way([0.0, 1.0]).unwrap();
        }
        let origin = dice.in_disk(1.0) * dice.magnitude(1.0, 1e5);
        let pose = |at: DVec2| Pose::from_degrees(at, tilt).unwrap();
        let lift = world.insert(lift.pose(pose(origin)));
        let mut mover = hero(&mut world, shape, (origin + DVec2::new(0.2, 2.5)).into());
        land(&mut world, &mut mover);
        let offset = position(&world, &mover) - origin;
        let (wide, high) = (dice.between(0.0, 8.0), dice.between(0.0, 8.0));
        let (fast, slow) = (dice.between(0.001, 0.1), dice.between(0.001, 0.1));
        let mut last = origin;
        for frame in 0..200 {
            let time = f64::from(frame);
            let at = origin + DVec2::new(wide * (fast * time).sin(), high * (slow * time).sin());
            world.set_pose(lift, pose(at)).unwrap();
            let moved = mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
            let drift = position(&world, &mover) - at - offset;
            let rounding = 1e-12 * (10.0 + origin.length());
            assert!(drift.length() < rounding, "{name}, platform {seed}, frame {frame}: drift {drift}");
            let ground = mover.ground().unwrap();
            assert!(ground.handle == lift && moved.missing_gap == 0.0, "{name}, platform {seed}, frame {frame}");
            assert!((ground.motion - (at - last)).length() < rounding, "{name}, platform {seed}: {ground:?}");
            last = at;
        }
    }
}

/// A wall that moves toward a mover, at up to 0.95 per frame, pushes it in front, however thin it is.
#[test]
fn moving_walls_push_without_overlap() {
    for seed in 0..count() {
        let mut dice = Dice::new(seed, 13);
        let (dice, mut world) = (&mut dice, World::new());
        let (name, shape) = any_shape(dice);
        let (angle, thick) = (dice.angle(), dice.magnitude(0.01, 1.0));
        let normal = heading(angle);
        let wall = Collider::new(Shape::rectangle(thick, 60.0).unwrap());
        let pose = |at: f64| Pose::new(normal * at, angle).unwrap();
        let wall = world.insert(wall.pose(pose(-2.0)));
        let mut mover = Mover::new(world.insert(Collider::new(shape)));
        if dice.chance(0.5) {
            mover = mover.up(dice.direction()).unwrap();
        }
        let (mut at, speed) = (-2.0, dice.magnitude(0.01, 0.95));
        for frame in 0..60 {
            let moved = mover.move_by(&mut world, dice.in_disk(0.1)).unwrap();
            let (gap, here) = (smallest_gap(&world, &mover), position(&world, &mover).dot(normal));
            assert!(gap > SKIN - 2e-6 && here > at, "{name}, wall {seed}, frame {frame}: {here} of {at}, gap {gap}");
            assert_eq!(moved.missing_gap, 0.0, "{name}, wall {seed}, frame {frame}");
            at += speed * dice.between(0.5, 1.0);
            world.set_pose(wall, pose(at)).unwrap();
        }
    }
}
