//! `carom simulate`: bodies that move and bounce.
pub(crate) mod generate;
mod render;
mod run;
mod step_log;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::Scene;
use clap::ValueEnum;

use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::input::Input;
use crate::progress::Progress;
use crate::threads::Threads;
use render::Render;

/// Let the bodies of a scene move and bounce.
///
/// Bodies are the colliders with a `body` (mass, velocity, restitution); all others stand still. They do not turn. The scene's `gravity` pulls them, and its `walls` keep them in.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 2 bad input or arguments.")]
pub(crate) struct Args {
    /// Scenes to simulate, as `carom check` reads them; several make one
    #[arg(required_unless_present = "balls", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// No file, but N balls of radius 0.5 over 30 % of a box, with speeds of 1 to 5
    #[arg(long, value_name = "N", conflicts_with = "files", value_parser = clap::value_parser!(u32).range(..=4_000_000))]
    balls: Option<u32>,

    /// What the balls of --balls start from; the same seed, the same balls
    #[arg(long, value_name = "N", default_value_t = 1, requires = "balls", conflicts_with = "files")]
    seed: u64,

    /// How many steps
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: usize,

    /// Seconds a step [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true, allow_negative_numbers = true)]
    dt: f64,

    /// How pairs that may meet are found; the motion is the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

    /// How the summary is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Draw the motion (.svg, .gif) or where it ends (.png)
    #[arg(long, value_name = "OUT", value_parser = Render::parse)]
    render: Option<Render>,

    /// Write a line of JSON a step: poses, and which contacts began and ended
    #[arg(long, value_name = "OUT.ndjson")]
    trace: Option<PathBuf>,

    /// Write down every call to the world, for `carom replay`
    #[arg(long, value_name = "OUT")]
    record: Option<PathBuf>,

    /// Print tests, times of each stage and what was lost, on stderr
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    input: Input,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object, every digit
    Json,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.threads.run(|| simulate(args))
}

fn simulate(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let scene: Scene = match args.balls {
        Some(count) => generate::scene(count, args.seed),
        None => args.input.scene(&args.files, &progress)?,
    };
    let ran = run::run(&scene, args, &progress)?;
    if let Some(render) = &args.render {
        progress.stage("drawing");
        render.save(&scene, &ran)?;
    }
    drop(progress);
    summary::print(&ran, args.format)?;
    if args.stats {
        summary::stats(&ran);
    }
    Ok(ExitCode::SUCCESS)
}
