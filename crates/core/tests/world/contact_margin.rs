//! Contact margins: a pair is a contact if and only if its distance is at most the margin, by exact
//! arithmetic.
//!
//! A plain test run tries some ten thousand pairs; `CAROM_PAIRS=1000000` tries as many.

use carom::broad_phase::{Bvh, SortAndSweep};
use carom::query::{collide_within, manifolds_within};
use carom::response::{Masses, Particle, Particles, resolve_penetration};
use carom::{Collider, DVec2, ErrorKind, Event, Manifold, Placed, Pose, Shape, World, distance};

use crate::support::adversarial;
use crate::support::dice::{Dice, ulps_off};
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::kinds::KINDS;
use crate::support::random_pairs::{self, Range};
use crate::support::run::{Case, Findings, Run, pairs};

/// The largest margin that is accepted.
const LARGEST: f64 = 1e30;

/// A margin near a gap, or far from it.
fn margin_near(dice: &mut Dice, gap: f64) -> f64 {
    let gap = gap.max(0.0);
    let margin = match dice.index(6) {
        0 => gap,
        1 => ulps_off(gap, dice.whole(-4, 4)),
        2 => gap * dice.between(0.5, 1.0),
        3 => gap * dice.between(1.0, 2.0),
        4 => gap * (1.0 + dice.magnitude(1e-16, 1e-8)),
        _ => dice.magnitude(1e-9, 1e3),
    };
    margin.clamp(0.0, LARGEST)
}

