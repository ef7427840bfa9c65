//! Promise: the handle of a removed collider never names the collider that took its slot. Every
//! public call that takes a handle refuses it or finds nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use carom::broad_phase::Filter;
use carom::response::{Masses, Particle, Particles, resolve_penetration};
use carom::world::{Command, OneWay, QueryFilter, Recording};
use carom::{Collider, Error, ErrorKind, Event, Handle, Pose, Shape, World};

/// A world in which `new` has the slot of the removed `old`, with both as body and particle where that is allowed.
#[derive(Clone)]
struct Fixture {
    world: World,
    bodies: Masses,
    particles: Particles,
    /// Touches `new`, and so did `old`.
    neighbour: Handle,
}

fn ball() -> Collider {
    Collider::new(Shape::circle(1.0).unwrap())
}

fn fixture() -> (Fixture, [Handle; 2]) {
    let mut world = World::new();
    let neighbour = world.insert(ball().at([1.5, 0.0]).unwrap());
    let old = world.insert(ball());
    world.update();
    world.remove(old);
    let new = world.insert(ball());
    assert_eq!((new.index(), new != old), (old.index(), true));
    world.update();
    let (mut bodies, mut particles) = (Masses::new(), Particles::new());
    bodies.set_mass(new, 2.0).unwrap();
    particles.insert(new, Particle::new(2.0).unwrap()).unwrap();
    (Fixture { world, bodies, particles, neighbour }, [old, new])
}

/// True if a call refused its handle as stale; any other error is a failure.
fn refused<T>(result: Result<T, Error>) -> bool {
    result.map_err(|error| assert_eq!(error.kind(), ErrorKind::StaleHandle, "{error}")).is_err()
}

fn elsewhere() -> Pose {
    Pose::from_translation([50.0, 0.0]).unwrap()
}

