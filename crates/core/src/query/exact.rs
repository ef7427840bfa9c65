//! Decides exactly whether two placed convex parts are apart, touching or overlapping.
//!
//! Input: two parts. Output: their relation. It runs only if the floating-point filter of
//! [`pair`](super::pair) is inconclusive.
//!
//! The decided sets are the hulls of the placed points, grown by the radii. Coordinates become
//! integers over a common power of two. A margin adds to the radii. [GJK](super::gjk) on these
//! integers finds the feature of the Minkowski difference closest to the origin. Distances are
//! compared by their squares, so no root and no division is needed: degree 4 in the coordinates
//! decides every case.
//!
//! ```text
//! feature = closest feature of A − B to the origin (GJK in integers)
//! vertex:   compare |p|² with R²
//! segment:  compare (p × q)² with R² |q − p|²
//! inside, or on the feature with R > 0:  overlapping
//! on the feature with R = 0:  overlapping if A − B surrounds the origin, else touching
//! ```

use core::cmp::Ordering::{self, Equal, Greater, Less};

use glam::DVec2;

use super::gjk::{NearestFeature, SupportMap, SupportPoint, nearest};
use crate::math::big_int::{BigInt, BitRange, Number, cross, difference, dot};
use crate::math::both::both;
use crate::math::vector::{UNIT_ROUNDOFF, norm1};
use crate::pair_result::Relation;
use crate::shape::part::Part;

/// Bit range of coordinates for the short integers: degree 4 of sums of two fits in 8 limbs of 64 bits.
const SHORT_BITS: i32 = 124;

/// Returns the exact relation of two placed parts.
#[cold]
#[inline(never)]
pub(super) fn relation(a: Part<'_>, b: Part<'_>) -> Relation {
    relation_within(a, b, 0.0)
}

/// Returns true if the exact distance of two placed parts is at most `margin`.
#[cold]
#[inline(never)]
pub(super) fn is_within(a: Part<'_>, b: Part<'_>, margin: f64) -> bool {
    relation_within(a, b, margin) != Relation::Apart
}

/// Returns the exact relation if one part is grown by `margin`.
fn relation_within(a: Part<'_>, b: Part<'_>, margin: f64) -> Relation {
    let mut range = bit_range(&[a, b]);
    range.include(margin);
    // The accepted numbers span 1177 bits, and 4 · 1177 + 16 < 75 · 64.
    if range.width() <= SHORT_BITS {
        ExactPredicate::<8> { a, b, margin, unit: range.unit() }.relation()
    } else {
        ExactPredicate::<75> { a, b, margin, unit: range.unit() }.relation()
    }
}

/// Returns the range of the bits of the placed points and radii of some parts.
pub(super) fn bit_range(parts: &[Part<'_>]) -> BitRange {
    let mut range = BitRange::EMPTY;
    for part in parts {
        for p in part.points() {
            range.include(p.x);
            range.include(p.y);
        }
        range.include(part.convex.radius);
    }
    range
}

/// Two parts, with integers of `N` limbs.
struct ExactPredicate<'a, const N: usize> {
    /// The first part.
    a: Part<'a>,
    /// The second part.
    b: Part<'a>,
    /// Largest gap that counts as touching.
    margin: f64,
    /// Exponent of the power of two that all coordinates are multiples of.
    unit: i32,
}

