//! Failures that users of other engines report.

use carom::mover::{Mover, SurfaceClass};
use carom::{Collider, DVec2, Handle, Shape, World, distance};

use super::kit::{GRAVITY, block, hero, land, position, shapes};

/// avian#949: a character at rest on a slope drifted down, because the cast forgot the skin.
#[test]
fn idle_on_a_slope_moves_exactly_zero() {
    for degrees in [0.0, 10.0, 33.0, 45.0, -28.0] {
        for (_, shape) in shapes() {
            let mut world = World::new();
            block(&mut world, [60.0, 2.0], [0.0, 0.0], degrees);
            let mut mover = hero(&mut world, shape, [0.0, 4.0]);
            land(&mut world, &mut mover);
            let at = position(&world, &mover);
            for frame in 0..300 {
                let moved = mover.move_by(&mut world, [0.0, -GRAVITY * f64::from(frame % 40)]).unwrap();
                assert_eq!(moved.translation, DVec2::ZERO, "{degrees}° frame {frame}");
                assert!(mover.is_grounded());
            }
            assert_eq!(position(&world, &mover), at);
        }
    }
}

/// rapier.js#313: characters walked slowly uphill. The length of the motion is kept on slopes.
#[test]
fn uphill_and_downhill_are_as_fast_as_the_plain() {
    for degrees in [-45.0, -30.0, -12.0, 0.0, 12.0, 30.0, 45.0] {
        for (_, shape) in shapes() {
            let mut world = World::new();
            block(&mut world, [200.0, 2.0], [0.0, 0.0], degrees);
            let mut mover = hero(&mut world, shape, [0.0, 4.0]);
            land(&mut world, &mut mover);
            for frame in 0..300 {
                let moved = mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
                assert!((moved.translation.length() - 0.05).abs() < 1e-5, "{degrees}° {frame}: {moved:?}");
                assert!(mover.is_grounded(), "{degrees}° {frame}");
            }
        }
    }
}

/// Slopes above the maximum are walls: no climbing, and no ground.
#[test]
fn steep_slopes_are_refused() {
    for (_, shape) in shapes() {
        let mut world = World::new();
        block(&mut world, [40.0, 2.0], [0.0, -1.0], 0.0);
        block(&mut world, [40.0, 2.0], [12.0, 2.0], 60.0);
        let mut mover = hero(&mut world, shape, [0.0, 1.0]);
        land(&mut world, &mut mover);
        let height = position(&world, &mover).y;
        let mut highest = height;
        for _ in 0..400 {
            mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
            highest = highest.max(position(&world, &mover).y);
            assert!(mover.is_grounded());
        }
        assert!(highest < height + 1e-6, "{highest} from {height}");
        assert!(mover.surfaces().iter().any(|surface| surface.class == SurfaceClass::Wall));
        // Put on the slope, it slides down and is not grounded there.
        world.set_position(mover.handle(), [12.0, 9.0]).unwrap();
        let mut mover = Mover::new(mover.handle()).up([0.0, 1.0]).unwrap();
        for _ in 0..40 {
            mover.move_by(&mut world, [0.0, -0.1]).unwrap();
        }
        let before = position(&world, &mover);
        mover.move_by(&mut world, [0.0, -0.1]).unwrap();
        let after = position(&world, &mover);
        assert!(mover.is_grounded() || after.y < before.y - 0.02, "{before} {after}");
    }
}

