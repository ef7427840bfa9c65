//! The one family of convex shapes: points, and a radius that grows their hull.

pub(crate) mod convex_view;
pub(crate) mod edges_f32;
mod serialize;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hint::select_unpredictable;

use glam::DVec2;

use super::ShapeKind;
use super::polygon::Polygon;
use crate::decompose::hull::hull_of;
use crate::math::big_int::power_of_two;
use crate::math::predicates::orientation;
use crate::math::vector::{length, rescaled, unit};
use edges_f32::EdgesF32;

/// Points plus a radius.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Convex {
    points: Points,
    count: usize,
    /// How far the hull of the points is grown outward.
    pub(crate) radius: f64,
    /// No point is farther from the origin than this.
    pub(crate) bounding_radius: f64,
}

/// A plain polygon whose points were given counter-clockwise.
const COUNTERCLOCKWISE: (bool, ShapeKind) = (false, ShapeKind::ConvexPolygon);

/// The normals of a rectangle's edges, from the lower one counter-clockwise.
const RECTANGLE_NORMALS: [DVec2; 4] = [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X];

#[derive(Clone, Debug, PartialEq)]
enum Points {
    One(DVec2),
    Two {
        ends: [DVec2; 2],
        normal: DVec2,
        link: ChainLink,
    },
    Four([DVec2; 4]),
    Many {
        blocks: Arc<[VertexBlock4]>,
        rough: Option<Arc<[EdgesF32]>>,
        points: Arc<[DVec2]>,
        clockwise: bool,
        kind: ShapeKind,
        inner: f64,
    },
}

/// What a segment is called, and whether it has a back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainLink {
    vertex_ids: [u32; 2],
    /// Of the right side and of the left one, seen from the first end.
    edge_ids: [u32; 2],
    /// Is only the right side a front?
    one_sided: bool,
}

impl ChainLink {
    const ALONE: Self = Self { vertex_ids: [0, 1], edge_ids: [0, 1], one_sided: false };

    /// A link of a chain, from a point to the next; both sides are one edge.
    pub(super) fn of_chain(from: u32, to: u32, one_sided: bool) -> Self {
        Self { vertex_ids: [from, to], edge_ids: [from; 2], one_sided }
    }
}

/// Four corners, counter-clockwise, and the edges that begin at them, side by side so that one instruction can work on all.
///
/// What a last block has too many are copies of the shape's first corner and edges that never count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VertexBlock4 {
    pub(crate) x: [f64; 4],
    pub(crate) y: [f64; 4],
    /// Unit outward normals.
    pub(crate) normal_x: [f64; 4],
    pub(crate) normal_y: [f64; 4],
    /// How far along its normal each edge's line lies.
    pub(crate) offset: [f64; 4],
    /// The numbers that the input gave to the corners.
    vertex_ids: [u32; 4],
}

impl VertexBlock4 {
    /// Copies of a shape's first corner, without edges.
    fn empty(first: DVec2) -> Self {
        Self {
            x: [first.x; 4],
            y: [first.y; 4],
            normal_x: [0.0; 4],
            normal_y: [0.0; 4],
            offset: [f64::MAX; 4],
            vertex_ids: [0, 1, 2, 3],
        }
    }

    /// A corner and the edge from it to the next one.
    fn set(&mut self, lane: usize, [corner, next]: [DVec2; 2], id: u32) {
        // Corners differ, so their difference is not zero (gradual underflow).
        let normal = unit(DVec2::new(next.y - corner.y, corner.x - next.x)).unwrap_or(DVec2::X);
        (self.x[lane], self.y[lane]) = (corner.x, corner.y);
        self.set_normal(lane, normal);
        self.vertex_ids[lane] = id;
    }

    /// The same corners and edges with the origin elsewhere.
    fn seen_from(&self, origin: DVec2) -> Self {
        let (x, y) = (self.x.map(|x| x - origin.x), self.y.map(|y| y - origin.y));
        let mut offset = self.offset;
        for (i, offset) in offset.iter_mut().enumerate().filter(|(_, offset)| **offset != f64::MAX) {
            *offset = self.normal_x[i] * x[i] + self.normal_y[i] * y[i];
        }
        Self { x, y, offset, ..*self }
    }

    /// The normal of the edge from a corner.
    fn set_normal(&mut self, lane: usize, normal: DVec2) {
        (self.normal_x[lane], self.normal_y[lane]) = (normal.x, normal.y);
        self.offset[lane] = normal.x * self.x[lane] + normal.y * self.y[lane];
    }

