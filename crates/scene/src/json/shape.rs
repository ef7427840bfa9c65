//! The forms of `"shape"`, and what becomes of them.
use std::fmt;

use carom::{DVec2, ErrorKind, Shape, ShapeKind};
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::document::is_default;
use super::number::{Number, Point};

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
    /// Convex, at least three points not on one line, either winding.
    Polygon(Polygon),
    #[serde(skip)]
    Later(Kind),
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
    /// None: this version reads polygons without holes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 0))]
    holes: Vec<Vec<Point>>,
    /// Grows the polygon on all sides, which rounds its corners.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1e30, "default" = 0))]
    radius: Number,
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
                    Kind::Chain | Kind::Compound | Kind::Mask => {
                        map.next_value::<IgnoredAny>()?;
                        ShapeSpec::Later(kind)
                    }
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

/// Why a shape was refused, and where inside it.
pub(crate) struct Refused {
    /// As a path below the collider: `shape.polygon.points[3]`.
    pub(crate) place: String,
    pub(crate) message: String,
}

impl ShapeSpec {
    /// The shape, or why there is none.
    pub(crate) fn build(&self) -> Result<Shape, Refused> {
        let (kind, built) = match self {
            Self::Circle(Circle { radius }) => ("circle", Shape::circle(radius.0)),
            Self::Capsule(Capsule { a, b, radius }) => ("capsule", Shape::capsule(a.0, b.0, radius.0)),
            Self::Segment(Segment { a, b, radius }) => ("segment", Shape::segment(a.0, b.0).and_then(|s| s.rounded(radius.0))),
            Self::Rectangle(Rectangle { width, height, radius }) => {
                ("rectangle", Shape::rectangle(width.0, height.0).and_then(|s| s.rounded(radius.0)))
            }
            Self::Polygon(polygon) => ("polygon", polygon.build()?),
            Self::Later(kind) => return Err(Self::later(*kind)),
        };
        built.map_err(|error| {
            let vertex = error.vertex().map_or(String::new(), |v| format!(".points[{v}]"));
            let later = match error.kind() {
                ErrorKind::Concave => "; this version reads convex polygons only: cut it into convex ones",
                _ => "",
            };
            Refused { place: format!("shape.{kind}{vertex}"), message: format!("{error}{later}") }
        })
    }

    fn later(kind: Kind) -> Refused {
        let (kind, instead) = match kind {
            Kind::Chain => ("chain", "write its edges as segments"),
            Kind::Compound => ("compound", "write its parts as colliders of one group"),
            _ => ("mask", "outline it with convex polygons of one group"),
        };
        Refused { place: format!("shape.{kind}"), message: format!("this version of carom does not read the shape \"{kind}\": {instead}") }
    }

    /// The form that reads back as this shape.
    pub(crate) fn of(shape: &Shape) -> Self {
        let points = shape.points();
        let radius = Number(shape.radius());
        let point = |p: DVec2| super::number::Numbers(p.to_array());
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
            _ => {
                let points = points.iter().map(|&p| point(p)).collect();
                Self::Polygon(Polygon { points, holes: Vec::new(), radius })
            }
        }
    }
}

impl Polygon {
    fn build(&self) -> Result<Result<Shape, carom::Error>, Refused> {
        if !self.holes.is_empty() {
            return Err(Refused {
                place: "shape.polygon.holes".to_owned(),
                message: "this version of carom does not read polygons with holes: cut it into convex ones".to_owned(),
            });
        }
        let points: Vec<DVec2> = self.points.iter().map(|p| p.0.into()).collect();
        Ok(Shape::polygon(&points).and_then(|s| s.rounded(self.radius.0)))
    }
}
