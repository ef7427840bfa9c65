//! Motions along flush neighbours: the surface of the union stops a motion, an internal edge does not. A ball that
//! rolled along a chain, and touched it exactly, had stopped at the next vertex.

use carom::{Collider, DVec2, Handle, Pose, Shape, World, collide};

use crate::support::dice::Dice;
use crate::support::run::pairs;

/// Number of tiles or links in a row. The top is y = 0, and x runs from -0.5 to 11.5.
const LONG: u32 = 12;

/// Ways to make a floor with the same surface.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Floor {
    Block,
    Boxes,
    Compound,
    Chain,
    OneSided,
}

impl Floor {
    const PIECES: [Self; 4] = [Self::Boxes, Self::Compound, Self::Chain, Self::OneSided];

    fn insert(self, world: &mut World, whole_pose: Pose) {
        let tile = || Shape::rectangle(1.0, 1.0).unwrap();
        let at = |x: f64| Pose::from_translation([x, -0.5]).unwrap();
        let row = (0..LONG).map(f64::from);
        let corners: Vec<_> = (0..=LONG).map(|i| [f64::from(i) - 0.5, 0.0]).collect();
        let shape = match self {
            Self::Block => {
                let whole = Shape::rectangle(f64::from(LONG), 1.0).unwrap();
                Shape::compound([(whole, at(0.5 * f64::from(LONG) - 0.5))]).unwrap()
            }
            Self::Compound => Shape::compound(row.map(|x| (tile(), at(x)))).unwrap(),
            Self::Chain => Shape::chain(&corners).unwrap(),
            Self::OneSided => {
                let corners: Vec<_> = corners.into_iter().rev().collect();
                Shape::chain(&corners).unwrap().one_sided().unwrap()
            }
            Self::Boxes => {
                for x in row {
                    let at = whole_pose.transform_point([x, -0.5]);
                    let pose = Pose::new(at, whole_pose.angle()).unwrap();
                    world.insert(Collider::new(tile()).pose(pose).fixed(true));
                }
                return;
            }
        };
        world.insert(Collider::new(shape).pose(whole_pose).fixed(true));
    }
}

fn moved(world: &mut World, handle: Handle, translation: impl Into<DVec2>, turning: f64) -> Pose {
    world.set_motion(handle, translation.into(), turning).unwrap();
    world.update();
    world.pose(handle).unwrap()
}

/// Shapes of height 0.5 above and below their origin.
fn shapes() -> [Shape; 5] {
    [
        Shape::circle(0.5).unwrap(),
        Shape::capsule([-0.2, 0.0], [0.2, 0.0], 0.5).unwrap(),
        Shape::rectangle(0.8, 1.0).unwrap(),
        Shape::rectangle(0.6, 0.8).unwrap().rounded(0.1).unwrap(),
        Shape::compound(
            [-0.5, 0.5].map(|x| (Shape::rectangle(1.0, 1.0).unwrap(), Pose::from_translation([x, 0.0]).unwrap())),
        )
        .unwrap(),
    ]
}

/// The example of the defect: 55 points, and a ball that touches the first links exactly.
#[test]
fn a_ball_moves_along_a_straight_chain() {
    let points: Vec<_> = (0..55).map(|i| [f64::from(i) * 2.0, 0.0]).collect();
    for (step, turning) in [(100.0, 0.0), (10.0, 0.0), (0.7, 0.0), (100.0, -200.0), (0.7, -1.4)] {
        let mut world = World::new();
        world.insert(Collider::new(Shape::chain(&points).unwrap()).fixed(true));
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([1.0, 0.5]).unwrap());
        let mut x = 1.0;
        while x + step < 107.0 {
            x += step;
            let pose = moved(&mut world, ball, [step, 0.0], turning);
            assert_eq!((pose.translation(), world.motion_hits().len()), (DVec2::new(x, 0.5), 0), "step {step}");
        }
    }
}

/// Also at 90°, where every number is exact, for all floors, shapes and directions.
#[test]
fn every_shape_moves_along_every_floor() {
    for floor in Floor::PIECES {
        for (kind, shape) in shapes().iter().enumerate() {
            for (start, by) in [(0.5, 10.0), (10.5, -10.0), (3.0, 4.0), (0.9, 0.1), (5.5, 0.0)] {
                for sink in [0.0, 1e-16, 1e-9, 1e-5, -1e-9] {
                    let mut world = World::new();
                    floor.insert(&mut world, Pose::IDENTITY);
                    let from = DVec2::new(start, 0.5 - sink);
                    let body = world.insert(Collider::new(shape.clone()).at(from).unwrap());
                    let end = moved(&mut world, body, [by, 0.0], 0.0).translation();
                    assert_eq!(end, from + DVec2::new(by, 0.0), "{floor:?}, shape {kind}, sink {sink:e}, from {start}");
                    assert_eq!(world.motion_hits().len(), 0);
                }
            }
        }
    }
}

