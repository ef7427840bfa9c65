//! Tolerances of contacts: depth and speed that need no correction, and the thickness of shapes.

use glam::DVec2;

use crate::shape::{Shape, ShapeKind};

/// Overlaps up to this share of the smaller collider's size (the longer side of its box) are left as they are: 0.2 % of a ball's radius.
pub const PENETRATION_SLOP: f64 = 1e-3;

/// Share of the restitution threshold that an approach at rest may keep, and of the slop that it may go in a step.
const LEFT: f64 = 0.02;
const CREEP: f64 = 0.1;

/// Returns the speed of approach that is left to a pair with this slop, a length.
pub(super) fn left(threshold: f64, slop: f64, seconds: f64) -> f64 {
    // Without seconds nothing goes anywhere.
    left_of_any(threshold).min(if seconds > 0.0 { CREEP * slop / seconds } else { 0.0 })
}

/// Returns the most of that for pairs of any size.
pub(super) fn left_of_any(threshold: f64) -> f64 {
    LEFT * threshold
}

/// Returns the restitution of an impact at a speed: 0 below the threshold, unless it is 1.
#[inline(always)]
pub(super) fn at_speed(restitution: f64, speed: f64, threshold: f64) -> f64 {
    if speed < threshold && restitution < 1.0 { 0.0 } else { restitution }
}

/// Returns how far a shape reaches inward at its thinnest: a circle's radius, half the shorter side of a rectangle; of other shapes their rounding.
#[inline]
pub(super) fn thickness(shape: &Shape) -> f64 {
    let inner = if let [a, _, c, _] = shape.points() { rectangle(shape, *c - *a) } else { 0.0 };
    inner + shape.radius()
}

fn rectangle(shape: &Shape, diagonal: DVec2) -> f64 {
    if shape.kind() == ShapeKind::Rectangle { 0.5 * diagonal.abs().min_element() } else { 0.0 }
}