    /// A segment: its ends, and its two sides.
    #[inline(always)]
    fn segment(ends: [DVec2; 2], normal: DVec2) -> Self {
        let mut block = Self::empty(ends[0]);
        (block.x[1], block.y[1]) = (ends[1].x, ends[1].y);
        block.set_normal(0, normal);
        block.set_normal(1, -normal);
        block
    }

    /// A rectangle of half size `half`.
    #[inline(always)]
    fn rectangle(half: DVec2) -> Self {
        Self {
            x: [-half.x, half.x, half.x, -half.x],
            y: [-half.y, -half.y, half.y, half.y],
            normal_x: [0.0, 1.0, 0.0, -1.0],
            normal_y: [-1.0, 0.0, 1.0, 0.0],
            offset: [half.y, half.x, half.y, half.x],
            vertex_ids: [0, 1, 2, 3],
        }
    }
}

/// All corners and edges of a convex shape in blocks.
pub(crate) enum Blocks<'a> {
    /// Made on the spot.
    One([VertexBlock4; 1]),
    /// Stored.
    Many(&'a [VertexBlock4]),
}

impl Blocks<'_> {
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[VertexBlock4] {
        match self {
            Self::One(block) => block,
            Self::Many(blocks) => blocks,
        }
    }
}

impl Convex {
    /// A point at the origin.
    pub(crate) const ORIGIN: Self =
        Self { points: Points::One(DVec2::ZERO), count: 1, radius: 0.0, bounding_radius: 0.0 };

    pub(crate) fn point(p: DVec2, radius: f64) -> Self {
        Self { points: Points::One(p), count: 1, radius, bounding_radius: bounding_radius_of([p].into_iter()) }
    }

    pub(crate) fn segment(a: DVec2, b: DVec2, radius: f64) -> Self {
        Self::link(a, b, ChainLink::ALONE, radius)
    }

    pub(super) fn link(a: DVec2, b: DVec2, link: ChainLink, radius: f64) -> Self {
        match unit(DVec2::new(b.y - a.y, a.x - b.x)) {
            Some(normal) => Self {
                points: Points::Two { ends: [a, b], normal, link },
                count: 2,
                radius,
                bounding_radius: bounding_radius_of([a, b].into_iter()),
            },
            None => Self::point(a, radius),
        }
    }

