//! Tests separating axes (SAT) of polygons with up to eight hull vertices, vectorized over edges.
//!
//! Input: two polygons and their relative pose. Output: the separation along the normal of each
//! edge, the best edge and the deepest vertex. Source: S. Gottschalk, *Separating axis theorem*,
//! 1996, and C. Ericson, *Real-Time Collision Detection*, 2005, 5.2.1.
//!
//! ```text
//! for each edge of p (one lane each)
//!     for each vertex v of q (broadcast to all lanes)
//!         separation[edge] = min(separation[edge], dot(normal[edge], v - start[edge]))
//! best = the edge with the greatest separation
//! ```
//!
//! One pair per lane would need the vertices of several polygons in columns: up to 32 numbers to
//! gather per pair. The data of one polygon are stored for loads of whole vectors of edges. Always
//! computes eight edges and eight vertices, so that there are no branches; unused elements are
//! copies of the first. The arithmetic is that of [`sat`](crate::query).

use super::kind_buckets::Bucket;
use super::pair_columns::PairColumns;
use super::simd_columns::{F64Column, Lanes, Poses, dot, rounding, store};
use super::small_polygon::PolygonSoa8;
use crate::math::simd::Simd;
use crate::math::vector::TINY_SQUARE;

/// Number of columns that [`prepare`] writes.
pub(super) const RELATIVE_COLUMNS: usize = 9;

/// Computes the columns for [`RelativeLanes`] and the error bounds of pairs of polygons.
///
/// Returns two bit masks of the rows. First: the bounding circles are not apart. Second: the
/// inscribed circles overlap by more than the error bound; see
/// [`relation_of_circles`](crate::query::pair::relation_of_circles).
#[inline(always)]
pub(super) fn prepare<S: Simd>(
    simd: S,
    columns: &PairColumns,
    group: Bucket<'_>,
    relatives: &mut [F64Column; RELATIVE_COLUMNS],
) -> [u64; 2] {
    let PairColumns { poses: [poses_p, poses_q], halves: [halves_p, halves_q], radius_pairs, .. } = columns;
    let (mut candidates, mut inside) = (0, 0);
    for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
        group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
        let (p, q) = (Poses::of(simd, poses_p, from), Poses::of(simd, poses_q, from));
        let [radius, bounding_radius] = radius_pairs[0].load(simd, from);
        let [[ax, ay], [bx, by]] = [halves_p.load(simd, from), halves_q.load(simd, from)];
        let relative = p.relative_to(&q);
        let rounding = rounding::<S>(bounding_radius + radius, relative.apart, p.translation, q.translation);
        let error_bound = rounding.separation();
        let limit = radius + error_bound;
        let (outer, inner) = (bounding_radius + limit, ax.min(ay) + bx.min(by) + radius - error_bound);
        let square = dot::<S>(relative.apart, relative.apart);
        // Squares below `TINY_SQUARE` lose relative precision and prove nothing.
        let is_apart = square.simd_gt(outer * outer) & square.simd_gt(TINY_SQUARE);
        let is_inside = square.simd_lt(inner * inner) & inner.simd_gt(1e-140);
        let ([tx, ty], [ux, uy], length_error) = (relative.b_in_a, relative.a_in_b, rounding.length());
        let all = [relative.cos, relative.sin, tx, ty, ux, uy, limit, error_bound, length_error];
        for (column, lanes) in relatives.iter_mut().zip(all) {
            store::<S>(lanes, column, from);
        }
        candidates |= (!is_apart).to_bitmask() << from;
        inside |= is_inside.to_bitmask() << from;
    }
    [candidates, inside]
}

/// The pose of one polygon in the frame of the other.
#[derive(Clone, Copy)]
pub(super) struct RelativeLanes {
    /// Cosine of the angle of the other polygon.
    pub(super) cos: f64,
    /// Sine of that angle.
    pub(super) sin: f64,
    /// Translation of the other polygon along x, in the frame of this one.
    pub(super) x: f64,
    /// Translation along y.
    pub(super) y: f64,
}

impl RelativeLanes {
    /// Loads the result of [`Placed::prepare`] for one row: the pose of the other polygon in the
    /// frame of polygon number `side`.
    #[inline(always)]
    pub(super) fn load(columns: &[F64Column; RELATIVE_COLUMNS], row: usize, side: usize) -> Self {
        let (cos, sin) = (columns[0][row], columns[1][row]);
        let (x, y) = (columns[2 + 2 * side][row], columns[3 + 2 * side][row]);
        Self { cos, sin: if side == 0 { sin } else { -sin }, x, y }
    }
}

/// The column of [`ErrorBounds::length`](crate::query::pair::ErrorBounds::length).
pub(super) const LENGTH_ERROR: usize = 8;

/// Returns the separation above which a pair is apart, and the error bound of the separation.
#[inline(always)]
pub(super) fn limit_and_error_bound(columns: &[F64Column; RELATIVE_COLUMNS], row: usize) -> [f64; 2] {
    [columns[6][row], columns[7][row]]
}

/// Number of vectors for eight edges at the smallest SIMD width.
pub(super) const VECTORS: usize = 4;

/// Returns the separation of a polygon from each edge of another polygon.
///
/// The first 8 / lanes vectors contain the separations; the others repeat the first vector.
#[inline(always)]
pub(super) fn edge_separations<S: Simd>(
    simd: S,
    edges: &PolygonSoa8,
    vertices: &PolygonSoa8,
    pose: RelativeLanes,
) -> [Lanes<S>; VECTORS] {
    let mut separations = [separations_from(simd, edges, 0, vertices, pose); VECTORS];
    for (i, separation) in separations[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        *separation = separations_from(simd, edges, (i + 1) * Lanes::<S>::LEN, vertices, pose);
    }
    separations
}

