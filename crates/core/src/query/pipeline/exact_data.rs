//! Stores the exact data of packed shapes: the numbers that the shapes would use, adjacent in
//! memory.
//!
//! Input: placed shapes with a quantized polygon. Output: hits and distances with the same bits as
//! those of the shapes. A rectangle takes 64 bytes: position, cosine, sine and half extents. Other
//! polygons take 32 bytes per vertex: the placed vertex, and the normal of the edge that begins
//! there.
//!
//! The pose, the header and the points of a shape lie in different cache lines. Here the traversal
//! knows the location of the data before the query needs them, and prefetches them.
//!
//! A shape is stored only if the stored numbers give the same bits: tangents must follow from
//! normals, and edge numbers must be cyclic. Other shapes are used directly.
//!
//! ```text
//! rectangle: (position; cosine, sine), (half extents; unused)
//! polygon:   (placed vertex; normal of the edge that begins there), for each vertex
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use super::interval::ClosestFeature;
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::prefetch::prefetch;
use crate::math::ray::Ray;
use crate::query::convex_pair::{distance_from_side, distance_of_points};
use crate::query::ray::ray_cast_through_side;
use crate::query::{Distance, RayHit};
use crate::shape::convex::Convex;
use crate::shape::part::Part;
use crate::shape::{Form, Placed, Shape};

/// Placed hull vertices and normals of polygons, poses and sizes of rectangles. The data of each
/// shape are adjacent.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactData {
    /// The entries of all shapes.
    sides: Vec<VertexAndNormal>,
}

/// Location and kind of a shape's data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ExactSlot {
    /// No data: the scalar path uses the shape itself.
    Nowhere,
    /// A rectangle.
    Rectangle,
    /// A polygon with edge numbers that ascend from this one, cyclically.
    Up(u8),
    /// A polygon with edge numbers that descend from this one, cyclically.
    Down(u8),
}

/// A placed hull vertex and the normal of the edge that begins there. A rectangle has two entries:
/// position with cosine and sine, and half extents.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct VertexAndNormal {
    /// A hull vertex; for a rectangle its position, then its half extents.
    vertex: DVec2,
    /// Outward unit normal; for a rectangle its cosine and sine.
    normal: DVec2,
}

/// The data of one shape.
#[derive(Clone, Copy)]
pub(super) struct ShapeRef {
    /// Kind of the data.
    pub(super) slot: ExactSlot,
    /// Index of the first entry.
    pub(super) first: u32,
    /// Number of hull vertices.
    pub(super) vertex_count: u8,
}

impl ExactData {
    /// Stores the data of a shape with a quantized polygon and returns their location. Shapes that
    /// would compute with other bits are not stored.
    pub(super) fn push(&mut self, placed: Placed<'_>) -> (ExactSlot, u32) {
        let first = self.len();
        let Some(part) = placed.as_part() else { return (ExactSlot::Nowhere, first) };
        if let Some(half) = part.convex.as_rectangle() {
            let same = Convex::rectangle(half, 0.0) == *part.convex;
            let turned = DVec2::new(part.pose.cos(), part.pose.sin());
            self.sides.extend([
                VertexAndNormal { vertex: part.pose.translation(), normal: turned },
                VertexAndNormal { vertex: half, normal: DVec2::ZERO },
            ]);
            return (if same { ExactSlot::Rectangle } else { ExactSlot::Nowhere }, first);
        }
        let count = part.convex.edge_count();
        let side =
            |i| VertexAndNormal { vertex: part.placed(i), normal: part.pose.rotate_vector(part.convex.normal(i)) };
        let is_exact = |i| {
            side(i).normal.perp().to_array().map(f64::to_bits)
                == part.pose.rotate_vector(part.convex.tangent(i)).to_array().map(f64::to_bits)
        };
        let slot = if (0..count).all(is_exact) { numbering(&part, count) } else { ExactSlot::Nowhere };
        if slot != ExactSlot::Nowhere {
            self.sides.extend((0..count).map(side));
        }
        (slot, first)
    }

