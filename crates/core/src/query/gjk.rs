//! Finds the feature of a Minkowski difference closest to the origin: GJK (Gilbert, Johnson and
//! Keerthi 1988).
//!
//! Input: the farthest vertex of A − B along any direction, as a function. Output: the closest
//! vertex or segment, or a simplex that contains the origin. The arithmetic is `f64` or integers.
//!
//! A − B is the set of all differences of points of A and B. The shapes intersect if A − B contains
//! the origin. Otherwise their distance is its distance from the origin. The loop keeps a simplex
//! of vertices of A − B (a point, a segment, a triangle) and moves it toward the origin:
//!
//! ```text
//! simplex = any vertex
//! repeat
//!     reduce the simplex to its part closest to the origin; if it contains the origin: return it
//!     next = farthest vertex of A − B in the direction from that part to the origin
//!     if next is not farther than the simplex: return the simplex
//!     add next to the simplex
//! ```
//!
//! In integers each iteration brings the simplex strictly closer. There are finitely many
//! simplices, so the loop ends with the exact result: the exact predicate uses it. In `f64` the
//! loop is the filter. A repeated vertex or [`MAX_ITERATIONS`] ends it with the current simplex,
//! and the caller tests the result against its error bound.

use core::cmp::Ordering::{Equal, Greater, Less};

use crate::math::big_int::Number;

/// A vertex of A − B: vertex `a` of A minus vertex `b` of B.
#[derive(Clone, Copy)]
pub(super) struct SupportPoint<K> {
    /// Index of the vertex of A.
    pub(super) a: u32,
    /// Index of the vertex of B.
    pub(super) b: u32,
    /// x of the difference of both.
    pub(super) x: K,
    /// y of the difference of both.
    pub(super) y: K,
}

impl<K: Number> SupportPoint<K> {
    /// Returns true if the point is the origin.
    fn is_origin(&self) -> bool {
        self.x.sign() == Equal && self.y.sign() == Equal
    }

    /// Returns true if both have the same coordinates.
    fn same(&self, other: &Self) -> bool {
        self.a == other.a && self.b == other.b
    }

    /// Returns the vector from the other point to this one.
    pub(super) fn minus(&self, other: &Self) -> [K; 2] {
        [self.x.subtract(&other.x), self.y.subtract(&other.y)]
    }

    /// Returns the dot product with a vector.
    pub(super) fn dot(&self, v: &[K; 2]) -> K {
        self.x.multiply(&v[0]).add(&self.y.multiply(&v[1]))
    }

    /// Returns the cross product of both position vectors.
    pub(super) fn cross(&self, other: &Self) -> K {
        self.x.multiply(&other.y).subtract(&self.y.multiply(&other.x))
    }

    /// Returns the vector from the point to the origin.
    fn negated(&self) -> [K; 2] {
        let zero = self.x.subtract(&self.x);
        [zero.subtract(&self.x), zero.subtract(&self.y)]
    }
}

/// The support function of A − B.
pub(super) trait SupportMap<K> {
    /// Returns a vertex that is farthest along a direction.
    fn farthest(&self, direction: &[K; 2]) -> SupportPoint<K>;
}

/// The feature of A − B closest to the origin.
#[derive(Clone, Copy)]
pub(super) enum NearestFeature<K> {
    /// A vertex that is not the origin.
    Vertex(SupportPoint<K>),
    /// The interior of a segment that does not contain the origin.
    Segment(SupportPoint<K>, SupportPoint<K>),
    /// A vertex that is the origin.
    AtVertex(SupportPoint<K>),
    /// A segment that contains the origin in its interior.
    OnSegment(SupportPoint<K>, SupportPoint<K>),
    /// A triangle that contains the origin in its interior.
    Inside(SupportPoint<K>, SupportPoint<K>, SupportPoint<K>),
}

/// Iteration limit in `f64`: more iterations mean that rounding causes a cycle.
const MAX_ITERATIONS: usize = 64;