/// Computes the separations of one vector of edges, beginning with edge `from`.
#[inline(always)]
fn separations_from<S: Simd>(
    simd: S,
    edges: &PolygonSoa8,
    from: usize,
    vertices: &PolygonSoa8,
    pose: RelativeLanes,
) -> Lanes<S> {
    let (normal_x, normal_y) = (load_from(simd, &edges.normal_x, from), load_from(simd, &edges.normal_y, from));
    // The edge normals in the frame of the other polygon.
    let x = normal_x * pose.cos + normal_y * pose.sin;
    let y = normal_y * pose.cos - normal_x * pose.sin;
    // Minimum as a tree: a chain of eight `min` operations would have a longer latency.
    let mut least = [x; 4];
    for (k, least) in least.iter_mut().enumerate() {
        let height = x * vertices.x[2 * k] + y * vertices.y[2 * k];
        *least = height.min(x * vertices.x[2 * k + 1] + y * vertices.y[2 * k + 1]);
    }
    let least = least[0].min(least[1]).min(least[2].min(least[3]));
    // Offset of the edge's line, and the translation along the normal.
    let offset = normal_x * load_from(simd, &edges.x, from) + normal_y * load_from(simd, &edges.y, from);
    let moved = normal_x * pose.x + normal_y * pose.y - offset;
    least + moved
}

/// Returns the separation of a point from each edge of a polygon, as [`edge_separations`].
#[inline(always)]
pub(super) fn point_separations<S: Simd>(simd: S, edges: &PolygonSoa8, point: [f64; 2]) -> [Lanes<S>; VECTORS] {
    let mut separations = [point_separations_from(simd, edges, 0, point); VECTORS];
    for (i, separation) in separations[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        *separation = point_separations_from(simd, edges, (i + 1) * Lanes::<S>::LEN, point);
    }
    separations
}

/// Computes the separations of a point from one vector of edges.
#[inline(always)]
fn point_separations_from<S: Simd>(simd: S, edges: &PolygonSoa8, from: usize, [x, y]: [f64; 2]) -> Lanes<S> {
    let (normal_x, normal_y) = (load_from(simd, &edges.normal_x, from), load_from(simd, &edges.normal_y, from));
    let offset = normal_x * load_from(simd, &edges.x, from) + normal_y * load_from(simd, &edges.y, from);
    normal_x * x + normal_y * y - offset
}

/// Loads a vector of numbers from index `from` on.
#[inline(always)]
fn load_from<S: Simd>(simd: S, numbers: &[f64; 8], from: usize) -> Lanes<S> {
    Lanes::from_slice(simd, &numbers[from..from + Lanes::<S>::LEN])
}

/// Returns true if any separation is greater than `limit`.
#[inline(always)]
pub(super) fn any_above<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS], limit: f64) -> bool {
    greatest::<S>(separations).simd_gt(Lanes::splat(simd, limit)).any_true()
}

/// Returns the maximum of all vectors, lane by lane.
#[inline(always)]
pub(super) fn greatest<S: Simd>([p, q, r, s]: &[Lanes<S>; VECTORS]) -> Lanes<S> {
    match Lanes::<S>::LEN {
        8 => *p,
        4 => p.max(*q),
        _ => p.max(*q).max(r.max(*s)),
    }
}

/// Returns the greatest separation and its edge; the lowest edge for equal separations.
#[inline(always)]
pub(super) fn best<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS]) -> (f64, usize) {
    let most = greatest::<S>(separations).reduce_max();
    (most, at_least(simd, separations, most).trailing_zeros() as usize % 8)
}

/// Returns a bit mask of the edges whose separation is at least `level`.
#[inline(always)]
pub(super) fn at_least<S: Simd>(simd: S, separations: &[Lanes<S>; VECTORS], level: f64) -> u64 {
    let mut bits = 0;
    for (i, separation) in separations[..8 / Lanes::<S>::LEN].iter().enumerate() {
        bits |= separation.simd_ge(Lanes::splat(simd, level)).to_bitmask() << (i * Lanes::<S>::LEN);
    }
    bits
}

/// Returns the vertex with the least projection on a direction; the first one for equal
/// projections.
#[inline(always)]
pub(super) fn min_vertex<S: Simd>(simd: S, vertices: &PolygonSoa8, [x, y]: [f64; 2]) -> usize {
    let mut heights = [load_from(simd, &vertices.x, 0) * x + load_from(simd, &vertices.y, 0) * y; VECTORS];
    let mut least = heights[0];
    for (i, height) in heights[1..8 / Lanes::<S>::LEN].iter_mut().enumerate() {
        let from = (i + 1) * Lanes::<S>::LEN;
        *height = load_from(simd, &vertices.x, from) * x + load_from(simd, &vertices.y, from) * y;
        least = least.min(*height);
    }
    let least = Lanes::splat(simd, least.reduce_min());
    let mut bits = 0;
    for (i, height) in heights[..8 / Lanes::<S>::LEN].iter().enumerate() {
        bits |= height.simd_eq(least).to_bitmask() << (i * Lanes::<S>::LEN);
    }
    bits.trailing_zeros() as usize % 8
}