/// A world of two colliders, updated once. The margin is that of the world, or that of one of them.
fn world_of(dice: &mut Dice, [a, b]: [Placed<'_>; 2], margin: f64) -> (World, [carom::Handle; 2]) {
    let mut world = match dice.index(3) {
        0 => World::new(),
        1 => World::with_broad_phase(Bvh::new()),
        _ => World::with_broad_phase(SortAndSweep::new()),
    };
    let smaller = margin * dice.between(0.0, 1.0);
    let of = [[None, None], [Some(margin), Some(smaller)], [None, Some(margin)], [Some(margin), None]][dice.index(4)];
    world.set_default_contact_margin(if of == [None, None] { margin } else { smaller }).unwrap();
    let handles = [(a, of[0]), (b, of[1])].map(|(placed, margin)| {
        let collider = Collider::new(placed.shape().clone()).pose(placed.pose());
        world.insert(margin.map_or(collider.clone(), |margin| collider.contact_margin(margin).unwrap()))
    });
    world.update();
    (world, handles)
}

/// Compares the world with the exact distance, for a margin near the distance.
fn is_exact(case: &mut Case<'_>) {
    let mut dice = Dice::of(case.pair);
    let (a, b) = (case.pair.a.placed(), case.pair.b.placed());
    let outlines = [Outline::of(a), Outline::of(b)];
    let margin = margin_near(&mut dice, Difference::of(&outlines[0], &outlines[1]).gap());
    let relation = Difference::of(&outlines[0], &outlines[1]).relation();
    let with_margin = Difference::within(&outlines[0], &outlines[1], margin).relation();
    let expected = with_margin != Relation::Apart;
    case.count(match (relation, with_margin) {
        (Relation::Apart, Relation::Apart) => "beyond",
        (Relation::Apart, Relation::Touching) => "at the margin",
        (Relation::Apart, Relation::Overlapping) => "gap",
        _ => "intersecting",
    });
    let (world, [p, q]) = world_of(&mut dice, [a, b], margin);
    let found = world.contact_between(p, q);
    let seen = || format!("margin {margin:e}, {relation:?}, with it {with_margin:?}: {found:?}");
    case.expect("a contact if and only if the distance is at most the margin", found.is_some() == expected, seen);
    let manifold = found.map(|found| found.manifold());
    case.expect("the manifold of the pair query", manifold == collide_within(a, b, margin), seen);
    let (mirrored, [q, p]) = world_of(&mut dice, [b, a], margin);
    let same = mirrored.contact_between(p, q).is_some() == expected;
    case.expect("either order", same, || format!("margin {margin:e}, {relation:?}"));
    if let Some(Manifold { depth, .. }) = manifold {
        let sign = match relation {
            Relation::Apart => depth < 0.0,
            Relation::Touching => depth == 0.0,
            Relation::Overlapping => depth > 0.0,
        };
        case.expect("the depth has the exact sign and is at least -margin", sign && depth >= -margin, seen);
    }
    let begun: Vec<_> = world.events().map(|event| event.is_begin()).collect();
    case.expect("one Begin event per contact", begun == vec![true; usize::from(expected)], seen);
}

fn at_least(seen: &Findings, name: &str, percent: u64, pairs: u64) {
    assert!(100 * seen.counted(name) >= percent * pairs, "only {} of {pairs} are {name}", seen.counted(name));
}

#[test]
fn random_pairs_are_contacts_exactly_within_the_margin() {
    let range = Range { sizes: (1e-6, 1e6), offset: 1e9 };
    let make = |_, dice: &mut _| random_pairs::any(dice, range);
    let run = Run { name: "random, margin", pairs: pairs(20_000), make, check: is_exact };
    let seen = run.go();
    at_least(&seen, "beyond", 10, run.pairs);
    at_least(&seen, "gap", 15, run.pairs);
}

#[test]
fn adversarial_pairs_are_contacts_exactly_within_the_margin() {
    let make = |index, dice: &mut _| (adversarial::family(index).1)(dice);
    let run = Run { name: "adversarial, margin", pairs: pairs(20_000), make, check: is_exact };
    let seen = run.go();
    at_least(&seen, "beyond", 5, run.pairs);
}

/// Every kind with every kind, composites included, on a lattice of quarters: there many distances
/// equal the margin.
#[test]
fn all_kinds_are_contacts_exactly_within_the_margin() {
    let seed = 5;
    let mut seen = [0; 3];
    for index in 0..pairs(20_000) / 20 {
        let (mut rng, mut dice) = (fastrand::Rng::with_seed(seed + index), Dice::new(seed, index));
        let kinds = [0, 1].map(|i| (index as usize / 13_usize.pow(i) + i as usize) % KINDS.len());
        let shapes = kinds.map(|kind| (KINDS[kind].1)(&mut rng));
        let mut pose = || {
            let position = [0.25 * f64::from(dice.whole(-24, 24)), 0.25 * f64::from(dice.whole(-12, 12))];
            let degrees = if dice.chance(0.85) { 90.0 * f64::from(dice.whole(0, 3)) } else { dice.between(0.0, 360.0) };
            Pose::from_degrees(position, degrees).unwrap()
        };
        let poses = [pose(), pose()];
        let [a, b] = [0, 1].map(|i| shapes[i].placed(poses[i]));
        let margin = if dice.chance(0.5) {
            (4.0 * distance(a, b).distance).round() / 4.0
        } else {
            margin_near(&mut dice, distance(a, b).distance)
        };
        let outlines = [Outline::of_parts(a), Outline::of_parts(b)];
        let relations = outlines[0]
            .iter()
            .flat_map(|p| outlines[1].iter().map(move |q| Difference::within(p, q, margin).relation()));
        let relations: Vec<_> = relations.collect();
        let expected = relations.iter().any(|relation| *relation != Relation::Apart);
        seen[if expected { usize::from(!relations.contains(&Relation::Overlapping)) + 1 } else { 0 }] += 1;
        let (world, [p, q]) = world_of(&mut dice, [a, b], margin);
        let found = world.contact_between(p, q);
        let context = format!("seed {seed}, pair {index}: {} and {}, {poses:?}", KINDS[kinds[0]].0, KINDS[kinds[1]].0);
        assert_eq!(found.is_some(), expected, "{context}, margin {margin}");
        let mut all = Vec::new();
        manifolds_within(a, b, margin, &mut all);
        let manifolds = found.map_or(Vec::new(), |found| found.manifolds().collect());
        assert_eq!(manifolds, all, "{context}, margin {margin}");
        let deepest = found.map(|found| found.manifold());
        assert_eq!(deepest, collide_within(a, b, margin), "{context}, margin {margin}");
    }
    println!("beyond, nearer, at the margin: {seen:?}");
    assert!(seen.iter().all(|count| 100 * count > pairs(20_000) / 20), "beyond, nearer, at the margin: {seen:?}");
}

/// Shapes whose right side is x = 2 exactly.
fn shapes_up_to_two() -> Vec<Shape> {
    let corners = [[-1.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 0.0], [-1.0, 1.0]];
    let bar = Shape::rectangle(2.0, 1.0).unwrap();
    vec![
        Shape::circle(2.0).unwrap(),
        Shape::rectangle(4.0, 1.0).unwrap(),
        Shape::rectangle(3.0, 1.0).unwrap().rounded(0.5).unwrap(),
        Shape::capsule([-1.0, 0.0], [1.0, 0.0], 1.0).unwrap(),
        Shape::segment([0.0, 0.0], [2.0, 0.0]).unwrap(),
        Shape::polygon(&[[0.0, -1.0], [2.0, 0.0], [0.0, 1.0]]).unwrap(),
        Shape::polygon(&corners).unwrap(),
        Shape::chain(&[[-1.0, 0.0], [2.0, 1.0], [0.0, 2.0]]).unwrap(),
        Shape::compound([(bar, Pose::from_translation([1.0, 0.0]).unwrap())]).unwrap(),
    ]
}

/// Events come in the frame in which the distance crosses the margin, and in no other. The distance
/// of all frames is exact.
#[test]
fn events_come_exactly_when_the_distance_crosses_the_margin() {
    let wall = Shape::rectangle(2.0, 8.0).unwrap();
    for shape in shapes_up_to_two() {
        for (margin, sensor) in [(0.25, false), (1.0, true), (3.0, false)] {
            let mut world = World::new();
            let mover = Collider::new(shape.clone()).sensor(sensor).contact_margin(margin).unwrap();
            let mover = world.insert(mover.at([-16.0, 0.0]).unwrap());
            let wall = world.insert(Collider::new(wall.clone()).at([3.0, 0.0]).unwrap().fixed(true));
            let mut was = false;
            // To the wall, half a unit into it, and back.
            let gaps = (-4..=40).map(|quarters| 0.125 * f64::from(quarters));
            for gap in gaps.clone().rev().chain([0.0; 3]).chain(gaps) {
                world.set_position(mover, [-gap, 0.0]).unwrap();
                world.update();
                let is = gap <= margin;
                let begun: Vec<_> = world.events().map(|event| event.is_begin()).collect();
                assert_eq!(begun, vec![is; usize::from(is != was)], "{shape:?}, margin {margin}, gap {gap}");
                let contact = world.contact_between(mover, wall);
                assert_eq!(contact.map(|contact| contact.depth), is.then_some(-gap), "{shape:?}, margin {margin}");
                assert!(contact.is_none_or(|contact| contact.sensor == sensor));
                assert_eq!(world.contacts_of(mover).count(), usize::from(is));
                was = is;
            }
            // The next number below the gap is too small a margin, the gap itself is not.
            world.set_position(mover, [-margin, 0.0]).unwrap();
            for (margin, is) in [(margin.next_down(), false), (margin, true), (margin.next_up(), true)] {
                world.set_contact_margin(mover, Some(margin)).unwrap();
                world.update();
                assert_eq!(world.contact_between(mover, wall).is_some(), is, "{shape:?}, margin {margin:e}");
            }
        }
    }
}

/// Margins that change begin and end contacts of colliders that do not move; of two margins the
/// larger one counts.
#[test]
fn a_changed_margin_counts_from_the_next_update() {
    let mut world = World::new();
    let ball = Collider::new(Shape::circle(1.0).unwrap());
    let handles = [0.0, 3.0].map(|x| world.insert(ball.clone().at([x, 0.0]).unwrap()));
    let mut contacts = |change: &dyn Fn(&mut World)| {
        change(&mut world);
        world.update();
        (world.contacts().len(), world.events().map(|event| event.is_begin()).collect::<Vec<_>>())
    };
    assert_eq!(contacts(&|_| ()), (0, vec![]));
    assert_eq!(contacts(&|world| world.set_default_contact_margin(1.0).unwrap()), (1, vec![true]));
    assert_eq!(contacts(&|world| world.set_contact_margin(handles[0], Some(0.5)).unwrap()), (1, vec![]));
    assert_eq!(contacts(&|world| world.set_contact_margin(handles[1], Some(0.5)).unwrap()), (0, vec![false]));
    assert_eq!(contacts(&|world| world.set_contact_margin(handles[1], None).unwrap()), (1, vec![true]));
    assert_eq!(contacts(&|world| world.set_default_contact_margin(0.0).unwrap()), (0, vec![false]));
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e31] {
        let errors = [
            world.set_default_contact_margin(bad).unwrap_err(),
            world.set_contact_margin(handles[0], Some(bad)).unwrap_err(),
            ball.clone().contact_margin(bad).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() != ErrorKind::StaleHandle), "{errors:?}");
        assert!(errors.iter().all(|error| error.to_string().contains("contact margin")), "{errors:?}");
    }
}

