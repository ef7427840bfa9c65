//! Decides whether a convex part contains another with a larger radius.
//!
//! Input: two parts, the inner one with the larger radius. Output: the exact truth value. Every
//! point of the inner hull must be behind every edge of the outer hull by the difference of the
//! radii:
//!
//! ```text
//! for each edge of the outer hull: excess = height of the farthest vertex of the inner hull + difference of the radii
//! any excess > error bound:    false
//! all excesses < −error bound: true
//! else, in integers:           compare (height · length of the edge)² with (difference · length of the edge)²
//! ```
//!
//! The test of single points for parts with a smaller radius does not suffice here. It would need
//! circles with a negative radius.

use glam::DVec2;

use core::cmp::Ordering::{Greater, Less};

use crate::math::big_int::{BigInt, Number, cross, difference, dot};
use crate::math::ring::edges;
use crate::query::exact::bit_range;
use crate::query::pair::Pair;
use crate::query::support::support_vertex;
use crate::query::union_boundary::sub_segment::placed_hull;
use crate::shape::part::Part;

/// Bits that coordinates may span for the short integers: degree 4 of sums of two, in 8 limbs.
const SHORT: i32 = 124;

/// Returns true if `a` contains `b`, whose radius is larger. Every point of the hull of b must be
/// behind every edge of a by the difference of the radii.
pub(super) fn part_contains(a: Part<'_>, b: Part<'_>) -> bool {
    let pair = Pair::new(a, b);
    let margin = b.convex.radius - a.convex.radius;
    let mut sure = a.convex.edge_count() > 2;
    for edge in 0..a.convex.edge_count() {
        let normal = a.pose.rotate_vector(a.convex.normal(edge));
        let vertex = support_vertex(b.convex, b.pose.inverse_rotate_vector(-normal));
        let excess = normal.dot(b.placed(vertex) - a.placed(edge)) + margin;
        if excess > pair.rounding.separation() {
            return false;
        }
        sure &= excess < -pair.rounding.separation();
    }
    sure || contains_exactly(a, b)
}

/// Decides with integers, if the floating-point filter is inconclusive.
#[cold]
fn contains_exactly(a: Part<'_>, b: Part<'_>) -> bool {
    let range = bit_range(&[a, b]);
    if range.width() <= SHORT { in_integers::<8>(a, b, range.unit()) } else { in_integers::<75>(a, b, range.unit()) }
}

/// Decides with integers of `N` limbs; `unit` is the exponent of their common power of two.
fn in_integers<const N: usize>(a: Part<'_>, b: Part<'_>, unit: i32) -> bool {
    let integer = |x: f64| BigInt::<N>::from_f64(x, unit);
    let margin = integer(b.convex.radius).subtract(&integer(a.convex.radius));
    let hull = placed_hull(a);
    let is_clear = |[c, d]: [DVec2; 2]| {
        let along = difference(d, c, unit);
        // The height of a point over the edge is an area divided by the length of the edge.
        let enough = margin.multiply(&margin).multiply(&dot(&along, &along));
        b.points().all(|p| {
            let area = cross(&along, &difference(p, c, unit));
            area.sign() == Greater && area.multiply(&area).subtract(&enough).sign() != Less
        })
    };
    hull.len() > 2 && edges(&hull).all(is_clear)
}
