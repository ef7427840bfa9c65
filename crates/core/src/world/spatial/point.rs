//! Finds the colliders that contain a point.
//!
//! Input: a point. Output: sorted handles. The point is a circle of radius 0, so the exact
//! predicate [`intersects`] decides it, boundary included.

use alloc::vec::Vec;

use super::QueryFilter;
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::query::intersects;
use crate::shape::Shape;
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the colliders that contain a point, boundary included, sorted: for example those
    /// under a mouse click. Exact.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let button = world.insert(Collider::new(Shape::rectangle(4.0, 2.0)?));
    /// assert_eq!(world.containing_point([2.0, 1.0], u64::MAX)?, [button]);
    /// assert!(world.containing_point([2.1, 1.0], u64::MAX)?.is_empty());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    #[doc(alias("pick", "at_point"))]
    pub fn containing_point<'a>(
        &self,
        point: impl IntoPoint,
        filter: impl Into<QueryFilter<'a>>,
    ) -> Result<Vec<Handle>, Error> {
        let dot = Shape::circle(0.0)?;
        let dot = dot.at(point)?;
        Ok(self.all_in_box(&dot.aabb(), &filter.into(), |placed| intersects(placed, dot)))
    }
}
