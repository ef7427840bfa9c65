//! Helps serde with optional keys: refuses null, and omits default values when writing.
use serde::{Deserialize, Deserializer};

/// For keys without a default. The default in the schema would be null, which is refused.
#[cfg(feature = "schema")]
pub(crate) fn without_default(schema: &mut schemars::Schema) {
    schema.remove("default");
}

/// Optional key whose value must not be null.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
