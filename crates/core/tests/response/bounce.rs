//! Compares impacts of two bodies with closed formulas.

use carom::response::{Particle, Particles, bounce};
use carom::{Collider, DVec2, ErrorKind, Shape, World};

/// The textbook: velocities along the line after an impact of restitution e.
fn formula([u, v]: [f64; 2], [m, n]: [f64; 2], e: f64) -> [f64; 2] {
    let common = m * u + n * v;
    [(common + n * e * (v - u)) / (m + n), (common + m * e * (u - v)) / (m + n)]
}

#[test]
fn random_impacts_follow_the_formula_and_keep_momentum_and_energy() {
    let mut rng = fastrand::Rng::with_seed(1);
    for case in 0..20_000 {
        let mut random = |scale: f64| (rng.f64() - 0.5) * scale;
        let velocities = [DVec2::new(random(10.0), random(10.0)), DVec2::new(random(10.0), random(10.0))];
        let masses = [10f64.powf(random(8.0)), 10f64.powf(random(8.0))];
        let normal = DVec2::from_angle(random(7.0));
        let e = if case % 2 == 0 { 1.0 } else { random(1.0) + 0.5 };
        let after = bounce(velocities, masses.map(f64::recip), normal, e).unwrap();
        if (velocities[1] - velocities[0]).dot(normal) >= 0.0 {
            assert_eq!(after, velocities, "case {case}: separating pairs are left alone");
            continue;
        }
        let expected = formula(velocities.map(|v| v.dot(normal)), masses, e);
        for side in 0..2 {
            assert!((after[side].dot(normal) - expected[side]).abs() < 1e-13, "case {case}");
            assert!(
                (after[side] - velocities[side]).perp_dot(normal).abs() < 1e-13,
                "case {case}: only along the normal"
            );
        }
        let momentum = |v: [DVec2; 2]| v[0] * masses[0] + v[1] * masses[1];
        let energy = |v: [DVec2; 2]| v[0].length_squared() * masses[0] + v[1].length_squared() * masses[1];
        let size = (masses[0] + masses[1]) * 10.0;
        assert!((momentum(after) - momentum(velocities)).length() < 1e-14 * size, "case {case}");
        if e == 1.0 {
            assert!((energy(after) / energy(velocities) - 1.0).abs() < 1e-14, "case {case}");
        }
    }
}

/// Promise: restitution 1 keeps the kinetic energy to rounding. Law: the errors of impacts along
/// the same normals do not add up.
///
/// Two bodies run into each other, and each into something fixed, always along the same three lines.
#[test]
fn a_million_impacts_along_the_same_normals_keep_the_energy() {
    let mut rng = fastrand::Rng::with_seed(2);
    for case in 0..8 {
        // In the last cases as far from a unit vector as is accepted.
        let length = if case < 4 { 1.0 } else { 1.0 + 1.9e-9 * (rng.f64() - 0.5) };
        let normals: [DVec2; 3] = std::array::from_fn(|_| DVec2::from_angle(rng.f64() * 6.0) * length);
        let mut random = || DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
        let (mut pair, inverse) = ([random(), random()], [1.0 + random().x, 1.0 + random().y]);
        let energy = |pair: [DVec2; 2]| pair[0].length_squared() / inverse[0] + pair[1].length_squared() / inverse[1];
        // The two approach along one of the two directions of a line.
        let impact = |pair: [DVec2; 2], inverse: [f64; 2], line: DVec2| {
            let normal = if (pair[1] - pair[0]).dot(line) < 0.0 { line } else { -line };
            bounce(pair, inverse, normal, 1.0).unwrap()
        };
        let start = energy(pair);
        for i in 0..333_333 {
            pair = impact(pair, inverse, normals[i % 3]);
            pair[0] = impact([pair[0], DVec2::ZERO], [inverse[0], 0.0], normals[(i + 1) % 3])[0];
            pair[1] = impact([DVec2::ZERO, pair[1]], [0.0, inverse[1]], normals[(i + 2) % 3])[1];
        }
        let drift = energy(pair) / start - 1.0;
        assert!(drift.abs() < 1e-12, "case {case}: the energy changed by {drift:e}");
    }
}

