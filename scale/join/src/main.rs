//! The program `carom-join`: joins outlines with outlines on a query engine.
//!
//! Every command is one file. `join.rs` has the steps of a join.

mod args;
mod check;
mod cluster;
mod engine;
mod error;
mod index;
mod input;
mod join;
mod memory;
mod messages;
mod output;
mod pool;
mod progress;
mod query;
mod sql;
mod stores;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::error::Failure;
use crate::messages::message;

/// Gives memory back to the system sooner than the allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(args::joined(std::env::args_os())) {
        Ok(cli) => cli,
        Err(text) => return help(&text),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            message(format_args!("{failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints the text of `--help` or `--version`, or the error of the arguments, and returns the exit code.
fn help(text: &clap::Error) -> ExitCode {
    match text.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if !text.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            let failure = Failure::input(format!("stdout: {error}"));
            message(format_args!("{failure}"));
            ExitCode::from(failure.exit_code())
        }
        _ => ExitCode::from(text.exit_code() as u8),
    }
}

/// Threads of a join for files, at most.
///
/// A sort that merges reads all its files at once, and each thread keeps memory: with 80 threads, a join took 240 MB
/// more than its budget. Measured on a local disk, the time was the same with 2 to 512 threads. No task of a join waits
/// for another one on these threads. Tasks of `sql` and of the servers of a cluster can wait, so they have no such
/// bound.
const BLOCKING_THREADS: usize = 4;

/// Runs a command on the threads of the runtime, until it ends or the user interrupts it.
fn run(cli: Cli) -> Result<(), Failure> {
    let threads = cli.threads();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if cli.command.is_none() {
        runtime.max_blocking_threads(BLOCKING_THREADS);
    }
    let runtime = runtime
        .worker_threads(threads)
        .thread_stack_size(8 << 20)
        .enable_all()
        .build()
        .map_err(|error| Failure::input(format!("the threads cannot be started: {error}")))?;
    let is_server = matches!(cli.command, Some(Command::Scheduler(_) | Command::Executor(_)));
    let result = runtime.block_on(async {
        let work = async {
            match cli.command {
                Some(Command::Sql(args)) => sql::run(args, threads).await,
                Some(Command::Scheduler(args)) => cluster::scheduler(args).await,
                Some(Command::Executor(args)) => cluster::executor(args, threads).await,
                None => join::run(cli.join, threads).await,
            }
        };
        tokio::select! {
            // The signal handlers come before the work, so that a signal never ends the program without its cleanup.
            biased;
            () = interrupted() => if is_server { Ok(()) } else { Err(Failure::Interrupted) },
            result = work => result,
        }
    });
    // Tasks of the engine that are still running must not delay the end.
    runtime.shutdown_background();
    result
}

/// Returns when the user presses Ctrl-C or the system asks the program to end.
async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
