//! Implements serde (feature `serde`).
//!
//! Plain data are serialized by their field names, shapes as the arguments of their constructors,
//! and worlds as the bytes of a snapshot.
//!
//! Deserialization checks values as the constructors do. A number out of range, an invalid polygon
//! or a pose that is not a rotation is an error of the format that is read. Derived implementations
//! would skip these checks, and then queries could panic or return NaN.
//!
//! | file | types |
//! |---|---|
//! | `math.rs` | `Pose`, `Aabb`, `Filter`, `Handle`, `OneWay` |
//! | `contacts.rs` | `Manifold`, `ContactPoint`, `ContactId`, `Feature`, `Contact` |
//! | `shapes.rs` | `Shape`, `Collider` |
//! | `worlds.rs` | `World` |
//!
//! A private type `Plain…` repeats the fields of a public type. So the layers below know nothing of
//! serde, and private fields stay private.
//!
//! ```text
//! alike:    all values of the fields are valid; the derived implementation suffices
//! through:  convert to the plain type and back, with the checks of the constructor
//! ```

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

/// Serializes a type by the fields or variants that `$plain` repeats. All values are valid, so
/// nothing is checked.
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