/// One iteration of the loop, for observers such as [`explain`](super::explain).
pub(super) struct Iteration<'a, K> {
    /// The simplex before the iteration.
    pub(super) simplex: &'a NearestFeature<K>,
    /// The vector from the simplex toward the origin.
    pub(super) toward: &'a [K; 2],
    /// The farthest vertex along that vector.
    pub(super) farthest: &'a SupportPoint<K>,
}

/// Runs the loop from the vertex `first`. `EXACT` removes the iteration limit, which only rounding needs.
#[inline]
pub(super) fn nearest<K: Number, const EXACT: bool>(
    set: &impl SupportMap<K>,
    first: SupportPoint<K>,
) -> NearestFeature<K> {
    nearest_observed::<K, EXACT>(set, first, |_| {})
}

/// Runs the loop and passes every iteration to `observe`.
pub(super) fn nearest_observed<K: Number, const EXACT: bool>(
    set: &impl SupportMap<K>,
    first: SupportPoint<K>,
    mut observe: impl FnMut(Iteration<'_, K>),
) -> NearestFeature<K> {
    let mut simplex = NearestFeature::Vertex(first);
    let mut turns = 0;
    loop {
        simplex = match simplex {
            NearestFeature::Vertex(p) if p.is_origin() => return NearestFeature::AtVertex(p),
            NearestFeature::Vertex(p) => {
                let toward = p.negated();
                let next = set.farthest(&toward);
                observe(Iteration { simplex: &simplex, toward: &toward, farthest: &next });
                if next.same(&p) || next.dot(&toward).subtract(&p.dot(&toward)).sign() != Greater {
                    return simplex;
                }
                of_segment(p, next)
            }
            NearestFeature::Segment(p, q) => {
                // The origin is to the left of p → q: `of_segment` and `of_triangle` ensure it.
                let [ex, ey] = q.minus(&p);
                let toward = [ex.subtract(&ex).subtract(&ey), ex];
                let next = set.farthest(&toward);
                observe(Iteration { simplex: &simplex, toward: &toward, farthest: &next });
                if next.same(&p) || next.same(&q) || next.dot(&toward).subtract(&p.dot(&toward)).sign() != Greater {
                    return simplex;
                }
                of_triangle(p, q, next)
            }
            done => return done,
        };
        turns += 1;
        if !EXACT && turns == MAX_ITERATIONS {
            return simplex;
        }
    }
}

/// Returns the part of a segment closest to the origin.
fn of_segment<K: Number>(p: SupportPoint<K>, q: SupportPoint<K>) -> NearestFeature<K> {
    let edge = q.minus(&p);
    // The origin projects to the inside of the segment only if p is behind it and q is ahead of it.
    if p.dot(&edge).sign() != Less {
        return NearestFeature::Vertex(p);
    }
    if q.dot(&edge).sign() != Greater {
        return NearestFeature::Vertex(q);
    }
    // The sign of p × q is the side of p → q that contains the origin.
    match p.cross(&q).sign() {
        Greater => NearestFeature::Segment(p, q),
        Less => NearestFeature::Segment(q, p),
        Equal => NearestFeature::OnSegment(p, q),
    }
}

/// Returns the part of the triangle p, q, r closest to the origin.
///
/// The segment p → q was extended to its left, toward the origin, by `r`.
fn of_triangle<K: Number>(p: SupportPoint<K>, q: SupportPoint<K>, r: SupportPoint<K>) -> NearestFeature<K> {
    // p → q → r is counter-clockwise: the origin is inside if it is to the left of both new edges.
    let (left_of_qr, left_of_rp) = (q.cross(&r).sign(), r.cross(&p).sign());
    match (left_of_qr, left_of_rp) {
        (Greater, Greater) => NearestFeature::Inside(p, q, r),
        (Greater, _) => of_segment(r, p),
        (_, Greater) => of_segment(q, r),
        _ => match of_segment(q, r) {
            vertex @ NearestFeature::Vertex(_) => match of_segment(r, p) {
                NearestFeature::Vertex(_) => vertex,
                inside => inside,
            },
            inside => inside,
        },
    }
}
