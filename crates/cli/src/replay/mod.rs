//! `carom replay`: repeats the calls of a recorded world.
mod render;
mod report;
#[cfg(test)]
mod schema;

use std::path::PathBuf;
use std::process::ExitCode;

use carom::World;
use carom::world::{Command, Recording};
use clap::ValueEnum;

use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::input::{bytes, name};
use crate::progress::Progress;
use crate::render::Picture;

/// Repeat all calls of a recorded world, and report the changes of each frame.
///
/// `World::stop_recording` and `carom simulate --record` make recordings. A recording has the state
/// at its start, all calls that changed the world, and the hash of the state at its end.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 done; 1 it ends in another state than the recorded world, or frames differ; 2 bad \
        input or arguments."
)]
pub(crate) struct Args {
    /// Recording; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Stop after this frame; 0 is the state at the start of the recording
    #[arg(long, value_name = "FRAME")]
    until: Option<usize>,

    /// Broad phase; the states are the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

    /// Run a second world with another broad phase, and report the first frame in which the states
    /// differ
    #[arg(long, value_enum, value_name = "BROAD")]
    against: Option<BroadPhaseArg>,

    /// Output format of the frames
    #[arg(long, value_enum, default_value_t = ReplayFormat::Table)]
    format: ReplayFormat,

    /// Draw the last state; the suffix .svg or .png chooses the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReplayFormat {
    /// Table
    Table,
    /// One object with all frames
    Json,
    /// One object per frame, with its events
    Ndjson,
}

/// Result of a replay.
struct Replayed {
    world: World,
    frames: Vec<report::Frame>,
    calls: usize,
    /// Hash of the recorded end, if the replay reached it.
    recorded: Option<u64>,
    /// First frame in which the state of the second world differs.
    first_difference: Option<usize>,
}

impl Replayed {
    /// True if the last state equals those of the recorded and the second world. `None` if the
    /// replay stopped before.
    fn same(&self) -> Option<bool> {
        match (self.first_difference, self.recorded) {
            (Some(_), _) => Some(false),
            (None, recorded) => recorded.map(|hash| hash == self.world.state_hash()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let name = name(&args.file);
    let recording = Recording::from_bytes(&bytes(&args.file)?).map_err(|error| CliError::at(&name, error))?;
    let replayed = replay(&recording, args, &progress).map_err(|error| CliError::at(&name, error))?;
    if let Some(picture) = &args.render {
        progress.stage("drawing");
        picture.save(&render::draw(&replayed.world))?;
    }
    drop(progress);
    report::print(&replayed, args.format)?;
    Ok(ExitCode::from(u8::from(replayed.same() == Some(false))))
}

fn replay(recording: &Recording, args: &Args, progress: &Progress) -> Result<Replayed, String> {
    let mut world = begin(recording, args.broad)?;
    let mut second = args.against.map(|broad| begin(recording, broad)).transpose()?;
    let (mut frames, mut calls, mut since) = (Vec::new(), 0, 0);
    let mut first_difference = None;
    let until = args.until.unwrap_or(usize::MAX);
    progress.counted("calls", recording.calls().len());
    for (i, call) in recording.calls().iter().enumerate() {
        if frames.len() >= until {
            break;
        }
        let refused =
            |error: carom::Error| format!("call {} of {} is refused: {error}", i + 1, recording.calls().len());
        call.apply(&mut world).map_err(refused)?;
        if let Some(second) = &mut second {
            call.apply(second).map_err(refused)?;
        }
        (calls, since) = (i + 1, since + 1);
        if matches!(call, Command::Update | Command::UpdateWith(_)) {
            frames.push(report::Frame::new(frames.len() + 1, since, &world));
            since = 0;
            let differs = second.as_ref().is_some_and(|second| second.state_hash() != world.state_hash());
            first_difference = first_difference.or(differs.then_some(frames.len()));
        }
        progress.advance(1);
    }
    if frames.len() < until && until != usize::MAX {
        return Err(format!("there are {} frames; --until {until} is behind the last", frames.len()));
    }
    let recorded = (calls == recording.calls().len()).then(|| recording.final_hash());
    Ok(Replayed { world, frames, calls, recorded, first_difference })
}

/// Returns the world at the start of the recording, with a chosen broad phase.
fn begin(recording: &Recording, broad: BroadPhaseArg) -> Result<World, String> {
    let mut world = broad.world();
    world.restore(&recording.start().to_bytes()).map_err(|error| error.to_string())?;
    Ok(world)
}
