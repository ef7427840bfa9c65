//! The processes of a cluster: a scheduler and its executors.
//!
//! All timeouts are short, so a lost process ends a job within a minute. The job ends with the same
//! result from the remaining executors, or with an error.

mod executor;
mod log;
mod lost;
mod scheduler;

use ballista_core::config::TaskSchedulingPolicy;

pub(crate) use executor::executor;
pub(crate) use lost::or_lost_scheduler;
pub(crate) use scheduler::scheduler;

/// Executors fetch their tasks.
///
/// The scheduler of Ballista 55 may instead send a task to a lost executor. Then it forgets the
/// executor without telling the job, and the job never ends
/// (<https://github.com/apache/datafusion-ballista/pull/2240>).
const POLICY: TaskSchedulingPolicy = TaskSchedulingPolicy::PullStaged;

/// Seconds between two signs of life of an executor.
const HEARTBEAT: u64 = 3;

/// Largest message in bytes: a plan contains the grid of the join.
const MESSAGE: u32 = 64 << 20;
