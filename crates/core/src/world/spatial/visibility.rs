//! What can be seen from a point: the region that no collider hides.

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
use crate::math::vector::{UNIT_ROUNDOFF, norm1};
use crate::shape::Shape;
use crate::world::World;
use crate::world::debug_draw::{outline_of, step_of};

/// How far to either side of a corner a ray looks past it, in radians; farther where the corner is so near that rounding moves it by more.
const PAST: f64 = 1e-9;

impl World {
    /// The region that can be seen from a point, as far as a range: a polygon around the point, counter-clockwise. Empty where the point lies in a collider.
    ///
    /// A ray goes to every corner and along every round side that may hide something, and close past it on both sides (Asano 1985 gives the idea; the rays are exact, so no corner leaks light). Rays go to the
    /// places too at which outlines cross each other or leave the range. Arcs, of the range and of round colliders, become chords that are off by the deviation at most; what is not above 0 is taken for a hundredth
    /// of their radius.
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
    /// A coordinate or range that is negative (the range), not finite or above 1e30 in magnitude, or that leads beyond 1e30.
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
        self.each_in_box(&around, &filter, |_, placed| {
            for part in placed.parts() {
                crossings.add(part);
                outline_of(part, deviation, &mut outline);
                for &corner in &outline {
                    aim(&mut angles, eye, corner, 0.0);
                }
                // Where a rounded corner hides what is behind it.
                for i in (0..part.convex.corner_count()).filter(|_| part.convex.radius > 0.0) {
                    aim(&mut angles, eye, part.placed(i), part.convex.radius);
                }
            }
            Continue(())
        });
        crossings.each(&mut |point| angles.push(libm::atan2(point.y, point.x)));
        let chords = libm::ceil(TAU / step_of(range, deviation)).max(8.0) as u32;
        angles.extend((0..chords).map(|k| PI - TAU * f64::from(k) / f64::from(chords)));
        angles.sort_unstable_by(f64::total_cmp);
        angles.dedup();
        let mut region: Vec<DVec2> = Vec::with_capacity(angles.len());
        for angle in angles {
            let (sin, cos) = libm::sincos(angle);
            let ray = Ray::new(eye, DVec2::new(cos, sin) * range)?;
            let point = self.ray_cast(ray, filter).map_or(ray.end(), |(_, hit)| hit.point);
            // Points go round the eye: one that rounding puts behind the last one would fold the border.
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

/// The directions along both sides of a disk, or to a corner, and those close past them.
fn aim(angles: &mut Vec<f64>, eye: DVec2, corner: DVec2, radius: f64) {
    let way = corner - eye;
    let (angle, half) = (libm::atan2(way.y, way.x), libm::asin((radius / way.length()).min(1.0)));
    let rounded = 32.0 * UNIT_ROUNDOFF * (norm1(eye) + norm1(corner)) / way.length();
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
    angles.extend([-half - past, -half, past - half, half - past, half, half + past].map(|turn| within(angle + turn)));
}
