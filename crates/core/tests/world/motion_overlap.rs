//! Motions of colliders that overlap at the start: a shallow overlap stops a motion that increases its depth. A
//! collider that had just been pushed out of a wall overlapped it by one bit, and passed through the whole wall.

use carom::{Collider, DVec2, Handle, Pose, Shape, World, collide};

/// Returns the position of a collider after a motion.
pub(super) fn moved(world: &mut World, handle: Handle, translation: [f64; 2], turning: f64) -> DVec2 {
    world.set_motion(handle, translation, turning).unwrap();
    world.update();
    world.pose(handle).unwrap().translation()
}

fn dice(rng: &mut fastrand::Rng, range: f64) -> DVec2 {
    (DVec2::new(rng.f64(), rng.f64()) * 2.0 - 1.0) * range
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

/// The floor and the wall are one chain. A rounding error of depth does not hide the wall.
#[test]
fn other_parts_of_the_same_collider_still_stop() {
    for sink in [0.0, 1e-15, 1e-13] {
        let mut world = World::new();
        let level = Shape::chain(&[[-50.0, 0.0], [5.0, 0.0], [5.0, 9.0]]).unwrap();
        world.insert(Collider::new(level).fixed(true));
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, 0.5 - sink]).unwrap());
        let end = moved(&mut world, ball, [60.0, 0.0], 0.0);
        assert!((end.x - 4.5).abs() < 1e-5 && end.y == 0.5 - sink, "{sink}: {end}");
    }
}

/// A ball that has sunk into a floor of links and tiles does not stop at the next link or tile.
#[test]
fn flush_neighbours_of_a_deeper_part_do_not_stop() {
    let tiles = [-4.0, -2.0, 0.0, 2.0, 4.0].map(|x| (Shape::rectangle(2.0, 1.0).unwrap(), [x, -0.5]));
    let tiles = Shape::compound(tiles.map(|(tile, at)| (tile, Pose::from_translation(at).unwrap()))).unwrap();
    let chain = Shape::chain(&[[-50.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [50.0, 0.0]]).unwrap();
    for (level, sink) in [tiles, chain].iter().flat_map(|level| [(level, 1e-5), (level, 0.01)]) {
        let mut world = World::new();
        world.insert(Collider::new(level.clone()).fixed(true));
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([-4.0, 0.5 - sink]).unwrap());
        assert_eq!(moved(&mut world, ball, [8.0, 0.0], 0.0), DVec2::new(4.0, 0.5 - sink));
    }
}

/// A box that lies in the floor by a little: a turn presses one of its lower corners down, whatever its sign.
#[test]
fn a_turn_that_presses_a_corner_down_stops() {
    for (turning, sink) in [(0.5, 1e-6), (-0.5, 1e-6), (0.5, 1e-15), (-0.5, 1e-15)] {
        let mut world = World::new();
        world.insert(Collider::new(Shape::rectangle(20.0, 1.0).unwrap()).at([0.0, -0.5]).unwrap().fixed(true));
        let body = world.insert(Collider::new(Shape::rectangle(4.0, 1.0).unwrap()).at([0.0, 0.5 - sink]).unwrap());
        let before = world.pose(body);
        moved(&mut world, body, [0.0, 0.0], turning);
        assert_eq!((world.pose(body), world.motion_hits().len()), (before, 1), "{turning} {sink}");
    }
}

