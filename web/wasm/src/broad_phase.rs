//! Exports broad phases without a world, and the steps of the textbook ones.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use carom::Aabb;
use carom::broad_phase::{
    Aabb32, Adaptive, BroadPhase, BruteForce, Bvh, CoherentSortAndSweep, Filter, LocalOrigin, SortAndSweep, StripSweep,
    SweepAndPrune, TextbookEndpoint, TextbookStep,
};

use spin::Mutex;

use crate::buffers::{Buffers, lock};
use crate::columns::address;
use crate::export;
use crate::failure::Failure;
use crate::slots::Slots;

/// A broad phase, its boxes and the results of its last update.
struct Search {
    method: Method,
    records: bool,
    boxes: usize,
    pairs: Vec<[u32; 2]>,
    /// Kind, a, b of each step.
    steps: Vec<u32>,
    /// The order along both axes at the start of the sweep.
    orders: [Vec<u32>; 2],
}

enum Method {
    Brute(BruteForce),
    Sweep(SortAndSweep),
    Coherent(CoherentSortAndSweep),
    Swaps(SweepAndPrune),
    Other(Box<dyn BroadPhase + Send>),
}

impl Method {
    fn as_dyn(&mut self) -> &mut dyn BroadPhase {
        match self {
            Self::Brute(broad) => broad,
            Self::Sweep(broad) => broad,
            Self::Coherent(broad) => broad,
            Self::Swaps(broad) => broad,
            Self::Other(broad) => broad.as_mut(),
        }
    }
}

fn endpoint(endpoint: TextbookEndpoint) -> u32 {
    2 * endpoint.id + u32::from(endpoint.is_upper)
}

impl Search {
    /// Sets the boxes: `boxes[id]` is the box of `id`.
    fn set_boxes(&mut self, boxes: &[Aabb32]) {
        let broad = self.method.as_dyn();
        if boxes.len() == self.boxes {
            return broad.update_all(boxes);
        }
        for (id, &aabb) in (0..).zip(boxes) {
            if (id as usize) < self.boxes {
                broad.update(id, aabb);
            } else {
                broad.insert(id, aabb, Filter::default(), true);
            }
        }
        (boxes.len()..self.boxes).for_each(|id| broad.remove(id as u32));
        self.boxes = boxes.len();
    }

    /// Finds the pairs.
    fn find_pairs(&mut self) {
        let Self { method, pairs, steps, orders, records, .. } = self;
        pairs.clear();
        steps.clear();
        orders.iter_mut().for_each(Vec::clear);
        if !*records {
            method.as_dyn().pairs(pairs);
            return;
        }
        let swaps_endpoints = matches!(method, Method::Swaps(_));
        let mut record = |step: TextbookStep| match step {
            TextbookStep::Test { a, b, intersects } => steps.extend([u32::from(intersects), a, b]),
            TextbookStep::Swap { axis, first, second } => {
                let named = |end: TextbookEndpoint| if swaps_endpoints { endpoint(end) } else { end.id };
                steps.extend([2 + axis as u32, named(first), named(second)]);
            }
            TextbookStep::Sweep { id } => steps.extend([4, id, id]),
            TextbookStep::Stop { swept, next } => steps.extend([5, swept, next]),
            _ => {}
        };
        match method {
            Method::Brute(broad) => broad.pairs_observed(pairs, &mut record),
            Method::Sweep(broad) => {
                broad.pairs_observed(pairs, &mut record);
                orders[0].extend(broad.order());
            }
            Method::Coherent(broad) => {
                orders[0].extend(broad.order());
                broad.pairs_observed(pairs, &mut record);
            }
            Method::Swaps(broad) => {
                for (axis, order) in orders.iter_mut().enumerate() {
                    order.extend(broad.endpoints(axis).map(endpoint));
                }
                broad.pairs_observed(pairs, &mut record);
            }
            Method::Other(broad) => broad.pairs(pairs),
        }
    }
}

static SEARCHES: Mutex<Slots<Search>> = Mutex::new(Slots::new());

