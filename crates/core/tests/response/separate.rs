//! Overlaps are separated, in any order.

use carom::response::{Masses, PENETRATION_SLOP, bounce, resolve_penetration};
use carom::{Collider, DVec2, ErrorKind, Handle, Pose, Shape, World, collide};

/// A crowd: circles and boxes, some heavy, some immovable; put in by an order.
fn crowd(order: &[usize], spread: f64) -> (World, Masses, Vec<Handle>) {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut colliders = Vec::new();
    for i in 0..order.len() {
        let at = [(rng.f64() - 0.5) * spread, (rng.f64() - 0.5) * spread];
        let shape = if i % 3 == 0 {
            Shape::rectangle(1.0, 0.7).unwrap()
        } else {
            Shape::circle(0.3 + 0.3 * rng.f64()).unwrap()
        };
        let mass = if i % 10 == 9 { f64::INFINITY } else { 0.5 + 4.0 * rng.f64() };
        colliders.push((Collider::new(shape).at(at).unwrap(), mass));
    }
    let (mut world, mut bodies, mut handles) = (World::new(), Masses::new(), vec![Handle::NONE; order.len()]);
    for &i in order {
        handles[i] = world.insert(colliders[i].0.clone());
        bodies.set_mass(handles[i], colliders[i].1).unwrap();
    }
    world.update();
    (world, bodies, handles)
}

fn positions(world: &World, handles: &[Handle]) -> Vec<DVec2> {
    handles.iter().map(|&handle| world.pose(handle).unwrap().translation()).collect()
}

#[test]
fn a_crowd_parts_and_the_order_of_insertion_makes_no_difference() {
    let order: Vec<usize> = (0..120).collect();
    let (mut world, bodies, handles) = crowd(&order, 14.0);
    let before = positions(&world, &handles);
    assert!(world.contacts().len() > 60);
    let mut calls = 0;
    while !resolve_penetration(&mut world, &bodies).converged {
        world.update();
        calls += 1;
        assert!(calls < 20, "the crowd has room");
    }
    world.update();
    for contact in world.contacts() {
        let immovable = bodies.inverse_mass(contact.a) + bodies.inverse_mass(contact.b) == 0.0;
        assert!(immovable || contact.depth <= PENETRATION_SLOP * 1.2 * 1.01, "{contact:?}");
    }
    for i in (9..120).step_by(10) {
        assert_eq!(positions(&world, &handles)[i], before[i], "nothing moves it");
    }
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..5 {
        let mut shuffled = order.clone();
        rng.shuffle(&mut shuffled);
        let (mut one, one_bodies, one_handles) = crowd(&order, 14.0);
        let (mut other, other_bodies, other_handles) = crowd(&shuffled, 14.0);
        assert_eq!(resolve_penetration(&mut one, &one_bodies), resolve_penetration(&mut other, &other_bodies));
        for (p, q) in positions(&one, &one_handles).iter().zip(positions(&other, &other_handles)) {
            assert!(p.distance(q) < 1e-12, "{p} {q}");
        }
    }
}

#[test]
fn a_ball_leaves_a_concave_corner() {
    let corner = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]]).unwrap();
    let (mut world, mut bodies) = (World::new(), Masses::new());
    let wall = world.insert(Collider::new(corner));
    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([1.2, 1.3]).unwrap());
    bodies.set_mass(ball, 1.0).unwrap();
    world.update();
    assert!(resolve_penetration(&mut world, &bodies).converged);
    let depth = collide(world.placed(wall).unwrap(), world.placed(ball).unwrap()).map_or(0.0, |m| m.depth);
    assert!(depth <= PENETRATION_SLOP && world.pose(ball).unwrap().translation().distance([1.5, 1.5].into()) < 0.01);
}

#[test]
fn sensors_and_filters_are_left_alone() {
    let (mut world, mut bodies) = (World::new(), Masses::new());
    let ball = Collider::new(Shape::circle(1.0).unwrap());
    let handles =
        [ball.clone().sensor(true), ball.clone(), ball.clone().layers(2, 2)].map(|collider| world.insert(collider));
    for handle in handles {
        bodies.set_mass(handle, 1.0).unwrap();
    }
    world.update();
    resolve_penetration(&mut world, &bodies);
    assert_eq!(positions(&world, &handles), [DVec2::ZERO; 3]);
}

