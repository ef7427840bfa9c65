//! Why queries answer as they do, step by step: for people, and to be drawn.

mod axes;
mod gjk;

pub use axes::{Axis, AxisSource, Explanation, explain};
pub use gjk::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
