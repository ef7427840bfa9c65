//! Represents convex shapes: points, and a radius that grows their convex hull.
//!
//! Input: one point (circle), two points (segment, capsule), four (rectangle) or more (polygon),
//! and a radius. Output: hull vertices, edges with unit normals, ids, bounding and inscribed
//! radius. (Points plus a radius: E. Catto, `Box2D` v3.)
//!
//! A *vertex* is a point of the input. A *hull vertex* is a vertex of the strict convex hull,
//! without repeated and collinear points. Hull vertices and edges are counter-clockwise. Edge i
//! begins at hull vertex i. *Ids* are the indices of vertices and edges in the input.
//!
//! A point has no edge. A segment has two edges, one for each side.
//!
//! One list of points for all kinds would be simpler. But circles, segments and rectangles are the
//! most frequent shapes: here they are stored without an allocation. The hull of a polygon is
//! stored in blocks of four ([`VertexBlock4`]).

pub(crate) mod convex_view;
pub(crate) mod edges_f32;
mod serialize;
mod vertex_block;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hint::select_unpredictable;

use glam::DVec2;

use super::ShapeKind;
use super::polygon::Polygon;
use crate::decompose::PolygonWithHoles;
use crate::decompose::hull::hull_of;
use crate::math::both::both;
use crate::math::predicates::orientation;
use crate::math::vector::{length, times_power_of_two, unit, vector_times_power_of_two};
use edges_f32::EdgesF32;
pub(crate) use vertex_block::{Blocks, VertexBlock4};

/// A convex shape: points plus a radius.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Convex {
    /// The points of the input.
    points: Points,
    /// Number of hull vertices.
    count: usize,
    /// The distance by which the hull of the points is grown outward.
    pub(crate) radius: f64,
    /// Upper bound of the distance of the points from the origin, without [`radius`](Self::radius).
    pub(crate) bounding_radius: f64,
}

/// A plain polygon whose points are counter-clockwise in the input.
const COUNTERCLOCKWISE: (bool, ShapeKind) = (false, ShapeKind::ConvexPolygon);

/// Outward normals of a rectangle's edges, counter-clockwise from the lower edge.
const RECTANGLE_NORMALS: [DVec2; 4] = [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X];

/// The points, with the data that take long to compute.
#[derive(Clone, Debug, PartialEq)]
enum Points {
    /// A circle or a point.
    One(DVec2),
    /// A segment, a capsule or a link of a chain.
    Two {
        ends: [DVec2; 2],
        /// Unit normal to the right of the direction from the first end to the second.
        normal: DVec2,
        link: ChainLink,
    },
    /// A rectangle centred on the origin.
    Four([DVec2; 4]),
    /// A polygon. Clones share its data.
    Many {
        blocks: Arc<[VertexBlock4]>,
        /// Only for polygons of more than eight hull vertices.
        edges_f32: Option<Arc<[EdgesF32]>>,
        points: Arc<[DVec2]>,
        /// True if the points are clockwise in the input.
        clockwise: bool,
        kind: ShapeKind,
        inscribed_radius: f64,
    },
}

/// The feature ids of a segment, and whether it is one-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainLink {
    /// Ids of both ends.
    vertex_ids: [u32; 2],
    /// Ids of the right side and of the left side, seen from the first end.
    edge_ids: [u32; 2],
    /// If true, only the right side is a front.
    one_sided: bool,
}

impl ChainLink {
    const ALONE: Self = Self { vertex_ids: [0, 1], edge_ids: [0, 1], one_sided: false };

    /// Creates a link of a chain, from one point to the next. Both sides have the same edge id.
    pub(crate) fn of_chain(from: u32, to: u32, one_sided: bool) -> Self {
        Self { vertex_ids: [from, to], edge_ids: [from; 2], one_sided }
    }
}

impl Points {
    /// Computes the values that follow from the blocks of a polygon.
    fn many(blocks: Arc<[VertexBlock4]>, points: Arc<[DVec2]>, clockwise: bool, kind: ShapeKind) -> Self {
        let (edges_f32, inscribed_radius) = (EdgesF32::all(&blocks), inscribed_radius_of(&blocks));
        Self::Many { blocks, edges_f32, points, clockwise, kind, inscribed_radius }
    }
}

impl Convex {
    /// A point at the origin.
    pub(crate) const ORIGIN: Self =
        Self { points: Points::One(DVec2::ZERO), count: 1, radius: 0.0, bounding_radius: 0.0 };

    pub(crate) fn point(p: DVec2, radius: f64) -> Self {
        Self::of_points(Points::One(p), 1, radius)
    }

    pub(crate) fn segment(a: DVec2, b: DVec2, radius: f64) -> Self {
        Self::link(a, b, ChainLink::ALONE, radius)
    }

