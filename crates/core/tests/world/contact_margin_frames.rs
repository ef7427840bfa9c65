//! Contact margins over frames: contacts and events by exact distances, the same bits with every
//! broad phase, and no influence on contacts that intersect.

use std::collections::{BTreeMap, BTreeSet};

use carom::{Collider, DVec2, Handle, Manifold, Pose, Shape, World};

use crate::support::broads;
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::kinds::KINDS;

type Pair = [Handle; 2];

/// Colliders of all kinds that move at random.
struct Scene {
    rng: fastrand::Rng,
    world: World,
    handles: Vec<Handle>,
}

impl Scene {
    fn new(mut world: World, seed: u64, [margin, largest]: [f64; 2], one_ways: bool) -> Self {
        world.set_default_contact_margin(margin).unwrap();
        let mut scene = Self { rng: fastrand::Rng::with_seed(seed), world, handles: Vec::new() };
        for i in 0..36 {
            // Shapes with many vertices take most of the time of the oracle.
            let shape = (KINDS[i % 11].1)(&mut scene.rng).scaled(0.5, 0.5).unwrap();
            let mut collider = Collider::new(shape).pose(scene.pose()).fixed(i % 9 == 0).sensor(i % 7 == 0);
            let own = scene.rng.f64() * largest;
            if i % 4 == 0 {
                collider = collider.contact_margin(own).unwrap();
            }
            if one_ways && i % 5 == 0 {
                collider = collider.one_way([0.0, 1.0]).unwrap();
            }
            scene.handles.push(scene.world.insert(collider));
        }
        scene
    }

    fn pose(&mut self) -> Pose {
        let position = DVec2::new(self.rng.f64(), self.rng.f64()) * 12.0;
        let (position, degrees) =
            if self.rng.bool() { (position, self.rng.f64() * 360.0) } else { ((position * 4.0).round() / 4.0, 0.0) };
        Pose::from_degrees(position, degrees).unwrap()
    }

    /// Two of three move: a short way, along the lattice, anywhere, or up to the first impact.
    fn write(&mut self) {
        for i in 0..self.handles.len() {
            let handle = self.handles[i];
            let (displacement, kind) = (DVec2::new(self.rng.f64() - 0.5, self.rng.f64() - 0.5), self.rng.u8(0..30));
            let (pose, elsewhere) = (self.world.pose(handle).unwrap(), self.pose());
            let moved = |by: DVec2| pose.with_translation(pose.translation() + by).unwrap();
            match kind {
                0..9 => self.world.set_pose(handle, moved(displacement * 0.5)).unwrap(),
                9..18 => self.world.set_pose(handle, moved((displacement * 4.0).round() / 4.0)).unwrap(),
                18 => self.world.set_pose(handle, elsewhere).unwrap(),
                19 => self.world.set_motion(handle, displacement * 4.0, 0.0).unwrap(),
                _ => {}
            }
        }
    }
}

/// The pairs whose exact distance is at most their margin.
fn within_margin(world: &World) -> BTreeSet<Pair> {
    let all: Vec<_> =
        world.colliders().map(|(handle, collider)| (handle, collider, Outline::of_parts(collider.placed()))).collect();
    let margin = |own: Option<f64>| own.unwrap_or(world.default_contact_margin());
    let mut found = BTreeSet::new();
    for (i, (a, p, of_p)) in all.iter().enumerate() {
        for (b, q, of_q) in &all[i + 1..] {
            let margin = margin(p.contact_margin).max(margin(q.contact_margin));
            let is_near = || {
                let mut pairs = of_p.iter().flat_map(|p| of_q.iter().map(move |q| (p, q)));
                pairs.any(|(p, q)| Difference::within(p, q, margin).relation() != Relation::Apart)
            };
            // That boxes hold their shapes is a law of its own.
            if !(p.fixed && q.fixed) && p.aabb.grown(margin).intersects(&q.aabb) && is_near() {
                found.insert([*a, *b]);
            }
        }
    }
    found
}

#[test]
fn contacts_and_events_follow_the_exact_distances_in_every_broad_phase() {
    for (seed, margins) in [(1, [0.25, 1.0]), (2, [0.0, 0.5]), (3, [0.5, 0.0])] {
        let mut scenes = broads::worlds().map(|world| Scene::new(world, seed, margins, false));
        let (mut before, mut crossings) = (BTreeSet::new(), [0; 3]);
        for frame in 0..24 {
            for scene in &mut scenes {
                scene.write();
                if frame % 6 == 5 {
                    let bytes = scene.world.to_bytes();
                    scene.world.restore(&bytes).unwrap();
                    assert_eq!(scene.world.to_bytes(), bytes);
                }
                if frame == 12 {
                    scene.world.set_default_contact_margin(margins[1]).unwrap();
                }
                scene.world.update();
            }
            let context = format!("seed {seed}, frame {frame}");
            let world = &scenes[0].world;
            for other in &scenes[1..] {
                let name = other.world.broad_phase_name();
                assert_eq!(other.world.state_hash(), world.state_hash(), "{context}, {name}");
                assert_eq!(other.world.candidate_count(), world.candidate_count(), "{context}, {name}");
            }
            let expected = within_margin(world);
            let contacts: Vec<Pair> = world.contacts().map(|contact| [contact.a, contact.b]).collect();
            assert_eq!(contacts, expected.iter().copied().collect::<Vec<_>>(), "{context}");
            let events = |begins: bool| {
                let chosen = world.events().filter(move |event| event.is_begin() == begins);
                chosen.map(|event| [event.contact().a, event.contact().b]).collect::<BTreeSet<_>>()
            };
            assert_eq!(events(true), &expected - &before, "{context}");
            assert_eq!(events(false), &before - &expected, "{context}");
            crossings[0] += events(true).len();
            crossings[1] += events(false).len();
            crossings[2] += world.contacts().filter(|contact| contact.depth < 0.0).count();
            before = expected;
        }
        assert!(crossings.iter().all(|&count| count > 40), "begun, ended, with a gap: {crossings:?}");
    }
}

