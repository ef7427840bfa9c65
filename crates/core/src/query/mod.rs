//! What can be asked of two placed shapes.

mod circles;
mod clip;
mod closest;
mod common;
mod exact;
mod explain;
mod gjk;
mod hulls;
mod manifold;
mod pair;
mod point;
mod sat;
mod separation;
mod support;

use glam::DVec2;

use crate::shape::Placed;
use circles::WithRectangle;
use closest::{Features, faces, features};
use exact::Relation;
pub use explain::{Axis, AxisSource, Explanation, explain};
pub use manifold::{ContactId, ContactPoint, Feature, Manifold};
use pair::Pair;
use separation::{Separation, foot_on_edge, separation};

/// The least positive number: a distance or depth that is not 0, whatever rounding says.
const LEAST: f64 = f64::from_bits(1);

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
    relation(a, b) != Relation::Apart
}

/// Do the shapes overlap by more than their boundaries: is the depth above 0? Exact.
///
/// That is where the origin lies in the interior of their Minkowski difference: two segments that cross overlap, collinear ones touch, a point
/// inside a polygon overlaps it.
#[inline]
pub fn overlaps(a: Placed<'_>, b: Placed<'_>) -> bool {
    relation(a, b) == Relation::Overlapping
}

#[inline(always)]
fn relation(a: Placed<'_>, b: Placed<'_>) -> Relation {
    if let (Some(p), Some(q)) = (a.shape().0.as_point(), b.shape().0.as_point()) {
        return circles::with_circle(a, b, p, q);
    }
    let pair = Pair::new(a, b);
    if let Some(closed_form) = WithRectangle::new(&pair) {
        return pair.relation(closed_form.distance() - pair.radius);
    }
    if pair.gap <= pair.radius + pair.doubt
        && sat::many_corners(a.shape().0.corner_count(), b.shape().0.corner_count())
        && let Some(relation) = hulls::quick_relation(&pair)
    {
        return relation;
    }
    let Some(faces) = faces(&pair, pair.radius + pair.doubt) else { return Relation::Apart };
    let separation_of_hulls = faces[0].separation.max(faces[1].separation);
    if pair.radius == 0.0 || separation_of_hulls < -pair.doubt {
        // The hulls overlap, and the better so with the radii; or there are no radii, and a corner before a corner is as far apart as the faces say or farther.
        return pair.relation(separation_of_hulls);
    }
    pair.relation(separation(&pair, features(&pair, faces)).distance - pair.radius)
}

/// How the shapes meet, `None` where they do not: normal, depth and one or two points.
///
/// Where several normals serve, it is the first: of concentric circles a's +x axis, of faces that are equally deep the first shape's, of those the one
/// whose edge comes first in counter-clockwise order from the lowest x (then y) corner.
#[inline]
pub fn collide(a: Placed<'_>, b: Placed<'_>) -> Option<Manifold> {
    contact(a, b, 0.0)
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
    contact(a, b, margin.max(0.0))
}

#[inline(always)]
fn contact(a: Placed<'_>, b: Placed<'_>, margin: f64) -> Option<Manifold> {
    if let (Some(p), Some(q)) = (a.shape().0.as_point(), b.shape().0.as_point()) {
        return circles::contact(a, b, p, q, margin);
    }
    let pair = Pair::new(a, b);
    let limit = pair.radius + margin + pair.doubt;
    let features = match WithRectangle::new(&pair) {
        Some(closed_form) if closed_form.distance() > limit => return None,
        Some(closed_form) => closed_form.features(&pair),
        None => features(&pair, faces(&pair, limit)?),
    };
    let found = separation(&pair, features);
    let depth = judged_depth(&pair, &found);
    if depth >= -margin { Some(clip::manifold(&pair, features, &found, depth, margin)) } else { None }
}

/// The depth (negative: minus the distance), with the sign that the exact predicate gives it.
#[inline(always)]
fn judged_depth(pair: &Pair<'_>, found: &Separation) -> f64 {
    let depth = pair.radius - found.distance;
    if depth.abs() > pair.doubt { depth } else { judged(depth, pair.relation(-depth)) }
}

/// A computed depth with the sign of the exact relation.
#[inline(always)]
fn judged(depth: f64, relation: Relation) -> f64 {
    match relation {
        Relation::Apart => depth.min(-LEAST),
        Relation::Touching => 0.0,
        Relation::Overlapping => depth.max(LEAST),
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
    let pair = Pair::new(a, b);
    let features = unlimited(&pair);
    let found = separation(&pair, features);
    let depth = judged_depth(&pair, &found);
    if found.distance <= 0.0 && depth >= 0.0 {
        let point = common::point(&pair);
        return Distance { distance: 0.0, point_a: point, point_b: point };
    }
    let (point_a, point_b) = witnesses(&pair, features);
    let (radius_a, radius_b) = (a.shape().radius(), b.shape().radius());
    if depth >= 0.0 {
        // The rounded rims overlap between the hulls: a point that is within both radii.
        let part = if pair.radius > 0.0 { radius_a / pair.radius } else { 0.5 };
        let point = point_a + (point_b - point_a) * part;
        return Distance { distance: 0.0, point_a: point, point_b: point };
    }
    Distance { distance: -depth, point_a: point_a + found.normal * radius_a, point_b: point_b - found.normal * radius_b }
}

/// The features of a pair, however far apart.
fn unlimited(pair: &Pair<'_>) -> Features {
    // Without a limit there are always faces.
    faces(pair, f64::INFINITY).map_or(Features::Corners([0, 0]), |faces| features(pair, faces))
}

/// The nearest points of two hulls that are apart.
fn witnesses(pair: &Pair<'_>, features: Features) -> (DVec2, DVec2) {
    let [a, b] = &pair.sides;
    match features {
        Features::Corners([i, j]) => (a.placed(i), b.placed(j)),
        Features::Face { of: 0, edge, corner } => (foot_on_edge(a, edge, b.placed(corner)), b.placed(corner)),
        Features::Face { edge, corner, .. } => (a.placed(corner), foot_on_edge(b, edge, a.placed(corner))),
    }
}
