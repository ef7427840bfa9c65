//! `--threads`: how many of the machine's cores a command uses.
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::CliError;

/// The same for every command that searches.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Use N cores; 0 is all of them. The answer is the same for any number
    #[arg(long = "threads", id = "threads", value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    count: u16,
}

impl Threads {
    /// Does a command's work on that many cores.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> Result<R, CliError> + Send) -> Result<R, CliError> {
        self.pool()?.install(work)
    }

    /// How many there are to be.
    pub(crate) fn pool(&self) -> Result<ThreadPool, CliError> {
        pool(usize::from(self.count))
    }
}

/// So many threads, or as many as there are cores.
pub(crate) fn pool(count: usize) -> Result<ThreadPool, CliError> {
    let named = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK);
    named.build().map_err(|error| {
        CliError::at("--threads", format!("no {count} threads could be started: {error}; fewer may do"))
    })
}

/// As much as the first thread has on most systems: scenes may be nested deeply.
const STACK: usize = 8 << 20;
