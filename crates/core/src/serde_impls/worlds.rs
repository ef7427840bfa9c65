//! Implements serde for worlds, as the bytes of [`World::to_bytes`].
//!
//! The columns of a world depend on each other, so field by field they could not be checked. A
//! snapshot has a format version and a checksum, and all its values are checked when it is read.
//!
//! ```text
//! serialize(world)   = bytes of `World::to_bytes`
//! deserialize(bytes) = `World::from_bytes(bytes)`, or its error as an error of the format
//! ```
//!
//! Formats without bytes, such as JSON, store a list of numbers instead, and both forms are read.

use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::world::World;

impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// Visits bytes, or a sequence of bytes if the format has no byte type.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = World;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a world's snapshot")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<World, E> {
        World::from_bytes(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<World, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element()? {
            bytes.push(byte);
        }
        World::from_bytes(&bytes).map_err(A::Error::custom)
    }
}