/// The oracle is the same scene with one block in place of the pieces: the end of a motion along the floor, upward or
/// into a wall, at any angle. Some shapes turn.
#[test]
fn pieces_stop_as_one_block_does() {
    let (mut stops, mut free) = (0, 0);
    for seed in 0..pairs(1_500) {
        let mut dice = Dice::new(seed, 55);
        let dice = &mut dice;
        let whole_pose = Pose::new(dice.in_disk(100.0), if dice.chance(0.3) { 0.0 } else { dice.angle() }).unwrap();
        let wall = (dice.between(6.0, 11.0), dice.between(0.1, 3.0));
        let kind = dice.index(5);
        let shape = shapes()[kind].clone();
        let gap = dice.one_of(&[0.0, 0.0, 1e-9, -1e-15, -1e-6, 1e-3, 0.1]);
        let from = whole_pose.transform_point([dice.between(0.5, 4.0), 0.5 + gap]);
        let up = dice.one_of(&[0.0, 0.0, 1.0, 0.1, -0.1]) * f64::from(u8::from(gap >= 0.0 || dice.chance(0.5)));
        let by = whole_pose.rotate_vector([dice.between(1.0, 9.0), up]);
        let turning = if dice.chance(0.6) { 0.0 } else { dice.between(-0.5, 0.5) };
        let run = |floor: Floor| {
            let mut world = World::new();
            floor.insert(&mut world, whole_pose);
            let at = Pose::new(whole_pose.transform_point([wall.0, 0.0]), whole_pose.angle()).unwrap();
            world.insert(Collider::new(Shape::rectangle(1.0, wall.1).unwrap()).pose(at).fixed(true));
            let body = Collider::new(shape.clone()).pose(Pose::new(from, whole_pose.angle()).unwrap());
            let body = world.insert(body);
            let end = moved(&mut world, body, by, turning);
            let normals: Vec<_> = world.motion_hits().map(|hit| hit.hit.normal).collect();
            ((end.translation() - from).length(), normals)
        };
        let (wanted, normals) = run(Floor::Block);
        for floor in Floor::PIECES {
            let (seen, found) = run(floor);
            let at = format!(
                "seed {seed}, {floor:?}, shape {kind}, gap {gap:e}, turning {turning}, up {up}: {seen} {found:?}, but {wanted} {normals:?} for one block"
            );
            assert!((seen - wanted).abs() < 2e-5 * (1.0 + by.length()), "{at}");
            if let (Some(wanted), Some(found)) = (normals.first(), found.first()) {
                assert!(wanted.dot(*found) > 0.99, "{at}");
            }
        }
        *(if normals.is_empty() { &mut free } else { &mut stops }) += 1;
    }
    assert!(stops > 200 && free > 200, "{stops} stops, {free} free");
}

/// Real corners stop: a slope that begins, a step, a peak, and the end of a row of boxes.
#[test]
fn real_corners_stop() {
    let level = |points: &[[f64; 2]]| Collider::new(Shape::chain(points).unwrap()).fixed(true);
    let ball = || Collider::new(Shape::circle(0.5).unwrap());
    // A slope of 3-4-5 from x = 10: the ball touches it where its centre is 0.5 tan(α / 2) = 1/6 before.
    let mut world = World::new();
    world.insert(level(&[[0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [14.0, 3.0], [18.0, 3.0]]));
    let body = world.insert(ball().at([1.0, 0.5]).unwrap());
    let end = moved(&mut world, body, [20.0, 0.0], 0.0).translation();
    let hit = world.motion_hits().next().unwrap();
    assert!((end - DVec2::new(10.0 - 1.0 / 6.0, 0.5)).length() < 1e-6, "{end}");
    assert!((hit.hit.normal - DVec2::new(-0.6, 0.8)).length() < 1e-6, "{hit:?}");
    // A bend of 0.001: the same rule, tan(α / 2) = (sqrt(1 + s²) − 1) / s. The gap at an impact is below 1e-7 of the
    // size 1, so the ball is at most 1e-7 / 0.001 early. The vertex itself is 2.5e-4 later.
    let mut world = World::new();
    world.insert(level(&[[0.0, 0.0], [5.0, 0.0], [10.0, 0.005]]));
    let body = world.insert(ball().at([1.0, 0.5]).unwrap());
    let end = moved(&mut world, body, [8.0, 0.0], 0.0).translation();
    let early = 5.0 - 0.5 * (libm::sqrt(1.0 + 1e-6) - 1.0) / 1e-3 - end.x;
    assert!((-1e-12..1e-4).contains(&early), "{end}");
    let normal = world.motion_hits().next().unwrap().hit.normal;
    assert!((normal - DVec2::new(-1e-3, 1.0).normalize()).length() < 1e-6, "{normal}");
    // A step of 0.2 in a row of boxes: 0.5² = 0.4² + 0.3².
    let mut world = World::new();
    for (x, y) in [(0.0, -0.5), (1.0, -0.5), (2.0, -0.5), (3.0, -0.3), (4.0, -0.3)] {
        world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([x, y]).unwrap().fixed(true));
    }
    let body = world.insert(ball().at([0.0, 0.5]).unwrap());
    let end = moved(&mut world, body, [9.0, 0.0], 0.0).translation();
    let hit = world.motion_hits().next().unwrap();
    assert!((end - DVec2::new(2.5 - 0.4, 0.5)).length() < 1e-6, "{end}");
    assert!((hit.hit.normal - DVec2::new(-0.8, 0.6)).length() < 1e-5, "{hit:?}");
    // A peak of a chain, from the side and from above.
    let mut world = World::new();
    world.insert(level(&[[-3.0, -3.0], [0.0, 0.0], [3.0, -3.0]]));
    let body = world.insert(ball().at([-5.0, 0.4]).unwrap());
    let end = moved(&mut world, body, [9.0, 0.0], 0.0).translation();
    assert!((end - DVec2::new(-0.3, 0.4)).length() < 1e-6, "{end}");
    world.remove(body);
    let body = world.insert(ball().at([0.0, 4.0]).unwrap());
    let end = moved(&mut world, body, [0.0, -9.0], 0.0).translation();
    assert!((end.y - 0.5).abs() < 1e-6, "{end}");
}

