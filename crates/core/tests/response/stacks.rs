//! Bodies at rest under gravity: stacks, slopes, walls, and a notch. Without friction, rotation and bounce the state of
//! rest and the motion along a slope follow from statics and from a free fall.

use carom::response::{PENETRATION_SLOP, Particle, Particles};
use carom::{Aabb, Collider, DVec2, Handle, Pose, Shape, World};

const STEP: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 10.0;

/// Steps of 120 s, and those after which a scene has settled. The longest fall here takes less than 1 s.
const LONG: usize = 7200;
const SETTLED: usize = 300;

/// Largest error of the height of the tenth body of a stack. Each of ten contacts closes its gap up to four roundings
/// of a height up to 16 (7e-15), and may keep a speed of 1e-12 times that of gravity (3e-15 in a step).
const ROUNDING: f64 = 10.0 * (4.0 * 16.0 * f64::EPSILON + 1e-12 * GRAVITY * STEP * STEP);

/// Bodies above a fixed floor. The frame of the scene has its origin on the floor; gravity points along its -y.
struct Scene {
    world: World,
    particles: Particles,
    bodies: Vec<(Handle, f64)>,
    frame: Pose,
}

impl Scene {
    /// Creates a scene without a floor, turned by an angle.
    fn new(angle: f64) -> Self {
        let frame = Pose::new([0.0, 0.0], angle).unwrap();
        let mut particles = Particles::new();
        particles.set_gravity(frame.rotate_vector(DVec2::new(0.0, -GRAVITY))).unwrap();
        Self { world: World::new(), particles, bodies: Vec::new(), frame }
    }

    /// Adds a fixed rectangle.
    fn fixed(&mut self, width: f64, height: f64, at: [f64; 2]) -> Handle {
        let pose = self.place(at);
        self.world.insert(Collider::new(Shape::rectangle(width, height).unwrap()).pose(pose).fixed(true))
    }

    fn body(&mut self, shape: &Shape, at: [f64; 2], mass: f64) -> Handle {
        let pose = self.place(at);
        let handle = self.world.insert(Collider::new(shape.clone()).pose(pose));
        self.particles.insert(handle, Particle::new(mass).unwrap()).unwrap();
        self.bodies.push((handle, mass));
        handle
    }

    fn place(&self, at: [f64; 2]) -> Pose {
        self.frame.with_translation(self.frame.transform_point(at)).unwrap()
    }

    fn step(&mut self) {
        self.particles.step(&mut self.world, STEP).unwrap();
    }

    /// Returns the height of a body above the floor.
    fn height(&self, index: usize) -> f64 {
        let up = self.frame.rotate_vector(DVec2::Y);
        self.world.position(self.bodies[index].0).unwrap().dot(up)
    }

    /// Returns the sum of kinetic and potential energy.
    fn energy(&self) -> f64 {
        let potential = |k: usize| self.bodies[k].1 * GRAVITY * self.height(k);
        self.particles.kinetic_energy() + (0..self.bodies.len()).map(potential).sum::<f64>()
    }

    /// Runs 120 s. Law: after the scene has settled, the energy does not rise. With equal masses, it never exceeds that
    /// of the start: with restitution 0, a body that falls onto another one loses more than a push out of an overlap
    /// gives. (With unequal masses, bounces of one step may leave an approach to the next step.) Both hold up to the
    /// rounding of all heights. Calls `check` after each settled step.
    fn run(&mut self, name: &str, check: impl Fn(&Self)) {
        let rounding = self.bodies.iter().map(|(_, mass)| mass * GRAVITY * ROUNDING).sum::<f64>();
        let are_equal = self.bodies.iter().all(|body| body.1 == self.bodies[0].1);
        let (start, mut least) = (if are_equal { self.energy() } else { f64::INFINITY }, f64::INFINITY);
        for step in 0..LONG {
            self.step();
            let energy = self.energy();
            assert!(energy <= start + rounding, "{name}, step {step}: energy {energy:e} after {start:e}");
            if step >= SETTLED {
                assert!(energy <= least + rounding, "{name}, step {step}: energy {energy:e} after {least:e}");
                least = least.min(energy);
                check(self);
            }
        }
    }

