//! Measures carom's world and particles.

use carom::response::{Particle, Particles};
use carom::{Aabb, Collider, Event, Handle, Pose, Shape, World};

use super::engine::{Engine, SECONDS, Seen};
use super::scene::{Form, Scene};
use crate::race::Library;

/// Colliders moved by hand.
pub(crate) struct Crowd {
    world: World,
    handles: Vec<Handle>,
    poses: Vec<Pose>,
}

impl Crowd {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut world = World::new();
        let handles = put(&mut world, scene);
        Self { world, handles, poses: Vec::new() }
    }
}

impl Engine for Crowd {
    fn name(&self) -> (Library, &'static str) {
        (Library::Carom, "carom")
    }

    fn run(&mut self, scene: &Scene) {
        self.poses.clear();
        self.poses.extend(scene.poses.iter().map(pose));
        self.world.set_poses(&self.handles, &self.poses).expect("all are there");
        self.world.update();
    }

    fn seen(&mut self) -> Seen {
        let begun = self.world.events().filter(Event::is_begin).count();
        Seen { contacts: self.world.contacts().len(), begun, ended: self.world.events().len() - begun }
    }
}

/// Balls that bounce.
pub(crate) struct Gas {
    world: World,
    particles: Particles,
}

impl Gas {
    pub(crate) fn new(scene: &Scene) -> Self {
        let (mut world, mut particles) = (World::new(), Particles::new());
        particles.set_walls(Some(Aabb::new([0.0; 2], [scene.side; 2]).expect("a box")));
        for (handle, &velocity) in put(&mut world, scene).into_iter().zip(&scene.velocities) {
            let ball =
                Particle::new(1.0).and_then(|ball| ball.velocity(velocity)).and_then(|ball| ball.restitution(1.0));
            particles.insert(handle, ball.expect("numbers in range")).expect("a handle of this world");
        }
        Self { world, particles }
    }
}

impl Engine for Gas {
    fn name(&self) -> (Library, &'static str) {
        (Library::Carom, "carom")
    }

    fn run(&mut self, _: &Scene) {
        self.particles.step(&mut self.world, SECONDS).expect("nothing leaves the range");
    }

    fn energy(&mut self) -> f64 {
        self.particles.kinetic_energy()
    }
}

fn put(world: &mut World, scene: &Scene) -> Vec<Handle> {
    let colliders = scene.forms.iter().zip(&scene.poses).map(|(form, at)| Collider::new(shape(form)).pose(pose(at)));
    colliders.map(|collider| world.insert(collider)).collect()
}

fn shape(form: &Form) -> Shape {
    match form {
        Form::Circle(radius) => Shape::circle(*radius),
        Form::Rectangle([x, y]) => Shape::rectangle(2.0 * x, 2.0 * y),
        Form::Polygon(points) => Shape::polygon(points),
    }
    .expect("a shape")
}

fn pose(at: &crate::input::Pose) -> Pose {
    Pose::from_cos_sin(at.translation, at.cos, at.sin).expect("a rotation")
}
