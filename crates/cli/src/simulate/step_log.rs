//! `--trace`: writes one line of JSON per step.
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use carom::{Event, Handle, World};
use carom_scene::Scene;
use serde::Serialize;

use crate::error::CliError;
use crate::report_json::plain;

/// One step. A contract, including the order of the fields.
#[derive(Serialize)]
struct Line<'s> {
    step: usize,
    time: f64,
    /// In file order: x, y, degrees.
    poses: Vec<[f64; 3]>,
    begin: Vec<[&'s str; 2]>,
    end: Vec<[&'s str; 2]>,
}

pub(super) struct Trace {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Trace {
    pub(super) fn create(path: &Path) -> Result<Self, CliError> {
        let file = File::create(path)
            .map_err(|error| CliError::at(path.display(), format!("the trace cannot be written: {error}")))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, file) })
    }

    pub(super) fn write(
        &mut self,
        scene: &Scene,
        world: &World,
        handles: &[Handle],
        step: usize,
        time: f64,
    ) -> Result<(), CliError> {
        let poses = handles.iter().filter_map(|&handle| world.pose(handle));
        let poses = poses
            .map(|pose| [pose.translation().x, pose.translation().y, pose.angle().to_degrees()].map(plain))
            .collect();
        // No collider is removed, so the slot of a handle is its index in the file.
        let id = |handle: Handle| scene.colliders[handle.index()].id.as_str();
        let events = |begin: bool| {
            let wanted = world.events().filter(move |event| event.is_begin() == begin);
            wanted.map(|event: Event<'_>| [id(event.contact().a), id(event.contact().b)]).collect()
        };
        let line = Line { step, time: plain(time), poses, begin: events(true), end: events(false) };
        let written =
            serde_json::to_writer(&mut self.out, &line).map_err(std::io::Error::from).and_then(|()| writeln!(self.out));
        written.map_err(|error| self.failed(&error))
    }

    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.out.flush().map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> CliError {
        CliError::at(self.path.display(), format!("the trace cannot be written: {error}"))
    }
}
