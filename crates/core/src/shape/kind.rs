//! Defines the kinds of shapes: their names, the constructors of the convex kinds, and the codes of
//! polygons in snapshots.
//!
//! Each kind is a constructor, not a representation: segments and capsules are the same points with
//! another radius. To add a convex kind, add a variant, a name, a constructor and a code here.

use alloc::format;

use glam::DVec2;

use super::convex::Convex;
use super::polygon::Polygon;
use super::{Shape, ellipse};
use crate::error::{Error, ErrorKind, Number};
use crate::math::point::IntoPoint;
use crate::math::vector::{check_point, check_size};

/// The kind of a [`Shape`], by its constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeKind {
    /// One point and a radius; a point if the radius is 0.
    Circle,
    /// Two points without a radius.
    Segment,
    /// Two points and a radius.
    Capsule,
    /// Four vertices, axis-aligned in the shape's own frame and centred on its origin; may be
    /// rounded.
    Rectangle,
    /// A convex polygon; may be rounded.
    ConvexPolygon,
    /// A concave polygon, or one with holes; may be rounded.
    Polygon,
    /// A polyline, open or closed; may be rounded.
    Chain,
    /// A union of shapes, each at a pose.
    Compound,
    /// The solid pixels of a mask; may be rounded.
    Mask,
}

/// The kinds that are stored as polygons, and their codes in snapshots. A code must never change
/// its kind. A new kind gets the next free code from 6 on: `convex/serialize.rs` uses 0 to 3 and 5.
const POLYGON_CODES: [(ShapeKind, u8); 1] = [(ShapeKind::ConvexPolygon, 4)];

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
        POLYGON_CODES.iter().find(|(kind, _)| *kind == self).map(|(_, code)| *code)
    }

    /// Returns the kind of a [`polygon_code`](Self::polygon_code).
    pub(super) fn from_polygon_code(code: u8) -> Option<Self> {
        POLYGON_CODES.iter().find(|(_, known)| *known == code).map(|(kind, _)| *kind)
    }
}

impl Shape {
    /// Creates a circle about the origin. Radius 0 gives a point.
    ///
    /// # Errors
    /// If the radius is negative, not finite or above 1e30.
    #[doc(alias("ball", "disk"))]
    pub fn circle(radius: f64) -> Result<Self, Error> {
        Ok(Convex::point(DVec2::ZERO, check_size("radius", radius)?).into())
    }

    /// Creates the line segment between two points. Equal ends give a point.
    ///
    /// # Errors
    /// If a coordinate is not finite or above 1e30 in magnitude.
    pub fn segment(a: impl IntoPoint, b: impl IntoPoint) -> Result<Self, Error> {
        Self::capsule(a, b, 0.0)
    }

    /// Creates a capsule: all points within `radius` of a segment. Equal ends give a circle about
    /// that point.
    ///
    /// # Errors
    /// As [`Shape::segment`] and [`Shape::circle`].
    pub fn capsule(a: impl IntoPoint, b: impl IntoPoint, radius: f64) -> Result<Self, Error> {
        let (a, b) = (check_point("first end", a.into_point())?, check_point("second end", b.into_point())?);
        Ok(Convex::segment(a, b, check_size("radius", radius)?).into())
    }

    /// Creates a rectangle of full width and height, centred on the origin.
    ///
    /// # Errors
    /// If a side is negative, zero (use [`Shape::segment`]), not finite or above 1e30.
    #[doc(alias("box", "cuboid"))]
    pub fn rectangle(width: f64, height: f64) -> Result<Self, Error> {
        let half = DVec2::new(check_size("width", width)? * 0.5, check_size("height", height)? * 0.5);
        for (name, side, half) in [("width", width, half.x), ("height", height, half.y)] {
            if half == 0.0 {
                let message = format!(
                    "{name} of the rectangle is {:?}; it must be above 0: use a segment for a \
                     line, a circle of radius 0 for a point",
                    Number(side)
                );
                return Err(Error::new(ErrorKind::ZeroSize, message));
            }
        }
        Ok(Convex::rectangle(half, 0.0).into())
    }

    /// Creates a polygon inscribed in an ellipse about the origin. Its boundary is within
    /// `deviation` of the ellipse.
    ///
    /// The four extreme points are vertices. The number of vertices is the least multiple of 4 that
    /// keeps the bound, and at least 8.
    ///
    /// # Errors
    /// - If a radius is not above 0 (use [`Shape::segment`]), or above 1e30.
    /// - If the deviation is not above 0, or so small that it needs more than 2²⁰ vertices.
    pub fn ellipse(radius_x: f64, radius_y: f64, deviation: f64) -> Result<Self, Error> {
        let points = ellipse::inscribed(radius_x, radius_y, deviation)?;
        Ok(Convex::polygon(Polygon::affine_image(points)?, 0.0).into())
    }
}
