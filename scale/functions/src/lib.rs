//! SQL functions of carom for Apache DataFusion: which outlines of a map intersect, overlap or are
//! near each other.
//!
//! [`register`] adds them to a session. All work a batch of rows at a time. Each thread keeps
//! recently decoded outlines, so that an outline with several partners is decoded once.
//!
//! | function | result |
//! |---|---|
//! | `carom_intersects(a, b)` | true if the outlines share a point; touching counts |
//! | `carom_overlaps(a, b)` | true if they share more than boundary points |
//! | `carom_contains(a, b)` | true if `b` lies in `a`, boundaries included |
//! | `carom_within(a, b, d)` | true if their distance is at most `d`; exact, also if `carom_distance` rounds it up |
//! | `carom_distance(a, b)` | distance; 0 if they intersect |
//! | `carom_depth(a, b)` | penetration depth; NULL if they do not intersect |
//! | `carom_invalid(a)` | the reason why the geometry is refused; NULL if it is valid |
//! | `carom_wkb(text)` | WKT, EWKT or GeoJSON as WKB |
//! | `carom_of_srid(geometry, srid)` | the geometry, invalid if it has another SRID than `srid` (0: none) |
//! | `carom_integer(text)` | the integer of which the text is the exact form; any other text is an error |
//! | `carom_box(a [, d])` | the box of the outline, grown by `d` |
//! | `carom_cells(box, grid)` | the cells that a box touches |
//! | `carom_owns(box_a, box_b, cell, grid)` | true if the boxes intersect and this cell owns the pair |
//! | `carom_sample(box, geometry)` | aggregate: a [`Sample`], as bytes |
//!
//! [`Index`] finds the pairs of outlines in memory and a stream of others, without SQL.
//!
//! A geometry is WKB or EWKB (binary types), or WKT, EWKT or GeoJSON (text types). An SRID is ignored, except by
//! `carom_of_srid`. NULL gives NULL. An invalid geometry is an error, except for `carom_invalid`.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use datafusion::prelude::SessionContext;
//!
//! let session = SessionContext::new();
//! carom_functions::register(&session);
//! let rows = session
//!     .sql("SELECT carom_distance('POINT (0 0)', 'LINESTRING (3 -1, 3 1)') AS d")
//!     .await?
//!     .collect()
//!     .await?;
//! assert_eq!(rows[0].column(0).as_ref(), &datafusion::arrow::array::Float64Array::from(vec![3.0]));
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! # }).unwrap();
//! ```

mod grid;
mod index;
mod outline;
mod pair;
mod sample;
mod sql;

pub use grid::{Costs, Grid, GridTextError};
pub use index::{Cursor, Index, Outlines, Packed, Queries, Search};
pub use outline::{Bounds, Outline, OutlineError, bounds_of_wkb, srid_at_start, wkb_of_text};
pub use pair::{Measure, Predicate};
pub use sample::Sample;
pub use sql::{
    NOT_AN_INTEGER, aggregate_functions, integer_udf, is_plain_integer, register, scalar_functions, srid_of_text,
};
