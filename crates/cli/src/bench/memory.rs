//! Measures the lower limit: the time of memory accesses alone.
use std::hint::black_box;
use std::time::Instant;

use carom::broad_phase::Aabb32;

/// Fetches each moved box once, in an order unrelated to the positions, and writes as many pairs as
/// were found. It compares no boxes, so no broad phase on one thread can be faster.
pub(super) struct Memory {
    order: Vec<u32>,
    fetched: Vec<Aabb32>,
    pairs: Vec<[u32; 2]>,
}

impl Memory {
    pub(super) const NAME: &str = "memory alone";

    pub(super) fn new(movers: &[u32], seed: u64) -> Self {
        let mut order = movers.to_vec();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        Self { order, fetched: Vec::new(), pairs: Vec::new() }
    }

    /// Measures a step in seconds.
    pub(super) fn step(&mut self, boxes: &[Aabb32], pairs: usize) -> f64 {
        let started = Instant::now();
        self.fetched.clear();
        self.fetched.extend(self.order.iter().map(|&id| boxes[id as usize]));
        self.pairs.clear();
        self.pairs.extend((0..pairs as u32).map(|n| [n, n + 1]));
        black_box((&self.fetched, &self.pairs));
        started.elapsed().as_secs_f64()
    }
}