    /// Checks that body k is at the height k + 1/2 of a stack, lower by at most k + 1 overlaps within the slop. `size`
    /// is the longer side of the AABB of a body.
    fn check_stack(&self, name: &str, size: f64) {
        for k in 0..self.bodies.len() {
            let above = self.height(k) - (k as f64 + 0.5);
            let lowest = -(k as f64 + 1.0) * PENETRATION_SLOP * size - ROUNDING;
            assert!((lowest..=ROUNDING).contains(&above), "{name}: body {k} is {above:e} above its rest height");
        }
    }
}

fn square() -> Shape {
    Shape::rectangle(1.0, 1.0).unwrap()
}

fn ball() -> Shape {
    Shape::circle(0.5).unwrap()
}

/// Regression: the guess of the resting contacts, "a carried body does not fall", was never taken back. So a body whose
/// contact had opened rose at the speed of the last push, up to a tenth of its size: 0.0022 per second.
#[test]
fn stacks_stay_at_their_rest_height() {
    for (shape, kind) in [(square(), "squares"), (ball(), "balls")] {
        for (count, first, spacing) in
            [(2, 0.5, 1.01), (2, 0.5, 1.0), (2, 0.5, 2.5), (3, 0.6, 1.01), (4, 0.5, 1.0), (10, 0.5, 1.05)]
        {
            let mut scene = Scene::new(0.0);
            scene.fixed(100.0, 1.0, [0.0, -0.5]);
            for k in 0..count {
                scene.body(&shape, [0.0, first + spacing * f64::from(k)], 1.0);
            }
            let name = format!("{count} {kind} at distances of {spacing}");
            scene.run(&name, |scene| scene.check_stack(&name, 1.0));
        }
    }
}

/// Law: a turned scene has the same heights above its floor. Balls are left out: their stack is an unstable
/// equilibrium, from which the rounding of a turned gravity moves them.
#[test]
fn stacks_rest_under_gravity_in_any_direction() {
    for degrees in [30.0, 90.0, 180.0, 217.0, 270.0_f64] {
        let angle = degrees.to_radians();
        let size = angle.sin().abs() + angle.cos().abs();
        let mut scene = Scene::new(angle);
        scene.fixed(100.0, 1.0, [0.0, -0.5]);
        for k in 0..3 {
            scene.body(&square(), [0.0, 0.5 + 1.02 * f64::from(k)], 1.0);
        }
        let name = format!("turned by {degrees} degrees");
        scene.run(&name, |scene| scene.check_stack(&name, size));
    }
}

/// Law: the rest height of a stack does not depend on masses, also if a heavy body lies on a light one.
#[test]
fn stacks_of_unequal_masses_rest() {
    for masses in [[1.0, 1e-3, 1e3], [1e3, 1e-3, 1.0], [1e-3, 1.0, 1e3], [1e3, 1.0, 1e-3]] {
        for shape in [square(), ball()] {
            let mut scene = Scene::new(0.0);
            scene.fixed(100.0, 1.0, [0.0, -0.5]);
            for (k, mass) in masses.into_iter().enumerate() {
                scene.body(&shape, [0.0, 0.5 + 1.02 * k as f64], mass);
            }
            let name = format!("masses {masses:?}");
            scene.run(&name, |scene| scene.check_stack(&name, 1.0));
        }
    }
}

/// Regression: a wall reflected the lower ball with half the gravity of the step, or the upper one pressed it into the
/// wall at the restitution threshold: both kept a speed. Law: bodies at rest on a wall do not move.
#[test]
fn stacks_on_walls_rest() {
    for shape in [square(), ball()] {
        for count in [1, 2, 4] {
            let mut scene = Scene::new(0.0);
            scene.particles.set_walls(Some(Aabb::new([-0.5, 0.0], [0.5, 20.0]).unwrap()));
            for k in 0..count {
                scene.body(&shape, [0.0, 0.6 + 1.1 * f64::from(k)], 1.0);
            }
            let name = format!("{count} on a wall");
            scene.run(&name, |scene| {
                scene.check_stack(&name, 1.0);
                let energy = scene.particles.kinetic_energy();
                // The speed that separates a pair at half the slop is far below.
                assert!(energy <= 1e-20, "{name}: kinetic energy {energy:e}");
            });
        }
    }
}

