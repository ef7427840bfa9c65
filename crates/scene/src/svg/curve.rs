//! Defines the edges of a path, straight and curved, and flattens curves to straight edges.
//!
//! Input: a curve and a tolerance. Output: points on the curve. The number of chords follows from a
//! bound of the deviation: Wang's bound for Bézier curves, and the sagitta for arcs. The curve is
//! evaluated at equal steps of its parameter.

use carom::DVec2;
use kurbo::{Affine, CubicBez, ParamCurve, Point, QuadBez, Vec2};

/// Largest number of straight edges per curve.
const MOST_EDGES: f64 = 65_536.0;

/// Edge of a path. It begins at the end of the previous edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Edge {
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    /// Arc of an ellipse, and its exact end point.
    Arc(Arc, Point),
}

/// `centre + x·cos θ + y·sin θ`, for θ from `from` to `from + turn`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arc {
    pub(super) centre: Point,
    pub(super) x: Vec2,
    pub(super) y: Vec2,
    pub(super) from: f64,
    pub(super) turn: f64,
}

/// Curve that needs too many edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooFine;

impl Edge {
    pub(super) fn end(&self) -> Point {
        match *self {
            Self::Line(end) | Self::Quad(_, end) | Self::Cubic(_, _, end) | Self::Arc(_, end) => end,
        }
    }

    pub(super) fn transformed(self, by: Affine) -> Self {
        match self {
            Self::Line(end) => Self::Line(by * end),
            Self::Quad(p, end) => Self::Quad(by * p, by * end),
            Self::Cubic(p, q, end) => Self::Cubic(by * p, by * q, by * end),
            Self::Arc(arc, end) => Self::Arc(arc.transformed(by), by * end),
        }
    }

    /// Returns two corners of a box that contains the edge without its start.
    pub(super) fn bounds(&self) -> [Point; 2] {
        let corners = |points: &[Point]| {
            let start = [points[0], points[0]];
            points.iter().fold(start, |[l, h], p| {
                [Point::new(l.x.min(p.x), l.y.min(p.y)), Point::new(h.x.max(p.x), h.y.max(p.y))]
            })
        };
        match *self {
            Self::Line(end) => corners(&[end]),
            Self::Quad(p, end) => corners(&[p, end]),
            Self::Cubic(p, q, end) => corners(&[p, q, end]),
            Self::Arc(arc, end) => {
                let extent = Vec2::new(arc.x.x.hypot(arc.y.x), arc.x.y.hypot(arc.y.y));
                corners(&[arc.centre - extent, arc.centre + extent, end])
            }
        }
    }

    /// Appends points of the edge up to its end. The lines through them deviate by at most
    /// `tolerance`.
    pub(super) fn flatten(&self, start: Point, tolerance: f64, points: &mut Vec<DVec2>) -> Result<(), TooFine> {
        // Wang's bound: a Bézier curve of degree d deviates from n chords by at most d(d − 1)/8 · max|Δ²P| / n².
        let second = |p: Point, q: Point, r: Point| ((p - q) + (r - q)).hypot();
        match *self {
            Self::Line(_) => {}
            Self::Quad(p, end) => {
                let n = count((0.25 * second(start, p, end) / tolerance).sqrt())?;
                let curve = QuadBez::new(start, p, end);
                points.extend(inner(n).map(|t| plain(curve.eval(t))));
            }
            Self::Cubic(p, q, end) => {
                let n = count((0.75 * second(start, p, q).max(second(p, q, end)) / tolerance).sqrt())?;
                let curve = CubicBez::new(start, p, q, end);
                points.extend(inner(n).map(|t| plain(curve.eval(t))));
            }
            Self::Arc(arc, _) => {
                let n = arc.edges(tolerance)?;
                points.extend(inner(n).map(|t| plain(arc.at(t))));
            }
        }
        points.push(plain(self.end()));
        Ok(())
    }
}

/// Returns the inner parameters of a curve that is divided into `n` pieces.
fn inner(n: u32) -> impl Iterator<Item = f64> {
    (1..n).map(move |i| f64::from(i) / f64::from(n))
}

fn count(n: f64) -> Result<u32, TooFine> {
    if n <= MOST_EDGES { Ok((n.ceil() as u32).max(1)) } else { Err(TooFine) }
}

