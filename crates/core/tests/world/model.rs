//! Random operations on a world and on a world by definition (P27, P28).
//!
//! `CAROM_OPERATIONS=1000000` asks for as many, `CAROM_BROAD=strips` for one broad phase alone.

use carom::broad_phase::Filter;
use carom::world::{OneWay, Recording};
use carom::{Collider, DVec2, ErrorKind, Event, Handle, Manifold, Pose, Shape, World};

use super::brute::Brute;
use super::brute_motion::{SLIDES, as_pair};
use super::queries;
use crate::support::broads;
use crate::support::run::from_environment;

const SEED: u64 = 0x0c0_111d;

fn operations() -> u64 {
    from_environment("CAROM_OPERATIONS").unwrap_or(1500)
}

/// A world, its expected state, and the random numbers.
struct Trial {
    rng: fastrand::Rng,
    world: World,
    brute: Brute,
    /// Handles that were given away, stale ones too.
    handles: Vec<Handle>,
    begins: usize,
    ends: usize,
    collisions: usize,
    passed: usize,
    /// True if a motion slid over a seam. The model does not define where it hits the same parts next, so the trial
    /// ends.
    slid: bool,
    /// True if some are one-way. Then all are convex, because the model knows the manifolds of
    /// convex shapes only.
    one_ways: bool,
    /// True if margins are set.
    margins: bool,
    /// A saved state: as bytes, as a clone, and as the expected state.
    saved: Option<(Vec<u8>, World, Brute, [usize; 2])>,
}

impl Trial {
    fn new(world: World, seed: u64, [one_ways, margins]: [bool; 2]) -> Self {
        let rng = fastrand::Rng::with_seed(seed);
        let mut trial = Self {
            rng,
            world,
            brute: Brute::default(),
            handles: Vec::new(),
            begins: 0,
            ends: 0,
            collisions: 0,
            passed: 0,
            slid: false,
            saved: None,
            one_ways,
            margins,
        };
        if one_ways {
            // From the first one on poses are kept from update to update.
            trial.put(Collider::new(Shape::rectangle(4.0, 0.5).unwrap()).one_way([0.0, 1.0]).unwrap());
        }
        trial
    }

    fn pose(&mut self) -> Pose {
        // Half of them on a lattice, where much touches exactly.
        let mut position = DVec2::new(self.rng.f64(), self.rng.f64()) * 12.0;
        let mut degrees = self.rng.f64() * 360.0;
        if self.rng.bool() {
            (position, degrees) = (position.round(), f64::from(self.rng.u8(0..4)) * 90.0);
        }
        Pose::from_degrees(position, degrees).unwrap()
    }

    fn shape(&mut self) -> Shape {
        match self.rng.u8(0..if self.one_ways { 5 } else { 7 }) {
            0..3 => Shape::circle(f64::from(self.rng.u8(0..4)) * 0.5).unwrap(),
            // Of either kind a few, alike and not.
            3 => Shape::rectangle(1.0, f64::from(self.rng.u8(1..4))).unwrap(),
            4 => Shape::polygon(&[[0.0, 0.0], [f64::from(self.rng.u8(1..4)), 0.0], [0.0, 1.0]]).unwrap(),
            5 => Shape::chain(&[[-2.0, 0.0], [0.0, 1.0], [2.0, 0.0]]).unwrap(),
            _ => Shape::compound([
                (Shape::rectangle(0.5, 1.0).unwrap(), Pose::from_translation([-1.0, 0.0]).unwrap()),
                (Shape::circle(0.5).unwrap(), Pose::from_translation([1.0, 0.0]).unwrap()),
            ])
            .unwrap(),
        }
    }

    fn filter(&mut self) -> Filter {
        match self.rng.u8(0..4) {
            0 => {
                // Some have no layer.
                let layer = self.rng.u8(..64);
                Filter { layers: if layer < 8 { 0 } else { 1 << layer }, mask: self.rng.u64(..), group: 0 }
            }
            1 => Filter { group: self.rng.u32(0..3), ..Filter::default() },
            _ => Filter::default(),
        }
    }

    fn handle(&mut self) -> Handle {
        self.rng.choice(&self.handles).copied().unwrap_or(Handle::NONE)
    }

    fn insert(&mut self) {
        let (shape, pose) = (self.shape(), self.pose());
        let mut collider = Collider::new(shape).pose(pose).sensor(self.rng.u8(..) < 40).fixed(self.rng.u8(..) < 60);
        collider.filter = self.filter();
        collider.enabled = self.rng.u8(..) > 20;
        collider.user_data = self.rng.u64(..);
        collider.one_way = self.one_way().filter(|_| self.rng.u8(0..3) == 0);
        if let Some(margin) = self.margin() {
            collider = collider.contact_margin(margin).unwrap();
        }
        self.put(collider);
    }

