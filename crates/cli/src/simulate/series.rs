//! Values of each step: energy, momentum, contacts and tests.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::simulation::Simulation;
use crate::error::CliError;
use crate::json_number::plain;
use crate::output;

/// Values after a step. A row of `--plot OUT.csv` and a line of `--plot OUT.ndjson`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Sample {
    pub(super) step: usize,
    pub(super) time: f64,
    pub(super) kinetic: f64,
    /// Zero at the origin of the scene.
    pub(super) potential: f64,
    pub(super) energy: f64,
    pub(super) momentum_x: f64,
    pub(super) momentum_y: f64,
    /// Contacts after the step.
    pub(super) contacts: usize,
    /// Contacts that began and ended in the step.
    pub(super) begins: usize,
    pub(super) ends: usize,
    /// Impacts of fast bodies between the ends of steps.
    pub(super) impacts: usize,
    /// Pairs whose boxes overlapped.
    pub(super) tests: usize,
}

impl Sample {
    /// Takes the values of a simulation.
    pub(super) fn new(simulation: &Simulation, step: usize, time: f64) -> Self {
        let (kinetic, potential) = (simulation.particles.kinetic_energy(), simulation.potential_energy());
        let momentum = simulation.particles.momentum();
        let begins = simulation.world.events().filter(carom::Event::is_begin).count();
        Self {
            step,
            time: plain(time),
            kinetic: plain(kinetic),
            potential: plain(potential),
            energy: plain(kinetic + potential),
            momentum_x: plain(momentum.x),
            momentum_y: plain(momentum.y),
            contacts: simulation.world.contacts().len(),
            begins,
            ends: simulation.world.events().len() - begins,
            impacts: simulation.particles.impacts().len(),
            tests: simulation.world.candidate_count(),
        }
    }
}

/// Form of a file with one record per line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Records {
    Csv,
    Ndjson,
}

impl Records {
    /// Returns the form of a file name: `.csv`, or else lines of JSON.
    pub(super) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("csv")) { Self::Csv } else { Self::Ndjson }
    }
}

/// Writes samples to a file.
pub(super) fn save(path: &Path, samples: &[Sample]) -> Result<(), CliError> {
    let write = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        match Records::of(path) {
            Records::Csv => {
                let mut rows = csv::Writer::from_writer(&mut out);
                samples.iter().try_for_each(|sample| rows.serialize(sample).map_err(io::Error::from))?;
                rows.flush()?;
            }
            Records::Ndjson => {
                for sample in samples {
                    output::json(&mut out, sample)?;
                }
            }
        }
        out.flush()
    };
    write().map_err(|error| CliError::at(path.display(), format!("the values cannot be written: {error}")))
}
