//! `--watch`: checks again when an input file changes.
//!
//! Polls the modification times and sizes of the files a few times per second. A scene has a few
//! files, so this costs microseconds. It works on every file system, also on network drives and
//! shared folders without notifications. It follows editors that replace a file by a new one. So no
//! crate for notifications is needed.
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use super::baseline::Baseline;
use super::{Args, print};
use crate::error::CliError;
use crate::input::is_stdin;
use crate::pipeline::Search;
use crate::progress::Progress;
use crate::read_files::ReadFiles;
use crate::stats::Stopwatch;

/// Time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(200);

/// Checks until the reader closes standard output. Errors in a file are printed, and the next
/// version of the file is awaited.
pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    if args.files.iter().any(|file| is_stdin(file)) {
        return Err(CliError::new("--watch: stdin does not change; name a file"));
    }
    let mut before = None;
    loop {
        let mut read = ReadFiles::default();
        match check(args, before.as_ref(), &mut read) {
            Ok((now, true)) => before = Some(now),
            Ok((_, false)) => return Ok(ExitCode::SUCCESS),
            Err(error) if before.is_none() => return Err(error),
            Err(error) => Progress::start().say(&format!("carom: {error}")),
        }
        wait(&read);
    }
}

/// Checks once and prints all contacts, or the difference. Returns false if nobody reads.
fn check(args: &Args, before: Option<&Baseline>, read: &mut ReadFiles) -> Result<(Baseline, bool), CliError> {
    let mut watch = Stopwatch::new();
    let progress = Progress::start();
    let scene = args.input.scene_and_files(&args.files, &progress, read)?;
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
fn wait(read: &ReadFiles) {
    let mut last = read.as_of_now();
    while last == *read {
        thread::sleep(PAUSE);
        last = read.as_of_now();
    }
    loop {
        thread::sleep(PAUSE);
        let now = read.as_of_now();
        if now == last {
            return;
        }
        last = now;
    }
}
