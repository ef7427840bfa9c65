//! What every contestant does: a step, and what it tells after it.

use super::scene::Scene;
use crate::race::Library;

/// What a step of W4 takes.
pub(crate) const SECONDS: f64 = 1.0 / 60.0;

/// A world of some library.
pub(crate) trait Engine {
    /// Whose, and its column.
    fn name(&self) -> (Library, &'static str);
    /// One step: the timed work.
    fn run(&mut self, scene: &Scene);
    /// Which part of the last step's time counts.
    fn share(&self) -> f64 {
        1.0
    }
    /// What the last step found.
    fn seen(&mut self) -> Seen {
        Seen::default()
    }
    /// The kinetic energy, in some unit.
    fn energy(&mut self) -> f64 {
        0.0
    }
}

/// What a step found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Pairs that meet.
    pub(crate) contacts: usize,
    /// Those that do since this step.
    pub(crate) begun: usize,
    /// Those that did until this step.
    pub(crate) ended: usize,
}