/// Runs a body with a broad phase.
fn with(
    buffers: &mut Buffers,
    number: usize,
    body: impl FnOnce(&mut Search, &[f64], &mut Vec<f64>) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    match lock(&SEARCHES).get_mut(number) {
        Some(search) => body(search, &buffers.input, &mut buffers.output),
        None => Err(Failure::new("this broad phase was disposed")),
    }
}

/// Sorts pairs by the first index, then by the second. Sorts integers, because their sort exists.
fn sort(pairs: &mut [[u32; 2]]) {
    let mut keys: Vec<u64> = pairs.iter().map(|&[a, b]| u64::from(a) << 32 | u64::from(b)).collect();
    keys.sort_unstable();
    for (pair, key) in pairs.iter_mut().zip(keys) {
        *pair = [(key >> 32) as u32, key as u32];
    }
}

export! {
    /// Creates a broad phase by number. Writes its number.
    fn broad_phase_new(buffers, method: u32, records: u32) {
        let method = match method {
            1 => Method::Brute(BruteForce::new()),
            4 => Method::Sweep(SortAndSweep::new()),
            5 => Method::Coherent(CoherentSortAndSweep::new()),
            6 => Method::Swaps(SweepAndPrune::new()),
            _ if records != 0 => {
                return Err(Failure::new(
                    "only brute, sweep, sweep-insertion and sweep-swaps record their steps: choose one of them",
                ));
            }
            0 => Method::Other(Box::new(Adaptive::new())),
            2 => Method::Other(Box::new(StripSweep::new())),
            3 => Method::Other(Box::new(Bvh::new())),
            _ => return Err(Failure::new("unknown broad phase")),
        };
        let search = Search {
            method,
            records: records != 0,
            boxes: 0,
            pairs: Vec::new(),
            steps: Vec::new(),
            orders: [const { Vec::new() }; 2],
        };
        let number = lock(&SEARCHES).insert(search);
        buffers.write(&[number as f64]);
        Ok(true)
    }

    /// Frees a broad phase.
    fn broad_phase_free(_buffers, number: usize) {
        lock(&SEARCHES).remove(number);
        Ok(true)
    }

    /// Sets all boxes from the input and finds the pairs.
    fn broad_phase_update(buffers, number: usize) {
        with(buffers, number, |search, input, _| {
            if input.len() % 4 != 0 {
                return Err(Failure::new(format_args!(
                    "{} numbers are no boxes: each has four, minX, minY, maxX, maxY",
                    input.len()
                )));
            }
            let origin = LocalOrigin::new([0.0, 0.0]);
            let local = |row: &[f64]| Ok(origin.to_local(&Aabb::new([row[0], row[1]], [row[2], row[3]])?));
            let boxes = input.chunks_exact(4).map(local).collect::<Result<Vec<_>, carom::Error>>()?;
            search.set_boxes(&boxes);
            search.find_pairs();
            Ok(true)
        })
    }

    /// Sorts the pairs. Writes six numbers: count and address of the pairs, count and address of
    /// the steps, and length and address of the order of both axes.
    fn broad_phase_results(buffers, number: usize) {
        with(buffers, number, |search, _, output| {
            // Not in the update, so that a caller can measure the search alone.
            sort(&mut search.pairs);
            output.clear();
            output.extend([search.pairs.len() as f64, address(&search.pairs)]);
            output.extend([(search.steps.len() / 3) as f64, address(&search.steps)]);
            for order in &search.orders {
                output.extend([order.len() as f64, address(order)]);
            }
            Ok(true)
        })
    }

    /// Writes box tests, swaps and the number of pairs. The bytes are the strategy, a line feed and the reason.
    fn broad_phase_stats(buffers, number: usize) {
        let mut text = String::new();
        let done = with(buffers, number, |search, _, output| {
            let stats = search.method.as_dyn().stats();
            text = [stats.strategy, stats.reason].join("\n");
            output.clear();
            output.extend([stats.box_tests as f64, stats.swaps as f64, search.pairs.len() as f64]);
            Ok(true)
        });
        buffers.bytes = text.into_bytes();
        done
    }
}
