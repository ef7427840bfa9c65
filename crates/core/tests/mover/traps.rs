//! Tests rare situations: a mover must not hover, tunnel, stick or report false surfaces.

use carom::mover::{Mover, SurfaceClass};
use carom::{Collider, DVec2, ErrorKind, Pose, Shape, World, distance};

use super::kit::{GRAVITY, SKIN, block, hero, land, position, shapes, smallest_gap};

fn plank(world: &mut World, size: [f64; 2], at: [f64; 2]) -> carom::Handle {
    let plank = Collider::new(Shape::rectangle(size[0], size[1]).unwrap()).at(at).unwrap();
    world.insert(plank.one_way([0.0, 1.0]).unwrap())
}

/// With a tilted up direction, rounding leaves a part of a level motion along it. It is not a jump.
#[test]
fn rounding_is_not_a_jump() {
    for i in 0..90 {
        let up = DVec2::from_angle(0.07 * f64::from(i));
        let floor = Pose::new(-up, up.to_angle() - std::f64::consts::FRAC_PI_2).unwrap();
        for (name, shape) in shapes() {
            let mut world = World::new();
            world.insert(Collider::new(Shape::rectangle(60.0, 2.0).unwrap()).pose(floor).fixed(true));
            let handle = world.insert(Collider::new(shape).at(up).unwrap());
            let mut mover = Mover::new(handle).up(up).unwrap();
            mover.move_by(&mut world, -up).unwrap();
            for frame in 0..60 {
                mover.move_by(&mut world, -up.perp() * 0.05).unwrap();
                assert!(mover.is_grounded(), "{name}, direction {i}, frame {frame}");
            }
        }
    }
}

/// A mover whose ground is gone falls: the caller moved the mover, or the ground was changed in place.
#[test]
fn lost_ground_is_noticed() {
    let cases: [fn(&mut World, carom::Handle, carom::Handle); 5] = [
        |world, hero, _| world.set_position(hero, [0.0, 7.0]).unwrap(),
        |world, _, floor| world.set_sensor(floor, true).unwrap(),
        |world, _, floor| world.set_shape(floor, Shape::rectangle(0.1, 0.1).unwrap()).unwrap(),
        |world, _, floor| drop(world.remove(floor)),
        |world, _, floor| world.set_pose(floor, Pose::from_degrees([0.0, 0.0], 75.0).unwrap()).unwrap(),
    ];
    for (number, change) in cases.into_iter().enumerate() {
        for (name, shape) in shapes() {
            let mut world = World::new();
            let floor = block(&mut world, [20.0, 2.0], [0.0, 0.0], 0.0);
            let mut mover = hero(&mut world, shape, [0.0, 2.0]);
            land(&mut world, &mut mover);
            change(&mut world, mover.handle(), floor);
            let high = position(&world, &mover).y;
            for _ in 0..20 {
                mover.move_by(&mut world, [0.0, -0.1]).unwrap();
            }
            let fell = high - position(&world, &mover).y;
            assert!(fell > 0.5, "{name}, change {number}: fell by {fell}");
        }
    }
}

/// A mover that is stuck in one part of a composite does not pass the other parts.
#[test]
fn a_mover_inside_a_part_does_not_tunnel_through_another() {
    let bar = |size: [f64; 2], at: [f64; 2]| {
        (Shape::rectangle(size[0], size[1]).unwrap(), Pose::from_translation(at).unwrap())
    };
    let level = Shape::compound([bar([20.0, 1.0], [0.0, -0.5]), bar([0.1, 9.0], [3.0, 4.0])]).unwrap();
    for (name, shape) in shapes() {
        let mut world = World::new();
        world.insert(Collider::new(level.clone()).fixed(true));
        let handle = world.insert(Collider::new(shape).at([0.0, 0.3]).unwrap());
        let mut mover = Mover::new(handle).max_push(0.0).unwrap();
        let moved = mover.move_by(&mut world, [50.0, 0.0]).unwrap();
        assert!(position(&world, &mover).x < 3.0, "{name}: {moved:?}");
        assert!(moved.missing_gap > SKIN, "{name}: {moved:?}");
    }
}

