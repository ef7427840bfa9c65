//! `carom simulate`: moves bodies, which bounce off each other.
#[cfg(feature = "plot")]
mod chart;
mod colours;
mod plot;
mod render;
mod run;
#[cfg(test)]
mod schema;
mod series;
mod simulation;
mod step_log;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::Scene;

use crate::balls::{self, Balls};
use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::input::Input;
use crate::output::ResultFormat;
use crate::progress::Progress;
use crate::threads::Threads;
use colours::ColorBy;
use plot::Plot;
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

    #[command(flatten)]
    balls: Balls,

    /// Acceleration instead of that of the scene: X,Y, or one number for downwards
    #[arg(long, value_name = "X,Y", value_parser = balls::gravity, allow_hyphen_values = true)]
    gravity: Option<carom::DVec2>,

    /// Write the scene at the start as JSON
    #[arg(long, value_name = "OUT.json")]
    write_scene: Option<PathBuf>,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: usize,

    /// Duration of a step in seconds [default: 1/60]
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1.0 / 60.0,
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    dt: f64,

    /// Broad phase; the motion is the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

    /// Output format of the summary
    #[arg(long, value_enum, default_value_t = ResultFormat::Table)]
    format: ResultFormat,

    /// Draw the motion (.svg, .gif, or numbered pictures such as frame-###.png) or the last state
    /// (.png)
    #[arg(long, value_name = "OUT", value_parser = Render::parse)]
    render: Option<Render>,

    /// Meaning of the colours of --render
    #[arg(long, value_enum, value_name = "BY", default_value_t = ColorBy::Mass)]
    color: ColorBy,

    /// Draw energy, contacts and tests over time (.svg, .png), or write their numbers (.csv, .ndjson)
    #[arg(long, value_name = "OUT", value_parser = Plot::parse)]
    plot: Option<Plot>,

    /// Write poses, velocities, energy, momentum and events of each step. A line of JSON has one
    /// step; with the suffix .csv, a row has one step of one collider
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

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.threads.run(&|| simulate(args))
}

fn simulate(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let mut scene: Scene = match args.balls.balls {
        Some(count) => args.balls.scene(count)?,
        None => args.input.scene(&args.files, &progress)?,
    };
    scene.gravity = args.gravity.or(scene.gravity);
    let platforms = scene.colliders.iter().filter(|collider| collider.moving.is_some()).count();
    if platforms > 0 {
        progress.say(&format!("carom: shapes with a path stand still, only `carom walk` moves them: {platforms}"));
    }
    if let Some(path) = &args.write_scene {
        write_scene(path, &scene)?;
    }
    let ran = run::run(&scene, args, &progress)?;
    if let Some(render) = &args.render {
        progress.stage("drawing");
        render.save(&scene, &ran, args.color)?;
    }
    if let Some(plot) = &args.plot {
        plot.save(&ran.samples)?;
    }
    drop(progress);
    summary::print(&ran, args.format)?;
    if args.stats {
        summary::stats(&ran);
    }
    Ok(ExitCode::SUCCESS)
}

fn write_scene(path: &std::path::Path, scene: &Scene) -> Result<(), CliError> {
    let write = || {
        let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
        carom_scene::write_json(scene, &mut out)?;
        std::io::Write::flush(&mut out)
    };
    write()
        .map_err(|error: std::io::Error| CliError::at(path.display(), format!("the scene cannot be written: {error}")))
}
