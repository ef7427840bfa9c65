//! Queries of placed shapes: pairs, rays, points, and one against many.
//!
//! The usual ones are in the root of the crate too.
//!
//! ```
//! use carom::query::{collide_within, overlap_region};
//! use carom::Shape;
//!
//! let square = Shape::rectangle(2.0, 2.0)?;
//! let (a, b) = (square.at([0.0, 0.0])?, square.at([1.0, 0.0])?);
//! assert_eq!(overlap_region(a, b, 0.0).area(), 2.0);
//! assert_eq!(collide_within(a, square.at([3.0, 0.0])?, 1.0).unwrap().depth, -1.0); // a near miss
//! # Ok::<(), carom::Error>(())
//! ```

mod circles;
mod clip;
mod closest_features;
mod common_point;
mod composite;
pub(crate) mod contains;
pub(crate) mod convex_pair;
mod distance_cache;
mod dual_traversal;
pub(crate) mod exact;
pub(crate) mod explain;
mod fast_path;
mod gjk;
pub(crate) mod internal_edges;
pub(crate) mod manifold;
mod max_separation;
mod minkowski;
mod one_sided;
mod overlap_region;
pub(crate) mod pair;
mod pipeline;
mod point;
mod ray;
mod sat;
mod sat_bounds;
mod separation;
pub(crate) mod support;
mod thin;
pub(crate) mod toi;
mod union_boundary;

use alloc::vec::Vec;

use glam::DVec2;

pub use crate::shape::MassProperties;
use crate::shape::Placed;
pub use contains::{Containment, contains};
pub use distance_cache::{DistanceCache, distance_cached};
use exact::Relation;
pub use manifold::{ContactId, ContactPoint, Feature, Manifold};
pub use overlap_region::{OverlapRegion, overlap_region};
pub use pipeline::{QuantizedShapes, QueryPipeline};
pub use point::BoundaryPoint;
pub use ray::{RayHit, ray_cast};
pub use toi::{Impact, ShapeHit, time_of_impact};
pub(crate) use toi::{Least, first_approach};

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
#[must_use]
pub fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    relation(a, b, Relation::Touching) != Relation::Apart
}

/// Decides whether the shapes overlap by more than their boundaries: whether the depth is above 0. Exact.
///
/// - Two convex shapes overlap if the origin lies in the interior of their Minkowski difference. Two segments that cross overlap, collinear
///   ones touch, and a point inside a polygon overlaps it.
/// - Composites overlap as unions: the answer never depends on how a shape is cut into parts. Two parts with area overlap if their interiors
///   meet. A part without area (a point, a segment, a link of a chain) overlaps if it meets the interior of the other union. So a point on an
///   inner seam is inside. A corner at which areas only touch each other is boundary.
/// - Parts without area of both shapes also overlap if they cross: their branches alternate around the shared point or stretch. A
///   segment that crosses a chain at a vertex overlaps it. A segment that only touches the vertex does not.
///   A link along or inside a part with area of its own shape adds nothing to that shape.
///
/// ```
/// use carom::{Shape, overlaps};
///
/// let ell = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]])?;
/// let point = Shape::circle(0.0)?;
/// assert!(overlaps(ell.at([0.0, 0.0])?, point.at([1.0, 1.0])?)); // wherever the parts of the polygon meet
/// assert!(!overlaps(ell.at([0.0, 0.0])?, point.at([2.0, 2.0])?)); // a corner
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
#[must_use]
pub fn overlaps(a: Placed<'_>, b: Placed<'_>) -> bool {
    relation(a, b, Relation::Overlapping) == Relation::Overlapping
}

/// Two circles take so few instructions that a call, and handing the poses on, would be the larger part: they are worked out where the question is asked.
#[inline(always)]
fn relation(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
    if let (Some(p), Some(q)) = (a.as_point(), b.as_point())
        && let Some(relation) = circles::filtered_relation(&p.0, &q.0, p.1, q.1)
    {
        return relation;
    }
    relation_of_any(a, b, enough)
}

#[inline(never)]
fn relation_of_any(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
    match (a.as_convex(), b.as_convex()) {
        (Some((p, pose_p)), Some((q, pose_q))) => fast_path::relation([p, q], [pose_p, pose_q]),
        _ => composite::relation(a, b, enough),
    }
}