/// A public function, as `file::name`, and a call of it: true if the handle was refused or nothing was found under it.
type Case = (&'static str, fn(&mut Fixture, Handle) -> bool);

/// Every public function that takes a handle, but for [`REMOVED`].
const FUNCTIONS: &[Case] = &[
    ("mutation::remove", |f, h| f.world.remove(h).is_none()),
    ("mutation::set_pose", |f, h| refused(f.world.set_pose(h, elsewhere()))),
    ("mutation::set_position", |f, h| refused(f.world.set_position(h, [9.0, 9.0]))),
    ("mutation::translate", |f, h| refused(f.world.translate(h, [9.0, 9.0]))),
    ("mutation::set_rotation", |f, h| refused(f.world.set_rotation(h, 0.5))),
    ("mutation::set_poses", |f, h| refused(f.world.set_poses(&[f.neighbour, h], &[elsewhere(); 2]))),
    ("contact_margin::set_contact_margin", |f, h| refused(f.world.set_contact_margin(h, Some(1.0)))),
    ("mutation::set_shape", |f, h| refused(f.world.set_shape(h, Shape::circle(3.0).unwrap()))),
    ("mutation::set_shapes", |f, h| {
        refused(f.world.set_shapes(&[f.neighbour, h], &[Shape::circle(3.0).unwrap(), Shape::circle(3.0).unwrap()]))
    }),
    ("mutation::set_filter", |f, h| refused(f.world.set_filter(h, Filter { group: 7, ..Filter::default() }))),
    ("mutation::set_sensor", |f, h| refused(f.world.set_sensor(h, true))),
    ("mutation::set_fixed", |f, h| refused(f.world.set_fixed(h, true))),
    ("mutation::set_enabled", |f, h| refused(f.world.set_enabled(h, false))),
    ("mutation::set_one_way", |f, h| refused(f.world.set_one_way(h, Some(OneWay::new([0.0, 1.0]).unwrap())))),
    ("mutation::set_user_data", |f, h| refused(f.world.set_user_data(h, 9))),
    ("mutation::set_pair_enabled", |f, h| {
        refused(f.world.set_pair_enabled(f.neighbour, h, false))
            & refused(f.world.set_pair_enabled(h, f.neighbour, false))
    }),
    ("ccd::set_motion", |f, h| refused(f.world.set_motion(h, [5.0, 0.0], 0.0))),
    ("mod::contains", |f, h| !f.world.contains(h)),
    ("mod::get", |f, h| f.world.get(h).is_none()),
    ("mod::shape", |f, h| f.world.shape(h).is_none()),
    ("mod::pose", |f, h| f.world.pose(h).is_none()),
    ("mod::position", |f, h| f.world.position(h).is_none()),
    ("mod::placed", |f, h| f.world.placed(h).is_none()),
    ("mod::contacts_of", |f, h| f.world.contacts_of(h).next().is_none()),
    ("surface::surface_contacts", |f, h| {
        f.world.surface_contacts(h, 1.0, &mut Vec::new()).is_err_and(|error| error.kind() == ErrorKind::StaleHandle)
    }),
    ("mod::contact_between", |f, h| {
        f.world.contact_between(f.neighbour, h).is_none() & f.world.contact_between(h, f.neighbour).is_none()
    }),
    ("contact::other", |f, h| f.world.contacts().all(|c| c.other(h).is_none() && c.to_contact().other(h).is_none())),
    ("contact::from", |f, h| f.world.contacts().all(|c| c.from(h).is_none() && c.to_contact().from(h).is_none())),
    ("events::other", |f, h| f.world.events().filter(Event::is_begin).all(|event| event.other(h).is_none())),
    ("events::from", |f, h| {
        let taken = f
            .world
            .take_events()
            .filter(Event::is_begin)
            .all(|event| event.from(h).is_none() && event.other(h).is_none());
        taken && f.world.events().filter(Event::is_begin).all(|event| event.from(h).is_none())
    }),
    ("mod::exclude_collider", |f, h| {
        let there = Shape::circle(0.1).unwrap();
        f.world.intersecting(there.at([-0.5, 0.0]).unwrap(), QueryFilter::ALL.exclude_collider(h)).len() == 1
    }),
    ("mod::predicate", |f, h| {
        let there = Shape::circle(0.1).unwrap();
        f.world
            .intersecting(there.at([-0.5, 0.0]).unwrap(), QueryFilter::ALL.predicate(&|found, _| found == h))
            .is_empty()
    }),
    ("update::update_with", |f, h| {
        let mut seen = false;
        f.world.clone().update_with(|a, b| {
            seen |= a == h || b == h;
            true
        });
        !seen
    }),
    ("masses::set_mass", |f, h| refused(f.bodies.set_mass(h, 5.0))),
    ("masses::set_inverse_mass", |f, h| refused(f.bodies.set_inverse_mass(h, 0.0))),
    ("masses::inverse_mass", |f, h| f.bodies.inverse_mass(h) == 0.0),
    ("masses::remove", |f, h| !f.bodies.remove(h)),
    ("particles::insert", |f, h| refused(f.particles.insert(h, Particle::new(5.0).unwrap()))),
    ("particles::remove", |f, h| f.particles.remove(h).is_none()),
    ("particles::velocity", |f, h| f.particles.velocity(h).is_none()),
    ("particles::set_velocity", |f, h| !f.particles.set_velocity(h, [1.0, 0.0]).unwrap()),
];

/// The one function that finds removed colliders, by their own handles.
const REMOVED: &str = "mod::removed_collider";

/// Functions of collections without a world: they accept a handle whose slot is unused or has an older handle.
const STORES: [&str; 3] = ["masses::set_mass", "masses::set_inverse_mass", "particles::insert"];

/// A variant of [`Call`] by its name, and how to make one.
type Variant = (&'static str, fn(Handle) -> Command);

/// Every variant of [`Call`] that names a collider.
const CALLS: &[Variant] = &[
    ("Remove", Command::Remove),
    ("SetPose", |h| Command::SetPose(h, elsewhere())),
    ("SetMotion", |h| Command::SetMotion(h, [5.0, 0.0].into(), 0.0)),
    ("SetShape", |h| Command::SetShape(h, Shape::circle(3.0).unwrap())),
    ("SetFilter", |h| Command::SetFilter(h, Filter { group: 7, ..Filter::default() })),
    ("SetSensor", |h| Command::SetSensor(h, true)),
    ("SetFixed", |h| Command::SetFixed(h, true)),
    ("SetEnabled", |h| Command::SetEnabled(h, false)),
    ("SetUserData", |h| Command::SetUserData(h, 9)),
    ("SetOneWay", |h| Command::SetOneWay(h, None)),
    ("SetContactMargin", |h| Command::SetContactMargin(h, Some(1.0))),
    ("SetPair", |h| Command::SetPair(h, h, false)),
];

/// All that a refused call must leave as it was.
fn state(fixture: &Fixture) -> impl PartialEq + std::fmt::Debug {
    let of = |bodies: &Masses| (bodies.handles().to_vec(), bodies.inverse_masses().to_vec());
    let Fixture { world, bodies, particles, .. } = fixture;
    (world.to_bytes(), of(bodies), of(particles.bodies()), particles.velocities().to_vec())
}

/// Calls a function on a copy while it is recorded; true if the handle named nothing and nothing
/// was changed or recorded.
fn is_nothing(fixture: &Fixture, call: impl FnOnce(&mut Fixture) -> bool) -> bool {
    let mut copy = fixture.clone();
    copy.world.start_recording();
    if !call(&mut copy) {
        return false;
    }
    let recording = Recording::from_bytes(&copy.world.stop_recording().unwrap()).unwrap();
    assert!(recording.calls().is_empty(), "recorded {:?}", recording.calls());
    assert_eq!(state(&copy), state(fixture));
    true
}

#[test]
fn a_stale_handle_is_refused_or_names_nothing_in_every_public_function() {
    let (mut fixture, [old, new]) = fixture();
    let later = Handle::from_bits(new.to_bits() + (1 << 32));
    let strange = [Handle::NONE, later, Handle::from_bits(1000), Handle::from_bits(u64::MAX - 1)];
    for restored in [false, true] {
        if restored {
            fixture.world = World::from_bytes(&fixture.world.to_bytes()).unwrap();
        }
        for &(name, call) in FUNCTIONS {
            assert!(!is_nothing(&fixture, |f| call(f, new)), "{name} does not know a collider that is there");
            assert!(is_nothing(&fixture, |f| call(f, old)), "{name} takes a removed collider for the one in its slot");
            assert!(is_nothing(&fixture, |f| call(f, Handle::NONE)), "{name} accepts Handle::NONE");
            if !STORES.contains(&name) {
                assert!(
                    strange.iter().all(|&h| is_nothing(&fixture, |f| call(f, h))),
                    "{name} accepts a handle of no collider"
                );
            }
        }
        for (name, call) in CALLS {
            assert!(!is_nothing(&fixture, |f| refused(call(new).apply(&mut f.world))), "Call::{name}");
            let mut stale = strange.into_iter().chain([old]);
            assert!(stale.all(|h| is_nothing(&fixture, |f| refused(call(h).apply(&mut f.world)))), "Call::{name}");
        }
        assert!(fixture.world.removed_collider(old).is_some() && fixture.world.removed_collider(new).is_none());
    }
}

/// A body whose collider is gone stays in its list until it is removed there; the collider in its slot is no body.
#[test]
fn a_dead_body_moves_nothing() {
    let (Fixture { mut world, neighbour, .. }, [old, new]) = fixture();
    let (mut bodies, mut particles) = (Masses::new(), Particles::new());
    bodies.set_mass(old, 1.0).unwrap();
    particles.insert(old, Particle::new(1.0).unwrap().velocity([3.0, 0.0]).unwrap()).unwrap();
    let before = world.to_bytes();
    let separation = resolve_penetration(&mut world, &bodies);
    assert_eq!((separation.iterations, world.to_bytes() == before), (0, true));
    assert_eq!(particles.step(&mut world, 1.0).unwrap_err().kind(), ErrorKind::StaleHandle);
    assert_eq!(world.to_bytes(), before);
    // With the neighbour as a body all of the overlap is its to leave.
    bodies.set_mass(neighbour, 1.0).unwrap();
    assert!(resolve_penetration(&mut world, &bodies).converged);
    assert_eq!((world.pose(new), world.pose(neighbour).unwrap().translation().x > 1.99), (Some(Pose::IDENTITY), true));
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// A new function that takes a handle must get its row above.
#[test]
fn no_public_function_that_takes_a_handle_is_left_out() {
    let mut found = BTreeSet::new();
    for path in ["world", "response"].into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).unwrap();
        for function in text.split("    pub fn ").skip(1) {
            let name = &function[..function.find(['(', '<']).unwrap()];
            let arguments = function.split(" {").next().unwrap().split(") ->").next().unwrap();
            if arguments.contains("Handle") {
                found.insert(format!("{}::{name}", path.file_stem().unwrap().to_str().unwrap()));
            }
        }
    }
    let listed = FUNCTIONS.iter().map(|case| case.0).chain([REMOVED]).map(String::from).collect();
    assert_eq!(found, listed);
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/world/command.rs")).unwrap();
    let variants = text.split("\n    ").filter_map(|line| line.split_once("(Handle")).map(|(name, _)| name);
    assert_eq!(variants.collect::<BTreeSet<_>>(), CALLS.iter().map(|case| case.0).collect());
}
