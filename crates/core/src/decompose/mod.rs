//! Converts polygons, point sets and images to convex parts.
//!
//! - [`PolygonWithHoles`] validates a polygon with holes and splits it into convex [`ConvexParts`].
//! - [`repair`] turns rings that cross or overlap into valid polygons with holes.
//! - [`convex_hull`] and [`simplify`] work on points.
//! - [`trace_pixels`] and [`marching_squares`] compute the contours of images.
//!
//! All decisions are exact, so the result does not depend on the size or the position of the input.
//! No vertex of a polygon is added or moved, except that [`repair`] adds vertices at crossings.
//!
//! ```
//! use carom::decompose::{PolygonWithHoles, convex_hull};
//!
//! let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]];
//! let outline = PolygonWithHoles::new(&arrow, &[])?;
//! assert_eq!(outline.convex_parts().len(), 2);
//! assert_eq!(convex_hull(&arrow)?, [0, 1, 2]);
//! # Ok::<(), carom::Error>(())
//! ```

mod boundary_trace;
mod bucket_queue;
mod connected_components;
mod contour;
mod convex_parts;
pub(crate) mod edge_bvh;
mod edge_flip;
mod half_edge;
mod hertel_mehlhorn;
pub(crate) mod hull;
mod kd_tree;
mod monotone;
mod noding;
mod optimal_partition;
pub(crate) mod polygon;
mod radix_sort;
mod repair;
pub(crate) mod rings;
mod segment_distance;
mod simplify;
mod still;
mod sweep_line;
mod sweep_status;
mod validation_error;
mod visibility;

pub use contour::{Connectivity, Contour, marching_squares, simplify_contours, trace_pixels};
pub use convex_parts::ConvexParts;
pub use hull::convex_hull;
pub use polygon::PolygonWithHoles;
pub use repair::{FillRule, Repair, RepairChanges, repair};
pub use simplify::simplify;