/// A box lands on the seam of two tiles in a diagonal: the normal is that of the floor.
#[test]
fn the_normal_at_a_seam_is_that_of_the_surface() {
    for floor in Floor::PIECES {
        for x in [3.5, 3.5 - 1e-9, 3.5 + 1e-9, 3.2] {
            let mut world = World::new();
            floor.insert(&mut world, Pose::IDENTITY);
            let body = world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([x - 2.5, 2.5]).unwrap());
            let end = moved(&mut world, body, [4.0, -4.0], 0.0).translation();
            let hit = world.motion_hits().next().unwrap();
            assert!((end - DVec2::new(x - 0.5, 0.5)).length() < 1e-5, "{floor:?}: {end}");
            assert_eq!(hit.hit.normal, DVec2::Y, "{floor:?} {x}");
        }
    }
}

/// A collider that a box leaves hides no edges: the box hits a third collider.
#[test]
fn a_collider_that_is_passed_hides_nothing() {
    let mut world = World::new();
    world.insert(Collider::new(Shape::rectangle(20.0, 20.0).unwrap()));
    let wall = world.insert(Collider::new(Shape::rectangle(1.0, 4.0).unwrap()).at([5.0, 0.0]).unwrap());
    let bullet = world.insert(Collider::new(Shape::circle(0.5).unwrap()));
    let end = moved(&mut world, bullet, [50.0, 0.0], 0.0).translation();
    assert!((end.x - 4.0).abs() < 1e-6 && world.motion_hits().next().unwrap().other == wall, "{end}");
}

/// No motion over a random terrain leads into it: the depth is at most 1e-6 of the larger size.
#[test]
fn motions_over_a_terrain_never_lead_into_it() {
    let (mut stops, mut free) = (0, 0);
    for seed in 0..pairs(1_500) {
        let mut dice = Dice::new(seed, 56);
        let dice = &mut dice;
        let heights: Vec<_> =
            (0..14).map(|_| if dice.chance(0.6) { 0.0 } else { dice.one_of(&[1e-3, 0.05, 0.3, -0.2]) }).collect();
        let points: Vec<_> = heights.iter().enumerate().map(|(i, &y)| [i as f64, y]).collect();
        let mut world = World::new();
        let is_chain = dice.chance(0.5);
        let ground = if is_chain {
            Shape::chain(&points).unwrap()
        } else {
            let ring = [&points[..], &[[13.0, -5.0], [0.0, -5.0]]].concat();
            Shape::polygon(&ring).unwrap()
        };
        let ground = world.insert(Collider::new(ground).fixed(true));
        let shape = shapes()[dice.index(5)].clone();
        let size = shape.placed(Pose::IDENTITY).aabb().size().max_element();
        // The parts of the polygon are up to 13 long, the links of the chain 1.
        let bound = if is_chain { 1e-6 * size.max(1.0) } else { 5e-6 };
        let body = world.insert(Collider::new(shape).at([dice.between(2.0, 10.0), 2.0]).unwrap());
        moved(&mut world, body, [0.0, -4.0], 0.0);
        for _ in 0..5 {
            let by = DVec2::new(dice.between(-3.0, 3.0), dice.one_of(&[0.0, 0.0, 0.01, -0.01]));
            let turning = if dice.chance(0.5) { 0.0 } else { dice.between(-2.0, 2.0) };
            moved(&mut world, body, by, turning);
            let hits = world.motion_hits().len();
            *(if hits == 0 { &mut free } else { &mut stops }) += 1;
            let (a, b) = (world.placed(ground).unwrap(), world.placed(body).unwrap());
            let depth = collide(a, b).map_or(0.0, |contact| contact.depth);
            assert!(depth <= bound, "seed {seed}: {depth:e}");
            if depth > 0.0 {
                let mtv = collide(a, b).unwrap();
                world.translate(body, mtv.normal * mtv.depth).unwrap();
            }
        }
    }
    assert!(stops > 500 && free > 500, "{stops} stops, {free} free");
}