    /// Creates a segment with feature ids; a point if both ends are equal.
    pub(crate) fn link(a: DVec2, b: DVec2, link: ChainLink, radius: f64) -> Self {
        match unit(DVec2::new(b.y - a.y, a.x - b.x)) {
            Some(normal) => Self::of_points(Points::Two { ends: [a, b], normal, link }, 2, radius),
            None => Self::point(a, radius),
        }
    }

    pub(crate) fn rectangle(half: DVec2, radius: f64) -> Self {
        let (x, y) = (half.x, half.y);
        let vertices = [DVec2::new(-x, -y), DVec2::new(x, -y), DVec2::new(x, y), DVec2::new(-x, y)];
        Self::of_points(Points::Four(vertices), 4, radius)
    }

    /// Computes the bounding radius of `count` hull vertices.
    #[inline]
    fn of_points(points: Points, count: usize, radius: f64) -> Self {
        let convex = Self { points, count, radius, bounding_radius: 0.0 };
        Self { bounding_radius: bounding_radius_of((0..count).map(|i| convex.hull_vertex(i))), ..convex }
    }

    pub(crate) fn polygon(Polygon { points, hull, clockwise, kind }: Polygon, radius: f64) -> Self {
        Self::from_hull(points.into(), &hull, None, (clockwise, kind), radius)
    }

    /// Returns the convex parts of a polygon.
    pub(crate) fn parts_of_polygon(outline: &PolygonWithHoles) -> impl Iterator<Item = Self> {
        let (points, mut hull) = (outline.points(), Vec::new());
        let parts = outline.convex_parts().iter();
        parts.map(move |part| Self::polygon_part(part.iter().map(|&i| points[i as usize]).collect(), part, &mut hull))
    }

    /// Creates a convex part of a polygon.
    ///
    /// `points` are its vertices, counter-clockwise, with collinear ones allowed. `ids` are
    /// their indices in the polygon. `hull` is scratch memory that the caller reuses.
    fn polygon_part(points: Arc<[DVec2]>, ids: &[u32], hull: &mut Vec<u32>) -> Self {
        let n = points.len();
        let turns_left =
            |&i: &usize| orientation(points[(i + n - 1) % n], points[i], points[(i + 1) % n]) == Ordering::Greater;
        hull.clear();
        hull.extend((0..n).filter(turns_left).map(|i| i as u32));
        let key = |i: usize| points[hull[i] as usize].to_array();
        let lowest = (0..hull.len()).min_by(|&i, &j| key(i).partial_cmp(&key(j)).unwrap_or(Ordering::Equal));
        hull.rotate_left(lowest.unwrap_or(0));
        Self::from_hull(points, hull, Some(ids), COUNTERCLOCKWISE, 0.0)
    }

    /// Creates the shape of a convex hull from all points and the indices of the hull vertices, counter-clockwise.
    ///
    /// `ids` are the feature ids of the points. Without `ids`, the index of each point is its feature id. `clockwise`
    /// is true if the points are clockwise in the input.
    fn from_hull(
        points: Arc<[DVec2]>,
        hull: &[u32],
        ids: Option<&[u32]>,
        (clockwise, kind): (bool, ShapeKind),
        radius: f64,
    ) -> Self {
        let count = hull.len();
        let vertex = |i: usize| points[hull[i % count] as usize];
        let block = |block_index: usize| {
            let mut block = VertexBlock4::empty(vertex(0));
            for (i, &index) in hull.iter().enumerate().skip(4 * block_index).take(4) {
                block.set(i % 4, [vertex(i), vertex(i + 1)], ids.map_or(index, |ids| ids[index as usize]));
            }
            block
        };
        // Always at least two blocks: the kernels for two blocks serve all polygons of up to eight
        // hull vertices.
        let blocks: Arc<[VertexBlock4]> = (0..count.div_ceil(4).max(2)).map(block).collect();
        Self::of_points(Points::many(blocks, points, clockwise, kind), count, radius)
    }

    /// Computes the convex hull of world points relative to the first one, and returns that point
    /// too.
    ///
    /// So no coordinate is larger than the shape. Allocates only if there are more than two
    /// distinct points.
    pub(crate) fn hull_of_placed(points: impl Iterator<Item = DVec2> + Clone, radius: f64) -> (Self, DVec2) {
        let origin = points.clone().next().unwrap_or(DVec2::ZERO);
        let relative = points.map(|p| p - origin);
        let Some(other) = relative.clone().find(|p| *p != DVec2::ZERO) else {
            return (Self::point(DVec2::ZERO, radius), origin);
        };
        if relative.clone().all(|p| p == DVec2::ZERO || p == other) {
            return (Self::segment(DVec2::ZERO, other, radius), origin);
        }
        let points: Vec<DVec2> = relative.collect();
        let hull = match hull_of(&points)[..] {
            [p, q] => Self::segment(points[p as usize], points[q as usize], radius),
            ref hull => Self::from_hull(points.as_slice().into(), hull, None, COUNTERCLOCKWISE, radius),
        };
        (hull, origin)
    }

