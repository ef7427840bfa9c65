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
    sides: Vec<Side>,
}

/// Location and kind of a shape's data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ExactSlot {
    /// No data: the scalar path uses the shape itself.
    Nowhere,
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
struct Side {
    corner: DVec2,
    normal: DVec2,
}

/// The data of one shape.
#[derive(Clone, Copy)]
pub(super) struct ShapeRef {
    pub(super) place: ExactSlot,
    pub(super) first: u32,
    /// Number of hull vertices.
    pub(super) corners: u8,
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
                Side { corner: part.pose.translation(), normal: turned },
                Side { corner: half, normal: DVec2::ZERO },
            ]);
            return (if same { ExactSlot::Rectangle } else { ExactSlot::Nowhere }, first);
        }
        let count = part.convex.edge_count();
        let side = |i| Side { corner: part.placed(i), normal: part.pose.rotate_vector(part.convex.normal(i)) };
        let as_told = |i| {
            along(side(i).normal).to_array().map(f64::to_bits)
                == part.pose.rotate_vector(part.convex.tangent(i)).to_array().map(f64::to_bits)
        };
        let place = if (0..count).all(as_told) { numbering(&part, count) } else { ExactSlot::Nowhere };
        if place != ExactSlot::Nowhere {
            self.sides.extend((0..count).map(side));
        }
        (place, first)
    }

    /// Returns the location of the next data.
    pub(super) fn len(&self) -> u32 {
        self.sides.len() as u32
    }

    /// Prefetches the cache lines for the exact computation of a feature.
    #[inline(always)]
    pub(super) fn fetch(&self, own: ShapeRef, spot: Option<ClosestFeature>) {
        let side = match spot {
            Some(ClosestFeature::Edge(side) | ClosestFeature::Corner(side)) => u32::from(side),
            _ => 0,
        };
        for side in [side, side + 1] {
            prefetch(&self.sides, (own.first + side) as usize);
        }
    }

    /// Prefetches all cache lines of most shapes, if the deciding feature is unknown.
    #[inline(always)]
    pub(super) fn fetch_all(&self, first: u32) {
        for side in [0, 2, 4] {
            prefetch(&self.sides, (first + side) as usize);
        }
    }

    /// Returns the ends and the normal of an edge.
    #[inline(always)]
    fn side(&self, own: ShapeRef, edge: u8) -> ([DVec2; 2], DVec2) {
        let next = if edge + 1 == own.corners { 0 } else { edge + 1 };
        let [a, b] = both([edge, next], |i| self.sides[(own.first + u32::from(i)) as usize]);
        ([a.corner, b.corner], a.normal)
    }

    /// Returns the rectangle, if the shape is one.
    pub(super) fn rectangle(&self, own: ShapeRef) -> Option<(Shape, Pose)> {
        let first = own.first as usize;
        let made = || {
            let (Side { corner, normal }, half) = (self.sides[first], self.sides[first + 1].corner);
            (Shape(Form::Convex(Convex::rectangle(half, 0.0))), Pose::from_parts(corner.into(), normal.into()))
        };
        (own.place == ExactSlot::Rectangle).then(made)
    }

    /// Returns the result of [`ray_cast`](crate::ray_cast). `None` if the shape itself is needed.
    #[inline(always)]
    pub(super) fn cast(&self, own: ShapeRef, ray: &Ray, spot: Option<ClosestFeature>) -> Option<RayHit> {
        match (own.place, spot) {
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Edge(edge))) => {
                let (ends, normal) = self.side(own, edge);
                ray_cast_through_side(ray, ends, normal, own.edge_id(edge))
            }
            _ => None,
        }
    }

    /// Returns the result of [`distance`](crate::distance) of the shape and a point. `None` if the
    /// shape itself is needed.
    #[inline(always)]
    pub(super) fn distance(&self, own: ShapeRef, point: DVec2, spot: Option<ClosestFeature>) -> Option<Distance> {
        match (own.place, spot) {
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Edge(edge))) => {
                let (ends, normal) = self.side(own, edge);
                Some(distance_from_side(ends, [normal, along(normal)], point))
            }
            (ExactSlot::Up(_) | ExactSlot::Down(_), Some(ClosestFeature::Corner(corner))) => {
                Some(distance_of_points(self.sides[(own.first + u32::from(corner)) as usize].corner, point))
            }
            _ => None,
        }
    }
}

impl ShapeRef {
    /// Returns the input number of an edge.
    fn edge_id(self, edge: u8) -> u32 {
        let id = match self.place {
            ExactSlot::Down(first) => first + self.corners - edge,
            ExactSlot::Up(first) => first + edge,
            _ => edge,
        };
        u32::from(id % self.corners.max(1))
    }
}

/// Returns the direction of an edge, to the left of its normal.
#[inline(always)]
fn along(normal: DVec2) -> DVec2 {
    DVec2::new(-normal.y, normal.x)
}

/// Returns the numbering of a polygon's edges, if it is cyclic.
fn numbering(part: &Part<'_>, count: usize) -> ExactSlot {
    let own = |place| ShapeRef { place, first: 0, corners: count as u8 };
    let first = part.convex.edge_id(0);
    if count > 8 || first >= count as u32 {
        return ExactSlot::Nowhere;
    }
    let kinds = [ExactSlot::Up(first as u8), ExactSlot::Down(first as u8)];
    let fits = |&place: &ExactSlot| (0..count).all(|edge| own(place).edge_id(edge as u8) == part.convex.edge_id(edge));
    kinds.into_iter().find(fits).unwrap_or(ExactSlot::Nowhere)
}
