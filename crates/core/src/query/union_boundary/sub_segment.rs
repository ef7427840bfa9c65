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
use crate::math::big_int::{BigInt, BitRange, Number};
use crate::math::lists::mapped;
use crate::math::predicates::orientation;
use crate::math::sort::sort_cold;
use crate::math::vector::{UNIT_ROUNDOFF, cross, length_and_direction};
use crate::shape::part::Part;

/// Bits that coordinates may span for the short integers: degree 4 of differences, in 8 limbs.
const SHORT: i32 = 122;

/// A position on a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::query) enum SegmentParam {
    /// The first end, `p`.
    Start,
    /// The second end, `q`.
    End,
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
    /// The whole segment.
    pub(in crate::query) const WHOLE: SubSegment = [SegmentParam::Start, SegmentParam::End];

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
        let [mut enter, mut leave] = Self::WHOLE;
        for (i, &c) in hull.iter().enumerate() {
            let d = hull[(i + 1) % hull.len()];
            match (orientation(c, d, self.p), orientation(c, d, self.q)) {
                (Less, Less) => return None,
                (Less, Equal) => enter = SegmentParam::End,
                (Less, Greater) => enter = self.later(enter, SegmentParam::OnLine(c, d)),
                (Equal, Less) => leave = SegmentParam::Start,
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
            let [first, last] =
                if self.compare(SegmentParam::At(a), SegmentParam::At(b)) == Greater { [b, a] } else { [a, b] };
            let (enter, leave) = (
                self.later(SegmentParam::Start, SegmentParam::At(first)),
                self.earlier(SegmentParam::End, SegmentParam::At(last)),
            );
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

    /// Returns the parameter of a position, 0 to 1, rounded.
    pub(in crate::query) fn fraction(&self, position: SegmentParam) -> f64 {
        let ([m, _], [a, _]) = self.approximate(position);
        let fraction = (m / a).clamp(0.0, 1.0);
        if fraction.is_nan() { 0.0 } else { fraction }
    }

    /// Returns numerator and denominator of a position, each with an error bound.
    fn approximate(&self, position: SegmentParam) -> ([f64; 2], [f64; 2]) {
        let (p, q) = (self.p, self.q);
        let area =
            |u: DVec2, v: DVec2| [cross(u, v), 4.0 * UNIT_ROUNDOFF * ((u.x * v.y).abs() + (u.y * v.x).abs()) + 1e-300];
        let difference = |x: f64, y: f64| [x - y, UNIT_ROUNDOFF * (x - y).abs()];
        match position {
            SegmentParam::Start => ([0.0, 0.0], [1.0, 0.0]),
            SegmentParam::End => ([1.0, 0.0], [1.0, 0.0]),
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
        let mut range = BitRange::EMPTY;
        let points = |position: SegmentParam| match position {
            SegmentParam::Start | SegmentParam::End => [DVec2::ZERO; 2],
            SegmentParam::OnLine(c, d) => [c, d],
            SegmentParam::At(x) => [x, x],
        };
        for p in [[self.p, self.q], points(s), points(t)].as_flattened() {
            range.include(p.x);
            range.include(p.y);
        }
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
        let difference = |x: f64, y: f64| BigInt::<N>::from_f64(x, unit).subtract(&BigInt::from_f64(y, unit));
        let area = |[u, v]: [[BigInt<N>; 2]; 2]| u[0].multiply(&v[1]).subtract(&u[1].multiply(&v[0]));
        let vector = |x: DVec2, y: DVec2| [difference(x.x, y.x), difference(x.y, y.y)];
        let one = BigInt::from_f64(1.0, 0);
        match position {
            SegmentParam::Start => [BigInt::ZERO, one],
            SegmentParam::End => [one, one],
            SegmentParam::OnLine(c, d) => [area([vector(c, p), vector(d, c)]), area([vector(q, p), vector(d, c)])],
            SegmentParam::At(x) if self.is_longer_along_x() => [difference(x.x, p.x), difference(q.x, p.x)],
            SegmentParam::At(x) => [difference(x.y, p.y), difference(q.y, p.y)],
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
    p + along * along.dot(point - p).clamp(0.0, long)
}

/// Orders points by x, then by y. Along a line, this is the order of the line in one direction.
pub(in crate::query) fn compare(p: DVec2, q: DVec2) -> Ordering {
    // Coordinates are numbers, so they are always ordered.
    let order = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or(Ordering::Equal);
    order(p.x, q.x).then(order(p.y, q.y))
}

/// Returns true if two points lie in the same direction from a third one.
pub(in crate::query) fn same_direction(at: DVec2, p: DVec2, q: DVec2) -> bool {
    let sign = |x: f64, y: f64| x.partial_cmp(&y);
    q != at
        && orientation(at, p, q) == Equal
        && sign(p.x, at.x) == sign(q.x, at.x)
        && sign(p.y, at.y) == sign(q.y, at.y)
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
    for (i, &c) in hull.iter().enumerate() {
        let d = hull[(i + 1) % n];
        match orientation(c, d, point) {
            Less => return PolygonSector::None,
            Equal => all = PolygonSector::Between([d, c]),
            Greater => {}
        }
    }
    all
}

/// Returns the box of points, to skip distant polygons.
pub(in crate::query) fn bounds(points: &[DVec2]) -> [DVec2; 2] {
    points.iter().fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |[low, high], &p| [low.min(p), high.max(p)])
}

/// Returns true if two boxes share a point.
pub(in crate::query) fn boxes_intersect(a: &[DVec2; 2], b: &[DVec2; 2]) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}
