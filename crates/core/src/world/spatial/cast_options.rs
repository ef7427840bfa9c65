//! Options of ray and shape casts of a world.

use glam::DVec2;

use super::QueryFilter;
use crate::world::World;
use crate::world::one_way_filter::faces;

/// Selects the treatment of [one-way](crate::Collider::one_way) colliders in casts.
///
/// ```
/// use carom::{Collider, Ray, Shape, World};
/// use carom::world::{OneWayCast, QueryFilter};
///
/// let mut world = World::new();
/// world.insert(Collider::new(Shape::rectangle(4.0, 1.0)?).one_way([0.0, 1.0])?); // its front is up
/// let (down, up) = (Ray::new([0.0, 3.0], [0.0, -6.0])?, Ray::new([0.0, -3.0], [0.0, 6.0])?);
/// let filter = QueryFilter::ALL;
/// assert!(world.ray_cast(down, filter).is_some() && world.ray_cast(up, filter).is_none());
/// assert!(world.ray_cast(up, filter.one_way(OneWayCast::Solid)).is_some());
/// assert!(world.ray_cast(down, filter.one_way(OneWayCast::Ignored)).is_none());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OneWayCast {
    /// Casts hit them from all sides.
    Solid,
    /// Casts never hit them.
    Ignored,
    /// Casts hit them only from the front. The normal of the first hit is within 60° of the front,
    /// and the cast does not start inside. All others pass, and do not hit the same collider later.
    #[default]
    ByDirection,
}

/// Options of [`World::shape_cast_with`].
///
/// ```
/// use carom::{Collider, Shape, World};
/// use carom::world::CastOptions;
///
/// let mut world = World::new();
/// world.insert(Collider::new(Shape::rectangle(10.0, 2.0)?)); // its top is y = 1
/// let fall = Shape::circle(1.0)?;
/// let fall = fall.at([0.0, 6.0])?.sweep([0.0, -8.0])?;
/// let options = CastOptions::new().target_distance(0.5);
/// let (_, hit) = world.shape_cast_with(fall, u64::MAX, options).unwrap();
/// assert!((fall.at(hit.time).pose().translation().y - 2.5).abs() < 1e-6); // 0.5 above the floor
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CastOptions {
    pub(super) target_distance: f64,
    pub(super) ignores_internal_edges: bool,
}

impl CastOptions {
    /// Creates the options of [`World::shape_cast`]: no target distance, and all edges count.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the distance to other colliders at which the motion stops (the skin), a length; see
    /// [`time_of_impact_within`](crate::query::time_of_impact_within). Negative and NaN count as 0.
    #[must_use]
    pub fn target_distance(self, target_distance: f64) -> Self {
        Self { target_distance: target_distance.max(0.0), ..self }
    }

    /// Makes flush neighbours act as one surface, also if they are separate colliders, as in
    /// [`internal_edges`](crate::internal_edges).
    ///
    /// At each hit the contacts within the target distance are computed without internal edges. If
    /// one of them stops the motion, the hit has its normal, point and collider. Else the motion
    /// slides along a seam.
    ///
    /// The motion can hit the same part later. So the part still counts, with half the target
    /// distance, then a quarter, and so on. Below the tolerance of [`time_of_impact`](crate::time_of_impact), it counts
    /// if the overlap gets deeper than the tolerance.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    /// use carom::world::CastOptions;
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 1.0, 2.0] {
    ///     world.insert(Collider::new(Shape::rectangle(1.0, 1.0)?).at([x, -0.5])?); // a row, its top is y = 0
    /// }
    /// let slide = Shape::rectangle(0.8, 0.8)?;
    /// let slide = slide.at([0.0, 0.405])?.sweep([5.0, 0.0])?; // 0.005 above the row
    /// let options = CastOptions::new().target_distance(0.01);
    /// assert!(world.shape_cast_with(slide, u64::MAX, options).is_some()); // the second tile's end
    /// assert!(world.shape_cast_with(slide, u64::MAX, options.ignore_internal_edges()).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn ignore_internal_edges(self) -> Self {
        Self { ignores_internal_edges: true, ..self }
    }
}

impl World {
    /// Returns true if a cast hits a collider with this normal of its surface. `inside` is true if
    /// the cast starts inside the collider.
    #[inline]
    pub(super) fn stops_cast(&self, filter: &QueryFilter<'_>, slot: u32, normal: DVec2, inside: bool) -> bool {
        let Some(one_way) = self.columns.one_way(slot) else { return true };
        match filter.one_way {
            OneWayCast::Solid => true,
            OneWayCast::Ignored => false,
            OneWayCast::ByDirection => {
                !inside && faces(normal, self.columns.poses_and_boxes[slot as usize].pose, one_way)
            }
        }
    }
}