    fn put(&mut self, collider: Collider) {
        let handle = self.world.insert(collider.clone());
        self.brute.insert(handle, collider);
        self.handles.push(handle);
    }

    /// Mostly a way up.
    fn one_way(&mut self) -> Option<OneWay> {
        let angle = [std::f64::consts::FRAC_PI_2, self.rng.f64() * 6.0][usize::from(self.rng.u8(0..4) == 0)];
        (self.one_ways && self.rng.u8(0..4) != 0).then(|| OneWay::new([libm::cos(angle), libm::sin(angle)]).unwrap())
    }

    /// A margin on the lattice of poses or between, or none.
    fn margin(&mut self) -> Option<f64> {
        (self.margins && self.rng.bool()).then(|| [0.0, 0.5, 1.0, self.rng.f64()][self.rng.usize(0..4)])
    }

    fn set_default_margin(&mut self) {
        if let Some(margin) = self.margin() {
            self.world.set_default_contact_margin(margin).unwrap();
            self.brute.margin = margin;
        }
    }

    /// Lets some move during the next update; a stale handle is refused by both.
    fn set_motion(&mut self) {
        let (handle, displacement) = (self.handle(), DVec2::new(self.rng.f64() - 0.5, self.rng.f64() - 0.5) * 24.0);
        let turning = if self.rng.bool() { 0.0 } else { (self.rng.f64() - 0.5) * 8.0 };
        match self.world.set_motion(handle, displacement, turning) {
            Ok(()) => drop(self.brute.motions.insert(handle, (displacement, turning))),
            Err(error) => {
                assert!(error.kind() == ErrorKind::StaleHandle && !self.brute.colliders.contains_key(&handle));
            }
        }
    }

    /// A step as a game makes it: small, and half of them down.
    fn nudge(&mut self) {
        let (handle, down) = (self.handle(), self.rng.bool());
        let Some(pose) = self.world.pose(handle) else { return };
        let by = DVec2::new((self.rng.f64() - 0.5) * 0.5, if down { -0.25 } else { self.rng.f64() * 0.5 });
        let pose = pose.with_translation(pose.translation() + by).unwrap();
        self.world.set_pose(handle, pose).unwrap();
        self.moved(handle, pose);
    }

    fn moved(&mut self, handle: Handle, pose: Pose) {
        self.brute.motions.remove(&handle);
        self.with(handle, |c| c.pose = pose);
    }

    /// One operation on one collider; a stale handle is refused by both.
    fn write(&mut self) {
        let handle = self.handle();
        let (pose, shape, filter, yes, number) =
            (self.pose(), self.shape(), self.filter(), self.rng.bool(), self.rng.u64(..));
        let (other, one_way, margin) = (self.handle(), self.one_way(), self.margin());
        let world = &mut self.world;
        let done = match self.rng.u8(0..21 + 2 * u8::from(self.margins)) {
            0..10 => world.set_pose(handle, pose).map(|()| self.moved(handle, pose)),
            10 | 11 => world.set_shape(handle, shape.clone()).map(|()| self.with(handle, |c| c.shape = shape)),
            12 | 13 => world.set_filter(handle, filter).map(|()| self.with(handle, |c| c.filter = filter)),
            14 => world.set_sensor(handle, yes).map(|()| self.with(handle, |c| c.sensor = yes)),
            15 => world.set_fixed(handle, yes).map(|()| self.with(handle, |c| c.fixed = yes)),
            16 => world.set_enabled(handle, yes).map(|()| self.with(handle, |c| c.enabled = yes)),
            17 => world.set_user_data(handle, number).map(|()| self.with(handle, |c| c.user_data = number)),
            18 => world.set_pair_enabled(handle, other, yes).map(|()| self.rule(handle, other, yes)),
            19 => world.set_one_way(handle, one_way).map(|()| self.with(handle, |c| c.one_way = one_way)),
            21 | 22 => world.set_contact_margin(handle, margin).map(|()| {
                self.with(handle, |c| *c = with_margin(c, margin));
            }),
            _ => {
                let poses = [pose, Pose::IDENTITY];
                world.set_poses(&[handle, other], &poses).map(|()| {
                    self.moved(handle, pose);
                    self.moved(other, Pose::IDENTITY);
                })
            }
        };
        if let Err(error) = done {
            assert_eq!(error.kind(), ErrorKind::StaleHandle);
            assert!([handle, other].iter().any(|h| !self.brute.colliders.contains_key(h)));
        }
    }

    fn with(&mut self, handle: Handle, write: impl FnOnce(&mut Collider)) {
        write(self.brute.colliders.get_mut(&handle).expect("a stale handle was accepted"));
    }

