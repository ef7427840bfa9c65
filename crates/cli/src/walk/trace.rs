//! `--trace`: writes a line of JSON for each frame.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use carom::mover::SurfaceClass;
use carom_scene::Scene;
use serde::Serialize;

use super::run::Frame;
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::large_files;

/// One frame. A contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Line<'s> {
    frame: usize,
    time: f64,
    position: [f64; 2],
    velocity: [f64; 2],
    grounded: bool,
    ground: Option<Ground<'s>>,
    surfaces: Vec<Surface<'s>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ground<'s> {
    id: &'s str,
    normal: [f64; 2],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Surface<'s> {
    id: &'s str,
    class: Class,
    normal: [f64; 2],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Class {
    Floor,
    Wall,
    Ceiling,
}

impl From<SurfaceClass> for Class {
    fn from(class: SurfaceClass) -> Self {
        match class {
            SurfaceClass::Floor => Self::Floor,
            SurfaceClass::Wall => Self::Wall,
            SurfaceClass::Ceiling => Self::Ceiling,
        }
    }
}

pub(super) struct Trace {
    path: PathBuf,
    out: BufWriter<File>,
    frames: usize,
}

impl Trace {
    pub(super) fn create(path: &Path, frames: usize) -> Result<Self, CliError> {
        let file = File::create(path)
            .map_err(|error| CliError::at(path.display(), format!("the trace cannot be written: {error}")))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, file), frames })
    }

    pub(super) fn write(&mut self, scene: &Scene, frame: &Frame<'_>) -> Result<(), CliError> {
        let mut text = serde_json::to_vec(&line(scene, frame)).map_err(|error| self.failed(&error.into()))?;
        text.push(b'\n');
        if frame.number == 1 {
            large_files::announce(&self.path, text.len() as u64 * self.frames as u64);
        }
        self.out.write_all(&text).map_err(|error| self.failed(&error))
    }

    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.out.flush().map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> CliError {
        CliError::at(self.path.display(), format!("the trace cannot be written: {error}"))
    }
}

fn line<'s>(scene: &'s Scene, frame: &Frame<'_>) -> Line<'s> {
    let id = |index: usize| scene.colliders[index].id.as_str();
    let surface = |surface: &carom::mover::MoverSurface| Surface {
        id: id(surface.handle.index()),
        class: surface.class.into(),
        normal: pair(surface.normal),
    };
    Line {
        frame: frame.number,
        time: plain(frame.time),
        position: pair(frame.position),
        velocity: pair(frame.velocity),
        grounded: frame.ground.is_some(),
        ground: frame.ground.map(|(index, normal)| Ground { id: id(index), normal: pair(normal) }),
        surfaces: frame.surfaces.iter().map(surface).collect(),
    }
}
