//! Who moves so far in a step that it might pass something.

use alloc::vec::Vec;

/// Who is swept in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Swept {
    pub(super) places: Vec<usize>,
    /// Of each: along which axes a wall cuts its motion.
    pub(super) at_wall: Vec<[bool; 2]>,
    /// Of each: which part of its motion the walls leave.
    pub(super) parts: Vec<f64>,
    /// Of each: did it run into something?
    pub(super) stopped: Vec<bool>,
}

impl Swept {
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.at_wall.clear();
    }

    pub(super) fn add(&mut self, place: usize) {
        self.places.push(place);
    }

    pub(super) fn any(&self) -> bool {
        !self.places.is_empty()
    }
}
