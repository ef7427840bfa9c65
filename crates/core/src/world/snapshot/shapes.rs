//! The shapes of a state, each once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::shape::Shape;

/// Shapes by number, in the order in which they were first met.
#[derive(Default)]
pub(super) struct WriteShapes {
    numbers: BTreeMap<Vec<u8>, u32>,
    /// Numbers of shapes whose data are shared, so that these are looked at once.
    shared: BTreeMap<usize, u32>,
    /// Of the last one: neighbours are often alike.
    scratch: Writer,
    table: Writer,
}

impl WriteShapes {
    pub(super) fn number(&mut self, shape: &Shape) -> u32 {
        let place = shape.shared();
        if let Some(&number) = place.and_then(|place| self.shared.get(&place)) {
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
        if let Some(place) = place {
            self.shared.insert(place, number);
        }
        number
    }

    pub(super) fn finish(self, out: &mut Writer) {
        out.varint_u64(self.numbers.len() as u64);
        out.0.extend_from_slice(&self.table.0);
    }
}

/// Shapes by number.
pub(super) struct ReadShapes(Vec<Shape>);

impl ReadShapes {
    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        let count = from.count(2)?;
        Ok(Self((0..count).map(|_| Shape::read(from)).collect::<Result<_, _>>()?))
    }

    /// The shape whose number comes next.
    pub(super) fn get(&self, from: &mut Reader<'_>) -> Result<Shape, Error> {
        let number = from.varint_u32()?;
        self.0.get(number as usize).cloned().ok_or_else(|| from.invalid_data("a shape that is not there"))
    }
}
