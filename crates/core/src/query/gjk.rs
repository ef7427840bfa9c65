//! The algorithm of Gilbert, Johnson and Keerthi (1988) in the plane, over any arithmetic.
//!
//! With A − B the set of all differences of points of A and B, the shapes meet where that set contains the origin, and their distance is its
//! distance from the origin. The loop keeps a simplex of corners of A − B (a point, a segment, a triangle) and moves it toward the origin:
//!
//! ```text
//! simplex = any corner
//! repeat
//!     keep the part of the simplex that is nearest to the origin; it may contain the origin: done
//!     ask for the farthest corner of A − B from there toward the origin; none is farther: done
//!     add it to the simplex
//! ```
//!
//! In integers each turn brings the simplex strictly nearer, and there are finitely many, so it ends with the truth: that is the judge. In `f64` it
//! is the filter: a corner that comes back, or too many turns, ends it with what it has, and the caller looks at how sure that is.

use core::cmp::Ordering::{Equal, Greater, Less};

use crate::math::big_int::Number;

/// A corner of A − B: corner `a` of A minus corner `b` of B.
#[derive(Clone, Copy)]
pub(super) struct SupportPoint<K> {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) x: K,
    pub(super) y: K,
}

impl<K: Number> SupportPoint<K> {
    fn is_origin(&self) -> bool {
        self.x.sign() == Equal && self.y.sign() == Equal
    }

    fn same(&self, other: &Self) -> bool {
        self.a == other.a && self.b == other.b
    }

    pub(super) fn minus(&self, other: &Self) -> [K; 2] {
        [self.x.subtract(&other.x), self.y.subtract(&other.y)]
    }

    pub(super) fn dot(&self, v: &[K; 2]) -> K {
        self.x.multiply(&v[0]).add(&self.y.multiply(&v[1]))
    }

    pub(super) fn cross(&self, other: &Self) -> K {
        self.x.multiply(&other.y).subtract(&self.y.multiply(&other.x))
    }

    fn negated(&self) -> [K; 2] {
        let zero = self.x.subtract(&self.x);
        [zero.subtract(&self.x), zero.subtract(&self.y)]
    }
}

/// Where A − B can be asked for its farthest corner.
pub(super) trait SupportMap<K> {
    /// A corner that is farthest along a direction.
    fn farthest(&self, direction: &[K; 2]) -> SupportPoint<K>;
    /// Is the question settled when this is the farthest corner along a direction toward the origin?
    fn can_stop(&self, _farthest: &SupportPoint<K>, _toward: &[K; 2]) -> bool {
        false
    }
}

/// What of A − B is nearest to the origin.
#[derive(Clone, Copy)]
pub(super) enum Nearest<K> {
    /// A corner, apart from the origin.
    Corner(SupportPoint<K>),
    /// The inside of a segment, apart from the origin.
    Segment(SupportPoint<K>, SupportPoint<K>),
    /// A corner that is the origin.
    AtCorner(SupportPoint<K>),
    /// The origin lies inside a segment.
    OnSegment(SupportPoint<K>, SupportPoint<K>),
    /// The origin lies inside a triangle.
    Inside(SupportPoint<K>, SupportPoint<K>, SupportPoint<K>),
    /// [`SupportMap::can_stop`] ended the search.
    Settled,
}

/// More turns than this mean that rounding leads `f64` in circles.
const MAX_ITERATIONS: usize = 64;

/// One turn of the loop, for those who want to see it.
pub(super) struct Iteration<'a, K> {
    pub(super) simplex: &'a Nearest<K>,
    /// The way from it to the origin.
    pub(super) toward: &'a [K; 2],
    /// The farthest corner along it.
    pub(super) farthest: &'a SupportPoint<K>,
}

/// Runs the loop from corner `first`. `EXACT` leaves out the guards that rounding needs.
#[inline]
pub(super) fn nearest<K: Number, const EXACT: bool>(set: &impl SupportMap<K>, first: SupportPoint<K>) -> Nearest<K> {
    nearest_observed::<K, EXACT>(set, first, |_| {})
}

/// Runs the loop and shows every turn of it.
pub(super) fn nearest_observed<K: Number, const EXACT: bool>(
    set: &impl SupportMap<K>,
    first: SupportPoint<K>,
    mut observe: impl FnMut(Iteration<'_, K>),
) -> Nearest<K> {
    let mut simplex = Nearest::Corner(first);
    let mut turns = 0;
    loop {
        simplex = match simplex {
            Nearest::Corner(p) if p.is_origin() => return Nearest::AtCorner(p),
            Nearest::Corner(p) => {
                let toward = p.negated();
                let next = set.farthest(&toward);
                observe(Iteration { simplex: &simplex, toward: &toward, farthest: &next });
                if set.can_stop(&next, &toward) {
                    return Nearest::Settled;
                }
                if next.same(&p) || next.dot(&toward).subtract(&p.dot(&toward)).sign() != Greater {
                    return simplex;
                }
                of_segment(p, next)
            }
            Nearest::Segment(p, q) => {
                // The origin lies to the left of p → q: `of_segment` and `of_triangle` see to that.
                let [ex, ey] = q.minus(&p);
                let toward = [ex.subtract(&ex).subtract(&ey), ex];
                let next = set.farthest(&toward);
                observe(Iteration { simplex: &simplex, toward: &toward, farthest: &next });
                if set.can_stop(&next, &toward) {
                    return Nearest::Settled;
                }
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

/// The part of a segment that is nearest to the origin.
fn of_segment<K: Number>(p: SupportPoint<K>, q: SupportPoint<K>) -> Nearest<K> {
    let edge = q.minus(&p);
    // Along the edge, p must lie before the origin and q behind it.
    if p.dot(&edge).sign() != Less {
        return Nearest::Corner(p);
    }
    if q.dot(&edge).sign() != Greater {
        return Nearest::Corner(q);
    }
    // p × q is the side of p → q that the origin lies on.
    match p.cross(&q).sign() {
        Greater => Nearest::Segment(p, q),
        Less => Nearest::Segment(q, p),
        Equal => Nearest::OnSegment(p, q),
    }
}

/// The part nearest to the origin of a triangle that was made by moving from the segment p → q toward the origin, on its left, to `r`.
fn of_triangle<K: Number>(p: SupportPoint<K>, q: SupportPoint<K>, r: SupportPoint<K>) -> Nearest<K> {
    // Counter-clockwise p → q → r: the origin is inside where it lies to the left of the two new edges.
    let (left_of_qr, left_of_rp) = (q.cross(&r).sign(), r.cross(&p).sign());
    match (left_of_qr, left_of_rp) {
        (Greater, Greater) => Nearest::Inside(p, q, r),
        (Greater, _) => of_segment(r, p),
        (_, Greater) => of_segment(q, r),
        _ => match of_segment(q, r) {
            corner @ Nearest::Corner(_) => match of_segment(r, p) {
                Nearest::Corner(_) => corner,
                inside => inside,
            },
            inside => inside,
        },
    }
}
