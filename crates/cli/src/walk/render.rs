//! `--render`: draws the level with the path of the character, or a film of it.
use std::path::PathBuf;

use carom::DVec2;
use carom_scene::draw::{self, Animation, WalkPoint};
use carom_scene::{Body, Scene, SceneCollider};

use super::level::Level;
use super::run::Frame;
use crate::error::CliError;
use crate::film::Film;
use crate::render::Picture;
use crate::{large_files, render};

/// Largest number of frames in a film.
const MOST_FRAMES: usize = 600;
/// Largest number of frames per second in a film.
const FRAMES_A_SECOND: f64 = 30.0;

/// File of the picture. The suffix chooses the format.
#[derive(Clone)]
pub(super) struct Render {
    path: PathBuf,
    format: WalkPictureFormat,
}

#[derive(Clone)]
enum WalkPictureFormat {
    /// The level and the path.
    Still(Picture),
    Gif,
    /// One file per frame. Its number replaces the `#` in the name.
    Pngs,
}

/// Positions for a picture.
pub(super) struct Positions {
    /// Of the character in each frame, and whether it stands.
    path: Vec<WalkPoint>,
    /// Of the platforms and the character, for each frame of the film.
    film: Vec<Vec<DVec2>>,
    /// Number of frames between those of the film. `None` for a still picture.
    stride: Option<usize>,
    seconds: f64,
}

impl Render {
    /// Parses the argument for clap. Refuses other suffixes before the work begins.
    pub(super) fn parse(path: &str) -> Result<Self, String> {
        let file = PathBuf::from(path);
        let suffix = file.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let format = match suffix.as_ref().and_then(|suffix| suffix.to_str()) {
            Some("gif") => WalkPictureFormat::Gif,
            Some("png") if path.contains('#') => WalkPictureFormat::Pngs,
            Some("svg" | "png") => WalkPictureFormat::Still(Picture::parse(path)?),
            _ => return Err("paths are drawn as .svg or .png, films as .gif or frame-###.png: choose one".to_owned()),
        };
        Ok(Self { path: file, format })
    }

    /// Returns an empty list of positions.
    pub(super) fn film(&self, step: f64, frames: usize) -> Positions {
        let smooth = (1.0 / (FRAMES_A_SECOND * step)).floor().max(1.0) as usize;
        let stride = smooth.max(frames.div_ceil(MOST_FRAMES));
        let is_film = !matches!(self.format, WalkPictureFormat::Still(_));
        let seconds = stride as f64 * step;
        Positions { path: Vec::new(), film: Vec::new(), stride: is_film.then_some(stride), seconds }
    }

    pub(super) fn save(&self, scene: &Scene, level: &Level, positions: &Positions) -> Result<(), CliError> {
        if let WalkPictureFormat::Still(picture) = &self.format {
            return picture.save(&draw::walk(scene, &level.shape, level.start, &positions.path));
        }
        let moving = moving(scene, level)?;
        let film = Film { animation: Animation::new(&moving, &positions.film), frames: &positions.film, tints: &[] };
        let WalkPictureFormat::Gif = &self.format else { return film.save_frames(&self.path) };
        let bytes = film.gif(positions.seconds).map_err(|reason| CliError::at(self.path.display(), reason))?;
        large_files::announce(&self.path, bytes.len() as u64);
        render::write(&self.path, &bytes)
    }
}

impl Positions {
    /// Keeps the positions of a frame.
    pub(super) fn add(&mut self, level: &Level, frame: &Frame<'_>) {
        match self.stride {
            None => self.path.push(WalkPoint { position: frame.position, grounded: frame.ground.is_some() }),
            Some(stride) if frame.number.is_multiple_of(stride) || frame.number == 1 => {
                let mut positions: Vec<DVec2> = level.platform_positions().collect();
                positions.push(frame.position);
                self.film.push(positions);
            }
            Some(_) => {}
        }
    }
}

/// Returns the scene with the character at its end. Colliders that move have a body, as the animation
/// wants it: the character is lighter, which gives it another colour.
fn moving(scene: &Scene, level: &Level) -> Result<Scene, CliError> {
    let body = |mass: f64| Some(Body { mass, velocity: DVec2::ZERO, restitution: 0.0 });
    let mut scene = scene.clone();
    for collider in &mut scene.colliders {
        collider.body = collider.moving.as_ref().and_then(|_| body(2.0));
    }
    let pose = carom::Pose::from_translation(level.start).map_err(|error| CliError::at("start", error))?;
    let character = SceneCollider::new("mover", level.shape.clone(), pose);
    scene.colliders.push(SceneCollider { body: body(1.0), ..character });
    Ok(scene)
}
