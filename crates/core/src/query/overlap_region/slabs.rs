//! Computes the intersection of two convex polygons by slabs (Shamos and Hoey 1976).
//!
//! Input: the points of both polygons. Output: the hull vertices of the intersection,
//! counter-clockwise. The simple version clips one polygon by each edge of the other (Sutherland
//! and Hodgman 1974):
//!
//! ```text
//! for each edge of the second polygon: cut off the part of the first one to its right
//! ```
//!
//! It takes the product of the vertex counts, and it interpolates points that are interpolated
//! already. Here the lines x = const through all hull vertices cut both polygons into slabs. Inside
//! a slab each polygon is bounded by one lower and one upper edge. The intersection lies between
//! the higher lower edge and the lower upper edge.
//!
//! ```text
//! split each hull into a lower and an upper chain, both from left to right
//! xs = sorted x of all hull vertices in the common x interval
//! for each x in xs:
//!     add a mark for each crossing of the two lower or the two upper edges since the previous x
//!     add a mark at x: lower = max of both lower chains, upper = min of both upper chains;
//!         the boundary bends there at a vertex, and where two edges cross exactly at x
//! output the lower ends of the marks from left to right, then the upper ends from right to left,
//!     only if lower <= upper and the boundary can bend there
//! ```
//!
//! After the hulls and the sort of `xs`, the time is linear in the vertex count. Only interpolation
//! is used, never extrapolation: each output vertex lies between the ends of the edges that define
//! it.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::sort::sort_numbers;
use crate::query::union_boundary::sub_segment::hull_points;

/// The lower and the upper chain of a convex polygon, as hull vertices from left to right.
///
/// The x coordinates of a chain are strictly increasing.
struct Chains([Vec<DVec2>; 2]);

impl Chains {
    /// Returns the chains of the hull of `points`, or `None` if the hull has no area.
    fn of(points: &[DVec2]) -> Option<Self> {
        let hull = hull_points(points);
        if hull.len() < 3 {
            return None;
        }
        let is_before = |p: DVec2, q: DVec2| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).is_lt();
        let (mut first, mut last) = (0, 0);
        for (i, &point) in hull.iter().enumerate() {
            first = if is_before(point, hull[first]) { i } else { first };
            last = if is_before(point, hull[last]) { last } else { i };
        }
        let chain = |from: usize, to: usize| {
            let count = (to + hull.len() - from) % hull.len() + 1;
            mapped(0..count, |k| hull[(from + k) % hull.len()])
        };
        let (mut lower, mut upper) = (chain(first, last), chain(last, first));
        // Vertical edges: the lower chain keeps the lower end, the upper chain keeps the upper end.
        lower.dedup_by(|next, own| next.x == own.x);
        upper.dedup_by(|next, own| next.x == own.x);
        upper.reverse();
        Some(Self([lower, upper]))
    }

    /// Returns the interval [min, max] of the polygon along x.
    fn span(&self) -> [f64; 2] {
        let lower = &self.0[0];
        [lower[0].x, lower[lower.len() - 1].x]
    }
}

/// A cursor that evaluates a chain at increasing x.
struct ChainCursor<'a> {
    /// The chain.
    points: &'a [DVec2],
    /// Index of the last vertex not to the right of the last x.
    at: usize,
}

impl ChainCursor<'_> {
    /// Returns the y of the chain at `x`, and true if the chain has a vertex there.
    ///
    /// `x` must not be less than in the previous call.
    fn height(&mut self, x: f64) -> (f64, bool) {
        while self.at + 1 < self.points.len() && self.points[self.at + 1].x <= x {
            self.at += 1;
        }
        let p = self.points[self.at];
        if p.x == x || self.at + 1 == self.points.len() {
            return (p.y, true);
        }
        let q = self.points[self.at + 1];
        (p.y + (q.y - p.y) * ((x - p.x) / (q.x - p.x)), false)
    }
}

/// Both polygons at one x. Index 0 is the lower chains, index 1 the upper chains; the second index is the polygon.
struct CrossSection {
    /// The x of the cut.
    x: f64,
    /// The y of each chain.
    heights: [[f64; 2]; 2],
    /// True if the chain has a vertex at this x.
    is_vertex: [[bool; 2]; 2],
}

/// The intersection at one x: the y of its lower and upper boundary, and whether each boundary bends there.
#[derive(Clone, Copy)]
struct Mark {
    /// The x of the mark.
    x: f64,
    /// The y of the lower and of the upper boundary.
    ends: [f64; 2],
    /// True if the boundary bends there.
    bends: [bool; 2],
}

impl Mark {
    /// Returns the height of the intersection.
    fn height(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }
}