#[test]
fn invalid_values_are_refused() {
    let x = [1.0, 0.0];
    let kinds = [
        (bounce([[f64::NAN, 0.0], x], [1.0, 1.0], x, 1.0), ErrorKind::NotFinite),
        (bounce([x, [0.0, 1e31]], [1.0, 1.0], x, 1.0), ErrorKind::OutOfRange),
        (bounce([x, x], [f64::INFINITY, 1.0], x, 1.0), ErrorKind::NotFinite),
        (bounce([x, x], [1.0, -1.0], x, 1.0), ErrorKind::Negative),
        (bounce([x, x], [1.0, 1e-40], x, 1.0), ErrorKind::OutOfRange),
        (bounce([x, x], [1.0, 1.0], [0.5, 0.0], 1.0), ErrorKind::NotNormalized),
        (bounce([x, x], [1.0, 1.0], x, 1.5), ErrorKind::OutOfRange),
        (bounce([x, x], [1.0, 1.0], x, -0.1), ErrorKind::Negative),
        (bounce([x, x], [1.0, 1.0], x, f64::NAN), ErrorKind::NotFinite),
    ];
    for (i, (result, kind)) in kinds.into_iter().enumerate() {
        assert_eq!(result.unwrap_err().kind(), kind, "case {i}");
    }
    let still = [[3.0, 0.0], [-3.0, 0.0]];
    assert_eq!(bounce(still, [0.0, 0.0], x, 1.0).unwrap(), still.map(DVec2::from), "two that nothing moves");
    assert!(bounce([[1e30, 0.0], [-1e30, 0.0]], [1e30, 1e-30], x, 1.0).unwrap()[0].is_finite());
}

/// Balls of radius 0.5 in a row, with these masses; the first one comes with speed 1.
fn row(masses: &[f64], gap: f64, backward: bool) -> Vec<f64> {
    let (mut world, mut particles) = (World::new(), Particles::new());
    let ball = Shape::circle(0.5).unwrap();
    let mut order: Vec<usize> = (0..masses.len()).collect();
    if backward {
        order.reverse();
    }
    let mut handles = vec![carom::Handle::NONE; masses.len()];
    for i in order {
        let x = if i == 0 { -1.0 } else { i as f64 * (1.0 + gap) };
        handles[i] = world.insert(Collider::new(ball.clone()).at([x, 0.0]).unwrap());
        let speed = if i == 0 { 1.0 } else { 0.0 };
        let particle = Particle::new(masses[i]).unwrap().restitution(1.0).unwrap().velocity([speed, 0.0]).unwrap();
        particles.insert(handles[i], particle).unwrap();
    }
    for _ in 0..200 {
        particles.step(&mut world, 1.0 / 60.0).unwrap();
    }
    handles
        .iter()
        .map(|&handle| particles.velocity(handle).unwrap())
        .map(|v| if v.y == 0.0 { v.x } else { f64::NAN })
        .collect()
}

#[test]
fn newtons_cradle_hands_the_speed_to_the_last_ball() {
    for backward in [false, true] {
        let speeds = row(&[1.0; 5], 0.0, backward);
        for (i, (speed, expected)) in speeds.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]).enumerate() {
            assert!((speed - expected).abs() < 1e-9, "ball {i}: {speed}, backward {backward}");
        }
    }
}

#[test]
fn unequal_balls_part_as_the_formula_says() {
    for masses in [[1.0, 3.0], [3.0, 1.0], [1.0, 1e6], [1e6, 1.0], [2.0, 2.0]] {
        let expected = formula([1.0, 0.0], masses, 1.0);
        for (speed, expected) in row(&masses, 0.0, false).iter().zip(expected) {
            assert!((speed - expected).abs() < 1e-9, "{masses:?}: {speed} {expected}");
        }
    }
}
