//! Random slots, reused many times. Compares bodies and particles with a map from slots to their
//! newest handle.

use std::collections::BTreeMap;

use carom::response::{Masses, Particle, Particles};
use carom::{Collider, ErrorKind, Handle, Shape, World};

const SEED: u64 = 0x57a1e;

/// The rule by itself: one entry per slot, and a handle of an older generation than the stored one is refused.
#[derive(Default)]
struct Model(BTreeMap<u64, (u64, f64)>);

fn parts(handle: Handle) -> (u64, u64) {
    (handle.to_bits() & 0xffff_ffff, handle.to_bits() >> 32)
}

impl Model {
    /// False if the handle is stale.
    fn put(&mut self, handle: Handle, mass: f64) -> bool {
        let (slot, generation) = parts(handle);
        let newest = self.0.get(&slot).is_none_or(|&(stored, _)| stored <= generation);
        if handle != Handle::NONE && newest {
            self.0.insert(slot, (generation, mass));
            return true;
        }
        false
    }

    fn get(&self, handle: Handle) -> Option<f64> {
        let (slot, generation) = parts(handle);
        self.0.get(&slot).filter(|&&(stored, _)| stored == generation).map(|&(_, mass)| mass)
    }

    fn remove(&mut self, handle: Handle) -> Option<f64> {
        let mass = self.get(handle)?;
        self.0.remove(&parts(handle).0);
        Some(mass)
    }
}

/// One of the newest handles, stale or not; sometimes one that no world returned.
fn any(rng: &mut fastrand::Rng, given: &[Handle]) -> Handle {
    match rng.u32(0..20) {
        0 => Handle::NONE,
        1 => Handle::from_bits(rng.u64(0..12) << 32 | rng.u64(0..8)),
        _ => given[given.len() - 1 - rng.u64(0..given.len().min(12) as u64) as usize],
    }
}

/// Regression: an old handle was stored again, and replaced the body and particle of the collider
/// that now has its slot. The masses and velocities of the living collider were lost.
#[test]
fn bodies_and_particles_follow_the_newest_handle_of_each_slot() {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let (mut world, mut bodies, mut particles) = (World::new(), Masses::new(), Particles::new());
    let (mut of_bodies, mut of_particles) = (Model::default(), Model::default());
    let mut given = vec![world.insert(Collider::new(Shape::circle(1.0).unwrap()))];
    let mut refusals = 0;
    for step in 0..4000 {
        let (handle, mass) = (any(&mut rng, &given), f64::from(rng.u32(1..50)));
        match rng.u32(0..8) {
            0 if world.len() < 6 => given.push(world.insert(Collider::new(Shape::circle(1.0).unwrap()))),
            1 => drop(world.remove(handle)),
            2 | 3 => {
                let done = if rng.bool() {
                    bodies.set_mass(handle, mass)
                } else {
                    bodies.set_inverse_mass(handle, 1.0 / mass)
                };
                assert_eq!(
                    done.map_err(|error| error.kind()),
                    of_bodies.put(handle, mass).then_some(()).ok_or(ErrorKind::StaleHandle)
                );
            }
            4 | 5 => {
                let done = particles.insert(handle, Particle::new(mass).unwrap().velocity([mass, 0.0]).unwrap());
                refusals += usize::from(done.is_err());
                assert_eq!(
                    done.map_err(|error| error.kind()),
                    of_particles.put(handle, mass).then_some(()).ok_or(ErrorKind::StaleHandle)
                );
            }
            6 => assert_eq!(bodies.remove(handle), of_bodies.remove(handle).is_some()),
            _ => assert_eq!(
                particles.remove(handle).map(|p| p.inverse_mass()),
                of_particles.remove(handle).map(|mass| 1.0 / mass)
            ),
        }
        for &handle in given.iter().rev().take(40).chain([&Handle::NONE, &handle]) {
            assert_eq!(
                bodies.inverse_mass(handle),
                of_bodies.get(handle).map_or(0.0, |mass| 1.0 / mass),
                "step {step}, {handle:?}"
            );
            assert_eq!(
                particles.velocity(handle),
                of_particles.get(handle).map(|mass| [mass, 0.0].into()),
                "step {step}, {handle:?}"
            );
        }
        assert_eq!((bodies.len(), particles.len()), (of_bodies.0.len(), of_particles.0.len()));
    }
    assert!(refusals > 100 && given.len() > 100, "hardly any slot was used again");
}
