//! Implements serde (feature `serde`).
//!
//! Plain data are serialized by their field names, shapes as the arguments of their constructors,
//! and worlds as the bytes of a snapshot.
//!
//! Deserialization checks values as the constructors do. A number out of range, an invalid polygon
//! or a pose that is not a rotation is an error of the format that is read. Without these
//! checks, queries could panic or return NaN.
//!
//! | file | types |
//! |---|---|
//! | `math.rs` | `Pose`, `Aabb`, `OneWay` |
//! | `contacts.rs` | `Manifold`, `ContactPoint` |
//! | `shapes.rs` | `Shape` |
//! | `worlds.rs` | `World` |
//!
//! A type derives its implementation if all values of its fields are valid: `Filter`, `Handle`,
//! `Collider`, `Contact`, `ContactId`, `Feature`. Each other type is converted to a private type
//! `Plain…` and back by the macro `through`, with the checks of its constructor.

mod contacts;
mod math;
mod shapes;
mod worlds;

/// Serializes a type through a plain type, and deserializes it with the checks of `TryFrom`.
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
