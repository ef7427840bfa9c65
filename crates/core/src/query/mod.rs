//! Queries on placed shapes: pairs, rays, points, and one shape against many.
//!
//! The most common functions are also exported from the crate root.
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
//!
//! All predicates are exact: a floating-point filter decides most cases, integer arithmetic the
//! rest. Depths, distances and times are rounded, but the sign of a depth is exact.

mod capsules;
mod circles;
mod clip;
mod closest_features;
mod common_point;
pub(crate) mod composite;
pub(crate) mod contains;
pub(crate) mod convex_pair;
mod distance_cache;
mod dual_traversal;
pub(crate) mod exact;
pub(crate) mod explain;
mod fast_path;
mod feature_pair;
mod gjk;
pub(crate) mod internal_edges;
mod max_separation;
mod minkowski;
mod one_sided;
pub(crate) mod outline;
mod outline_relation;
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
mod vector_pair;
mod within_distance;

use alloc::vec::Vec;

pub use crate::pair_result::{ContactId, ContactPoint, Distance, Feature, Manifold};
use crate::pair_result::{Margin, Relation};
pub use crate::shape::MassProperties;
use crate::shape::Placed;
use crate::shape::composite::convex_pair;
pub use contains::{Containment, contains};
pub use distance_cache::{DistanceCache, distance_cached};
pub use outline_relation::{OutlinePair, OutlineRelation, PreparedOutline, outline_relation};
pub use overlap_region::{OverlapRegion, overlap_region};
pub use pipeline::{QuantizedShapes, QueryPipeline};
pub use point::BoundaryPoint;
pub use ray::{RayHit, ray_cast};
pub use toi::{Impact, ShapeHit, time_of_impact, time_of_impact_within};
pub(crate) use toi::{
    Least, enters_at_start, first_after_slides, first_approach, first_that_counts, passage_after, time_of_impact_closed,
};
pub(crate) use within_distance::is_within;
pub use within_distance::within_distance;

/// Returns true if the shapes share a point. Touching counts. Exact.
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

/// Returns true if the depth is above 0: the shapes share more than boundary points. Exact.
///
/// - Two convex shapes overlap if the origin lies in the interior of their Minkowski difference. Two segments that
///   cross properly overlap. Collinear segments only touch. A point strictly inside a polygon overlaps it.
/// - Composites overlap as unions: the result never depends on how a shape is cut into parts. Two parts with area
///   overlap if their interiors intersect. A part without area (a point, a segment, a link of a chain) overlaps if
///   it intersects the interior of the other union. So a point on an inner seam is inside. A vertex at which areas
///   only touch each other is boundary.
/// - Parts without area of both shapes also overlap if they cross. Then their branches alternate around the shared
///   point or shared segment. A segment that crosses a chain at a vertex overlaps the chain. A segment that only
///   touches the vertex does not. A link along or inside a part with area of its own shape adds nothing to that
///   shape.
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

/// Returns the relation, or any relation at least as strong as `enough`.
///
/// Two circles are computed inline: a call that passes both poses would cost more than the computation.
#[inline(always)]
fn relation(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
    if let (Some(p), Some(q)) = (a.as_point(), b.as_point())
        && let Some(relation) = circles::filtered_relation(&p.0, &q.0, p.1, q.1)
    {
        return relation;
    }
    relation_of_any(a, b, enough)
}

/// Returns the relation of any two shapes; a composite may stop at `enough`.
#[inline(never)]
fn relation_of_any(a: Placed<'_>, b: Placed<'_>, enough: Relation) -> Relation {
    match convex_pair(&a, &b) {
        Ok((convexes, poses)) => fast_path::relation(convexes, poses),
        Err(queries) => queries.relation(a, b, enough),
    }
}

/// Returns normal, depth and one or two contact points if the shapes intersect, else `None`.
///
/// For a composite: the deepest pair of parts. Tie: lowest part index.
///
/// The unions of two composites can [overlap](overlaps) although all pairs of parts at most touch. Then parts without
/// area (points, segments, links) overlap the other union. Normal and depth are then the shortest translation out of
/// that union (MTV). For several such parts the deepest of these translations counts. Links that cross at a vertex
/// move together. `part_a` and `part_b` are a pair of parts that touch.
///
/// If several normals are equally good, the choice is fixed. Concentric circles use the +x axis of `a`.
/// For equally deep edges, the first shape's edge counts. Among edges of one shape, the first one in
/// counter-clockwise order from the vertex with the lowest x (then y) counts.
///
/// ```
/// use carom::{DVec2, Shape, collide};
///
/// let (ball, wall) = (Shape::circle(1.0)?, Shape::rectangle(1.0, 10.0)?);
/// let manifold = collide(ball.at([0.0, 0.0])?, wall.at([1.25, 0.0])?).unwrap();
/// assert_eq!((manifold.normal, manifold.depth), (DVec2::X, 0.25)); // from the ball to the wall
/// assert_eq!(manifold.points()[0].on_a, DVec2::new(1.0, 0.0));
/// assert!(collide(ball.at([0.0, 0.0])?, wall.at([2.0, 0.0])?).is_none()); // a gap of 0.5
/// # Ok::<(), carom::Error>(())
/// ```
#[inline]
#[must_use]
#[doc(alias("contact", "manifold"))]
pub fn collide(a: Placed<'_>, b: Placed<'_>) -> Option<Manifold> {
    contact(a, b, Margin::ZERO)
}

