//! Caches the recently decoded outlines of a thread.
//!
//! In a join, an outline appears in one row per candidate, and rows of one outline can be far
//! apart. Decoding takes longer than most queries: it checks the rings and builds the tree of
//! edges.
//!
//! The bytes of the geometry are the key. Two generations bound the memory: if the young one is
//! full, it becomes the old one, and the old one is dropped. An outline of the old generation that
//! is used moves to the young one. This approximates an LRU cache without a list of uses.
//!
//! Each thread has its own cache, so there are no locks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::outline::{Geometry, Outline, OutlineError};

/// Estimated bytes of one generation. A thread holds at most two.
const GENERATION: usize = 8 << 20;

/// Estimated bytes of a shape per byte of its geometry.
const SHAPE_PER_BYTE: usize = 6;

/// Estimated bytes of an entry without its points.
const ENTRY: usize = 256;

/// Outlines by the bytes of their geometries.
type Generation = HashMap<Box<[u8]>, Arc<Outline>, FixedState>;

/// Two generations of outlines, and the estimated bytes of the young one.
#[derive(Default)]
struct Cache {
    young: Generation,
    old: Generation,
    young_bytes: usize,
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::default();
}

/// Returns the outline of a geometry: from the cache of this thread, or decoded.
pub(super) fn outline(geometry: Geometry<'_>) -> Result<Arc<Outline>, OutlineError> {
    CACHE.with_borrow_mut(|cache| cache.get(geometry))
}

impl Cache {
    /// Returns the outline of a geometry, and moves it to the young generation.
    fn get(&mut self, geometry: Geometry<'_>) -> Result<Arc<Outline>, OutlineError> {
        let key = geometry.bytes();
        if let Some(found) = self.young.get(key) {
            return Ok(Arc::clone(found));
        }
        let outline = match self.old.remove(key) {
            Some(found) => found,
            None => Arc::new(geometry.decode()?),
        };
        self.young_bytes += key.len() * (1 + SHAPE_PER_BYTE) + ENTRY;
        if self.young_bytes > GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = key.len() * (1 + SHAPE_PER_BYTE) + ENTRY;
        }
        self.young.insert(key.into(), Arc::clone(&outline));
        Ok(outline)
    }
}
