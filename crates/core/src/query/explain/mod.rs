//! Records the steps of pair queries, to print and to draw: the axes of the separating axis theorem
//! and the simplices of GJK.

mod gjk;
mod sat;

pub use gjk::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
pub use sat::{Axis, AxisSource, SatExplanation, explain_sat};