    pub(super) fn kind(&self) -> ShapeKind {
        match self.points {
            Points::One(_) => ShapeKind::Circle,
            Points::Two { .. } if self.radius > 0.0 => ShapeKind::Capsule,
            Points::Two { .. } => ShapeKind::Segment,
            Points::Four(_) => ShapeKind::Rectangle,
            Points::Many { kind, .. } => kind,
        }
    }

    /// Returns all points of the input.
    #[inline(always)]
    pub(crate) fn points(&self) -> &[DVec2] {
        match &self.points {
            Points::One(p) => core::slice::from_ref(p),
            Points::Two { ends, .. } => ends,
            Points::Four(vertices) => vertices,
            Points::Many { points, .. } => points,
        }
    }

    /// Returns the number of hull vertices.
    #[inline(always)]
    pub(crate) fn hull_vertex_count(&self) -> usize {
        self.count
    }

    /// Returns the number of edges: none for a point, two for a segment, one per side.
    #[inline(always)]
    pub(crate) fn edge_count(&self) -> usize {
        if self.count == 1 { 0 } else { self.count }
    }

    /// Returns hull vertex `i`. Hull vertices are counter-clockwise.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn hull_vertex(&self, i: usize) -> DVec2 {
        // Test for polygons first, in a separate branch: a jump table costs more than all other
        // steps.
        if let Points::Many { blocks, .. } = &self.points {
            return DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4]);
        }
        if let Points::Four(vertices) = &self.points {
            return vertices[i % 4];
        }
        self.points()[i]
    }

    /// Returns the unit outward normal of edge `i`; +x for a point.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn normal(&self, i: usize) -> DVec2 {
        if let Points::Many { blocks, .. } = &self.points {
            return DVec2::new(blocks[i / 4].normal_x[i % 4], blocks[i / 4].normal_y[i % 4]);
        }
        if let Points::Four(_) = &self.points {
            return RECTANGLE_NORMALS[i % 4];
        }
        match &self.points {
            Points::Two { normal, .. } => *normal * if i == 0 { 1.0 } else { -1.0 },
            _ => DVec2::X,
        }
    }

    /// Returns the unit vector along edge `i`.
    #[inline(always)]
    pub(crate) fn tangent(&self, i: usize) -> DVec2 {
        let normal = self.normal(i);
        DVec2::new(-normal.y, normal.x)
    }

    /// Returns the index of the hull vertex after `i`.
    #[inline(always)]
    pub(crate) fn next(&self, i: usize) -> usize {
        select_unpredictable(i + 1 == self.count, 0, i + 1)
    }

    /// Returns the index of the hull vertex before `i`.
    #[inline(always)]
    pub(crate) fn previous(&self, i: usize) -> usize {
        select_unpredictable(i == 0, self.count, i) - 1
    }

    /// Returns the hull vertices and edges in blocks.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn blocks(&self) -> Blocks<'_, VertexBlock4> {
        match &self.points {
            Points::One(p) => Blocks::One([VertexBlock4::empty(*p)]),
            Points::Two { ends, normal, .. } => Blocks::One([VertexBlock4::segment(*ends, *normal)]),
            Points::Four(vertices) => Blocks::One([VertexBlock4::rectangle(vertices[2])]),
            Points::Many { blocks, .. } => Blocks::Many(blocks),
        }
    }

    /// Returns the blocks of a polygon of up to eight hull vertices; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_small_polygon(&self) -> Option<&[VertexBlock4; 2]> {
        match &self.points {
            Points::Many { blocks, .. } => (&**blocks).try_into().ok(),
            _ => None,
        }
    }

    /// Reads from all cache lines of a polygon's first block; see `Placed::preload_vertices`.
    #[inline(always)]
    pub(crate) fn preload_vertices(&self) -> u64 {
        match &self.points {
            Points::Many { blocks, .. } => {
                let block = &blocks[0];
                block.x[0].to_bits() ^ block.normal_x[2].to_bits() ^ block.offset[3].to_bits()
            }
            _ => 0,
        }
    }

    /// Returns the center of a circle; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_point(&self) -> Option<DVec2> {
        match self.points {
            Points::One(p) => Some(p),
            _ => None,
        }
    }

    /// Returns the ends of a segment and the normal of its edge 0; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_segment(&self) -> Option<(&[DVec2; 2], DVec2)> {
        match &self.points {
            Points::Two { ends, normal, .. } => Some((ends, *normal)),
            _ => None,
        }
    }

    /// Returns the half extents of a rectangle; `None` for other shapes.
    #[inline(always)]
    pub(crate) fn as_rectangle(&self) -> Option<DVec2> {
        match &self.points {
            Points::Four(vertices) => Some(vertices[2]),
            _ => None,
        }
    }

    /// Returns the radius of a circle about the origin that lies inside the hull, up to rounding.
    ///
    /// Returns −∞ if the origin is outside the hull, or if the hull has no interior.
    #[inline(always)]
    pub(crate) fn inscribed_radius(&self) -> f64 {
        match &self.points {
            Points::One(_) | Points::Two { .. } => f64::NEG_INFINITY,
            Points::Four(vertices) => vertices[2].min_element(),
            Points::Many { inscribed_radius, .. } => *inscribed_radius,
        }
    }

    /// Returns the id of a hull vertex: its index in the input.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn vertex_id(&self, i: usize) -> u32 {
        if let Points::Many { blocks, .. } = &self.points {
            return blocks[i / 4].vertex_ids[i % 4];
        }
        if let Points::Two { link, .. } = &self.points { link.vertex_ids[i % 2] } else { i as u32 }
    }

    /// Returns the id of an edge: the id of the end that comes first in the input.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn edge_id(&self, i: usize) -> u32 {
        if let Points::Two { link, .. } = &self.points {
            return link.edge_ids[i % 2];
        }
        self.vertex_id(if self.is_clockwise() { self.next(i) } else { i })
    }

    /// Returns true if the input's vertices are clockwise.
    #[inline(always)]
    fn is_clockwise(&self) -> bool {
        matches!(self.points, Points::Many { clockwise: true, .. })
    }
}

