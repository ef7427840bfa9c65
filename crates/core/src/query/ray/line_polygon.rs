//! Intersects the line of a ray with a polygon of many vertices in O(log n) after its extreme
//! vertices are known.
//!
//! Input: a polygon, the start and the displacement of the ray. Output: the edges of entry and
//! exit. Source: O'Rourke 1998, 7.9. Testing each edge, as in `half_planes.rs`, takes O(n).
//!
//! ```text
//! rightmost, leftmost = extreme vertices to the right and to the left of the line   (support function)
//! exit  = edge that crosses the line on the chain from rightmost to leftmost, by bisection
//! enter = the same on the chain from leftmost to rightmost
//! ```
//!
//! Along each chain the vertices approach the other side monotonically, so bisection is correct.
//! Both edges are right up to rounding only. Tests with an error bound prove the miss or the hit.

use glam::DVec2;

use crate::math::vector::{cross, norm1};
use crate::query::support::support_vertex;
use crate::shape::convex::Convex;

/// The crossings of a line and a polygon, in the polygon's frame.
pub(super) struct LinePolygon<'a> {
    /// The polygon.
    convex: &'a Convex,
    /// The vertex farthest to the right of the line.
    rightmost: usize,
    /// The vertex farthest to the left of the line.
    leftmost: usize,
    /// The edge of the entry.
    pub(super) enter: usize,
    /// The edge of the exit.
    pub(super) exit: usize,
}

impl<'a> LinePolygon<'a> {
    /// Finds the edges of entry and exit by bisection.
    pub(super) fn of(convex: &'a Convex, from: DVec2, displacement: DVec2) -> Self {
        let left = DVec2::new(-displacement.y, displacement.x);
        let (rightmost, leftmost) = (support_vertex(convex, left), support_vertex(convex, -left));
        let count = convex.hull_vertex_count();
        // Find the last vertex of a chain before the line. Its edge crosses the line.
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

    /// Returns the distance of a point in front of an edge.
    pub(super) fn height(&self, edge: usize, point: DVec2) -> f64 {
        self.convex.normal(edge).dot(point - self.convex.hull_vertex(edge))
    }

    /// Returns true if the ray certainly misses: the polygon is on one side, or both ends are in
    /// front of one edge.
    pub(super) fn misses(&self, from: DVec2, displacement: DVec2, error_bound: f64) -> bool {
        let enough = error_bound * norm1(displacement);
        let side = |vertex: usize| cross(displacement, self.convex.hull_vertex(vertex) - from);
        let before = |edge: usize| self.height(edge, from).min(self.height(edge, from + displacement)) > error_bound;
        side(self.rightmost) > enough || side(self.leftmost) < -enough || before(self.enter) || before(self.exit)
    }

    /// Returns true if the midpoint of the ray's part inside the polygon is certainly inside.
    pub(super) fn surely_intersects(&self, from: DVec2, displacement: DVec2, error_bound: f64) -> bool {
        let time = |edge: usize| -self.height(edge, from) / self.convex.normal(edge).dot(displacement);
        let middle = 0.5 * (time(self.enter).max(0.0) + time(self.exit).min(1.0));
        (0.0..=1.0).contains(&middle) && self.surely_contains(from + displacement * middle, error_bound)
    }

    /// Returns true if the hull of six vertices certainly contains the point.
    pub(super) fn surely_contains(&self, point: DVec2, error_bound: f64) -> bool {
        let next = |edge: usize| self.convex.next(edge);
        let vertices = [self.rightmost, self.exit, next(self.exit), self.leftmost, self.enter, next(self.enter)]
            .map(|i| self.convex.hull_vertex(i));
        (0..6).all(|i| {
            let (p, q) = (vertices[i], vertices[(i + 1) % 6]);
            // Two of them may be equal.
            p == q || cross(q - p, point - p) > error_bound * norm1(q - p)
        })
    }
}
