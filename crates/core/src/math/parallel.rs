//! Runs parallel loops whose results do not depend on the number of threads.
//!
//! Input: chunks of work, and one state per worker. Output: the outputs of all chunks, joined in
//! the order of the chunks. With the feature `parallel` the loops run on rayon's current pool,
//! without it on the calling thread. The caller cuts its work into chunks such that the cuts do not
//! change the results.
//!
//! The simple version is a parallel map that collects one output per chunk, then joins them:
//!
//! ```text
//! outputs = parallel map over the chunks
//! for each output: append it to the result
//! ```
//!
//! Its second loop runs on one thread after all chunks are done, and reads outputs that have left
//! the cache. Here each output is appended as soon as it is the next one in order:
//!
//! ```text
//! queue all chunks
//! each worker, until the queue is empty:
//!     take the next chunk
//!     process it, with the state of this worker
//!     submit the output
//!     if it is the next one in order: append it, and all outputs that waited for it
//! ```
//!
//! No worker waits for another one to append. If one is appending, it appends the new output too.

use alloc::vec;
use alloc::vec::Vec;

#[cfg(feature = "parallel")]
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of chunks per thread. A thread that the system delays leaves some of its chunks to the
/// others.
#[cfg(feature = "parallel")]
const CHUNKS_PER_THREAD: usize = 4;

/// Returns the number of chunks to cut `work` units into, each of at least `min_units` units.
///
/// Returns 1 if there is one thread or less than `2 * min_units` work.
pub(crate) fn chunk_count(work: usize, min_units: usize) -> usize {
    chunk_count_capped(work, min_units, work)
}

/// Like [`chunk_count`], with about `max_units` units per chunk at most.
///
/// The output of a chunk should stay in a near cache until it is submitted.
pub(crate) fn chunk_count_capped(work: usize, min_units: usize, max_units: usize) -> usize {
    #[cfg(feature = "parallel")]
    if work >= 2 * min_units {
        let threads = rayon::current_num_threads();
        return if threads > 1 {
            (CHUNKS_PER_THREAD * threads).max(work / max_units.max(1)).min(work / min_units)
        } else {
            1
        };
    }
    let _ = (work, min_units, max_units);
    1
}

/// Returns the number of threads to use for this number of chunks.
pub(crate) fn worker_count(chunks: usize) -> usize {
    #[cfg(feature = "parallel")]
    let threads = rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    let threads = 1;
    chunks.min(threads)
}

/// Runs all tasks, each on any free thread.
pub(crate) fn for_each<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Sync + Send) {
    let mut nothing = vec![(); worker_count(tasks.len())];
    for_each_with(tasks.into_iter(), &mut nothing, |task, ()| run(task));
}

/// Runs all chunks, with one worker for each element of `states`. Chunks are started in order.
pub(crate) fn for_each_with<P, T: Send>(
    chunks: impl Iterator<Item = P> + Send,
    states: &mut [T],
    run: impl Fn(P, &mut T) + Sync,
) {
    #[cfg(feature = "parallel")]
    if states.len() > 1 {
        let queue = Mutex::new(chunks);
        let next = || locked(&queue).next();
        return run_on_all(states, &|state| {
            while let Some(chunk) = next() {
                run(chunk, state);
            }
        });
    }
    if let [state, ..] = states {
        chunks.for_each(|chunk| run(chunk, state));
    }
}

/// The output of a chunk: a list, or several lists that belong together.
pub(crate) trait OrderedOutput: Default + Send {
    /// Moves all elements of `next`, the output of the next chunk, to the end. `next` keeps its
    /// memory.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "with one thread, outputs are appended directly"))]
    fn append(&mut self, next: &mut Self);
}

impl<R: Send> OrderedOutput for Vec<R> {
    fn append(&mut self, next: &mut Self) {
        Self::append(self, next);
    }
}

/// Appends to `out` the output of `run` for each chunk, in the order of the chunks.
///
/// Uses one worker for each element of `states`.
pub(crate) fn collect_in_order<P, T: Send, F: OrderedOutput>(
    chunks: impl Iterator<Item = P> + Send,
    states: &mut [T],
    lists: &mut OutputBuffers<F>,
    out: &mut F,
    run: impl Fn(P, &mut T, &mut F) + Sync,
) {
    #[cfg(feature = "parallel")]
    if states.len() > 1 {
        let pending = Mutex::new(PendingOutputs { buffers: lists, next: 0, out: Some(out) });
        return for_each_with(chunks.enumerate(), states, |(index, chunk), state| {
            let mut output = locked(&pending).buffers.spare.pop().unwrap_or_default();
            run(chunk, state, &mut output);
            submit(&pending, index, output);
        });
    }
    let _ = lists;
    if let [state, ..] = states {
        chunks.for_each(|chunk| run(chunk, state, out));
    }
}

