//! Stores the world and the bodies of a simulation: scene → world and particles → steps.
use std::time::{Duration, Instant};

use carom::response::{Particle, Particles, Stage};
use carom::{DVec2, Handle, World};
use carom_scene::Scene;

use super::Args;
use crate::error::CliError;

/// World and moving bodies, in file order.
pub(super) struct Simulation {
    pub(super) world: World,
    pub(super) particles: Particles,
    pub(super) handles: Vec<Handle>,
    pub(super) movers: Vec<Handle>,
    pub(super) gravity: DVec2,
    /// Colliders with a contact or an impact since the last frame, by index in the file. Empty if
    /// nothing is drawn.
    pub(super) touched: Vec<bool>,
}

impl Simulation {
    pub(super) fn new(scene: &Scene, args: &Args) -> Result<Self, CliError> {
        let (mut world, mut particles) = (args.broad.world(), Particles::new());
        let (mut handles, mut movers) = (Vec::new(), Vec::new());
        let wrong = |id: &str, error: carom::Error| CliError::at(id, error);
        for collider in &scene.colliders {
            let handle = world.insert(collider.to_collider().fixed(collider.body.is_none()));
            handles.push(handle);
            if let Some(body) = collider.body {
                let particle =
                    Particle::new(body.mass).and_then(|one| one.velocity(body.velocity)?.restitution(body.restitution));
                particle
                    .and_then(|particle| particles.insert(handle, particle))
                    .map_err(|error| wrong(&collider.id, error))?;
                movers.push(handle);
            }
        }
        let gravity = scene.gravity.unwrap_or(DVec2::ZERO);
        particles.set_gravity(gravity).map_err(|error| wrong("gravity", error))?;
        particles.set_walls(scene.walls);
        let touched = if args.render.is_some() { vec![false; handles.len()] } else { Vec::new() };
        Ok(Self { world, particles, handles, movers, gravity, touched })
    }

    /// Computes a step of `dt` seconds, and adds the time of each stage. Returns the deepest overlap that remains.
    pub(super) fn step(&mut self, dt: f64, stages: &mut [Duration; 4]) -> Result<f64, CliError> {
        let mut last = Instant::now();
        let done = |stage: Stage| {
            let now = Instant::now();
            stages[stage as usize] += now - last;
            last = now;
        };
        let step = self
            .particles
            .step_observed(&mut self.world, dt, done)
            .map_err(|error| CliError::new(error.to_string()))?;
        self.remember_contacts();
        Ok(step.separation.max_penetration)
    }

    /// Marks all colliders with a contact or an impact of this step, for the colours of a frame.
    fn remember_contacts(&mut self) {
        if self.touched.is_empty() {
            return;
        }
        // No collider is removed, so the slot of a handle is its index in the file.
        let impacts = self.particles.impacts().iter().map(|impact| [impact.a, impact.b]);
        let contacts = self.world.contacts().map(|contact| [contact.a, contact.b]);
        impacts.chain(contacts).flatten().for_each(|handle| self.touched[handle.index()] = true);
    }

    /// Returns the potential energy of `gravity`. It is zero at the origin of the scene.
    pub(super) fn potential_energy(&self) -> f64 {
        let height = |&handle: &Handle| {
            let position = self.world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            -self.gravity.dot(position) / self.particles.bodies().inverse_mass(handle)
        };
        if self.gravity == DVec2::ZERO { 0.0 } else { self.movers.iter().map(height).sum() }
    }
}
