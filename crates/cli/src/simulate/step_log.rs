//! `--trace`: writes poses, velocities, energy, momentum and events of each step.
//!
//! Lines of JSON hold one step each, rows of CSV one collider in one step each.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use carom::world::ContactRef;
use carom::{DVec2, Event, Handle};
use carom_scene::Scene;
use serde::Serialize;

use super::series::{Records, Sample};
use super::simulation::Simulation;
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::large_files;

/// One step. A contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct StepLine<'s> {
    step: usize,
    time: f64,
    /// In file order: x, y, degrees.
    poses: Vec<[f64; 3]>,
    begin: Vec<[&'s str; 2]>,
    end: Vec<[&'s str; 2]>,
    /// In file order. Colliders without a body do not move.
    velocities: Vec<[f64; 2]>,
    energy: Energy,
    momentum: [f64; 2],
}

/// The potential energy is zero at the origin of the scene.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Energy {
    kinetic: f64,
    potential: f64,
    total: f64,
}

/// One collider in one step.
#[derive(Serialize)]
struct ColliderState<'s> {
    step: usize,
    time: f64,
    id: &'s str,
    x: f64,
    y: f64,
    degrees: f64,
    velocity_x: f64,
    velocity_y: f64,
    kinetic: f64,
    potential: f64,
}

pub(super) struct StepLog {
    path: PathBuf,
    out: BufWriter<File>,
    form: Records,
    steps: usize,
}

impl StepLog {
    pub(super) fn create(path: &Path, steps: usize) -> Result<Self, CliError> {
        let file = File::create(path)
            .map_err(|error| CliError::at(path.display(), format!("the trace cannot be written: {error}")))?;
        let (path, form) = (path.to_owned(), Records::of(path));
        Ok(Self { path, out: BufWriter::with_capacity(1 << 16, file), form, steps })
    }

    pub(super) fn write(&mut self, scene: &Scene, simulation: &Simulation, sample: &Sample) -> Result<(), CliError> {
        let mut text = Vec::new();
        let made = match self.form {
            Records::Ndjson => line(&mut text, scene, simulation, sample),
            Records::Csv => rows(&mut text, scene, simulation, sample),
        };
        if sample.step == 1 {
            large_files::announce(&self.path, text.len() as u64 * self.steps as u64);
        }
        made.and_then(|()| self.out.write_all(&text)).map_err(|error| self.failed(&error))
    }

    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.out.flush().map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> CliError {
        CliError::at(self.path.display(), format!("the trace cannot be written: {error}"))
    }
}

fn velocity(simulation: &Simulation, handle: Handle) -> DVec2 {
    simulation.particles.velocity(handle).unwrap_or(DVec2::ZERO)
}

fn line(text: &mut Vec<u8>, scene: &Scene, simulation: &Simulation, sample: &Sample) -> io::Result<()> {
    // No collider is removed, so the slot of a handle is its index in the file.
    let id = |handle: Handle| scene.colliders[handle.index()].id.as_str();
    let events = |begin: bool| {
        let wanted = simulation.world.events().filter(move |event| event.is_begin() == begin);
        wanted.map(|event: Event<ContactRef<'_>>| [id(event.contact().a), id(event.contact().b)]).collect()
    };
    let poses = simulation.handles.iter().filter_map(|&handle| simulation.world.pose(handle));
    let line = StepLine {
        step: sample.step,
        time: sample.time,
        poses: poses
            .map(|pose| [pose.translation().x, pose.translation().y, pose.angle().to_degrees()].map(plain))
            .collect(),
        begin: events(true),
        end: events(false),
        velocities: simulation.handles.iter().map(|&handle| pair(velocity(simulation, handle))).collect(),
        energy: Energy { kinetic: sample.kinetic, potential: sample.potential, total: sample.energy },
        momentum: [sample.momentum_x, sample.momentum_y],
    };
    serde_json::to_writer(&mut *text, &line)?;
    writeln!(text)
}

fn rows(text: &mut Vec<u8>, scene: &Scene, simulation: &Simulation, sample: &Sample) -> io::Result<()> {
    let mut rows = csv::WriterBuilder::new().has_headers(sample.step == 1).from_writer(text);
    for (collider, &handle) in scene.colliders.iter().zip(&simulation.handles) {
        let Some(pose) = simulation.world.pose(handle) else { continue };
        let ([x, y], velocity) = (pair(pose.translation()), velocity(simulation, handle));
        let [velocity_x, velocity_y] = pair(velocity);
        let mass = collider.body.map_or(0.0, |body| body.mass);
        rows.serialize(ColliderState {
            step: sample.step,
            time: sample.time,
            id: &collider.id,
            x,
            y,
            degrees: plain(pose.angle().to_degrees()),
            velocity_x,
            velocity_y,
            kinetic: plain(0.5 * mass * velocity.length_squared()),
            potential: plain(-mass * simulation.gravity.dot(pose.translation())),
        })?;
    }
    rows.flush()
}
