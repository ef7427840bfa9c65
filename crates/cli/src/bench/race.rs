//! The race of the broad phases: the same boxes for all, in turns, their pairs compared.
use std::time::Instant;

use carom::broad::{BroadPhase, Filter};
use clap::ValueEnum;

use super::boxes::{Boxes, Workload};
use crate::broad::Broad;
use crate::failure::Failure;

/// What one strategy did on one workload.
pub(super) struct Row {
    pub(super) workload: Workload,
    pub(super) count: usize,
    pub(super) strategy: &'static str,
    /// Median of the steps, for one box.
    pub(super) nanoseconds: f64,
    /// In the last step.
    pub(super) pairs: usize,
}

/// Above this many boxes a strategy takes minutes, and is left out: all pairs, or sorting by one axis where each x has many, from random order.
fn most(broad: Broad) -> usize {
    match broad {
        Broad::Brute => 3_000,
        Broad::Sweep | Broad::SweepInsertion | Broad::SweepSwaps => 10_000,
        _ => usize::MAX,
    }
}

/// Steps that are timed; more where they are short.
fn steps(count: usize) -> usize {
    match count {
        0..=3_000 => 51,
        3_001..=30_000 => 21,
        30_001..=300_000 => 9,
        _ => 5,
    }
}

/// A strategy on the track.
struct Runner {
    broad: Box<dyn BroadPhase>,
    pairs: Vec<[u32; 2]>,
    times: Vec<f64>,
}

/// Steps of all strategies that can take this many boxes, in turns; `done` is called after each step.
pub(super) fn run(workload: Workload, count: usize, seed: u64, done: &mut dyn FnMut()) -> Result<Vec<Row>, Failure> {
    let mut boxes = Boxes::new(workload, count, seed);
    let movers: Vec<u32> = boxes.movers().collect();
    let all = movers.len() == count;
    let mut runners: Vec<Runner> = strategies(count).map(|broad| Runner::new(broad.build(), &boxes)).collect();
    for step in 0..=steps(count) {
        boxes.step();
        for runner in &mut runners {
            let started = Instant::now();
            if all {
                runner.broad.update_all(boxes.as_slice());
            } else {
                for &id in &movers {
                    runner.broad.update(id, boxes.as_slice()[id as usize]);
                }
            }
            runner.pairs.clear();
            runner.broad.pairs(&mut runner.pairs);
            // The first step builds what later ones keep.
            if step > 0 {
                runner.times.push(started.elapsed().as_secs_f64());
            }
        }
        agreed(&runners, workload)?;
        done();
    }
    let row = |mut runner: Runner| Row {
        workload,
        count,
        strategy: runner.broad.name(),
        nanoseconds: median(&mut runner.times) * 1e9 / count as f64,
        pairs: runner.pairs.len(),
    };
    Ok(runners.into_iter().map(row).collect())
}

/// How often `done` is called.
pub(super) fn turns(count: usize) -> usize {
    steps(count) + 1
}

fn strategies(count: usize) -> impl Iterator<Item = Broad> {
    Broad::value_variants().iter().copied().filter(move |&broad| count <= most(broad))
}

impl Runner {
    fn new(mut broad: Box<dyn BroadPhase>, boxes: &Boxes) -> Self {
        for (id, &aabb) in (0..).zip(boxes.as_slice()) {
            broad.insert(id, aabb, Filter::default(), true);
        }
        Self { broad, pairs: Vec::new(), times: Vec::new() }
    }
}

/// All have found the same pairs: as many, and with the same sum over each pair's numbers, in whatever order.
fn agreed(runners: &[Runner], workload: Workload) -> Result<(), Failure> {
    let mut sums = runners.iter().map(|r| (r.pairs.len(), r.pairs.iter().fold(0u64, |sum, &pair| sum.wrapping_add(mixed(pair)))));
    let first = sums.next();
    match sums.position(|sum| Some(sum) != first) {
        None => Ok(()),
        Some(at) => {
            let [a, b] = [&runners[0], &runners[at + 1]].map(|r| format!("{} found {}", r.broad.name(), r.pairs.len()));
            Err(Failure::at(workload.name(), format!("the broad phases disagree, which is a fault of carom: {a} pairs, {b}")))
        }
    }
}

/// Bits of a pair, well mixed, so that sums over different sets of pairs differ.
fn mixed([a, b]: [u32; 2]) -> u64 {
    let x = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub(super) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
