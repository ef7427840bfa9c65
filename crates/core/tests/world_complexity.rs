//! Bounds the cost of a frame: no allocations, and no work for colliders at rest.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use carom::broad_phase::{Aabb32, BroadPhase, Filter, LocalRay, SortAndSweep};
use carom::mover::Mover;
use carom::{Collider, DVec2, Handle, Pose, Shape, World};

fn pose(i: usize, step: usize) -> Pose {
    let angle = (i * 7 + step * 3) as f64 * 0.37;
    let position = DVec2::new((i % 20) as f64, (i / 20) as f64) * 1.1;
    Pose::new(position + DVec2::new(libm::cos(angle), libm::sin(angle)) * 0.3, angle).unwrap()
}

/// The frames run on a thread of a pool. From outside, rayon takes work from a queue that allocates a block for 63
/// tasks of all callers together.
#[test]
fn a_steady_frame_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for margin in [0.0, 0.25] {
        pool.install(|| steady_frame(margin));
    }
}

fn steady_frame(margin: f64) {
    let shapes = [
        Shape::circle(0.5),
        Shape::rectangle(1.0, 0.8),
        Shape::polygon(&[[-0.5, -0.5], [0.5, -0.4], [0.0, 0.5]]),
        Shape::chain(&[[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]),
    ]
    .map(Result::unwrap);
    let mut world = World::new();
    world.set_default_contact_margin(margin).unwrap();
    let handles: Vec<Handle> = (0..400)
        .map(|i| {
            let collider = Collider::new(shapes[i % 4].clone()).contact_margin(2.0 * margin).unwrap();
            let collider = if i % 3 == 0 { collider } else { Collider::new(shapes[i % 4].clone()) };
            world.insert(collider.pose(pose(i, 0)).sensor(i % 5 == 0).fixed(i % 7 == 0))
        })
        .collect();
    // Poses come again after so many steps, and with them contacts and events.
    let period = 20;
    let poses: Vec<Vec<Pose>> = (0..period).map(|step| (0..400).map(|i| pose(i, step)).collect()).collect();
    let mut begun = 0;
    let mut run = |begun: &mut usize| {
        for poses in &poses {
            world.set_poses(&handles, poses).unwrap();
            world.update();
            *begun += world.events().filter(carom::Event::is_begin).count();
        }
    };
    run(&mut begun);
    run(&mut begun);
    // Threads take chunks in any order, so a buffer of a thread can grow in a later frame, until it has the largest
    // size.
    let counts: Vec<u64> = (0..20)
        .map(|_| {
            begun = 0;
            let seen = allocation_counter::measure(|| run(&mut begun));
            assert!(begun > 100, "{begun}");
            seen.count_total
        })
        .collect();
    let steady = counts.iter().filter(|&&count| count == 0).count();
    assert!(steady >= 10, "allocations in {period} frames each: {counts:?}");
}

/// Counts the boxes that it receives, and its queries of moving boxes.
#[derive(Clone)]
struct Counting(SortAndSweep, Arc<AtomicUsize>, Arc<AtomicUsize>);

impl BroadPhase for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn insert(&mut self, id: u32, aabb: Aabb32, filter: Filter, moving: bool) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.insert(id, aabb, filter, moving);
    }

    fn update(&mut self, id: u32, aabb: Aabb32) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.update(id, aabb);
    }

    fn remove(&mut self, id: u32) {
        self.0.remove(id);
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        self.1.fetch_add(1000, Ordering::Relaxed);
        self.0.pairs(out);
    }

    fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.0.query_aabb(aabb, visit);
    }

    fn query_moving(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.2.fetch_add(1, Ordering::Relaxed);
        self.0.query_aabb(aabb, visit);
    }

    fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.0.query_ray(ray, visit);
    }

    fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        self.0.visit_by_distance(point, visit);
    }
}

