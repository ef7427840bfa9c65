//! The world of a scene contains the scene's colliders under their ids. Its contacts are those of
//! pair queries.

use std::collections::BTreeSet;

use carom::{World, intersects};
use carom_scene::{Options, Scene, read};

fn scene(path: &str) -> Scene {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
    let load = &mut |name: &str| std::fs::read(format!("{folder}{name}"));
    read(path, &load(path).unwrap(), &Options::default(), load).unwrap()
}

#[test]
fn the_contacts_of_the_world_are_those_of_the_pairs() {
    let mut count = 0;
    for path in ["platformer.tmx", "example.json"] {
        let scene = scene(path);
        let (world, handles) = scene.to_world();
        assert_eq!((world.len(), handles.len()), (scene.colliders.len(), scene.colliders.len()));
        for (collider, (id, handle)) in scene.colliders.iter().zip(handles.iter()) {
            assert_eq!(
                (id, handles.get(id), handles[id], handles.id(handle)),
                (&*collider.id, Some(handle), handle, Some(id))
            );
            let there = world.get(handle).unwrap();
            assert_eq!(
                (there.shape, there.pose, there.filter, there.sensor),
                (&collider.shape, collider.pose, collider.filter, collider.sensor)
            );
        }
        let mut expected = BTreeSet::new();
        for (i, a) in scene.colliders.iter().enumerate() {
            for b in &scene.colliders[i + 1..] {
                if a.filter.should_collide(b.filter) && intersects(a.shape.placed(a.pose), b.shape.placed(b.pose)) {
                    expected.insert((a.id.as_str(), b.id.as_str()));
                }
            }
        }
        let found: BTreeSet<_> =
            world.contacts().map(|contact| (handles.id(contact.a).unwrap(), handles.id(contact.b).unwrap())).collect();
        assert_eq!(found, expected, "{path}");
        count += found.len();
    }
    assert!(count > 0);
}

#[test]
fn a_scene_joins_a_world_that_has_colliders_already() {
    let scene = scene("example.json");
    let (mut world, first) = scene.to_world();
    let id = first.iter().next().unwrap().0.to_owned();
    world.remove(first[&*id]);
    let second = scene.insert_into(&mut world); // one of them takes the free slot
    assert_eq!(world.len(), 2 * scene.colliders.len() - 1);
    assert!(second.iter().all(|(id, handle)| second.id(handle) == Some(id) && first.id(handle).is_none()));
    assert_eq!((second.get("no such id"), World::new().len()), (None, 0));
}