/// react-three-rapier#702: stairs stopped characters.
#[test]
fn stairs_are_climbed_up_and_down() {
    for (number, (_, shape)) in shapes().into_iter().enumerate() {
        let mut world = World::new();
        block(&mut world, [20.0, 2.0], [-9.0, -1.0], 0.0);
        for i in 0..10 {
            let height = 0.25 * f64::from(i + 1);
            block(&mut world, [1.0, 1.0], [1.5 + f64::from(i), height - 0.5], 0.0);
        }
        block(&mut world, [20.0, 1.0], [21.0, 2.0], 0.0);
        let mut mover = hero(&mut world, shape, [-2.0, 1.0]);
        land(&mut world, &mut mover);
        let low = position(&world, &mover).y;
        for frame in 0..500 {
            mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
            assert!(mover.is_grounded(), "shape {number} frame {frame} at {}", position(&world, &mover));
        }
        let top = position(&world, &mover);
        assert!((top.y - low - 2.5).abs() < 1e-6 && top.x > 13.0, "shape {number}: {top} from {low}");
        for _ in 0..500 {
            mover.move_by(&mut world, [-0.05, -GRAVITY]).unwrap();
        }
        let down = position(&world, &mover);
        assert!((down.y - low).abs() < 1e-6 && down.x < 1.0, "shape {number}: {down}");
    }
}

/// Steps that are shorter than the mover is wide are climbed: one width ahead there is the next corner.
#[test]
fn short_stairs_are_climbed_up_and_down() {
    let capsule = Shape::capsule([0.0, -0.35], [0.0, 0.35], 0.35).unwrap();
    for (name, shape) in [("capsule", capsule), ("circle", Shape::circle(0.35).unwrap())] {
        let mut world = World::new();
        block(&mut world, [20.0, 2.0], [-8.0, -1.0], 0.0);
        for i in 0..10 {
            let height = 0.25 * f64::from(i + 1);
            block(&mut world, [0.5, 1.0], [2.25 + 0.5 * f64::from(i), height - 0.5], 0.0);
        }
        block(&mut world, [20.0, 1.0], [17.0, 2.0], 0.0);
        let mut mover = hero(&mut world, shape, [-2.0, 1.0]);
        land(&mut world, &mut mover);
        let low = position(&world, &mover).y;
        for (speed, rise) in [(0.05, 2.5), (-0.05, 0.0)] {
            for frame in 0..300 {
                mover.move_by(&mut world, [speed, -GRAVITY]).unwrap();
                assert!(mover.is_grounded(), "{name} frame {frame} at {}", position(&world, &mover));
            }
            let end = position(&world, &mover);
            assert!((end.y - low - rise).abs() < 1e-6, "{name}: {end} from {low}");
        }
    }
}

/// A drop beside a seam of flush one-way tiles passes the whole row, and lands on a platform below it.
#[test]
fn a_drop_at_a_seam_passes_all_tiles_of_the_row() {
    for i in -10..=10 {
        for depth in [0.3, 2.0] {
            let mut world = World::new();
            let mut row = |y: f64| {
                for x in -3..=3 {
                    let tile = Collider::new(Shape::rectangle(1.0, 0.1).unwrap()).fixed(true);
                    let tile = tile.at([f64::from(x) + 0.5, y - 0.05]).unwrap().one_way([0.0, 1.0]).unwrap();
                    world.insert(tile);
                }
            };
            row(0.0);
            row(-depth);
            let x = 0.05 * f64::from(i);
            let mut mover = hero(&mut world, Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.35).unwrap(), [x, 1.0]);
            land(&mut world, &mut mover);
            let start = position(&world, &mover);
            mover.drop_through();
            for frame in 0..90 {
                mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
                let at = position(&world, &mover);
                assert!(frame == 0 || at.y < start.y, "x {x}, frame {frame}: {at} from {start}");
            }
            let end = position(&world, &mover);
            if depth == 0.3 {
                assert!((end.y - (start.y - depth)).abs() < 1e-6, "x {x}: {end} from {start}");
            }
        }
    }
}

/// A step higher than the limit, or without head room, is a wall.
#[test]
fn high_and_low_steps_are_walls() {
    for (height, ceiling) in [(0.5, 9.0), (0.25, 1.3)] {
        let mut world = World::new();
        block(&mut world, [20.0, 2.0], [0.0, -1.0], 0.0);
        block(&mut world, [4.0, 2.0], [3.0, height - 1.0], 0.0);
        block(&mut world, [20.0, 1.0], [0.0, ceiling + 0.5], 0.0);
        let mut mover = hero(&mut world, Shape::rectangle(0.8, 1.2).unwrap(), [-1.0, 0.62]);
        land(&mut world, &mut mover);
        for _ in 0..200 {
            mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
        }
        let at = position(&world, &mover);
        assert!((at.x - (1.0 - 0.4 - 0.01)).abs() < 1e-6 && at.y < 0.63, "{at}");
    }
}

