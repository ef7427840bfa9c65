//! The edge lines of a polygon, seen from a ray in the polygon's own frame: how high it is before each, and where it goes through.

use glam::DVec2;

use crate::math::vector::cross;
use crate::shape::convex::Convex;

/// What of the edge lines matters for a ray.
pub(super) struct Walls {
    /// The farthest that both ends of the ray are in front of one edge.
    pub(super) both_ends: f64,
    /// The farthest that its start is in front of an edge: negative inside.
    pub(super) start: f64,
    /// The last time that it goes in through an edge line, and the edge.
    pub(super) enter: (f64, Option<usize>),
    /// The first time that it goes out through an edge line, and the edge.
    pub(super) exit: (f64, Option<usize>),
}

impl Walls {
    /// Edges before which the height changes by no more than `flat` are not gone through.
    #[inline(always)]
    pub(super) fn of(convex: &Convex, from: DVec2, way: DVec2, flat: f64) -> Self {
        let (mut both_ends, mut start) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (mut enter, mut exit) = ((f64::NEG_INFINITY, usize::MAX), (f64::INFINITY, usize::MAX));
        for (i, block) in convex.blocks().as_slice().iter().enumerate() {
            let height: [f64; 4] = core::array::from_fn(|l| block.normal_x[l] * from.x + block.normal_y[l] * from.y - block.offset[l]);
            let change: [f64; 4] = core::array::from_fn(|l| block.normal_x[l] * way.x + block.normal_y[l] * way.y);
            let time: [f64; 4] = core::array::from_fn(|l| -height[l] / change[l]);
            for l in 0..4 {
                start = start.max(height[l]);
                both_ends = both_ends.max(height[l].min(height[l] + change[l]));
                if change[l] < -flat && time[l] > enter.0 {
                    enter = (time[l], 4 * i + l);
                }
                if change[l] > flat && time[l] < exit.0 {
                    exit = (time[l], 4 * i + l);
                }
            }
        }
        let number = |(time, edge): (f64, usize)| (time, (edge != usize::MAX).then_some(edge));
        Self { both_ends, start, enter: number(enter), exit: number(exit) }
    }
}

/// The farthest that a point is in front of an edge.
#[inline(always)]
pub(super) fn highest_at(convex: &Convex, point: DVec2) -> f64 {
    let mut highest = [f64::NEG_INFINITY; 4];
    for block in convex.blocks().as_slice() {
        for (l, highest) in highest.iter_mut().enumerate() {
            *highest = highest.max(block.normal_x[l] * point.x + block.normal_y[l] * point.y - block.offset[l]);
        }
    }
    highest[0].max(highest[1]).max(highest[2].max(highest[3]))
}

/// How far the polygon lies to the left of a line, at the least and at the most, times the length of `way`.
#[inline(always)]
pub(super) fn ahead(convex: &Convex, from: DVec2, way: DVec2) -> (f64, f64) {
    let heights = (0..convex.corner_count()).map(|i| cross(way, convex.corner(i) - from));
    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
}
