//! Computes a point that two intersecting hulls share.
//!
//! Input: a pair of hulls that intersect. Output: a point of both, up to rounding. Source: Gilbert,
//! Johnson and Keerthi 1988: the closest points are weighted means of simplex vertices.
//!
//! ```text
//! write the origin as a weighted mean of vertices of the Minkowski difference   (GJK)
//! point = the same weighted mean of the vertices of a
//! if the point is outside a hull by more than the tolerance: test all candidates
//! ```
//!
//! A long thin shape gives a long thin simplex, and its weights lose their digits. So the result is
//! tested. Two hulls that intersect share a vertex of one of them or a crossing of two edges. Of
//! these candidates, the last step returns the one that is least outside.

use glam::DVec2;

use super::gjk::{self, NearestFeature};
use super::minkowski::MinkowskiDifference;
use super::pair::Pair;

/// Returns a point of both hulls, up to rounding.
#[inline(never)]
pub(super) fn point(pair: &Pair<'_>) -> DVec2 {
    // A hull of one point has only that point.
    if let Some(alone) = pair.parts.iter().rev().find(|part| part.convex.hull_vertex_count() == 1) {
        return alone.placed(0);
    }
    let mean = mean_of_vertices(pair);
    // Long thin shapes give long thin simplices, whose weighted means are inaccurate.
    if outside(pair, mean) <= pair.rounding.position() { mean } else { brute_force(pair) }
}

/// Returns the origin of the Minkowski difference as a weighted mean of its vertices, applied to
/// the vertices of a.
fn mean_of_vertices(pair: &Pair<'_>) -> DVec2 {
    let hulls = MinkowskiDifference::new(pair);
    let a = |i: u32| pair.parts[0].placed(i as usize);
    match gjk::nearest::<f64, false>(&hulls, hulls.vertex(0, 0)) {
        NearestFeature::Vertex(p) | NearestFeature::AtVertex(p) => a(p.a),
        NearestFeature::Segment(p, q) | NearestFeature::OnSegment(p, q) => {
            let [ex, ey] = q.minus(&p);
            let part = -(p.x * ex + p.y * ey) / (ex * ex + ey * ey);
            a(p.a) + (a(q.a) - a(p.a)) * part.clamp(0.0, 1.0)
        }
        NearestFeature::Inside(p, q, r) => {
            let (of_p, of_q, of_r) = (q.cross(&r), r.cross(&p), p.cross(&q));
            let whole = of_p + of_q + of_r;
            a(p.a) + (a(q.a) - a(p.a)) * (of_q / whole) + (a(r.a) - a(p.a)) * (of_r / whole)
        }
    }
}

/// Returns a lower bound of the point's distance outside the worse of both hulls. Negative if the
/// point is inside both.
fn outside(pair: &Pair<'_>, point: DVec2) -> f64 {
    let of_side = |i: usize| {
        let side = &pair.parts[i];
        let heights = (0..side.convex.edge_count())
            .map(|edge| side.pose.rotate_vector(side.convex.normal(edge)).dot(point - side.placed(edge)));
        let height = heights.fold(f64::NEG_INFINITY, f64::max);
        if side.convex.edge_count() <= 2 { height.max(beyond_ends(pair, i, point)) } else { height }
    };
    of_side(0).max(of_side(1))
}

/// Returns the distance of a point beyond the ends of a segment, or from a single point.
fn beyond_ends(pair: &Pair<'_>, i: usize, point: DVec2) -> f64 {
    let side = &pair.parts[i];
    if side.convex.edge_count() == 0 {
        return (point - side.placed(0)).abs().max_element();
    }
    let tangent = side.pose.rotate_vector(side.convex.tangent(0));
    tangent.dot(side.placed(0) - point).max(tangent.dot(point - side.placed(1)))
}

/// Returns the candidate point that is least outside both hulls. Two intersecting hulls share a
/// vertex of one of them or a crossing of two edges. These are the candidates.
#[cold]
fn brute_force(pair: &Pair<'_>) -> DVec2 {
    let vertices = pair.parts.iter().flat_map(|side| (0..side.convex.hull_vertex_count()).map(|i| side.placed(i)));
    let mut best = (f64::INFINITY, pair.parts[0].placed(0));
    let mut consider = |point: DVec2| {
        let here = outside(pair, point);
        if here < best.0 {
            best = (here, point);
        }
    };
    vertices.for_each(&mut consider);
    let [a, b] = &pair.parts;
    for i in 0..a.convex.edge_count() {
        for j in 0..b.convex.edge_count() {
            let (a, b) = ([a.placed(i), a.placed(a.convex.next(i))], [b.placed(j), b.placed(b.convex.next(j))]);
            if let Some(point) = crossing(a, b) {
                consider(point);
            }
        }
    }
    best.1
}

/// Returns the crossing of two segments, computed from the heights of the shorter one's ends over
/// the longer one.
fn crossing(a: [DVec2; 2], b: [DVec2; 2]) -> Option<DVec2> {
    let extent = |s: [DVec2; 2]| (s[1] - s[0]).abs().max_element();
    let (short, long) = if extent(a) < extent(b) { (a, b) } else { (b, a) };
    let normal = crate::math::vector::unit((long[1] - long[0]).perp())?;
    let (from, to) = (normal.dot(short[0] - long[0]), normal.dot(short[1] - long[0]));
    ((from <= 0.0) != (to <= 0.0)).then(|| short[0] + (short[1] - short[0]) * (from / (from - to)))
}
