//! Finds the colliders that intersect or overlap a shape, or intersect a box.
//!
//! Input: a placed shape or a box. Output: sorted handles. The broad phase returns colliders whose
//! boxes intersect the box of the shape. The exact predicates [`intersects`] and [`overlaps`]
//! decide each.

use alloc::vec::Vec;

use super::QueryFilter;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::query::{intersects, overlaps};
use crate::shape::convex::Convex;
use crate::shape::polygon::Polygon;
use crate::shape::{Placed, Shape, ShapeKind};
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the colliders that intersect a shape, touching ones included, sorted. Exact.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let barrel = world.insert(Collider::new(Shape::circle(1.0)?).at([3.0, 0.0])?);
    /// let blast = Shape::circle(2.0)?;
    /// assert_eq!(world.intersecting(blast.at([0.0, 0.0])?, u64::MAX), [barrel]);
    /// assert!(world.overlapping(blast.at([0.0, 0.0])?, u64::MAX).is_empty()); // they only touch
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn intersecting<'a>(&self, placed: Placed<'_>, filter: impl Into<QueryFilter<'a>>) -> Vec<Handle> {
        self.all_in_box(&placed.aabb(), &filter.into(), |other| intersects(other, placed))
    }

    /// Returns the colliders that overlap a shape with depth above 0, sorted. Exact.
    #[must_use]
    pub fn overlapping<'a>(&self, placed: Placed<'_>, filter: impl Into<QueryFilter<'a>>) -> Vec<Handle> {
        self.all_in_box(&placed.aabb(), &filter.into(), |other| overlaps(other, placed))
    }

    /// Returns the colliders whose shapes intersect a box, touching ones included, sorted: a
    /// rectangle selection. Exact.
    #[must_use]
    #[doc(alias = "query_aabb")]
    pub fn intersecting_aabb<'a>(&self, aabb: &Aabb, filter: impl Into<QueryFilter<'a>>) -> Vec<Handle> {
        let shape = shape_of(aabb);
        self.all_in_box(aabb, &filter.into(), |other| intersects(other, shape.placed(Pose::IDENTITY)))
    }
}

/// Converts a box to a shape with exactly the same vertices. A box without area becomes a segment.
fn shape_of(aabb: &Aabb) -> Shape {
    let (min, max) = (aabb.min(), aabb.max());
    if min.x == max.x || min.y == max.y {
        return Convex::segment(min, max, 0.0).into();
    }
    let points = aabb.corners().into();
    let kind = ShapeKind::ConvexPolygon;
    Convex::polygon(Polygon { points, hull: [0, 1, 2, 3].into(), clockwise: false, kind }, 0.0).into()
}