/// A ball rolls without slip on a slope, near the origin and far away: the point of contact rests.
#[test]
fn a_rolling_ball_is_free() {
    let mut rng = fastrand::Rng::with_seed(0x0b_a11);
    for round in 0..500 {
        let mut world = World::new();
        let origin = dice(&mut rng, [1.0, 1e4][round % 2]);
        let floor =
            Collider::new(Shape::rectangle(50.0, 2.0).unwrap()).pose(Pose::new(origin, rng.f64() * 6.0).unwrap());
        let [along, up] = [DVec2::X, DVec2::Y].map(|axis| floor.pose.rotate_vector(axis));
        world.insert(floor.fixed(true));
        let sink = [0.0, 1e-9, 0.001][round % 3];
        let start = origin + up * (1.5 - sink);
        let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(start).unwrap());
        let by = along * (rng.f64() - 0.5) * 6.0;
        // Exactly along the floor would be along up to rounding: a little upward, as any solver leaves it.
        let by = by + up * 1e-9;
        moved(&mut world, ball, by.to_array(), -by.dot(along) / 0.5);
        assert_eq!(world.motion_hits().len(), 0, "round {round}");
    }
}

/// Law for convex shapes: from a shallow overlap, a translation into the other shape stops, one out of it is free.
#[test]
fn into_the_other_shape_stops_and_out_of_it_is_free() {
    let mut rng = fastrand::Rng::with_seed(0x1a_0e);
    let (mut stopped, mut free) = (0, 0);
    for round in 0..4_000 {
        let shapes = [
            Shape::circle(0.3 + rng.f64()).unwrap(),
            Shape::rectangle(0.5 + rng.f64(), 0.5 + rng.f64()).unwrap(),
            Shape::polygon(&[[-0.5, -0.5], [1.0, -0.5], [0.2, 1.0]]).unwrap(),
        ];
        let pose = |rng: &mut fastrand::Rng, at: DVec2| Pose::new(at, rng.f64() * 6.0).unwrap();
        let mut world = World::new();
        let (at, apart) = (dice(&mut rng, 5.0), dice(&mut rng, 1.0));
        let (p, q) = (pose(&mut rng, at), pose(&mut rng, at + apart));
        let other = world.insert(Collider::new(shapes[rng.usize(..3)].clone()).pose(p));
        let body = world.insert(Collider::new(shapes[rng.usize(..3)].clone()).pose(q));
        let Some(contact) = collide(world.placed(other).unwrap(), world.placed(body).unwrap()) else { continue };
        // Down to a depth of 1 % of the smallest size, by moving out along the normal.
        if contact.depth > 0.003 {
            world.translate(body, contact.normal * (contact.depth - 0.003)).unwrap();
        }
        let Some(contact) = collide(world.placed(other).unwrap(), world.placed(body).unwrap()) else { continue };
        let start = world.pose(body).unwrap().translation();
        let by = dice(&mut rng, 30.0);
        let outward = by.dot(contact.normal);
        if contact.depth == 0.0 || outward.abs() < 1e-6 {
            continue;
        }
        let end = moved(&mut world, body, by.to_array(), 0.0);
        if outward < 0.0 {
            assert!(end == start && world.motion_hits().len() == 1, "round {round}: {end} from {start} by {by}");
            stopped += 1;
        } else {
            assert!(end == start + by && world.motion_hits().len() == 0, "round {round}: {end} from {start} by {by}");
            free += 1;
        }
    }
    assert!(stopped > 500 && free > 500, "{stopped} {free}");
}

