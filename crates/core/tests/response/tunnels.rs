//! Cases in which particles left closed rooms, one test each. `rooms.rs` holds the promise for all
//! rooms.

use carom::response::{PENETRATION_SLOP, Particle, Particles};
use carom::{Aabb, Collider, DVec2, Handle, Shape, World, collide};

const DT: f64 = 1.0 / 60.0;

struct Table {
    world: World,
    particles: Particles,
}

impl Table {
    fn new() -> Self {
        Self { world: World::new(), particles: Particles::new() }
    }

    fn ball(&mut self, radius: f64, mass: f64, at: [f64; 2], velocity: [f64; 2], restitution: f64) -> Handle {
        let handle = self.world.insert(Collider::new(Shape::circle(radius).unwrap()).at(at).unwrap());
        let particle = Particle::new(mass).unwrap().velocity(velocity).unwrap().restitution(restitution).unwrap();
        self.particles.insert(handle, particle).unwrap();
        handle
    }

    fn wall(&mut self, width: f64, height: f64, at: [f64; 2]) -> Handle {
        self.world.insert(Collider::new(Shape::rectangle(width, height).unwrap()).at(at).unwrap().fixed(true))
    }

    fn at(&self, handle: Handle) -> DVec2 {
        self.world.pose(handle).unwrap().translation()
    }

    fn step(&mut self) {
        self.particles.step(&mut self.world, DT).unwrap();
    }
}

/// A light ball within the slop of a wall was hit by a heavy one. Regression: its pair with the
/// wall overlapped at the start of its motion, at time 0. It counted as a contact since the start
/// of the step, so nothing stopped it.
#[test]
fn a_ball_within_the_slop_of_a_wall_is_stopped_by_it() {
    let mut tried = 0;
    for overlap in [0.0, 1e-300, 1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 0.9 * PENETRATION_SLOP] {
        for mass in [1.0, 1e-2, 1e-4] {
            for (speed, gap) in [(40.0, 0.01), (40.0, 0.0), (1e3, 0.01), (1e6, 0.3), (31.0, -1e-9), (60.0, -1e-16)] {
                for restitution in [0.0, 0.5, 1.0] {
                    let mut table = Table::new();
                    table.wall(1.0, 10.0, [3.0, 0.0]);
                    let light = table.ball(0.5, mass, [2.0 + overlap, 0.0], [0.0, 0.0], restitution);
                    let heavy = table.ball(0.5, 100.0, [1.0 + overlap - gap, 0.0], [speed, 0.0], restitution);
                    for step in 0..4 {
                        table.step();
                        let (p, q) = (table.at(heavy).x, table.at(light).x);
                        let case = format!(
                            "overlap {overlap:e}, mass {mass}, speed {speed}, gap {gap:e}, restitution {restitution}, \
                             step {step}: {p} {q}"
                        );
                        assert!(q <= 2.0 + PENETRATION_SLOP + 1e-9 && p <= q - 1.0 + PENETRATION_SLOP + 1e-9, "{case}");
                    }
                    tried += 1;
                }
            }
        }
    }
    assert_eq!(tried, 8 * 3 * 6 * 3);
}

/// The same by rounding alone: two elastic balls, an ulp from touching each other and the wall.
#[test]
fn rounding_lets_nobody_through_a_wall() {
    for ulps in -3_i64..=3 {
        for more in -3_i64..=3 {
            let mut table = Table::new();
            table.wall(1.0, 10.0, [3.0, 0.0]);
            let near = |x: f64, ulps: i64| f64::from_bits((x.to_bits() as i64 + ulps) as u64);
            table.ball(0.5, 1.0, [near(1.0, ulps), 0.0], [60.0, 0.0], 1.0);
            let second = table.ball(0.5, 1.0, [near(2.0, more), 0.0], [0.0, 0.0], 1.0);
            table.step();
            assert!(table.at(second).x <= 2.0 + 1e-12, "{ulps} {more}: {}", table.at(second));
        }
    }
}

