//! `--threads`: number of threads of a command.
use std::process::ExitCode;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::CliError;

/// Option of every command that searches.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Use N threads; 0 is one per core. The result is the same for any number
    #[arg(
        long = "threads",
        id = "threads",
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(..=1024)
    )]
    count: u16,
}

impl Threads {
    /// Runs the work of a command on that many threads.
    pub(crate) fn run(&self, work: &(dyn Fn() -> Result<ExitCode, CliError> + Sync)) -> Result<ExitCode, CliError> {
        self.pool()?.install(work)
    }

    /// Builds the thread pool.
    pub(crate) fn pool(&self) -> Result<ThreadPool, CliError> {
        pool(usize::from(self.count))
    }
}

/// Returns the number of threads, or of cores.
pub(crate) fn pool(count: usize) -> Result<ThreadPool, CliError> {
    let named = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK);
    named.build().map_err(|error| {
        CliError::at("--threads", format!("no {count} threads could be started: {error}; fewer may do"))
    })
}

/// Stack size of the first thread on most systems. Deeply nested scenes need it.
const STACK: usize = 8 << 20;
