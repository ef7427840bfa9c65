//! Stores boxes as a sparse set: dense entries, an index by id, and linear scans over all boxes.
//!
//! Input: boxes with ids. Output: entries without gaps, for loops, and the entry of an id. Removal
//! moves the last entry to the free index. An array by id alone would have gaps that every scan
//! reads.
//!
//! ```text
//! insert: slots[id] = length of entries; append the entry
//! remove: move the last entry to slots[id]; update the slot of the moved id
//! get:    entries[slots[id]]
//! ```
//!
//! Box, ray and distance queries are linear scans. The textbook broad phases and brute force use
//! them, because their pair search has no index that a query could use.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::ControlFlow;

use super::{Aabb32, Filter, LocalRay};
use crate::math::lists::mapped;

/// A box with its id, filter and `moving` flag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The id, chosen by the owner.
    pub(super) id: u32,
    /// The box, without NaN and infinities.
    pub(super) aabb: Aabb32,
    /// Layers, mask and group.
    pub(super) filter: Filter,
    /// If false, the box forms no pair with another box that does not move.
    pub(super) moving: bool,
}

impl Entry {
    /// Returns true if the two may form a pair, regardless of their boxes.
    #[inline]
    pub(super) fn allows(&self, other: &Self) -> bool {
        (self.moving || other.moving) && self.filter.should_collide(other.filter)
    }
}

/// Entries without gaps, and the slot of each id.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseSet {
    /// The entries, in any order.
    pub(super) entries: Vec<Entry>,
    /// The index of each id in `entries`, or [`ABSENT`].
    slots: Vec<u32>,
}

/// The slot of an id that is not in use.
const ABSENT: u32 = u32::MAX;

impl SparseSet {
    /// Inserts an entry, or replaces the entry with the same id.
    pub(super) fn insert(&mut self, entry: Entry) {
        let entry = Entry { aabb: entry.aabb.sanitized(), ..entry };
        let id = entry.id as usize;
        if id >= self.slots.len() {
            self.slots.resize(id + 1, ABSENT);
        }
        match self.slots[id] {
            ABSENT => {
                self.slots[id] = self.entries.len() as u32;
                self.entries.push(entry);
            }
            slot => self.entries[slot as usize] = entry,
        }
    }

    /// Replaces the box of an id. Ignores an unknown id.
    pub(super) fn update(&mut self, id: u32, aabb: Aabb32) {
        if let Some(slot) = self.slot(id) {
            self.entries[slot].aabb = aabb.sanitized();
        }
    }

    /// Removes an entry. The last entry takes its slot.
    pub(super) fn remove(&mut self, id: u32) {
        if let Some(slot) = self.slot(id) {
            self.entries.swap_remove(slot);
            if let Some(moved) = self.entries.get(slot) {
                self.slots[moved.id as usize] = slot as u32;
            }
            self.slots[id as usize] = ABSENT;
        }
    }

    /// Returns the entry of an id.
    pub(super) fn get(&self, id: u32) -> Option<&Entry> {
        self.slot(id).map(|slot| &self.entries[slot])
    }

    /// Returns the slot of an id.
    fn slot(&self, id: u32) -> Option<usize> {
        self.slots.get(id as usize).filter(|&&slot| slot != ABSENT).map(|&slot| slot as usize)
    }

    /// Visits the boxes that intersect `aabb`, by a linear scan.
    pub(super) fn visit_box(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let aabb = aabb.sanitized();
        let _ = self.entries.iter().filter(|e| e.aabb.intersects(&aabb)).try_for_each(|e| visit(e.id));
    }

    /// Visits the boxes that a ray hits, by a linear scan.
    pub(super) fn visit_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        let _ = self.entries.iter().filter(|e| e.aabb.intersects_ray(ray)).try_for_each(|e| visit(e.id));
    }

    /// Visits all boxes by distance, then by id.
    pub(super) fn visit_nearest(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        visit_nearest(self.entries.iter().map(|e| (e.id, e.aabb)), point, visit);
    }
}

/// Visits boxes by their distance from a point, then by id.
///
/// Computes all distances and puts them into a heap, which takes linear time. Only the visited boxes are sorted.
pub(super) fn visit_nearest(
    boxes: impl Iterator<Item = (u32, Aabb32)>,
    point: [f64; 2],
    visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>,
) {
    // Distances are not negative, so their bits are ordered like the numbers.
    let keys: Vec<Reverse<(u64, u32)>> = mapped(boxes, |(id, aabb)| Reverse((aabb.distance(point).to_bits(), id)));
    let mut nearest = BinaryHeap::from(keys);
    while let Some(Reverse((distance, id))) = nearest.pop() {
        if visit(id, f64::from_bits(distance)).is_break() {
            return;
        }
    }
}

/// Returns a pair with the lower id first.
#[inline]
pub(super) fn ordered(a: u32, b: u32) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// The methods of a [`BroadPhase`](super::BroadPhase) that has its boxes in a [`SparseSet`] `store`, and an inherent
/// method `pairs_observed`.
macro_rules! stored_boxes {
    () => {
        fn update(&mut self, id: u32, aabb: Aabb32) {
            self.store.update(id, aabb);
        }

        fn pairs(&mut self, out: &mut Vec<[u32; 2]>) {
            self.pairs_observed(out, &mut ignore);
        }

        fn query_aabb(&self, aabb: Aabb32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
            self.store.visit_box(aabb, visit);
        }

        fn query_ray(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
            self.store.visit_ray(ray, visit);
        }

        fn visit_by_distance(&self, point: [f64; 2], visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
            self.store.visit_nearest(point, visit);
        }
    };
}
pub(super) use stored_boxes;
