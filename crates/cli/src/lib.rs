//! The command line `carom`: reads scenes and reports which shapes intersect. [`main`] is its only public item. This
//! library is the code of the program; it has no stable interface.
mod balls;
mod bench;
mod broad_phase;
mod check;
mod completions;
mod containment;
mod decompose;
mod error;
mod explain;
mod film;
mod input;
mod join;
mod json_number;
#[cfg(test)]
mod json_schema;
mod large_files;
mod layers;
mod lettering;
mod man;
mod names;
mod number_format;
mod output;
mod pipeline;
mod progress;
mod read_files;
mod render;
mod replay;
mod report_json;
mod simulate;
mod stats;
mod stream;
mod suggest;
mod sweep;
mod table;
mod threads;
mod trace;
mod walk;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::error::CliError;

/// Report which shapes of a 2D scene intersect, where, and how deep.
///
/// Without a command, carom checks a small built-in scene.
///
/// Exit codes: 0 done; 1 `check --deny` found a contact, or `replay` ended in another state; 2 bad
/// input or arguments.
#[derive(Parser)]
#[command(name = "carom", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Explain(explain::Args),
    Simulate(simulate::Args),
    Replay(replay::Args),
    Walk(walk::Args),
    Decompose(decompose::Args),
    Trace(trace::Args),
    Join(join::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Exit code of bad input, of bad arguments, and of output that could not be written.
const BAD_INPUT: u8 = 2;

/// Runs the command line with the arguments of the process, and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    match Cli::try_parse().or_else(|message| help(&message)).and_then(run) {
        Ok(code) => code,
        Err(failure) => {
            // If stderr is closed, the error cannot be reported.
            let _ = writeln!(anstream::stderr(), "carom: {failure}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Prints the text of `--help` or `--version`, or the error of the arguments, and ends the program.
fn help(message: &clap::Error) -> Result<Cli, CliError> {
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !message.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::at("standard output", format!("cannot be written: {error}")))
        }
        _ => std::process::exit(message.exit_code()),
    }
}

fn run(cli: Cli) -> Result<ExitCode, CliError> {
    match cli.command {
        None => check::example(),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Walk(args)) => walk::run(&args),
        Some(Command::Decompose(args)) => decompose::run(&args),
        Some(Command::Trace(args)) => trace::run(&args),
        Some(Command::Join(args)) => join::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Completions(args)) => completions::run(&args, Cli::command()),
        Some(Command::Man(args)) => man::run(&args, Cli::command()),
    }
}
