//! Many balls in a box: none is lost, none leaves, none remains inside another.

use carom::response::{Particle, Particles};
use carom::{Aabb, Collider, DVec2, Shape, World};

use crate::support::run::from_environment;

/// Steps of the long runs: `CAROM_STEPS=10000` is the size that is promised.
fn steps(fewer: usize) -> usize {
    from_environment("CAROM_STEPS").map_or(fewer, |steps| steps as usize)
}

/// Balls of radius 0.5 on a lattice over 30 % of a box, with masses by their number, speeds of 1 to
/// 5 in random directions.
fn gas(count: usize, mass: impl Fn(usize) -> f64, walls: bool) -> (World, Particles, Aabb) {
    let mut rng = fastrand::Rng::with_seed(11);
    let side = (count as f64).sqrt().ceil();
    let pitch = (std::f64::consts::PI * 0.25 / 0.3).sqrt();
    let half = 0.5 * pitch * side;
    let (mut world, mut particles) = (World::new(), Particles::new());
    let inside = Aabb::new([-half, -half], [half, half]).unwrap();
    for i in 0..count {
        let cell = DVec2::new((i as f64 % side).floor() + 0.5, (i as f64 / side).floor() + 0.5);
        let jitter = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * (pitch - 1.0);
        let handle = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(cell * pitch + jitter - half).unwrap());
        let velocity = DVec2::from_angle(rng.f64() * std::f64::consts::TAU) * (1.0 + 4.0 * rng.f64());
        particles
            .insert(handle, Particle::new(mass(i)).unwrap().velocity(velocity).unwrap().restitution(1.0).unwrap())
            .unwrap();
    }
    particles.set_walls(walls.then_some(inside));
    (world, particles, inside)
}

/// The deepest overlap as a share of the radius: all pairs anew.
fn deepest(world: &World) -> f64 {
    let mut copy = world.clone();
    copy.update();
    copy.contacts().map(|contact| contact.depth / 0.5).fold(0.0, f64::max)
}

#[test]
fn energy_momentum_and_the_box_are_kept() {
    let mixed = |i: usize| [1.0, 0.1, 2.5, 10.0][i % 4];
    for walls in [true, false] {
        let (mut world, mut particles, inside) = gas(1000, mixed, walls);
        let (energy, momentum) = (particles.kinetic_energy(), particles.momentum());
        let size: f64 =
            particles.bodies().inverse_masses().iter().zip(particles.velocities()).map(|(w, v)| v.length() / w).sum();
        let mut began = 0;
        for step in 0..steps(400) {
            particles.step(&mut world, 1.0 / 60.0).unwrap();
            began += world.events().filter(carom::Event::is_begin).count();
            assert!(deepest(&world) <= 0.01, "step {step}, walls {walls}: {}", deepest(&world));
            for (_, ball) in world.colliders().filter(|_| walls) {
                let (p, q) = (ball.pose.translation() - 0.5, ball.pose.translation() + 0.5);
                assert!(
                    p.cmpge(inside.min() - 1e-12).all() && q.cmple(inside.max() + 1e-12).all(),
                    "step {step}: {p} {q}"
                );
            }
        }
        assert!(began > 1000, "{began} contacts began");
        assert!(
            (particles.kinetic_energy() / energy - 1.0).abs() < 1e-4,
            "{}",
            particles.kinetic_energy() / energy - 1.0
        );
        if !walls {
            assert!((particles.momentum() - momentum).length() < 1e-9 * size);
        }
    }
}

#[test]
fn two_masses_come_to_the_same_mean_energy() {
    // Light and heavy ones begin with the same speeds, so with energies as 1 to 4.
    let mass = |i: usize| if i.is_multiple_of(2) { 1.0 } else { 4.0 };
    let (mut world, mut particles, _) = gas(400, mass, true);
    let (steps, mut sums) = (steps(4000), [0.0; 2]);
    for step in 0..steps {
        particles.step(&mut world, 1.0 / 60.0).unwrap();
        for (i, v) in particles.velocities().iter().enumerate().filter(|_| step >= steps / 2) {
            sums[i % 2] += 0.5 * mass(i) * v.length_squared();
        }
    }
    assert!((sums[0] / sums[1] - 1.0).abs() < 0.05, "{}", sums[0] / sums[1]);
}
