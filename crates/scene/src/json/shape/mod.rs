//! Forms of `"shape"`: reading, building and writing.
//!
//! A new convex kind needs changes in this file only: a struct, a variant, a key, and a line in
//! [`ShapeSpec::build`] and in [`ShapeSpec::of`].
mod build;
mod ellipse;
mod public;
mod scale;
mod write;

use std::fmt;

use carom::{DVec2, Shape, ShapeKind};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::number::{Number, Point};
use super::serde_helpers::is_default;
use crate::png::HALF_OPACITY;
pub(crate) use build::Images;
use build::{Refused, compound};
use ellipse::Ellipse;
pub use public::ShapeJson;
use scale::Scale;
use write::list;

/// Shape. The key is its kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", schemars(rename = "Shape"))]
pub(crate) enum ShapeSpec {
    /// Circle about its origin. With radius 0 it is a point.
    Circle(Circle),
    /// All points within the radius of the segment between two points.
    Capsule(Capsule),
    /// Segment between two points.
    Segment(Segment),
    /// Rectangle about its origin.
    Rectangle(Rectangle),
    /// Ellipse about its origin, as a polygon with vertices on it.
    Ellipse(Ellipse),
    /// Simple polygon of at least three points that are not on one line. Any winding, convex or
    /// concave, with or without holes.
    Polygon(Polygon),
    /// Polyline through the points.
    Chain(Chain),
    /// Several shapes as one, in the local coordinates of the compound.
    Compound(#[cfg_attr(feature = "schema", schemars(length(min = 1)))] Vec<Child>),
    /// Solid pixels of an image. The first row is along the x axis, and the others follow towards
    /// +y. It is upright if +y points down.
    Mask(Mask),
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a circle, such as {\"radius\": 1}")]
pub(crate) struct Circle {
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30)))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a capsule, such as {\"a\": [0, 0], \"b\": [1, 0], \"radius\": 0.2}")]
pub(crate) struct Capsule {
    a: Point,
    b: Point,
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30)))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a segment, such as {\"a\": [0, 0], \"b\": [1, 0]}")]
pub(crate) struct Segment {
    a: Point,
    b: Point,
    /// Grows the segment by this radius.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0)))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a rectangle, such as {\"width\": 2, \"height\": 1}")]
pub(crate) struct Rectangle {
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    width: Number,
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    height: Number,
    /// Grows the rectangle by this radius, which rounds its corners.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0)))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a polygon, such as {\"points\": [[0, 0], [2, 0], [1, 1.5]]}")]
pub(crate) struct Polygon {
    #[cfg_attr(feature = "schema", schemars(length(min = 3)))]
    points: Vec<Point>,
    /// Rings inside the exterior ring. They must not cross it or each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(inner(length(min = 3))))]
    holes: Vec<Vec<Point>>,
    /// Grows the polygon by this radius, which rounds its corners.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0)))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a chain, such as {\"points\": [[0, 0], [2, 0], [3, 1]], \"closed\": false}")]
pub(crate) struct Chain {
    #[cfg_attr(feature = "schema", schemars(length(min = 2)))]
    points: Vec<Point>,
    /// Connects the last point to the first (at least three points).
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    closed: bool,
    /// Makes contacts at the front only: the right side of the direction from each point to the
    /// next, if +y points up.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    one_sided: bool,
    /// Grows the lines by this radius.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0)))]
    radius: Number,
}

/// Shape inside a compound.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(
    deny_unknown_fields,
    expecting = "a part of a compound, such as {\"shape\": {\"circle\": {\"radius\": 1}}, \"position\": [2, 0]}"
)]
pub(crate) struct Child {
    shape: ShapeSpec,
    /// Position of its origin in the local coordinates of the compound.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = [0, 0])))]
    position: Point,
    /// Rotation about its origin, in degrees. Positive angles rotate +x towards +y.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0)))]
    rotation: Number,
}

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a mask, such as {\"image\": \"ship.png\", \"threshold\": 128}")]
#[cfg_attr(feature = "schema", schemars(extend("oneOf" = [{"required": ["image"]}, {"required": ["rows"]}])))]
pub(crate) struct Mask {
    /// PNG image. The path is relative to the scene file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", transform = super::serde_helpers::without_default))]
    image: Option<String>,
    /// Rows of the mask instead of an image, from the first: `#` is solid, `.` is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>", transform = super::serde_helpers::without_default))]
    rows: Option<Vec<String>>,
    /// Pixels with at least this alpha (0 to 255) are solid.
    #[serde(default = "threshold", skip_serializing_if = "is_threshold")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1, "maximum" = 255, "default" = 128)))]
    threshold: u8,
    /// Side of a pixel in scene units, or its width and height. Negative values mirror the image at
    /// the origin.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1)))]
    scale: Scale,
    /// Grows the pixels by this radius.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0)))]
    radius: Number,
}