#[test]
fn resting_colliders_cause_no_broad_phase_updates() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut world = World::with_broad_phase(Counting(SortAndSweep::new(), Arc::clone(&calls), Arc::default()));
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    for i in 0..3000 {
        world.insert(Collider::new(tile.clone()).at([f64::from(i % 60), f64::from(i / 60)]).unwrap().fixed(true));
    }
    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([30.0, 20.0]).unwrap());
    world.update();
    world.update();
    let count = |world: &mut World, act: &mut dyn FnMut(&mut World)| {
        calls.store(0, Ordering::Relaxed);
        act(world);
        world.update();
        calls.load(Ordering::Relaxed)
    };
    // One box and one call for pairs; nothing at all where nothing moved.
    assert_eq!(
        count(&mut world, &mut |world| world.set_pose(ball, Pose::from_translation([30.2, 20.0]).unwrap()).unwrap()),
        1001
    );
    assert_eq!(count(&mut world, &mut |_| {}), 0);
    assert!(world.contacts_of(ball).count() >= 2);
}

/// A mover searches moving colliders only while one exists that its filter allows.
#[test]
fn a_mover_forgets_moving_colliders_that_left() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut world = World::with_broad_phase(Counting(SortAndSweep::new(), Arc::default(), Arc::clone(&calls)));
    let floor = Shape::rectangle(100.0, 1.0).unwrap();
    world.insert(Collider::new(floor).at([0.0, -0.5]).unwrap().layers(4, u64::MAX).fixed(true));
    let ball = Collider::new(Shape::circle(0.5).unwrap());
    let hero = world.insert(ball.clone().at([0.0, 0.6]).unwrap().layers(1, 4));
    let mut mover = Mover::new(hero);
    // Never met, as their masks exclude the hero.
    for x in 0..20 {
        world.insert(ball.clone().at([f64::from(x), 9.0]).unwrap().layers(2, 2 | 4));
    }
    let mut searches = |world: &mut World| {
        calls.store(0, Ordering::Relaxed);
        for step in 0..8 {
            mover.move_by(world, [if step % 2 == 0 { 0.3 } else { -0.3 }, -0.01]).unwrap();
        }
        calls.load(Ordering::Relaxed)
    };
    assert_eq!(searches(&mut world), 0);
    let far = || ball.clone().at([50.0, 50.0]).unwrap().layers(4, 1);
    let leaves: [fn(&mut World, Handle); 4] = [
        |world, handle| assert!(world.remove(handle).is_some()),
        |world, handle| world.set_enabled(handle, false).unwrap(),
        |world, handle| world.set_fixed(handle, true).unwrap(),
        |world, handle| world.set_filter(handle, Filter { layers: 2, mask: 2, group: 0 }).unwrap(),
    ];
    for (index, leave) in leaves.iter().enumerate() {
        let other = world.insert(far());
        assert!(searches(&mut world) > 0, "{index}");
        leave(&mut world, other);
        assert_eq!(searches(&mut world), 0, "{index}");
    }
}

#[test]
fn a_far_world_has_no_more_candidates_than_one_at_the_origin() {
    let candidates = |at: DVec2| {
        let mut world = World::new();
        for i in 0..400 {
            let position = at + DVec2::new(f64::from(i % 20), f64::from(i / 20)) * 1.25;
            world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(position).unwrap());
        }
        // One that is lost in space does not spoil it for the others.
        world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([-1e20, 1e25]).unwrap());
        let mut pairs = Vec::new();
        world.update();
        world.draw(
            &carom::world::DebugDrawOptions { candidates: true, shapes: false, ..Default::default() },
            &mut Lines(&mut pairs),
        );
        (pairs.len(), world.candidate_count())
    };
    assert_eq!(candidates(DVec2::ZERO), candidates(DVec2::new(1e9, -3e12)));
}

struct Lines<'a>(&'a mut Vec<[DVec2; 2]>);

impl carom::world::DebugDraw for Lines<'_> {
    fn line(&mut self, from: DVec2, to: DVec2, _: carom::world::DebugDrawKind) {
        self.0.push([from, to]);
    }

    fn fill(&mut self, _: &[DVec2], _: carom::world::DebugDrawKind) {}
}
