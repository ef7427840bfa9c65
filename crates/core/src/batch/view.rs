//! Borrows the placed shapes of a batch for the kernels.
//!
//! Kernels take this structure of slices instead of a `Batch`, so that `PairBlock` can pass its own
//! copies of ids and poses.

use super::shape_kind::ShapeId;
use super::small_polygons::SmallPolygons;

/// Columns of placed shapes, by index.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// Radii.
    pub(super) circles: &'a [f64],
    pub(super) polygons: &'a SmallPolygons,
    pub(super) ids: &'a [ShapeId],
    pub(super) translations: &'a [[f64; 2]],
    /// Cosine and sine.
    pub(super) rotations: &'a [[f64; 2]],
}
