//! Serializes the shapes of a state as a table in which equal shapes occur once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::shape::Shape;

/// The shape table during writing. Indices are in order of first use.
#[derive(Default)]
pub(super) struct WriteShapes {
    numbers: BTreeMap<Vec<u8>, u32>,
    /// Table indices of shapes with shared data, by the address of the data: avoids serializing
    /// them again.
    shared: BTreeMap<usize, u32>,
    /// The bytes of the shape being looked up.
    scratch: Writer,
    table: Writer,
}

impl WriteShapes {
    pub(super) fn number(&mut self, shape: &Shape) -> u32 {
        let address = shape.shared_address();
        if let Some(&number) = address.and_then(|address| self.shared.get(&address)) {
            return number;
        }
        self.scratch.0.clear();
        shape.write(&mut self.scratch);
        let next = self.numbers.len() as u32;
        let number = if let Some(&number) = self.numbers.get(&self.scratch.0) {
            number
        } else {
            self.table.0.extend_from_slice(&self.scratch.0);
            self.numbers.insert(self.scratch.0.clone(), next);
            next
        };
        if let Some(address) = address {
            self.shared.insert(address, number);
        }
        number
    }

    pub(super) fn finish(self, out: &mut Writer) {
        out.varint_u64(self.numbers.len() as u64);
        out.0.extend_from_slice(&self.table.0);
    }
}

/// The shape table during reading.
pub(super) struct ReadShapes(Vec<Shape>);

impl ReadShapes {
    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        let count = from.count(2)?;
        Ok(Self((0..count).map(|_| Shape::read(from)).collect::<Result<_, _>>()?))
    }

    /// Reads an index, and returns its shape.
    pub(super) fn get(&self, from: &mut Reader<'_>) -> Result<Shape, Error> {
        let number = from.varint_u32()?;
        self.0.get(number as usize).cloned().ok_or_else(|| from.invalid_data("a collider has an unknown shape"))
    }
}
