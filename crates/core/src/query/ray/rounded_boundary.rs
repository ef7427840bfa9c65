//! Intersects a ray with the boundary of a rounded part: discs about its vertices, strips along its
//! edges.
//!
//! Input: the ray, the radius, and the vertices and edges of the part. Output: the first and the
//! last crossing, with normals and error bounds.
//!
//! ```text
//! for each vertex: crossings of the line and the circle about it
//! for each edge:   crossing of the line and the edge moved outward by the radius, if it lies beside the edge
//! enter = the first crossing, exit = the last one
//! ```
//!
//! The part is the union of its hull, the discs and the strips. So the first and the last point are
//! its entry and exit. Points inside the part do not matter.
//!
//! The distance of a centre is measured from the line, and not from the start: otherwise digits
//! cancel far away (Haines 2019). A grazing time is accurate only to the square root of the
//! rounding error, and its error bound says so.

use glam::DVec2;

use super::prepared::{BoundaryFeature, Crossing, PreparedRay, RayInterval};
use crate::math::vector::{length_and_direction, sqrt, unit};
use crate::pair_result::Feature;

/// Smaller squares have lost digits, or are 0.
const TINY: f64 = 1e-280;

/// The first and the last point of a ray on the boundary of a rounded part.
pub(super) struct RoundedBoundary<'a> {
    /// The ray.
    prepared: &'a PreparedRay,
    /// Length of the ray.
    length: f64,
    /// Unit direction of the ray.
    direction: DVec2,
    /// Sum of the radii of the ray and of the part.
    radius: f64,
    /// Error bound of distances, as [`PreparedRay::error_bound`].
    error_bound: f64,
    /// The first crossing so far.
    enter: Option<Crossing>,
    /// The last crossing so far.
    exit: Option<Crossing>,
}

impl<'a> RoundedBoundary<'a> {
    /// Creates the test from the length and the direction of the ray.
    #[inline(always)]
    pub(super) fn new(
        prepared: &'a PreparedRay,
        (length, direction): (f64, DVec2),
        radius: f64,
        error_bound: f64,
    ) -> Self {
        Self { prepared, length, direction, radius, error_bound, enter: None, exit: None }
    }

    /// Adds the disc about a vertex. The distance of the centre from the line is compared with the
    /// radius, not that from the start: no digits cancel far away (Haines 2019).
    #[inline(always)]
    pub(super) fn vertex(&mut self, number: usize, vertex: DVec2) {
        let apart = vertex - self.prepared.origin;
        let nearest = apart.dot(self.direction);
        let off = self.direction * nearest - apart;
        let square = self.radius * self.radius;
        let half = if square > TINY { sqrt(square - off.dot(off)) } else { half_of_tiny(self.radius, off) };
        // NaN if the line misses the disc.
        if half >= 0.0 {
            let direction = self.direction;
            let normal = |along: f64| length_and_direction(off + direction * along, direction * along.signum()).1;
            self.include((nearest - half) / self.length, normal(-half), Feature::Vertex(number as u32));
            self.include((nearest + half) / self.length, normal(half), Feature::Vertex(number as u32));
        }
    }

    /// Adds the outer side of the strip along an edge. `normal` is that of the edge before it was placed.
    pub(super) fn edge(&mut self, number: usize, normal: DVec2, a: DVec2, b: DVec2) {
        let (prepared, along) = (self.prepared, b - a);
        let whole = along.dot(along);
        let is_short = whole < self.radius * self.error_bound;
        let normal = if is_short { normal_of_short(along).unwrap_or(normal) } else { normal };
        let time = (normal.dot(a - prepared.origin) + self.radius) / normal.dot(prepared.displacement);
        let from_a = prepared.at(time) - a;
        let foot = from_a.dot(along);
        let beside = if whole > TINY { foot >= 0.0 && foot <= whole } else { is_beside_tiny(from_a, along) };
        if beside {
            self.include(time, normal, Feature::Edge(number as u32));
        }
    }

    /// Adds a crossing with the line of the ray.
    #[inline(always)]
    fn include(&mut self, time: f64, normal: DVec2, feature: Feature) {
        // A graze is accurate to the square root of the rounding error of a square.
        let product = 2.0 * self.error_bound * (self.radius + self.error_bound);
        let root = if product > TINY {
            sqrt(product)
        } else {
            sqrt(2.0 * self.error_bound) * sqrt(self.radius + self.error_bound)
        };
        let graze = 2.0 * root / self.length;
        let error = (self.error_bound / normal.dot(self.prepared.displacement).abs()).min(graze);
        let crossing = Crossing { time, normal, error, feature: Some(feature) };
        if self.enter.is_none_or(|first| time < first.time) {
            self.enter = Some(crossing);
        }
        if self.exit.is_none_or(|last| time > last.time) {
            self.exit = Some(crossing);
        }
    }

    /// Returns the interval. `None` if the ray misses, up to rounding.
    pub(super) fn interval(self, starts_inside: bool) -> Option<RayInterval> {
        Some(RayInterval {
            starts_inside,
            enter: BoundaryFeature::Known(self.enter?),
            exit: BoundaryFeature::Known(self.exit?),
        })
    }
}

/// Returns half of the chord at an offset from the centre, for a circle whose square underflows.
/// NaN if the line misses it.
#[cold]
fn half_of_tiny(radius: f64, off: DVec2) -> f64 {
    let off = length_and_direction(off, DVec2::X).0;
    sqrt(radius - off) * sqrt(radius + off)
}

/// Returns the outward normal of a placed edge. `None` if its ends are equal.
///
/// Rounding of the placed ends turns an edge of length L by up to `error_bound` / L. The strip of a
/// wide ray magnifies this angle: a time computed with the normal from before is off by
/// `radius` · angle².
#[cold]
fn normal_of_short(along: DVec2) -> Option<DVec2> {
    unit(along).map(|direction| -direction.perp())
}

/// Returns true if a point, relative to one end, is beside an edge whose square underflows. False
/// if the placed ends are equal: the disc about them suffices.
#[cold]
fn is_beside_tiny(from_a: DVec2, along: DVec2) -> bool {
    let (whole, along) = length_and_direction(along, DVec2::ZERO);
    let foot = from_a.dot(along);
    whole > 0.0 && foot >= 0.0 && foot <= whole
}