/// A box that holds a small collider moves on, also while that one rests.
#[test]
fn a_collider_that_holds_another_one_is_free() {
    let mut world = World::new();
    let shell = world.insert(Collider::new(Shape::rectangle(2.0, 2.0).unwrap()));
    world.insert(Collider::new(Shape::circle(0.1).unwrap()).at([0.8, 0.0]).unwrap());
    assert_eq!(moved(&mut world, shell, [7.0, 0.0], 0.0), DVec2::new(7.0, 0.0));
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

/// A one-way platform stops a body that stands on it, whatever rounding error the push out has left.
#[test]
fn a_one_way_platform_stops_a_body_that_was_pushed_out_of_it() {
    let mut rng = fastrand::Rng::with_seed(0x0517);
    let mut overlapping = 0;
    for round in 0..2_000 {
        let mut world = World::new();
        let pose = Pose::new([0.3, 0.7], rng.f64() * 6.0).unwrap();
        let plank = Collider::new(Shape::rectangle(20.0, 2.0).unwrap()).pose(pose).fixed(true);
        let [along, up] = [DVec2::X, DVec2::Y].map(|axis| pose.rotate_vector(axis));
        let plank = world.insert(plank.one_way([0.0, 1.0]).unwrap());
        let shape = [Shape::circle(0.5).unwrap(), Shape::rectangle(1.0, 0.7).unwrap()][round % 2].clone();
        let start = DVec2::new(0.3, 0.7) + up * 2.5;
        let body = world.insert(Collider::new(shape).pose(Pose::new(start, rng.f64() * 6.0).unwrap()));
        world.update();
        // It falls into the plank, and is pushed out.
        world.translate(body, up * (-1.0 - rng.f64() * 0.5)).unwrap();
        world.update();
        let pushed = world.contacts().next().map(|contact| contact.manifold());
        if let Some(contact) = pushed {
            world.translate(body, contact.normal * contact.depth).unwrap();
        }
        // An update between them must not matter.
        if round % 3 == 0 {
            world.update();
        }
        let (a, b) = (world.placed(plank).unwrap(), world.placed(body).unwrap());
        overlapping += usize::from(collide(a, b).is_some_and(|contact| contact.depth > 0.0));
        let before = world.pose(body).unwrap().translation();
        let end = moved(&mut world, body, (up * -50.0).to_array(), 0.0);
        assert!(pushed.is_none() || (end - before).length() < 1e-5, "round {round}: {end}");
        assert!((end - DVec2::new(0.3, 0.7)).dot(up) > 1.0, "round {round}: {end}");
        let free = moved(&mut world, body, (along * 3.0).to_array(), 0.0);
        assert_eq!(free, end + along * 3.0, "round {round}");
        assert_eq!(moved(&mut world, body, (up * 9.0).to_array(), 0.0), free + up * 9.0, "round {round}");
    }
    assert!(overlapping > 100, "{overlapping}");
}

/// A body that comes from below passes, also in steps that end inside, or that begin with an overlap of one bit.
#[test]
fn a_body_from_below_passes_a_one_way_platform() {
    for steps in [1, 2, 3, 7, 50] {
        for start in [-5.0, -1.0, -1.0 + 1e-15, -1.0 + 1e-9, 0.0] {
            let mut world = World::new();
            let plank = Collider::new(Shape::rectangle(9.0, 1.0).unwrap()).fixed(true);
            world.insert(plank.one_way([0.0, 1.0]).unwrap());
            let body = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, start]).unwrap());
            for _ in 0..steps {
                moved(&mut world, body, [0.0, 8.0 / f64::from(steps)], 0.0);
                assert_eq!(world.motion_hits().len(), 0);
            }
            let end = world.pose(body).unwrap().translation();
            assert!((end.y - start - 8.0).abs() < 1e-9, "{steps} {start}: {end}");
            // From above it is stopped: the top is y = 0.5.
            let end = moved(&mut world, body, [0.0, -20.0], 0.0);
            assert!((end.y - 1.0).abs() < 1e-6, "{end}");
        }
    }
}

