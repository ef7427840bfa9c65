//! Casts a ray against one circle or one rectangle in closed form, with a floating-point filter.
//!
//! Input: a ray and a part. Output: a miss, a start inside, the entry with time and normal, or
//! undecided.
//!
//! ```text
//! circle:     time = (along − √(r² d² − aside²)) / d²      (along, aside: dot and cross product of d and the centre)
//! rectangle:  mirror the ray so that it points right and up
//!             separating axes decide a miss; the later of the two entries through the sides is the time
//! ```
//!
//! The quadratic equation alone does not suffice: its discriminant cancels for distant starts. So
//! the distances of start, end and line from the centre are compared with the radius, and one root
//! suffices (Ericson 2005, 5.3.2). For the rectangle, slabs give the time (Kay and Kajiya 1986).
//!
//! If rounding could change the decision, [`convex`](super::convex) decides exactly.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::prepared::PreparedRay;
use crate::math::vector::{UNIT_ROUNDOFF, cross, greater, lesser, norm1, sqrt};
use crate::pair_result::Feature;
use crate::shape::part::Part;

/// Result of the filter.
pub(super) enum FilteredHit {
    /// The ray starts outside and misses.
    Passes,
    /// The ray starts inside.
    Inside,
    /// The ray starts outside and enters, at a time, with a unit normal, through an edge or the
    /// vertex of a circle.
    Enters(f64, DVec2, Feature),
    /// Undecided, or a shape without a closed form.
    Unsure,
}

/// Casts a ray against a circle with the given centre.
#[inline(always)]
pub(super) fn of_circle(prepared: &PreparedRay, part: &Part<'_>, center: DVec2) -> FilteredHit {
    let radius = prepared.radius + part.convex.radius;
    let (displacement, apart) = (prepared.displacement, part.pose.transform_center(center) - prepared.origin);
    let (square, along, aside) = (displacement.dot(displacement), displacement.dot(apart), cross(displacement, apart));
    let (aside_square, start, end) =
        (aside * aside, apart.dot(apart), (apart - displacement).dot(apart - displacement));
    // Above 0 if the line, the start behind it or the end before it is farther from the centre than
    // the radius.
    let beyond = |radius_squared: f64| {
        let ends = greater(lesser(-along, start - radius_squared), lesser(along - square, end - radius_squared));
        greater(aside_square - radius_squared * square, ends)
    };
    // No less than [`PreparedRay::error_bound`], both coordinates at once.
    let (near, far) = (apart.abs() + displacement.abs(), part.pose.translation().abs() + prepared.origin.abs());
    let error_bounds = near * (64.0 * UNIT_ROUNDOFF) + far * (3.0 * UNIT_ROUNDOFF);
    let error_bound = error_bounds.x
        + error_bounds.y
        + (3.0 * part.convex.bounding_radius + radius) * (64.0 * UNIT_ROUNDOFF)
        + 1e-300;
    let (low, high) = (radius - error_bound, radius + error_bound);
    let (low, high) = (low * low, high * high);
    // Underflowing squares and tiny radii are left to the general path.
    let least = lesser(lesser(radius * radius, square), radius * radius * square);
    let is_usable = (radius > 2.0 * error_bound) & (least > 1e-280);
    // The miss is unpredictable for the processor. So the values known first decide, and the
    // certainty is tested afterwards.
    if beyond(radius * radius) > 0.0 {
        return if is_usable & (beyond(high) > 0.0) { FilteredHit::Passes } else { FilteredHit::Unsure };
    }
    let is_clear = (start - 0.5 * (high + low)).abs() > 0.5 * (high - low);
    if !(is_usable & is_clear & (beyond(low) < 0.0)) {
        return FilteredHit::Unsure;
    }
    if start < low {
        return FilteredHit::Inside;
    }
    let root = sqrt(radius * radius * square - aside_square);
    // Components of the normal along the ray and across it. The sum of their squares is the squared
    // radius.
    let normal = (displacement.perp() * -aside - displacement * root) / (radius * square);
    FilteredHit::Enters((along - root) / square, normal, Feature::Vertex(0))
}

/// Casts a ray against a rectangle, both without a radius.
#[inline(always)]
pub(super) fn of_box(prepared: &PreparedRay, part: Part<'_>) -> FilteredHit {
    let half = part.convex.as_rectangle().filter(|_| prepared.radius + part.convex.radius == 0.0);
    let Some(half) = half else { return FilteredHit::Unsure };
    let error_bound = prepared.error_bound(&part);
    let (from, displacement) = prepared.seen_from(&part.pose);
    // Mirror so that the ray points right and up.
    let signs = DVec2::new(1.0_f64.copysign(displacement.x), 1.0_f64.copysign(displacement.y));
    let (from, displacement) = (from * signs, displacement * signs);
    let (before, beyond, end) = (-half - from, from - half, from + displacement);
    let behind = beyond.max(-half - end).max_element();
    let (aside, extent) = (cross(displacement, from).abs(), half.x * displacement.y + half.y * displacement.x);
    let length = norm1(displacement);
    // Underflow is left to the general path.
    if error_bound * length < 1e-300 {
        return FilteredHit::Unsure;
    }
    if (behind > error_bound) | (aside > extent + error_bound * length) {
        return FilteredHit::Passes;
    }
    if (behind >= -error_bound) | (aside >= extent - error_bound * length) {
        return FilteredHit::Unsure;
    }
    // The ray hits the rectangle. Find the side of the entry.
    let outside = before.max_element();
    if outside <= error_bound {
        return if outside < -error_bound { FilteredHit::Inside } else { FilteredHit::Unsure };
    }
    let times = before / displacement;
    let sideways = times.x >= times.y;
    let (time, speed) = (times.max_element(), select_unpredictable(sideways, displacement.x, displacement.y));
    // Almost parallel to the side, rounding moves the entry point far.
    if 64.0 * speed < length {
        return FilteredHit::Unsure;
    }
    let inward = select_unpredictable(sideways, signs.x, signs.y);
    let normal = select_unpredictable(sideways, DVec2::NEG_X, DVec2::NEG_Y) * inward;
    // Counter-clockwise from the bottom side.
    let edge = select_unpredictable(sideways, 2.0, 1.0) + select_unpredictable(sideways, inward, -inward);
    FilteredHit::Enters(time, part.pose.rotate_vector(normal), Feature::Edge(edge as u32))
}
