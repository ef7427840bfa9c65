//! Motions of points and segments against walls without area. Neither overlaps the other, so a body that had stopped at
//! a wall passed through it in the next motion.

use std::f64::consts::TAU;

use carom::{Collider, DVec2, Handle, Pose, Shape, World, time_of_impact};

/// Half the length of the walls.
const HALF: f64 = 50.0;

/// Largest gap or depth at an impact: 1e-7 × size.
const TOLERANCE: f64 = 1e-7 * 2.0 * HALF;

fn walls() -> [Shape; 3] {
    let [left, middle, right] = [[-HALF, 0.0], [0.0, 0.0], [HALF, 0.0]];
    [
        Shape::segment(left, right).unwrap(),
        Shape::chain(&[left, right]).unwrap(),
        Shape::chain(&[right, middle, left]).unwrap(),
    ]
}

fn bodies() -> [Shape; 3] {
    [
        Shape::circle(0.0).unwrap(),
        Shape::segment([-0.3, 0.0], [0.3, 0.0]).unwrap(),
        Shape::segment([-0.3, -3e-10], [0.3, 3e-10]).unwrap(),
    ]
}

fn moved(world: &mut World, handle: Handle, translation: DVec2, turning: f64) -> DVec2 {
    world.set_motion(handle, translation, turning).unwrap();
    world.update();
    world.position(handle).unwrap()
}

/// The body stays above the wall in all motions, of any length and direction.
#[test]
fn a_body_without_area_never_passes_a_wall_without_area() {
    let mut rng = fastrand::Rng::with_seed(0x711);
    for round in 0..600 {
        let (wall, body) = (&walls()[round % 3], &bodies()[round / 3 % 3]);
        let origin = DVec2::new([0.0, 1e3][rng.usize(0..2)], 0.0);
        let frame = Pose::new(origin, rng.f64() * TAU).unwrap();
        let (along, up) = (frame.rotate_vector(DVec2::X), frame.rotate_vector(DVec2::Y));
        let mut world = World::new();
        world.insert(Collider::new(wall.clone()).pose(frame).fixed(true));
        let start = Pose::new(frame.transform_point([rng.f64(), 1.0]), frame.angle()).unwrap();
        let body = world.insert(Collider::new(body.clone()).pose(start));
        for step in 0..30 {
            let before = (world.position(body).unwrap() - origin).dot(along);
            let aside = if before > 0.0 { -rng.f64() } else { rng.f64() };
            let down = 10_f64.powf(rng.f64() * 11.0 - 9.0) * if rng.u8(0..6) == 0 { -0.1 } else { 1.0 };
            let end = moved(&mut world, body, along * aside - up * down.min(100.0), 0.0);
            let height = (end - origin).dot(up);
            assert!(height > -TOLERANCE, "round {round}, step {step}: {height:e}");
        }
    }
}

/// A body at rest at the wall is free along the wall and away from it.
#[test]
fn a_body_at_a_wall_without_area_is_free_along_it_and_away_from_it() {
    for wall in walls() {
        for body in bodies() {
            let mut world = World::new();
            world.insert(Collider::new(wall.clone()).fixed(true));
            let body = world.insert(Collider::new(body).at([-2.0, 1.0]).unwrap());
            let start = moved(&mut world, body, DVec2::new(0.0, -3.0), 0.0);
            assert!(start.y > 0.0 && start.y < TOLERANCE, "{start}");
            assert_eq!(moved(&mut world, body, DVec2::new(3.0, 0.0), 0.0), start + DVec2::new(3.0, 0.0));
            assert_eq!(world.motion_hits().len(), 0);
            let (there, by) = (world.position(body).unwrap(), DVec2::new(-1.0, 2.0));
            assert_eq!(moved(&mut world, body, by, 0.0), there + by);
        }
    }
}

/// A point near the free end of a segment passes beside it.
#[test]
fn a_point_passes_beside_the_end_of_a_segment() {
    let (wall, point) = (Shape::segment([-HALF, 0.0], [HALF, 0.0]).unwrap(), Shape::circle(0.0).unwrap());
    let wall = wall.at([0.0, 0.0]).unwrap();
    for beside in [2.0 * TOLERANCE, 1e-3, 1.0] {
        for height in [0.01 * TOLERANCE, 0.1 * TOLERANCE, 1.0] {
            let fall = point.at([HALF + beside, height]).unwrap().sweep([0.0, -5.0]).unwrap();
            assert_eq!(time_of_impact(fall, wall), None, "{beside:e} {height:e}");
        }
    }
}

/// A point within the tolerance of a segment is hit by the segment that turns, from both sides.
#[test]
fn a_segment_that_turns_hits_a_point_within_the_tolerance() {
    let (hand, point) = (Shape::segment([0.0, 0.0], [10.0, 0.0]).unwrap(), Shape::circle(0.0).unwrap());
    let hand = hand.at([0.0, 0.0]).unwrap();
    for height in [1e-8_f64, 1e-7, -1e-8, -1e-7] {
        let point = point.at([7.0, height]).unwrap();
        let turning = |angle: f64| hand.sweep([0.0, 0.0]).unwrap().with_rotation(angle).unwrap();
        for angle in [1e-6, 0.01, 1.0, 3.0] {
            let toward = turning(angle * height.signum());
            let hit = time_of_impact(toward, point).expect("it passes through the point");
            assert!(hit.time * angle < 1e-6 && hit.normal.y * height > 0.0, "{height:e} {angle}: {hit:?}");
            assert_eq!(time_of_impact(turning(-angle * height.signum()), point), None, "{height:e} {angle}");
        }
    }
}
