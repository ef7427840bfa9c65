//! Fast particles bounce at the position and time of the impact, and use the rest of the step.

use carom::response::{MAX_IMPACTS_PER_STEP, Particle, Particles};
use carom::{Aabb, Collider, DVec2, Handle, IntoPoint, Shape, World};

use crate::support::broads;

const DT: f64 = 1.0 / 64.0;

fn ball(
    world: &mut World,
    particles: &mut Particles,
    at: impl IntoPoint,
    velocity: impl IntoPoint,
    mass: f64,
) -> Handle {
    let handle = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(at).unwrap());
    particles
        .insert(handle, Particle::new(mass).unwrap().velocity(velocity).unwrap().restitution(1.0).unwrap())
        .unwrap();
    handle
}

/// Two blocks, between which the middle of a ball of radius 0.5 may be at x from `low` to `high`.
fn blocks(world: &mut World, low: f64, high: f64) {
    for x in [low - 1.0, high + 1.0] {
        world.insert(Collider::new(Shape::rectangle(1.0, 50.0).unwrap()).at([x, 0.0]).unwrap().fixed(true));
    }
}

fn x(world: &World, handle: Handle) -> f64 {
    world.pose(handle).unwrap().translation().x
}

/// Returns position and direction of a point that moves to and fro between `low` and `high`: the closed formula.
fn to_and_fro(path: f64, low: f64, high: f64) -> (f64, f64) {
    let around = (path - low).rem_euclid(2.0 * (high - low));
    if around < high - low { (low + around, 1.0) } else { (2.0 * high - low - around, -1.0) }
}

/// Law: a hundred bounces in each step, off colliders and off walls: place and speed are those of the closed formula.
#[test]
fn between_two_walls_position_and_energy_follow_the_formula() {
    for (walls, speed) in [(false, 57_600.0), (true, 57_600.0), (false, -12_345.0), (true, 777.0)] {
        let (mut world, mut particles) = (World::new(), Particles::new());
        if walls {
            particles.set_walls(Some(Aabb::new([-5.0, -9.0], [5.0, 9.0]).unwrap()));
        } else {
            blocks(&mut world, -4.5, 4.5);
        }
        let handle = ball(&mut world, &mut particles, [1.25, 0.0], [speed, 0.0], 1.0);
        let mut bounces = 0_u32;
        for step in 1..=20 {
            let report = particles.step(&mut world, DT).unwrap();
            bounces += particles.impacts().len() as u32;
            let (expected, sign) = to_and_fro(1.25 + speed * DT * f64::from(step), -4.5, 4.5);
            let (found, velocity) = (x(&world, handle), particles.velocity(handle).unwrap());
            // A time of impact is never late, so each bounce may be a little early: 1e-12 of a hundred bounces' way.
            let most = if walls { 1e-10 } else { 1e-10 * f64::from(step) };
            assert!((found - expected).abs() < most, "walls {walls}, step {step}: {found}, not {expected}");
            assert_eq!((velocity.x, velocity.y), (sign * speed, 0.0), "walls {walls}, step {step}");
            assert_eq!(report.swept, 1);
        }
        assert_eq!(bounces > 0, !walls, "walls are no impacts");
        assert!(walls || f64::from(bounces) >= (speed.abs() * DT * 20.0 / 9.0).floor(), "{bounces}");
    }
}

/// Law: balls of equal mass in a row swap velocities. Without their thickness they pass through
/// each other. So their sorted positions follow from the formula of one ball.
#[test]
fn a_row_of_fast_balls_is_as_if_they_ran_through_each_other() {
    let seed = 4;
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..4 {
        let count = 12;
        let (mut world, mut particles) = (World::new(), Particles::new());
        // Without their thickness, a place from 0 to 30.
        let mut starts: Vec<f64> = (0..count).map(|_| rng.f64() * 30.0).collect();
        starts.sort_unstable_by(f64::total_cmp);
        blocks(&mut world, 0.0, 30.0 + f64::from(count - 1));
        let speeds: Vec<f64> = (0..count).map(|_| (rng.f64() - 0.5) * 1e4).collect();
        let balls: Vec<Handle> = (0..count as usize)
            .map(|i| ball(&mut world, &mut particles, [starts[i] + i as f64, 0.0], [speeds[i], 0.0], 1.0))
            .collect();
        for step in 1..=20 {
            particles.step(&mut world, DT).unwrap();
            let mut expected: Vec<(f64, f64)> = starts
                .iter()
                .zip(&speeds)
                .map(|(start, speed)| {
                    let (position, sign) = to_and_fro(start + speed * DT * f64::from(step), 0.0, 30.0);
                    (position, sign * speed)
                })
                .collect();
            expected.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
            for (i, (&handle, (position, speed))) in balls.iter().zip(expected).enumerate() {
                let (found, velocity) = (x(&world, handle) - i as f64, particles.velocity(handle).unwrap().x);
                assert!(
                    (found - position).abs() < 1e-8 && (velocity - speed).abs() < 1e-8,
                    "seed {seed}, step {step}, ball {i}: {found} {position}"
                );
            }
        }
    }
}

