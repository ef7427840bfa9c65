//! What is nearest to a point.

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
    /// The `count` colliders that are nearest to a point, nearest first; of several as near the lowest handles. The distance is that from the point (the first shape) to the collider, 0 inside.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let [a, b, _] = [1.0, -2.0, 9.0].map(|x| Collider::new(Shape::circle(0.5).unwrap()).at([x, 0.0]).unwrap()).map(|ball| world.insert(ball));
    /// let found = world.nearest([0.0, 0.0], 2, u64::MAX)?;
    /// assert_eq!(found.iter().map(|(handle, gap)| (*handle, gap.distance)).collect::<Vec<_>>(), [(a, 0.5), (b, 1.5)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn nearest<'a>(
        &self,
        point: impl IntoPoint,
        count: usize,
        filter: impl Into<QueryFilter<'a>>,
    ) -> Result<Vec<(Handle, Distance)>, Error> {
        let (dot, filter) = (Shape::circle(0.0)?, filter.into());
        let dot = dot.at(point)?;
        let mut found: Vec<(Handle, Distance)> = Vec::new();
        self.space.visit_nearest(dot.pose().translation(), &mut |slot, at_least| {
            if found.len() >= count && found.last().is_none_or(|(_, worst)| at_least > worst.distance) {
                return Break(());
            }
            if self.admits(&filter, slot) {
                let next = (self.columns.handle(slot), distance(dot, self.columns.placed(slot)));
                let key = |(handle, gap): &(Handle, Distance)| (gap.distance, *handle);
                let place = found.partition_point(|other| key(other) < key(&next));
                found.insert(place, next);
                found.truncate(count);
            }
            Continue(())
        });
        Ok(found)
    }
}
