//! Defines the tolerances of contacts: depth and speed that need no correction, and the inner
//! radius of a shape.
//!
//! Depths are relative to the size of the smaller collider, speeds to the restitution threshold. So
//! a scene in other units has the same result. Without tolerances, a pile would never rest:
//! rounding errors would be corrected in each step, and each correction would create the next
//! error.

use glam::DVec2;

use crate::shape::{Shape, ShapeKind};
use crate::world::ColliderState;

/// Relative penetration that is not corrected: a share of the smaller collider's size, the longer
/// side of its AABB. For a ball this is 0.2 % of its radius.
pub const PENETRATION_SLOP: f64 = 1e-3;

/// `SPEED_TOLERANCE`: share of the restitution threshold that an approach at rest may keep. `CREEP`:
/// share of the slop that a pair at rest may approach in a step.
const SPEED_TOLERANCE: f64 = 0.02;
const CREEP: f64 = 0.1;

/// Returns the speed of approach that a resting contact may keep. `slop` is a length.
pub(super) fn speed_tolerance(threshold: f64, slop: f64, seconds: f64) -> f64 {
    // In a step of 0 seconds, nothing moves.
    max_speed_tolerance(threshold).min(if seconds > 0.0 { CREEP * slop / seconds } else { 0.0 })
}

/// Returns the upper bound of [`speed_tolerance`] for pairs of any size.
pub(super) fn max_speed_tolerance(threshold: f64) -> f64 {
    SPEED_TOLERANCE * threshold
}

/// Returns the restitution of an impact at a speed: 0 below the threshold, unless the restitution
/// is 1.
#[inline(always)]
pub(super) fn at_speed(restitution: f64, speed: f64, threshold: f64) -> f64 {
    if speed < threshold && restitution < 1.0 { 0.0 } else { restitution }
}

/// Returns the inner radius: a circle's radius, half the shorter side of a rectangle. For other
/// shapes: the radius by which the shape is rounded.
#[inline]
pub(super) fn inner_radius(state: &ColliderState<'_>) -> f64 {
    if !state.circle_radius.is_nan() {
        return state.circle_radius;
    }
    let shape = state.shape;
    let inner = if let [a, _, c, _] = shape.points() { rectangle(shape, *c - *a) } else { 0.0 };
    inner + shape.radius()
}

/// Returns half the width of a circle, a segment, a capsule, a chain or a rectangle; infinity for other shapes.
pub(super) fn half_width(shape: &Shape) -> f64 {
    match (shape.kind(), shape.points()) {
        (ShapeKind::Rectangle, [a, _, c, _]) => rectangle(shape, *c - *a) + shape.radius(),
        (ShapeKind::Circle | ShapeKind::Segment | ShapeKind::Capsule | ShapeKind::Chain, _) => shape.radius(),
        _ => f64::INFINITY,
    }
}

fn rectangle(shape: &Shape, diagonal: DVec2) -> f64 {
    if shape.kind() == ShapeKind::Rectangle { 0.5 * diagonal.abs().min_element() } else { 0.0 }
}
