//! What can be asked of two placed shapes.

mod circles;
mod clip;
mod closest;
mod common;
mod exact;
mod explain;
mod gjk;
mod hulls;
mod kernel;
mod manifold;
mod pair;
mod point;
mod sat;
mod separation;
mod support;

use glam::DVec2;

use crate::shape::Placed;
use exact::Relation;
pub use explain::{Axis, AxisSource, Explanation, explain};
pub use manifold::{ContactId, ContactPoint, Feature, Manifold};

/// Do the shapes share a point? Touching counts. Exact.
///
/// ```
/// use carom::{Shape, intersects, overlaps};
///
/// let square = Shape::rectangle(1.0, 1.0)?;
/// assert!(intersects(square.at([0.0, 0.0])?, square.at([1.0, 0.0])?)); // they share an edge
/// assert!(!overlaps(square.at([0.0, 0.0])?, square.at([1.0, 0.0])?)); // and nothing more
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
pub fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    kernel::relation(a.part(), b.part()) != Relation::Apart
}

/// Do the shapes overlap by more than their boundaries: is the depth above 0? Exact.
///
/// That is where the origin lies in the interior of their Minkowski difference: two segments that cross overlap, collinear ones touch, a point
/// inside a polygon overlaps it.
#[inline]
pub fn overlaps(a: Placed<'_>, b: Placed<'_>) -> bool {
    kernel::relation(a.part(), b.part()) == Relation::Overlapping
}

/// How the shapes meet, `None` where they do not: normal, depth and one or two points.
///
/// Where several normals serve, it is the first: of concentric circles a's +x axis, of faces that are equally deep the first shape's, of those the one
/// whose edge comes first in counter-clockwise order from the lowest x (then y) corner.
#[inline]
pub fn collide(a: Placed<'_>, b: Placed<'_>) -> Option<Manifold> {
    kernel::contact(a.part(), b.part(), 0.0)
}

/// [`collide`] that reports near misses too: `Some` where the distance is at most `margin`, with a negative depth where there is a gap.
///
/// A margin that is negative or NaN counts as 0.
///
/// ```
/// use carom::{Shape, collide_within};
///
/// let ball = Shape::circle(1.0)?;
/// let near = collide_within(ball.at([0.0, 0.0])?, ball.at([2.5, 0.0])?, 1.0).unwrap();
/// assert_eq!(near.depth, -0.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
pub fn collide_within(a: Placed<'_>, b: Placed<'_>, margin: f64) -> Option<Manifold> {
    kernel::contact(a.part(), b.part(), margin.max(0.0))
}

/// The distance of two shapes and a point of each that is as near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// 0 exactly where the shapes meet.
    pub distance: f64,
    /// A point of the first shape.
    pub point_a: DVec2,
    /// A point of the second shape; where the shapes meet the same as `point_a`, up to rounding.
    pub point_b: DVec2,
}

/// How far apart the shapes are, and where.
///
/// ```
/// use carom::{DVec2, Shape, distance};
///
/// let ball = Shape::circle(1.0)?;
/// let wall = Shape::segment([0.0, -5.0], [0.0, 5.0])?;
/// let gap = distance(ball.at([3.0, 2.0])?, wall.at([0.0, 0.0])?);
/// assert_eq!(gap.distance, 2.0);
/// assert_eq!((gap.point_a, gap.point_b), (DVec2::new(2.0, 2.0), DVec2::new(0.0, 2.0)));
/// # Ok::<(), carom::Error>(())
/// ```
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Distance {
    kernel::distance(a.part(), b.part())
}
