//! Computes exact intervals of a segment inside convex polygons.
//!
//! Input: a segment and hulls. Output: intervals, each with two positions on the segment. The
//! simple version computes the ends as numbers in 0 ..= 1:
//!
//! ```text
//! for each edge of the hull: time = height of the start / (height of the start − height of the end)
//! interval = from the latest entry to the earliest exit
//! ```
//!
//! Two parts with a common edge then give ends that differ by rounding, and the union has a gap or
//! an overlap there. So a position on the segment p → q is stored as the points that define it. The
//! crossing with a line is a quotient of two integers of degree 2. Two quotients are compared with
//! degree 4, after a floating-point filter. So adjacent intervals leave no gap, and no position is
//! rounded.

use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater, Less};

use glam::DVec2;

use crate::decompose::hull::hull_of;
use crate::math::aabb::Aabb;
use crate::math::big_int::{self, BigInt, BitRange, Number, difference};
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::{is_opposite, orientation};
use crate::math::ring::edges;
use crate::math::sort::sort_cold;
use crate::math::vector::{UNIT_ROUNDOFF, clamp_to_length, cross, length_and_direction};
use crate::shape::part::Part;

/// Bits that coordinates may span for the short integers: degree 4 of differences, in 8 limbs.
const SHORT: i32 = 122;

/// A position on a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::query) enum SegmentParam {
    /// Crossing with the line through two points.
    OnLine(DVec2, DVec2),
    /// A point on the line of the segment.
    At(DVec2),
}

/// A closed interval between two positions.
pub(in crate::query) type SubSegment = [SegmentParam; 2];

/// A segment with two different ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct Segment {
    /// The first end.
    pub(in crate::query) p: DVec2,
    /// The second end.
    pub(in crate::query) q: DVec2,
}

/// Returns the exact hull of a part's placed points, counter-clockwise.
pub(in crate::query) fn placed_hull(part: Part<'_>) -> Vec<DVec2> {
    hull_points(&mapped(part.convex.points(), |&p| part.pose.transform_point(p)))
}

/// Returns the vertices of the exact hull of some points, counter-clockwise.
pub(in crate::query) fn hull_points(points: &[DVec2]) -> Vec<DVec2> {
    mapped(&hull_of(points), |&i| points[i as usize])
}

impl Segment {
    /// Returns the interval from the first end to the second.
    pub(in crate::query) fn whole(&self) -> SubSegment {
        both([self.p, self.q], SegmentParam::At)
    }

    /// Returns the box of the segment.
    pub(in crate::query) fn aabb(&self) -> Aabb {
        Aabb::of_points(&[self.p, self.q])
    }

    /// Returns the interval of the segment inside a hull.
    pub(in crate::query) fn within(&self, hull: &[DVec2]) -> Option<SubSegment> {
        match *hull {
            [] => None,
            [a] => self.within_segment(a, a),
            [a, b] => self.within_segment(a, b),
            _ => self.within_polygon(hull),
        }
    }

    /// Clips the segment by the edges of a hull with area.
    fn within_polygon(&self, hull: &[DVec2]) -> Option<SubSegment> {
        let [start, end] = self.whole();
        let [mut enter, mut leave] = [start, end];
        for [c, d] in edges(hull) {
            match (orientation(c, d, self.p), orientation(c, d, self.q)) {
                (Less, Less) => return None,
                (Less, Equal) => enter = end,
                (Less, Greater) => enter = self.later(enter, SegmentParam::OnLine(c, d)),
                (Equal, Less) => leave = start,
                (Greater, Less) => leave = self.earlier(leave, SegmentParam::OnLine(c, d)),
                _ => {}
            }
        }
        (self.compare(enter, leave) != Greater).then_some([enter, leave])
    }

    /// Intersects the segment with another one, which may be a point.
    fn within_segment(&self, a: DVec2, b: DVec2) -> Option<SubSegment> {
        let sides = [orientation(self.p, self.q, a), orientation(self.p, self.q, b)];
        if sides == [Equal; 2] {
            let ([start, end], [a, b]) = (self.whole(), both([a, b], SegmentParam::At));
            let (enter, leave) = (self.later(start, self.earlier(a, b)), self.earlier(end, self.later(a, b)));
            return (self.compare(enter, leave) != Greater).then_some([enter, leave]);
        }
        let of_ends = [orientation(a, b, self.p), orientation(a, b, self.q)];
        let crosses = sides[0] != sides[1] && of_ends[0] != of_ends[1];
        crosses.then_some([SegmentParam::OnLine(a, b); 2])
    }

