//! Separating axes of polygons of up to eight corners: lanes are edges, corners are broadcast, as in [`sat`](crate::query).

use super::simd_columns::{F64Column, Lanes, Poses, Vectors, dot, rounding, store};
use super::small_polygon::PolygonSoa8;
use crate::math::simd::Simd;
use crate::math::simd::prelude::*;
use crate::query::pair::TINY_SQUARE;

/// Two polygons in each lane.
pub(super) struct Placed<S: Simd> {
    pub(super) poses: [Poses<S>; 2],
    /// Sums of their radii and reaches, and of how far from their origins all is inside.
    pub(super) radius: Lanes<S>,
    pub(super) reach: Lanes<S>,
    pub(super) inner: Lanes<S>,
}

/// Columns of what [`Placed::prepare`] makes of them.
pub(super) const RELATIVE: usize = 9;

impl<S: Simd> Placed<S> {
    /// Makes [`Relative`]s of them, from a row on. The bits of the rows that the circles around the shapes do not part already, and of those whose circles inside overlap beyond doubt:
    /// [`relation_of_circles`](crate::query::pair::relation_of_circles).
    #[inline(always)]
    pub(super) fn prepare(&self, relatives: &mut [F64Column; RELATIVE], from: usize) -> [u64; 2] {
        let Self { poses: [p, q], radius, reach, inner } = *self;
        let relative = p.relative_to(&q);
        let rounding = rounding::<S>(reach + radius, relative.apart, p.translation, q.translation);
        let doubt = rounding.separation();
        let limit = radius + doubt;
        let (outer, inner, square) = (reach + limit, inner + radius - doubt, dot::<S>(relative.apart, relative.apart));
        let is_apart = square.simd_gt(outer * outer) & square.simd_gt(TINY_SQUARE);
        let is_inside = square.simd_lt(inner * inner) & inner.simd_gt(1e-140);
        let ([tx, ty], [ux, uy]) = (relative.b_in_a, relative.a_in_b);
        for (column, lanes) in
            relatives.iter_mut().zip([relative.cos, relative.sin, tx, ty, ux, uy, limit, doubt, rounding.length()])
        {
            store::<S>(lanes, column, from);
        }
        [(!is_apart).to_bitmask(), is_inside.to_bitmask()]
    }
}

/// The pose of one polygon in the frame of another.
#[derive(Clone, Copy)]
pub(super) struct Relative {
    pub(super) cos: f64,
    pub(super) sin: f64,
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Relative {
    /// What [`Placed::prepare`] wrote: the pose of the other polygon in the frame of polygon number `side` of a row.
    #[inline(always)]
    pub(super) fn load(columns: &[F64Column; RELATIVE], row: usize, side: usize) -> Self {
        let (cos, sin) = (columns[0][row], columns[1][row]);
        let (x, y) = (columns[2 + 2 * side][row], columns[3 + 2 * side][row]);
        Self { cos, sin: if side == 0 { sin } else { -sin }, x, y }
    }
}

/// The column of what [`ErrorBounds::length`](crate::query::pair::ErrorBounds::length) says.
pub(super) const TIES: usize = 8;

/// Beyond which separation a pair is apart, and which one is beyond doubt.
#[inline(always)]
pub(super) fn limit_and_doubt(columns: &[F64Column; RELATIVE], row: usize) -> [f64; 2] {
    [columns[6][row], columns[7][row]]
}

/// Vectors that hold a number for each of eight edges, where they are the shortest.
pub(super) const VECTORS: usize = 4;

/// How far a polygon is in front of each edge of another one: the first 8 / lanes vectors hold them, the others repeat the first.
#[inline(always)]
pub(super) fn edge_separations<S: Simd>(
    simd: S,
    edges: &PolygonSoa8,
    corners: &PolygonSoa8,
    pose: Relative,
) -> [Lanes<S>; VECTORS] {
    let mut separations = [of_some_edges(simd, edges, 0, corners, pose); VECTORS];
    for (i, separation) in separations[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        *separation = of_some_edges(simd, edges, (i + 1) * Lanes::<S>::LEN, corners, pose);
    }
    separations
}

#[inline(always)]
fn of_some_edges<S: Simd>(
    simd: S,
    edges: &PolygonSoa8,
    from: usize,
    corners: &PolygonSoa8,
    pose: Relative,
) -> Lanes<S> {
    let (normal_x, normal_y) = (part(simd, &edges.normal_x, from), part(simd, &edges.normal_y, from));
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    // The least of two, then of those: a chain of eight would be waited for.
    let mut least = [x; 4];
    for (k, least) in least.iter_mut().enumerate() {
        let height = x * corners.x[2 * k] + y * corners.y[2 * k];
        *least = height.min(x * corners.x[2 * k + 1] + y * corners.y[2 * k + 1]);
    }
    let least = least[0].min(least[1]).min(least[2].min(least[3]));
    let offset = normal_x * part(simd, &edges.x, from) + normal_y * part(simd, &edges.y, from);
    let moved = normal_x * pose.x + normal_y * pose.y - offset;
    least + moved
}

/// How far a point is in front of each edge of a polygon, in vectors as [`edge_separations`].
#[inline(always)]
pub(super) fn point_separations<S: Simd>(simd: S, edges: &PolygonSoa8, point: [f64; 2]) -> [Lanes<S>; VECTORS] {
    let mut separations = [before_point(simd, edges, 0, point); VECTORS];
    for (i, separation) in separations[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        *separation = before_point(simd, edges, (i + 1) * Lanes::<S>::LEN, point);
    }
    separations
}

#[inline(always)]
fn before_point<S: Simd>(simd: S, edges: &PolygonSoa8, from: usize, [x, y]: [f64; 2]) -> Lanes<S> {
    let (normal_x, normal_y) = (part(simd, &edges.normal_x, from), part(simd, &edges.normal_y, from));
    let offset = normal_x * part(simd, &edges.x, from) + normal_y * part(simd, &edges.y, from);
    normal_x * x + normal_y * y - offset
}

#[inline(always)]
fn part<S: Simd>(simd: S, numbers: &[f64; 8], from: usize) -> Lanes<S> {
    Lanes::<S>::from_slice(simd, &numbers[from..from + Lanes::<S>::LEN])
}

/// Does an edge separate by more than `limit`?
#[inline(always)]
pub(super) fn any_above<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS], limit: f64) -> bool {
    greatest::<S>(separations).simd_gt(Lanes::<S>::splat(simd, limit)).any_true()
}

