//! GeoJSON (RFC 7946): each feature is one collider, in planar coordinates as given.
//!
//! - **Geometries**: a `Polygon` is its outline with holes, a `MultiPolygon` and a `GeometryCollection` are compounds, a `LineString` is a
//!   chain (a closed one where it ends where it began), a `MultiLineString` a compound of chains. A `Point` is a circle of radius 0, which
//!   meets whatever covers it, and a `MultiPoint` a compound of those. Numbers after x and y are ignored. Winding says nothing: the first
//!   ring of a polygon is the outline, the others are its holes.
//! - **Rings** repeat their first point at the end; one that does not is closed all the same, and a note says so.
//! - **Ids**: the feature's `id`, else its property `name`, else `NAME`, else `#index`. Repeats get `#2`, `#3` ….
//! - **Empty geometries** cover nothing: a feature that has no others is no collider. A note says how many features, parts of features and holes
//!   are empty. A point is empty if its coordinates are `[]`, a polygon if its outline has no points.
//!
//! `+y` points up, as on maps. Nothing is projected, and nothing wraps at the antimeridian. Unknown keys are ignored, as the format has it.
mod document;
mod geometry;
mod read;

pub(crate) use read::read;
