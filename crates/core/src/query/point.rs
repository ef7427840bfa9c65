//! Computes containment, signed distance and closest boundary point of a point and a shape.
//!
//! Input: a placed shape and a point. Output: a truth value, or the boundary point with distance
//! and normal. A point is a circle of radius 0, so the pair queries answer all cases but one.
//!
//! That case is a point inside a composite. The deepest part does not suffice: its boundary may be
//! a seam inside the union. So the closest boundary point of the union is searched:
//!
//! ```text
//! for each node of the BVH, closest box first, that is not farther than the best result
//!     for each edge of a part in it
//!         for each interval of the edge that no other part covers
//!             best = its closest point, if closer
//! ```
//!
//! Unions with rounded parts are not searched this way. They return the boundary of the deepest
//! part.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::dual_traversal::{rounding, visit_near};
use super::union_boundary::boundary::UnionPart;
use super::union_boundary::sub_segment::{foot, surrounded};
use super::{collide_within, composite, intersects, outline};
use crate::broad_phase::static_bvh::StaticBvh;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{
    MAX_COORDINATE, MIN_SUBNORMAL, check_point, in_range, length, length_and_direction, norm1, unit,
};
use crate::pair_result::Margin;
use crate::shape::convex::Convex;
use crate::shape::{Form, Placed, Shape};

/// The point of a shape's boundary closest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint {
    /// The closest boundary point.
    pub point: DVec2,
    /// Signed distance of the query point. Negative if and only if it is strictly inside, 0 if and only if it is on the
    /// boundary.
    pub distance: f64,
    /// Outward unit normal. If several are equally good, the choice is fixed.
    pub normal: DVec2,
    /// Index of the part with this boundary; 0 if the shape is convex.
    pub part: u32,
}

impl Placed<'_> {
    /// Returns true if the point is in the shape or on its boundary. Exact.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn contains_point(&self, point: impl IntoPoint) -> Result<bool, Error> {
        match &self.shape().0 {
            Form::Convex(convex) => {
                let point = point.into_point();
                let found = outline::convex_contains_point(convex, self.pose_ref(), point).filter(|_| in_range(point));
                found.map_or_else(|| Ok(intersects(*self, Shape::circle(0.0)?.at(point)?)), Ok)
            }
            Form::Composite(composite) => {
                Ok(composite.queries().contains_point(*self, check_point("point", point.into_point())?))
            }
        }
    }

    /// Returns the signed distance of a point from the shape's boundary, negative inside.
    ///
    /// This is the distance of [`closest_boundary_point`](Placed::closest_boundary_point).
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// let block = Shape::rectangle(2.0, 2.0)?;
    /// let placed = block.at([0.0, 0.0])?;
    /// assert_eq!(placed.signed_distance([4.0, 5.0])?, 5.0);
    /// assert_eq!(placed.signed_distance([0.75, 0.0])?, -0.25);
    /// assert_eq!(placed.signed_distance([1.0, 1.0])?, 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn signed_distance(&self, point: impl IntoPoint) -> Result<f64, Error> {
        Ok(self.closest_boundary_point(point)?.distance)
    }

    /// Returns the boundary point closest to a point, which may be outside or inside.
    ///
    /// The sign of the distance is exact; the rest is rounded. The boundary of a composite is that of the union of its
    /// parts, never a seam. A shape without area (a segment, a chain) is all boundary: its distance is never negative.
    ///
    /// Inside a composite with rounded parts (a rounded chain, a compound of circles), the part in
    /// which the point is deepest counts. The boundary of the union may be farther away. The sign
    /// is exact there too.
    ///
    /// ```
    /// use carom::{DVec2, Pose, Shape};
    ///
    /// let half = Shape::rectangle(1.0, 2.0)?;
    /// let block = Shape::compound([
    ///     (half.clone(), Pose::from_translation([-0.5, 0.0])?),
    ///     (half, Pose::from_translation([0.5, 0.0])?),
    /// ])?;
    /// let nearest = block.at([0.0, 0.0])?.closest_boundary_point([0.0, 0.25])?; // on the seam
    /// assert_eq!((nearest.distance, nearest.point, nearest.normal), (-0.75, DVec2::new(0.0, 1.0), DVec2::Y));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn closest_boundary_point(&self, point: impl IntoPoint) -> Result<BoundaryPoint, Error> {
        let point = check_point("point", point.into_point())?;
        let at_origin = Shape::circle(0.0)?;
        let deepest = deepest(*self, at_origin.at(point)?);
        let inside = deepest.distance <= 0.0;
        Ok(if inside && self.as_part().is_none() { within(*self, point, deepest) } else { deepest })
    }
}

