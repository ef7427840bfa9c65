//! Stores a list of rectangles and convex polygons with up to eight hull vertices, for SIMD
//! kernels.
//!
//! The sizes are a column of their own, next to the list of all data. A kernel that rejects a pair
//! by its bounding circles reads 32 bytes per shape instead of a whole polygon.

use alloc::vec::Vec;

use super::shape_kind::{KernelKind, ShapeId};
use super::small_polygon::{FeatureIds, HalfExtents, PolygonSoa8, SmallPolygon};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::shape::{Form, Shape};

/// All polygons. The sizes are stored again in a separate column, because kernels read them first.
#[derive(Clone, Debug, Default)]
pub(super) struct SmallPolygons {
    /// Half extents and radii.
    pub(super) sizes: Vec<HalfExtents>,
    /// All data, the sizes included.
    pub(super) all: Vec<SmallPolygon>,
}

impl SmallPolygons {
    /// Adds a shape and returns its id, or `None` if it is of another kind.
    pub(super) fn add(&mut self, shape: &Shape) -> Option<ShapeId> {
        let (kind, polygon) = from_shape(shape)?;
        self.push(&polygon);
        Some(ShapeId::new(kind, self.all.len() - 1))
    }

    /// Appends a polygon.
    pub(super) fn push(&mut self, polygon: &SmallPolygon) {
        self.sizes.push(polygon.size);
        self.all.push(*polygon);
    }

    /// Returns the AABB of a placed polygon, bit-identical to that of its shape.
    ///
    /// Returns `None` if the shape has vertices that are not hull vertices: rounding may move their
    /// images out of the hull of the others.
    #[inline(always)]
    pub(super) fn aabb(&self, i: usize, pose: &Pose) -> Option<Aabb> {
        let SmallPolygon { soa, size, count, all_on_hull, .. } = &self.all[i];
        let bounds = || soa.bounds(usize::from(*count), pose);
        all_on_hull.then(bounds).map(|[min, max]| Aabb::spanning(min, max, size.radius))
    }

    /// Replaces the polygon at index `i`.
    pub(super) fn set(&mut self, i: usize, polygon: &SmallPolygon) {
        (self.sizes[i], self.all[i]) = (polygon.size, *polygon);
    }
}

/// Returns the data and the kind of a shape, or `None` if it is neither rectangle nor small
/// polygon.
pub(super) fn from_shape(shape: &Shape) -> Option<(KernelKind, SmallPolygon)> {
    let Form::Convex(convex) = &shape.0 else { return None };
    let half = convex.as_rectangle();
    if half.is_none() && convex.as_small_polygon().is_none() {
        return None;
    }
    let size = HalfExtents {
        half: half.map_or([convex.inscribed_radius(); 2], |half| half.to_array()),
        radius: convex.radius,
        bounding_radius: convex.bounding_radius,
    };
    let kind = if half.is_some() { KernelKind::Rectangle } else { KernelKind::Polygon };
    let count = convex.hull_vertex_count();
    Some((
        kind,
        SmallPolygon {
            soa: PolygonSoa8::new(convex),
            ids: FeatureIds::new(convex),
            size,
            count: count as u8,
            all_on_hull: convex.points().len() == count,
        },
    ))
}
