//! P32: a restored world continues bit for bit as the saved one, including the order of events. A
//! moving shape takes up to 64 bytes.

use carom::world::QueryFilter;
use carom::{Aabb, Collider, Contact, DVec2, Handle, Pose, Ray, Shape, World};

use super::determinism::Scene;
use crate::support::broads;

/// The results of a frame, in order.
#[derive(Debug, PartialEq)]
struct Frame {
    bytes: Vec<u8>,
    candidates: usize,
    contacts: Vec<Contact>,
    events: Vec<(bool, Contact)>,
    collisions: Vec<(Handle, Handle, u64, bool)>,
    along_a_ray: Vec<(Handle, u64)>,
    in_a_box: Vec<Handle>,
}

fn frame(world: &World) -> Frame {
    let ray = Ray::new([-1.0, 5.0], [20.0, 9.0]).unwrap();
    let aabb = Aabb::new([2.0, 2.0], [16.0, 12.0]).unwrap();
    Frame {
        bytes: world.to_bytes(),
        candidates: world.candidate_count(),
        contacts: world.contacts().map(|contact| contact.to_contact()).collect(),
        events: world.events().map(|event| (event.is_begin(), event.contact().to_contact())).collect(),
        collisions: world.motion_hits().map(|hit| (hit.mover, hit.other, hit.hit.time.to_bits(), hit.sensor)).collect(),
        along_a_ray: world
            .ray_cast_all(ray, QueryFilter::ALL)
            .into_iter()
            .map(|(handle, hit)| (handle, hit.time.to_bits()))
            .collect(),
        in_a_box: world.intersecting_aabb(&aabb, QueryFilter::ALL),
    }
}

const SAVED_AT: usize = 60;
const FRAMES: usize = 120;

/// Saved in the midst of things: some have moved, one is gone and one is new since the last update.
fn saved() -> (Scene, Vec<Frame>) {
    let mut scene = Scene::new(World::new());
    (1..=SAVED_AT).for_each(|number| scene.step(number));
    let handles: Vec<Handle> = scene.world.handles().skip(20).take(8).collect();
    for &handle in &handles[1..] {
        let pose = scene.world.pose(handle).unwrap();
        scene
            .world
            .set_pose(handle, Pose::new(pose.translation() + DVec2::new(0.25, 0.5), pose.angle()).unwrap())
            .unwrap();
    }
    scene.world.set_motion(handles[1], [3.0, -4.0], 0.5).unwrap();
    let passer = scene.world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([9.0, 6.0]).unwrap());
    scene.world.set_pair_enabled(passer, handles[2], false).unwrap();
    let mut other = scene.clone();
    let frames = (SAVED_AT + 1..FRAMES).map(|number| {
        other.step(number);
        frame(&other.world)
    });
    let frames = frames.collect();
    (scene, frames)
}

#[test]
fn a_restored_world_continues_bit_for_bit_with_any_broad_phase() {
    let (scene, expected) = saved();
    let bytes = scene.world.to_bytes();
    assert!(expected.iter().map(|frame| frame.events.len()).sum::<usize>() > 100, "hardly anything happens");
    for mut world in broads::worlds() {
        // The earlier state leaves no trace in slots, contacts or the broad phase.
        let name = world.broad_phase_name();
        for i in 0..100 {
            world.insert(
                Collider::new(Shape::rectangle(3.0, 2.0).unwrap())
                    .at([f64::from(i % 10) * 2.0, f64::from(i / 10)])
                    .unwrap(),
            );
        }
        world.update();
        let last = world.handles().last().unwrap();
        world.set_motion(last, [5.0, 0.0], 0.0).unwrap();
        world.restore(&bytes).unwrap();
        assert_eq!(world.to_bytes(), bytes, "{name}");
        let mut again = Scene { world, ..scene.clone() };
        for (number, expected) in (SAVED_AT + 1..FRAMES).zip(&expected) {
            again.step(number);
            assert_eq!(&frame(&again.world), expected, "{name}, frame {number}");
        }
        // Back from where that led.
        again.world.restore(&bytes).unwrap();
        let mut again = Scene { world: again.world, ..scene.clone() };
        again.step(SAVED_AT + 1);
        assert_eq!(frame(&again.world), expected[0], "{name}, a second time");
    }
}

/// A moving shape adds at most 64 bytes to a snapshot.
#[test]
fn a_moving_shape_takes_at_most_64_bytes() {
    let shapes = [
        Shape::circle(0.5).unwrap(),
        Shape::rectangle(1.0, 0.5).unwrap(),
        Shape::polygon(&(0..40).map(|i| DVec2::from_angle(f64::from(i) * 0.157)).collect::<Vec<_>>()).unwrap(),
    ];
    let world_of = |movers: usize| {
        let mut world = World::new();
        for i in 0..500 {
            world.insert(
                Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([f64::from(i), -10.0]).unwrap().fixed(true),
            );
        }
        let handles: Vec<Handle> = (0..movers)
            .map(|i| {
                world.insert(Collider::new(shapes[i % 3].clone()).at([3.0 * i as f64, 0.0]).unwrap().user_data(1 << 40))
            })
            .collect();
        (world, handles)
    };
    let none = world_of(0).0.to_bytes().len() + 3 * 1024;
    let (mut world, handles) = world_of(1000);
    for number in 0..20 {
        for (i, &handle) in handles.iter().enumerate() {
            let position = DVec2::new(3.0 * i as f64 + 0.01 * f64::from(number), 0.3 / f64::from(number + 1));
            world.set_pose(handle, Pose::new(position, f64::from(number) * 0.7).unwrap()).unwrap();
        }
        let moved = world.to_bytes().len();
        world.update();
        let settled = world.to_bytes().len();
        assert!(
            moved.max(settled) <= none + 64 * handles.len(),
            "{moved} and {settled} bytes, {none} without what moves"
        );
    }
}