/// Buffers that are kept for the next call.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "with one thread, nothing is stored"))]
pub(crate) struct OutputBuffers<F> {
    spare: Vec<F>,
    /// Outputs that were submitted before all their predecessors, each with the index of its chunk.
    waiting: Vec<(usize, F)>,
}

impl<F> Default for OutputBuffers<F> {
    fn default() -> Self {
        Self { spare: Vec::new(), waiting: Vec::new() }
    }
}

/// The outputs that wait for their turn.
#[cfg(feature = "parallel")]
struct PendingOutputs<'a, F> {
    buffers: &'a mut OutputBuffers<F>,
    /// The index of the chunk whose output is appended next.
    next: usize,
    /// `None` while a thread appends to it.
    out: Option<&'a mut F>,
}

/// Submits the output of a chunk, and appends all outputs whose turn it is.
///
/// Never waits for another thread to append: if one is appending, it appends this output too.
#[cfg(feature = "parallel")]
fn submit<F: OrderedOutput>(shared: &Mutex<PendingOutputs<'_, F>>, index: usize, output: F) {
    let mut pending = locked(shared);
    pending.buffers.waiting.push((index, output));
    let Some(out) = pending.out.take() else { return };
    while let Some(position) = pending.buffers.waiting.iter().position(|&(index, _)| index == pending.next) {
        let (_, mut output) = pending.buffers.waiting.swap_remove(position);
        pending.next += 1;
        drop(pending);
        out.append(&mut output);
        pending = locked(shared);
        pending.buffers.spare.push(output);
    }
    pending.out = Some(out);
}

/// Runs `work` with each state, in parallel.
#[cfg(feature = "parallel")]
fn run_on_all<T: Send>(states: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    match states {
        [] => {}
        [state] => work(state),
        _ => {
            let (some, others) = states.split_at_mut(states.len() / 2);
            rayon::join(|| run_on_all(some, work), || run_on_all(others, work));
        }
    }
}

/// Locks a mutex. Ignores poisoning: a thread that panicked left no partial change behind.
#[cfg(feature = "parallel")]
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
    }

    #[test]
    fn little_work_and_one_thread_make_one_part() {
        let parts = |threads, work| on(threads, || chunk_count(work, 100));
        assert_eq!([parts(1, 1_000_000), parts(3, 0), parts(3, 199)], [1; 3]);
        let [some, many] = [parts(3, 350), parts(3, 1_000_000)];
        if cfg!(feature = "parallel") {
            assert!(some == 3 && many >= 3, "{some} {many}");
            assert_eq!(on(3, || chunk_count_capped(1_000_000, 100, 1_000)), 1_000);
            assert_eq!(on(3, || [worker_count(2), worker_count(9)]), [2, 3]);
        } else {
            assert_eq!(
                [some, many, on(3, || chunk_count_capped(1_000_000, 100, 1_000)), on(3, || worker_count(9))],
                [1; 4]
            );
        }
    }

    #[test]
    fn every_task_is_done_once() {
        for threads in 1..4 {
            let mut done = [0; 50];
            on(threads, || for_each(done.iter_mut().collect(), |count| *count += 1));
            assert_eq!(done, [1; 50]);
        }
        for_each(Vec::<u32>::new(), |_| unreachable!());
    }

    /// Law: outputs are joined in the order of the chunks, whichever is finished first.
    #[test]
    fn outputs_are_in_the_order_of_the_chunks() {
        let mut lists = OutputBuffers::default();
        for threads in 1..5 {
            let mut states = vec![0; on(threads, || worker_count(100))];
            let mut out = vec![7];
            on(threads, || {
                collect_in_order(0..100, &mut states, &mut lists, &mut out, |part: u32, did, found| {
                    *did += 1;
                    // Some chunks take long, some have no output.
                    let spent = (0..part % 7 * 10_000).map(core::hint::black_box).sum::<u32>();
                    assert!(spent < u32::MAX);
                    found.extend((0..part % 3).map(|_| part));
                });
            });
            assert_eq!(states.iter().sum::<u32>(), 100);
            let expected = (0..100).flat_map(|part| (0..part % 3).map(move |_| part));
            assert_eq!(out, core::iter::once(7).chain(expected).collect::<Vec<_>>(), "{threads} threads");
        }
    }
}