/// The shares of two boxes add up to at least the margin of the pair. Holds for any margins of the
/// two and of the world, at coordinates with large rounding errors.
#[test]
fn no_pair_within_its_margin_is_lost() {
    let seed = 9;
    for index in 0..4_000 {
        let mut dice = Dice::new(seed, index);
        let far = [0.0, 1.0, 1e6, 1e12][dice.index(4)] * dice.between(0.5, 2.0);
        let size = dice.magnitude(1e-3, 1e3);
        let a = Shape::rectangle(size, size).unwrap();
        let gap = if dice.chance(0.1) { 1e-308 } else { size * dice.magnitude(1e-9, 1e3) };
        let (a, b) = (a.at([far, 0.0]).unwrap(), a.at([far + size + gap, 0.0]).unwrap());
        let gap = Difference::of(&Outline::of(a), &Outline::of(b)).gap().max(0.0);
        let margin = ulps_off(gap, dice.whole(0, 1));
        let expected = Difference::within(&Outline::of(a), &Outline::of(b), margin).relation() != Relation::Apart;
        let (world, [p, q]) = world_of(&mut dice, [a, b], margin);
        assert_eq!(world.contact_between(p, q).is_some(), expected, "seed {seed}, pair {index}, margin {margin:e}");
        assert!(!expected || world.candidate_count() == 1);
    }
}