/// Returns the intersection of the hulls of `a` and `b`, counter-clockwise.
///
/// The result is empty if a hull has no area, or if nothing is left after rounding.
pub(super) fn intersection(a: &[DVec2], b: &[DVec2]) -> Vec<DVec2> {
    let (Some(a), Some(b)) = (Chains::of(a), Chains::of(b)) else { return Vec::new() };
    let [left, right] = [a.span()[0].max(b.span()[0]), a.span()[1].min(b.span()[1])];
    let mut xs = Vec::new();
    for chain in [&a.0[0], &a.0[1], &b.0[0], &b.0[1]] {
        xs.append(&mut filter_mapped(chain, |p| (left <= p.x && p.x <= right).then_some(p.x)));
    }
    sort_numbers(&mut xs);
    xs.dedup();
    let mut readers = both([0, 1], |side| both([&a, &b], |chains| ChainCursor { points: &chains.0[side], at: 0 }));
    let mut marks: Vec<Mark> = Vec::with_capacity(2 * xs.len());
    // The last two cuts, and the index of the mark at the last one.
    let (mut earlier, mut before, mut last): (Option<CrossSection>, Option<CrossSection>, usize) = (None, None, 0);
    for x in xs {
        let read = both([0, 1], |side| both([0, 1], |k| readers[side][k].height(x)));
        let cut = CrossSection {
            x,
            heights: both(read, |side| both(side, |(y, _)| y)),
            is_vertex: both(read, |side| both(side, |(_, is_vertex)| is_vertex)),
        };
        if let (Some(earlier), Some(before)) = (&earlier, &before) {
            let bends = both([0, 1], |side| before.is_crossing(side, earlier, &cut));
            marks[last].bends = both([0, 1], |side| marks[last].bends[side] || bends[side]);
        }
        if let Some(before) = &before {
            add_crossings(before, &cut, &mut marks);
        }
        last = marks.len();
        marks.push(cut.mark());
        (earlier, before) = (before, Some(cut));
    }
    if let [first, .., last] = &mut marks[..] {
        (first.bends, last.bends) = ([true; 2], [true; 2]);
    }
    outline(&marks)
}

impl CrossSection {
    /// Returns the intersection at this x.
    fn mark(&self) -> Mark {
        let [[p, q], [r, s]] = self.heights;
        let bends = |side: usize, own: f64| (0..2).any(|k| self.heights[side][k] == own && self.is_vertex[side][k]);
        let ends = [p.max(q), r.min(s)];
        Mark { x: self.x, ends, bends: [bends(0, ends[0]), bends(1, ends[1])] }
    }

    /// Returns the height of the first polygon's chain above that of the second.
    fn difference(&self, side: usize) -> f64 {
        self.heights[side][0] - self.heights[side][1]
    }

    /// Returns true if two lower or two upper edges cross exactly at this cut.
    fn is_crossing(&self, side: usize, before: &Self, after: &Self) -> bool {
        let [here, there] = [before.difference(side), after.difference(side)];
        self.difference(side) == 0.0 && ((here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0))
    }

    /// Returns the mark at fraction `t` (0 to 1) between this cut and `next`, by linear interpolation.
    fn toward(&self, next: &Self, t: f64, bends: [bool; 2]) -> Mark {
        let between = |p: f64, q: f64| p + (q - p) * t;
        let height = |side: usize, k: usize| between(self.heights[side][k], next.heights[side][k]);
        let ends = [height(0, 0).max(height(0, 1)), height(1, 0).min(height(1, 1))];
        Mark { x: between(self.x, next.x), ends, bends }
    }
}

/// Appends a mark where the two lower edges of a slab cross, and where the two upper edges cross, sorted by x.
fn add_crossings(before: &CrossSection, next: &CrossSection, marks: &mut Vec<Mark>) {
    let times = both([0, 1], |side| {
        let [here, there] = both([before, next], |cut| cut.difference(side));
        ((here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0)).then(|| here / (here - there))
    });
    let first = usize::from(times[1] < times[0]);
    for side in [first, 1 - first] {
        if let Some(time) = times[side] {
            marks.push(before.toward(next, time, [side == 0, side == 1]));
        }
    }
}

/// Returns the vertices of the region between the lower and the upper boundary, counter-clockwise.
///
/// If the boundaries cross between two marks, the crossing is interpolated and becomes a vertex.
fn outline(marks: &[Mark]) -> Vec<DVec2> {
    let (mut lower, mut upper): (Vec<DVec2>, Vec<DVec2>) = (Vec::new(), Vec::new());
    for (i, mark) in marks.iter().enumerate() {
        let height = mark.height();
        if let Some(before) = i.checked_sub(1).map(|i| &marks[i])
            && ((before.height() < 0.0 && height > 0.0) || (before.height() > 0.0 && height < 0.0))
        {
            let t = before.height() / (before.height() - height);
            lower.push(DVec2::new(
                before.x + (mark.x - before.x) * t,
                before.ends[0] + (mark.ends[0] - before.ends[0]) * t,
            ));
        }
        if height < 0.0 {
            continue;
        }
        if mark.bends[0] || height == 0.0 {
            lower.push(DVec2::new(mark.x, mark.ends[0]));
        }
        if mark.bends[1] && height > 0.0 {
            upper.push(DVec2::new(mark.x, mark.ends[1]));
        }
    }
    upper.reverse();
    lower.append(&mut upper);
    lower.dedup();
    lower
}
