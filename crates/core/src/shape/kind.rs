//! The kinds of shapes: their names, the constructors of the convex ones, and the codes of polygons in snapshots.
//!
//! A new convex kind is described here: a variant, a name, a constructor and a code.

use alloc::format;

use glam::DVec2;

use super::convex::Convex;
use super::polygon::Polygon;
use super::{Shape, ellipse};
use crate::error::{Error, ErrorKind};
use crate::math::point::IntoPoint;
use crate::math::vector::{check_point, check_size};

/// The kind of a [`Shape`], by what it was made from.
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
    ConvexPolygon,
    /// A polygon that bends inward or has holes; rounded or not.
    Polygon,
    /// A polyline, open or closed; rounded or not.
    Chain,
    /// Shapes with poses that are one shape.
    Compound,
    /// The solid pixels of a bitmap; rounded or not.
    Mask,
}

/// The kinds that are stored as polygons, with their codes in snapshots. A code is never given to another kind.
const POLYGONS: [(ShapeKind, u8); 1] = [(ShapeKind::ConvexPolygon, 4)];

impl ShapeKind {
    /// Returns the name in lower case.
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// assert_eq!(Shape::rectangle(2.0, 1.0)?.kind().name(), "rectangle");
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Segment => "segment",
            Self::Capsule => "capsule",
            Self::Rectangle => "rectangle",
            Self::ConvexPolygon => "polygon",
            Self::Polygon => "concave polygon",
            Self::Chain => "chain",
            Self::Compound => "compound",
            Self::Mask => "mask",
        }
    }

    /// Returns the code of a kind that is stored as a polygon; `None` for the others.
    pub(super) fn polygon_code(self) -> Option<u8> {
        POLYGONS.iter().find(|(kind, _)| *kind == self).map(|(_, code)| *code)
    }

    /// Returns the kind of a [`polygon_code`](Self::polygon_code).
    pub(super) fn of_polygon_code(code: u8) -> Option<Self> {
        POLYGONS.iter().find(|(_, known)| *known == code).map(|(kind, _)| *kind)
    }
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
}
