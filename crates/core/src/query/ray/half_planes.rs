//! Clips a ray by the edge lines of a polygon, in the polygon's frame.
//!
//! Input: a polygon, the start and the displacement of the ray. Output: the latest entry and the
//! earliest exit with their edges, and distances that prove a miss. Source: Cyrus and Beck 1978.
//!
//! ```text
//! for each edge: height = normal · start − offset; change = normal · displacement; time = −height / change
//!     change < 0:  enter = max(enter, time)
//!     change > 0:  exit = min(exit, time)
//! ```
//!
//! Four edges are computed per step. Which edges are crossed is unpredictable, so selections
//! replace the branches. Edges that are almost parallel to the ray are not crossed.

use glam::DVec2;

use crate::math::vector::cross;
use crate::query::support::lower;
use crate::shape::convex::Convex;

/// Result of clipping a ray by all edge lines.
pub(super) struct HalfPlaneClip {
    /// Largest distance of both ray ends in front of one edge.
    pub(super) both_ends: f64,
    /// Largest distance of the ray's start in front of an edge. Negative if inside.
    pub(super) start: f64,
    /// Time of the latest entry through an edge line, and the edge.
    pub(super) enter: (f64, Option<usize>),
    /// Time of the earliest exit through an edge line, and the edge.
    pub(super) exit: (f64, Option<usize>),
}

impl HalfPlaneClip {
    /// Clips the ray. Edges with a height change of at most `flat` along the ray are not crossed.
    #[inline(always)]
    pub(super) fn of(convex: &Convex, from: DVec2, displacement: DVec2, flat: f64) -> Self {
        let (mut both_ends, mut start) = ([f64::NEG_INFINITY; 4], [f64::NEG_INFINITY; 4]);
        let (mut enter, mut exit) = ((f64::NEG_INFINITY, usize::MAX), (f64::INFINITY, usize::MAX));
        for (block, first) in convex.blocks().as_slice().iter().zip((0..).step_by(4)) {
            let height: [f64; 4] = lanes(|l| block.normal_x[l] * from.x + block.normal_y[l] * from.y - block.offset[l]);
            let change: [f64; 4] = lanes(|l| block.normal_x[l] * displacement.x + block.normal_y[l] * displacement.y);
            start = lanes(|l| start[l].max(height[l]));
            both_ends = lanes(|l| both_ends[l].max(height[l].min(height[l] + change[l])));
            // Selections instead of branches: the crossed edges are unpredictable.
            let time: [f64; 4] = lanes(|l| -height[l] / change[l]);
            let into: [f64; 4] = lanes(|l| if change[l] < -flat { time[l] } else { f64::NEG_INFINITY });
            let out: [f64; 4] = lanes(|l| if change[l] > flat { time[l] } else { f64::INFINITY });
            let into = lanes(|l| (into[l], first + l));
            let out = lanes(|l| (out[l], first + l));
            enter = later(enter, best_of(into, later));
            exit = lower(exit, best_of(out, lower));
        }
        let (both_ends, start) = (best_of(both_ends, f64::max), best_of(start, f64::max));
        let number = |(time, edge): (f64, usize)| (time, (edge != usize::MAX).then_some(edge));
        Self { both_ends, start, enter: number(enter), exit: number(exit) }
    }
}

/// Computes the values of four lanes. `array::from_fn` would do the same, but slows down compilation.
#[inline(always)]
fn lanes<T>(value: impl Fn(usize) -> T) -> [T; 4] {
    [value(0), value(1), value(2), value(3)]
}

/// Returns the later of two times with their edges. Tie: the first.
#[inline(always)]
fn later(s: (f64, usize), t: (f64, usize)) -> (f64, usize) {
    let second = t.0 > s.0;
    (if second { t.0 } else { s.0 }, if second { t.1 } else { s.1 })
}

/// Combines four values by a function that returns the better of two.
#[inline(always)]
fn best_of<T>([p, q, r, s]: [T; 4], better: impl Fn(T, T) -> T) -> T {
    better(better(p, q), better(r, s))
}

/// Returns the largest distance of a point in front of an edge.
#[inline(always)]
pub(super) fn highest_at(convex: &Convex, point: DVec2) -> f64 {
    let mut highest = [f64::NEG_INFINITY; 4];
    for block in convex.blocks().as_slice() {
        for (l, highest) in highest.iter_mut().enumerate() {
            *highest = highest.max(block.normal_x[l] * point.x + block.normal_y[l] * point.y - block.offset[l]);
        }
    }
    best_of(highest, f64::max)
}

/// Returns the minimum and maximum distance of the polygon to the left of a line, times the length
/// of the direction.
#[inline(always)]
pub(super) fn ahead(convex: &Convex, from: DVec2, displacement: DVec2) -> (f64, f64) {
    let heights = (0..convex.hull_vertex_count()).map(|i| cross(displacement, convex.hull_vertex(i) - from));
    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
}