pub(super) fn plain(p: Point) -> DVec2 {
    DVec2::new(p.x, p.y)
}

impl Arc {
    fn transformed(self, by: Affine) -> Self {
        let [a, b, c, d, _, _] = by.as_coeffs();
        let linear = |v: Vec2| Vec2::new(a * v.x + c * v.y, b * v.x + d * v.y);
        Self { centre: by * self.centre, x: linear(self.x), y: linear(self.y), ..self }
    }

    /// Returns the larger radius of the ellipse: the larger singular value of its two half axes.
    fn extent(&self) -> f64 {
        let (sum, det) = (self.x.hypot2() + self.y.hypot2(), self.x.cross(self.y));
        (0.5 * (sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt())).sqrt()
    }

    /// Returns the number of chords. A chord of angle a deviates by r·(1 − cos a/2) from a circle.
    /// An ellipse is a scaled circle.
    fn edges(&self, tolerance: f64) -> Result<u32, TooFine> {
        let step = 2.0 * libm::acos((1.0 - tolerance / self.extent()).max(0.0));
        // At least one edge per quarter, so that a coarse circle keeps its form.
        count((self.turn.abs() / step).max(self.turn.abs() / std::f64::consts::FRAC_PI_2 - 1e-9))
    }

    /// Returns the point at a fraction of the turn.
    fn at(&self, t: f64) -> Point {
        let (sin, cos) = libm::sincos(self.from + self.turn * t);
        self.centre + self.x * cos + self.y * sin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the largest distance between the curve and the flattened line, by sampling.
    fn deviation(edge: Edge, start: Point, points: &[DVec2]) -> f64 {
        let at = |t: f64| match edge {
            Edge::Quad(p, end) => QuadBez::new(start, p, end).eval(t),
            Edge::Cubic(p, q, end) => CubicBez::new(start, p, q, end).eval(t),
            Edge::Arc(arc, _) => arc.at(t),
            Edge::Line(end) => start.lerp(end, t),
        };
        let distance = |p: DVec2, a: DVec2, b: DVec2| {
            let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            p.distance(a + (b - a) * t)
        };
        let sampled = (0..=2000).map(|i| plain(at(f64::from(i) / 2000.0)));
        sampled
            .map(|p| points.windows(2).map(|w| distance(p, w[0], w[1])).fold(f64::INFINITY, f64::min))
            .fold(0.0, f64::max)
    }

    #[test]
    fn lines_stay_within_the_tolerance_of_curves() {
        let start = Point::new(1.0, 2.0);
        let arc = Arc {
            centre: Point::new(1.0 - 3.0, 2.0),
            x: Vec2::new(3.0, 0.0),
            y: Vec2::new(1.0, 0.5),
            from: 0.0,
            turn: -4.0,
        };
        let curves = [
            Edge::Line(Point::new(5.0, 5.0)),
            Edge::Quad(Point::new(9.0, -4.0), Point::new(3.0, 7.0)),
            Edge::Cubic(Point::new(40.0, 0.0), Point::new(-40.0, 5.0), Point::new(2.0, 9.0)),
            Edge::Arc(arc, arc.at(1.0)),
        ];
        for edge in curves {
            for tolerance in [1.0, 0.1, 0.001] {
                let mut points = vec![plain(start)];
                edge.flatten(start, tolerance, &mut points).unwrap();
                let found = deviation(edge, start, &points);
                assert!(found <= tolerance * (1.0 + 1e-9), "{edge:?} deviates by {found}, not {tolerance}");
                assert_eq!(points.last(), Some(&plain(edge.end())));
            }
        }
    }

    #[test]
    fn endless_curves_are_refused() {
        let edge = Edge::Quad(Point::new(1e20, 0.0), Point::new(0.0, 1.0));
        assert_eq!(edge.flatten(Point::ZERO, 1e-3, &mut Vec::new()), Err(TooFine));
        let edge = Edge::Quad(Point::new(f64::NAN, 0.0), Point::new(0.0, 1.0));
        assert_eq!(edge.flatten(Point::ZERO, 1e-3, &mut Vec::new()), Err(TooFine));
    }
}
