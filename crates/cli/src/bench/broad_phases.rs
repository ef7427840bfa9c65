//! Benchmarks the broad phases on the same boxes, interleaved, and compares their pairs.
use std::iter;
use std::time::Instant;

use carom::broad_phase::{Aabb32, BroadPhase, Filter};
use clap::ValueEnum;
use rayon::ThreadPool;

use super::boxes::{RandomBoxes, Workload};
use super::memory::Memory;
use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::threads;

/// Result of one broad phase on one workload, or of memory alone.
pub(super) struct BroadPhaseRow {
    pub(super) workload: &'static str,
    pub(super) count: usize,
    pub(super) strategy: &'static str,
    pub(super) threads: usize,
    /// Median time of a step, divided by the number of boxes or balls.
    pub(super) nanoseconds: f64,
    /// Pairs of the last step.
    pub(super) pairs: usize,
}

/// Returns the largest number of boxes for a broad phase. Above it, brute force takes minutes. So do
/// sorts along one axis from random order, if many boxes share each x.
fn most(broad: BroadPhaseArg) -> usize {
    match broad {
        BroadPhaseArg::Brute => 3_000,
        BroadPhaseArg::Sweep | BroadPhaseArg::SweepInsertion | BroadPhaseArg::SweepSwaps => 10_000,
        _ => usize::MAX,
    }
}

/// Number of timed steps. More if they are short.
pub(super) fn steps(count: usize) -> usize {
    match count {
        0..=3_000 => 51,
        3_001..=30_000 => 21,
        30_001..=300_000 => 9,
        _ => 5,
    }
}

/// Pools with one thread and with the requested number.
pub(super) struct Pools {
    one: ThreadPool,
    all: ThreadPool,
}

impl Pools {
    pub(super) fn new(all: ThreadPool) -> Result<Self, CliError> {
        Ok(Self { one: threads::pool(1)?, all })
    }

    pub(super) fn threads(&self) -> usize {
        self.all.current_num_threads()
    }
}

/// One broad phase in the benchmark.
struct Contender<'a> {
    broad: Box<dyn BroadPhase + Send>,
    pool: &'a ThreadPool,
    pairs: Vec<[u32; 2]>,
    times: Vec<f64>,
}

/// Steps all broad phases that are fast enough for this many boxes, interleaved. Calls `done` after
/// each step.
pub(super) fn run(
    workload: Workload,
    count: usize,
    seed: u64,
    pools: &Pools,
    done: &mut dyn FnMut(),
) -> Result<Vec<BroadPhaseRow>, CliError> {
    let mut boxes = RandomBoxes::new(workload, count, seed);
    let movers: Vec<u32> = boxes.movers().collect();
    let all = movers.len() == count;
    let mut runners: Vec<Contender> =
        strategies(count, pools).map(|(broad, pool)| Contender::new(broad.build(), pool, &boxes)).collect();
    let (mut memory, mut limits) = (Memory::new(&movers, seed), Vec::new());
    for step in 0..=steps(count) {
        boxes.step();
        for runner in &mut runners {
            let time = runner.pool.install(|| {
                step_of(
                    runner.broad.as_mut(),
                    boxes.as_slice(),
                    if all { None } else { Some(&movers) },
                    &mut runner.pairs,
                )
            });
            // The first step builds the data that later steps update.
            if step > 0 {
                runner.times.push(time);
            }
        }
        agreed(&runners, workload)?;
        let pairs = runners[0].pairs.len();
        let limit = pools.one.install(|| memory.step(boxes.as_slice(), pairs));
        limits.extend((step > 0).then_some(limit));
        done();
    }
    let row = |strategy, threads, times: &mut [f64], pairs| {
        let nanoseconds = median(times) * 1e9 / count as f64;
        BroadPhaseRow { workload: workload.name(), count, strategy, threads, nanoseconds, pairs }
    };
    let limit = row(Memory::NAME, 1, &mut limits, runners[0].pairs.len());
    let raced =
        runners.iter_mut().map(|r| row(r.broad.name(), r.pool.current_num_threads(), &mut r.times, r.pairs.len()));
    Ok(iter::once(limit).chain(raced).collect())
}

/// Returns the number of calls of `done`.
pub(super) fn turns(count: usize) -> usize {
    steps(count) + 1
}

/// Measures a step in seconds: new boxes in, pairs out.
fn step_of(broad: &mut dyn BroadPhase, boxes: &[Aabb32], movers: Option<&[u32]>, pairs: &mut Vec<[u32; 2]>) -> f64 {
    let started = Instant::now();
    match movers {
        None => broad.update_all(boxes),
        Some(movers) => movers.iter().for_each(|&id| broad.update(id, boxes[id as usize])),
    }
    pairs.clear();
    broad.pairs(pairs);
    started.elapsed().as_secs_f64()
}

/// Returns the broad phases that are fast enough for this many boxes, with their numbers of
/// threads.
pub(super) fn strategies(count: usize, pools: &Pools) -> impl Iterator<Item = (BroadPhaseArg, &ThreadPool)> {
    let able = BroadPhaseArg::value_variants().iter().copied().filter(move |&broad| count <= most(broad));
    let shares = |broad| {
        matches!(broad, BroadPhaseArg::Auto | BroadPhaseArg::Strips | BroadPhaseArg::Bvh) && pools.threads() > 1
    };
    able.flat_map(move |broad| iter::once((broad, &pools.one)).chain(shares(broad).then_some((broad, &pools.all))))
}

impl<'a> Contender<'a> {
    fn new(mut broad: Box<dyn BroadPhase + Send>, pool: &'a ThreadPool, boxes: &RandomBoxes) -> Self {
        for (id, &aabb) in (0..).zip(boxes.as_slice()) {
            broad.insert(id, aabb, Filter::default(), true);
        }
        Self { broad, pool, pairs: Vec::new(), times: Vec::new() }
    }
}

/// Checks that all broad phases found the same pairs: the same number, and the same sum of hashes
/// in any order.
fn agreed(runners: &[Contender<'_>], workload: Workload) -> Result<(), CliError> {
    let mut sums =
        runners.iter().map(|r| (r.pairs.len(), r.pairs.iter().fold(0u64, |sum, &pair| sum.wrapping_add(mixed(pair)))));
    let first = sums.next();
    match sums.position(|sum| Some(sum) != first) {
        None => Ok(()),
        Some(at) => {
            let [a, b] = [&runners[0], &runners[at + 1]].map(|r| format!("{} found {}", r.broad.name(), r.pairs.len()));
            Err(CliError::at(
                workload.name(),
                format!("the broad phases disagree, which is a fault of carom: {a} pairs, {b}"),
            ))
        }
    }
}

/// Hashes a pair, so that different sets of pairs have different sums.
fn mixed([a, b]: [u32; 2]) -> u64 {
    let x = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub(super) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