/// rapier.js#191 and godot-rapier#616: zero steps while sliding, and stops at the vertices of a slope.
#[test]
fn polylines_of_slopes_never_stop_a_walk() {
    for (_, shape) in shapes() {
        let points: Vec<[f64; 2]> = (0..80).map(|i| f64::from(i) * 0.7).map(|x| [x, 1.5 * (0.4 * x).sin()]).collect();
        let mut world = World::new();
        world.insert(Collider::new(Shape::chain(&points).unwrap()).fixed(true));
        let mut mover = hero(&mut world, shape, [3.0, 4.0]);
        land(&mut world, &mut mover);
        for frame in 0..800 {
            let moved = mover.move_by(&mut world, [0.05, -GRAVITY]).unwrap();
            assert!(moved.translation.length() > 0.04, "{moved:?} in frame {frame}");
            assert!(mover.is_grounded(), "frame {frame} at {}", position(&world, &mover));
        }
    }
}

/// Corner jitter: a mover pressed into an acute wedge comes to rest.
#[test]
fn wedges_bring_the_mover_to_rest() {
    for half in [5.0, 15.0, 40.0, 70.0] {
        for (_, shape) in shapes() {
            let mut world = World::new();
            block(&mut world, [80.0, 2.0], [0.0, 0.0], half);
            block(&mut world, [80.0, 2.0], [0.0, 0.0], -half);
            let handle = world.insert(Collider::new(shape).at([25.0, 0.0]).unwrap());
            let mut mover = Mover::new(handle);
            for _ in 0..400 {
                mover.move_by(&mut world, [-0.1, 0.0013]).unwrap();
            }
            for _ in 0..50 {
                let moved = mover.move_by(&mut world, [-0.1, 0.0013]).unwrap().translation;
                assert!(moved.length() < 1e-6, "{half}°: {moved}");
            }
        }
    }
}

/// The floor state is the same in all frames of a walk over flush tiles, with and without gravity.
#[test]
fn the_floor_does_not_flicker() {
    for gravity in [0.0, GRAVITY, 0.5] {
        for (_, shape) in shapes() {
            let mut world = World::new();
            (-5..40).for_each(|i| {
                block(&mut world, [1.0, 1.0], [f64::from(i), -0.5], 0.0);
            });
            let mut mover = hero(&mut world, shape, [0.0, 1.0]);
            land(&mut world, &mut mover);
            for _ in 0..600 {
                mover.move_by(&mut world, [0.05, -gravity]).unwrap();
                assert!(mover.is_grounded());
                assert!((mover.ground().unwrap().normal - DVec2::Y).length() < 1e-9);
            }
        }
    }
}

fn platform(world: &mut World) -> Handle {
    let plank = Collider::new(Shape::rectangle(6.0, 0.3).unwrap()).at([0.0, 2.0]).unwrap();
    world.insert(plank.fixed(true).one_way([0.0, 1.0]).unwrap())
}

/// Jumps through a platform from below: no snap up, no stop, a landing on the front, and a drop.
#[test]
fn one_way_platforms() {
    for (_, shape) in shapes() {
        let mut world = World::new();
        let floor = block(&mut world, [40.0, 2.0], [0.0, -1.0], 0.0);
        let plank = platform(&mut world);
        let mut mover = hero(&mut world, shape, [0.0, 1.0]);
        land(&mut world, &mut mover);
        let mut speed: f64 = 0.4;
        for _ in 0..300 {
            let before = position(&world, &mover);
            mover.move_by(&mut world, [0.0, speed]).unwrap();
            let moved = position(&world, &mover).y - before.y;
            assert!(moved <= speed.max(0.0) + 1e-9, "moved {moved} at speed {speed}");
            speed = if mover.is_grounded() { 0.0 } else { speed - GRAVITY };
        }
        assert_eq!(mover.ground().unwrap().handle, plank);
        mover.drop_through();
        for _ in 0..300 {
            mover.move_by(&mut world, [0.0, -0.003]).unwrap();
        }
        assert!(!mover.is_grounded());
        land(&mut world, &mut mover);
        assert_eq!(mover.ground().unwrap().handle, floor);
    }
}

