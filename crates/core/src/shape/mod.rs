//! Shapes, and shapes placed in the world.

mod chain;
pub(crate) mod composite;
mod compound;
mod concave;
pub(crate) mod convex;
mod ellipse;
pub(crate) mod mask;
pub(crate) mod mass;
pub(crate) mod part;
mod placed;
mod polygon;
mod read;
mod resize;
mod source;
mod sweep;

use alloc::format;
use alloc::sync::Arc;

use glam::DVec2;

use crate::error::{Error, ErrorKind};
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{check_point, check_size};
use composite::Composite;
use convex::Convex;
pub use mass::MassProperties;
pub use placed::Placed;
use polygon::Polygon;
pub use sweep::Sweep;

/// A shape in its own frame: points, and a radius that grows their convex hull outward; or many such parts.
///
/// Every convex shape is of one family: a circle is one point, a segment or capsule two, rectangles and polygons more, and
/// [`rounded`](Shape::rounded) gives any of them a radius. All others are composites, the union of convex parts. Shapes are closed: their boundary belongs to
/// them. A clone is cheap (polygons share their points, composites their parts).
///
/// Sizes are full sizes, circles and capsules have radii; coordinates and sizes go up to 1e30.
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

/// What a shape is inside: one convex shape, or many.
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

/// What a [`Shape`] is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeKind {
    /// One point and a radius; with radius 0, a point.
    Circle,
    /// Two points without a radius.
    Segment,
    /// Two points and a radius.
    Capsule,
    /// Four corners, axis-aligned in its own frame and centred on its origin; rounded or not.
    Rectangle,
    /// A convex polygon; rounded or not.
    Polygon,
    /// A polygon that bends inward or has holes; rounded or not.
    Concave,
    /// A polyline, open or closed; rounded or not.
    Chain,
    /// Shapes with poses that are one shape.
    Compound,
    /// The solid pixels of a bitmap; rounded or not.
    Mask,
}

impl Shape {
    /// A circle about the origin. Radius 0 makes a point.
    ///
    /// # Errors
    /// A radius that is negative, not finite or above 1e30.
    pub fn circle(radius: f64) -> Result<Self, Error> {
        Ok(Convex::point(DVec2::ZERO, check_size("radius", radius)?).into())
    }

    /// The straight line between two points; equal ends make a point.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn segment(a: impl IntoPoint, b: impl IntoPoint) -> Result<Self, Error> {
        Self::capsule(a, b, 0.0)
    }

    /// All points within `radius` of a segment; equal ends make a circle about that point.
    ///
    /// # Errors
    /// As [`Shape::segment`] and [`Shape::circle`].
    pub fn capsule(a: impl IntoPoint, b: impl IntoPoint, radius: f64) -> Result<Self, Error> {
        let (a, b) = (check_point("first end", a.into_point())?, check_point("second end", b.into_point())?);
        Ok(Convex::segment(a, b, check_size("radius", radius)?).into())
    }

    /// A rectangle of full width and height, centred on the origin.
    ///
    /// # Errors
    /// A side that is negative, zero (use [`Shape::segment`]), not finite or above 1e30.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, Error> {
        let half = DVec2::new(check_size("width", width)? * 0.5, check_size("height", height)? * 0.5);
        for (name, side, half) in [("width", width, half.x), ("height", height, half.y)] {
            if half == 0.0 {
                let message = format!(
                    "{name} of the rectangle is {side:?}; it must be above 0: use a segment for a line, a circle of radius 0 for a point"
                );
                return Err(Error::new(ErrorKind::ZeroSize, message));
            }
        }
        Ok(Convex::rectangle(half, 0.0).into())
    }

    /// A polygon inscribed in an ellipse about the origin, whose boundary stays within `deviation` of the ellipse's.
    ///
    /// The four extreme points are vertices. The number of vertices is the least multiple of 4 that keeps the bound (at least 8).
    ///
    /// # Errors
    /// Radii that are not above 0 (use [`Shape::segment`]) and at most 1e30; a deviation that is not above 0; one so small that more than 2²⁰ vertices would be needed.
    pub fn ellipse(radius_x: f64, radius_y: f64, deviation: f64) -> Result<Self, Error> {
        let points = ellipse::inscribed(radius_x, radius_y, deviation)?;
        Ok(Convex::polygon(Polygon::affine_image(points)?, 0.0).into())
    }

    /// Area, centroid and second moment of area.
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
        mass::of(self)
    }

    /// The shape without rotation, its origin at a point.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    #[inline]
    pub fn at(&self, position: impl IntoPoint) -> Result<Placed<'_>, Error> {
        Ok(self.placed(Pose::from_translation(position)?))
    }

    /// The shape at a pose.
    #[inline]
    #[must_use]
    pub fn placed(&self, pose: Pose) -> Placed<'_> {
        Placed::new(self, pose)
    }
}
