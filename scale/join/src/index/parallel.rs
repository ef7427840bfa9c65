//! Computes the batches of streams on all threads.
//!
//! Input: streams of batches, and a function that computes the results of a batch. Output: each result, in any order.
//!
//! The engine reads a stream on one thread. A small file is one stream. So each batch becomes a task of its own, and
//! reading and computing overlap. The number of batches in flight is bounded, and so is their memory.

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use futures::{Stream, StreamExt as _};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinSet};

use crate::error::Failure;

/// Batches in flight per thread.
const BATCHES_PER_THREAD: usize = 2;

/// Passes the results of `work` for each batch to `sink`. Ends at the first error.
pub(super) async fn each<B, S, T, I>(
    streams: Vec<S>,
    threads: usize,
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
    let permits = Arc::new(Semaphore::new(BATCHES_PER_THREAD * threads));
    let (sender, mut receiver) = mpsc::channel(BATCHES_PER_THREAD * threads);
    // Dropping the set ends its tasks.
    let mut readers = JoinSet::new();
    for stream in streams {
        readers.spawn(read(stream, Arc::clone(&permits), Arc::clone(&work), sender.clone()));
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
    permits: Arc<Semaphore>,
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
        let batch = match stream.next().await {
            None => break,
            Some(Ok(batch)) => batch,
            Some(Err(error)) => {
                // If the receiver is gone, the join has failed already.
                let _ = sender.send(Err(error)).await;
                break;
            }
        };
        tasks.spawn(compute(Arc::clone(&work), batch, permit, sender.clone()));
        while let Some(ended) = tasks.try_join_next() {
            ended?;
        }
    }
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    Ok(())
}

/// Sends the results of one batch. The permit is given back at the end.
async fn compute<B, T, I>(
    work: Arc<impl Fn(B) -> I>,
    batch: B,
    _permit: OwnedSemaphorePermit,
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
fn lost(error: JoinError) -> Failure {
    DataFusionError::ExecutionJoin(Box::new(error)).into()
}
