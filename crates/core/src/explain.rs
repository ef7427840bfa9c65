//! The steps of the algorithms: why two shapes meet or not, for people and for teaching.
//!
//! [`explain_sat`](crate::explain_sat) projects both shapes onto every axis that decides. [`explain_gjk`] shows the steps of GJK, [`explain_time_of_impact`] those of a time
//! of impact, and [`explain_contains`] what a containment was decided by. All of them use the code of the queries themselves.
//!
//! ```
//! use carom::explain::explain_gjk;
//! use carom::{Shape, explain_sat};
//!
//! let (ball, block) = (Shape::circle(1.0)?, Shape::rectangle(2.0, 2.0)?);
//! let (a, b) = (ball.at([0.0, 0.0])?, block.at([3.0, 0.0])?);
//! assert!(!explain_sat(a, b).intersects());
//! assert!(!explain_gjk(a, b).steps().is_empty());
//! # Ok::<(), carom::Error>(())
//! ```

pub use crate::query::contains::{ContainsExplanation, explain_contains};
pub use crate::query::explain::{Axis, AxisSource, GjkExplanation, GjkPoint, GjkStep, SatExplanation, explain_gjk};
pub use crate::query::toi::{ImpactExplanation, ImpactMethod, ImpactStep, explain_time_of_impact};