impl Convex {
    /// Returns the shape relative to its first hull vertex, and the old position of this vertex.
    ///
    /// So no coordinate is larger than the shape. A rectangle keeps the origin at its center.
    pub(crate) fn relative_to_first_vertex(&self) -> (Self, DVec2) {
        let origin = if self.as_rectangle().is_some() { DVec2::ZERO } else { self.hull_vertex(0) };
        let points = match &self.points {
            Points::One(p) => Points::One(*p - origin),
            Points::Two { ends, normal, link } => {
                Points::Two { ends: both(*ends, |p| p - origin), normal: *normal, link: *link }
            }
            Points::Four(vertices) => Points::Four(*vertices),
            Points::Many { blocks, points, clockwise, kind, .. } => {
                let blocks: Arc<[VertexBlock4]> = blocks.iter().map(|block| block.relative_to(origin)).collect();
                Points::many(blocks, points.iter().map(|&p| p - origin).collect(), *clockwise, *kind)
            }
        };
        (Self::of_points(points, self.count, self.radius), origin)
    }

    /// Returns the shape multiplied by a power of two. No result may overflow or lose digits.
    #[cold]
    pub(crate) fn times_power_of_two(&self, power: i32) -> Self {
        let scaled = |p: DVec2| vector_times_power_of_two(p, power);
        let radius = times_power_of_two(self.radius, power);
        match &self.points {
            Points::One(p) => Self::point(scaled(*p), radius),
            Points::Two { ends, link, .. } => Self::link(scaled(ends[0]), scaled(ends[1]), *link, radius),
            Points::Four(vertices) => Self::rectangle(scaled(vertices[2]), radius),
            Points::Many { .. } => {
                let hull: Vec<u32> = (0..self.count as u32).collect();
                let points = (0..self.count).map(|i| scaled(self.hull_vertex(i))).collect();
                Self::from_hull(points, &hull, None, COUNTERCLOCKWISE, radius)
            }
        }
    }

    /// Returns true for a point or a segment without a radius.
    pub(crate) fn is_thin(&self) -> bool {
        self.radius == 0.0 && self.hull_vertex_count() <= 2
    }

    /// Returns true for a segment with a front and a back. Edge 0 is the front.
    #[inline(always)]
    pub(crate) fn is_one_sided(&self) -> bool {
        matches!(self.points, Points::Two { link: ChainLink { one_sided: true, .. }, .. })
    }
}

/// Returns the smallest distance of an edge's line from the origin, up to rounding; −∞ if the
/// origin is outside.
fn inscribed_radius_of(blocks: &[VertexBlock4]) -> f64 {
    let least_of = |least: f64, block: &VertexBlock4| block.offset.iter().copied().fold(least, f64::min);
    let least = blocks.iter().fold(f64::MAX, least_of);
    if least >= 0.0 { least } else { f64::NEG_INFINITY }
}

/// Returns an upper bound of the distance of the points from the origin, larger by at most about 4 ε, or by the least
/// positive number.
fn bounding_radius_of(points: impl Iterator<Item = DVec2>) -> f64 {
    let largest = points.map(length).fold(0.0, f64::max);
    // Subnormal products are rounded to multiples of the least positive number.
    if largest > 0.0 && largest < f64::MIN_POSITIVE { largest.next_up() } else { largest * (1.0 + 4.0 * f64::EPSILON) }
}
