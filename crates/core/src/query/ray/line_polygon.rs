//! The line of a ray through a polygon of many corners, found without looking at them all.
//!
//! The corners farthest to the right and to the left of the line part the outline in two chains. Along each the corners come nearer to the other side one after another, so the edge
//! that crosses the line is found by bisection; counter-clockwise from the rightmost corner it is the one through which the line leaves (O'Rourke 1998, 7.9).

use glam::DVec2;

use crate::math::vector::{cross, norm1};
use crate::query::support::support_vertex;
use crate::shape::convex::Convex;

/// Where a line crosses a polygon, in the polygon's own frame.
pub(super) struct LinePolygon<'a> {
    convex: &'a Convex,
    rightmost: usize,
    leftmost: usize,
    /// The edge through which it comes in.
    pub(super) enter: usize,
    /// The edge through which it goes out.
    pub(super) exit: usize,
}

impl<'a> LinePolygon<'a> {
    pub(super) fn of(convex: &'a Convex, from: DVec2, way: DVec2) -> Self {
        let left = DVec2::new(-way.y, way.x);
        let (rightmost, leftmost) = (support_vertex(convex, left), support_vertex(convex, -left));
        let count = convex.hull_vertex_count();
        // The last corner of a chain that is not yet across the line; its edge crosses it.
        let across = |first: usize, last: usize, sign: f64| {
            let number = |steps: usize| if first + steps < count { first + steps } else { first + steps - count };
            let (mut low, mut high) = (0, if last >= first { last - first } else { last + count - first });
            while low + 1 < high {
                let middle = usize::midpoint(low, high);
                let over = sign * left.dot(convex.hull_vertex(number(middle)) - from) >= 0.0;
                (low, high) = if over { (low, middle) } else { (middle, high) };
            }
            number(low)
        };
        Self {
            convex,
            rightmost,
            leftmost,
            enter: across(leftmost, rightmost, -1.0),
            exit: across(rightmost, leftmost, 1.0),
        }
    }

    /// How far a point is in front of an edge.
    pub(super) fn height(&self, edge: usize, point: DVec2) -> f64 {
        self.convex.normal(edge).dot(point - self.convex.hull_vertex(edge))
    }

    /// Does the ray surely pass by: on one side, or with both ends in front of one edge?
    pub(super) fn misses(&self, from: DVec2, way: DVec2, doubt: f64) -> bool {
        let enough = doubt * norm1(way);
        let side = |corner: usize| cross(way, self.convex.hull_vertex(corner) - from);
        let before = |edge: usize| self.height(edge, from).min(self.height(edge, from + way)) > doubt;
        side(self.rightmost) > enough || side(self.leftmost) < -enough || before(self.enter) || before(self.exit)
    }

    /// Is the middle of what the ray has of the chord surely inside?
    pub(super) fn surely_meets(&self, from: DVec2, way: DVec2, doubt: f64) -> bool {
        let time = |edge: usize| -self.height(edge, from) / self.convex.normal(edge).dot(way);
        let middle = 0.5 * (time(self.enter).max(0.0) + time(self.exit).min(1.0));
        (0.0..=1.0).contains(&middle) && self.surely_holds(from + way * middle, doubt)
    }

    /// Does the hull of six corners hold the point, beyond doubt?
    pub(super) fn surely_holds(&self, point: DVec2, doubt: f64) -> bool {
        let next = |edge: usize| self.convex.next(edge);
        let corners = [self.rightmost, self.exit, next(self.exit), self.leftmost, self.enter, next(self.enter)]
            .map(|i| self.convex.hull_vertex(i));
        (0..6).all(|i| {
            let (p, q) = (corners[i], corners[(i + 1) % 6]);
            // Two of them may be one corner.
            p == q || cross(q - p, point - p) > doubt * norm1(q - p)
        })
    }
}
