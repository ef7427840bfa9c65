//! Motions of colliders that overlap at the start: a shallow overlap stops what leads deeper. A collider that had just
//! been pushed out of a wall overlapped it by one bit, and passed through the whole wall.

use carom::{Collider, DVec2, Handle, Pose, Shape, World, collide};

/// Returns the position of a collider after a motion.
fn moved(world: &mut World, handle: Handle, translation: [f64; 2], turning: f64) -> DVec2 {
    world.set_motion(handle, translation, turning).unwrap();
    world.update();
    world.pose(handle).unwrap().translation()
}

fn wall() -> Collider {
    Collider::new(Shape::rectangle(1.0, 10.0).unwrap()).at([5.0, 0.0]).unwrap().fixed(true)
}

/// The wall begins at x = 4.5, the radius is 0.5. One bit of overlap stops as touching does.
#[test]
fn an_overlap_of_one_bit_stops_as_touching_does() {
    for x in [4.0_f64, 4.0_f64.next_up(), 4.000_001, 4.2, 4.49] {
        let mut world = World::new();
        let wall = world.insert(wall());
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([x, 0.0]).unwrap());
        assert_eq!(moved(&mut world, ball, [100.0, 0.0], 0.0), DVec2::new(x, 0.0));
        let hit = world.motion_hits().next().expect("the wall stops it");
        assert_eq!((hit.mover, hit.other, hit.hit.time, hit.hit.normal), (ball, wall, 0.0, DVec2::NEG_X));
        // Away from the wall and along it, it is free.
        assert_eq!(moved(&mut world, ball, [0.0, 2.0], 0.0), DVec2::new(x, 2.0));
        assert_eq!(moved(&mut world, ball, [-3.0, 1.0], 0.0), DVec2::new(x - 3.0, 3.0));
        assert_eq!(world.motion_hits().len(), 0);
    }
}

/// A move by the MTV, or `separate`, leaves rounding errors of either sign. The next motion into the wall still stops.
#[test]
fn after_a_push_out_of_a_wall_at_any_angle_the_wall_stops() {
    let mut rng = fastrand::Rng::with_seed(0x0517);
    let mut overlapping = 0;
    for round in 0..2_000 {
        let mut world = World::new();
        let wall =
            Collider::new(Shape::rectangle(20.0, 2.0).unwrap()).pose(Pose::new([0.3, 0.7], rng.f64() * 6.0).unwrap());
        let up = wall.pose.rotate_vector(DVec2::Y);
        let wall = world.insert(wall.fixed(true));
        let shape = [Shape::circle(0.5).unwrap(), Shape::rectangle(1.0, 0.7).unwrap()][round % 2].clone();
        let start = DVec2::new(0.3, 0.7) + up * (1.0 + rng.f64() * 0.5);
        let body = world.insert(Collider::new(shape).pose(Pose::new(start, rng.f64() * 6.0).unwrap()));
        if let Some(contact) = collide(world.placed(wall).unwrap(), world.placed(body).unwrap()) {
            world.translate(body, contact.normal * contact.depth).unwrap();
        }
        let (a, b) = (world.placed(wall).unwrap(), world.placed(body).unwrap());
        overlapping += usize::from(collide(a, b).is_some_and(|contact| contact.depth > 0.0));
        let end = moved(&mut world, body, (-up * 50.0).to_array(), 0.0);
        let depth =
            collide(world.placed(wall).unwrap(), world.placed(body).unwrap()).map_or(0.0, |contact| contact.depth);
        assert!(depth < 1e-12 && (end - DVec2::new(0.3, 0.7)).dot(up) > 1.0, "round {round}: depth {depth} at {end}");
    }
    assert!(overlapping > 100, "{overlapping}");
}

/// A bullet that starts inside another collider leaves it in every direction.
#[test]
fn a_collider_inside_another_one_is_free() {
    for turn in 0..16 {
        let mut world = World::new();
        world.insert(Collider::new(Shape::circle(1.0).unwrap()));
        let bullet = world.insert(Collider::new(Shape::circle(0.1).unwrap()).at([0.4, 0.3]).unwrap());
        let angle = f64::from(turn) * 0.4;
        let by = DVec2::new(libm::cos(angle), libm::sin(angle)) * 20.0;
        assert_eq!(moved(&mut world, bullet, by.to_array(), 0.0), DVec2::new(0.4, 0.3) + by);
    }
}

/// The floor and the wall are one chain. An overlap with the floor does not hide the wall.
#[test]
fn other_parts_of_the_same_collider_still_stop() {
    for sink in [0.0, 1e-9, 0.01] {
        let mut world = World::new();
        let level = Shape::chain(&[[-50.0, 0.0], [5.0, 0.0], [5.0, 9.0]]).unwrap();
        world.insert(Collider::new(level).fixed(true));
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, 0.5 - sink]).unwrap());
        let end = moved(&mut world, ball, [60.0, 0.0], 0.0);
        assert!((end.x - 4.5).abs() < 1e-5 && end.y == 0.5 - sink, "{sink}: {end}");
    }
}

/// A box stands in the floor by a little. A turn that presses a corner into the floor stops; a turn of a ball does not.
#[test]
fn a_turn_that_leads_deeper_stops() {
    for (shape, arm, stops) in [
        (Shape::rectangle(4.0, 1.0).unwrap(), [1.5, 0.499_999], true),
        (Shape::circle(0.5).unwrap(), [0.0, 0.499_999], false),
    ] {
        let mut world = World::new();
        let floor = Collider::new(Shape::rectangle(2.0, 1.0).unwrap()).at([3.0, -0.5]).unwrap().fixed(true);
        world.insert(floor);
        let body = world.insert(Collider::new(shape).at([arm[0] + if stops { 0.0 } else { 3.0 }, arm[1]]).unwrap());
        let before = world.pose(body).unwrap();
        moved(&mut world, body, [0.0, 0.0], -0.5);
        assert_eq!(world.motion_hits().len(), usize::from(stops));
        assert_eq!(world.pose(body) == Some(before), stops);
    }
}

/// Sensors that overlap at the start are ordinary contacts: they stop nothing and report nothing.
#[test]
fn an_overlapping_sensor_is_no_impact() {
    let mut world = World::new();
    world.insert(wall().sensor(true));
    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([4.1, 0.0]).unwrap());
    assert_eq!(moved(&mut world, ball, [100.0, 0.0], 0.0).x, 104.1);
    assert_eq!(world.motion_hits().len(), 0);
}