/// Regression: a light ball had no impacts left between a wall and a heavy ball. The heavy ball
/// moved into it, and the correction after the step moved the light ball through the wall.
#[test]
fn a_ball_that_rests_for_the_rest_of_a_step_stops_others() {
    for (radius, mass) in [(0.25, 1e-2), (0.1, 1e-3), (0.25, 1.0), (0.05, 1e-4)] {
        for velocity in [[0.0, -60.0], [-30.0, -60.0], [0.0, -1e3], [-1e5, -1e5]] {
            for restitution in [0.0, 0.4, 0.9, 1.0] {
                for walls in [false, true] {
                    let mut table = Table::new();
                    if walls {
                        table.particles.set_walls(Some(Aabb::new([-2.0; 2], [2.0; 2]).unwrap()));
                    } else {
                        for (width, height, at) in [
                            (4.2, 0.1, [0.0, 2.05]),
                            (4.2, 0.1, [0.0, -2.05]),
                            (0.1, 4.2, [2.05, 0.0]),
                            (0.1, 4.2, [-2.05, 0.0]),
                        ] {
                            table.wall(width, height, at);
                        }
                    }
                    let light = table.ball(radius, mass, [radius - 2.0, radius - 2.0], [0.0, 0.0], restitution);
                    let heavy = table.ball(0.8, 1.0, [-1.2, -0.5], velocity, restitution);
                    for step in 0..4 {
                        table.step();
                        let case = format!(
                            "radius {radius}, mass {mass}, velocity {velocity:?}, restitution {restitution}, walls \
                             {walls}, step {step}"
                        );
                        for (ball, radius) in [(light, radius), (heavy, 0.8)] {
                            let at = table.at(ball);
                            assert!(
                                at.abs().max_element() <= 2.0 - radius + 2.0 * PENETRATION_SLOP * radius + 1e-6,
                                "{case}: {at}"
                            );
                        }
                        let contact = collide(table.world.placed(light).unwrap(), table.world.placed(heavy).unwrap());
                        assert!(
                            contact.is_none_or(|m| m.depth <= 2.0 * PENETRATION_SLOP * radius + 1e-6),
                            "{case}: {contact:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Two balls that fly beside each other looked ahead in pieces of two radii: at a radius of 1e-40 the step did not end.
#[test]
fn the_work_of_a_step_does_not_grow_with_the_displacement() {
    for radius in [1e-3, 1e-6, 1e-40, 1e-200] {
        let mut table = Table::new();
        let balls = [0.0, 1.6].map(|at| table.ball(radius, 1.0, [at * radius, at * radius], [1000.0, 0.0], 1.0));
        table.step();
        for (ball, at) in balls.into_iter().zip([0.0, 1.6]) {
            let expected = DVec2::new(1000.0 * DT + at * radius, at * radius);
            assert!((table.at(ball) - expected).length() < 1e-12, "radius {radius:e}: {}", table.at(ball));
        }
    }
}

/// A step that fails has changed nothing. Pairs that overlapped before a fast step had bounced
/// already when the step failed.
#[test]
fn a_step_that_fails_changes_nothing() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut table = Table::new();
        table.particles.set_gravity([0.0, -1.0]).unwrap();
        let first = table.ball(0.5, 1.0, [0.0, 0.0], [50.0, 0.0], restitution);
        let second = table.ball(0.5, 1.0, [0.9, 0.0], [-50.0, 0.0], restitution);
        table.world.update();
        let far = table.ball(0.5, 1.0, [9.9e29, 0.0], [9.9e29, 0.0], restitution);
        let all = [first, second, far];
        let state = |table: &Table| all.map(|ball| (table.at(ball), table.particles.velocity(ball).unwrap()));
        let before = state(&table);
        table.particles.step(&mut table.world, 1.0).unwrap_err();
        assert_eq!(state(&table), before, "restitution {restitution}");
    }
}

/// Balls that lose energy settle. Impact by impact each of them had thousands, and their speeds
/// grew as long as they were held.
#[test]
fn a_pile_of_balls_settles() {
    for (restitution, walls) in [(0.0, true), (0.5, false), (0.8, true)] {
        let mut table = Table::new();
        table.particles.set_gravity([0.0, -10.0]).unwrap();
        if walls {
            table.particles.set_walls(Some(Aabb::new([-5.0, 0.0], [5.0, 1e3]).unwrap()));
        } else {
            for (width, height, at) in [(12.0, 1.0, [0.0, -0.5]), (1.0, 2e3, [-5.5, 0.0]), (1.0, 2e3, [5.5, 0.0])] {
                table.wall(width, height, at);
            }
        }
        let mut rng = fastrand::Rng::with_seed(5);
        let balls: Vec<Handle> = (0..100)
            .map(|i| {
                let at = [f64::from(i % 8) * 1.15 - 4.2 + 0.2 * rng.f64(), 1.0 + f64::from(i / 8) * 1.5];
                table.ball(0.5, 1.0, at, [rng.f64() - 0.5, 0.0], restitution)
            })
            .collect();
        let (mut impacts, mut fastest) = (0, 0.0);
        // 30 s: without friction, a pile of balls collapses further for some 20 s.
        for step in 0..1800 {
            table.step();
            impacts += table.particles.impacts().len();
            if step >= 1740 {
                fastest = table.particles.velocities().iter().map(|v| v.length()).fold(fastest, f64::max);
            }
        }
        // 30 a ball, where they were 1200.
        assert!(impacts < 3_000, "restitution {restitution}: {impacts} impacts");
        assert!(fastest < 1.0, "restitution {restitution}: still at {fastest}");
        let top = balls.iter().map(|&ball| table.at(ball).y).fold(0.0, f64::max);
        // 100 balls of diameter 1, packed as squares at worst, in a width of 10.
        assert!(top < 12.0, "restitution {restitution}: {top}");
    }
}

/// Particles without width, or with a width below the slop, stay on a floor without width. Regression: a resting
/// contact may sink by half the slop, so they passed through the floor at rest.
#[test]
fn thin_particles_stay_on_a_thin_floor() {
    let floors =
        [Shape::segment([-300.0, 0.0], [300.0, 0.0]).unwrap(), Shape::chain(&[[-300.0, 0.0], [300.0, 0.0]]).unwrap()];
    let bodies = [
        Shape::circle(0.0).unwrap(),
        Shape::segment([-0.3, 0.0], [0.3, 0.0]).unwrap(),
        Shape::rectangle(0.6, 1e-4).unwrap(),
        Shape::circle(1e-3).unwrap(),
    ];
    for floor in &floors {
        for (k, body) in bodies.iter().enumerate() {
            for restitution in [0.0, 0.5, 0.9, 1.0] {
                let mut table = Table::new();
                table.world.insert(Collider::new(floor.clone()).fixed(true));
                let handle = table.world.insert(Collider::new(body.clone()).at([0.0, 1.0]).unwrap());
                let particle = Particle::new(1.0).unwrap().velocity([0.3, 0.0]).unwrap();
                table.particles.insert(handle, particle.restitution(restitution).unwrap()).unwrap();
                table.particles.set_gravity([0.0, -10.0]).unwrap();
                for step in 0..2_000 {
                    table.step();
                    let y = table.at(handle).y;
                    assert!(y > 0.0, "body {k}, restitution {restitution}, step {step}: {y:e}");
                }
            }
        }
    }
}