/// Separation, bounces and particles do the same with a margin as without.
#[test]
fn responses_ignore_gaps() {
    let (seed, mut gaps) = (3, 0);
    let run = |margin: f64, gaps: &mut usize| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut world, mut particles, mut bodies) = (World::new(), Particles::new(), Masses::new());
        world.set_default_contact_margin(margin).unwrap();
        world.insert(Collider::new(Shape::rectangle(30.0, 1.0).unwrap()).at([5.0, -0.5]).unwrap().fixed(true));
        particles.set_gravity([0.0, -10.0]).unwrap();
        let mut handles = Vec::new();
        for i in 0..60_u32 {
            let size = 0.5 + 0.5 * rng.f64();
            let shape = if i % 2 == 0 { Shape::circle(size / 2.0) } else { Shape::rectangle(size, size) }.unwrap();
            let position = [f64::from(i % 10) * 1.1, 0.6 + f64::from(i / 10) * 1.1];
            let handle = world.insert(Collider::new(shape).at(position).unwrap());
            let velocity = [rng.f64() - 0.5, -2.0 * rng.f64()];
            let particle = Particle::new(1.0).unwrap().velocity(velocity).unwrap();
            particles.insert(handle, particle.restitution(0.5 * f64::from(i % 3)).unwrap()).unwrap();
            bodies.set_mass(handle, 1.0).unwrap();
            handles.push(handle);
        }
        let mut states = Vec::new();
        for frame in 0..60 {
            // A restored world has tight boxes, this one has fat boxes of earlier pushes: both find the same pairs.
            let mut again =
                (frame % 7 == 3).then(|| (World::from_bytes(&world.to_bytes()).unwrap(), particles.clone()));
            let step = particles.step(&mut world, 1.0 / 60.0).unwrap();
            if let Some((restored, same)) = &mut again {
                assert_eq!(same.step(restored, 1.0 / 60.0).unwrap(), step);
                assert_eq!(restored.state_hash(), world.state_hash(), "frame {frame}, margin {margin}");
            }
            *gaps += world.contacts().filter(|contact| contact.depth < 0.0).count();
            if frame % 10 == 9 {
                let separation = resolve_penetration(&mut world, &bodies);
                states.push((Vec::new(), format!("{separation:?}")));
            }
            let positions = handles.iter().map(|&handle| world.pose(handle).unwrap().translation().to_array());
            let velocities = particles.velocities().iter().map(DVec2::to_array);
            states.push((positions.chain(velocities).collect::<Vec<_>>(), format!("{step:?}")));
        }
        states
    };
    let without = run(0.0, &mut gaps);
    assert_eq!(gaps, 0);
    assert!(without == run(0.3, &mut gaps), "a margin changes the motion");
    assert!(gaps > 1_000, "only {gaps} contacts with a gap");
}

/// A begin event of a contact with a gap has its manifold, and the end event that of the last update.
#[test]
fn events_carry_the_contact_with_a_gap() {
    let mut world = World::new();
    world.set_default_contact_margin(1.0).unwrap();
    let floor = world.insert(Collider::new(Shape::rectangle(8.0, 1.0).unwrap()).fixed(true));
    let block = world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([0.0, 1.5]).unwrap());
    world.update();
    let Some(Event::Begin(contact)) = world.events().next() else { panic!("no begin event") };
    assert_eq!((contact.a, contact.b, contact.depth, contact.normal.to_array()), (floor, block, -0.5, [0.0, 1.0]));
    assert_eq!(contact.points().iter().map(|point| point.depth).collect::<Vec<_>>(), [-0.5, -0.5]);
    world.remove(block);
    world.update();
    assert!(matches!(world.events().next(), Some(Event::End(contact)) if contact.depth == -0.5));
}
