//! `carom walk`: moves a character with recorded input through a level.
mod level;
mod render;
mod run;
#[cfg(test)]
mod schema;
mod script;
mod summary;
mod trace;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::CliError;
use crate::input::{Input, is_stdin, name};
use crate::output::ResultFormat;
use crate::progress::Progress;
use level::Level;
use render::Render;
use script::Script;
use trace::Trace;

/// Move a character through a level with recorded input.
///
/// The character slides along walls, climbs steps, stays on slopes, jumps through one-way platforms
/// and rides on moving ones. All other colliders stand still. Sensors do not stop it. The input is a
/// JSON file: where it starts, its shape and settings, and velocity and jumps for numbers of frames.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 2 bad input or arguments.")]
pub(crate) struct Args {
    /// Level in any format that `carom check` reads; `-` is stdin. Several files make one level
    #[arg(required = true, value_name = "LEVEL")]
    files: Vec<PathBuf>,

    /// Recorded input: a JSON file, or `-` for stdin
    #[arg(long = "input", id = "script", value_name = "SCRIPT.json")]
    script: PathBuf,

    /// Duration of a frame in seconds, such as 1/60 or 0.02
    #[arg(long, value_name = "S", default_value = "1/60", value_parser = seconds)]
    step: f64,

    /// Output format of the summary
    #[arg(long, value_enum, default_value_t = ResultFormat::Table)]
    format: ResultFormat,

    /// Write position, velocity, ground and touched surfaces of each frame, a line of JSON per frame
    #[arg(long, value_name = "OUT.ndjson")]
    trace: Option<PathBuf>,

    /// Draw the level with the path (.svg, .png), or a film of it (.gif, or numbered pictures such as
    /// frame-###.png)
    #[arg(long, value_name = "OUT", value_parser = Render::parse)]
    render: Option<Render>,

    #[command(flatten)]
    input: Input,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    if is_stdin(&args.script) && args.files.iter().any(|file| is_stdin(file)) {
        return Err(CliError::new("stdin is either the level or --input: write one of them to a file"));
    }
    let progress = Progress::start();
    let scene = args.input.scene(&args.files, &progress)?;
    let script = Script::read(&args.script)?;
    let mut level = Level::new(&scene, &script).map_err(|error| CliError::at(name(&args.script), error))?;
    let mut trace = args.trace.as_deref().map(|path| Trace::create(path, script.frames())).transpose()?;
    let mut film = args.render.as_ref().map(|render| render.film(args.step, script.frames()));
    progress.counted("frames", script.frames());
    let summary = run::run(&mut level, &script, args.step, |level, frame| {
        if let Some(trace) = &mut trace {
            trace.write(&scene, frame)?;
        }
        if let Some(film) = &mut film {
            film.add(level, frame);
        }
        progress.advance(1);
        Ok(())
    })?;
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if let (Some(render), Some(film)) = (&args.render, film) {
        progress.stage("drawing");
        render.save(&scene, &level, &film)?;
    }
    drop(progress);
    summary::print(&scene, &summary, args.format)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a duration, as a number or a fraction.
fn seconds(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let seconds = match text.split_once('/') {
        Some((over, under)) => number(over).zip(number(under)).map(|(over, under)| over / under),
        None => number(text),
    };
    let seconds = seconds.filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
    seconds.ok_or_else(|| "a step is above 0 and at most 1000000 seconds, such as 1/60".to_owned())
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn steps_are_numbers_or_fractions() {
        assert_eq!([seconds("1/60"), seconds("0.25"), seconds(" 3 / 4")], [Ok(1.0 / 60.0), Ok(0.25), Ok(0.75)]);
        for text in ["0", "-1", "1/0", "nan", "inf", "x", "1/", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
