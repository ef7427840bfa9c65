//! Computes the overlap of two shapes as convex pieces with area and centroid.
//!
//! Input: two placed shapes and a deviation for round outlines. Output: the vertices, area and
//! centroid of each piece. Each overlapping pair of convex parts gives one piece ([`slabs`]).
//!
//! Rounded vertices become inscribed polygons: the intersection of polygons is a polygon, that of
//! arcs is not. Coordinates are relative to the origin of the first shape, so that areas stay
//! accurate far from the world origin.
//!
//! ```text
//! for each pair of parts with area that overlap   (dual traversal)
//!     outlines of both, relative to the origin; arcs become chords within the deviation
//!     piece = intersection of both outlines       (slabs.rs)
//!     keep it if it has at least three vertices
//! ```

mod slabs;

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Continue};

use glam::DVec2;

use super::dual_traversal::{PairVisitor, traverse};
use super::fast_path;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::sort::sort_cold;
use crate::math::vector::{cross, magnification_of, sqrt, times_power_of_two, vector_times_power_of_two};
use crate::pair_result::Relation;
use crate::shape::Placed;
use crate::shape::part::Part;

/// Maximum number of pieces of a full circle. Limits the angle of each piece from below.
const FINEST: f64 = 4096.0;

/// The overlap of two shapes as convex pieces, one for each pair of parts that overlap.
///
/// ```
/// use carom::{DVec2, Shape};
/// use carom::query::overlap_region;
///
/// let square = Shape::rectangle(2.0, 2.0)?;
/// let region = overlap_region(square.at([0.0, 0.0])?, square.at([1.5, 1.0])?, 0.01);
/// assert_eq!((region.area(), region.centroid()), (0.5, Some(DVec2::new(0.75, 0.5))));
/// assert_eq!(region.pieces().count(), 1);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlapRegion {
    /// Vertices of all pieces.
    points: Vec<DVec2>,
    /// End index of each piece in `points`.
    ends: Vec<usize>,
    /// Moments of each piece.
    moments: Vec<Moments>,
}

/// Area and centroid of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moments {
    /// Area of the piece if its lengths are multiplied by 2^`power`.
    magnified_area: f64,
    /// See `magnified_area`.
    power: i32,
    centroid: DVec2,
}

impl Moments {
    /// Returns the area if all lengths are multiplied by 2^`power`.
    fn area(&self, power: i32) -> f64 {
        times_power_of_two(self.magnified_area, 2 * (power - self.power))
    }
}

impl OverlapRegion {
    /// Returns the vertices of each piece, counter-clockwise.
    ///
    /// If parts of one shape overlap each other, their pieces overlap too.
    pub fn pieces(&self) -> impl Iterator<Item = &[DVec2]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        self.ends.iter().zip(starts).map(|(&end, start)| &self.points[start..end])
    }

    /// Returns the sum of the areas of the pieces. An area below the least positive number is 0.
    #[must_use]
    pub fn area(&self) -> f64 {
        let power = self.power();
        times_power_of_two(self.magnified_area(power), -2 * power)
    }

    /// Returns the power of two by which the largest piece was magnified.
    fn power(&self) -> i32 {
        self.moments.iter().map(|piece| piece.power).min().unwrap_or(0)
    }

    /// Returns the area if all lengths are multiplied by 2^`power`.
    fn magnified_area(&self, power: i32) -> f64 {
        // The sum of no floating-point numbers is −0.0 in Rust.
        self.moments.iter().fold(0.0, |sum, piece| sum + piece.area(power))
    }

    /// Returns the centroid of the pieces; `None` if there are none.
    #[must_use]
    pub fn centroid(&self) -> Option<DVec2> {
        let (first, power) = (self.moments.first()?.centroid, self.power());
        let area = self.magnified_area(power);
        let moved = self
            .moments
            .iter()
            .fold(DVec2::ZERO, |sum, piece| sum + (piece.centroid - first) * (piece.area(power) / area));
        Some(first + moved)
    }

    /// Appends a piece.
    fn push(&mut self, piece: &[DVec2], origin: DVec2) {
        let moments = moments(piece);
        if moments.magnified_area > 0.0 {
            self.points.extend(piece.iter().map(|&p| p + origin));
            self.ends.push(self.points.len());
            self.moments.push(Moments { centroid: moments.centroid + origin, ..moments });
        }
    }
}

