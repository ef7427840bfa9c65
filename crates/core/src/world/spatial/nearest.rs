//! Finds the colliders nearest to a point.
//!
//! Input: a point and a count. Output: that many colliders with their distances, nearest first. The
//! method is distance browsing (Hjaltason and Samet, *Distance browsing in spatial databases*,
//! 1999). The broad phase returns boxes by increasing distance. The search ends if the next box is
//! farther than the last result, or than the largest distance.
//!
//! A query with a box of fixed size does not suffice. In an empty area it finds nothing, in a
//! crowded one too much.

use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use super::QueryFilter;
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::query::{Distance, distance};
use crate::shape::Shape;
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the `count` colliders nearest to a point, nearest first. Ties: lowest handle first.
    /// The [`Distance`] is from the point (first shape) to the collider, 0 if the point is inside.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = Collider::new(Shape::circle(0.5)?);
    /// let [a, b, _] = [1.0, -2.0, 9.0].map(|x| world.insert(ball.clone().at([x, 0.0]).unwrap()));
    /// let found = world.nearest([0.0, 0.0], 2, u64::MAX)?;
    /// assert_eq!(found.iter().map(|(handle, gap)| (*handle, gap.distance)).collect::<Vec<_>>(), [(a, 0.5), (b, 1.5)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    #[doc(alias = "closest")]
    pub fn nearest<'a>(
        &self,
        point: impl IntoPoint,
        count: usize,
        filter: impl Into<QueryFilter<'a>>,
    ) -> Result<Vec<(Handle, Distance)>, Error> {
        self.nearest_within(point, f64::INFINITY, count, filter)
    }

    /// Returns the `count` colliders nearest to a point whose distance is at most `max_distance`, a length. The order
    /// is that of [`nearest`](World::nearest). A negative or NaN `max_distance` counts as 0.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = Collider::new(Shape::circle(0.5)?);
    /// let [a, b, _] = [1.0, -2.0, 9.0].map(|x| world.insert(ball.clone().at([x, 0.0]).unwrap()));
    /// let found = world.nearest_within([0.0, 0.0], 1.5, 8, u64::MAX)?;
    /// assert_eq!(found.iter().map(|(handle, _)| *handle).collect::<Vec<_>>(), [a, b]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn nearest_within<'a>(
        &self,
        point: impl IntoPoint,
        max_distance: f64,
        count: usize,
        filter: impl Into<QueryFilter<'a>>,
    ) -> Result<Vec<(Handle, Distance)>, Error> {
        let (dot, filter, max_distance) = (Shape::circle(0.0)?, filter.into(), max_distance.max(0.0));
        let dot = dot.at(point)?;
        let mut found: Vec<(Handle, Distance)> = Vec::new();
        self.space.visit_nearest(dot.pose().translation(), &mut |slot, lower_bound| {
            let is_full = found.len() >= count;
            if lower_bound > max_distance
                || is_full && found.last().is_none_or(|(_, worst)| lower_bound > worst.distance)
            {
                return Break(());
            }
            if self.admits(&filter, slot) {
                let next = (self.columns.handle(slot), distance(dot, self.columns.placed(slot)));
                if next.1.distance > max_distance {
                    return Continue(());
                }
                let key = |(handle, gap): &(Handle, Distance)| (gap.distance, *handle);
                let index = found.partition_point(|other| key(other) < key(&next));
                found.insert(index, next);
                found.truncate(count);
            }
            Continue(())
        });
        Ok(found)
    }
}
