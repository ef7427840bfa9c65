//! Computes the batches of streams on all threads.
//!
//! Input: streams of batches, and a function that computes the results of a batch. Output: each result, in any order.
//!
//! The engine reads a stream on one thread. A small file is one stream. So each batch becomes a task of its own, and
//! reading and computing overlap. The number of batches in flight is bounded. The bytes of the computed batches are
//! bounded as well:
//!
//! ```text
//! wait for a place among the batches, read a batch
//! wait for its bytes: batches of usual size run beside each other, a large one runs alone
//! a batch larger than the allowance of all: reserve the rest from the pool
//! ```
//!
//! Each reader can hold one more batch, which waits for its bytes.

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use futures::{Stream, StreamExt as _};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinSet};

use crate::engine::BATCH_BYTES;
use crate::error::Failure;

/// Batches in flight per thread.
const BATCHES_PER_THREAD: usize = 2;

/// Bytes that a permit stands for.
const UNIT: usize = 1 << 10;

/// The limits of the batches in flight: their number and their memory.
pub(super) struct BatchLimits {
    /// The most batches.
    batches: usize,
    /// Units of memory outside of the pool.
    units: Arc<Semaphore>,
    total: u32,
    /// For a batch that is larger than all units.
    pool: Arc<dyn MemoryPool>,
}

/// The memory of one batch. Dropping it returns the memory.
struct BatchReservation {
    _units: OwnedSemaphorePermit,
    _rest: MemoryReservation,
}

impl BatchLimits {
    /// Creates the limits: memory for some batches of usual size. A larger batch takes more from the pool.
    pub(super) fn new(threads: usize, pool: &Arc<dyn MemoryPool>) -> Self {
        let batches = BATCHES_PER_THREAD * threads;
        let total = batches * BATCH_BYTES as usize / UNIT;
        Self { batches, units: Arc::new(Semaphore::new(total)), total: total as u32, pool: Arc::clone(pool) }
    }

    /// Waits for the memory of a batch. Returns an error if the pool has too little for a large batch.
    async fn reserve(&self, bytes: usize) -> Result<BatchReservation> {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX).min(self.total);
        let rest = MemoryConsumer::new("a batch").register(&self.pool);
        let closed = |_| DataFusionError::Internal("the memory of batches is never closed".to_owned());
        let units = Arc::clone(&self.units).acquire_many_owned(units).await.map_err(closed)?;
        rest.try_grow(bytes.saturating_sub(self.total as usize * UNIT))?;
        Ok(BatchReservation { _units: units, _rest: rest })
    }
}

/// Passes the results of `work` for each batch to `sink`. Ends at the first error. `bytes` is the memory of a batch.
pub(super) async fn each<B, S, T, I>(
    streams: Vec<S>,
    limits: BatchLimits,
    bytes: impl Fn(&B) -> usize + Send + Sync + Copy + 'static,
    work: impl Fn(B) -> I + Send + Sync + 'static,
    mut sink: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure>
where
    B: Send + 'static,
    S: Stream<Item = Result<B>> + Send + Unpin + 'static,
    T: Send + 'static,
    I: Iterator<Item = Result<T>> + Send + 'static,
{
    let work = Arc::new(work);
    let (sender, mut receiver) = mpsc::channel(limits.batches);
    let permits = Arc::new(Semaphore::new(limits.batches));
    let limits = Arc::new(limits);
    // Dropping the set ends its tasks.
    let mut readers = JoinSet::new();
    for stream in streams {
        let places = (Arc::clone(&permits), Arc::clone(&limits));
        readers.spawn(read(stream, places, bytes, Arc::clone(&work), sender.clone()));
    }
    drop(sender);
    while let Some(result) = receiver.recv().await {
        sink(result?)?;
    }
    while let Some(ended) = readers.join_next().await {
        ended.flatten().map_err(lost)?;
    }
    Ok(())
}

/// Starts a task for each batch of a stream, and waits for all of them.
async fn read<B, S, T, I>(
    mut stream: S,
    (permits, limits): (Arc<Semaphore>, Arc<BatchLimits>),
    bytes: impl Fn(&B) -> usize,
    work: Arc<impl Fn(B) -> I + Send + Sync + 'static>,
    sender: Sender<Result<T>>,
) -> Result<(), JoinError>
where
    B: Send + 'static,
    S: Stream<Item = Result<B>> + Send + Unpin + 'static,
    T: Send + 'static,
    I: Iterator<Item = Result<T>> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    // The permit comes first, so that no batch is read that must wait.
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        let next = match stream.next().await {
            None => break,
            Some(Ok(batch)) => limits.reserve(bytes(&batch)).await.map(|memory| (batch, memory)),
            Some(Err(error)) => Err(error),
        };
        let (batch, memory) = match next {
            Ok(next) => next,
            Err(error) => {
                // If the receiver is gone, the join has failed already.
                let _ = sender.send(Err(error)).await;
                break;
            }
        };
        tasks.spawn(compute(Arc::clone(&work), batch, (permit, memory), sender.clone()));
        while let Some(ended) = tasks.try_join_next() {
            ended?;
        }
    }
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    Ok(())
}

/// Sends the results of one batch. Its place and its memory are given back at the end.
async fn compute<B, T, I>(
    work: Arc<impl Fn(B) -> I>,
    batch: B,
    _place: (OwnedSemaphorePermit, BatchReservation),
    sender: Sender<Result<T>>,
) where
    I: Iterator<Item = Result<T>>,
{
    for result in work(batch) {
        if sender.send(result).await.is_err() {
            return;
        }
    }
}

/// Returns the error of a task that did not end: results are missing.
pub(super) fn lost(error: JoinError) -> Failure {
    DataFusionError::ExecutionJoin(Box::new(error)).into()
}
