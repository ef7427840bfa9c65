//! Reports the steps of pair queries, to be read and drawn: the axes of the separating axis theorem, and the simplexes of GJK.

mod gjk;
mod sat;

pub use gjk::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
pub use sat::{Axis, AxisSource, SatExplanation, explain_sat};
