//! Without updates, a world does not grow. After the last update it keeps removed colliders only if that update
//! contained them.

use carom::world::QueryFilter;
use carom::{Collider, Handle, Pose, Shape, World};

use crate::support::broads;

/// Number of colliders that are there at a time.
const CROWD: usize = 8;
/// Rounds of the measurement. Before it and after it, generations take two bytes in a snapshot: 128 to 16 383.
const WARM_UP: usize = 200;
const ROUNDS: usize = 3000;

/// One of each kind of memory: a circle, an interned rectangle, a composite with its own data.
fn shape(i: usize) -> Shape {
    match i % 3 {
        0 => Shape::circle(0.5).unwrap(),
        1 => Shape::rectangle(1.0, 1.0 + (i % 7) as f64).unwrap(),
        _ => Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5 + (i % 5) as f64 * 0.125], [0.0, 2.0]])
            .unwrap(),
    }
}

/// Inserts a crowd, changes and queries it, and removes it.
fn cycle(world: &mut World, round: usize, queries: bool) {
    let handles: Vec<Handle> = (0..CROWD)
        .map(|i| {
            let collider = Collider::new(shape(round + i)).at([i as f64, (round % 10) as f64]).unwrap();
            let collider = if i % 3 == 0 { collider.one_way([0.0, 1.0]).unwrap() } else { collider };
            world.insert(if i % 2 == 0 { collider.contact_margin(0.25).unwrap() } else { collider })
        })
        .collect();
    world.set_pair_enabled(handles[0], handles[1], false).unwrap();
    world.set_motion(handles[2], [1.0, 0.0], 0.0).unwrap();
    world.set_shape(handles[3], shape(round)).unwrap();
    world.set_pose(handles[4], Pose::new([0.0, 5.0], 0.5).unwrap()).unwrap();
    if queries {
        assert!(!world.intersecting(world.placed(handles[5]).unwrap(), QueryFilter::ALL).is_empty());
        assert_eq!(world.nearest([0.0, 0.0], 3, QueryFilter::ALL).unwrap().len(), 3);
    }
    for handle in handles {
        world.remove(handle).unwrap();
    }
}

/// Returns the bytes that are allocated after the rounds and were not before.
fn growth(world: &mut World, mut round: impl FnMut(&mut World, usize)) -> i64 {
    (0..WARM_UP).for_each(|i| round(world, i));
    allocation_counter::measure(|| (0..ROUNDS).for_each(|i| round(world, i))).bytes_current
}

#[test]
fn a_world_without_updates_does_not_grow() {
    for queries in [false, true] {
        for mut world in broads::worlds() {
            let mut snapshot = 0;
            let grown = growth(&mut world, |world, i| {
                cycle(world, i, queries);
                if i + 1 == WARM_UP {
                    snapshot = world.to_bytes().len();
                }
            });
            let name = world.broad_phase_name();
            println!("{name}, queries {queries}: {grown} bytes, snapshot of {snapshot} bytes");
            // One circle of each round alone would take 280 kB.
            assert!(grown <= 1024, "{name}, queries {queries}: {grown} bytes");
            assert_eq!(world.to_bytes().len(), snapshot, "{name}");
            assert_eq!((world.len(), world.handles().count()), (0, 0));
        }
    }
}

#[test]
fn a_world_without_updates_keeps_one_motion_of_a_collider() {
    let mut world = World::new();
    let movers: Vec<Handle> =
        (0..CROWD).map(|i| world.insert(Collider::new(shape(0)).at([i as f64 * 9.0, 0.0]).unwrap())).collect();
    let grown = growth(&mut world, |world, i| {
        for &mover in &movers {
            world.set_motion(mover, [0.0, i as f64], 0.0).unwrap();
        }
    });
    assert!(grown <= 1024, "{grown} bytes");
    world.update();
    for (i, &mover) in movers.iter().enumerate() {
        let expected = [i as f64 * 9.0, (ROUNDS - 1) as f64];
        assert_eq!(world.position(mover).unwrap().to_array(), expected, "the last motion counts");
    }
}

/// The colliders of the last update stay until the next one, however many come and go.
#[test]
fn a_world_keeps_the_colliders_of_the_last_update() {
    let mut world = World::new();
    let ball = |x: f64| Collider::new(Shape::circle(1.0).unwrap()).at([x, 0.0]).unwrap();
    let known: Vec<Handle> = (0..CROWD).map(|i| world.insert(ball(i as f64).user_data(i as u64))).collect();
    world.update();
    let contacts = world.contacts().len();
    for &handle in &known {
        world.remove(handle).unwrap();
    }
    let grown = growth(&mut world, |world, _| {
        let handle = world.insert(ball(0.0));
        world.remove(handle).unwrap();
        assert!(world.removed_collider(handle).is_none());
    });
    assert!(grown <= 1024, "{grown} bytes");
    for restored in [false, true] {
        let mut world = if restored { World::from_bytes(&world.to_bytes()).unwrap() } else { world.clone() };
        let data = |world: &World| {
            known.iter().map(|&handle| world.removed_collider(handle).map(|c| c.user_data)).collect::<Vec<_>>()
        };
        let all: Vec<Option<u64>> = (0..CROWD as u64).map(Some).collect();
        assert_eq!((data(&world), world.contacts().len()), (all.clone(), contacts));
        world.update();
        assert_eq!((data(&world), world.events().len()), (all, contacts), "all contacts end");
        world.update();
        assert_eq!(data(&world), [None; CROWD]);
    }
}

/// Law: a snapshot between an insertion and the next update does not change what later calls keep.
#[test]
fn a_restored_world_knows_which_colliders_are_new() {
    let mut world = World::new();
    let ball = || Collider::new(Shape::circle(1.0).unwrap());
    let old = world.insert(ball());
    world.update();
    let new = world.insert(ball());
    // Changed since the update, but not new.
    world.set_pose(old, Pose::from_translation([0.5, 0.0]).unwrap()).unwrap();
    let mut restored = World::from_bytes(&world.to_bytes()).unwrap();
    for world in [&mut world, &mut restored] {
        world.remove(new).unwrap();
        world.remove(old).unwrap();
        assert!(world.removed_collider(new).is_none() && world.removed_collider(old).is_some());
    }
    assert_eq!(restored.state_hash(), world.state_hash());
    assert_eq!(restored.to_bytes(), world.to_bytes());
    // The slot that was freed last is taken first, with the next generation.
    let next = world.insert(ball());
    assert!(next.index() == old.index() && next != old);
    assert_eq!(restored.insert(ball()), next);
}
