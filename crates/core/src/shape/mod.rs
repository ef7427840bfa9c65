//! Shapes, and shapes placed in the world.

pub(crate) mod convex;
mod ellipse;
pub(crate) mod mass;
pub(crate) mod part;
mod placed;
pub(crate) mod polygon;

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use crate::error::{Error, ErrorKind};
use crate::math::pose::Pose;
use crate::math::vector::{check, check_point, check_size};
use convex::Convex;
pub use mass::MassProperties;
pub use placed::Placed;
use polygon::Polygon;

/// A shape in its own frame: points, and a radius that grows their convex hull outward.
///
/// Every convex shape is of this one family: a circle is one point, a segment or capsule two, rectangles and polygons more, and
/// [`rounded`](Shape::rounded) gives any of them a radius. Shapes are closed: their boundary belongs to them. A clone is cheap (polygons share their points).
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
pub struct Shape(pub(crate) Convex);

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
}

impl Shape {
    /// A circle about the origin. Radius 0 makes a point.
    ///
    /// # Errors
    /// A radius that is negative, not finite or above 1e30.
    pub fn circle(radius: f64) -> Result<Self, Error> {
        Ok(Self(Convex::point(DVec2::ZERO, check_size("radius", radius)?)))
    }

    /// The straight line between two points; equal ends make a point.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn segment(a: impl Into<DVec2>, b: impl Into<DVec2>) -> Result<Self, Error> {
        Self::capsule(a, b, 0.0)
    }

    /// All points within `radius` of a segment; equal ends make a circle about that point.
    ///
    /// # Errors
    /// As [`Shape::segment`] and [`Shape::circle`].
    pub fn capsule(a: impl Into<DVec2>, b: impl Into<DVec2>, radius: f64) -> Result<Self, Error> {
        let (a, b) = (check_point("first end", a.into())?, check_point("second end", b.into())?);
        Ok(Self(Convex::segment(a, b, check_size("radius", radius)?)))
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
        Ok(Self(Convex::rectangle(half, 0.0)))
    }

    /// A convex polygon with any number of vertices, in either winding.
    ///
    /// Repeated vertices and vertices on an edge are accepted (on: inside the hull by at most 4 ulp of the largest coordinate); feature
    /// ids keep numbering the points as given.
    ///
    /// # Errors
    /// Fewer than three points; all on one line (use [`Shape::segment`]); an outline that bends inward or crosses itself, with the vertex where it
    /// does; a coordinate that is not finite or above 1e30 in magnitude.
    pub fn polygon<P: Copy + Into<DVec2>>(points: &[P]) -> Result<Self, Error> {
        let points: Vec<DVec2> = points.iter().map(|&p| p.into()).collect();
        Ok(Self(Convex::polygon(Polygon::new(points)?, 0.0)))
    }

    /// A polygon inscribed in an ellipse about the origin, whose boundary stays within `deviation` of the ellipse's.
    ///
    /// The four extreme points are vertices. The number of vertices is the least multiple of 4 that keeps the bound (at least 8).
    ///
    /// # Errors
    /// Radii that are not above 0 (use [`Shape::segment`]) and at most 1e30; a deviation that is not above 0; one so small that more than 2²⁰ vertices would be needed.
    pub fn ellipse(radius_x: f64, radius_y: f64, deviation: f64) -> Result<Self, Error> {
        let points = ellipse::inscribed(radius_x, radius_y, deviation)?;
        Ok(Self(Convex::polygon(Polygon::affine_image(points)?, 0.0)))
    }

    /// The shape grown outward on all sides: `radius` is added to the one it has, the points stay.
    ///
    /// # Errors
    /// A radius that is negative or not finite; a sum above 1e30.
    pub fn rounded(mut self, radius: f64) -> Result<Self, Error> {
        self.0.radius = check_size("radius", self.0.radius + check_size("radius", radius)?)?;
        Ok(self)
    }

    /// The shape with its points scaled by `sx` along x and `sy` along y; negative factors mirror (a flipped sprite).
    ///
    /// ```
    /// # use carom::{DVec2, Shape};
    /// let ramp = Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])?;
    /// assert_eq!(ramp.scaled(-1.0, 1.0)?.points()[2], DVec2::new(-2.0, 1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A factor that is zero or not finite; different magnitudes for a shape with a radius; a result that is out of range or collapses.
    pub fn scaled(&self, sx: f64, sy: f64) -> Result<Self, Error> {
        let factor = DVec2::new(check("factor", sx)?, check("factor", sy)?);
        if sx == 0.0 || sy == 0.0 {
            return Err(Error::new(ErrorKind::ZeroSize, format!("a shape cannot be scaled by {sx:?} and {sy:?}: factors must not be 0")));
        }
        let radius = self.0.radius;
        if radius > 0.0 && sx.abs() != sy.abs() {
            let message = format!(
                "a shape with radius {radius:?} cannot be scaled by {sx:?} and {sy:?}: its rounding would not stay round; use factors of equal magnitude"
            );
            return Err(Error::new(ErrorKind::UnequalScale, message));
        }
        let radius = check_size("scaled radius", radius * sx.abs())?;
        match self.kind() {
            ShapeKind::Rectangle => {
                let half = self.0.points()[2] * factor.abs();
                Self::rectangle(half.x * 2.0, half.y * 2.0)?.rounded(radius)
            }
            ShapeKind::Polygon => {
                let points = self.0.points().iter().map(|&p| check_point("scaled vertex", p * factor)).collect::<Result<Vec<_>, _>>()?;
                Ok(Self(Convex::polygon(Polygon::affine_image(points)?, radius)))
            }
            _ => match *self.0.points() {
                [a, b] => Self::capsule(a * factor, b * factor, radius),
                _ => Self::capsule(self.0.points()[0] * factor, self.0.points()[0] * factor, radius),
            },
        }
    }

    /// What the shape is called. A capsule of radius 0 is a segment, a segment with equal ends a circle.
    pub fn kind(&self) -> ShapeKind {
        self.0.kind()
    }

    /// How far the hull of the points is grown outward.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.0.radius
    }

    /// The points as they were given, in the shape's own frame (a rectangle's corners counter-clockwise from the lower left).
    #[inline]
    pub fn points(&self) -> &[DVec2] {
        self.0.points()
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
    pub fn mass_properties(&self) -> MassProperties {
        mass::of(&self.0)
    }

    /// The shape without rotation, its origin at a point.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    #[inline]
    pub fn at(&self, position: impl Into<DVec2>) -> Result<Placed<'_>, Error> {
        Ok(self.placed(Pose::from_translation(position)?))
    }

    /// The shape at a pose.
    #[inline]
    pub fn placed(&self, pose: Pose) -> Placed<'_> {
        Placed::new(self, pose)
    }
}