    fn rule(&mut self, a: Handle, b: Handle, allowed: bool) {
        assert!([a, b].iter().all(|h| self.brute.colliders.contains_key(h)));
        self.brute.off.retain(|&pair| pair != (a, b) && pair != (b, a));
        if !allowed && a != b {
            self.brute.off.insert((a, b));
        }
    }

    fn remove(&mut self) {
        let handle = self.handle();
        assert_eq!(self.world.remove(handle), self.brute.remove(handle));
        assert!(self.world.get(handle).is_none());
        assert_eq!(self.world.removed_collider(handle), self.brute.removed_collider(handle));
    }

    fn update(&mut self) {
        if self.rng.u8(0..4) == 0 {
            // Depends on the pair alone, not on the caller.
            let salt = self.rng.u64(..);
            let allow = |a: Handle, b: Handle| (a.to_bits() ^ b.to_bits().rotate_left(7) ^ salt).count_ones() & 3 != 0;
            self.world.update_with(allow);
            self.brute.update(allow);
        } else {
            self.world.update();
            self.brute.update(|_, _| true);
        }
        let begun = self.world.events().filter(Event::is_begin).count();
        (self.begins, self.ends) = (self.begins + begun, self.ends + self.world.events().len() - begun);
        self.collisions += self.brute.outcome.collisions.len();
        self.passed += self.brute.passing.len();
        self.slid = SLIDES.take();
        if !self.slid {
            self.check();
        }
    }

    /// Keeps the state, or goes back to the one that was kept: by bytes or by a clone, which are the same.
    fn rewind(&mut self) {
        let Some((bytes, clone, brute, [begins, ends])) = self.saved.take() else {
            let bytes = self.world.to_bytes();
            self.saved = Some((bytes, self.world.clone(), self.brute.clone(), [self.begins, self.ends]));
            return;
        };
        if self.rng.bool() || self.world.is_recording() {
            self.world.restore(&bytes).unwrap();
        } else {
            self.world = clone.clone();
        }
        assert_eq!(self.world.to_bytes(), bytes);
        assert_eq!(self.world.state_hash(), clone.state_hash());
        // Handles that were given away since may be given away again.
        self.handles = brute.colliders.keys().copied().collect();
        (self.brute, self.begins, self.ends) = (brute, begins, ends);
        self.check();
    }

    /// Contacts, events and the data of one handle.
    fn check(&mut self) {
        let (world, expected) = (&self.world, &self.brute.outcome);
        let contacts: Vec<_> = world.contacts().map(|c| (c.a, c.b)).collect();
        for pair in contacts.iter().filter(|pair| !expected.contacts.contains_key(pair)) {
            println!("only in the world: {:?}", self.brute.story(*pair));
        }
        for pair in expected.contacts.keys().filter(|pair| !contacts.contains(pair)) {
            println!("missing in the world: {:?}", self.brute.story(*pair));
        }
        assert_eq!(contacts, expected.contacts.keys().copied().collect::<Vec<_>>());
        for (contact, (deepest, all)) in world.contacts().zip(expected.contacts.values()) {
            let manifold = contact.manifold();
            assert!(alike(&manifold, deepest), "{contact:?} {deepest:?}");
            assert_eq!(
                (contact.normal, contact.depth, contact.points()),
                (manifold.normal, manifold.depth, manifold.points())
            );
            let parts: Vec<_> = contact.manifolds().collect();
            assert!(parts.len() == all.len() && parts.iter().zip(all).all(|(p, q)| alike(p, q)), "{parts:?} {all:?}");
        }
        let collisions: Vec<_> = world.motion_hits().map(as_pair).collect();
        assert_eq!(collisions, expected.collisions);
        let (mut begun, mut ended) = (Vec::new(), Vec::new());
        for event in world.events() {
            let contact = event.contact();
            match event {
                Event::Begin(contact) => begun.push((contact.a, contact.b)),
                Event::End(contact) => ended.push(((contact.a, contact.b), contact.manifold())),
            }
            for handle in [contact.a, contact.b] {
                assert!(
                    world.get(handle).is_some() || world.removed_collider(handle).is_some(),
                    "{handle:?} is not known any more"
                );
            }
        }
        assert_eq!(begun, expected.begun);
        assert!(
            ended.len() == expected.ended.len()
                && ended.iter().zip(&expected.ended).all(|(p, q)| p.0 == q.0 && alike(&p.1, &q.1))
        );
        assert_eq!(self.begins - self.ends, contacts.len());
        let order: Vec<_> =
            world.events().map(|e| (e.contact().a.index(), e.contact().b.index(), e.is_begin())).collect();
        assert!(order.is_sorted());
        for &handle in &self.handles {
            let own: Vec<_> = world.contacts_of(handle).collect();
            let all: Vec<_> =
                world.contacts().filter(|c| c.a == handle || c.b == handle).map(|c| c.from(handle).unwrap()).collect();
            assert_eq!(own, all, "{handle:?}");
            assert_eq!(world.get(handle).map(|c| c.to_collider()), self.brute.colliders.get(&handle).cloned());
            assert_eq!(world.removed_collider(handle), self.brute.removed_collider(handle), "{handle:?}");
        }
        assert_eq!(world.len(), self.brute.colliders.len());
        assert_eq!(world.default_contact_margin(), self.brute.margin);
    }

