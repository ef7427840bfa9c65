//! Reads GeoJSON (RFC 7946). Each feature becomes one collider, in planar coordinates as given.
//!
//! - **Files**: a feature collection, a feature, or a geometry. Several features may follow each other, such as one
//!   per line (newline-delimited GeoJSON), or as a GeoJSON text sequence (RFC 8142).
//! - **Geometries**: a `Polygon` becomes a polygon with holes. A `LineString` becomes a chain, closed if
//!   its last point is the first. A `Point` becomes a circle of radius 0. `MultiPolygon`,
//!   `MultiLineString`, `MultiPoint` and `GeometryCollection` become compounds. The winding has
//!   no meaning: the first ring of a polygon is the exterior ring, the others are holes.
//! - **Rings** repeat their first point at the end. A ring that does not is closed, with a note.
//! - **Ids**: the property named by [`Options::id_property`](crate::Options::id_property), else the
//!   feature's `id`, else its property `name`, else `NAME`, else `#index`. Repeated ids
//!   get `#2`, `#3` ….
//! - **Empty geometries**: a feature with only empty geometries is not a collider. A note says how many
//!   features, parts of features and holes are empty. A point is empty if its coordinates are `[]`. A
//!   polygon is empty if its exterior ring has no points.
//!
//! `+y` points up, as on maps. Coordinates are not projected, and do not wrap at the antimeridian.
//! Unknown keys, `crs`, and numbers after x and y are named in a warning.

mod coverage;
mod document;
mod geometry;
mod read;

pub(crate) use coverage::COVERAGE;
pub(crate) use read::{RECORD_SEPARATOR, read};
