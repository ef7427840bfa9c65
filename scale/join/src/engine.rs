//! Creates sessions of the query engine, embedded or on a cluster.
//!
//! Input: the memory budget, the number of partitions, and the sizes of the rows. Output: a
//! DataFusion session with the functions of carom.
//!
//! The settings bound the memory of a join. A batch has a fixed number of rows by default. With
//! large geometries such a batch can exceed the budget, so the number of rows follows from the
//! sizes of the rows. A hash join keeps the smaller input in memory. A sort-merge join spills to
//! files; its pool is divided (`pool.rs`).

use std::path::Path;
use std::sync::Arc;

use ballista::prelude::SessionContextExt as _;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{GreedyMemoryPool, MemoryPool};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::error::Failure;
use crate::input::Sizes;
use crate::memory::Budget;
use crate::pool::DividedPool;
use crate::stores;

/// Bytes of a row of the join besides its geometry: box, id, cell, views, hash table.
pub(crate) const ROW_BYTES: u64 = 128;

/// Bytes of a batch, as far as possible.
pub(crate) const BATCH_BYTES: u64 = 4 << 20;

/// Batches that fit into a partition's share of the pool of a sort-merge join.
const BATCHES_PER_SHARE: u64 = 256;

/// Share of a partition's pool that each sort keeps for its merge: one part of this many.
const MERGES_PER_SHARE: usize = 64;

/// Rows in a batch, at most.
const BATCH_ROWS: u64 = 8192;

/// Options of a session.
pub(crate) struct Options<'a> {
    /// The memory budget.
    pub(crate) budget: Budget,
    /// Number of partitions.
    pub(crate) partitions: usize,
    /// Directory for spilled data.
    pub(crate) temp: &'a Path,
    /// Sizes of the rows of the inputs.
    pub(crate) sizes: Sizes,
    /// True if the build side of the join fits into memory.
    pub(crate) hash_join: bool,
    /// Scheduler of the cluster.
    pub(crate) cluster: Option<&'a str>,
}

/// Creates a session with the functions of carom.
pub(crate) async fn session(options: &Options<'_>) -> Result<SessionContext, Failure> {
    // With one partition, the engine plans a hash join in any case. It cannot spill.
    let partitions = if options.hash_join { options.partitions } else { options.partitions.max(2) };
    // A sort holds a batch of each run that it merges, twice.
    let share = (options.budget.pool / partitions) as u64;
    let batch = if options.hash_join { BATCH_BYTES } else { BATCH_BYTES.min(share / BATCHES_PER_SHARE) };
    let rows = batch_rows(&options.sizes, batch);
    let config = SessionConfig::new()
        .with_target_partitions(partitions)
        .with_batch_size(rows)
        .with_information_schema(false)
        .set_bool("datafusion.optimizer.prefer_hash_join", options.hash_join)
        .with_sort_spill_reservation_bytes(share as usize / MERGES_PER_SHARE)
        // Files of any suffix were named by the user.
        .set_bool("datafusion.execution.listing_table_ignore_subdirectory", false);
    let session = match options.cluster {
        None => {
            let disk = DiskManagerBuilder::default()
                .with_mode(DiskManagerMode::Directories(vec![options.temp.to_path_buf()]))
                .with_max_temp_directory_size(u64::MAX);
            let size = options.budget.pool;
            let pool: Arc<dyn MemoryPool> = if options.hash_join {
                Arc::new(GreedyMemoryPool::new(size))
            } else {
                Arc::new(DividedPool::new(size, partitions))
            };
            let runtime = stores::runtime().with_memory_pool(pool).with_disk_manager_builder(disk).build_arc()?;
            SessionContext::new_with_config_rt(config, runtime)
        }
        Some(url) => remote(url, options.partitions).await?,
    };
    carom_functions::register(&session);
    Ok(session)
}

/// Returns the number of rows of a batch that has about `bytes`.
pub(crate) fn batch_rows(sizes: &Sizes, bytes: u64) -> usize {
    sizes.rows_in(bytes, ROW_BYTES).min(BATCH_ROWS) as usize
}

/// Returns true if the engine ran out of its memory budget.
pub(crate) fn exhausted(error: &DataFusionError) -> bool {
    matches!(error.find_root(), DataFusionError::ResourcesExhausted(_))
}

/// Connects to a scheduler. The engine's own settings for clusters apply, with two exceptions.
///
/// The adaptive planner of Ballista 55 does not recover from the loss of an executor: the job never ends
/// (<https://github.com/apache/datafusion-ballista/issues/1986>). The static planner runs the lost tasks again.
/// The shuffle has no memory limit of its own, because the pool of an executor bounds it.
async fn remote(url: &str, partitions: usize) -> Result<SessionContext, Failure> {
    use ballista_core::config;
    use ballista_core::extension::SessionConfigExt as _;
    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .set_bool(config::BALLISTA_ADAPTIVE_PLANNER_ENABLED, false)
        .set_u64(config::BALLISTA_SHUFFLE_SORT_BASED_MEMORY_LIMIT_PER_TASK_BYTES, 0)
        .set_u64(config::BALLISTA_CLIENT_GRPC_CONNECT_TIMEOUT_SECONDS, 10)
        .set_u64(config::BALLISTA_CLIENT_GRPC_TIMEOUT_SECONDS, 30);
    let state = stores::session(config)?;
    SessionContext::remote_with_state(url, state).await.map_err(|error| {
        Failure::input(format!("no scheduler at {url} ({}): start `carom-join scheduler`", error.strip_backtrace()))
    })
}
