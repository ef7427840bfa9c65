//! The corners and edges of a shape, whichever kind it is of.

use super::pool::{Names, Octagon, Size};

/// Corners counter-clockwise, and the edges that begin at them.
pub(super) trait Outline {
    fn corner(&self, i: usize) -> [f64; 2];
    /// The unit outward normal of the edge that begins at a corner.
    fn normal(&self, i: usize) -> [f64; 2];
    fn count(&self) -> usize;
    fn radius(&self) -> f64;
    fn reach(&self) -> f64;

    /// The corner after `i`.
    #[inline(always)]
    fn next(&self, i: usize) -> usize {
        core::hint::select_unpredictable(i + 1 == self.count(), 0, i + 1)
    }

    /// The corner before `i`.
    #[inline(always)]
    fn previous(&self, i: usize) -> usize {
        core::hint::select_unpredictable(i == 0, self.count(), i) - 1
    }
}

/// The names of a rectangle's corners and edges.
pub(super) const OF_RECTANGLE: Names = Names { vertices: [0, 1, 2, 3, 0, 0, 0, 0], edges: [0, 1, 2, 3, 0, 0, 0, 0] };

/// A polygon of up to eight corners.
pub(super) struct Polygon<'a> {
    pub(super) octagon: &'a Octagon,
    pub(super) size: &'a Size,
    pub(super) count: u8,
}

impl Outline for Polygon<'_> {
    #[inline(always)]
    fn corner(&self, i: usize) -> [f64; 2] {
        [self.octagon.x[i % 8], self.octagon.y[i % 8]]
    }

    #[inline(always)]
    fn normal(&self, i: usize) -> [f64; 2] {
        [self.octagon.normal_x[i % 8], self.octagon.normal_y[i % 8]]
    }

    #[inline(always)]
    fn count(&self) -> usize {
        usize::from(self.count)
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.size.radius
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        self.size.reach
    }
}