    pub(crate) fn rectangle(half: DVec2, radius: f64) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|s| half * DVec2::from(s));
        Self {
            points: Points::Four(corners),
            count: 4,
            radius,
            bounding_radius: bounding_radius_of(corners.into_iter()),
        }
    }

    pub(super) fn polygon(Polygon { points, hull, clockwise, kind }: Polygon, radius: f64) -> Self {
        Self::many(points.into(), &hull, |i| i, (clockwise, kind), radius)
    }

    /// A convex part of an outline: its vertices counter-clockwise, collinear ones allowed, and the outline's numbers of them. The hull is scratch, for use again.
    pub(super) fn part_of_outline(points: Arc<[DVec2]>, numbers: &[u32], hull: &mut Vec<u32>) -> Self {
        let n = points.len();
        let turns =
            |&i: &usize| orientation(points[(i + n - 1) % n], points[i], points[(i + 1) % n]) == Ordering::Greater;
        hull.clear();
        hull.extend((0..n).filter(turns).map(|i| i as u32));
        let key = |i: usize| points[hull[i] as usize].to_array();
        let lowest = (0..hull.len()).min_by(|&i, &j| key(i).partial_cmp(&key(j)).unwrap_or(Ordering::Equal));
        hull.rotate_left(lowest.unwrap_or(0));
        Self::many(points, hull, |i| numbers[i as usize], COUNTERCLOCKWISE, 0.0)
    }

    /// Returns the shape of the hull of points, from its corners counter-clockwise and the feature ids of the points.
    /// `clockwise` is the order in which the points were given.
    fn many(
        points: Arc<[DVec2]>,
        hull: &[u32],
        id: impl Fn(u32) -> u32,
        (clockwise, kind): (bool, ShapeKind),
        radius: f64,
    ) -> Self {
        let count = hull.len();
        let corner = |i: usize| points[hull[i % count] as usize];
        let block = |number: usize| {
            let mut block = VertexBlock4::empty(corner(0));
            for (i, &vertex) in hull.iter().enumerate().skip(4 * number).take(4) {
                block.set(i % 4, [corner(i), corner(i + 1)], id(vertex));
            }
            block
        };
        // Kernels for two blocks serve all polygons of up to eight corners.
        let blocks: Arc<[VertexBlock4]> = (0..count.div_ceil(4).max(2)).map(block).collect();
        let reach = bounding_radius_of((0..count).map(corner));
        let (rough, inner) = (EdgesF32::all(&blocks), inner(&blocks));
        Self {
            points: Points::Many { blocks, rough, points, clockwise, kind, inner },
            count,
            radius,
            bounding_radius: reach,
        }
    }

    /// The hull of points somewhere, seen from the first of them, and where that is: so that no coordinate is larger than the shape. Of no more than two places nothing is allocated.
    pub(crate) fn hull_of_placed(points: impl Iterator<Item = DVec2> + Clone, radius: f64) -> (Self, DVec2) {
        let origin = points.clone().next().unwrap_or(DVec2::ZERO);
        let seen = points.map(|p| p - origin);
        let Some(other) = seen.clone().find(|p| *p != DVec2::ZERO) else {
            return (Self::point(DVec2::ZERO, radius), origin);
        };
        if seen.clone().all(|p| p == DVec2::ZERO || p == other) {
            return (Self::segment(DVec2::ZERO, other, radius), origin);
        }
        let points: Vec<DVec2> = seen.collect();
        let hull = match hull_of(&points)[..] {
            [p, q] => Self::segment(points[p as usize], points[q as usize], radius),
            ref corners => Self::many(points.as_slice().into(), corners, |i| i, COUNTERCLOCKWISE, radius),
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

    /// All points as given.
    #[inline(always)]
    pub(crate) fn points(&self) -> &[DVec2] {
        match &self.points {
            Points::One(p) => core::slice::from_ref(p),
            Points::Two { ends, .. } => ends,
            Points::Four(corners) => corners,
            Points::Many { points, .. } => points,
        }
    }

    /// How many corners: the hull's, without repeated and collinear points.
    #[inline(always)]
    pub(crate) fn corner_count(&self) -> usize {
        self.count
    }

    /// How many edges: none of a point, two of a segment, one for each side.
    #[inline(always)]
    pub(crate) fn edge_count(&self) -> usize {
        if self.count == 1 { 0 } else { self.count }
    }

    /// A corner; they run counter-clockwise.
    #[inline(always)]
    pub(crate) fn corner(&self, i: usize) -> DVec2 {
        // Polygons first and by themselves: a jump table costs more than the rest.
        if let Points::Many { blocks, .. } = &self.points {
            return DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4]);
        }
        if let Points::Four(corners) = &self.points {
            return corners[i % 4];
        }
        self.points()[i]
    }

    /// The unit outward normal of the edge that begins at a corner; +x for a point.
    #[inline(always)]
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

    /// The unit vector along the edge that begins at a corner.
    #[inline(always)]
    pub(crate) fn tangent(&self, i: usize) -> DVec2 {
        let normal = self.normal(i);
        DVec2::new(-normal.y, normal.x)
    }

    /// The corner after `i`.
    #[inline(always)]
    pub(crate) fn next(&self, i: usize) -> usize {
        select_unpredictable(i + 1 == self.count, 0, i + 1)
    }

    /// The corner before `i`.
    #[inline(always)]
    pub(crate) fn previous(&self, i: usize) -> usize {
        select_unpredictable(i == 0, self.count, i) - 1
    }

    /// The corners and edges in blocks.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        match &self.points {
            Points::One(p) => Blocks::One([VertexBlock4::empty(*p)]),
            Points::Two { ends, normal, .. } => Blocks::One([VertexBlock4::segment(*ends, *normal)]),
            Points::Four(corners) => Blocks::One([VertexBlock4::rectangle(corners[2])]),
            Points::Many { blocks, .. } => Blocks::Many(blocks),
        }
    }

    /// The blocks of a polygon of up to eight corners.
    #[inline(always)]
    pub(crate) fn as_small_polygon(&self) -> Option<&[VertexBlock4; 2]> {
        match &self.points {
            Points::Many { blocks, .. } => (&**blocks).try_into().ok(),
            _ => None,
        }
    }

    /// Reads from all cache lines that the first corners and edges of a polygon are in: see [`Placed::touch`](super::Placed::touch).
    #[inline(always)]
    pub(crate) fn touch_corners(&self) -> u64 {
        match &self.points {
            Points::Many { blocks, .. } => {
                let block = &blocks[0];
                block.x[0].to_bits() ^ block.normal_x[2].to_bits() ^ block.offset[3].to_bits()
            }
            _ => 0,
        }
    }

    /// The point of a circle.
    #[inline(always)]
    pub(crate) fn as_point(&self) -> Option<DVec2> {
        match self.points {
            Points::One(p) => Some(p),
            _ => None,
        }
    }

    /// Half the width and height of a rectangle.
    #[inline(always)]
    pub(crate) fn as_rectangle(&self) -> Option<DVec2> {
        match &self.points {
            Points::Four(corners) => Some(corners[2]),
            _ => None,
        }
    }

    /// Up to this distance from the origin all is inside, up to rounding; −∞ where the origin is not, or where nothing has an inside.
    #[inline(always)]
    pub(crate) fn inscribed_radius(&self) -> f64 {
        match &self.points {
            Points::One(_) | Points::Two { .. } => f64::NEG_INFINITY,
            Points::Four(corners) => corners[2].min_element(),
            Points::Many { inner, .. } => *inner,
        }
    }

    /// The number that the input gave to a corner.
    #[inline(always)]
    pub(crate) fn vertex_id(&self, corner: usize) -> u32 {
        if let Points::Many { blocks, .. } = &self.points {
            return blocks[corner / 4].vertex_ids[corner % 4];
        }
        if let Points::Two { link, .. } = &self.points { link.vertex_ids[corner % 2] } else { corner as u32 }
    }

    /// The number that the input gave to the edge that begins at a corner: that of the end which comes first as given.
    #[inline(always)]
    pub(crate) fn edge_id(&self, corner: usize) -> u32 {
        if let Points::Two { link, .. } = &self.points {
            return link.edge_ids[corner % 2];
        }
        self.vertex_id(if self.is_clockwise() { self.next(corner) } else { corner })
    }

    /// Do the input's vertices run the other way than the corners?
    #[inline(always)]
    fn is_clockwise(&self) -> bool {
        matches!(self.points, Points::Many { clockwise: true, .. })
    }
}