/// A ball in a corner overlaps one wall by as much as an impact leaves there, or as the rounding of its coordinates.
/// The other wall still stops it. Regression: beside an overlap above 1e-12 of the size, no other part counted.
#[test]
fn the_second_wall_of_a_corner_stops() {
    let corner = [[0.0, 10.0], [0.0, 0.0], [10.0, 0.0]];
    let hook = carom::Mask::from_fn(8, 8, |x, y| x == 0 || y == 0).unwrap();
    let shapes = [(Shape::chain(&corner).unwrap(), 0.0), (Shape::mask(hook).unwrap(), 1.0)];
    for (walls, edge) in shapes {
        for origin in [DVec2::ZERO, DVec2::new(1e6, 0.0), DVec2::new(1e6, -1e6)] {
            for depth in [1e-12, 4e-10, 1e-9, 1e-8, 1e-7] {
                for gap in [0.0, 1e-8, 1e-3] {
                    let mut world = World::new();
                    world.insert(Collider::new(walls.clone()).at(origin).unwrap().fixed(true));
                    let start = origin + DVec2::new(edge + 0.5 - depth, edge + 0.5 + gap);
                    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(start).unwrap());
                    let end = moved(&mut world, ball, [0.0, -0.3], 0.0);
                    assert!(end.y - start.y > -gap - 1e-6, "{origin} {depth:e} {gap:e}: {end}");
                }
            }
        }
    }
}

/// A body that turns back inside passes: it came from below.
#[test]
fn a_body_that_turns_back_inside_a_one_way_platform_passes() {
    let mut world = World::new();
    let plank = Collider::new(Shape::rectangle(9.0, 1.0).unwrap()).fixed(true);
    world.insert(plank.one_way([0.0, 1.0]).unwrap());
    let body = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, -3.0]).unwrap());
    for (by, at) in [(2.5, -0.5), (1.2, 0.7), (0.299_999_999, 0.999_999_999), (-4.0, -3.0)] {
        let end = moved(&mut world, body, [0.0, by], 0.0);
        assert!((end.y - at).abs() < 1e-8 && world.motion_hits().len() == 0, "{end}");
    }
}

/// A triangle slides along the links of a round room, and stays in it.
#[test]
fn a_room_of_links_keeps_what_slides_along_them() {
    let mut rng = fastrand::Rng::with_seed(0x700);
    let point = |i: i32| DVec2::from_angle(f64::from(i) / 64.0 * std::f64::consts::TAU) * 10.0;
    let room = Shape::closed_chain(&(0..64).map(point).collect::<Vec<_>>()).unwrap();
    let triangle = Shape::convex_polygon(&[[-0.4, -0.3], [0.4, -0.3], [0.0, 0.4]]).unwrap();
    for round in 0..60 {
        let mut world = World::new();
        world.insert(Collider::new(room.clone()).fixed(true));
        let body = world.insert(Collider::new(triangle.clone()).at(dice(&mut rng, 5.0)).unwrap());
        let mut motion = DVec2::ZERO;
        for step in 0..300 {
            if rng.u8(0..10) == 0 {
                let range = 10_f64.powf(rng.f64() * 5.0 - 3.0);
                motion = dice(&mut rng, range);
            }
            let end = moved(&mut world, body, motion.to_array(), 0.0);
            assert!(end.length() < 10.0, "round {round}, step {step}: {end}");
            for hit in world.motion_hits() {
                motion -= hit.hit.normal * motion.dot(hit.hit.normal).min(0.0);
            }
        }
    }
}

/// A point whose coordinates put it into the wall by a rounding error does not pass through it.
#[test]
fn a_point_in_a_wall_by_rounding_is_stopped() {
    for origin in [0.0_f64, 1e3, 1e6, 1e9] {
        let ulp = origin.next_up() - origin;
        for ulps in [1.0, 2.0] {
            let mut world = World::new();
            world.insert(
                Collider::new(Shape::rectangle(2.0, 20.0).unwrap()).at([origin + 1.0, 0.0]).unwrap().fixed(true),
            );
            let start = origin + ulps * ulp;
            let point = world.insert(Collider::new(Shape::circle(0.0).unwrap()).at([start, 0.0]).unwrap());
            assert_eq!(moved(&mut world, point, [0.5, 0.0], 0.0), DVec2::new(start, 0.0), "{origin} {ulps}");
            assert_eq!(moved(&mut world, point, [-0.5, 0.0], 0.0), DVec2::new(start - 0.5, 0.0), "{origin} {ulps}");
        }
    }
}