/// Law: a body slides down a slope without friction at the acceleration g sin(angle), and stays on it. Regression: a
/// carried body kept its velocity, because the guess cancelled gravity in all directions.
#[test]
fn bodies_slide_down_a_slope() {
    for (shape, name) in [(square(), "square"), (ball(), "ball")] {
        for degrees in [2.0, 5.0, 30.0, 45.0, 60.0_f64] {
            let angle = degrees.to_radians();
            let mut scene = Scene::new(angle);
            scene.particles.set_gravity([0.0, -GRAVITY]).unwrap();
            scene.fixed(200.0, 1.0, [0.0, -0.5]);
            // The pair overlaps at the start, by less than the overlap that a step corrects.
            let start = 0.5 - 0.25 * PENETRATION_SLOP;
            let handle = scene.body(&shape, [0.0, start], 1.0);
            scene.world.update();
            let down = scene.frame.rotate_vector(DVec2::NEG_X);
            let pull = GRAVITY * angle.sin();
            for step in 1..=180 {
                scene.step();
                let time = f64::from(step) * STEP;
                let speed = scene.particles.velocity(handle).unwrap();
                let expected = down * (pull * time);
                assert!((speed - expected).length() < 1e-11, "{name}, {degrees} degrees: {speed} after {time} s");
                let above = scene.height(0) - start;
                assert!(above.abs() < 1e-11, "{name}, {degrees} degrees: {above:e} above the slope after {time} s");
                // Each step moves with the speed at its end: farther than a fall by half a step of the speed.
                let more = scene.world.position(handle).unwrap().dot(down) - 0.5 * pull * time * time;
                assert!((more - 0.5 * pull * time * STEP).abs() < 1e-11, "{name}, {degrees} degrees: {more:e}");
            }
        }
    }
}

/// Law: a body whose floor sinks follows it in free fall: after t seconds, it has fallen by g t² / 2. Regression: it
/// stayed in the air, because its contact is near and was a support before.
#[test]
fn a_body_follows_a_floor_that_sinks() {
    let drop = 0.08;
    let steps = ((2.0 * drop / GRAVITY).sqrt() / STEP).ceil() as usize;
    for shape in [square(), ball()] {
        let mut scene = Scene::new(0.0);
        let floor = scene.fixed(100.0, 1.0, [0.0, -0.5]);
        for k in 0..2 {
            scene.body(&shape, [0.0, 0.5 + 1.01 * f64::from(k)], 1.0);
        }
        (0..SETTLED).for_each(|_| scene.step());
        scene.world.set_pose(floor, Pose::new([0.0, -0.5 - drop], 0.0).unwrap()).unwrap();
        // A step is a fall with the speed at its end: never slower.
        (0..=steps).for_each(|_| scene.step());
        for k in 0..2 {
            let above = scene.height(k) + drop - (k as f64 + 0.5);
            let lowest = -(k as f64 + 1.0) * PENETRATION_SLOP - ROUNDING;
            assert!((lowest..=ROUNDING).contains(&above), "body {k} is {above:e} above its rest height");
        }
    }
}

/// Law: a ball in the notch of two others, which touch each other and fixed blocks, is √3/2 above them. Each of the
/// contacts may have a gap of 0.2 slops, which a pair can close in two steps, or overlap by a slop.
#[test]
fn a_ball_in_a_notch_rests() {
    let mut scene = Scene::new(0.0);
    scene.fixed(100.0, 1.0, [0.0, -0.5]);
    for x in [-1.5, 1.5] {
        scene.fixed(1.0, 2.0, [x, 1.0]);
    }
    for (x, y) in [(-0.5, 0.5), (0.5, 0.5), (0.03, 1.6)] {
        scene.body(&ball(), [x, y], 1.0);
    }
    // A change of the distance of two balls moves the top by 1 / cos 30° of it along the notch; the lower ones apart
    // by up to two slops lower it by tan 30° of one.
    let (notch, apart) = (1.0 / 30.0_f64.to_radians().cos(), 30.0_f64.to_radians().tan());
    let rest = 0.5 + 0.75_f64.sqrt();
    let highest = 0.2 * PENETRATION_SLOP * (1.0 + notch);
    let lowest = -PENETRATION_SLOP * (1.0 + notch + apart);
    for step in 0..LONG {
        scene.step();
        let above = scene.height(2) - rest;
        assert!(step < SETTLED || (lowest..=highest).contains(&above), "step {step}: {above:e} above its rest height");
    }
}
