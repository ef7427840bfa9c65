//! Explains a containment: the parts that contain each part of a shape, or a point outside.
//!
//! Input: two placed shapes. Output: one result per part of the inner shape. If the outer shape is
//! convex, the point outside is the farthest one. The distance from a convex shape is largest at a
//! vertex, so only vertices are compared. If the outer shape is a union, the point is the first gap
//! that the test finds.

use alloc::vec::Vec;

use glam::DVec2;

use super::{containment_in_union, part_contains};
use crate::query::convex_pair::unlimited;
use crate::query::pair::Pair;
use crate::query::ray::convex::circle_at;
use crate::query::separation::separation;
use crate::shape::Placed;
use crate::shape::part::Part;

/// The reason why a shape is contained in another, or a point outside.
///
/// ```
/// use carom::{DVec2, Shape};
/// use carom::explain::explain_contains;
/// use carom::query::Containment;
///
/// let (plate, disk) = (Shape::rectangle(4.0, 4.0)?, Shape::circle(1.0)?);
/// let why = explain_contains(plate.at([0.0, 0.0])?, disk.at([1.5, 0.0])?);
/// assert!(!why.contains());
/// assert_eq!(why.outside(), Some(DVec2::new(2.5, 0.0))); // half a unit out
/// assert_eq!(explain_contains(plate.at([0.0, 0.0])?, disk.at([1.0, 0.0])?).parts(), [Containment::InPart(0)]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContainsExplanation {
    /// One entry per part of the inner shape.
    parts: Vec<Containment>,
}

/// Containment of one part of the inner shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Containment {
    /// This part of the outer shape contains it alone.
    InPart(u32),
    /// Several parts of the outer shape contain it together, without a gap between them.
    InUnion,
    /// It is not contained. The point of the part is outside, or on the boundary of the outer shape
    /// if the part continues outside there. Rounded. If the outer shape is convex, it is the point
    /// farthest outside.
    Outside {
        /// The point outside.
        at: DVec2,
    },
}

impl ContainsExplanation {
    /// Returns the containment of each part of the inner shape, by part index.
    #[must_use]
    pub fn parts(&self) -> &[Containment] {
        &self.parts
    }

    /// Returns the result of [`contains`](crate::contains).
    #[must_use]
    pub fn contains(&self) -> bool {
        self.outside().is_none()
    }

    /// Returns the point outside of the first part that is not contained.
    #[must_use]
    pub fn outside(&self) -> Option<DVec2> {
        self.parts.iter().find_map(|part| if let Containment::Outside { at } = part { Some(*at) } else { None })
    }
}

/// Explains the result of [`contains`](crate::contains): for each part of `b`, the parts of `a`
/// that contain it, or a point outside `a`.
///
/// [`ContainsExplanation`] has an example.
#[must_use]
pub fn explain_contains(a: Placed<'_>, b: Placed<'_>) -> ContainsExplanation {
    let only = (a.shape().part_count() == 1).then(|| a.part(0));
    let containment = |part: Part<'_>| match only {
        Some(a) if part_contains(a, part) => Containment::InPart(0),
        Some(a) => Containment::Outside { at: farthest_outside(a, part) },
        None => containment_in_union(a, part),
    };
    ContainsExplanation { parts: b.parts().map(containment).collect() }
}

/// Returns the point of `b` farthest outside `a`. The distance from a convex shape is largest at a
/// vertex.
fn farthest_outside(a: Part<'_>, b: Part<'_>) -> DVec2 {
    let distances = b.points().map(|vertex| {
        let (point, pose) = circle_at(vertex, 0.0);
        let pair = Pair::new(a, Part { convex: &point, pose });
        let found = separation(&pair, unlimited(&pair));
        (found.distance, vertex + found.normal * b.convex.radius)
    });
    distances
        .reduce(|farthest, next| if next.0 > farthest.0 { next } else { farthest })
        .map_or(DVec2::ZERO, |(_, at)| at)
}