/// Only surfaces that the mover reaches are reported, not those that are tested before a step.
#[test]
fn only_touched_surfaces_are_reported() {
    let mut world = World::new();
    let floor = block(&mut world, [20.0, 2.0], [0.0, -1.0], 0.0);
    let kerb = block(&mut world, [0.2, 0.2], [1.0, 0.1], 0.0);
    let beyond = block(&mut world, [4.0, 0.2], [3.11, 0.1], 0.0);
    let mut mover = hero(&mut world, Shape::rectangle(0.8, 0.8).unwrap(), [0.0, 1.0]);
    land(&mut world, &mut mover);
    while position(&world, &mover).y < 0.5 {
        mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
    }
    let touched: Vec<_> = mover.surfaces().iter().map(|surface| surface.handle).collect();
    assert!(touched.contains(&kerb) && !touched.contains(&beyond), "{touched:?} of {floor:?}");
}

/// A method that sets a setting of a mover.
type Setter = fn(Mover, f64) -> Result<Mover, carom::Error>;

/// Settings out of range are errors that name the setting. A slope in degrees is one.
#[test]
fn bad_settings_are_errors() {
    let mut world = World::new();
    let handle = world.insert(Collider::new(Shape::circle(1.0).unwrap()));
    let mover = || Mover::new(handle);
    let settings: [(&str, Setter); 5] = [
        ("skin", Mover::skin),
        ("max slope", Mover::max_slope),
        ("step height", Mover::step_height),
        ("snap distance", Mover::snap_distance),
        ("max push", Mover::max_push),
    ];
    for (name, set) in settings {
        for (value, kind) in [
            (-1.0, ErrorKind::Negative),
            (-1e-300, ErrorKind::Negative),
            (f64::NAN, ErrorKind::NotFinite),
            (f64::INFINITY, ErrorKind::NotFinite),
            (1e31, ErrorKind::OutOfRange),
        ] {
            let error = set(mover(), value).unwrap_err();
            assert_eq!(error.kind(), kind, "{name} {value}");
            assert!(error.to_string().starts_with(name), "{error}");
        }
        assert!(set(mover(), 0.0).is_ok() && set(mover(), -0.0).is_ok(), "{name}");
    }
    assert_eq!(mover().max_slope(45.0).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(mover().max_slope(std::f64::consts::FRAC_PI_2).unwrap_err().kind(), ErrorKind::OutOfRange);
    for up in [[0.0, 0.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
        assert!(mover().up(up).is_err());
    }
}

/// Fixed colliders never meet each other, so a fixed mover would pass all walls.
#[test]
fn a_fixed_mover_is_an_error() {
    let mut world = World::new();
    let handle = world.insert(Collider::new(Shape::circle(1.0).unwrap()).fixed(true));
    let error = Mover::new(handle).move_by(&mut world, [1.0, 0.0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FixedMover);
    assert_eq!(world.pose(handle).unwrap(), Pose::IDENTITY);
}

/// A slope of exactly the default or a set limit is floor.
#[test]
fn slopes_at_the_limit_are_floor() {
    for degrees in [10.0_f64, 30.0, 45.0, 50.0, 60.0, 80.0] {
        for (name, shape) in shapes() {
            let mut world = World::new();
            block(&mut world, [60.0, 2.0], [0.0, 0.0], degrees);
            let mut mover = hero(&mut world, shape, [0.0, 9.0]);
            if degrees != 50.0 {
                mover = mover.max_slope(degrees.to_radians()).unwrap();
            }
            land(&mut world, &mut mover);
            let moved = mover.move_by(&mut world, [0.0, -0.5]).unwrap().translation;
            assert!(moved == DVec2::ZERO && mover.is_grounded(), "{name} at {degrees}°: {moved}");
        }
    }
}

/// The least skin: smaller values do not stop the mover at seams of flush tiles.
#[test]
fn a_skin_of_zero_does_not_jam() {
    for origin in [0.0, 1e4, 1e6] {
        for (name, shape) in shapes() {
            let level_pose = Pose::from_degrees([origin, origin], 20.0).unwrap();
            let (mut world, along) = (World::new(), level_pose.rotate_vector(DVec2::X));
            for i in -3..60 {
                let at = level_pose.transform_point([f64::from(i), -0.5]);
                let pose = Pose::new(at, level_pose.angle()).unwrap();
                world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).pose(pose).fixed(true));
            }
            let start = level_pose.transform_point([0.0, 1.0]);
            let mut mover = Mover::new(world.insert(Collider::new(shape).at(start).unwrap())).skin(0.0).unwrap();
            mover.move_by(&mut world, level_pose.rotate_vector([0.0, -1.0])).unwrap();
            for frame in 0..900 {
                let moved = mover.move_by(&mut world, level_pose.rotate_vector([0.05, -0.1])).unwrap().translation;
                assert!((moved.dot(along) - 0.05).abs() < 1e-6, "{name} at {origin}, frame {frame}: {moved}");
            }
            assert!(smallest_gap(&world, &mover) > 0.0);
        }
    }
}

/// A rising platform that overtakes a falling mover lands it; one that overtakes from above does not.
#[test]
fn a_rising_platform_catches_a_falling_mover() {
    for (rise, thick) in [(0.05, 0.3), (0.3, 0.3), (0.6, 0.05), (0.9, 0.01), (0.9, 2.0)] {
        for (name, shape) in shapes() {
            let mut world = World::new();
            let lift = plank(&mut world, [6.0, thick], [0.0, -2.0]);
            let mut mover = hero(&mut world, shape, [0.3, 1.0]);
            for frame in 1..=8 {
                let top = -2.0 + rise * f64::from(frame);
                world.set_position(lift, [0.0, top]).unwrap();
                mover.move_by(&mut world, [0.0, -0.06]).unwrap();
                let gap = smallest_gap(&world, &mover);
                let below = position(&world, &mover).y < top;
                assert!(gap > SKIN - 2e-6 && !below, "{name}, rise {rise}, frame {frame}: {gap}");
            }
            if rise >= 0.3 {
                assert_eq!(mover.ground().map(|ground| ground.handle), Some(lift), "{name}, rise {rise}");
            }
            // Down onto the mover from above: it passes.
            world.set_position(lift, [0.0, 9.0]).unwrap();
            let mut mover = Mover::new(mover.handle());
            world.set_position(mover.handle(), [0.0, 8.0 - thick]).unwrap();
            for frame in 0..40 {
                world.set_position(lift, [0.0, 9.0 - 0.1 * f64::from(frame)]).unwrap();
                let moved = mover.move_by(&mut world, [0.0, 0.0]).unwrap();
                assert_eq!(moved.translation, DVec2::ZERO, "{name}, frame {frame}");
            }
        }
    }
}

/// A thin wall that moves farther than its thickness in one frame pushes the mover, and is not passed.
#[test]
fn thin_moving_walls_push() {
    for (name, shape) in shapes() {
        for speed in [0.05, 0.3, 0.7, 0.95] {
            let mut world = World::new();
            let wall = Shape::rectangle(0.02, 9.0).unwrap();
            let wall = world.insert(Collider::new(wall).at([-1.0, 0.0]).unwrap());
            let mut mover = Mover::new(world.insert(Collider::new(shape.clone())));
            mover.move_by(&mut world, [0.0, 0.0]).unwrap();
            for frame in 1..60 {
                let at = -1.0 + speed * f64::from(frame);
                world.set_position(wall, [at, 0.0]).unwrap();
                let moved = mover.move_by(&mut world, [0.0, 0.0]).unwrap();
                let gap = smallest_gap(&world, &mover);
                assert!(
                    position(&world, &mover).x > at && gap > SKIN - 2e-6,
                    "{name} {speed}, frame {frame}: {moved:?}"
                );
            }
        }
    }
}

/// A mover between a moving wall and a fixed one is crushed, and says so; before, nothing is missing.
#[test]
fn crushed_movers_are_reported() {
    for (name, shape) in shapes() {
        let mut world = World::new();
        block(&mut world, [1.0, 9.0], [2.5, 0.0], 0.0);
        let wall = world.insert(Collider::new(Shape::rectangle(1.0, 9.0).unwrap()).at([-2.5, 0.0]).unwrap());
        let mut mover = Mover::new(world.insert(Collider::new(shape)));
        let aabb = world.placed(mover.handle()).unwrap().aabb().size();
        let mut was_crushed = false;
        for frame in 0..60 {
            let room = 4.0 - 0.06 * f64::from(frame);
            if room < 0.6 * aabb.x {
                break;
            }
            world.set_position(wall, [1.5 - room, 0.0]).unwrap();
            let moved = mover.move_by(&mut world, [0.0, 0.0]).unwrap();
            let free = room - aabb.x - 2.0 * SKIN;
            if free > 1e-4 {
                assert_eq!(moved.missing_gap, 0.0, "{name}, room {room}");
            } else if free < -1e-4 {
                // It is nearer than the skin to one of both by at least half of the missing room.
                assert!(moved.missing_gap > -0.49 * free, "{name}, room {room}: {moved:?}");
                was_crushed = true;
            }
        }
        assert!(was_crushed);
    }
}

/// A request to drop passes one-way colliders only, and only those below at that time.
#[test]
fn only_one_way_colliders_are_dropped_through() {
    for (name, shape) in shapes() {
        let mut world = World::new();
        let solid = block(&mut world, [4.0, 0.3], [-2.0, 1.85], 0.0);
        let lower = plank(&mut world, [12.0, 0.3], [0.0, -2.15]);
        let upper = plank(&mut world, [4.0, 0.3], [2.0, 1.85]);
        let mut mover = hero(&mut world, shape, [-2.5, 4.0]);
        land(&mut world, &mut mover);
        for _ in 0..5 {
            mover.drop_through();
            let moved = mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
            assert!(moved.translation == DVec2::ZERO, "{name} falls through a solid floor: {moved:?}");
            assert_eq!(mover.ground().unwrap().handle, solid);
        }
        // Half on the solid floor, half on the platform: the solid one holds it.
        while position(&world, &mover).x < -0.27 {
            mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
        }
        mover.drop_through();
        let before = position(&world, &mover).y;
        mover.move_by(&mut world, [-0.05, -GRAVITY]).unwrap();
        assert!(mover.is_grounded() && (position(&world, &mover).y - before).abs() < 1e-6, "{name}");
        // On the platform alone: it falls to the next platform, and stands there.
        let mut fresh = hero(&mut world, Shape::circle(0.3).unwrap(), [2.0, 4.0]);
        land(&mut world, &mut fresh);
        assert_eq!(fresh.ground().unwrap().handle, upper);
        fresh.drop_through();
        fresh.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
        assert!(!fresh.is_grounded());
        land(&mut world, &mut fresh);
        assert_eq!(fresh.ground().unwrap().handle, lower);
    }
}

/// A walk in front of a one-way platform never lifts the mover onto it, with steps and snapping. A round
/// mover may roll onto a low one, as onto a slope; it never rises faster than on the steepest one.
#[test]
fn walking_never_snaps_up_to_a_platform() {
    for (name, shape) in shapes() {
        for height in [0.05, 0.1, 0.12, 0.145, 0.16, 0.18, 0.2, 0.25, 0.29, 0.4, 0.7] {
            let mut world = World::new();
            let floor = block(&mut world, [40.0, 2.0], [0.0, -1.0], 0.0);
            plank(&mut world, [3.0, 0.04], [3.0, height - 0.02]);
            let mut mover = hero(&mut world, shape.clone(), [0.0, 1.0]);
            land(&mut world, &mut mover);
            let low = position(&world, &mover).y;
            for frame in 0..140 {
                let moved = mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap().translation;
                let rise = position(&world, &mover).y - low;
                let at = format!("{name}, {height}, frame {frame}: {rise} {moved}");
                assert!(moved.y <= 0.05 * 50.0_f64.to_radians().sin() + 1e-9 && moved.x > 0.03, "{at}");
                if name == "box" || height >= 0.25 {
                    assert!(rise.abs() < 1e-6 && (moved.x - 0.05).abs() < 1e-6, "{at}");
                    assert_eq!(mover.ground().unwrap().handle, floor);
                }
            }
        }
    }
}

/// A floor far longer than the mover is found at once and kept, although casts have a larger tolerance there.
#[test]
fn huge_floors_are_ground() {
    for (name, shape) in shapes() {
        for length in [1e3, 1e5, 1e7] {
            let mut world = World::new();
            block(&mut world, [length, length], [0.3 * length, -0.5 * length], 0.0);
            let mut mover = hero(&mut world, shape.clone(), [0.0, 2.0]);
            land(&mut world, &mut mover);
            for frame in 0..100 {
                let moved = mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap().translation;
                assert!(mover.is_grounded() && (moved.x - 0.05).abs() < 1e-6, "{name} {length} {frame}: {moved}");
            }
            let gap = smallest_gap(&world, &mover);
            assert!((gap - SKIN).abs() < 1e-5, "{name} {length}: {gap}");
        }
    }
}

/// One long motion along a polyline of many corners is not cut off.
#[test]
fn long_motions_follow_many_corners() {
    let wave = |i: i32| [0.05 * f64::from(i), 0.2 * (0.25 * f64::from(i)).sin()];
    let points: Vec<[f64; 2]> = (-40..240).map(wave).collect();
    for (name, shape) in shapes() {
        let mut world = World::new();
        world.insert(Collider::new(Shape::chain(&points).unwrap()).fixed(true));
        let mut mover = hero(&mut world, shape, [0.0, 2.0]);
        land(&mut world, &mut mover);
        let start = position(&world, &mover);
        let moved = mover.move_by(&mut world, [5.0, -GRAVITY]).unwrap();
        assert!(moved.translation.x > 4.0 && moved.remaining == DVec2::ZERO, "{name} from {start}: {moved:?}");
    }
}

/// A cabin of separate colliders that moves as one carries the mover as one: no wall of it is hit.
#[test]
fn a_cabin_of_many_colliders_carries_as_one() {
    let parts = [
        ([1.0, 0.2], [-0.5, -0.1]),
        ([1.0, 0.2], [0.5, -0.1]),
        ([0.2, 2.0], [-1.1, 0.9]),
        ([0.2, 2.0], [1.1, 0.9]),
        ([2.4, 0.2], [0.0, 2.0]),
    ];
    for (name, shape) in shapes() {
        let mut world = World::new();
        let cabin = parts.map(|(size, at)| {
            let part = Collider::new(Shape::rectangle(size[0], size[1]).unwrap());
            (world.insert(part.at(at).unwrap()), DVec2::from(at))
        });
        let mut mover = hero(&mut world, shape, [-0.55, 0.8]);
        land(&mut world, &mut mover);
        let offset = position(&world, &mover);
        for frame in 0..300 {
            let time = 0.05 * f64::from(frame);
            let at = DVec2::new(4.0 * time.sin(), 3.0 * (1.3 * time).sin());
            for (handle, part) in cabin {
                world.set_position(handle, at + part).unwrap();
            }
            let moved = mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
            let drift = position(&world, &mover) - at - offset;
            assert!(drift.length() < 1e-6 && mover.is_grounded(), "{name}, frame {frame}: {drift}");
            assert_eq!(moved.missing_gap, 0.0, "{name}, frame {frame}");
        }
    }
}

/// A plank that turns carries the mover; the mover never leaves it and never sinks in.
#[test]
fn a_turning_plank_carries() {
    for (name, shape) in shapes() {
        let mut world = World::new();
        let plank = world.insert(Collider::new(Shape::rectangle(8.0, 0.4).unwrap()));
        let mut mover = hero(&mut world, shape, [0.9, 1.5]);
        land(&mut world, &mut mover);
        for frame in 0..400 {
            let degrees = 30.0 * (0.04 * f64::from(frame)).sin();
            world.set_pose(plank, Pose::from_degrees([0.0, 0.0], degrees).unwrap()).unwrap();
            mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
            let gap = smallest_gap(&world, &mover);
            assert!(mover.is_grounded() && gap > SKIN - 2e-6, "{name}, frame {frame}, {degrees}°: {gap}");
        }
    }
}

/// The ground's motion is that of the collider that the mover stands on, not of the one before.
#[test]
fn the_motion_of_the_ground_is_that_of_the_present_one() {
    let mut world = World::new();
    let lift = world.insert(Collider::new(Shape::rectangle(4.0, 1.0).unwrap()).at([-2.0, -0.5]).unwrap());
    let floor = block(&mut world, [8.0, 1.0], [4.0, -0.5], 0.0);
    let mut mover = hero(&mut world, Shape::rectangle(0.8, 0.8).unwrap(), [-1.0, 0.5]);
    land(&mut world, &mut mover);
    for frame in 1..60 {
        let shift = -0.01 * f64::from(frame);
        world.set_position(lift, [-2.0 + shift, -0.5]).unwrap();
        mover.move_by(&mut world, [0.06, -GRAVITY]).unwrap();
        let ground = mover.ground().unwrap();
        if ground.handle == floor {
            assert_eq!(ground.motion, DVec2::ZERO, "frame {frame}");
        } else {
            assert!((ground.motion - DVec2::new(-0.01, 0.0)).length() < 1e-12, "frame {frame}: {ground:?}");
        }
    }
    assert_eq!(mover.ground().unwrap().handle, floor);
    assert!(mover.surfaces().iter().all(|surface| surface.class == SurfaceClass::Floor));
    assert!(distance(world.placed(floor).unwrap(), world.placed(mover.handle()).unwrap()).distance > SKIN - 1e-6);
}
