//! The processes of a cluster: a scheduler and its executors.
//!
//! All timeouts are short, so that a lost process ends a job within a minute: with the same result
//! from the remaining executors, or with an error.

mod executor;
mod log;
mod scheduler;

pub(crate) use executor::executor;
pub(crate) use scheduler::scheduler;

/// Seconds between two signs of life of an executor.
const HEARTBEAT: u64 = 3;

/// Largest message in bytes: a plan contains the grid of the join.
const MESSAGE: u32 = 64 << 20;
