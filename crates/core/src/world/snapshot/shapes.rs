//! Serializes the shapes of a state as a table in which equal shapes occur once.
//!
//! Input: shapes, in the order of the colliders. Output: a table of shapes, and an index per
//! collider. Two shapes are equal if their bytes are equal. Shapes that share their data are
//! recognized by address, without serializing them again: a tile map can have a thousand colliders
//! of one shape.

use alloc::vec::Vec;

use crate::error::Error;
use crate::math::codec::{Reader, Writer, fnv_hash};
use crate::math::ordered_map::KeyMap;
use crate::shape::Shape;

/// The shape table during writing. Indices are in order of first use.
#[derive(Default)]
pub(super) struct WriteShapes {
    /// Table indices of the shapes, by the hash of their bytes. Of two shapes with the same hash, which is very rare,
    /// only the first one is found again.
    numbers: KeyMap,
    /// By table index: where the bytes begin in the table.
    starts: Vec<usize>,
    /// Table indices of shapes with shared data, by the address of the data: avoids serializing
    /// them again.
    shared: KeyMap,
    /// The bytes of the shape being looked up.
    scratch: Writer,
    table: Writer,
}

impl WriteShapes {
    pub(super) fn number(&mut self, shape: &Shape) -> u32 {
        let address = shape.shared_address().map(|address| [address as u64, 0, 0]);
        if let Some(number) = address.and_then(|address| self.shared.get(&address)) {
            return number;
        }
        self.scratch.0.clear();
        shape.write(&mut self.scratch);
        let hash = [fnv_hash(&self.scratch.0), 0, 0];
        let first = self.numbers.get(&hash);
        let known = first.filter(|&number| self.bytes(number) == self.scratch.0);
        let number = known.unwrap_or_else(|| {
            let next = self.starts.len() as u32;
            self.starts.push(self.table.0.len());
            self.table.0.extend_from_slice(&self.scratch.0);
            if first.is_none() {
                self.numbers.insert(hash, next);
            }
            next
        });
        if let Some(address) = address {
            self.shared.insert(address, number);
        }
        number
    }

    /// Returns the bytes of a shape in the table.
    fn bytes(&self, number: u32) -> &[u8] {
        let end = self.starts.get(number as usize + 1).copied().unwrap_or(self.table.0.len());
        &self.table.0[self.starts[number as usize]..end]
    }

    pub(super) fn finish(self, out: &mut Writer) {
        out.varint_u64(self.starts.len() as u64);
        out.0.extend_from_slice(&self.table.0);
    }
}

/// The shape table during reading.
pub(super) struct ReadShapes(Vec<Shape>);

impl ReadShapes {
    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        from.list(2, Shape::read).map(Self)
    }

    /// Reads an index, and returns its shape.
    pub(super) fn get(&self, from: &mut Reader<'_>) -> Result<Shape, Error> {
        let number = from.varint_u32()?;
        self.0.get(number as usize).cloned().ok_or_else(|| from.invalid_data("a collider has an unknown shape"))
    }
}
