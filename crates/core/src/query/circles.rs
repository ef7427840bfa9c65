//! Circles: the closed forms of the kernel for a point against a point and against a rectangle.

use glam::DVec2;

use super::exact::{self, Relation};
use super::pair::Pair;
use super::separation::length_and_direction;
use crate::math::vector::U;
use crate::shape::Placed;

/// The relation of two shapes of one point each.
#[inline(always)]
pub(super) fn with_circle(a: Placed<'_>, b: Placed<'_>, p: DVec2, q: DVec2) -> Relation {
    // The placed points are the exact set, so only this difference and what is made of it is rounded: 3 roundings on either side of the comparison.
    let apart = b.pose().apply(q) - a.pose().apply(p);
    let radius = a.shape().radius() + b.shape().radius();
    let (distance, reach) = (apart.x * apart.x + apart.y * apart.y, radius * radius);
    // Squares below 1e-290 may have lost digits to underflow.
    let doubt = 8.0 * U * (distance + reach) + 1e-290;
    if (distance - reach).abs() <= doubt {
        return exact::relation(a, b);
    }
    if distance > reach { Relation::Apart } else { Relation::Overlapping }
}

/// The signed distance of a circle and a rectangle, in either order; `None` for other shapes.
#[inline(always)]
pub(super) fn with_rectangle(pair: &Pair<'_>) -> Option<f64> {
    let of = usize::from(pair.sides[0].convex.as_point().is_some());
    let (half, point) = (pair.sides[of].convex.as_rectangle()?, pair.sides[1 - of].convex.as_point()?);
    let beyond = pair.other_in[of].apply(point).abs() - half;
    let (outside, _) = length_and_direction(beyond.max(DVec2::ZERO), DVec2::X);
    Some(outside + beyond.max_element().min(0.0) - pair.radius)
}
