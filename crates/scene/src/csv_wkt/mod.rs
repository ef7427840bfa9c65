//! Reads CSV files with a column of geometries as WKT (well-known text, OGC 06-103r4). Each row
//! becomes one collider.
//!
//! - **Columns**: the first column with a geometry is read. Fields are separated by commas,
//!   semicolons, tabs or vertical bars, whichever separates the geometries from the other fields. A field that
//!   contains the separator is in double quotes. The first row is a header, unless it has a geometry.
//!   A quoted field that does not end, or that ends within a field, is an error: it would hide later rows.
//! - **Geometries**: as in GeoJSON. A `POLYGON` becomes a polygon with holes. A `LINESTRING`
//!   becomes a chain, closed if its last point is the first. A `POINT` becomes a circle of radius
//!   0. `MULTIPOLYGON`, `MULTILINESTRING`, `MULTIPOINT` and `GEOMETRYCOLLECTION` become compounds.
//!   The winding has no meaning.
//! - **Ids**: the column named by [`Options::id_property`](crate::Options::id_property), else `id`, else
//!   `name`, in upper or lower case, else `#index`. Repeated ids get `#2`, `#3` ….
//! - **Empty geometries**: a row with an empty geometry, or with an empty field, is not a collider. A
//!   note says how many.
//!
//! `+y` points up, as on maps. Z and M values and an `SRID=…;` prefix (EWKT) are named in a warning.
//! Curves are refused.

mod columns;
mod coverage;
mod quotes;
mod read;
mod wkt;

pub(crate) use columns::{is_table, wkb_message};
pub(crate) use coverage::COVERAGE;
pub(crate) use read::read;