    /// Returns the later of two positions.
    pub(in crate::query) fn later(&self, s: SegmentParam, t: SegmentParam) -> SegmentParam {
        if self.compare(s, t) == Less { t } else { s }
    }

    /// Returns the earlier of two positions.
    pub(in crate::query) fn earlier(&self, s: SegmentParam, t: SegmentParam) -> SegmentParam {
        if self.compare(s, t) == Greater { t } else { s }
    }

    /// Orders two positions along the segment.
    pub(in crate::query) fn compare(&self, s: SegmentParam, t: SegmentParam) -> Ordering {
        if s == t {
            return Equal;
        }
        let ([m, of_m], [a, of_a]) = self.approximate(s);
        let ([n, of_n], [b, of_b]) = self.approximate(t);
        // Compares m / a with n / b by products of numbers with error bounds.
        let difference = m * b - n * a;
        let bound = of_m * b.abs()
            + m.abs() * of_b
            + of_n * a.abs()
            + n.abs() * of_a
            + 4.0 * UNIT_ROUNDOFF * (m * b).abs()
            + 4.0 * UNIT_ROUNDOFF * (n * a).abs();
        if difference.abs() > 1.01 * bound + 1e-290 && a.abs() > of_a && b.abs() > of_b {
            let sign = if (a < 0.0) == (b < 0.0) { 1.0 } else { -1.0 };
            return (sign * difference).sign();
        }
        self.compare_exactly(s, t)
    }

    /// Returns a position on the segment, rounded.
    pub(in crate::query) fn at(&self, position: SegmentParam) -> DVec2 {
        if let SegmentParam::At(point) = position {
            return point;
        }
        let ([m, _], [a, _]) = self.approximate(position);
        let fraction = (m / a).clamp(0.0, 1.0);
        self.p + (self.q - self.p) * if fraction.is_nan() { 0.0 } else { fraction }
    }

    /// Returns an input point at a position on the segment, if one defines the position.
    pub(in crate::query) fn point_at(&self, position: SegmentParam) -> Option<DVec2> {
        match position {
            SegmentParam::At(point) => Some(point),
            SegmentParam::OnLine(c, d) => [c, d].into_iter().find(|&end| orientation(self.p, self.q, end) == Equal),
        }
    }

    /// Returns numerator and denominator of a position, each with an error bound.
    fn approximate(&self, position: SegmentParam) -> ([f64; 2], [f64; 2]) {
        let (p, q) = (self.p, self.q);
        let area =
            |u: DVec2, v: DVec2| [cross(u, v), 4.0 * UNIT_ROUNDOFF * ((u.x * v.y).abs() + (u.y * v.x).abs()) + 1e-300];
        let difference = |x: f64, y: f64| [x - y, UNIT_ROUNDOFF * (x - y).abs()];
        match position {
            SegmentParam::OnLine(c, d) => (area(c - p, d - c), area(q - p, d - c)),
            SegmentParam::At(x) if self.is_longer_along_x() => (difference(x.x, p.x), difference(q.x, p.x)),
            SegmentParam::At(x) => (difference(x.y, p.y), difference(q.y, p.y)),
        }
    }

    /// Returns true if the segment is longer along x than along y.
    fn is_longer_along_x(&self) -> bool {
        (self.q.x - self.p.x).abs() >= (self.q.y - self.p.y).abs()
    }

    /// Compares two positions with integers.
    #[cold]
    fn compare_exactly(&self, s: SegmentParam, t: SegmentParam) -> Ordering {
        let points = |position: SegmentParam| match position {
            SegmentParam::OnLine(c, d) => [c, d],
            SegmentParam::At(x) => [x, x],
        };
        let mut range = BitRange::EMPTY;
        range.include_points([[self.p, self.q], points(s), points(t)].as_flattened());
        if range.width() <= SHORT {
            self.compare_in::<8>(s, t, range.unit())
        } else {
            self.compare_in::<75>(s, t, range.unit())
        }
    }

