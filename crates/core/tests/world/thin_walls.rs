//! Motions of points and segments against walls without area. Neither overlaps the other, so a body that had stopped at
//! a wall passed through it in the next motion. A gap below the rounding error of that motion did not show the side.

use std::f64::consts::TAU;

use carom::{Collider, DVec2, Handle, Pose, Shape, World, time_of_impact};
use dashu_int::IBig;

use crate::support::integer::{in_units, product_in_units};

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

/// Power of two that divides all numbers of the random motions, and their products.
const UNIT: i32 = -700;

/// Returns the exact position of a point of a placed shape.
fn exact_position(pose: Pose, point: DVec2) -> [IBig; 2] {
    let (cos, sin, translation) = (pose.cos(), pose.sin(), pose.translation());
    let product = |factor: f64, v: f64| product_in_units(factor, v, UNIT);
    [
        product(cos, point.x) - product(sin, point.y) + in_units(translation.x, UNIT),
        product(sin, point.x) + product(cos, point.y) + in_units(translation.y, UNIT),
    ]
}

/// Returns true if a point is left of the line from `a` to `b`, by the exact sign of the orientation.
fn is_left([a, b]: &[[IBig; 2]; 2], p: &[IBig; 2]) -> bool {
    (&b[0] - &a[0]) * (&p[1] - &a[1]) - (&b[1] - &a[1]) * (&p[0] - &a[0]) > IBig::ZERO
}

/// Wall and body of random motions that turn, at a distance from the origin.
struct Turning {
    scale: f64,
    frame: Pose,
    wall: [[IBig; 2]; 2],
    points: Vec<DVec2>,
    world: World,
    body: Handle,
}

impl Turning {
    fn new(rng: &mut fastrand::Rng, scale: f64, far: f64, body: &[[f64; 2]], is_chain: bool) -> Self {
        let frame = Pose::new(DVec2::from_angle(rng.f64() * TAU) * far, rng.f64() * TAU).unwrap();
        let ends = [-HALF, HALF].map(|x| DVec2::new(x * scale, 0.0));
        let points: Vec<DVec2> = body.iter().map(|&point| DVec2::from(point) * scale).collect();
        let wall = if is_chain { Shape::chain(&ends) } else { Shape::segment(ends[0], ends[1]) };
        let shape = match points[..] {
            [_] => Shape::circle(0.0),
            [from, to] => Shape::segment(from, to),
            _ => Shape::chain(&points),
        };
        let mut world = World::new();
        world.insert(Collider::new(wall.unwrap()).pose(frame).fixed(true));
        let start = Pose::new(frame.transform_point([0.0, 2.0 * scale]), frame.angle()).unwrap();
        let body = world.insert(Collider::new(shape.unwrap()).pose(start));
        Self { scale, frame, wall: ends.map(|end| exact_position(frame, end)), points, world, body }
    }

    /// Moves the body down, along the wall, away from it or about its pivot, by a length and an angle of any size.
    fn step(&mut self, rng: &mut fastrand::Rng) {
        let (along, up) = (self.frame.rotate_vector(DVec2::X), self.frame.rotate_vector(DVec2::Y));
        let x = (self.world.position(self.body).unwrap() - self.frame.translation()).dot(along);
        let aside = along * (-x.signum() * self.scale * rng.f64() * f64::from(rng.u8(0..2)));
        let down = up * (self.scale * 10_f64.powf(rng.f64() * 11.0 - 9.0).min(40.0));
        let turning = 10.0 * 10_f64.powf(rng.f64() * -10.0) * [0.0, 1.0, -1.0][rng.usize(0..3)];
        let (translation, turning) = match rng.u8(0..8) {
            0 => (aside, 0.0),
            1 => (aside + down * 0.1, 0.0),
            2 => (DVec2::ZERO, turning),
            _ => (aside - down, turning),
        };
        moved(&mut self.world, self.body, translation, turning);
    }

    fn is_above(&self) -> bool {
        let pose = self.world.pose(self.body).unwrap();
        self.points.iter().all(|&point| is_left(&self.wall, &exact_position(pose, point)))
    }
}

/// No point of the body changes the side of the wall, in motions that turn, slide and come closer by any length.
#[test]
fn a_body_that_turns_never_passes_a_wall_without_area() {
    let bodies: [&[[f64; 2]]; 6] = [
        &[[0.0, 0.0]],
        &[[-0.3, 0.0], [0.3, 0.0]],
        &[[-0.3, -3e-10], [0.3, 3e-10]],
        &[[0.2, 0.1], [0.7, 0.3]],
        &[[3.0, 0.0], [3.5, 0.1]],
        &[[-0.3, 0.0], [0.0, 0.1], [0.3, 0.0]],
    ];
    let mut rng = fastrand::Rng::with_seed(0x712);
    for round in 0..1_200 {
        let scale = [1.0, 1e-3, 1e3][round % 3];
        let far = scale * [0.0, 1e3, 1e6][round / 3 % 3];
        let mut turning = Turning::new(&mut rng, scale, far, bodies[round / 9 % 6], round / 54 % 2 == 1);
        for step in 0..30 {
            let before = turning.world.pose(turning.body).unwrap();
            turning.step(&mut rng);
            assert!(turning.is_above(), "round {round}, step {step}: from {before:?}");
        }
    }
}

/// A segment that turns while it comes closer stops at a gap that a later motion with a larger rounding error shows.
#[test]
fn a_segment_that_turned_toward_a_wall_does_not_pass_it_in_the_next_motion() {
    for turns in [[0.0, 0.5, -0.001], [0.0, 1e-3, 0.0], [1e-9, -0.5, 1e-6]] {
        let mut world = World::new();
        let [wall, body] = [HALF, 0.3].map(|half| Shape::segment([-half, 0.0], [half, 0.0]).unwrap());
        world.insert(Collider::new(wall).fixed(true));
        let body = world.insert(Collider::new(body).at([0.0, 0.5]).unwrap());
        for (down, turning) in [1.0, 0.001, 1.0].into_iter().zip(turns) {
            let end = moved(&mut world, body, DVec2::new(0.0, -down), turning);
            assert!(end.y > 0.0, "{turns:?}: {end}");
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
