//! Fast crowds: prediction in pieces finds the impacts that a prediction to the end of the step
//! finds.

use carom::response::{Particle, Particles};
use carom::{Aabb, Collider, DVec2, Handle, Shape, World};

const RADIUS: f64 = 0.5;

/// Balls on a jittered lattice in a box from 0 to `side`, with places and velocities.
fn crowd(seed: u64, count: usize, side: f64, speed: f64) -> Vec<(DVec2, DVec2)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let columns = (count as f64).sqrt().ceil();
    let pitch = side / columns;
    let position = |i: usize| DVec2::new(i as f64 % columns, (i as f64 / columns).floor());
    (0..count)
        .map(|i| {
            let jitter = DVec2::new(rng.f64(), rng.f64()) * (pitch - 2.0 * RADIUS);
            let velocity = DVec2::from_angle(rng.f64() * std::f64::consts::TAU) * speed * (0.2 + rng.f64());
            (position(i) * pitch + RADIUS + jitter, velocity)
        })
        .collect()
}

fn world_of(
    balls: &[(DVec2, DVec2)],
    mass: impl Fn(usize) -> f64,
    restitution: f64,
) -> (World, Particles, Vec<Handle>) {
    let (mut world, mut particles) = (World::new(), Particles::new());
    let mut insert = |(i, &(position, velocity)): (usize, &(DVec2, DVec2))| {
        let handle = world.insert(Collider::new(Shape::circle(RADIUS).unwrap()).at(position).unwrap());
        let particle = Particle::new(mass(i)).unwrap().velocity(velocity).unwrap().restitution(restitution).unwrap();
        particles.insert(handle, particle).unwrap();
        handle
    };
    let handles = balls.iter().enumerate().map(&mut insert).collect();
    (world, particles, handles)
}

/// The impact of two balls by the formula: when, if they near each other.
fn meeting((p, v): (DVec2, DVec2), (q, w): (DVec2, DVec2)) -> Option<f64> {
    let (apart, velocity) = (q - p, w - v);
    let (closing, square) = (-apart.dot(velocity), velocity.length_squared());
    let inside = closing * closing - square * (apart.length_squared() - 4.0 * RADIUS * RADIUS);
    (closing > 0.0 && inside > 0.0).then(|| (closing - inside.sqrt()) / square)
}

/// All impacts of some time, each found among all pairs anew: when, and which two. Walls are at 0 and at `side`.
fn brute(balls: &mut [(DVec2, DVec2)], mass: impl Fn(usize) -> f64, side: f64, seconds: f64) -> Vec<(f64, [usize; 2])> {
    let (mut now, mut impacts) = (0.0, Vec::new());
    loop {
        // A pair, or a ball and an axis.
        let mut first = (seconds - now, None, None);
        for i in 0..balls.len() {
            for j in 0..i {
                if let Some(time) = meeting(balls[i], balls[j]).filter(|&time| time < first.0) {
                    first = (time, Some([j, i]), None);
                }
            }
            for axis in 0..2 {
                let (x, v) = (balls[i].0[axis], balls[i].1[axis]);
                let free_distance = if v > 0.0 { side - RADIUS - x } else { RADIUS - x };
                if v != 0.0 && free_distance / v < first.0 {
                    first = (free_distance / v, None, Some((i, axis)));
                }
            }
        }
        for (position, velocity) in &mut *balls {
            *position += *velocity * first.0;
        }
        now += first.0;
        if let Some([i, j]) = first.1 {
            let normal = (balls[j].0 - balls[i].0) / (2.0 * RADIUS);
            let change = 2.0 * (balls[i].1 - balls[j].1).dot(normal) / (1.0 / mass(i) + 1.0 / mass(j));
            balls[i].1 -= normal * (change / mass(i));
            balls[j].1 += normal * (change / mass(j));
            impacts.push((now, [i, j]));
        } else if let Some((i, axis)) = first.2 {
            balls[i].1[axis] *= -1.0;
        } else {
            return impacts;
        }
    }
}

