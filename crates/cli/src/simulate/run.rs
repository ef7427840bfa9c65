//! Runs the simulation: scene → world and particles → steps.
use std::time::{Duration, Instant};

use carom::response::{Particle, Particles, Stage};
use carom::{DVec2, Handle, World};
use carom_scene::Scene;

use super::Args;
use super::colours::Tint;
use super::series::Sample;
use super::step_log::StepLog;
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
    /// Kinetic and potential energy at the start and at the end.
    pub(super) kinetic: [f64; 2],
    pub(super) potential: [f64; 2],
    /// True if a body loses energy in bounces.
    pub(super) is_inelastic: bool,
    /// Forces from outside act on the bodies, so their momentum changes.
    pub(super) external: Option<&'static str>,
    pub(super) momentum: [DVec2; 2],
    /// Deepest overlap that remained after a step.
    pub(super) deepest: f64,
    pub(super) stages: [Duration; 4],
    /// Positions of the bodies, and the number of steps between frames.
    pub(super) frames: Vec<Vec<DVec2>>,
    pub(super) stride: usize,
    /// Colour of each body in each frame.
    pub(super) tints: Vec<Vec<Tint>>,
    /// Values of each step for `--plot`, from the start on.
    pub(super) samples: Vec<Sample>,
}

/// World and moving bodies, in file order.
pub(super) struct Simulation {
    pub(super) world: World,
    pub(super) particles: Particles,
    pub(super) handles: Vec<Handle>,
    movers: Vec<Handle>,
    pub(super) gravity: DVec2,
    /// Colliders with a contact or an impact since the last frame, by index in the file. Empty if
    /// nothing is drawn.
    touched: Vec<bool>,
}

pub(super) fn run(scene: &Scene, args: &Args, progress: &Progress) -> Result<Ran, CliError> {
    let mut simulation = Simulation::new(scene, args)?;
    let mut trace = args.trace.as_deref().map(|path| StepLog::create(path, args.steps)).transpose()?;
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
        kinetic: [simulation.particles.kinetic_energy(); 2],
        potential: [simulation.potential_energy(); 2],
        is_inelastic: scene.colliders.iter().filter_map(|c| c.body).any(|body| body.restitution < 1.0),
        external: external(scene),
        momentum: [simulation.particles.momentum(); 2],
        deepest: 0.0,
        stages: [Duration::ZERO; 4],
        frames: Vec::new(),
        stride: stride(args),
        tints: Vec::new(),
        samples: Vec::new(),
    };
    let is_sampled = args.plot.is_some() || args.trace.is_some();
    if args.plot.is_some() {
        ran.samples.push(Sample::new(&simulation, 0, 0.0));
    }
    if args.record.is_some() {
        simulation.world.start_recording();
    }
    progress.counted("steps", args.steps);
    for step in 1..=args.steps {
        simulation.shoot(args, step - 1, &mut ran);
        simulation.step(&mut ran)?;
        if is_sampled {
            let sample = Sample::new(&simulation, step, step as f64 * args.dt);
            if let Some(trace) = &mut trace {
                trace.write(scene, &simulation, &sample)?;
            }
            ran.samples.extend(args.plot.is_some().then_some(sample));
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
    ran.kinetic[1] = simulation.particles.kinetic_energy();
    ran.potential[1] = simulation.potential_energy();
    ran.momentum[1] = simulation.particles.momentum();
    Ok(ran)
}

/// Names the external forces on the bodies.
fn external(scene: &Scene) -> Option<&'static str> {
    if scene.gravity.is_some_and(|gravity| gravity != DVec2::ZERO) {
        Some("gravity acts")
    } else if scene.walls.is_some() {
        Some("the walls act")
    } else if scene.colliders.iter().any(|collider| collider.body.is_none() && !collider.sensor) {
        Some("fixed shapes act")
    } else {
        None
    }
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
        let touched = if args.render.is_some() { vec![false; handles.len()] } else { Vec::new() };
        Ok(Self { world, particles, handles, movers, gravity, touched })
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
        self.remember_contacts();
        Ok(())
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

    /// Keeps the positions if the step is a frame of the animation.
    fn shoot(&mut self, args: &Args, step: usize, ran: &mut Ran) {
        let wanted = args.render.as_ref().is_some_and(|render| render.moves() || step == args.steps);
        if wanted && (step.is_multiple_of(ran.stride) || step == args.steps) {
            let position = |&handle: &Handle| self.world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            ran.frames.push(self.movers.iter().map(position).collect());
            let tint = |&handle: &Handle| Tint {
                speed: self.particles.velocity(handle).unwrap_or(DVec2::ZERO).length(),
                has_contact: self.touched[handle.index()],
            };
            ran.tints.push(self.movers.iter().map(tint).collect());
            self.touched.fill(false);
        }
    }
}