impl<const N: usize> ExactPredicate<'_, N> {
    /// Converts a coordinate to an integer.
    fn integer(&self, x: f64) -> BigInt<N> {
        BigInt::from_f64(x, self.unit)
    }

    /// Decides the relation.
    fn relation(&self) -> Relation {
        let radii = self.integer(self.a.convex.radius).add(&self.integer(self.b.convex.radius));
        let radius = radii.add(&self.integer(self.margin));
        match (nearest::<_, true>(self, self.vertex(0, 0)), radius.sign()) {
            (NearestFeature::Vertex(_) | NearestFeature::Segment(..), Equal) => Relation::Apart,
            (NearestFeature::Vertex(p), _) => within(p.dot(&[p.x, p.y]).subtract(&radius.multiply(&radius)).sign()),
            (NearestFeature::Segment(p, q), _) => {
                let (edge, area) = (q.minus(&p), p.cross(&q));
                let limit = radius.multiply(&radius).multiply(&dot(&edge, &edge));
                within(area.multiply(&area).subtract(&limit).sign())
            }
            (NearestFeature::Inside(..), _)
            | (NearestFeature::AtVertex(_) | NearestFeature::OnSegment(..), Greater) => Relation::Overlapping,
            (NearestFeature::OnSegment(p, q), _) => touching_unless(self.surrounds_segment(&p, &q)),
            (NearestFeature::AtVertex(p), _) => touching_unless(self.surrounds_vertex(&p)),
        }
    }

    /// Returns true if A − B has points on both sides of a segment that contains the origin.
    fn surrounds_segment(&self, p: &SupportPoint<BigInt<N>>, q: &SupportPoint<BigInt<N>>) -> bool {
        let [ex, ey] = q.minus(p);
        let (left, right) = ([ey.negated(), ex], [ey, ex.negated()]);
        [left, right].iter().all(|side| self.farthest(side).dot(side).sign() == Greater)
    }

    /// Returns true if the origin, a vertex of A − B, lies in the interior of A − B.
    ///
    /// The cone of A − B at the origin is the cone of A at the shared point minus the cone of B. It is the whole plane
    /// if no closed half-plane contains all its directions.
    fn surrounds_vertex(&self, shared: &SupportPoint<BigInt<N>>) -> bool {
        // The first direction, and the farthest ones to its left and right, each by less than half a turn.
        let (mut first, mut left, mut right, mut opposite) = (None, None, None, false);
        let mut add = |v: [BigInt<N>; 2]| {
            let Some(middle) = first else {
                first = (v[0].sign() != Equal || v[1].sign() != Equal).then_some(v);
                return;
            };
            match cross(&middle, &v).sign() {
                Greater if left.is_none_or(|l| cross(&l, &v).sign() == Greater) => left = Some(v),
                Less if right.is_none_or(|r| cross(&r, &v).sign() == Less) => right = Some(v),
                Equal => opposite |= dot(&middle, &v).sign() == Less,
                _ => {}
            }
        };
        for p in self.a.points() {
            add(self.difference(p, placed(self.a, shared.a)));
        }
        for q in self.b.points() {
            add(self.difference(placed(self.b, shared.b), q));
        }
        match (left, right) {
            // If right to left spans more than half a turn, the remaining gap is smaller than half a turn.
            (Some(left), Some(right)) => opposite || cross(&left, &right).sign() == Greater,
            _ => false,
        }
    }

    /// Returns a vertex of the difference. `a` and `b` are point indices.
    fn vertex(&self, a: u32, b: u32) -> SupportPoint<BigInt<N>> {
        let [x, y] = self.difference(placed(self.a, a), placed(self.b, b));
        SupportPoint { a, b, x, y }
    }

    /// Returns `p − q` as integers.
    fn difference(&self, p: DVec2, q: DVec2) -> [BigInt<N>; 2] {
        difference(p, q, self.unit)
    }

    /// Returns the index of the point farthest along a direction. Tie: lowest index.
    fn support(&self, points: impl Iterator<Item = DVec2> + Clone, direction: &[BigInt<N>; 2]) -> u32 {
        // Floating-point filter: the direction is scaled to at most 1, so each product and the sum round once.
        let bits = direction[0].bits().max(direction[1].bits());
        let rough = DVec2::new(direction[0].approximate(bits), direction[1].approximate(bits));
        let (mut farthest, mut largest) = (f64::NEG_INFINITY, 0.0_f64);
        for p in points.clone() {
            farthest = farthest.max(rough.dot(p));
            largest = largest.max(norm1(p));
        }
        let bound = farthest - 16.0 * UNIT_ROUNDOFF * largest - 1e-300;
        let mut best: Option<(u32, DVec2)> = None;
        for (i, p) in (0..).zip(points) {
            if rough.dot(p) < bound {
                continue;
            }
            if best.is_none_or(|(_, q)| dot(&self.difference(p, q), direction).sign() == Greater) {
                best = Some((i, p));
            }
        }
        best.map_or(0, |(i, _)| i)
    }
}

impl<const N: usize> SupportMap<BigInt<N>> for ExactPredicate<'_, N> {
    fn farthest(&self, direction: &[BigInt<N>; 2]) -> SupportPoint<BigInt<N>> {
        let back = both([&direction[0], &direction[1]], BigInt::negated);
        self.vertex(self.support(self.a.points(), direction), self.support(self.b.points(), &back))
    }
}

/// Returns a placed point of a part.
fn placed(part: Part<'_>, i: u32) -> DVec2 {
    part.pose.transform_point(part.convex.points()[i as usize])
}

/// Returns the relation from the sign of distance² − radius².
fn within(excess: Ordering) -> Relation {
    match excess {
        Greater => Relation::Apart,
        Equal => Relation::Touching,
        Less => Relation::Overlapping,
    }
}

/// Returns overlapping if the interiors intersect, else touching.
fn touching_unless(interior: bool) -> Relation {
    if interior { Relation::Overlapping } else { Relation::Touching }
}
