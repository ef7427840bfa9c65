//! Defines shapes, and shapes at a pose.
//!
//! | module | content |
//! |---|---|
//! | `kind`, `ellipse` | constructors of convex shapes; `composite/` has those of all others |
//! | `polygon` | convexity test of an outline |
//! | `convex`, `part` | points plus a radius: the input of pair kernels |
//! | `composite`, `composite_source` | unions of convex parts, and their origin |
//! | `outline`, `members` | the edges of a polygon's boundary in a BVH; the outlines of a compound |
//! | `placed`, `sweep` | a shape at a pose, and in motion |
//! | `accessors`, `mass_properties` | functions of a shape |

mod accessors;
pub(crate) mod cell_grid;
pub(crate) mod composite;
pub(crate) mod composite_parts;
pub(crate) mod composite_source;
pub(crate) mod convex;
mod ellipse;
pub(crate) mod grid_mask;
mod kind;
pub(crate) mod mass_properties;
pub(crate) mod members;
pub(crate) mod outline;
pub(crate) mod part;
mod placed;
pub(crate) mod polygon;
mod sweep;

use alloc::sync::Arc;

use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use composite::Composite;
use convex::Convex;
pub use kind::ShapeKind;
pub use mass_properties::MassProperties;
pub use placed::Placed;
pub use sweep::Sweep;

/// A shape in its own frame: a convex hull of points grown by a radius, or a union of such parts.
///
/// Every convex shape is points plus a radius. A circle is one point, a segment or
/// capsule two, rectangles and polygons more. [`rounded`](Shape::rounded) adds a radius to any of
/// them. All other shapes are composites: unions of convex parts. Shapes are closed: their boundary
/// belongs to them. A clone is cheap: polygons share their points, composites their parts.
///
/// Width and height are full sizes; circles and capsules have radii. The magnitude of coordinates
/// and sizes is at most 1e30.
///
/// ```
/// use carom::{Shape, intersects};
///
/// let ball = Shape::circle(0.5)?;
/// let block = Shape::rectangle(2.0, 1.0)?.rounded(0.1)?;
/// let kite = Shape::polygon(&[[0.0, 0.0], [2.0, -1.0], [3.0, 0.0], [2.0, 1.0]])?;
/// assert!(intersects(ball.at([0.0, 0.0])?, block.at([1.2, 0.3])?));
/// assert!(!intersects(ball.at([-1.0, 0.0])?, kite.at([0.0, 0.0])?));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape(pub(crate) Form);

/// The representation of a shape: one convex shape, or many.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Convex(Convex),
    Composite(Arc<Composite>),
}

impl From<Convex> for Shape {
    fn from(convex: Convex) -> Self {
        Self(Form::Convex(convex))
    }
}

impl Shape {
    /// Returns the area, the centroid and the second moment of area.
    ///
    /// ```
    /// # use carom::{DVec2, Shape};
    /// let mass = Shape::rectangle(2.0, 3.0)?.mass_properties();
    /// assert_eq!((mass.area, mass.centroid), (6.0, DVec2::ZERO));
    /// assert_eq!(mass.inertia, 6.0 * (4.0 + 9.0) / 12.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        mass_properties::of(self)
    }

    /// Places the shape without rotation, with its origin at `position`.
    ///
    /// # Errors
    /// If a coordinate is not finite or above 1e30 in magnitude.
    #[inline]
    pub fn at(&self, position: impl IntoPoint) -> Result<Placed<'_>, Error> {
        Ok(self.placed(Pose::from_translation(position)?))
    }

    /// Places the shape at a pose.
    #[inline]
    #[must_use]
    pub fn placed(&self, pose: Pose) -> Placed<'_> {
        Placed::new(self, pose)
    }
}
