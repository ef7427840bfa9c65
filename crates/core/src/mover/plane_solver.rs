//! Computes the motion nearest to a wanted motion, under the constraints of all contact planes.
//!
//! Input: planes normal · v ≥ least, and a wanted motion. Output: the motion v nearest to it that
//! satisfies all of them, or none. It is a projection onto an intersection of half planes.
//!
//! ```text
//! candidates = wanted, its projection onto each line, each crossing of two lines
//! result = the nearest candidate that all planes allow
//! ```
//!
//! All planes of an iteration are solved together, as by `b2SolvePlanes` of `Box2D` and the crease test
//! of Quake. One plane at a time would jitter in wedges. In the plane the optimum is the wanted motion,
//! its projection onto one line, or the crossing of two lines, so the solver tests these.

use glam::DVec2;

use crate::math::vector::{cross, length, magnification, vector_times_power_of_two};

/// Relative rounding tolerance of the constraints, and the smallest sine between two crossing lines.
const ROUNDING: f64 = 1e-12;

/// A constraint of a motion v: normal · v ≥ least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: DVec2,
    pub(super) least: f64,
}

/// Returns the allowed motion nearest to `wanted`; `None` if the planes allow none.
pub(super) fn nearest_allowed(wanted: DVec2, planes: &[Plane]) -> Option<DVec2> {
    let scale = planes.iter().map(|plane| plane.least.abs()).fold(length(wanted), f64::max);
    let allowed = |v: DVec2| {
        let tolerance = ROUNDING * scale.max(length(v));
        planes.iter().all(|plane| plane.normal.dot(v) >= plane.least - tolerance)
    };
    if allowed(wanted) {
        return Some(wanted);
    }
    let onto = |plane: &Plane| wanted + plane.normal * (plane.least - plane.normal.dot(wanted));
    let crossing = |p: &Plane, q: &Plane| {
        let area = cross(p.normal, q.normal);
        let at = DVec2::new(p.least * q.normal.y - q.least * p.normal.y, q.least * p.normal.x - p.least * q.normal.x);
        (area.abs() > ROUNDING).then(|| at / area)
    };
    // Squares of tiny lengths would underflow.
    let power = magnification(scale);
    let (mut nearest, mut least) = (None, f64::INFINITY);
    let mut consider = |v: DVec2| {
        let distance = vector_times_power_of_two(v - wanted, power).length_squared();
        if allowed(v) && (nearest.is_none() || distance < least) {
            (nearest, least) = (Some(v), distance);
        }
    };
    for plane in planes {
        consider(onto(plane));
    }
    for (i, p) in planes.iter().enumerate() {
        for q in &planes[i + 1..] {
            if let Some(v) = crossing(p, q) {
                consider(v);
            }
        }
    }
    nearest
}
