//! Interface of the engines: a step and its results.

use super::scene::Scene;
use crate::race::Library;

/// Duration of a step of W4.
pub(crate) const SECONDS: f64 = 1.0 / 60.0;

/// World of a library.
pub(crate) trait Engine {
    /// Library and column.
    fn name(&self) -> (Library, &'static str);
    /// Executes one step: the timed work.
    fn run(&mut self, scene: &Scene);
    /// Returns the part of the last step's time that counts.
    fn share(&self) -> f64 {
        1.0
    }
    /// Returns the results of the last step.
    fn seen(&mut self) -> Seen {
        Seen::default()
    }
    /// Returns the kinetic energy, in any unit.
    fn energy(&mut self) -> f64 {
        0.0
    }
}

/// Results of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Pairs that intersect.
    pub(crate) contacts: usize,
    /// Pairs that began in this step.
    pub(crate) begun: usize,
    /// Pairs that ended in this step.
    pub(crate) ended: usize,
}