/// Balls in a box, all fast; `order` numbers them in the order in which they are put in.
fn gas(broad: World, order: &[usize], walls: bool) -> (World, Particles, Vec<Handle>) {
    let mut rng = fastrand::Rng::with_seed(9);
    let (mut world, mut particles) = (broad, Particles::new());
    let all: Vec<_> = (0..order.len())
        .map(|i| {
            let at = DVec2::new((i % 6) as f64, (i / 6) as f64) * 2.0 + DVec2::new(rng.f64(), rng.f64()) * 0.5 - 5.5;
            let velocity = DVec2::from_angle(rng.f64() * std::f64::consts::TAU) * (50.0 + 400.0 * rng.f64());
            (at, velocity, [1.0, 4.0, 0.5][i % 3])
        })
        .collect();
    if walls {
        particles.set_walls(Some(Aabb::new([-7.0; 2], [7.0; 2]).unwrap()));
    }
    world.insert(Collider::new(Shape::rectangle(3.0, 0.01).unwrap()).at([0.3, 6.5]).unwrap().fixed(true));
    let mut handles = vec![Handle::NONE; order.len()];
    for &i in order {
        let (at, velocity, mass) = all[i];
        handles[i] = ball(&mut world, &mut particles, at, velocity, mass);
    }
    (world, particles, handles)
}

#[test]
fn fast_balls_among_fast_balls_keep_energy_and_momentum_and_stay_apart() {
    for walls in [true, false] {
        let order: Vec<usize> = (0..36).collect();
        let (mut world, mut particles, balls) = gas(World::new(), &order, walls);
        let (energy, momentum) = (particles.kinetic_energy(), particles.momentum());
        let mut impacts = 0;
        for step in 0..40 {
            particles.step(&mut world, DT).unwrap();
            impacts += particles.impacts().len();
            assert!(particles.impacts().is_sorted_by_key(|hit| hit.impact.time.to_bits()));
            let positions: Vec<DVec2> = balls.iter().map(|&ball| world.pose(ball).unwrap().translation()).collect();
            for (i, p) in positions.iter().enumerate() {
                assert!(!walls || p.abs().max_element() <= 6.5 + 1e-12, "step {step}: {p}");
                assert!(positions[..i].iter().all(|q| p.distance(*q) > 1.0 - 2e-3), "step {step}, ball {i}");
            }
        }
        assert!(impacts > if walls { 2_000 } else { 20 }, "{impacts} impacts");
        assert!(
            (particles.kinetic_energy() / energy - 1.0).abs() < 1e-11,
            "{}",
            particles.kinetic_energy() / energy - 1.0
        );
        if !walls {
            let block = particles.momentum() - momentum;
            assert!(block.x.abs() < 1e-9 * energy, "only the block, which lies flat, may turn momentum: {block}");
        }
    }
}

/// Law: the order of insertion makes no difference beyond rounding, which impacts amplify. A few
/// steps.
#[test]
fn another_order_of_balls_comes_to_the_same() {
    let mut order: Vec<usize> = (0..36).collect();
    let (mut world, mut particles, balls) = gas(World::new(), &order, true);
    fastrand::Rng::with_seed(1).shuffle(&mut order);
    let (mut other_world, mut other_particles, others) = gas(World::new(), &order, true);
    for step in 0..3 {
        let report = particles.step(&mut world, DT).unwrap();
        assert_eq!(report.swept, other_particles.step(&mut other_world, DT).unwrap().swept);
        assert_eq!(particles.impacts().len(), other_particles.impacts().len());
        for (&p, &q) in balls.iter().zip(&others) {
            let gap = world.pose(p).unwrap().translation() - other_world.pose(q).unwrap().translation();
            assert!(gap.length() < 1e-6, "step {step}: {gap}");
        }
    }
}

#[test]
fn every_broad_phase_comes_to_the_same_bits() {
    fn run(world: World) -> (u64, usize) {
        let order: Vec<usize> = (0..36).collect();
        let (mut world, mut particles, _) = gas(world, &order, true);
        let (mut hash, mut impacts) = (0_u64, 0);
        for _ in 0..30 {
            particles.step(&mut world, DT).unwrap();
            impacts += particles.impacts().len();
            hash = hash.rotate_left(5) ^ world.state_hash();
            for velocity in particles.velocities() {
                hash = hash.rotate_left(5) ^ velocity.x.to_bits() ^ velocity.y.to_bits().rotate_left(1);
            }
        }
        (hash, impacts)
    }
    let all = broads::worlds().map(run);
    assert!(all[0].1 > 1000);
    assert_eq!(all, [all[0]; broads::COUNT]);
}

