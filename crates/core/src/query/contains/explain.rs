//! What holds each part of a shape, or where it sticks out.

use alloc::vec::Vec;

use glam::DVec2;

use super::{held_by_union, holds};
use crate::query::convex_pair::unlimited;
use crate::query::pair::Pair;
use crate::query::ray::convex::circle_at;
use crate::query::separation::separation;
use crate::shape::Placed;
use crate::shape::part::Part;

/// Why a shape lies wholly in another, or where it does not.
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
    parts: Vec<Containment>,
}

/// What holds one part of the inner shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Containment {
    /// This part of the outer shape holds it alone.
    InPart(u32),
    /// Several parts of the outer shape hold it together, without a gap between them.
    InUnion,
    /// It is not held, and this is where: a place of it that is outside, or on the boundary where it goes on outside; up to rounding. Where the outer shape is convex, its point farthest
    /// outside.
    Outside {
        /// The place.
        at: DVec2,
    },
}

impl ContainsExplanation {
    /// What holds each part of the inner shape, by its number.
    #[must_use]
    pub fn parts(&self) -> &[Containment] {
        &self.parts
    }

    /// What [`contains`](crate::contains) answers.
    #[must_use]
    pub fn contains(&self) -> bool {
        self.outside().is_none()
    }

    /// Where the first part that is not held is outside.
    #[must_use]
    pub fn outside(&self) -> Option<DVec2> {
        self.parts.iter().find_map(|held| if let Containment::Outside { at } = held { Some(*at) } else { None })
    }
}

/// Why [`contains`](crate::contains) answers as it does: what holds each part of `b`, or where it is outside of `a`.
#[must_use]
pub fn explain_contains(a: Placed<'_>, b: Placed<'_>) -> ContainsExplanation {
    let only = (a.shape().part_count() == 1).then(|| a.part(0));
    let held = |part: Part<'_>| match only {
        Some(a) if holds(a, part) => Containment::InPart(0),
        Some(a) => Containment::Outside { at: farthest_outside(a, part) },
        None => held_by_union(a, part),
    };
    ContainsExplanation { parts: b.parts().map(held).collect() }
}

/// The point of `b` farthest outside of `a`: the distance from a convex shape is greatest at a corner.
fn farthest_outside(a: Part<'_>, b: Part<'_>) -> DVec2 {
    let places = b.points().map(|corner| {
        let (point, pose) = circle_at(corner, 0.0);
        let pair = Pair::new(a, Part { convex: &point, pose });
        let found = separation(&pair, unlimited(&pair));
        (found.distance, corner + found.normal * b.convex.radius)
    });
    places.reduce(|farthest, next| if next.0 > farthest.0 { next } else { farthest }).map_or(DVec2::ZERO, |(_, at)| at)
}
