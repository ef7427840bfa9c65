//! Decides whether the distance of two shapes is at most a limit.
//!
//! Input: two placed shapes and a limit. Output: a truth value, exact.
//!
//! ```text
//! gap = distance of the shapes, rounded
//! |gap − limit| above the error bound: gap ≤ limit
//! else: a pair of parts is within the limit, by the exact predicate (contact with an exact margin)
//! ```
//!
//! The filter needs no convex parts of polygons, and decides almost all pairs.

use super::dual_traversal::rounding;
use super::{contact, distance};
use crate::math::vector::norm1;
use crate::pair_result::Margin;
use crate::shape::{Form, Placed};

/// Returns true if the distance of the shapes is at most `limit`. Exact.
///
/// [`distance`](crate::distance) is rounded: it can be above the limit although the exact distance is not. A negative
/// limit and NaN return false. An infinite limit returns true.
///
/// ```
/// use carom::query::within_distance;
/// use carom::{Pose, Shape};
///
/// let (point, line) = (Shape::segment([0.0, 3.0], [0.0, 3.0])?, Shape::segment([4.0, 0.0], [7.0, 4.0])?);
/// let (point, line) = (point.placed(Pose::IDENTITY), line.placed(Pose::IDENTITY));
/// assert!(within_distance(point, line, 5.0)); // the distance is exactly 5
/// assert!(!within_distance(point, line, 5.0_f64.next_down()));
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn within_distance(a: Placed<'_>, b: Placed<'_>, limit: f64) -> bool {
    is_within(a, b, distance(a, b).distance, limit)
}

/// Returns [`within_distance`] from the computed distance `gap` of the shapes.
#[inline]
pub(crate) fn is_within(a: Placed<'_>, b: Placed<'_>, gap: f64, limit: f64) -> bool {
    // A distance of 0 is exact. If a number is NaN or infinite, the comparison is false.
    if gap > 0.0 && limit > 0.0 && (gap - limit).abs() <= error_bound(&a, &b) {
        return decide(a, b, limit);
    }
    gap <= limit
}

#[cold]
#[inline(never)]
fn decide(a: Placed<'_>, b: Placed<'_>, limit: f64) -> bool {
    contact(a, b, Margin::exact(limit)).is_some()
}

/// Returns an upper bound of the error of a distance.
fn error_bound(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    let [p, q] = [a, b].map(|placed| placed.pose_ref().translation());
    rounding(reach(a) + reach(b) + norm1(q - p), norm1(p) + norm1(q))
}

/// Returns an upper bound of the distance of a shape's points from its origin. Reads numbers that the shape stores.
pub(super) fn reach(placed: &Placed<'_>) -> f64 {
    match &placed.shape().0 {
        Form::Convex(convex) => convex.bounding_radius + convex.radius,
        Form::Composite(composite) => match (composite.outline(), composite.members()) {
            (Some(outline), _) => outline.reach(),
            (None, Some(members)) => members.reach(),
            (None, None) => composite.bounding_radius(),
        },
    }
}
