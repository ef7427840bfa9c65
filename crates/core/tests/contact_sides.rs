//! A contact as seen by either collider has a normal that separates this collider. A loop over
//! events may change the world.

use carom::{Collider, Error, ErrorKind, Event, Handle, Pose, Shape, World, collide, overlaps};

/// Random convex shapes, many of which overlap.
fn crowd(seed: u64) -> World {
    let (mut rng, mut world) = (fastrand::Rng::with_seed(seed), World::new());
    for i in 0..40 {
        let shape = match i % 3 {
            0 => Shape::circle(0.5 + rng.f64()),
            1 => Shape::rectangle(0.5 + rng.f64(), 0.5 + rng.f64()),
            _ => Shape::polygon(&[[0.0, 0.0], [1.0 + rng.f64(), 0.0], [0.0, 1.5]]),
        };
        let pose = Pose::new([rng.f64() * 8.0, rng.f64() * 8.0], rng.f64() * 6.0).unwrap();
        world.insert(Collider::new(shape.unwrap()).pose(pose));
    }
    world.update();
    world
}

#[test]
fn each_side_leads_its_collider_out() -> Result<(), Error> {
    let mut seen = 0;
    for seed in 0..10 {
        let world = crowd(seed);
        for contact in world.contacts() {
            for (me, other) in [(contact.a, contact.b), (contact.b, contact.a)] {
                let side = contact.from(me).unwrap();
                assert_eq!((side.other, side.depth, contact.to_contact().from(me)), (other, contact.depth, Some(side)));
                let (mine, theirs) = (world.placed(me).unwrap(), world.placed(other).unwrap());
                let by_definition = collide(theirs, mine).unwrap();
                assert!((side.mtv().length() - by_definition.mtv().length()).abs() < 1e-9);
                let out = mine.pose().with_translation(mine.pose().translation() + side.mtv() * (1.0 + 1e-9))?;
                assert!(!overlaps(mine.shape().placed(out), theirs), "{contact:?}");
                assert!(world.contacts_of(me).any(|own| own == side));
                seen += 1;
            }
            let third = world.handles().find(|&handle| handle != contact.a && handle != contact.b).unwrap();
            assert_eq!((contact.from(third), contact.from(Handle::NONE)), (None, None));
        }
    }
    assert!(seen > 200, "{seen}");
    Ok(())
}

#[test]
fn taken_events_are_the_events_and_leave_the_world_free() {
    let mut world = crowd(3);
    let expected: Vec<_> = world.events().map(|event| (event.contact().to_contact(), event.is_begin())).collect();
    let (before, taken) = (world.state_hash(), world.take_events());
    assert_eq!(taken.len(), expected.len());
    assert_eq!(taken.map(|event| (event.contact(), event.is_begin())).collect::<Vec<_>>(), expected);
    assert_eq!((world.state_hash(), world.events().len()), (before, expected.len()), "reading changes nothing");

    let mut removed = 0;
    for event in world.take_events() {
        removed += usize::from(world.remove(event.contact().a).is_some());
    }
    world.update();
    assert_eq!((world.contacts().len(), world.len()), (0, 40 - removed));
    assert!(world.take_events().all(|event| matches!(event, Event::End(_))));
    assert!(world.events().all(|event| matches!(event, Event::End(_))));
}

#[test]
fn taken_events_use_their_memory_again() {
    let mut world = crowd(4);
    drop(world.take_events());
    let allocated = allocation_counter::measure(|| assert!(world.take_events().count() > 10));
    assert_eq!(allocated.count_total, 0);
    let kept = world.take_events();
    assert_eq!(
        kept.clone().collect::<Vec<_>>(),
        world.take_events().collect::<Vec<_>>(),
        "one that is kept stays as it is"
    );
}

#[test]
fn a_position_leaves_the_angle() -> Result<(), Error> {
    let mut world = World::new();
    let turned = Pose::new([1.0, 2.0], 0.7)?;
    let block = world.insert(Collider::new(Shape::rectangle(2.0, 1.0)?).pose(turned));
    world.set_position(block, [5.0, 6.0])?;
    assert_eq!(world.pose(block), Some(turned.with_translation([5.0, 6.0])?));
    assert_eq!(world.set_position(block, [f64::NAN, 0.0]).unwrap_err().kind(), ErrorKind::NotFinite);
    world.translate(block, [-1.0, 0.5])?;
    world.set_rotation(block, -0.2)?;
    assert_eq!(world.pose(block), Some(Pose::new([4.0, 6.5], -0.2)?));
    assert!(world.contains(block));
    world.remove(block);
    assert!(!world.contains(block));
    assert_eq!(world.set_position(block, [0, 0]).unwrap_err().kind(), ErrorKind::StaleHandle);
    assert_eq!(world.translate(block, [0, 0]).unwrap_err().kind(), ErrorKind::StaleHandle);
    assert_eq!(world.set_rotation(block, 0.0).unwrap_err().kind(), ErrorKind::StaleHandle);
    Ok(())
}
