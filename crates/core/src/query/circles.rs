//! Circles: the closed forms of the kernel for a point against a point and against a rectangle.

use glam::DVec2;

use super::closest::Features;
use super::exact::{self, Relation};
use super::kernel::judged;
use super::manifold::{ContactId, ContactPoint, Feature, Manifold};
use super::pair::Pair;
use super::sat::of_rectangle;
use crate::math::vector::{U, length_and_direction, sqrt};
use crate::shape::part::Part;

/// The relation of two shapes of one point each.
#[inline(always)]
pub(super) fn with_circle(a: Part<'_>, b: Part<'_>, p: DVec2, q: DVec2) -> Relation {
    // The placed points are the exact set, so only this difference and what is made of it is rounded: 3 roundings on either side of the comparison.
    let apart = b.pose.apply(q) - a.pose.apply(p);
    let radius = a.convex.radius + b.convex.radius;
    let (distance, reach) = (apart.x * apart.x + apart.y * apart.y, radius * radius);
    // Squares below 1e-290 may have lost digits to underflow.
    let doubt = 8.0 * U * (distance + reach) + 1e-290;
    if (distance - reach).abs() <= doubt {
        return exact::relation(a, b);
    }
    if distance > reach { Relation::Apart } else { Relation::Overlapping }
}

/// The manifold of two shapes of one point each.
#[inline(always)]
pub(super) fn contact(a: Part<'_>, b: Part<'_>, p: DVec2, q: DVec2, margin: f64) -> Option<Manifold> {
    let (from, to) = (a.pose.apply(p), b.pose.apply(q));
    let (radius_a, radius_b) = (a.convex.radius, b.convex.radius);
    let (distance, normal) = length_and_direction(to - from, a.pose.rotate(DVec2::X));
    let depth = radius_a + radius_b - distance;
    // A root more than above, and no squares.
    let depth = if depth.abs() > 8.0 * U * (distance + radius_a + radius_b) { depth } else { judged(depth, exact::relation(a, b)) };
    if depth < -margin {
        return None;
    }
    let id = ContactId { a: Feature::Vertex(0), b: Feature::Vertex(0) };
    let point = ContactPoint { on_a: from + normal * radius_a, on_b: to - normal * radius_b, depth, id };
    Some(Manifold::one(normal, depth, point))
}

/// A rectangle and a shape of one point, in either order.
#[derive(Clone, Copy)]
pub(super) struct WithRectangle {
    /// The rectangle's number in the pair.
    of: usize,
    half: DVec2,
    /// The point in the rectangle's frame.
    point: DVec2,
    /// How far the point is beyond the sides, along both axes.
    beyond: DVec2,
}

impl WithRectangle {
    #[inline(always)]
    pub(super) fn new(pair: &Pair<'_>) -> Option<Self> {
        let of = usize::from(pair.parts[0].convex.as_point().is_some());
        let (half, point) = (pair.parts[of].convex.as_rectangle()?, pair.parts[1 - of].convex.as_point()?);
        let point = pair.other_in[of].apply(point);
        Some(Self { of, half, point, beyond: point.abs() - half })
    }

    /// The signed distance of the point from the rectangle.
    #[inline(always)]
    pub(super) fn distance(&self) -> f64 {
        let outside = self.beyond.max(DVec2::ZERO);
        let (square, largest) = (outside.x * outside.x + outside.y * outside.y, outside.max_element());
        // Inside there is nothing to root; tiny squares underflow.
        let length = if (square >= 1e-280) | (largest == 0.0) { sqrt(square) } else { length_and_direction(outside, DVec2::X).0 };
        length + self.beyond.max_element().min(0.0)
    }

    /// The deciding features: a corner where the point is beyond both sides, else the edge that it is farthest in front of.
    #[inline(always)]
    pub(super) fn features(&self, pair: &Pair<'_>) -> Features {
        if self.beyond.min_element() > pair.slack() {
            // Corners count from the lower left one counter-clockwise.
            let (left, below) = (usize::from(self.point.x < 0.0), usize::from(self.point.y < 0.0));
            let corner = if below == 1 { 1 - left } else { 2 + left };
            return Features::Corners(if self.of == 0 { [corner, 0] } else { [0, corner] });
        }
        Features::Face { of: self.of, edge: of_rectangle(self.half, self.point, DVec2::ZERO).edge, corner: 0 }
    }
}