/// Returns the [`collide`] result also for shapes whose distance is at most `margin`. A gap gives a negative depth.
///
/// The exact distance counts, not the rounded [`distance`], as in [`within_distance`]. The depth is never below minus
/// the margin. A negative or NaN `margin` counts as 0.
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
    contact(a, b, Margin::exact(margin.max(0.0)))
}

/// Computes two circles inline, as [`relation`] does.
#[inline(always)]
fn contact(a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold> {
    if let (Some(p), Some(q)) = (a.as_point(), b.as_point())
        && let Ok(found) = circles::filtered_contact(&p.0, &q.0, p.1, q.1, margin.length())
    {
        return found;
    }
    contact_of_any(a, b, margin)
}

/// Returns the manifold of any two shapes, composites included.
#[inline(never)]
fn contact_of_any(a: Placed<'_>, b: Placed<'_>, margin: Margin) -> Option<Manifold> {
    // Passing parts would copy the poses.
    match convex_pair(&a, &b) {
        Ok((convexes, poses)) => fast_path::contact(convexes, poses, margin),
        Err(queries) => queries.deepest(a, b, margin),
    }
}

/// Appends one manifold per intersecting pair of parts, sorted by the part indices.
///
/// For two convex shapes this is the manifold of [`collide`]. The deepest manifold always equals that of
/// [`collide`], also if the unions overlap although the parts only touch.
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

/// Appends the [`manifolds`] of all pairs of parts whose distance is at most `margin`, compared as
/// in [`collide_within`].
///
/// A negative or NaN `margin` counts as 0.
///
/// ```
/// use carom::Shape;
/// use carom::query::manifolds_within;
///
/// let (corner, ball) = (Shape::chain(&[[0.0, 4.0], [0.0, 0.0], [4.0, 0.0]])?, Shape::circle(1.0)?);
/// let mut manifolds = Vec::new();
/// manifolds_within(corner.at([0.0, 0.0])?, ball.at([1.25, 0.75])?, 0.5, &mut manifolds);
/// let found: Vec<_> = manifolds.iter().map(|manifold| (manifold.part_a, manifold.depth)).collect();
/// assert_eq!(found, [(0, -0.25), (1, 0.25)]); // near the wall, in the floor
/// # Ok::<(), carom::Error>(())
/// ```
pub fn manifolds_within(a: Placed<'_>, b: Placed<'_>, margin: f64, out: &mut Vec<Manifold>) {
    let margin = Margin::exact(margin.max(0.0));
    // The path of `collide`: circles are computed inline.
    if a.as_part().is_some() && b.as_part().is_some() {
        out.extend(contact(a, b, margin));
    } else {
        all_contacts(a, b, margin, out);
    }
}

fn all_contacts(a: Placed<'_>, b: Placed<'_>, margin: Margin, out: &mut Vec<Manifold>) {
    match convex_pair(&a, &b) {
        Ok(([p, q], [at_p, at_q])) => {
            out.extend(fast_path::contact_of_parts(p.placed(at_p), q.placed(at_q), margin));
        }
        Err(queries) => queries.manifolds(a, b, margin, out),
    }
}

/// Returns the distance of two shapes and a pair of closest points.
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
#[doc(alias = "closest_points")]
#[must_use]
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Distance {
    // Parts, not references to the poses: otherwise the distance of two circles takes 20 % longer.
    if let (Some(a), Some(b)) = (a.as_part(), b.as_part()) {
        return convex_pair::distance(a, b);
    }
    distance_of_any(a, b)
}

#[inline(never)]
fn distance_of_any(a: Placed<'_>, b: Placed<'_>) -> Distance {
    match convex_pair(&a, &b) {
        Ok(([p, q], [at_p, at_q])) => convex_pair::distance(p.placed(at_p), q.placed(at_q)),
        Err(queries) => queries.distance(a, b),
    }
}