impl Convex {
    /// The same shape with its origin at one of its corners, and where that was: so that no coordinate is larger than the shape. A rectangle has it in its middle.
    pub(crate) fn seen_from_a_corner(&self) -> (Self, DVec2) {
        let origin = if self.as_rectangle().is_some() { DVec2::ZERO } else { self.corner(0) };
        let points = match &self.points {
            Points::One(p) => Points::One(*p - origin),
            Points::Two { ends, normal, link } => {
                Points::Two { ends: ends.map(|p| p - origin), normal: *normal, link: *link }
            }
            Points::Four(corners) => Points::Four(*corners),
            Points::Many { blocks, points, clockwise, kind, .. } => {
                let blocks: Arc<[VertexBlock4]> = blocks.iter().map(|block| block.seen_from(origin)).collect();
                let (rough, points, inner) =
                    (EdgesF32::all(&blocks), points.iter().map(|&p| p - origin).collect(), inner(&blocks));
                Points::Many { blocks, rough, points, clockwise: *clockwise, kind: *kind, inner }
            }
        };
        let moved = Self { points, ..*self };
        (Self { bounding_radius: bounding_radius_of((0..self.count).map(|i| moved.corner(i))), ..moved }, origin)
    }

    /// Returns true for a point or a segment without a radius.
    pub(crate) fn is_thin(&self) -> bool {
        self.radius == 0.0 && self.corner_count() <= 2
    }

    /// Has it a front and a back? Then edge 0 is the front.
    #[inline(always)]
    pub(crate) fn is_one_sided(&self) -> bool {
        matches!(self.points, Points::Two { link: ChainLink { one_sided: true, .. }, .. })
    }
}

/// How near the line of an edge comes to the origin, up to rounding; −∞ where the origin is outside.
fn inner(blocks: &[VertexBlock4]) -> f64 {
    let least = blocks.iter().flat_map(|block| block.offset).fold(f64::MAX, f64::min);
    if least >= 0.0 { least } else { f64::NEG_INFINITY }
}

/// No less than the largest distance of a point from the origin, and hardly more.
fn bounding_radius_of(points: impl Iterator<Item = DVec2>) -> f64 {
    let distance = |p: DVec2| {
        let (scaled, power) = rescaled(p);
        length(scaled) * power_of_two(-power)
    };
    points.map(distance).fold(0.0, f64::max) * (1.0 + 4.0 * f64::EPSILON)
}
