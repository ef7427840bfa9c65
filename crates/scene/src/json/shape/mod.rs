//! The forms of `"shape"`: how each is read, built and written.
//!
//! A new convex kind is added in this file alone: a struct, a variant, a key, and a line in [`ShapeSpec::build`] and in [`ShapeSpec::of`].
mod build;
mod scale;
mod write;

use std::fmt;

use carom::{DVec2, Shape, ShapeKind};
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::number::{Number, Point};
use super::serde_helpers::is_default;
pub(crate) use build::Images;
use build::{Refused, compound};
use scale::Scale;
use write::{list, point};

/// One shape; the key says which.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Shape")]
pub(crate) enum ShapeSpec {
    /// Centred on its origin; of radius 0, a point.
    Circle(Circle),
    /// Two points and all that is within the radius of the line between them.
    Capsule(Capsule),
    /// Two points and the line between them.
    Segment(Segment),
    /// Centred on its origin.
    Rectangle(Rectangle),
    /// At least three points not on one line, either winding; convex or not, with holes or without.
    Polygon(Polygon),
    /// The straight lines from each point to the next.
    Chain(Chain),
    /// Shapes that are one shape, in its frame.
    Compound(#[schemars(length(min = 1))] Vec<Child>),
    /// The solid pixels of a picture. Its first row lies along the x axis, the others follow toward +y: upright where y points down.
    Mask(Mask),
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a circle, such as {\"radius\": 1}")]
pub(crate) struct Circle {
    #[schemars(extend("minimum" = 0, "maximum" = 1e30))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a capsule, such as {\"a\": [0, 0], \"b\": [1, 0], \"radius\": 0.2}")]
pub(crate) struct Capsule {
    a: Point,
    b: Point,
    #[schemars(extend("minimum" = 0, "maximum" = 1e30))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a segment, such as {\"a\": [0, 0], \"b\": [1, 0]}")]
pub(crate) struct Segment {
    a: Point,
    b: Point,
    /// Grows the segment on all sides.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a rectangle, such as {\"width\": 2, \"height\": 1}")]
pub(crate) struct Rectangle {
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30))]
    width: Number,
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30))]
    height: Number,
    /// Grows the rectangle on all sides, which rounds its corners.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a polygon, such as {\"points\": [[0, 0], [2, 0], [1, 1.5]]}")]
pub(crate) struct Polygon {
    #[schemars(length(min = 3))]
    points: Vec<Point>,
    /// Rings inside the outline that do not cross it or each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 3)))]
    holes: Vec<Vec<Point>>,
    /// Grows the polygon on all sides, which rounds its corners.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a chain, such as {\"points\": [[0, 0], [2, 0], [3, 1]], \"closed\": false}")]
pub(crate) struct Chain {
    #[schemars(length(min = 2))]
    points: Vec<Point>,
    /// Whether a line leads from the last point to the first (of at least three).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    closed: bool,
    /// Whether it pushes to its front only, which is on the right of the way from each point to the next (where +y points up).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    one_sided: bool,
    /// Grows the lines on all sides.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
}

/// A shape inside a compound.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a part of a compound, such as {\"shape\": {\"circle\": {\"radius\": 1}}, \"position\": [2, 0]}"
)]
pub(crate) struct Child {
    shape: ShapeSpec,
    /// Where its origin is in the compound's frame.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = [0, 0]))]
    position: Point,
    /// In degrees, about its origin; positive turns +x toward +y.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0))]
    rotation: Number,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a mask, such as {\"image\": \"ship.png\", \"threshold\": 128}")]
#[schemars(extend("oneOf" = [{"required": ["image"]}, {"required": ["rows"]}]))]
pub(crate) struct Mask {
    /// A PNG image; the path is relative to the scene file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", transform = super::serde_helpers::without_default)]
    image: Option<String>,
    /// In place of an image, its rows from the first: `#` is solid, `.` is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", transform = super::serde_helpers::without_default)]
    rows: Option<Vec<String>>,
    /// Pixels of at least this alpha, of 255, are solid.
    #[serde(default = "threshold", skip_serializing_if = "is_threshold")]
    #[schemars(extend("minimum" = 1, "maximum" = 255, "default" = 128))]
    threshold: u8,
    /// The side of a pixel in scene units; or its width and height, where negative ones mirror the picture at the origin.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = 1))]
    scale: Scale,
    /// Grows the pixels on all sides.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
}

/// Half opaque.
pub(crate) const THRESHOLD: u8 = 128;

fn threshold() -> u8 {
    THRESHOLD
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_threshold(threshold: &u8) -> bool {
    *threshold == THRESHOLD
}

impl ShapeSpec {
    /// The shape, or why there is none.
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

    /// The form that reads back as this shape. A compound that was grown reads back as one of grown children: the same points.
    pub(crate) fn of(shape: &Shape) -> Self {
        Self::grown(shape, 0.0)
    }

    /// The form of the shape grown by a radius.
    fn grown(shape: &Shape, by: f64) -> Self {
        let points = shape.points();
        let radius = Number(shape.radius() + by);
        match shape.kind() {
            // A segment of equal ends is a circle too, and need not be centred.
            ShapeKind::Circle if points[0] == DVec2::ZERO => Self::Circle(Circle { radius }),
            ShapeKind::Circle => Self::Segment(Segment { a: point(points[0]), b: point(points[0]), radius }),
            ShapeKind::Segment => Self::Segment(Segment { a: point(points[0]), b: point(points[1]), radius }),
            ShapeKind::Capsule => Self::Capsule(Capsule { a: point(points[0]), b: point(points[1]), radius }),
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
            _ => Self::Polygon(Polygon { points: list(points), holes: Vec::new(), radius }),
        }
    }
}

/// The keys a shape may have.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Circle,
    Capsule,
    Segment,
    Rectangle,
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
                    Kind::Rectangle => ShapeSpec::Rectangle(map.next_value()?),
                    Kind::Polygon => ShapeSpec::Polygon(map.next_value()?),
                    Kind::Chain => ShapeSpec::Chain(map.next_value()?),
                    Kind::Compound => ShapeSpec::Compound(map.next_value()?),
                    Kind::Mask => ShapeSpec::Mask(map.next_value()?),
                };
                match map.next_key::<String>()? {
                    None => Ok(shape),
                    Some(key) => Err(M::Error::custom(format_args!(
                        "a shape has one key, its kind, but here \"{key}\" follows: give each shape a collider of its own"
                    ))),
                }
            }
        }
        deserializer.deserialize_map(ShapeVisitor)
    }
}
