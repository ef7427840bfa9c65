//! Implements the SQL functions for DataFusion, one file per function or kind of functions.
//!
//! | file | functions |
//! |---|---|
//! | `pairs.rs` | `carom_intersects`, `carom_overlaps`, `carom_contains`, `carom_within`, `carom_distance`, `carom_depth` |
//! | `single.rs` | `carom_invalid`, `carom_wkb` |
//! | `integer.rs` | `carom_integer` |
//! | `srid.rs` | `carom_of_srid` |
//! | `boxes.rs`, `cells.rs`, `owns.rs` | the parts of a join on cells |
//! | `sample.rs` | the aggregate `carom_sample` |
//!
//! Each function computes a batch of rows. `geometry.rs` reads the column of geometries. `scalar.rs` has the common
//! parts of the functions with fixed types.

mod boxes;
mod cells;
mod geometry;
mod grid_argument;
mod integer;
mod owns;
mod pairs;
mod sample;
mod scalar;
mod single;
mod srid;

use datafusion::error::DataFusionError;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion::prelude::SessionContext;

pub(crate) use geometry::Geometries;
pub use integer::{NOT_AN_INTEGER, integer_udf, is_plain_integer};
pub use srid::srid_of_text;

/// Returns the scalar functions.
///
/// ```
/// assert!(carom_functions::scalar_functions().iter().any(|function| function.name() == "carom_intersects"));
/// ```
#[must_use]
pub fn scalar_functions() -> Vec<ScalarUDF> {
    let mut all: Vec<ScalarUDF> = pairs::ALL.iter().map(|&query| pairs::PairFunction::new(query).into()).collect();
    let others = [
        single::invalid(),
        single::to_wkb(),
        srid::of_srid(),
        integer::integer(),
        boxes::box_of(),
        cells::cells(),
        owns::owns(),
    ];
    all.extend(others.map(ScalarUDF::from));
    all
}

/// Returns the aggregate functions.
///
/// ```
/// assert_eq!(carom_functions::aggregate_functions()[0].name(), "carom_sample");
/// ```
#[must_use]
pub fn aggregate_functions() -> Vec<AggregateUDF> {
    vec![sample::SampleOf::default().into()]
}

/// Adds all functions to a session. The example is at the top of this page.
pub fn register(session: &SessionContext) {
    for function in scalar_functions() {
        session.register_udf(function);
    }
    for function in aggregate_functions() {
        session.register_udaf(function);
    }
}

/// Returns an error of a function's arguments.
pub(crate) fn bad_argument(function: &str, message: impl std::fmt::Display) -> DataFusionError {
    DataFusionError::Execution(format!("{function}: {message}"))
}
