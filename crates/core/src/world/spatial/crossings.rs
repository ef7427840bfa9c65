//! Computes the points at which outlines of colliders cross each other or leave the range of sight.
//!
//! Input: the parts around an eye. Output: crossing points, relative to the eye. A sort and sweep
//! along x (Ericson, *Real-Time Collision Detection*, 7.5) finds the pairs of curves whose boxes
//! intersect. Segments and circles have closed forms.
//!
//! The visibility polygon needs a ray to each crossing of two overlapping colliders. The visible
//! outline has a vertex there that is a vertex of neither. A test of all pairs of curves would take
//! quadratic time in a map of many walls.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::both::both;
use crate::math::sort::sort_cold;
use crate::math::vector::{crossing_fraction, length_and_direction, sqrt};
use crate::shape::part::Part;

/// Relative tolerance for points at the end of the range or of a segment.
const ROUNDING: f64 = 1e-9;

/// A segment or circle of an outline, relative to the eye.
#[derive(Clone, Copy)]
enum OutlineCurve {
    Segment(DVec2, DVec2),
    Circle(DVec2, f64),
}

/// A curve with its box and the index of its part.
#[derive(Clone, Copy)]
struct PlacedCurve {
    curve: OutlineCurve,
    min: DVec2,
    max: DVec2,
    part: usize,
}

/// The outlines of all parts around an eye.
pub(super) struct Crossings {
    eye: DVec2,
    range: f64,
    pieces: Vec<PlacedCurve>,
    parts: usize,
}

impl Crossings {
    pub(super) fn new(eye: DVec2, range: f64) -> Self {
        Self { eye, range, pieces: Vec::new(), parts: 0 }
    }

    /// Adds the sides of a part, and circles around its hull vertices if it is rounded.
    pub(super) fn add(&mut self, part: Part<'_>) {
        let radius = part.convex.radius;
        // Both sides of a segment are the same curve.
        let sides = if radius == 0.0 && part.convex.edge_count() == 2 { 1 } else { part.convex.edge_count() };
        for i in 0..sides {
            let out = part.pose.rotate_vector(part.convex.normal(i)) * radius;
            let [a, b] = both([i, part.convex.next(i)], |vertex| part.placed(vertex) - self.eye + out);
            self.push(OutlineCurve::Segment(a, b), a.min(b), a.max(b));
        }
        for i in (0..part.convex.hull_vertex_count()).filter(|_| radius > 0.0) {
            let center = part.placed(i) - self.eye;
            self.push(OutlineCurve::Circle(center, radius), center - radius, center + radius);
        }
        self.parts += 1;
    }

    fn push(&mut self, curve: OutlineCurve, min: DVec2, max: DVec2) {
        if min.cmple(DVec2::splat(self.range)).all() && max.cmpge(DVec2::splat(-self.range)).all() {
            self.pieces.push(PlacedCurve { curve, min, max, part: self.parts });
        }
    }

    /// Calls `see` with each crossing in the range, relative to the eye.
    pub(super) fn each(mut self, see: &mut impl FnMut(DVec2)) {
        let far = self.range * (1.0 + ROUNDING);
        let mut see = |point: DVec2| {
            if length_and_direction(point, DVec2::X).0 <= far {
                see(point);
            }
        };
        sort_cold(&mut self.pieces, |p, q| p.min.x.total_cmp(&q.min.x));
        for (i, piece) in self.pieces.iter().enumerate() {
            with_circle(piece.curve, DVec2::ZERO, self.range, &mut see);
            for other in self.pieces[i + 1..].iter().take_while(|other| other.min.x <= piece.max.x) {
                if other.part != piece.part && other.min.y <= piece.max.y && piece.min.y <= other.max.y {
                    crossings_of_curves(piece.curve, other.curve, &mut see);
                }
            }
        }
    }
}

fn crossings_of_curves(p: OutlineCurve, q: OutlineCurve, see: &mut impl FnMut(DVec2)) {
    match (p, q) {
        (curve, OutlineCurve::Circle(center, radius)) | (OutlineCurve::Circle(center, radius), curve) => {
            with_circle(curve, center, radius, see);
        }
        (OutlineCurve::Segment(a, b), OutlineCurve::Segment(c, d)) => {
            let s = crossing_fraction([a, b], [c, d]);
            // False if the segments are parallel (NaN or infinite).
            if is_within(s) && is_within(crossing_fraction([c, d], [a, b])) {
                see(a + (b - a) * s);
            }
        }
    }
}

fn with_circle(curve: OutlineCurve, center: DVec2, radius: f64, see: &mut impl FnMut(DVec2)) {
    let (middle, half, direction, span) = match curve {
        OutlineCurve::Segment(a, b) => {
            let (long, along) = length_and_direction(b - a, DVec2::X);
            let foot = a + along * along.dot(center - a);
            let off = length_and_direction(foot - center, DVec2::X).0;
            (foot, chord(radius, off), along, Some((a, long)))
        }
        OutlineCurve::Circle(other, other_radius) => {
            let (apart, direction) = length_and_direction(other - center, DVec2::X);
            let along = 0.5 * (apart + (radius - other_radius) * ((radius + other_radius) / apart));
            (center + direction * along, chord(radius, along.abs()), direction.perp(), None)
        }
    };
    for point in [middle + direction * half, middle - direction * half] {
        if half.is_finite() && span.is_none_or(|(from, long)| is_within((point - from).dot(direction) / long)) {
            see(point);
        }
    }
}

/// Returns half the chord of a circle at distance `off` from its centre. 0 if the line misses by at
/// most the tolerance; NaN if it misses by more.
fn chord(radius: f64, off: f64) -> f64 {
    let beyond = off - radius;
    if beyond > 0.0 && beyond <= ROUNDING * radius { 0.0 } else { sqrt(radius - off) * sqrt(radius + off) }
}

/// Returns true if a parameter lies on the segment, up to rounding.
fn is_within(fraction: f64) -> bool {
    (-ROUNDING..=1.0 + ROUNDING).contains(&fraction)
}
