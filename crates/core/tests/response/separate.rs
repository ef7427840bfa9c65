//! Overlaps pushed apart, whatever the order.

use carom::response::{Bodies, SLOP, bounce, separate};
use carom::{Collider, DVec2, ErrorKind, Handle, Shape, World, collide};

/// A crowd: circles and boxes, some heavy, some immovable; put in by an order.
fn crowd(order: &[usize], spread: f64) -> (World, Bodies, Vec<Handle>) {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut colliders = Vec::new();
    for i in 0..order.len() {
        let at = [(rng.f64() - 0.5) * spread, (rng.f64() - 0.5) * spread];
        let shape = if i % 3 == 0 { Shape::rectangle(1.0, 0.7).unwrap() } else { Shape::circle(0.3 + 0.3 * rng.f64()).unwrap() };
        let mass = if i % 10 == 9 { f64::INFINITY } else { 0.5 + 4.0 * rng.f64() };
        colliders.push((Collider::new(shape).at(at).unwrap(), mass));
    }
    let (mut world, mut bodies, mut handles) = (World::new(), Bodies::new(), vec![Handle::NONE; order.len()]);
    for &i in order {
        handles[i] = world.insert(colliders[i].0.clone());
        bodies.set_mass(handles[i], colliders[i].1).unwrap();
    }
    world.update();
    (world, bodies, handles)
}

fn places(world: &World, handles: &[Handle]) -> Vec<DVec2> {
    handles.iter().map(|&handle| world.pose(handle).unwrap().translation()).collect()
}

#[test]
fn a_crowd_parts_and_the_order_of_insertion_makes_no_difference() {
    let order: Vec<usize> = (0..120).collect();
    let (mut world, bodies, handles) = crowd(&order, 14.0);
    let before = places(&world, &handles);
    assert!(world.contacts().len() > 60);
    let mut calls = 0;
    while !separate(&mut world, &bodies).settled {
        world.update();
        calls += 1;
        assert!(calls < 20, "the crowd has room");
    }
    world.update();
    for contact in world.contacts() {
        let immovable = bodies.inverse_mass(contact.a) + bodies.inverse_mass(contact.b) == 0.0;
        assert!(immovable || contact.depth <= SLOP * 1.2 * 1.01, "{contact:?}");
    }
    for i in (9..120).step_by(10) {
        assert_eq!(places(&world, &handles)[i], before[i], "nothing moves it");
    }
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..5 {
        let mut shuffled = order.clone();
        rng.shuffle(&mut shuffled);
        let (mut one, one_bodies, one_handles) = crowd(&order, 14.0);
        let (mut other, other_bodies, other_handles) = crowd(&shuffled, 14.0);
        assert_eq!(separate(&mut one, &one_bodies), separate(&mut other, &other_bodies));
        for (p, q) in places(&one, &one_handles).iter().zip(places(&other, &other_handles)) {
            assert!(p.distance(q) < 1e-12, "{p} {q}");
        }
    }
}

#[test]
fn a_ball_leaves_a_concave_corner() {
    let corner = Shape::concave(&[[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]], &[]).unwrap();
    let (mut world, mut bodies) = (World::new(), Bodies::new());
    let wall = world.insert(Collider::new(corner));
    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([1.2, 1.3]).unwrap());
    bodies.set_mass(ball, 1.0).unwrap();
    world.update();
    assert!(separate(&mut world, &bodies).settled);
    let depth = collide(world.placed(wall).unwrap(), world.placed(ball).unwrap()).map_or(0.0, |m| m.depth);
    assert!(depth <= SLOP && world.pose(ball).unwrap().translation().distance([1.5, 1.5].into()) < 0.01);
}

#[test]
fn sensors_and_filters_are_left_alone() {
    let (mut world, mut bodies) = (World::new(), Bodies::new());
    let ball = Collider::new(Shape::circle(1.0).unwrap());
    let handles = [ball.clone().sensor(true), ball.clone(), ball.clone().layers(2, 2)].map(|collider| world.insert(collider));
    for handle in handles {
        bodies.set_mass(handle, 1.0).unwrap();
    }
    world.update();
    separate(&mut world, &bodies);
    assert_eq!(places(&world, &handles), [DVec2::ZERO; 3]);
}

/// A handle that names nothing may have any slot: making it a body took as much memory as a world of so many colliders, 16 GB for `Handle::NONE`.
#[test]
fn a_body_that_names_nothing_takes_no_room() {
    let (mut world, mut bodies) = (World::new(), Bodies::new());
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
    assert!(separate(&mut world, &bodies).settled);
    assert_eq!([names[0], names[1], names[2]].map(|name| bodies.remove(name)), [false, true, true]);
    let masses: Vec<f64> = names.iter().map(|&name| bodies.inverse_mass(name)).collect();
    assert_eq!((bodies.len(), masses), (2, vec![0.0, 0.0, 0.0, 1.0 / 4.0, 1.0 / 5.0]));
}

/// Masses up to 1e30 are allowed; one divided by that rounds below 1e-30, the least inverse mass, and was refused.
#[test]
fn the_inverse_of_any_mass_is_an_inverse_mass() {
    let mut bodies = Bodies::new();
    for mass in [1e30, 1e-30, 3.0, f64::INFINITY] {
        bodies.set_mass(Handle::from_bits(3), mass).unwrap();
        let inverse_mass = bodies.inverse_mass(Handle::from_bits(3));
        bodies.set_inverse_mass(Handle::from_bits(4), inverse_mass).unwrap();
        assert!(bounce([[1.0, 0.0], [0.0, 0.0]], [inverse_mass, 1.0], [1.0, 0.0], 1.0).is_ok());
    }
    assert_eq!(bodies.set_inverse_mass(Handle::from_bits(4), 0.99e-30).unwrap_err().kind(), ErrorKind::OutOfRange);
}
