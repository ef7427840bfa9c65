//! `carom decompose`: splits concave polygons into convex parts.
use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::draw;

use crate::error::CliError;
use crate::input::Input;
use crate::output;
use crate::progress::Progress;
use crate::render::Picture;

/// Split concave shapes: print the scene with compounds of convex polygons.
///
/// No vertex is added and no area is lost. Chains and convex shapes stay as they are.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenes in any format that `carom check` reads; `-` is stdin. Several files make one scene
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Use the smallest possible number of parts, for polygons of up to a few hundred vertices
    /// without holes
    #[arg(long)]
    fewest: bool,

    /// Draw the parts; the suffix .svg or .png chooses the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,

    #[command(flatten)]
    input: Input,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let mut scene = args.input.scene(&args.files, &progress)?;
    progress.stage("decomposing");
    carom_scene::decompose(&mut scene, args.fewest);
    if let Some(picture) = &args.render {
        progress.stage("drawing");
        picture.save(&draw::shapes(&scene, &draw::Options::default()))?;
    }
    drop(progress);
    output::print(|out| carom_scene::write_json(&scene, out))?;
    Ok(ExitCode::SUCCESS)
}
