//! Runs the simulation, and collects the results of its steps.
use std::time::Duration;

use carom::{DVec2, Handle};
use carom_scene::Scene;

use super::Args;
use super::colours::Tint;
use super::series::Sample;
use super::simulation::Simulation;
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
        ran.shoot(&mut simulation, args, step - 1);
        ran.step(&mut simulation)?;
        if is_sampled {
            let sample = Sample::new(&simulation, step, step as f64 * args.dt);
            if let Some(trace) = &mut trace {
                trace.write(scene, &simulation, &sample)?;
            }
            ran.samples.extend(args.plot.is_some().then_some(sample));
        }
        progress.advance(1);
    }
    ran.shoot(&mut simulation, args, args.steps);
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

impl Ran {
    /// Computes a step and counts its results.
    fn step(&mut self, simulation: &mut Simulation) -> Result<(), CliError> {
        let overlap = simulation.step(self.dt, &mut self.stages)?;
        let world = &simulation.world;
        self.deepest = self.deepest.max(overlap);
        self.tests += world.candidate_count() as u64;
        let begins = world.events().filter(carom::Event::is_begin).count() as u64;
        self.begins += begins;
        self.ends += world.events().len() as u64 - begins;
        self.impacts += simulation.particles.impacts().len() as u64;
        Ok(())
    }

    /// Keeps the positions if the step is a frame of the animation.
    fn shoot(&mut self, simulation: &mut Simulation, args: &Args, step: usize) {
        let wanted = args.render.as_ref().is_some_and(|render| render.moves() || step == args.steps);
        if wanted && (step.is_multiple_of(self.stride) || step == args.steps) {
            let Simulation { world, particles, movers, touched, .. } = simulation;
            let position = |&handle: &Handle| world.pose(handle).map_or(DVec2::ZERO, |pose| pose.translation());
            self.frames.push(movers.iter().map(position).collect());
            let tint = |&handle: &Handle| Tint {
                speed: particles.velocity(handle).unwrap_or(DVec2::ZERO).length(),
                has_contact: touched[handle.index()],
            };
            self.tints.push(movers.iter().map(tint).collect());
            touched.fill(false);
        }
    }
}
