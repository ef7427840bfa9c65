//! `carom simulate`: moves bodies, which bounce off each other.
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

/// Move the bodies of a scene, and let them bounce.
///
/// Bodies are the colliders with a `body` (mass, velocity, restitution). All other colliders are
/// fixed. Bodies do not rotate. The `gravity` of the scene accelerates them, and its `walls`
/// enclose them.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 2 bad input or arguments.")]
pub(crate) struct Args {
    /// Scenes to simulate, in the formats of `carom check`; several make one
    #[arg(required_unless_present = "balls", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Simulate N balls of radius 0.5 instead of a file; they cover 30 % of a box and have speeds
    /// of 1 to 5
    #[arg(long, value_name = "N", conflicts_with = "files", value_parser = clap::value_parser!(u32).range(..=4_000_000))]
    balls: Option<u32>,

    /// Seed of the balls of --balls
    #[arg(long, value_name = "N", default_value_t = 1, requires = "balls", conflicts_with = "files")]
    seed: u64,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: usize,

    /// Duration of a step in seconds [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true, allow_negative_numbers = true)]
    dt: f64,

    /// Broad phase; the motion is the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

    /// Output format of the summary
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Draw the motion (.svg, .gif) or the last state (.png)
    #[arg(long, value_name = "OUT", value_parser = Render::parse)]
    render: Option<Render>,

    /// Write a line of JSON per step: poses, and the contacts that began and ended
    #[arg(long, value_name = "OUT.ndjson")]
    trace: Option<PathBuf>,

    /// Record all calls to the world, for `carom replay`
    #[arg(long, value_name = "OUT")]
    record: Option<PathBuf>,

    /// Print the number of tests, the time of each stage and what was lost on stderr
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    input: Input,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Table
    Table,
    /// One object, all digits
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
