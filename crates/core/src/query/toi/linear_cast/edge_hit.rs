//! Where a corner of one shape meets an edge of the other.

use glam::DVec2;

use crate::query::pair::{ErrorBounds, Relative};
use crate::shape::convex::{Convex, VertexBlock4};

/// An edge of one shape, through which the way goes in, and the other shape at that time.
#[derive(Clone, Copy)]
pub(super) struct EdgeHit<'a> {
    pub(super) own: &'a [VertexBlock4],
    pub(super) other: &'a [VertexBlock4],
    pub(super) edge: usize,
    /// Of the other one at the start, in the frame of the edge.
    pub(super) pose: Relative,
    /// How far that has moved since.
    pub(super) moved: DVec2,
}

impl EdgeHit<'_> {
    #[inline(always)]
    fn start(&self) -> DVec2 {
        corner(self.own, self.edge)
    }

    /// Unit, outward, in the frame of the shape.
    #[inline(always)]
    pub(super) fn normal(&self) -> DVec2 {
        let block = &self.own[self.edge / 4];
        DVec2::new(block.normal_x[self.edge % 4], block.normal_y[self.edge % 4])
    }

    #[inline(always)]
    fn tangent(&self) -> DVec2 {
        let normal = self.normal();
        DVec2::new(-normal.y, normal.x)
    }

    /// Where a corner of the other shape is, seen from where the edge starts.
    #[inline(always)]
    fn seen(&self, i: usize) -> DVec2 {
        self.pose.apply(corner(self.other, i)) + (self.moved - self.start())
    }

    /// Where a corner of the other shape is along the edge and over it, and how long the edge is.
    #[inline(always)]
    fn meeting(&self, lowest: usize) -> (DVec2, f64) {
        // Blocks are filled up with the first corner.
        let next = if self.edge + 1 < 4 * self.own.len() { self.edge + 1 } else { 0 };
        let (at, tangent) = (self.seen(lowest), self.tangent());
        (DVec2::new(tangent.dot(at), self.normal().dot(at)), tangent.dot(corner(self.own, next) - self.start()))
    }

    /// Where the lowest corner of the other shape meets the surface of the first one, at a height over the edge that is told by that of the corner, in the frame of the
    /// edge; none where that is beside the edge, or the edge is too short for its place to be told.
    #[inline(always)]
    pub(super) fn contact(
        &self,
        lowest: usize,
        other: &Convex,
        rounding: &ErrorBounds,
        on_a: impl Fn(f64) -> f64,
    ) -> Option<DVec2> {
        let ((at, length), slack) = (self.meeting(lowest), rounding.position());
        let is_short = rounding.separation() > 5e-9 * length;
        // Three that hardly ever happen: one branch.
        if (is_short | (at.x < -slack) | (at.x > length + slack))
            && (is_short || !self.reaches_over(lowest, other, slack))
        {
            return None;
        }
        let along = if length < at.x { length } else { at.x };
        Some(self.start() + self.tangent() * (if along > 0.0 { along } else { 0.0 }) + self.normal() * on_a(at.y))
    }

    /// Of edges that lie on each other any corner may be the lowest; where it is beside the edge, the other end must be as low, and lie beyond this end of the edge.
    #[cold]
    #[inline(never)]
    fn reaches_over(self, lowest: usize, other: &Convex, slack: f64) -> bool {
        let ((at, length), tangent) = (self.meeting(lowest), self.tangent());
        let behind = at.x > length;
        let next = self.seen(if behind { other.next(lowest) } else { other.previous(lowest) });
        let beyond = if behind { tangent.dot(next) > length } else { tangent.dot(next) < 0.0 };
        !beyond && self.normal().dot(next - self.seen(lowest)) <= slack
    }
}

#[inline(always)]
fn corner(blocks: &[VertexBlock4], i: usize) -> DVec2 {
    DVec2::new(blocks[i / 4].x[i % 4], blocks[i / 4].y[i % 4])
}
