//! Reports the steps of pair queries, to be read and drawn: the axes of the separating axis theorem, and the simplexes of GJK.

mod axes;
mod gjk;

pub use axes::{Axis, AxisSource, Explanation, explain};
pub use gjk::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