/// How the shapes meet, `None` where they do not: normal, depth and one or two points. Of composites it is the deepest pair of parts; of several that of the lowest numbers.
///
/// If the unions of two composites [overlap](overlaps) though all pairs of parts touch at most, parts without area (points, segments, links)
/// overlap the other union. Then normal and depth are the shortest way out of that union. For several such parts the deepest of their ways
/// out counts. Links that cross at a vertex move together. `part_a` and `part_b` are a pair of parts that touch.
///
/// Where several normals serve, it is the first: of concentric circles a's +x axis, of faces that are equally deep the first shape's, of those the one
/// whose edge comes first in counter-clockwise order from the lowest x (then y) corner.
#[inline]
#[must_use]
pub fn collide(a: Placed<'_>, b: Placed<'_>) -> Option<Manifold> {
    contact(a, b, 0.0)
}

/// [`collide`] that reports near misses too: `Some` where the distance is at most `margin`, with a negative depth where there is a gap.
///
/// A margin that is negative or NaN counts as 0.
///
/// ```
/// use carom::Shape;
/// use carom::query::collide_within;
///
/// let ball = Shape::circle(1.0)?;
/// let near = collide_within(ball.at([0.0, 0.0])?, ball.at([2.5, 0.0])?, 1.0).unwrap();
/// assert_eq!(near.depth, -0.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
#[must_use]
pub fn collide_within(a: Placed<'_>, b: Placed<'_>, margin: f64) -> Option<Manifold> {
    contact(a, b, margin.max(0.0))
}

/// Two circles first, as above.
#[inline(always)]
fn contact(a: Placed<'_>, b: Placed<'_>, margin: f64) -> Option<Manifold> {
    if let (Some(p), Some(q)) = (a.as_point(), b.as_point())
        && let Ok(found) = circles::filtered_contact(&p.0, &q.0, p.1, q.1, margin)
    {
        return found;
    }
    contact_of_any(a, b, margin)
}

#[inline(never)]
fn contact_of_any(a: Placed<'_>, b: Placed<'_>, margin: f64) -> Option<Manifold> {
    // Not by parts: those would be copies of the poses.
    match (a.as_convex(), b.as_convex()) {
        (Some((p, pose_p)), Some((q, pose_q))) => fast_path::contact([p, q], [pose_p, pose_q], margin),
        _ => composite::deepest(a, b, margin),
    }
}

/// Appends the manifold of every pair of parts of two shapes that meet, sorted by the numbers of the parts; of convex shapes the one of [`collide`].
///
/// The deepest is that of [`collide`], also if the unions overlap though the parts only touch.
///
/// ```
/// use carom::{Pose, Shape, manifolds};
///
/// let table = Shape::compound([
///     (Shape::rectangle(0.2, 1.0)?, Pose::from_translation([-1.0, 0.0])?),
///     (Shape::rectangle(0.2, 1.0)?, Pose::from_translation([1.0, 0.0])?),
/// ])?;
/// let floor = Shape::rectangle(10.0, 1.0)?;
/// let mut contacts = Vec::new();
/// manifolds(table.at([0.0, 0.0])?, floor.at([0.0, -0.9])?, &mut contacts);
/// assert_eq!(contacts.iter().map(|m| m.part_a).collect::<Vec<_>>(), [0, 1]); // both legs
/// # Ok::<(), carom::Error>(())
/// ```
pub fn manifolds(a: Placed<'_>, b: Placed<'_>, out: &mut Vec<Manifold>) {
    manifolds_within(a, b, 0.0, out);
}

/// [`manifolds`] with near misses: every pair of parts whose distance is at most `margin` (0 where that is negative or NaN).
pub fn manifolds_within(a: Placed<'_>, b: Placed<'_>, margin: f64, out: &mut Vec<Manifold>) {
    match (a.as_part(), b.as_part()) {
        (Some(a), Some(b)) => out.extend(fast_path::contact_of_parts(a, b, margin.max(0.0))),
        _ => composite::all(a, b, margin.max(0.0), out),
    }
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
    /// The part of the first shape that is nearest; 0 where it is convex.
    pub part_a: u32,
    /// The part of the second shape that is nearest; 0 where it is convex.
    pub part_b: u32,
}

impl Distance {
    #[inline(always)]
    fn new(distance: f64, [point_a, point_b]: [DVec2; 2]) -> Self {
        Self { distance, point_a, point_b, part_a: 0, part_b: 0 }
    }
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
#[must_use]
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Distance {
    match (a.as_part(), b.as_part()) {
        (Some(a), Some(b)) => convex_pair::distance(a, b),
        _ => composite::distance(a, b, None),
    }
}