/// Law: the same impacts in the same order as by brute force, whose errors grow by every impact: of few per ball.
#[test]
fn the_impacts_of_a_crowd_are_those_of_brute_force() {
    let mass = |i: usize| [1.0, 3.0, 0.5][i % 3];
    for (seed, count, side, speed) in
        [(1, 100, 13.0, 400.0), (2, 144, 40.0, 1000.0), (3, 36, 60.0, 10_000.0), (4, 64, 9.0, 200.0)]
    {
        let mut balls = crowd(seed, count, side, speed);
        let (mut world, mut particles, handles) = world_of(&balls, mass, 1.0);
        particles.set_walls(Some(Aabb::new([0.0; 2], [side; 2]).unwrap()));
        let seconds = 1.0 / 100.0;
        particles.step(&mut world, seconds).unwrap();
        let expected = brute(&mut balls, mass, side, seconds);
        assert!(expected.len() > count / 2, "seed {seed}: {} impacts", expected.len());
        assert_eq!(particles.impacts().len(), expected.len(), "seed {seed}");
        for (hit, (time, pair)) in particles.impacts().iter().zip(expected) {
            assert_eq!([hit.a, hit.b], pair.map(|i| handles[i]), "seed {seed} at {time}");
            assert!(
                (hit.impact.time * seconds - time).abs() < 1e-6 * seconds,
                "seed {seed}: {} {time}",
                hit.impact.time * seconds
            );
        }
        for (i, (position, velocity)) in balls.into_iter().enumerate() {
            let gap = world.pose(handles[i]).unwrap().translation() - position;
            let change = particles.velocity(handles[i]).unwrap() - velocity;
            assert!(gap.length() < 1e-4 && change.length() < 1e-4 * speed, "seed {seed}, ball {i}: {gap} {change}");
        }
    }
}

/// A collider that lets others pass is reported once, for any number of pieces.
#[test]
fn a_sensor_reports_a_fast_particle_once() {
    let (mut world, mut particles) = (World::new(), Particles::new());
    let sensor = |world: &mut World, at: f64, width: f64| {
        world.insert(
            Collider::new(Shape::rectangle(width, 4.0).unwrap()).at([at, 0.0]).unwrap().sensor(true).fixed(true),
        )
    };
    let wide = sensor(&mut world, 100.0, 150.0);
    // So many that pieces stay short.
    let narrow: Vec<Handle> = (0..400).map(|i| sensor(&mut world, 25.0 + f64::from(i) * 0.4, 0.1)).collect();
    let one_way = Collider::new(Shape::rectangle(0.2, 4.0).unwrap()).fixed(true).one_way([1.0, 0.0]).unwrap();
    for i in 0..50 {
        world.insert(one_way.clone().at([30.0 + f64::from(i), 0.0]).unwrap());
    }
    let ball = world.insert(Collider::new(Shape::circle(0.1).unwrap()));
    particles.insert(ball, Particle::new(1.0).unwrap().velocity([20_000.0, 0.0]).unwrap()).unwrap();
    // Two that nothing moves, which run into each other.
    let [left, right] = [-1.0, 1.0].map(|side| {
        let handle = world.insert(Collider::new(Shape::circle(0.1).unwrap()).at([side * 50.0, 100.0]).unwrap());
        particles
            .insert(handle, Particle::new(f64::INFINITY).unwrap().velocity([side * -10_000.0, 0.0]).unwrap())
            .unwrap();
        handle
    });
    particles.step(&mut world, 0.01).unwrap();
    let impact_count =
        |handle: Handle| particles.impacts().iter().filter(|hit| hit.a == handle || hit.b == handle).count();
    assert!(narrow.into_iter().chain([wide]).all(|handle| impact_count(handle) == 1));
    assert_eq!((impact_count(ball), impact_count(left), impact_count(right)), (401, 1, 1));
    assert!((world.pose(ball).unwrap().translation() - DVec2::new(200.0, 0.0)).length() < 1e-9);
}

/// A path that is much too long has few pieces.
#[test]
fn a_path_of_any_length_ends() {
    for (speed, from) in [(1e12, 0.0), (1e25, 0.0), (1e6, 1e9)] {
        let balls: Vec<(DVec2, DVec2)> =
            crowd(5, 25, 10.0, 1.0).into_iter().map(|(p, v)| (p + from, v * speed)).collect();
        let (mut world, mut particles, _) = world_of(&balls, |_| 1.0, 1.0);
        let energy = particles.kinetic_energy();
        particles.step(&mut world, 1.0).unwrap();
        assert!((particles.kinetic_energy() / energy - 1.0).abs() < 1e-11, "speed {speed}");
    }
}
