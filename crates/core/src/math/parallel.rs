//! Work for several cores: with the feature `parallel` those of rayon's current pool, without it the caller's alone.
//!
//! Work is cut into parts whose results do not depend on where the cuts are, and results are put together in the order of the parts; so they are the same for any
//! number of cores.
//!
//! ```text
//! parts are queued; every core, until none is left
//!     takes the next part
//!     does it, with tools of its own
//!     hands in what it found; if that is what comes next in order, appends it, and all that has waited for it
//! ```

use alloc::vec;
use alloc::vec::Vec;

#[cfg(feature = "parallel")]
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts for each core: a core that is held up by somebody else leaves some of its parts to the others.
#[cfg(feature = "parallel")]
const CHUNKS_PER_THREAD: usize = 4;

/// How many parts to cut work into: one where there is one core, or less work than is worth cutting; else each has at least `least` of it.
pub(crate) fn chunk_count(work: usize, least: usize) -> usize {
    chunk_count_capped(work, least, work)
}

/// The same, with at most about `most` of it in each: what a part finds is to stay in a near cache until it is handed in.
pub(crate) fn chunk_count_capped(work: usize, least: usize, most: usize) -> usize {
    #[cfg(feature = "parallel")]
    if work >= 2 * least {
        let cores = rayon::current_num_threads();
        return if cores > 1 { (CHUNKS_PER_THREAD * cores).max(work / most.max(1)).min(work / least) } else { 1 };
    }
    let _ = (work, least, most);
    1
}

/// How many cores share so many parts.
pub(crate) fn worker_count(parts: usize) -> usize {
    #[cfg(feature = "parallel")]
    let cores = rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    let cores = 1;
    parts.min(cores)
}

/// Does all tasks, on whatever core is free.
pub(crate) fn for_each<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Sync + Send) {
    let mut nothing = vec![(); worker_count(tasks.len())];
    for_each_with(tasks.into_iter(), &mut nothing, |task, ()| run(task));
}

/// Does all parts, one core for each of the `tools`; they are begun in order.
pub(crate) fn for_each_with<P, T: Send>(
    parts: impl Iterator<Item = P> + Send,
    tools: &mut [T],
    run: impl Fn(P, &mut T) + Sync,
) {
    #[cfg(feature = "parallel")]
    if tools.len() > 1 {
        let queue = Mutex::new(parts);
        let next = || locked(&queue).next();
        return run_on_all(tools, &|tool| {
            while let Some(part) = next() {
                run(part, tool);
            }
        });
    }
    if let [tool, ..] = tools {
        parts.for_each(|part| run(part, tool));
    }
}

/// What a part finds: a list, or several that belong together.
pub(crate) trait OrderedOutput: Default + Send {
    /// Takes all that the next part found, and leaves it the memory.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "one core appends to what there is"))]
    fn append(&mut self, next: &mut Self);
}

impl<R: Send> OrderedOutput for Vec<R> {
    fn append(&mut self, next: &mut Self) {
        Self::append(self, next);
    }
}

/// Appends to `out` what `run` finds for each part, as if they were done one after the other, one core for each of the `tools`.
pub(crate) fn collect_in_order<P, T: Send, F: OrderedOutput>(
    parts: impl Iterator<Item = P> + Send,
    tools: &mut [T],
    lists: &mut OutputBuffers<F>,
    out: &mut F,
    run: impl Fn(P, &mut T, &mut F) + Sync,
) {
    #[cfg(feature = "parallel")]
    if tools.len() > 1 {
        let line = Mutex::new(PendingOutputs { lists, next: 0, out: Some(out) });
        return for_each_with(parts.enumerate(), tools, |(number, part), tool| {
            let mut list = locked(&line).lists.spare.pop().unwrap_or_default();
            run(part, tool, &mut list);
            submit(&line, number, list);
        });
    }
    let _ = lists;
    if let [tool, ..] = tools {
        parts.for_each(|part| run(part, tool, out));
    }
}

/// Lists that are kept for the next time.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "one core needs none"))]
pub(crate) struct OutputBuffers<F> {
    spare: Vec<F>,
    /// Handed in before what comes before them, each with the number of its part.
    waiting: Vec<(usize, F)>,
}

impl<F> Default for OutputBuffers<F> {
    fn default() -> Self {
        Self { spare: Vec::new(), waiting: Vec::new() }
    }
}

/// Where what was found waits for its turn.
#[cfg(feature = "parallel")]
struct PendingOutputs<'a, F> {
    lists: &'a mut OutputBuffers<F>,
    /// The part whose list is appended next.
    next: usize,
    /// `None` while somebody appends to it.
    out: Option<&'a mut F>,
}

/// Hands in the list of a part, and appends all lists whose turn it is. Nobody waits for that: others leave their lists to whoever appends.
#[cfg(feature = "parallel")]
fn submit<F: OrderedOutput>(shared: &Mutex<PendingOutputs<'_, F>>, number: usize, list: F) {
    let mut line = locked(shared);
    line.lists.waiting.push((number, list));
    let Some(out) = line.out.take() else { return };
    while let Some(at) = line.lists.waiting.iter().position(|&(number, _)| number == line.next) {
        let (_, mut list) = line.lists.waiting.swap_remove(at);
        line.next += 1;
        drop(line);
        out.append(&mut list);
        line = locked(shared);
        line.lists.spare.push(list);
    }
    line.out = Some(out);
}

/// Lets a core work with each of the tools.
#[cfg(feature = "parallel")]
fn run_on_all<T: Send>(tools: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    match tools {
        [] => {}
        [tool] => work(tool),
        _ => {
            let (some, others) = tools.split_at_mut(tools.len() / 2);
            rayon::join(|| run_on_all(some, work), || run_on_all(others, work));
        }
    }
}

/// Whoever panicked has left nothing half done here.
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

    /// Law: what parts find is put together in their order, whoever is done first.
    #[test]
    fn what_is_found_comes_in_the_order_of_the_parts() {
        let mut lists = OutputBuffers::default();
        for threads in 1..5 {
            let mut tools = vec![0; on(threads, || worker_count(100))];
            let mut out = vec![7];
            on(threads, || {
                collect_in_order(0..100, &mut tools, &mut lists, &mut out, |part: u32, did, found| {
                    *did += 1;
                    // Some take long, some find nothing.
                    let spent = (0..part % 7 * 10_000).map(core::hint::black_box).sum::<u32>();
                    assert!(spent < u32::MAX);
                    found.extend((0..part % 3).map(|_| part));
                });
            });
            assert_eq!(tools.iter().sum::<u32>(), 100);
            let expected = (0..100).flat_map(|part| (0..part % 3).map(move |_| part));
            assert_eq!(out, core::iter::once(7).chain(expected).collect::<Vec<_>>(), "{threads} threads");
        }
    }
}