/// Regression: a handle without a collider may have any slot. As a body it took the memory of a
/// world with that many colliders: 16 GB for `Handle::NONE`.
#[test]
fn a_body_without_a_collider_takes_no_memory() {
    let (mut world, mut bodies) = (World::new(), Masses::new());
    let real = world.insert(Collider::new(Shape::circle(1.0).unwrap()));
    let names = [
        Handle::from_bits(u64::from(u32::MAX)),
        Handle::from_bits((1 << 32) + u64::from(u32::MAX)),
        Handle::from_bits((1 << 40) + 40_000_000),
        real,
        Handle::from_bits(30_000_000),
    ];
    for (i, name) in (1..).zip(names) {
        bodies.set_mass(name, f64::from(i)).unwrap();
    }
    assert_eq!(bodies.set_mass(Handle::NONE, 1.0).unwrap_err().kind(), ErrorKind::StaleHandle);
    // The second has the slot of the first.
    let masses: Vec<f64> = names.iter().map(|&name| bodies.inverse_mass(name)).collect();
    assert_eq!((bodies.len(), masses), (4, vec![0.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0]));
    world.update();
    assert!(resolve_penetration(&mut world, &bodies).converged);
    assert_eq!([names[0], names[1], names[2]].map(|name| bodies.remove(name)), [false, true, true]);
    let masses: Vec<f64> = names.iter().map(|&name| bodies.inverse_mass(name)).collect();
    assert_eq!((bodies.len(), masses), (2, vec![0.0, 0.0, 0.0, 1.0 / 4.0, 1.0 / 5.0]));
}

/// Masses up to 1e30 are allowed; one divided by that rounds below 1e-30, the least inverse mass, and was refused.
#[test]
fn the_inverse_of_any_mass_is_an_inverse_mass() {
    let mut bodies = Masses::new();
    for mass in [1e30, 1e-30, 3.0, f64::INFINITY] {
        bodies.set_mass(Handle::from_bits(3), mass).unwrap();
        let inverse_mass = bodies.inverse_mass(Handle::from_bits(3));
        bodies.set_inverse_mass(Handle::from_bits(4), inverse_mass).unwrap();
        assert!(bounce([[1.0, 0.0], [0.0, 0.0]], [inverse_mass, 1.0], [1.0, 0.0], 1.0).is_ok());
    }
    assert_eq!(bodies.set_inverse_mass(Handle::from_bits(4), 0.99e-30).unwrap_err().kind(), ErrorKind::OutOfRange);
}

/// Bodies at one position had all the same normal: they parted along one line, slowly, and were not
/// settled after six calls.
#[test]
fn bodies_at_one_position_spread() {
    for (count, mixed) in [(500, false), (200, true), (3, false)] {
        let (mut world, mut bodies) = (World::new(), Masses::new());
        let handles: Vec<Handle> = (0..count)
            .map(|i| {
                let shape = if mixed && i % 3 == 0 {
                    Shape::rectangle(1.0, 0.6)
                } else {
                    Shape::circle(if mixed && i % 2 == 0 { 0.2 } else { 0.5 })
                };
                let handle = world.insert(Collider::new(shape.unwrap()).at([3.0, -7.0]).unwrap());
                bodies.set_mass(handle, if mixed { 1.0 + f64::from(i % 5) } else { 1.0 }).unwrap();
                handle
            })
            .collect();
        let mut settled = false;
        for _ in 0..2 {
            world.update();
            settled = resolve_penetration(&mut world, &bodies).converged;
        }
        assert!(settled, "{count} bodies");
        world.update();
        assert!(world.contacts().all(|contact| contact.depth <= PENETRATION_SLOP * 1.2), "{count} bodies");
        // As dense as a disc of them, not a line.
        let farthest = positions(&world, &handles).iter().map(|at| at.distance([3.0, -7.0].into())).fold(0.0, f64::max);
        assert!(farthest < 1.5 * f64::from(count).sqrt(), "{count} bodies reach {farthest}");
    }
}

