//! Computes the visibility polygon of a point: the region that no collider hides.
//!
//! Input: an eye, a range, and the colliders in the range. Output: a polygon around the eye,
//! counter-clockwise. The method is one ray per critical direction, sorted by angle. (T. Asano, *An
//! efficient algorithm for finding the visibility polygon for a polygonal region with holes*,
//! 1985.)
//!
//! ```text
//! directions = to each outline vertex and close past it on both sides, along tangents of rounded
//!     vertices, to each crossing of outlines, and to the chords of the range
//! for each direction, by increasing angle
//!     add the first hit of a ray, or its end
//! ```
//!
//! A sweep with an edge order does not suffice: colliders overlap each other and have arcs. Rays at
//! equal angles do not suffice either: they miss vertices, and shadows flicker if the eye moves.

use alloc::vec::Vec;
use core::cmp::Ordering::Less;
use core::f64::consts::{PI, TAU};
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::QueryFilter;
use super::crossings::Crossings;
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::predicates::orientation;
use crate::math::ray::Ray;
use crate::math::sort::sort_numbers;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::shape::Shape;
use crate::world::World;
use crate::world::debug_draw::{outline_of, step_of};

/// Angle by which rays pass a vertex on either side, in radians. It is increased if rounding moves
/// the vertex by a larger angle.
const PAST: f64 = 1e-9;

impl World {
    /// Returns the region that is visible from a point up to a range, as a polygon around the
    /// point, counter-clockwise. Empty if the point lies in a collider.
    ///
    /// Rays go to each vertex, along each tangent of a rounded side, and close past them on both
    /// sides. Rays also go to the points at which outlines cross each other or leave the range. The
    /// ray casts are exact, so no vertex leaks light.
    ///
    /// Arcs of the range and of round colliders become chords. They deviate by at most `deviation`,
    /// in world units; if it is not above 0, by a hundredth of the radius.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// world.insert(Collider::new(Shape::rectangle(1.0, 2.0)?).at([3.5, 0.0])?);
    /// let region = world.visibility_polygon([0.0, 0.0], 10.0, 0.01, u64::MAX)?;
    /// assert!(region.iter().any(|p| (p.x - 3.0).abs() < 1e-6)); // up to the block
    /// assert!(region.iter().all(|p| p.x < 3.1 || p.y.abs() >= 0.99)); // and past it, but not behind it
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate or range that is negative (the range), not finite or above 1e30 in magnitude,
    /// or that leads beyond 1e30.
    pub fn visibility_polygon<'a>(
        &self,
        eye: impl IntoPoint,
        range: f64,
        deviation: f64,
        filter: impl Into<QueryFilter<'a>>,
    ) -> Result<Vec<DVec2>, Error> {
        let (eye, filter) = (eye.into_point(), filter.into());
        let disk = Shape::circle(range)?;
        let around = disk.at(eye)?.aabb();
        Ray::new(around.min(), around.size())?;
        if !self.containing_point(eye, filter)?.is_empty() {
            return Ok(Vec::new());
        }
        let (mut angles, mut outline, mut crossings) = (Vec::new(), Vec::new(), Crossings::new(eye, range));
        self.each_in_box(&around, &filter, &mut |_, placed| {
            for part in placed.parts() {
                crossings.add(part);
                outline_of(part, deviation, &mut outline);
                for &vertex in &outline {
                    aim(&mut angles, eye, vertex, 0.0);
                }
                // Tangents of the circle around a rounded vertex.
                for i in (0..part.convex.hull_vertex_count()).filter(|_| part.convex.radius > 0.0) {
                    aim(&mut angles, eye, part.placed(i), part.convex.radius);
                }
            }
            Continue(())
        });
        crossings.each(&mut |point| angles.push(libm::atan2(point.y, point.x)));
        let chords = libm::ceil(TAU / step_of(range, deviation)).max(8.0) as u32;
        (0..chords).for_each(|k| angles.push(PI - TAU * f64::from(k) / f64::from(chords)));
        sort_numbers(&mut angles);
        angles.dedup();
        let mut region: Vec<DVec2> = Vec::with_capacity(angles.len());
        for angle in angles {
            let (sin, cos) = libm::sincos(angle);
            let ray = Ray::new(eye, DVec2::new(cos, sin) * range)?;
            let point = self.ray_cast(ray, filter).map_or(ray.end(), |(_, hit)| hit.point);
            // Points go around the eye: a point that rounding puts before the last one would make
            // the polygon intersect itself.
            if region.last().is_none_or(|&last| last != point && orientation(eye, last, point) != Less) {
                region.push(point);
            }
        }
        while let [first, _, .., last] = region[..]
            && orientation(eye, last, first) == Less
        {
            region.pop();
        }
        Ok(region)
    }
}

/// Appends the directions to a vertex, or along both tangents of a disk, and those close past them.
fn aim(angles: &mut Vec<f64>, eye: DVec2, vertex: DVec2, radius: f64) {
    let offset = vertex - eye;
    let distance = length(offset);
    let (angle, half) = (libm::atan2(offset.y, offset.x), libm::asin((radius / distance).min(1.0)));
    let rounded = 32.0 * UNIT_ROUNDOFF * (norm1(eye) + norm1(vertex)) / distance;
    let past = if rounded < 1e-3 { PAST.max(rounded) } else { PAST };
    let within = |angle: f64| {
        if angle > PI {
            angle - TAU
        } else if angle <= -PI {
            angle + TAU
        } else {
            angle
        }
    };
    for turn in [-half - past, -half, past - half, half - past, half, half + past] {
        angles.push(within(angle + turn));
    }
}
