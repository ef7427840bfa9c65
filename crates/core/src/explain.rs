//! Explanations: the intermediate results of the algorithms, for debugging and teaching.
//!
//! Each function runs the code of the query itself and returns its steps:
//!
//! - [`explain_sat`](crate::explain_sat): the projections of both shapes onto every separating-axis
//!   candidate.
//! - [`explain_gjk`]: the iterations of GJK.
//! - [`explain_time_of_impact`]: the steps to a time of impact.
//! - [`explain_contains`]: the reason for the result of a containment test.
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