/// A push moved a light body by as much as a heavy one was deep in it: through a thin wall.
#[test]
fn no_correction_moves_a_body_through_an_immovable_one() {
    let mut rng = fastrand::Rng::with_seed(3);
    for round in 0..2_000 {
        let (mut world, mut bodies) = (World::new(), Masses::new());
        let wall = world
            .insert(Collider::new(Shape::rectangle(0.01, 20.0).unwrap()).at([0.0, 0.0]).unwrap().fixed(round % 2 == 0));
        let mut left = Vec::new();
        for _ in 0..rng.usize(2..6) {
            let radius = 0.05 + rng.f64();
            // All of it to the left of the wall, each as deep in the others as it happens.
            let at = [-0.005 - radius - rng.f64() * 0.3, (rng.f64() - 0.5) * 2.0];
            let shape =
                if rng.bool() { Shape::circle(radius) } else { Shape::rectangle(2.0 * radius, 0.1 + rng.f64()) };
            let handle = world.insert(Collider::new(shape.unwrap()).at(at).unwrap());
            bodies.set_mass(handle, 10_f64.powf(rng.f64() * 6.0 - 3.0)).unwrap();
            left.push((handle, radius));
        }
        for _ in 0..4 {
            world.update();
            resolve_penetration(&mut world, &bodies);
            for &(handle, radius) in &left {
                let x = world.pose(handle).unwrap().translation().x;
                assert!(x + radius <= -0.005 + radius.min(0.3), "round {round}: {x}, radius {radius}");
            }
        }
        assert_eq!(world.pose(wall).unwrap().translation(), DVec2::ZERO);
    }
}

/// The report of `separate` agrees with the next update, one-way platforms included. Bodies pushed
/// into the front of another platform, or left touching a side, had deep contacts there.
#[test]
fn the_report_and_the_next_update_agree_on_one_way_platforms() {
    let mut rng = fastrand::Rng::with_seed(12);
    let (mut contacts, mut settled) = (0, 0);
    for round in 0..3_000 {
        let (mut world, mut bodies) = (World::new(), Masses::new());
        for _ in 0..rng.usize(1..5) {
            let plank = Collider::new(Shape::rectangle(0.5 + 2.0 * rng.f64(), 0.05 + rng.f64()).unwrap()).fixed(true);
            let at = [(rng.f64() - 0.5) * 3.0, (rng.f64() - 0.5) * 3.0];
            let pose = Pose::new(at, [0.0, (rng.f64() - 0.5) * 6.0][rng.usize(0..2)]).unwrap();
            world.insert(plank.one_way([0.0, 1.0]).unwrap().pose(pose));
        }
        let handles: Vec<Handle> = (0..rng.usize(1..6))
            .map(|_| {
                let shape = if rng.bool() {
                    Shape::circle(0.1 + 0.4 * rng.f64())
                } else {
                    Shape::rectangle(0.2 + rng.f64(), 0.2 + rng.f64())
                };
                let handle = world.insert(
                    Collider::new(shape.unwrap()).at([(rng.f64() - 0.5) * 4.0, (rng.f64() - 0.5) * 4.0]).unwrap(),
                );
                bodies.set_mass(handle, 0.1 + rng.f64()).unwrap();
                handle
            })
            .collect();
        for _ in 0..6 {
            for &handle in &handles {
                let at = world.pose(handle).unwrap().translation() + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.7) * 0.5;
                world.set_pose(handle, Pose::from_translation(at).unwrap()).unwrap();
            }
            world.update();
            let report = resolve_penetration(&mut world, &bodies);
            world.update();
            let movable = |handle: Handle| bodies.inverse_mass(handle) > 0.0;
            let deepest =
                world.contacts().filter(|c| movable(c.a) || movable(c.b)).map(|c| c.depth).fold(0.0, f64::max);
            contacts += world.contacts().len();
            settled += usize::from(report.converged && report.iterations > 0);
            assert!(deepest <= report.max_penetration + 1e-12, "round {round}: {deepest}, but {report:?}");
        }
    }
    assert!(contacts > 3_000 && settled > 3_000, "{contacts} contacts, {settled} settled");
}
