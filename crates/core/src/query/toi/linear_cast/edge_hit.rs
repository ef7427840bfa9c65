//! Computes the contact of a vertex of one shape and an edge of the other at the time of entry.
//!
//! Input: the edge of the last entry, the lowest vertex over it, and the displacement until then.
//! Output: the contact point, or none if the vertex does not project onto the edge.
//!
//! The lowest vertex alone does not suffice if an edge of the other shape is parallel: either of
//! its ends may be the lowest. If the found one lies beyond the edge, the next vertex toward the
//! edge must be as low. It must not lie beyond the same end.

use glam::DVec2;

use crate::query::pair::{ErrorBounds, Relative};
use crate::shape::convex::{Convex, VertexBlock4};

/// The edge that the motion enters through, and the other shape at that time.
#[derive(Clone, Copy)]
pub(super) struct EdgeHit<'a> {
    /// Edges of the shape with the edge.
    pub(super) own: &'a [VertexBlock4],
    /// Vertices of the other shape.
    pub(super) other: &'a [VertexBlock4],
    /// Index of the edge.
    pub(super) edge: usize,
    /// Position of the other shape at the start, in the frame of the edge.
    pub(super) pose: Relative,
    /// Displacement of the other shape since then.
    pub(super) moved: DVec2,
}

impl EdgeHit<'_> {
    /// Returns the start of the edge.
    #[inline(always)]
    fn start(&self) -> DVec2 {
        vertex(self.own, self.edge)
    }

    /// Returns the outward unit normal in the frame of the shape.
    #[inline(always)]
    pub(super) fn normal(&self) -> DVec2 {
        let block = &self.own[self.edge / 4];
        DVec2::new(block.normal_x[self.edge % 4], block.normal_y[self.edge % 4])
    }

    /// Returns the unit vector along the edge.
    #[inline(always)]
    fn tangent(&self) -> DVec2 {
        self.normal().perp()
    }

    /// Returns a vertex of the other shape relative to the start of the edge.
    #[inline(always)]
    fn vertex_at_hit(&self, i: usize) -> DVec2 {
        self.pose.apply(vertex(self.other, i)) + (self.moved - self.start())
    }

    /// Returns the position of a vertex of the other shape along the edge and over it, and the
    /// length of the edge.
    #[inline(always)]
    fn position_over_edge(&self, lowest: usize) -> (DVec2, f64) {
        // Blocks are padded with the first vertex.
        let next = if self.edge + 1 < 4 * self.own.len() { self.edge + 1 } else { 0 };
        let (at, tangent) = (self.vertex_at_hit(lowest), self.tangent());
        (DVec2::new(tangent.dot(at), self.normal().dot(at)), tangent.dot(vertex(self.own, next) - self.start()))
    }

    /// Returns the contact of the lowest vertex of the other shape with the surface of the first,
    /// in the frame of the edge. `None` if the vertex does not project onto the edge, or if the
    /// edge is too short.
    #[inline(always)]
    pub(super) fn contact(
        &self,
        lowest: usize,
        other: &Convex,
        rounding: &ErrorBounds,
        on_a: impl Fn(f64) -> f64,
    ) -> Option<DVec2> {
        let ((at, length), tolerance) = (self.position_over_edge(lowest), rounding.position());
        let is_short = rounding.separation() > 5e-9 * length;
        // Three rare conditions in one branch.
        if (is_short | (at.x < -tolerance) | (at.x > length + tolerance))
            && (is_short || !self.touches_beside(lowest, other, tolerance))
        {
            return None;
        }
        let along = if length < at.x { length } else { at.x };
        Some(self.start() + self.tangent() * (if along > 0.0 { along } else { 0.0 }) + self.normal() * on_a(at.y))
    }

    /// Handles parallel edges: either vertex may be the lowest. If it does not project onto the
    /// edge, the other end must be as low and lie beyond this end of the edge.
    #[cold]
    #[inline(never)]
    fn touches_beside(self, lowest: usize, other: &Convex, tolerance: f64) -> bool {
        let ((at, length), tangent) = (self.position_over_edge(lowest), self.tangent());
        let behind = at.x > length;
        let next = self.vertex_at_hit(if behind { other.next(lowest) } else { other.previous(lowest) });
        let beyond = if behind { tangent.dot(next) > length } else { tangent.dot(next) < 0.0 };
        !beyond && self.normal().dot(next - self.vertex_at_hit(lowest)) <= tolerance
    }
}

/// Returns a vertex by index.
#[inline(always)]
fn vertex(blocks: &[VertexBlock4], i: usize) -> DVec2 {
    DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4])
}