    /// Compares two positions with integers of `N` limbs.
    fn compare_in<const N: usize>(&self, s: SegmentParam, t: SegmentParam, unit: i32) -> Ordering {
        let ([m, a], [n, b]) = (self.exact::<N>(s, unit), self.exact::<N>(t, unit));
        let order = m.multiply(&b).subtract(&n.multiply(&a)).sign();
        if a.sign() == b.sign() { order } else { order.reverse() }
    }

    /// Returns numerator and denominator of a position as integers.
    fn exact<const N: usize>(&self, position: SegmentParam, unit: i32) -> [BigInt<N>; 2] {
        let (p, q) = (self.p, self.q);
        let from_p = |x: DVec2| difference(x, p, unit);
        match position {
            SegmentParam::OnLine(c, d) => {
                let along = difference(d, c, unit);
                both([c, q], |x| big_int::cross(&from_p(x), &along))
            }
            SegmentParam::At(x) => {
                let axis = usize::from(!self.is_longer_along_x());
                both([x, q], |x| from_p(x)[axis])
            }
        }
    }

    /// Returns the intervals between two positions that none of some intervals covers, ends
    /// included.
    pub(in crate::query) fn uncovered(&self, [from, to]: SubSegment, mut covers: Vec<SubSegment>) -> Vec<SubSegment> {
        sort_cold(&mut covers, |s, t| self.compare(s[0], t[0]));
        let (mut at, mut gaps) = (from, Vec::new());
        for [first, last] in covers {
            let reached = self.earlier(first, to);
            if self.compare(at, reached) == Less {
                gaps.push([at, reached]);
            }
            at = self.later(at, last);
        }
        if self.compare(at, to) == Less {
            gaps.push([at, to]);
        }
        gaps
    }
}

/// Returns true if a hull extends to the right of the line from `p` to `q`.
pub(in crate::query) fn extends_right_of(hull: &[DVec2], p: DVec2, q: DVec2) -> bool {
    hull.iter().any(|&vertex| orientation(p, q, vertex) == Less)
}

/// Returns true if polygons that contain a point together contain its neighborhood. Exact.
///
/// Each polygon fills a sector of less than a full turn. The sectors surround the point if the end
/// of each lies in another sector.
pub(in crate::query) fn surrounded(point: DVec2, hulls: &[&[DVec2]]) -> bool {
    let mut sectors: Vec<[DVec2; 2]> = Vec::new();
    for hull in hulls {
        match sector(point, hull) {
            PolygonSector::None => {}
            PolygonSector::All => return true,
            PolygonSector::Between(ends) => sectors.push(ends),
        }
    }
    let continues = |end: DVec2| {
        let is_inside = |&[first, last]: &[DVec2; 2]| {
            same_direction(point, first, end)
                || (orientation(point, first, end) == Greater && orientation(point, end, last) == Greater)
        };
        sectors.iter().any(is_inside)
    };
    !sectors.is_empty() && sectors.iter().all(|&[_, last]| continues(last))
}

/// Returns the point of a segment closest to a point.
pub(in crate::query) fn foot(p: DVec2, q: DVec2, point: DVec2) -> DVec2 {
    let (long, along) = length_and_direction(q - p, DVec2::X);
    p + along * clamp_to_length(along.dot(point - p), long)
}

/// Returns true if `p` and `q` lie in the same direction from a point. `p` must not be the point.
pub(in crate::query) fn same_direction(at: DVec2, p: DVec2, q: DVec2) -> bool {
    p == q || (q != at && orientation(at, p, q) == Equal && !is_opposite(at, p, q))
}

/// The sector that a polygon fills around a point: counter-clockwise from the direction of one
/// point to the direction of another.
enum PolygonSector {
    /// The point is outside.
    None,
    /// The point is inside.
    All,
    /// The point is on the boundary.
    Between([DVec2; 2]),
}

/// Returns the sector that a hull fills around a point; none if the hull has no area. Exact.
fn sector(point: DVec2, hull: &[DVec2]) -> PolygonSector {
    let n = hull.len();
    if n < 3 {
        return PolygonSector::None;
    }
    if let Some(i) = hull.iter().position(|&vertex| vertex == point) {
        return PolygonSector::Between([hull[(i + 1) % n], hull[(i + n - 1) % n]]);
    }
    let mut all = PolygonSector::All;
    for [c, d] in edges(hull) {
        match orientation(c, d, point) {
            Less => return PolygonSector::None,
            Equal => all = PolygonSector::Between([d, c]),
            Greater => {}
        }
    }
    all
}
