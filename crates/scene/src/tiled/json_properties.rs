//! Reads the custom properties of an object or a layer in JSON.
//!
//! The list has the name, the type and the value of each. All values are converted to text, the
//! only form in XML. So `properties.rs` has one parser for both formats.

use super::properties::Properties;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Properties as a list. Before Tiled 1.2 they were an object, which is not read.
#[derive(Default)]
pub(super) struct RawProperties(pub(super) Properties);

/// Property before its value is read by its `type`.
#[derive(Deserialize)]
struct RawProperty {
    name: String,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    value: Value,
}

impl<'de> Deserialize<'de> for RawProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PropertyList;
        impl<'de> Visitor<'de> for PropertyList {
            type Value = RawProperties;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of properties")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawProperties, A::Error> {
                let mut properties = Properties::default();
                while let Some(RawProperty { name, kind, value }) = list.next_element()? {
                    let set = match value {
                        Value::String(text) => properties.set(&name, &kind, &text),
                        Value::Bool(is) => properties.set(&name, &kind, &is.to_string()),
                        Value::Number(number) => properties.set(&name, &kind, &number.to_string()),
                        Value::Null | Value::Array(_) | Value::Object(_) => properties.set_other(&name),
                    };
                    set.map_err(A::Error::custom)?;
                }
                Ok(RawProperties(properties))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawProperties, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(RawProperties::default())
            }
        }
        deserializer.deserialize_any(PropertyList)
    }
}
