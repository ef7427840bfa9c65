//! Runs the simulation: scene → world and particles → steps.
use std::time::{Duration, Instant};

use carom::response::{Particle, Particles, Stage};
use carom::{DVec2, Handle, World};
use carom_scene::Scene;

use super::Args;
use super::step_log::Trace;
use crate::error::CliError;
use crate::progress::Progress;

/// Largest number of frames in an animation.
const MOST_FRAMES: usize = 600;
/// Largest number of frames per second in an animation.
const FRAMES_A_SECOND: f64 = 30.0;

/// Result of a run.
pub(super) struct Ran {
    pub(super) steps: usize,
    pub(super) dt: f64,
    pub(super) bodies: usize,
    pub(super) colliders: usize,
    pub(super) broad: &'static str,
    /// Pairs of all steps whose boxes overlapped.
    pub(super) tests: u64,
    pub(super) begins: u64,
    pub(super) ends: u64,
    /// Impacts of fast bodies on their paths. These are no contacts of the world, which tests the
    /// positions at the end of the step.
    pub(super) impacts: u64,
    pub(super) energy: [f64; 2],
    pub(super) momentum: [DVec2; 2],
    /// Deepest overlap that remained after a step.
    pub(super) deepest: f64,
    pub(super) stages: [Duration; 4],
    /// Positions of the bodies, and the number of steps between frames.
    pub(super) frames: Vec<Vec<DVec2>>,
    pub(super) stride: usize,
}

/// World and moving bodies, in file order.
struct Simulation {
    world: World,
    particles: Particles,
    handles: Vec<Handle>,
    movers: Vec<Handle>,
    gravity: DVec2,
}

pub(super) fn run(scene: &Scene, args: &Args, progress: &Progress) -> Result<Ran, CliError> {
    let mut simulation = Simulation::new(scene, args)?;
    let mut trace = args.trace.as_deref().map(Trace::create).transpose()?;
    let mut ran = Ran {
        steps: args.steps,
        dt: args.dt,
        bodies: simulation.movers.len(),
        colliders: simulation.handles.len(),
        broad: simulation.world.broad_phase_name(),
        tests: 0,
        begins: 0,
        ends: 0,
        impacts: 0,
        energy: [simulation.energy(); 2],
        momentum: [simulation.particles.momentum(); 2],
        deepest: 0.0,
        stages: [Duration::ZERO; 4],
        frames: Vec::new(),
        stride: stride(args),
    };
    if args.record.is_some() {
        simulation.world.start_recording();
    }
    progress.counted("steps", args.steps);
    for step in 1..=args.steps {
        simulation.shoot(args, step - 1, &mut ran);
        simulation.step(&mut ran)?;
        if let Some(trace) = &mut trace {
            trace.write(scene, &simulation.world, &simulation.handles, step, step as f64 * args.dt)?;
        }
        progress.advance(1);
    }
    simulation.shoot(args, args.steps, &mut ran);
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if let (Some(path), Some(bytes)) = (&args.record, simulation.world.stop_recording()) {
        std::fs::write(path, bytes)
            .map_err(|error| CliError::at(path.display(), format!("the recording cannot be written: {error}")))?;
    }
    (ran.energy[1], ran.momentum[1]) = (simulation.energy(), simulation.particles.momentum());
    Ok(ran)
}

fn stride(args: &Args) -> usize {
    let smooth = (1.0 / (FRAMES_A_SECOND * args.dt)).floor();
    // A step of duration 0 allows any number of frames.
    (if smooth.is_finite() { smooth.max(1.0) as usize } else { 1 }).max(args.steps.div_ceil(MOST_FRAMES))
}

impl Simulation {
    fn new(scene: &Scene, args: &Args) -> Result<Self, CliError> {
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
        Ok(Self { world, particles, handles, movers, gravity })
    }

    fn step(&mut self, ran: &mut Ran) -> Result<(), CliError> {
        let mut last = Instant::now();
        let done = |stage: Stage| {
            let now = Instant::now();
            ran.stages[stage as usize] += now - last;
            last = now;
        };
        let step = self
            .particles
            .step_observed(&mut self.world, ran.dt, done)
            .map_err(|error| CliError::new(error.to_string()))?;
        ran.deepest = ran.deepest.max(step.separation.max_penetration);
        ran.tests += self.world.candidate_count() as u64;
        let begins = self.world.events().filter(carom::Event::is_begin).count() as u64;
        ran.begins += begins;
        ran.ends += self.world.events().len() as u64 - begins;
        ran.impacts += self.particles.impacts().len() as u64;
        Ok(())
    }

    /// Returns the kinetic and the potential energy.
    fn energy(&self) -> f64 {
        let height = |&handle: &Handle| {
            let place = self.world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            -self.gravity.dot(place) / self.particles.bodies().inverse_mass(handle)
        };
        let fallen: f64 = if self.gravity == DVec2::ZERO { 0.0 } else { self.movers.iter().map(height).sum() };
        self.particles.kinetic_energy() + fallen
    }

    /// Keeps the positions if the step is a frame of the animation.
    fn shoot(&self, args: &Args, step: usize, ran: &mut Ran) {
        let wanted = args.render.as_ref().is_some_and(|render| render.moves() || step == args.steps);
        if wanted && (step.is_multiple_of(ran.stride) || step == args.steps) {
            let place = |&handle: &Handle| self.world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            ran.frames.push(self.movers.iter().map(place).collect());
        }
    }
}
