//! `--watch`: checks again when an input file changes.
//!
//! Polls the modification times and sizes of the files a few times per second. A scene has a few
//! files, so this costs microseconds. It works on every file system, also on network drives and
//! shared folders without notifications. It follows editors that replace a file by a new one. So no
//! crate for notifications is needed.
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime};

use super::baseline::Baseline;
use super::{Args, print};
use crate::error::CliError;
use crate::input::is_stdin;
use crate::pipeline::Search;
use crate::progress::Progress;
use crate::stats::Stopwatch;

/// Time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(200);

/// Modification time and size. `None` if the file cannot be read, for example while it is replaced.
type Stamp = Option<(SystemTime, u64)>;

/// Checks until the reader closes standard output. Errors in a file are printed, and the next
/// version of the file is awaited.
pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    if args.files.iter().any(|file| is_stdin(file)) {
        return Err(CliError::new("--watch: stdin does not change; name a file"));
    }
    let (mut before, mut files) = (None, args.files.clone());
    loop {
        // Taken first: a change during the check starts another one.
        let stamps = stamps(&files);
        let mut loaded = Vec::new();
        match check(args, before.as_ref(), &mut loaded) {
            Ok((now, true)) => before = Some(now),
            Ok((_, false)) => return Ok(ExitCode::SUCCESS),
            Err(error) if before.is_none() => return Err(error),
            Err(error) => Progress::start().say(&format!("carom: {error}")),
        }
        loaded.sort();
        loaded.dedup();
        let stamps = if loaded == files { stamps } else { self::stamps(&loaded) };
        files = loaded;
        wait(&files, &stamps);
    }
}

/// Checks once and prints all contacts, or the difference. Returns false if nobody reads.
fn check(args: &Args, before: Option<&Baseline>, loaded: &mut Vec<PathBuf>) -> Result<(Baseline, bool), CliError> {
    let mut watch = Stopwatch::new();
    let progress = Progress::start();
    let scene = args.input.scene_and_files(&args.files, &progress, loaded)?;
    let question = args.question(&scene)?;
    let search = Search::new(&scene, &question, &mut watch, &progress);
    let contacts = search.contacts(&mut watch, &progress);
    args.draw(&scene, &contacts, &progress, &mut watch)?;
    drop(progress);
    let mut is_read = true;
    match before {
        None => print::all(args, &scene, search.candidates(), &contacts)?,
        Some(before) => is_read = before.compare(&scene, &contacts, args.tolerance).print(args, search.candidates())?,
    }
    Ok((Baseline::of(&scene, &contacts), is_read))
}

/// Waits for a change, and then until nothing changes for a while: an editor may write a file in
/// several steps.
fn wait(files: &[PathBuf], checked: &[Stamp]) {
    let mut last = stamps(files);
    while last == checked {
        thread::sleep(PAUSE);
        last = stamps(files);
    }
    loop {
        thread::sleep(PAUSE);
        let now = stamps(files);
        if now == last {
            return;
        }
        last = now;
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| fs::metadata(file).and_then(|data| Ok((data.modified()?, data.len()))).ok();
    files.iter().map(stamp).collect()
}
