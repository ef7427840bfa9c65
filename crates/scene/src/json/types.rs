//! Defines the types of a scene file. The JSON Schema is generated from them.
//!
//! The doc comments of the fields are the descriptions in the schema, which editors show. Unknown
//! keys are errors. Optional keys have their default, and are not written if they have it.

use std::fmt;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::number::{Number, Numbers, Point};
#[cfg(feature = "schema")]
use super::serde_helpers::without_default;
use super::serde_helpers::{is_default, present};
use super::shape::ShapeSpec;

/// Carom scene: colliders with ids.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a scene, such as {\"carom\": 1, \"colliders\": []}")]
#[cfg_attr(feature = "schema", schemars(title = "A carom scene"))]
pub(crate) struct Document<'a> {
    /// Address of this schema, for editors.
    #[serde(rename = "$schema", default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(with = "String", transform = without_default))]
    #[expect(dead_code, reason = "allowed and of no meaning to the reader")]
    schema: Option<String>,
    /// Version of the format.
    #[expect(dead_code, reason = "reading it is the check")]
    carom: Version,
    /// Colliders of the scene, in the order of the results.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ColliderSpec>"))]
    pub(crate) colliders: &'a RawValue,
    /// Direction of +y. Only drawing uses it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "up")))]
    pub(crate) y: Direction,
    /// Acceleration of all bodies, in units per second squared.
    #[serde(default)]
    pub(crate) gravity: Option<Point>,
    /// Box that encloses the bodies: min x, min y, max x, max y.
    #[serde(default)]
    pub(crate) walls: Option<Numbers<4>>,
}

/// The only version.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transparent, inline))]
pub(crate) struct Version(
    #[cfg_attr(feature = "schema", schemars(extend("const" = 1)))]
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

/// Direction of +y.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub(crate) enum Direction {
    #[default]
    Up,
    Down,
}

/// Shape, its pose, and its filter.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a collider, such as {\"shape\": {\"circle\": {\"radius\": 1}}}")]
#[cfg_attr(feature = "schema", schemars(rename = "Collider"))]
pub(crate) struct ColliderSpec {
    /// Unique. Must not begin with `#`. The default is `#` and the index of the collider.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("pattern" = "^([^#]|$)")))]
    pub(crate) id: Option<String>,
    /// Shape in local coordinates.
    pub(crate) shape: ShapeSpec,
    /// Position of the origin of the shape.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = [0, 0])))]
    pub(crate) position: Point,
    /// Rotation about the origin of the shape, in degrees. Positive angles rotate +x towards +y.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0)))]
    pub(crate) rotation: Number,
    /// Layers of the collider, by number or name. Layer 0 by default.
    #[cfg_attr(feature = "schema", schemars(extend("default" = [0])))]
    #[serde(default = "ground_layer", skip_serializing_if = "is_ground_layer")]
    pub(crate) layers: Vec<Layer>,
    /// Layers with which it may have contacts. All by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Layer>"))]
    pub(crate) mask: Option<Vec<Layer>>,
    /// Colliders of the same group have no contacts with each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<Group>,
    /// Reports contacts, but is not separated from other colliders.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub(crate) sensor: bool,
    /// Belongs to the level. Two fixed colliders have no contact.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub(crate) fixed: bool,
    /// Front direction in local coordinates: stops only others that come from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("not" = { "const": [0, 0] })))]
    pub(crate) one_way: Option<Point>,
    /// Path and speed of a moving platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) moving: Option<MovingSpec>,
    /// Motion during a sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) motion: Option<MotionSpec>,
    /// Physical values for a simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<BodySpec>,
}

fn ground_layer() -> Vec<Layer> {
    vec![Layer::Number(0)]
}

fn is_ground_layer(layers: &Vec<Layer>) -> bool {
    *layers == ground_layer()
}

/// Layer: a number from 0 to 63, or a name. A name gets a free number, from 1 to 63 if one is left.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub(crate) enum Layer {
    Number(#[cfg_attr(feature = "schema", schemars(range(min = 0, max = 63)))] u32),
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

/// Number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transparent, inline))]
pub(crate) struct Group(
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1, "maximum" = u32::MAX)))] pub(crate) u32,
);

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Number::deserialize(deserializer)?.whole(1, u32::MAX, "a group").map(Self)
    }
}

/// Path and speed of a moving platform.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a path and a speed, such as {\"path\": [[0, 0], [0, 3]], \"speed\": 1}")]
#[cfg_attr(feature = "schema", schemars(rename = "Moving"))]
pub(crate) struct MovingSpec {
    /// Points of the path. Only their differences count: the collider is at its position at time 0.
    /// A path that ends at its first point is closed. Any other path is followed there and back.
    #[cfg_attr(feature = "schema", schemars(length(min = 2)))]
    pub(crate) path: Vec<Point>,
    /// In units per second.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    pub(crate) speed: Number,
}

/// Motion during a sweep.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a motion, such as {\"translation\": [1, 0], \"rotation\": 0}")]
#[cfg_attr(feature = "schema", schemars(rename = "Motion"))]
pub(crate) struct MotionSpec {
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = [0, 0])))]
    pub(crate) translation: Point,
    /// In degrees.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = -1e30, "maximum" = 1e30, "default" = 0)))]
    pub(crate) rotation: Number,
}

/// Physical values for a simulation.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a body, such as {\"mass\": 1}")]
#[cfg_attr(feature = "schema", schemars(rename = "Body"))]
pub(crate) struct BodySpec {
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    pub(crate) mass: Number,
    /// In units per second.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = [0, 0])))]
    pub(crate) velocity: Point,
    /// Restitution: fraction of the speed after a bounce.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 1, "default" = 0)))]
    pub(crate) restitution: Number,
}
