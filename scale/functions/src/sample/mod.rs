//! Summarizes an input of a join: number of outlines, extent and a random sample of their boxes.
//!
//! Input: the boxes of all outlines, in any order and on any machine. Output: a [`Sample`] with at
//! most 2¹⁵ boxes, from which `grid/plan.rs` chooses the cells.
//!
//! ```text
//! add(box): keep the boxes with the lowest hashes
//! merge(a, b): keep the lowest hashes of both
//! ```
//!
//! Bottom-k sampling (Cohen and Kaplan, *Summarizing data using bottom-k sketches*, 2007): the
//! boxes with the lowest hashes are kept. Reservoir sampling would be simpler. But its result
//! depends on the order of the rows and on the parts of the input. Here summaries of parts can be
//! merged, and the result does not depend on the parts. So the grid is the same in each run.

mod bytes;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::outline::Bounds;

/// Boxes kept of each input.
const KEPT: usize = 1 << 15;

/// A summary of an input of a join.
///
/// ```
/// use carom_functions::{Bounds, Sample};
///
/// let mut sample = Sample::default();
/// sample.add(Bounds { min: [0.0, 0.0], max: [1.0, 1.0] }, 93);
/// let mut other = Sample::default();
/// other.add(Bounds { min: [2.0, 0.0], max: [3.0, 1.0] }, 93);
/// sample.merge(&other);
/// assert_eq!((sample.count(), sample.wkb_bytes()), (2, 186));
/// assert_eq!(sample.bounds().max, [3.0, 1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    count: u64,
    wkb_bytes: u64,
    bounds: Bounds,
    /// The boxes with the lowest hashes; the highest hash first.
    kept: BinaryHeap<Entry>,
}

/// A sampled box with its hash, which is its place in a random order of all boxes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    bounds: Bounds,
}

impl Default for Sample {
    fn default() -> Self {
        Self { count: 0, wkb_bytes: 0, bounds: Bounds::EMPTY, kept: BinaryHeap::new() }
    }
}

impl Sample {
    /// Adds the box of an outline whose WKB has this length.
    pub fn add(&mut self, bounds: Bounds, wkb_bytes: u64) {
        self.count += 1;
        self.wkb_bytes += wkb_bytes;
        self.bounds.extend(bounds.min);
        self.bounds.extend(bounds.max);
        self.keep(Entry { hash: hash(&bounds), bounds });
    }

    /// Keeps a box if its hash is among the lowest. The heap gives the highest kept hash in
    /// constant time.
    fn keep(&mut self, entry: Entry) {
        if self.kept.len() < KEPT {
            self.kept.push(entry);
        } else if let Some(mut highest) = self.kept.peek_mut()
            && entry < *highest
        {
            *highest = entry;
        }
    }

    /// Adds the summary of another part of the input.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.wkb_bytes += other.wkb_bytes;
        if other.count > 0 {
            self.bounds.extend(other.bounds.min);
            self.bounds.extend(other.bounds.max);
        }
        other.kept.iter().for_each(|&entry| self.keep(entry));
    }

    /// Returns the number of outlines.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the length of all outlines as WKB, in bytes.
    #[must_use]
    pub fn wkb_bytes(&self) -> u64 {
        self.wkb_bytes
    }

    /// Returns the box around all outlines; [`Bounds::EMPTY`] if there are none.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the number of outlines that each sampled box stands for.
    #[must_use]
    pub fn weight(&self) -> f64 {
        if self.kept.is_empty() { 0.0 } else { self.count as f64 / self.kept.len() as f64 }
    }

    /// Returns the sampled boxes.
    pub fn boxes(&self) -> impl Iterator<Item = Bounds> {
        self.kept.iter().map(|entry| entry.bounds)
    }

    /// Returns the memory of the summary in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.kept.capacity() * size_of::<Entry>()
    }
}

impl Entry {
    /// Returns hash and coordinates. Boxes with the same key are equal.
    fn key(&self) -> (u64, [u64; 4]) {
        (self.hash, bits(&self.bounds))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

/// Returns the bits of the four numbers of a box.
fn bits(bounds: &Bounds) -> [u64; 4] {
    [bounds.min[0], bounds.min[1], bounds.max[0], bounds.max[1]].map(f64::to_bits)
}

/// Mixes the bits of a box (the finalizer of splitmix64, Steele, Lea and Flood 2014, per number).
fn hash(bounds: &Bounds) -> u64 {
    bits(bounds).into_iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}
