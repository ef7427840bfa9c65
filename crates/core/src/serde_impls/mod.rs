//! Serde (feature `serde`): data by the names of their fields, shapes by what they were made from, worlds as the bytes of a snapshot.
//!
//! Whatever is read passes the same checks as what is built by hand: numbers out of range, polygons that are none and poses that do not turn are errors of the format that was read.

mod contacts;
mod math;
mod shapes;
mod worlds;

/// Serializes a type as plain data of another one, and builds it from them again.
macro_rules! through {
    ($type:ty, $plain:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$plain>::from(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$plain>::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
            }
        }
    };
}
use through;

/// Serializes a type by the fields or variants that `$plain` repeats. Any values are valid, so nothing is checked.
macro_rules! alike {
    ($type:ty, $plain:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$plain>::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$plain>::deserialize(deserializer)
            }
        }
    };
}
use alike;