    /// Returns the location of the next data.
    pub(super) fn len(&self) -> u32 {
        self.sides.len() as u32
    }

    /// Prefetches the cache lines for the exact computation of a feature.
    #[inline(always)]
    pub(super) fn prefetch(&self, shape: ShapeRef, feature: Option<ClosestFeature>) {
        let side = match feature {
            Some(ClosestFeature::Edge(side) | ClosestFeature::Vertex(side)) => u32::from(side),
            _ => 0,
        };
        for side in [side, side + 1] {
            prefetch(&self.sides, (shape.first + side) as usize);
        }
    }

    /// Prefetches all cache lines of most shapes, if the deciding feature is unknown.
    #[inline(always)]
    pub(super) fn prefetch_all(&self, first: u32) {
        for side in [0, 2, 4] {
            prefetch(&self.sides, (first + side) as usize);
        }
    }

    /// Returns the ends and the normal of an edge.
    #[inline(always)]
    fn side(&self, shape: ShapeRef, edge: u8) -> ([DVec2; 2], DVec2) {
        let next = if edge + 1 == shape.vertex_count { 0 } else { edge + 1 };
        let [a, b] = both([edge, next], |i| self.sides[(shape.first + u32::from(i)) as usize]);
        ([a.vertex, b.vertex], a.normal)
    }

    /// Returns the rectangle, if the shape is one.
    pub(super) fn rectangle(&self, shape: ShapeRef) -> Option<(Shape, Pose)> {
        let first = shape.first as usize;
        let made = || {
            let (VertexAndNormal { vertex, normal }, half) = (self.sides[first], self.sides[first + 1].vertex);
            (Shape(Form::Convex(Convex::rectangle(half, 0.0))), Pose::from_parts(vertex.into(), normal.into()))
        };
        (shape.slot == ExactSlot::Rectangle).then(made)
    }

    /// Returns the result of [`ray_cast`](crate::ray_cast). `None` if the shape itself is needed.
    #[inline(always)]
    pub(super) fn cast(&self, shape: ShapeRef, ray: &Ray, feature: Option<ClosestFeature>) -> Option<RayHit> {
        match (shape.slot, feature) {
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Edge(edge))) => {
                let (ends, normal) = self.side(shape, edge);
                ray_cast_through_side(ray, ends, normal, shape.edge_id(edge))
            }
            _ => None,
        }
    }

    /// Returns the result of [`distance`](crate::distance) of the shape and a point. `None` if the
    /// shape itself is needed.
    #[inline(always)]
    pub(super) fn distance(&self, shape: ShapeRef, point: DVec2, feature: Option<ClosestFeature>) -> Option<Distance> {
        match (shape.slot, feature) {
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Edge(edge))) => {
                let (ends, normal) = self.side(shape, edge);
                Some(distance_from_side(ends, [normal, normal.perp()], point))
            }
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Vertex(vertex))) => {
                Some(distance_of_points(self.sides[(shape.first + u32::from(vertex)) as usize].vertex, point))
            }
            _ => None,
        }
    }
}

impl ShapeRef {
    /// Returns the input number of an edge.
    fn edge_id(self, edge: u8) -> u32 {
        let id = match self.slot {
            ExactSlot::Down(first) => first + self.vertex_count - edge,
            ExactSlot::Up(first) => first + edge,
            _ => edge,
        };
        u32::from(id % self.vertex_count.max(1))
    }
}

/// Returns the numbering of a polygon's edges, if it is cyclic.
fn numbering(part: &Part<'_>, count: usize) -> ExactSlot {
    let shape = |slot| ShapeRef { slot, first: 0, vertex_count: count as u8 };
    let first = part.convex.edge_id(0);
    if count > 8 || first >= count as u32 {
        return ExactSlot::Nowhere;
    }
    let kinds = [ExactSlot::Up(first as u8), ExactSlot::Down(first as u8)];
    let fits = |&slot: &ExactSlot| (0..count).all(|edge| shape(slot).edge_id(edge as u8) == part.convex.edge_id(edge));
    kinds.into_iter().find(fits).unwrap_or(ExactSlot::Nowhere)
}