/// A mover rides a platform that moves aside, up and down, and is pushed by a wall.
#[test]
fn moving_colliders_carry_and_push() {
    for one_way in [false, true] {
        for (_, shape) in shapes() {
            let mut world = World::new();
            let mut lift = Collider::new(Shape::rectangle(4.0, 0.5).unwrap());
            if one_way {
                lift = lift.one_way([0.0, 1.0]).unwrap();
            }
            let lift = world.insert(lift);
            let mut mover = hero(&mut world, shape, [0.0, 1.5]);
            land(&mut world, &mut mover);
            let offset = position(&world, &mover);
            for frame in 0..400 {
                let time = f64::from(frame) * 0.03;
                let at = DVec2::new(3.0 * time.sin(), 2.0 * (0.7 * time).sin());
                world.set_position(lift, at).unwrap();
                mover.move_by(&mut world, [0.0, -GRAVITY]).unwrap();
                assert!(mover.is_grounded(), "frame {frame}");
                let seen = position(&world, &mover) - at;
                assert!((seen - offset).length() < 1e-4, "frame {frame}: {seen} for {offset}");
            }
        }
    }
    let mut world = World::new();
    let wall = block(&mut world, [1.0, 3.0], [-3.0, 0.0], 0.0);
    let handle = world.insert(Collider::new(Shape::circle(0.4).unwrap()));
    let mut mover = Mover::new(handle);
    for frame in 0..100 {
        world.set_position(wall, [-3.0 + 0.07 * f64::from(frame), 0.0]).unwrap();
        mover.move_by(&mut world, [0.0, 0.0]).unwrap();
        let gap = distance(world.placed(wall).unwrap(), world.placed(handle).unwrap()).distance;
        assert!(gap > 0.01 - 1e-6, "{gap}");
    }
}

/// A mover that starts inside moves out along the MTV, at most the stated distance per call.
#[test]
fn overlaps_end_within_the_stated_distance() {
    let mut world = World::new();
    let wall = block(&mut world, [4.0, 4.0], [0.0, 0.0], 0.0);
    let handle = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([1.6, 0.3]).unwrap());
    let mut mover = Mover::new(handle).max_push(0.25).unwrap();
    for _ in 0..4 {
        let moved = mover.move_by(&mut world, [0.0, 0.0]).unwrap().translation;
        assert!(moved.length() <= 0.25 + 1e-12 && moved.y.abs() < 1e-12, "{moved}");
    }
    let gap = distance(world.placed(wall).unwrap(), world.placed(handle).unwrap()).distance;
    assert!((gap - 0.01).abs() < 1e-6, "{gap}");
}

#[test]
fn errors_change_nothing() {
    let mut world = World::new();
    let mut mover = hero(&mut world, Shape::circle(1.0).unwrap(), [0.0, 0.0]);
    for bad in [f64::NAN, f64::INFINITY, 1e31] {
        assert!(mover.move_by(&mut world, [bad, 0.0]).is_err());
        assert!(Mover::new(mover.handle()).skin(bad).is_err());
        assert!(Mover::new(mover.handle()).max_slope(bad).is_err());
    }
    assert!(Mover::new(mover.handle()).skin(-1.0).is_err());
    let error = Mover::new(mover.handle()).up([0.0, 0.0]).unwrap_err();
    assert_eq!(error.to_string(), "the upward direction is [0, 0]; it must have a length");
    assert_eq!(position(&world, &mover), DVec2::ZERO);
    world.remove(mover.handle());
    assert!(mover.move_by(&mut world, [1.0, 0.0]).is_err());
}
