//! Stores the shapes of a batch, with the data that the SIMD kernels need.
//!
//! Input: shapes. Output: an id per shape, and columns by kind. The shape itself is stored too, for
//! the scalar fallback and for [`Batch::get`](super::Batch::get).
//!
//! The columns are separate by kind, because a kernel reads one kind only: a radius for a circle,
//! up to eight vertices for a polygon. A column of an enum would give each circle the size of a
//! polygon.

use alloc::vec::Vec;

use super::shape_kind::{KernelKind, ShapeId, circle_radius};
use super::small_polygons::SmallPolygons;
use crate::shape::Shape;

/// Shapes by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapePool {
    /// Radii.
    pub(super) circles: Vec<f64>,
    /// The data of rectangles and of polygons with up to eight hull vertices.
    pub(super) polygons: SmallPolygons,
    /// All shapes with their ids, in three lists: circles, rectangles and polygons, others. The
    /// order is that of the data above.
    shapes: [Vec<(ShapeId, Shape)>; 3],
}

/// The list of shapes that contains a kind.
const LIST_OF_KIND: [usize; 4] = [0, 1, 1, 2];

impl ShapePool {
    /// Adds a shape and returns its id.
    pub(super) fn add(&mut self, shape: &Shape) -> ShapeId {
        let id = if let Some(radius) = circle_radius(shape) {
            self.circles.push(radius);
            ShapeId::of_circle(self.circles.len() - 1)
        } else if let Some(id) = self.polygons.add(shape) {
            id
        } else {
            ShapeId::new(KernelKind::Other, self.shapes[LIST_OF_KIND[KernelKind::Other as usize]].len())
        };
        self.shapes[LIST_OF_KIND[id.kind()]].push((id, shape.clone()));
        id
    }

    /// Returns the shape with an id, or `None` if the id belongs to another batch.
    pub(super) fn get(&self, id: ShapeId) -> Option<&Shape> {
        let (own, shape) = self.shapes[LIST_OF_KIND[id.kind()]].get(id.index() as usize)?;
        (*own == id).then_some(shape)
    }
}
