//! Interface of the broad phases in W1.

use std::cell::Cell;
use std::rc::Rc;

use carom::broad_phase::Aabb32;
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;

use super::world::World;

/// Boxes in, pairs out.
type Run = dyn FnMut(&World, &mut Vec<[u32; 2]>);

/// Broad phase in the race.
pub(crate) struct PairFinder {
    /// Timed work: boxes in, pairs out.
    pub(crate) run: Box<Run>,
    /// Memory outside of Rust's allocator.
    pub(crate) native_bytes: Rc<Cell<usize>>,
}

impl PairFinder {
    pub(super) fn new(run: impl FnMut(&World, &mut Vec<[u32; 2]>) + 'static) -> Self {
        Self { run: Box::new(run), native_bytes: Rc::default() }
    }
}

/// Returns a box for parry and rapier.
pub(super) fn parry_box(b: &Aabb32) -> Aabb {
    Aabb::new(Vector::new(b.min[0], b.min[1]), Vector::new(b.max[0], b.max[1]))
}
