//! Computes the distance of points from a segment, rounded up: the error if the segment replaces
//! these points.
//!
//! Input: a segment and points. Output: an upper bound of the largest distance. A bound that is
//! rounded to nearest could be below the true distance, and simplification would exceed the given
//! deviation. The distance of a point exactly on the segment is exactly 0, so a deviation of 0
//! removes collinear points.

use core::cmp::Ordering;

use glam::DVec2;

use crate::math::predicates::orientation;
use crate::math::vector::{UNIT_ROUNDOFF, cross, length, norm1, sqrt};

/// Returns an upper bound of a distance whose computed value is `d`. `size`: 1-norm of the
/// differences that it was computed from. The error is a few ulp of `d` and `size`; the constant
/// covers squares that underflow.
fn upper_bound(d: f64, size: f64) -> f64 {
    d + 8.0 * UNIT_ROUNDOFF * (d + size) + 1e-140
}

/// Returns the distance of a point from a segment, rounded up; exactly 0 if the point lies on it.
pub(super) fn distance([a, b]: [DVec2; 2], p: DVec2) -> f64 {
    let (ab, ap, bp) = (b - a, p - a, p - b);
    if ab.dot(ap) <= 0.0 || ab == DVec2::ZERO {
        return if p == a { 0.0 } else { upper_bound(length(ap), norm1(ap)) };
    }
    if ab.dot(bp) >= 0.0 {
        return if p == b { 0.0 } else { upper_bound(length(bp), norm1(bp)) };
    }
    if orientation(a, b, p) == Ordering::Equal {
        return 0.0;
    }
    upper_bound(cross(ab, ap).abs() / length(ab), norm1(ap))
}

/// The largest distance of points from a segment, collected point by point and rounded up at the
/// end.
pub(super) struct MaxSegmentDistance {
    a: DVec2,
    b: DVec2,
    ab: DVec2,
    /// Squared length of the segment.
    square: f64,
    /// `beside`: largest cross product of the points beside the segment. `beyond`: largest squared
    /// distance from the nearer end, of the other points.
    beside: f64,
    beyond: f64,
}

impl MaxSegmentDistance {
    pub(super) fn new([a, b]: [DVec2; 2]) -> Self {
        let ab = b - a;
        Self { a, b, ab, square: ab.dot(ab), beside: 0.0, beyond: 0.0 }
    }

    /// Includes more points, without branches.
    pub(super) fn include(&mut self, points: &[DVec2]) {
        for &p in points {
            let (ap, bp) = (p - self.a, p - self.b);
            let along = self.ab.dot(ap);
            let (before, behind) = (along <= 0.0, along >= self.square);
            let product = cross(self.ab, ap).abs();
            let square = if before { ap.dot(ap) } else { bp.dot(bp) };
            self.beside = self.beside.max(if before | behind { 0.0 } else { product });
            self.beyond = self.beyond.max(if before | behind { square } else { 0.0 });
        }
    }

    /// Returns an upper bound of the distances of all points.
    pub(super) fn distance(&self) -> f64 {
        let beside = if self.beside > 0.0 { self.beside / length(self.ab) } else { 0.0 };
        let d = beside.max(sqrt(self.beyond));
        // No point is farther than `d` from the end from which it was measured.
        upper_bound(d, 2.0 * (norm1(self.ab) + d))
    }
}
