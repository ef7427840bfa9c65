//! `carom trace`: computes the contours of an image.
use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::{TraceOptions, draw};

use crate::error::CliError;
use crate::input;
use crate::output;
use crate::render::Picture;

/// Trace a sprite: print a scene with the contours of its solid pixels, as polygons with holes.
///
/// One pixel is one unit. +y points down. The origin is the upper left corner of the image.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A PNG image; `-` is stdin
    #[arg(value_name = "IMAGE")]
    file: PathBuf,

    /// A pixel is solid if its alpha is at least N
    #[arg(long, value_name = "N", default_value_t = TraceOptions::default().threshold)]
    threshold: u8,

    /// Largest distance between a contour and the pixel edges, in pixels. 0 keeps every vertex; 1
    /// replaces the steps of slopes by lines
    #[arg(long, value_name = "D", default_value_t = TraceOptions::default().tolerance)]
    deviation: f64,

    /// Place contours between pixel centres, at the threshold of the alpha, instead of along pixel
    /// edges
    #[arg(long)]
    smooth: bool,

    /// Connect pixels that share only a corner
    #[arg(long, conflicts_with = "smooth")]
    diagonals: bool,

    /// Draw the contours; the suffix .svg or .png chooses the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let name = input::name(&args.file);
    let id = args.file.file_stem().map_or_else(|| name.clone(), |stem| stem.to_string_lossy().into_owned());
    let id = if id == "-" { name.clone() } else { id };
    let options = TraceOptions {
        threshold: args.threshold,
        tolerance: args.deviation,
        smooth: args.smooth,
        eight_connected: args.diagonals,
    };
    let scene = carom_scene::trace(&name, &input::bytes(&args.file)?, &id, &options)?;
    if let Some(picture) = &args.render {
        picture.save(&draw::shapes(&scene, &draw::Options::default()))?;
    }
    output::print(|out| carom_scene::write_json(&scene, out))?;
    Ok(ExitCode::SUCCESS)
}
