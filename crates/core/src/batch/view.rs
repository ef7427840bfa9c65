//! Borrows the placed shapes of a batch for the kernels.
//!
//! Kernels take this structure of slices instead of a `Batch`, so that `PairBlock` can pass its own
//! copies of ids and poses.

use super::shape_kind::ShapeId;
use super::small_polygons::SmallPolygons;

/// Columns of placed shapes, by index.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The radius of each circle.
    pub(super) circles: &'a [f64],
    /// Rectangles and polygons with up to eight hull vertices.
    pub(super) polygons: &'a SmallPolygons,
    /// The shape of each placed shape.
    pub(super) ids: &'a [ShapeId],
    /// The translation of each placed shape.
    pub(super) translations: &'a [[f64; 2]],
    /// Cosine and sine.
    pub(super) rotations: &'a [[f64; 2]],
}