/// Returns the closest part, or the part in which the point is deepest.
fn deepest(placed: Placed<'_>, point: Placed<'_>) -> BoundaryPoint {
    // All distances are below this limit, because both inputs are in range.
    let found = if placed.as_part().is_some() {
        collide_within(placed, point, 8.0 * MAX_COORDINATE)
    } else {
        composite::deepest_of_sets(placed, point, Margin::rounded(8.0 * MAX_COORDINATE))
    };
    let on = |m: &super::Manifold| m.points().first().map_or(point.pose().translation(), |contact| contact.on_a);
    let fallback =
        BoundaryPoint { point: placed.pose().translation(), distance: 8.0 * MAX_COORDINATE, normal: DVec2::X, part: 0 };
    found.map_or(fallback, |m| BoundaryPoint {
        point: on(&m),
        distance: -m.depth + 0.0,
        normal: m.normal,
        part: m.part_a,
    })
}

/// Returns the closest boundary point of a composite shape.
fn within(placed: Placed<'_>, point: DVec2, deepest: BoundaryPoint) -> BoundaryPoint {
    if placed.parts().any(|part| part.convex.radius > 0.0) {
        return deepest;
    }
    let strictly = deepest.distance < 0.0 || surrounded_by_parts(placed, point);
    if !strictly {
        return deepest;
    }
    let Some(composite) = placed.shape().as_composite() else { return deepest };
    let mut nearest = ClosestBoundary::new(placed, composite.bounding_radius(), point);
    nearest.descend(composite.tree(), 0);
    nearest.best.map_or(deepest, |best| BoundaryPoint { distance: (-best.distance).min(-MIN_SUBNORMAL), ..best })
}

/// Returns true if parts that only touch the point together cover its neighborhood.
fn surrounded_by_parts(placed: Placed<'_>, point: DVec2) -> bool {
    let union_parts = union_parts_near(placed, point, point);
    surrounded(point, &mapped(&union_parts, |part| &*part.hull))
}

/// Returns the hulls of the parts whose boxes are near a segment.
fn union_parts_near(placed: Placed<'_>, p: DVec2, q: DVec2) -> Vec<UnionPart> {
    let (mut near, segment) = (Vec::new(), Shape::from(Convex::segment(p, q, 0.0)));
    visit_near(placed, segment.placed(Pose::IDENTITY), 0.0, &mut |(_, part), _| {
        near.push(UnionPart::new(part));
        Continue(())
    });
    near
}

/// Search for the closest boundary point, closest boxes first.
struct ClosestBoundary<'a> {
    /// The composite.
    placed: Placed<'a>,
    /// The query point in world coordinates.
    point: DVec2,
    /// The point in the shape's own frame.
    local: DVec2,
    /// Upper bound of the error of a box distance.
    slack: f64,
    /// True if the point is outside, so distances are positive.
    best: Option<BoundaryPoint>,
}

impl<'a> ClosestBoundary<'a> {
    /// Prepares the search; `bounding_radius` is that of the composite.
    fn new(placed: Placed<'a>, bounding_radius: f64, point: DVec2) -> Self {
        let origin = placed.pose().translation();
        let slack = rounding(bounding_radius + norm1(point - origin), norm1(point) + norm1(origin));
        Self { placed, point, local: placed.pose().inverse_rotate_vector(point - origin), slack, best: None }
    }

    /// Returns true if a distance is larger than the best one so far.
    fn is_beyond(&self, distance: f64) -> bool {
        self.best.is_some_and(|best| distance > best.distance)
    }

    /// Searches the subtree of a node, the nearer child first.
    fn descend(&mut self, tree: &StaticBvh, node: u32) {
        match tree.children(node) {
            Ok(part) => self.visit_part(part),
            Err(children) => {
                let distances = both(children, |child| self.distance(&tree.bounds(child)));
                let first = usize::from(distances[1] < distances[0]);
                for k in [first, 1 - first] {
                    if !self.is_beyond(distances[k] - self.slack) {
                        self.descend(tree, children[k]);
                    }
                }
            }
        }
    }

    /// Returns the distance of the point from a box in the frame of the shape.
    fn distance(&self, bounds: &Aabb) -> f64 {
        length((bounds.min() - self.local).max(self.local - bounds.max()).max(DVec2::ZERO))
    }

    /// Visits the edges of a part that are boundary of the union.
    fn visit_part(&mut self, number: u32) {
        for edge in UnionPart::new(self.placed.part(number)).edges() {
            if self.is_beyond(length(foot(edge.p, edge.q, self.point) - self.point)) {
                continue;
            }
            let along = edge.q - edge.p;
            let outward = unit(DVec2::new(along.y, -along.x)).unwrap_or(DVec2::X);
            let near = union_parts_near(self.placed, edge.p, edge.q);
            for interval in edge.exposed(edge.whole(), &mapped(&near, |part| part)) {
                let [from, to] = both(interval, |position| edge.at(position));
                let point = foot(from, to, self.point);
                let (distance, toward) = length_and_direction(point - self.point, outward);
                // At a reflex vertex, the edge is not perpendicular to the direction to the point.
                let normal = if point == from || point == to { toward } else { outward };
                if self
                    .best
                    .is_none_or(|best| distance < best.distance || (distance == best.distance && number < best.part))
                {
                    self.best = Some(BoundaryPoint { point, distance, normal, part: number });
                }
            }
        }
    }
}
