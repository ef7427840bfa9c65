//! Compares the surface contacts of a world with those of the shapes near the collider.

use carom::internal_edges::surface_contacts;
use carom::{Collider, DVec2, Handle, Placed, Pose, Shape, World};

use crate::support::dice::Dice;

/// A level of unit tiles with steps, slopes and thin blocks.
fn level(dice: &mut Dice, world: &mut World) -> Vec<Handle> {
    let slope = |flip: f64| Shape::polygon(&[[0.0, 0.0], [flip, 0.0], [flip, 0.5]]).unwrap();
    let mut insert = |shape: Shape, at: [f64; 2]| world.insert(Collider::new(shape).at(at).unwrap().fixed(true));
    let mut all = Vec::new();
    for x in 0..8_i32 {
        let x = f64::from(x);
        all.push(insert(Shape::rectangle(1.0, 1.0).unwrap(), [x, -0.5]));
        let more = match dice.index(6) {
            0 => (Shape::rectangle(1.0, 0.25).unwrap(), [x, 0.125]),
            1 => (slope(1.0), [x - 0.5, 0.0]),
            2 => (slope(-1.0), [x + 0.5, 0.0]),
            3 => (Shape::rectangle(1.0, 2.0).unwrap(), [x, 1.0]),
            4 => (Shape::capsule([-0.3, 0.0], [0.3, 0.1], 0.1).unwrap(), [x, 0.1]),
            _ => continue,
        };
        all.push(insert(more.0, more.1));
    }
    all
}

fn mover(dice: &mut Dice) -> Shape {
    match dice.index(4) {
        0 => Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.3),
        1 => Shape::circle(0.35),
        2 => Shape::rectangle(0.6, 0.8),
        _ => Shape::rectangle(0.5, 0.5).and_then(|shape| shape.rounded(0.1)),
    }
    .unwrap()
}

/// Positions are random, or on a grid: there contacts lie at seams and corners.
#[test]
fn surface_contacts_of_a_world_are_those_of_the_shapes_near_it() {
    let (mut compared, mut floors) = (0, 0);
    for seed in 0..1_000 {
        let dice = &mut Dice::new(seed, 2);
        let mut world = World::new();
        let all = level(dice, &mut world);
        let hero = world.insert(Collider::new(mover(dice)));
        for _ in 0..20 {
            let mut at = DVec2::new(dice.between(0.0, 7.0), dice.between(0.2, 1.2));
            if dice.chance(0.5) {
                at = (at * 16.0).round() / 16.0;
            }
            let angle = if dice.chance(0.5) { 0.0 } else { dice.angle() };
            world.set_pose(hero, Pose::new(at, angle).unwrap()).unwrap();
            let (margin, mut found) = (dice.one_of(&[0.0, 0.01, 0.1, 0.4]), Vec::new());
            world.surface_contacts(hero, margin, &mut found).unwrap();
            let own = world.placed(hero).unwrap();
            let (near, surface): (Vec<Handle>, Vec<Placed<'_>>) = (all.iter())
                .map(|&handle| (handle, world.placed(handle).unwrap()))
                .filter(|(_, placed)| placed.aabb().intersects(&own.aabb().grown(margin)))
                .unzip();
            let mut expected = Vec::new();
            surface_contacts(own, &surface, margin, &mut expected);
            let expected: Vec<_> = expected.iter().map(|contact| (near[contact.surface], contact.manifold)).collect();
            assert_eq!(found, expected, "seed {seed}: {at} turned by {angle}, margin {margin}");
            compared += usize::from(found.len() > 1);
            floors += usize::from(found.iter().any(|(_, manifold)| manifold.normal.x.abs() < 1e-9));
        }
    }
    assert!(compared > 2_000 && floors > 2_000, "{compared} with several contacts, {floors} with a floor");
}