    fn step(&mut self) {
        if self.slid {
            return;
        }
        match self.rng.u8(0..32) {
            0..4 if self.brute.colliders.len() < 60 => self.insert(),
            4..7 => self.remove(),
            7 => self.update(),
            8 if self.rng.u8(0..4) == 0 => self.rewind(),
            8 if self.margins => self.set_default_margin(),
            9 | 10 => self.set_motion(),
            11..16 => self.nudge(),
            _ => self.write(),
        }
        if self.slid {
            return;
        }
        queries::check(&mut self.rng, &self.world, &self.brute);
        // Queries use old handles for a while.
        if self.handles.len() > 100 {
            self.handles.remove(0);
            let live: Vec<Handle> = self.brute.colliders.keys().copied().collect();
            self.handles.extend(live.iter().filter(|h| !self.handles.contains(h)).copied().collect::<Vec<_>>());
        }
    }
}

/// A copy with another margin of its own.
fn with_margin(collider: &Collider, margin: Option<f64>) -> Collider {
    let mut copy = Collider::new(collider.shape.clone()).pose(collider.pose).sensor(collider.sensor);
    copy.filter = collider.filter;
    (copy.fixed, copy.enabled, copy.one_way) = (collider.fixed, collider.enabled, collider.one_way);
    copy.user_data = collider.user_data;
    margin.map_or(copy.clone(), |margin| copy.contact_margin(margin).unwrap())
}

/// Equal, or both pushed out of a one-way collider in the same direction. The model does not know
/// the points of that contact.
fn alike(p: &Manifold, q: &Manifold) -> bool {
    let led_out = p.points().len() == 1 && p.points()[0].depth == p.depth;
    p == q || (led_out && (p.normal, p.depth, p.part_a, p.part_b) == (q.normal, q.depth, q.part_a, q.part_b))
}

#[test]
fn any_sequence_of_operations_gives_the_contacts_and_events_of_the_definition() {
    let wanted = std::env::var("CAROM_BROAD").ok();
    for [one_ways, margins] in [[false, false], [true, false], [false, true], [true, true]] {
        let mut hashes = Vec::new();
        for world in broads::worlds()
            .into_iter()
            .filter(|world| wanted.as_ref().is_none_or(|wanted| world.broad_phase_name().starts_with(wanted)))
        {
            print!("{}, one-way colliders {one_ways}, margins {margins}, seed {SEED:#x}: ", world.broad_phase_name());
            let mut trial = Trial::new(world, SEED, [one_ways, margins]);
            let done = (0..operations())
                .take_while(|_| {
                    trial.step();
                    !trial.slid
                })
                .count();
            if !trial.slid {
                trial.update();
            }
            assert!(done as u64 >= 1500.min(operations()), "a slide after {done} operations");
            let Trial { begins, collisions, passed, .. } = trial;
            hashes.push(trial.world.state_hash());
            println!(
                "{begins} began, {collisions} collisions, {passed} times let pass, hash {:016x}",
                hashes[hashes.len() - 1]
            );
            assert!(begins > 50 && collisions > 10 && (passed > 10) == one_ways, "hardly anything met");
        }
        assert!(!hashes.is_empty() && hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    }
}

#[test]
fn a_recording_made_again_ends_in_the_same_state() {
    println!("seed {SEED:#x}");
    let mut trial = Trial::new(World::new(), SEED + 1, [true, true]);
    (0..500).for_each(|_| trial.step());
    trial.world.start_recording();
    (0..1500).for_each(|_| trial.step());
    let bytes = trial.world.stop_recording().unwrap();
    let recording = Recording::from_bytes(&bytes).unwrap();
    let mut again = recording.start().clone();
    recording.calls().iter().for_each(|call| call.apply(&mut again).unwrap());
    assert_eq!(again.state_hash(), trial.world.state_hash());
    assert_eq!(recording.final_hash(), trial.world.state_hash());
    assert!(recording.calls().len() > 1000);
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..300 {
        let mut broken = bytes.clone();
        let bit = rng.usize(56..bytes.len() * 8);
        broken[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Recording::from_bytes(&broken).unwrap_err().kind(), ErrorKind::InvalidData);
        assert!(Recording::from_bytes(&bytes[..bit / 8]).is_err());
    }
}
