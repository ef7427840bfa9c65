//! Records the steps of pair queries, for output and for drawings.
//!
//! `sat` records the axes of the separating axis test, `gjk` the simplices of GJK.

mod gjk;
mod sat;

pub use gjk::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
pub use sat::{Axis, AxisSource, SatExplanation, explain_sat};