/// The greatest in each lane.
#[inline(always)]
pub(super) fn greatest<S: Simd>([p, q, r, s]: &[Lanes<S>; VECTORS]) -> Lanes<S> {
    match Lanes::<S>::LEN {
        8 => *p,
        4 => p.max(*q),
        _ => p.max(*q).max(r.max(*s)),
    }
}

/// How far a box of half size `extent` about `center` is in front of the sides of a rectangle, along both axes.
#[inline(always)]
pub(super) fn rectangle_separations<S: Simd>(half: Vectors<S>, center: Vectors<S>, extent: Vectors<S>) -> Vectors<S> {
    [center[0].abs() - half[0] - extent[0], center[1].abs() - half[1] - extent[1]]
}

/// The best of eight edges: the first of the greatest separation.
#[inline(always)]
pub(super) fn best<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS]) -> (f64, usize) {
    let most = greatest::<S>(separations).reduce_max();
    (most, at_least(simd, separations, most).trailing_zeros() as usize % 8)
}

/// A bit for each of eight edges whose separation is no less than `level`.
#[inline(always)]
pub(super) fn at_least<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS], level: f64) -> u64 {
    let mut bits = 0;
    for (i, separation) in separations[..8 / Lanes::<S>::LEN].iter().enumerate() {
        bits |= separation.simd_ge(Lanes::<S>::splat(simd, level)).to_bitmask() << (i * Lanes::<S>::LEN);
    }
    bits
}

/// The corner that is lowest along a direction; of several the first.
#[inline(always)]
pub(super) fn min_vertex<S: Simd>(simd: S, corners: &PolygonSoa8, [x, y]: [f64; 2]) -> usize {
    let mut heights = [part(simd, &corners.x, 0) * x + part(simd, &corners.y, 0) * y; VECTORS];
    let mut least = heights[0];
    for (i, height) in heights[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        let from = (i + 1) * Lanes::<S>::LEN;
        *height = part(simd, &corners.x, from) * x + part(simd, &corners.y, from) * y;
        least = least.min(*height);
    }
    let least = Lanes::<S>::splat(simd, least.reduce_min());
    let mut bits = 0;
    for (i, height) in heights[..8 / Lanes::<S>::LEN].iter().enumerate() {
        bits |= height.simd_eq(least).to_bitmask() << (i * Lanes::<S>::LEN);
    }
    bits.trailing_zeros() as usize % 8
}
