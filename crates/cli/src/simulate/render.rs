//! `--render`: draws the motion as an animated SVG, a GIF or numbered PNG files, or the last state as
//! a PNG.
use std::path::PathBuf;

use carom_scene::Scene;
use carom_scene::draw::Animation;

use super::colours::ColorBy;
use super::run::Ran;
use crate::error::CliError;
use crate::film::Film;
use crate::{large_files, render};

/// File of the picture. The suffix chooses the format.
#[derive(Clone)]
pub(super) struct Render {
    path: PathBuf,
    format: FilmFormat,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FilmFormat {
    Svg,
    Gif,
    /// The last state.
    Png,
    /// One file per frame. Its number replaces the `#` in the name.
    Pngs,
}

impl Render {
    /// Parses the argument for clap. Refuses other suffixes before the work begins.
    pub(super) fn parse(path: &str) -> Result<Self, String> {
        let is_numbered = path.contains('#');
        let path = PathBuf::from(path);
        let suffix = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let format = match suffix.as_ref().and_then(|suffix| suffix.to_str()) {
            Some("svg") => FilmFormat::Svg,
            Some("gif") => FilmFormat::Gif,
            Some("png") if is_numbered => FilmFormat::Pngs,
            Some("png") => FilmFormat::Png,
            _ => {
                return Err(
                    "motions are written as .svg, .gif or frame-###.png, their end as .png: choose one of these"
                        .to_owned(),
                );
            }
        };
        Ok(Self { path, format })
    }

    /// Returns whether the format shows more than the last state.
    pub(super) fn moves(&self) -> bool {
        self.format != FilmFormat::Png
    }

    pub(super) fn save(&self, scene: &Scene, ran: &Ran, colour: ColorBy) -> Result<(), CliError> {
        let (tints, palette) = (colour.indices(&ran.tints), colour.palette().unwrap_or_default());
        let animation = Animation::new(scene, &ran.frames).tinted(&tints, &palette);
        let film = Film { animation, frames: &ran.frames, tints: &tints };
        let seconds = ran.stride as f64 * ran.dt;
        let fail = |reason: String| CliError::at(self.path.display(), reason);
        let bytes = match self.format {
            FilmFormat::Svg => film.animation.animated(seconds).into_bytes(),
            FilmFormat::Gif => film.gif(seconds).map_err(fail)?,
            FilmFormat::Png => film.last().map_err(fail)?,
            FilmFormat::Pngs => return film.save_frames(&self.path),
        };
        large_files::announce(&self.path, bytes.len() as u64);
        render::write(&self.path, &bytes)
    }
}