fn threshold() -> u8 {
    HALF_OPACITY
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_threshold(threshold: &u8) -> bool {
    *threshold == HALF_OPACITY
}

impl ShapeSpec {
    /// Returns the shape, or an error.
    pub(crate) fn build(&self, images: &mut Images<'_>) -> Result<Shape, Refused> {
        let (kind, built) = match self {
            Self::Circle(Circle { radius }) => ("circle", Shape::circle(radius.0)),
            Self::Capsule(Capsule { a, b, radius }) => ("capsule", Shape::capsule(a.0, b.0, radius.0)),
            Self::Segment(Segment { a, b, radius }) => {
                ("segment", Shape::segment(a.0, b.0).and_then(|s| s.rounded(radius.0)))
            }
            Self::Rectangle(Rectangle { width, height, radius }) => {
                ("rectangle", Shape::rectangle(width.0, height.0).and_then(|s| s.rounded(radius.0)))
            }
            Self::Ellipse(ellipse) => ("ellipse", ellipse.build()),
            Self::Polygon(polygon) => return polygon.build(),
            Self::Chain(chain) => ("chain", chain.build()),
            Self::Compound(children) => return compound(children, images),
            Self::Mask(mask) => return mask.build(images),
        };
        built.map_err(|error| {
            let vertex = error.vertex().map_or(String::new(), |v| format!(".points[{v}]"));
            Refused::new(format!("shape.{kind}{vertex}"), error.to_string())
        })
    }

    /// Returns the form that reads back as this shape. A grown compound reads back as a compound of
    /// grown children with the same points.
    pub(crate) fn of(shape: &Shape) -> Self {
        Self::grown(shape, 0.0)
    }

    /// Returns the form of the shape grown by a radius.
    fn grown(shape: &Shape, by: f64) -> Self {
        let points = shape.points();
        let radius = Number(shape.radius() + by);
        match shape.kind() {
            // A segment with equal ends is a circle too, and its centre may differ from the origin.
            ShapeKind::Circle if points[0] == DVec2::ZERO => Self::Circle(Circle { radius }),
            ShapeKind::Circle => {
                Self::Segment(Segment { a: Point::from(points[0]), b: Point::from(points[0]), radius })
            }
            ShapeKind::Segment => {
                Self::Segment(Segment { a: Point::from(points[0]), b: Point::from(points[1]), radius })
            }
            ShapeKind::Capsule => {
                Self::Capsule(Capsule { a: Point::from(points[0]), b: Point::from(points[1]), radius })
            }
            ShapeKind::Rectangle => {
                let size = points[2] - points[0];
                Self::Rectangle(Rectangle { width: Number(size.x), height: Number(size.y), radius })
            }
            ShapeKind::Chain => {
                let (closed, one_sided) = (shape.is_closed_chain(), shape.is_one_sided());
                Self::Chain(Chain { points: list(points), closed, one_sided, radius })
            }
            ShapeKind::Compound => {
                let children = shape.children().iter();
                Self::Compound(children.map(|(child, pose)| Child::new(child, *pose, shape.radius() + by)).collect())
            }
            ShapeKind::Mask => Self::Mask(Mask::new(shape, radius)),
            ShapeKind::Polygon => {
                let mut rings = shape.rings().map(list);
                let points = rings.next().unwrap_or_default();
                Self::Polygon(Polygon { points, holes: rings.collect(), radius })
            }
            _ => match Ellipse::of(shape).filter(|_| by == 0.0) {
                Some(ellipse) => Self::Ellipse(ellipse),
                None => Self::Polygon(Polygon { points: list(points), holes: Vec::new(), radius }),
            },
        }
    }
}

/// The allowed keys of a shape.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Circle,
    Capsule,
    Segment,
    Rectangle,
    Ellipse,
    Polygon,
    Chain,
    Compound,
    Mask,
}

impl<'de> Deserialize<'de> for ShapeSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ShapeVisitor;
        impl<'de> Visitor<'de> for ShapeVisitor {
            type Value = ShapeSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a shape, such as {\"circle\": {\"radius\": 1}}")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<ShapeSpec, M::Error> {
                let Some(key) = map.next_key::<String>()? else {
                    return Err(M::Error::custom("an empty shape: expected one such as {\"circle\": {\"radius\": 1}}"));
                };
                let kind = Kind::deserialize(key.as_str().into_deserializer())?;
                let shape = match kind {
                    Kind::Circle => ShapeSpec::Circle(map.next_value()?),
                    Kind::Capsule => ShapeSpec::Capsule(map.next_value()?),
                    Kind::Segment => ShapeSpec::Segment(map.next_value()?),
                    Kind::Ellipse => ShapeSpec::Ellipse(map.next_value()?),
                    Kind::Rectangle => ShapeSpec::Rectangle(map.next_value()?),
                    Kind::Polygon => ShapeSpec::Polygon(map.next_value()?),
                    Kind::Chain => ShapeSpec::Chain(map.next_value()?),
                    Kind::Compound => ShapeSpec::Compound(map.next_value()?),
                    Kind::Mask => ShapeSpec::Mask(map.next_value()?),
                };
                match map.next_key::<String>()? {
                    None => Ok(shape),
                    Some(key) => Err(M::Error::custom(format_args!(
                        "a shape has one key, its kind, but here \"{key}\" follows: give each shape a collider of its \
                         own"
                    ))),
                }
            }
        }
        deserializer.deserialize_map(ShapeVisitor)
    }
}