/// Computes the overlap of two shapes.
///
/// Round outlines become inscribed polygons whose distance from the outline is at most `deviation`. A full circle has
/// at most 4 096 vertices, and exactly this number if `deviation` is not above 0. The time for a pair of parts is that
/// of sorting their vertices.
///
/// The result is rounded. A sliver thinner than a few ulp may be missing. Vertices may lie outside either shape by up
/// to 16 ulp of the largest coordinate or size.
///
/// ```
/// use carom::Shape;
/// use carom::query::overlap_region;
///
/// let (pool, raft) = (Shape::circle(10.0)?, Shape::rectangle(4.0, 2.0)?);
/// assert_eq!(overlap_region(pool.at([0.0, 0.0])?, raft.at([1.0, 1.0])?, 0.01).area(), 8.0); // all of the raft
/// assert_eq!(overlap_region(pool.at([0.0, 0.0])?, raft.at([20.0, 0.0])?, 0.01).area(), 0.0);
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn overlap_region(a: Placed<'_>, b: Placed<'_>, deviation: f64) -> OverlapRegion {
    let origin = a.pose().translation();
    let mut region = OverlapRegion::default();
    for piece in pieces(a, b, deviation, origin) {
        region.push(&piece, origin);
    }
    region
}

/// Computes the vertices of the pieces relative to `origin`, in the order of their parts.
pub(super) fn pieces(a: Placed<'_>, b: Placed<'_>, deviation: f64, origin: DVec2) -> Vec<Vec<DVec2>> {
    let mut pieces = Pieces { deviation, origin, found: Vec::new() };
    traverse(a, b, &mut pieces);
    sort_cold(&mut pieces.found, |(p, _), (q, _)| p.cmp(q));
    mapped(pieces.found, |(_, piece)| piece)
}

/// Collects the pieces of all pairs of parts.
struct Pieces {
    /// Largest deviation of a rounded outline, in units of length.
    deviation: f64,
    /// Origin of all pieces. Keeps the areas of shapes far from the world origin accurate.
    origin: DVec2,
    /// Part indices and vertices of each piece.
    found: Vec<([u32; 2], Vec<DVec2>)>,
}

impl PairVisitor for Pieces {
    fn visit(&mut self, (i, a): (u32, Part<'_>), (j, b): (u32, Part<'_>)) -> ControlFlow<()> {
        if [a, b].iter().all(has_area) && fast_path::relation_of_parts(a, b) == Relation::Overlapping {
            let [own, other] = both([a, b], |part| outline(part, self.origin, self.deviation));
            let piece = slabs::intersection(&own, &other);
            if piece.len() > 2 {
                self.found.push(([i, j], piece));
            }
        }
        Continue(())
    }
}

/// Returns true if a part has area. A clipped segment would only give slivers of rounding.
fn has_area(part: &Part<'_>) -> bool {
    part.convex.radius > 0.0 || part.convex.hull_vertex_count() > 2
}

/// Returns the outline of a part, counter-clockwise, relative to `origin`. Rounded vertices become polygon chains.
fn outline(part: Part<'_>, origin: DVec2, deviation: f64) -> Vec<DVec2> {
    let (convex, radius) = (part.convex, part.convex.radius);
    let step = largest_step(radius, deviation);
    let mut points = Vec::new();
    for i in 0..convex.hull_vertex_count() {
        let vertex = part.placed(i) - origin;
        if radius == 0.0 {
            points.push(vertex);
            continue;
        }
        let (from, turn) = if convex.edge_count() == 0 {
            (DVec2::X, core::f64::consts::TAU)
        } else {
            let (before, after) = (convex.normal(convex.previous(i)), convex.normal(i));
            (before, libm::atan2(cross(before, after).abs(), before.dot(after)))
        };
        let count = libm::ceil(turn / step).max(1.0);
        let last = if convex.edge_count() == 0 { count as usize - 1 } else { count as usize };
        for k in 0..=last {
            let (sin, cos) = libm::sincos(turn * k as f64 / count);
            let away = DVec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
            points.push(vertex + part.pose.rotate_vector(away) * radius);
        }
    }
    points
}

/// Returns the largest angle whose chord is within `deviation` of the arc: the height is r (1 − cos(angle / 2)).
fn largest_step(radius: f64, deviation: f64) -> f64 {
    let height = if deviation > 0.0 { (deviation / radius).min(1.0) } else { 0.0 };
    // 1 − cos x = 2 sin² (x / 2), which does not cancel.
    (4.0 * libm::asin(sqrt(height / 2.0))).clamp(core::f64::consts::TAU / FINEST, core::f64::consts::FRAC_PI_2)
}

/// Returns area and centroid of a convex polygon.
fn moments(polygon: &[DVec2]) -> Moments {
    let first = polygon[0];
    let power = magnification_of(polygon.iter().map(|&p| p - first));
    let (mut area, mut moment) = (0.0, DVec2::ZERO);
    for edge in polygon[1..].windows(2) {
        let [u, v] = both([0, 1], |i| vector_times_power_of_two(edge[i] - first, power));
        let own = cross(u, v) / 2.0;
        area += own;
        moment += (u + v) * (own / 3.0);
    }
    let offset = if area > 0.0 { moment / area } else { DVec2::ZERO };
    Moments { magnified_area: area, power, centroid: first + vector_times_power_of_two(offset, -power) }
}