/// After the maximum number of impacts in a step, a ball rests, and continues in the next step. It
/// passes nothing and loses no energy.
#[test]
fn a_ball_with_too_many_impacts_rests_until_the_next_step() {
    let (mut world, mut particles) = (World::new(), Particles::new());
    blocks(&mut world, -0.01, 0.01);
    let handle = ball(&mut world, &mut particles, [0.0, 0.0], [1000.0, 3.0], 1.0);
    for step in 1..=20 {
        particles.step(&mut world, DT).unwrap();
        assert_eq!(particles.impacts().len(), MAX_IMPACTS_PER_STEP as usize + 1, "step {step}");
        let (position, velocity) = (world.pose(handle).unwrap().translation(), particles.velocity(handle).unwrap());
        assert!(
            position.x.abs() < 0.01 + 1e-6 && (velocity.length_squared() - 1_000_009.0).abs() < 1e-6,
            "step {step}: {position} {velocity}"
        );
        // From one side to the other so many times, at 3 up for each 1000 across.
        let most = (f64::from(MAX_IMPACTS_PER_STEP) + 1.0) * 0.02 * 0.003 * f64::from(step);
        assert!(position.y <= most + 1e-9 && position.y > 0.99 * most, "step {step}: {position}, {most}");
    }
}

/// A fast ball hits a slow one of a tenth of its mass. The slow one becomes fast and bounces off a
/// wall that it would have passed.
#[test]
fn whom_a_fast_one_hits_flies_too() {
    let (mut world, mut particles) = (World::new(), Particles::new());
    world.insert(Collider::new(Shape::rectangle(0.001, 9.0).unwrap()).at([5.0005, 0.0]).unwrap().fixed(true));
    let fast = ball(&mut world, &mut particles, [-3.0, 0.0], [640.0, 0.0], 10.0);
    let slow = ball(&mut world, &mut particles, [0.0, 0.0], [0.0, 0.0], 1.0);
    assert_eq!(particles.step(&mut world, DT).unwrap().swept, 2);
    // Impact after 2 at 640; then 640·9/11 and 640·20/11. The light one hits the wall after 4.5 and
    // returns to the heavy one.
    let first = 2.0 / 640.0;
    let wall = first + 4.5 / (640.0 * 20.0 / 11.0);
    let [a, b] = [(wall - first) * 640.0 * 9.0 / 11.0 - 1.0, 4.5];
    let again = wall + (b - a - 1.0) / (640.0 * 29.0 / 11.0);
    let impacts: Vec<f64> = particles.impacts().iter().take(3).map(|hit| hit.impact.time * DT).collect();
    for (found, expected) in impacts.iter().zip([first, wall, again]) {
        assert!((found - expected).abs() < 1e-9, "{impacts:?}, {expected}");
    }
    assert!(x(&world, fast) + 1.0 <= x(&world, slow) + 1e-6 && x(&world, slow) <= 4.5 + 1e-6);
    assert!((particles.kinetic_energy() - 0.5 * 10.0 * 640.0 * 640.0).abs() < 1e-4);
}

/// Fast along a floor, with gravity, and without bounce: held by the floor, it slides all the way.
#[test]
fn a_pressed_particle_slides() {
    let (mut world, mut particles) = (World::new(), Particles::new());
    particles.set_gravity([0.0, -10.0]).unwrap();
    world.insert(Collider::new(Shape::rectangle(4000.0, 1.0).unwrap()).at([0.0, -0.5]).unwrap().fixed(true));
    let handle = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, 0.5]).unwrap());
    particles.insert(handle, Particle::new(1.0).unwrap().velocity([640.0, 0.0]).unwrap()).unwrap();
    for step in 1..=60 {
        particles.step(&mut world, DT).unwrap();
        let position = world.pose(handle).unwrap().translation();
        assert!(
            (position - DVec2::new(10.0 * f64::from(step), 0.5)).abs().max_element() < 5e-3,
            "step {step}: {position}"
        );
    }
}

/// A dense crowd that falls fast and does not bounce: without a limit two that overlap by rounding met without end.
#[test]
fn a_crowd_that_does_not_bounce_comes_to_an_end() {
    for restitution in [0.0, 0.5] {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut world, mut particles) = (World::new(), Particles::new());
        particles.set_walls(Some(Aabb::new([-22.0, 0.0], [22.0, 1e3]).unwrap()));
        particles.set_gravity([0.0, -10.0]).unwrap();
        for i in 0..400_i32 {
            let at = [f64::from(i % 20) * 1.02 + rng.f64() * 0.01 - 11.0, 0.5 + f64::from(i / 20) * 1.02];
            let velocity = [rng.f64() - 0.5, -30.0 * (0.9 + 0.2 * rng.f64())];
            let handle = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at(at).unwrap());
            particles
                .insert(
                    handle,
                    Particle::new(1.0).unwrap().velocity(velocity).unwrap().restitution(restitution).unwrap(),
                )
                .unwrap();
        }
        let mut before = f64::INFINITY;
        for step in 0..3 {
            let report = particles.step(&mut world, 1.0 / 60.0).unwrap();
            let height: f64 = world.colliders().map(|(_, ball)| ball.pose.translation().y).sum();
            let energy = particles.kinetic_energy() + 10.0 * height;
            // The first impact stops so dense a crowd within a step.
            assert!(
                (report.swept > 0 || step > 0) && energy < before,
                "restitution {restitution}, step {step}: {energy} after {before}"
            );
            before = energy;
        }
    }
}
