//! The types behind a scene file; the JSON Schema is generated from them.
use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::number::{Number, Numbers, Point};
use super::serde_helpers::{is_default, present, without_default};
use super::shape::ShapeSpec;

/// A carom scene: colliders with ids, ready to be checked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a scene, such as {\"carom\": 1, \"colliders\": []}")]
#[schemars(title = "A carom scene")]
pub(crate) struct Document<'a> {
    /// Where this schema is, for editors.
    #[serde(rename = "$schema", default, deserialize_with = "present")]
    #[schemars(with = "String", transform = without_default)]
    #[expect(dead_code, reason = "allowed and of no meaning to the reader")]
    schema: Option<String>,
    /// The format's version.
    #[expect(dead_code, reason = "reading it is the check")]
    carom: Version,
    /// What is checked, in this order.
    #[serde(borrow)]
    #[schemars(with = "Vec<ColliderSpec>")]
    pub(crate) colliders: &'a RawValue,
    /// Which way +y points; only drawing looks at it.
    #[serde(default)]
    #[schemars(extend("default" = "up"))]
    pub(crate) y: Direction,
    /// Acceleration of all bodies, in units per second squared.
    #[serde(default)]
    pub(crate) gravity: Option<Point>,
    /// The box that bodies stay in: min x, min y, max x, max y.
    #[serde(default)]
    pub(crate) walls: Option<Numbers<4>>,
}

/// The only version there is.
#[derive(Debug, JsonSchema)]
#[schemars(transparent, inline)]
pub(crate) struct Version(
    #[schemars(extend("const" = 1))]
    #[expect(dead_code, reason = "for the schema")]
    u32,
);

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Number::deserialize(deserializer)?.0 {
            1.0 => Ok(Self(1)),
            other => Err(D::Error::custom(format_args!(
                "the scene is of format version {other}: this carom reads version 1"
            ))),
        }
    }
}

/// Which way +y points.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Direction {
    #[default]
    Up,
    Down,
}

/// A shape, where it is, and what it may meet.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a collider, such as {\"shape\": {\"circle\": {\"radius\": 1}}}")]
#[schemars(rename = "Collider")]
pub(crate) struct ColliderSpec {
    /// Unique; may not begin with `#`. Without one it is `#` and the collider's index.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("pattern" = "^([^#]|$)"))]
    pub(crate) id: Option<String>,
    /// The shape in its own frame.
    pub(crate) shape: ShapeSpec,
    /// Where the shape's origin is.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = [0, 0]))]
    pub(crate) position: Point,
    /// In degrees, about the shape's origin; positive turns +x toward +y.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0))]
    pub(crate) rotation: Number,
    /// The layers that it is on, by number or name.
    #[schemars(extend("default" = [0]))]
    #[serde(default = "ground_layer", skip_serializing_if = "is_ground_layer")]
    pub(crate) layers: Vec<Layer>,
    /// The layers that it may meet; all, if left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Layer>")]
    pub(crate) mask: Option<Vec<Layer>>,
    /// Colliders of one group never meet each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<Group>,
    /// Reports contacts but does not push.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    pub(crate) sensor: bool,
    /// How it moves during a sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) motion: Option<MotionSpec>,
    /// What it needs to be simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<BodySpec>,
}

fn ground_layer() -> Vec<Layer> {
    vec![Layer::Number(0)]
}

fn is_ground_layer(layers: &Vec<Layer>) -> bool {
    *layers == ground_layer()
}

/// A layer: a number from 0 to 63, or a name, which gets a free number.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Layer {
    Number(#[schemars(range(min = 0, max = 63))] u32),
    Name(String),
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LayerVisitor;
        impl Visitor<'_> for LayerVisitor {
            type Value = Layer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a layer: a number from 0 to 63, or a name")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<Layer, E> {
                Ok(Layer::Name(name.to_owned()))
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Layer, E> {
                self.visit_f64(number as f64)
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Layer, E> {
                self.visit_f64(number as f64)
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Layer, E> {
                Number(number).whole(0, 63, "a layer").map(Layer::Number)
            }
        }
        deserializer.deserialize_any(LayerVisitor)
    }
}

/// A group's number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(transparent, inline)]
pub(crate) struct Group(#[schemars(extend("minimum" = 1, "maximum" = u32::MAX))] pub(crate) u32);

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Number::deserialize(deserializer)?.whole(1, u32::MAX, "a group").map(Self)
    }
}

/// A movement during one sweep.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a motion, such as {\"translation\": [1, 0], \"rotation\": 0}")]
#[schemars(rename = "Motion")]
pub(crate) struct MotionSpec {
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = [0, 0]))]
    pub(crate) translation: Point,
    /// In degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0))]
    pub(crate) rotation: Number,
}

/// What a body needs to be simulated.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a body, such as {\"mass\": 1}")]
#[schemars(rename = "Body")]
pub(crate) struct BodySpec {
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30))]
    pub(crate) mass: Number,
    /// In units per second.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = [0, 0]))]
    pub(crate) velocity: Point,
    /// Share of the speed that a bounce keeps.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("minimum" = 0, "maximum" = 1, "default" = 0))]
    pub(crate) restitution: Number,
}
