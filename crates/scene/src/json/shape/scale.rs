//! Reads and writes the size of the pixels of a mask: one number, or one per direction.
//!
//! A negative value mirrors. One number must be above 0, because it cannot tell which direction it
//! mirrors.

use std::fmt;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::json::number::{Number, Numbers};

/// Width and height of a pixel. Negative values mirror.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale(pub(super) [f64; 2]);

impl Default for Scale {
    fn default() -> Self {
        Self([1.0; 2])
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Scale {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scale".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let factor = serde_json::json!({ "type": "number", "minimum": -1e30, "maximum": 1e30, "not": { "const": 0 } });
        schemars::json_schema!({
            "anyOf": [
                { "type": "number", "exclusiveMinimum": 0, "maximum": 1e30 },
                { "type": "array", "items": factor, "minItems": 2, "maxItems": 2 },
            ],
        })
    }
}

impl Serialize for Scale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [x, y] if x == y && x > 0.0 => Number(x).serialize(serializer),
            both => Numbers(both).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScaleVisitor;
        impl<'de> Visitor<'de> for ScaleVisitor {
            type Value = Scale;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scale: a number above 0, or [x, y]")
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Scale, E> {
                self.visit_f64(value as f64)
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Scale, E> {
                self.visit_f64(value as f64)
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Scale, E> {
                if value > 0.0 {
                    Ok(Scale([value; 2]))
                } else {
                    Err(E::custom(format_args!("a scale is above 0, not {value}; [x, y] mirrors")))
                }
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Scale, A::Error> {
                Numbers::<2>::deserialize(serde::de::value::SeqAccessDeserializer::new(seq))
                    .map(|numbers| Scale(numbers.0))
            }
        }
        deserializer.deserialize_any(ScaleVisitor)
    }
}
