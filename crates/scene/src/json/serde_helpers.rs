//! Keys that may be left out: how they are read, written and described.
use serde::{Deserialize, Deserializer};

/// For keys without a default: the schema's would be null, which is refused.
pub(crate) fn without_default(schema: &mut schemars::Schema) {
    schema.remove("default");
}

/// A key that may be left out, but is not null when it is there.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