/// Law: a margin only adds contacts with a gap. The others have the normals and depths of a world
/// without a margin, one-way colliders included.
#[test]
fn contacts_that_intersect_do_not_depend_on_the_margin() {
    let mut gaps_at_fronts = 0;
    for seed in 0..12 {
        let mut scenes = [[0.0, 0.0], [0.3, 0.6]].map(|margins| Scene::new(World::new(), seed, margins, true));
        for frame in 0..60 {
            let [plain, margin] = &mut scenes;
            plain.write();
            margin.write();
            plain.world.update();
            margin.world.update();
            let of = |world: &World| -> BTreeMap<Pair, Vec<(DVec2, f64)>> {
                let touching = world.contacts().filter(|contact| contact.depth >= 0.0);
                let key = |manifold: Manifold| (manifold.normal, manifold.depth);
                let deep = |manifold: &Manifold| manifold.depth >= 0.0;
                touching.map(|c| ([c.a, c.b], c.manifolds().filter(deep).map(key).collect())).collect()
            };
            assert_eq!(of(&plain.world), of(&margin.world), "seed {seed}, frame {frame}");
            for contact in margin.world.contacts().filter(|contact| contact.depth < 0.0) {
                for (handle, normal) in [(contact.a, contact.normal), (contact.b, -contact.normal)] {
                    let collider = margin.world.get(handle).unwrap();
                    let Some(one_way) = collider.one_way else { continue };
                    assert!(normal.dot(collider.pose.rotate_vector(one_way.front())) >= 0.5, "a gap behind the front");
                    gaps_at_fronts += 1;
                }
            }
        }
    }
    assert!(gaps_at_fronts > 100, "only {gaps_at_fronts} gaps before one-way colliders");
}

/// A jumper that lands on a one-way platform, stays near it, and one that comes from below.
#[test]
fn a_one_way_platform_reports_gaps_before_its_front_only() {
    let mut world = World::new();
    world.set_default_contact_margin(0.25).unwrap();
    let plank = Collider::new(Shape::rectangle(4.0, 0.5).unwrap()).fixed(true).one_way([0.0, 1.0]).unwrap();
    world.insert(plank);
    let hero = world.insert(Collider::new(Shape::rectangle(0.5, 0.5).unwrap()).at([0.0, 2.0]).unwrap());
    let mut depths = |heights: &[f64]| -> Vec<Option<f64>> {
        let depth = |&y: &f64| {
            world.set_position(hero, [0.0, y]).unwrap();
            world.update();
            world.contacts().next().map(|contact| contact.depth)
        };
        heights.iter().map(depth).collect()
    };
    // Down onto the plank: a gap, a touch, an overlap, and a gap again.
    let down = depths(&[1.0, 0.75, 0.5, 0.375, 0.625]);
    assert_eq!(down, [None, Some(-0.25), Some(0.0), Some(0.125), Some(-0.125)]);
    // From below: no gap counts there, the overlap passes, and above it the gap counts at once.
    let up = depths(&[-1.0, -0.625, -0.375, 0.0, 0.375, 0.625, 2.0]);
    assert_eq!(up, [None, None, None, None, None, Some(-0.125), None]);
    // A gap at the side does not count.
    world.set_position(hero, [2.375, 0.0]).unwrap();
    world.update();
    assert_eq!(world.contacts().len(), 0);
}

/// A hero that has jumped through a one-way platform is above it with a gap. It no longer passes, so both the surface
/// contacts and the next update report the gap. Below the platform none of them does.
#[test]
fn surface_contacts_report_gaps_to_one_way_colliders_as_the_next_update_does() {
    for (end, expected) in [(0.875, Some(-0.125)), (-0.875, None), (1.125, None)] {
        let mut world = World::new();
        world.set_default_contact_margin(0.25).unwrap();
        let platform = Collider::new(Shape::rectangle(4.0, 0.5).unwrap()).one_way([0.0, 1.0]).unwrap();
        let platform = world.insert(platform.fixed(true));
        let hero = world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([0.0, -2.0]).unwrap());
        for y in [-2.0, -0.5, 0.0, 0.25] {
            world.set_position(hero, [0.0, y]).unwrap();
            world.update();
            assert!(world.contact_between(platform, hero).is_none(), "passes at {y}");
        }
        world.set_position(hero, [0.0, end]).unwrap();
        let mut found = Vec::new();
        world.surface_contacts(hero, 0.25, &mut found).unwrap();
        world.update();
        let of_update = world.contact_between(platform, hero).map(|contact| contact.manifold().depth);
        let of_surface = found.first().map(|(_, manifold)| manifold.depth);
        assert_eq!([of_surface, of_update], [expected; 2], "at {end}");
        assert!(found.iter().all(|(_, manifold)| manifold.normal == DVec2::Y), "at {end}: {found:?}");
    }
}
