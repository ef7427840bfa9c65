//! P26: no body types, masses or time steps. A collider is a shape and a pose; setting the pose is
//! enough, and every pair of kinds has events.

use carom::world::QueryFilter;
use carom::{Collider, DVec2, Event, Handle, Pose, Shape, World};

use super::snapshot::shapes;

/// The events of the last update: whether each began, its pair, and whether a sensor is in it.
fn events(world: &World) -> Vec<(bool, [Handle; 2], bool)> {
    world
        .events()
        .map(|event| (event.is_begin(), [event.contact().a, event.contact().b], event.contact().sensor))
        .collect()
}

fn at(position: DVec2) -> Pose {
    Pose::from_translation(position).unwrap()
}

/// Puts in two colliders far apart, moves one to the other and away again. Checks queries at once,
/// and events after each update.
fn meet_and_part(first: &Collider, second: &Collider, meets: bool) {
    let mut world = World::new();
    let [a, b] = [first, second].map(|collider| world.insert(collider.clone()));
    let (p, q) = (a_point_of(world.shape(a).unwrap()), a_point_of(world.shape(b).unwrap()));
    let far = at(DVec2::new(1024.0, 0.0));
    world.set_pose(b, far).unwrap();
    world.update();
    assert_eq!((events(&world), world.contacts().len()), (vec![], 0));
    // All coordinates are small multiples of powers of two, so that both shapes have this point exactly.
    world.set_pose(b, at(p - q)).unwrap();
    let found = world.intersecting(world.placed(a).unwrap(), QueryFilter::ALL.exclude_collider(a));
    assert_eq!(found, [b], "{first:?} {second:?}");
    assert_eq!(events(&world), []);
    let sensor = world.get(a).unwrap().sensor || world.get(b).unwrap().sensor;
    let expected = |begins| if meets { vec![(begins, [a, b], sensor)] } else { vec![] };
    world.update();
    assert_eq!(events(&world), expected(true), "{first:?} {second:?}");
    world.update();
    assert_eq!((events(&world), world.contacts().len()), (vec![], usize::from(meets)));
    world.set_pose(b, far).unwrap();
    assert!(world.intersecting(world.placed(a).unwrap(), QueryFilter::ALL.exclude_collider(a)).is_empty());
    world.update();
    assert_eq!((events(&world), world.contacts().len()), (expected(false), 0));
    // The collider that stood still may be the one that moves.
    world.set_pose(a, at(DVec2::new(1024.0, 0.0) + q - p)).unwrap();
    world.update();
    assert_eq!(events(&world), expected(true));
    world.remove(b);
    world.update();
    assert_eq!(events(&world), expected(false));
    assert!(world.events().all(|event| matches!(event, Event::End(contact) if contact.other(a) == Some(b))));
}

/// The first vertex, or the centre of a circle.
fn a_point_of(shape: &Shape) -> DVec2 {
    shape.parts().next().map_or_else(|| shape.points()[0], |(part, pose)| pose.transform_point(part.points()[0]))
}

/// Shapes of every kind whose points are exact.
fn exact_shapes() -> Vec<Shape> {
    let upright = |shape: &Shape| shape.parts().all(|(_, pose)| pose.cos() == 1.0 && pose.sin() == 0.0);
    let pose = |x: f64| Pose::from_translation([x, 0.5]).unwrap();
    let compound =
        Shape::compound([(Shape::circle(0.25).unwrap(), pose(-1.0)), (Shape::rectangle(1.0, 0.5).unwrap(), pose(1.0))]);
    let others = [compound.unwrap(), Shape::capsule([0.0, 0.0], [1.0, 0.5], 0.25).unwrap()];
    shapes().into_iter().filter(upright).chain(others).collect()
}

#[test]
fn every_pair_of_kinds_has_events_without_bodies_masses_or_steps() {
    let shapes = exact_shapes();
    let kinds: std::collections::BTreeSet<String> = shapes.iter().map(|shape| format!("{:?}", shape.kind())).collect();
    assert!(kinds.len() >= 9, "{kinds:?}");
    for a in &shapes {
        for b in &shapes {
            meet_and_part(&Collider::new(a.clone()), &Collider::new(b.clone()), true);
        }
    }
}

/// Other engines omit pairs of two that are static, kinematic or sensors. Here only pairs of two
/// fixed colliders are omitted, as documented.
#[test]
fn sensors_and_fixed_colliders_have_events_too() {
    let ball = || Collider::new(Shape::circle(0.5).unwrap());
    for bits in 0..16_u8 {
        let is = |bit: u8| bits >> bit & 1 == 1;
        meet_and_part(&ball().sensor(is(0)).fixed(is(1)), &ball().sensor(is(2)).fixed(is(3)), !(is(1) && is(3)));
    }
}
