//! Reads structures in the compact protocol of Thrift.
//!
//! A field has a byte with the distance to the last number and the type, then its value. Numbers have 7 bits per byte;
//! signed ones alternate between signs (zigzag). A structure ends with a byte 0.

/// Structures and lists in each other, at most.
const DEPTH: usize = 16;

const I32: u8 = 5;
const STRUCT: u8 = 12;

/// Why a structure cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderError {
    /// The bytes end before the structure.
    Short,
    /// The bytes are no such structure.
    Damaged,
}

/// The number and the type of a field.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) id: i64,
    kind: u8,
}

/// Reads the fields of a structure one after the other.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The last numbers of fields: of the structure and those around it.
    last: Vec<i64>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, last: vec![0] }
    }

    /// Returns the next field. `None` at the end of the structure. Then the next field is one of the structure around
    /// it.
    pub(super) fn next(&mut self) -> Result<Option<Field>, HeaderError> {
        let byte = self.byte()?;
        if byte == 0 {
            self.last.pop();
            return Ok(None);
        }
        let id = match byte >> 4 {
            0 => self.signed()?,
            distance => self.last.last().copied().unwrap_or(0).saturating_add(i64::from(distance)),
        };
        // Numbers of fields have 16 bits. A reader that keeps only these would see another field.
        if i16::try_from(id).is_err() {
            return Err(HeaderError::Damaged);
        }
        if let Some(last) = self.last.last_mut() {
            *last = id;
        }
        Ok(Some(Field { id, kind: byte & 0xf }))
    }

    /// Returns the value of a field of the type i32 that is not negative.
    pub(super) fn size(&mut self, field: Field) -> Result<u64, HeaderError> {
        if field.kind != I32 {
            return Err(HeaderError::Damaged);
        }
        match self.signed()? {
            size @ 0..=0x7fff_ffff => Ok(size as u64),
            _ => Err(HeaderError::Damaged),
        }
    }

    /// Makes the fields of an inner structure the next ones.
    pub(super) fn enter(&mut self, field: Field) -> Result<(), HeaderError> {
        if field.kind != STRUCT || self.last.len() == DEPTH {
            return Err(HeaderError::Damaged);
        }
        self.last.push(0);
        Ok(())
    }

    /// Skips the value of a field.
    pub(super) fn skip(&mut self, field: Field) -> Result<(), HeaderError> {
        // The value of a truth is a part of the type.
        if matches!(field.kind, 1 | 2) { Ok(()) } else { self.skip_value(field.kind, 0) }
    }

    fn skip_value(&mut self, kind: u8, depth: usize) -> Result<(), HeaderError> {
        if depth == DEPTH {
            return Err(HeaderError::Damaged);
        }
        match kind {
            1..=3 => self.jump(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.jump(8),
            8 => {
                let length = self.number()?;
                self.jump(length)
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 0xf { self.number()? } else { u64::from(byte >> 4) };
                (0..count).try_for_each(|_| self.skip_value(byte & 0xf, depth + 1))
            }
            11 => {
                let count = self.number()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                (0..count).try_for_each(|_| {
                    self.skip_value(kinds >> 4, depth + 1)?;
                    self.skip_value(kinds & 0xf, depth + 1)
                })
            }
            STRUCT => {
                self.enter(Field { id: 0, kind })?;
                while let Some(field) = self.next()? {
                    self.skip(field)?;
                }
                Ok(())
            }
            _ => Err(HeaderError::Damaged),
        }
    }

    /// Returns the bytes that were read.
    pub(super) fn position(&self) -> u64 {
        self.at as u64
    }

    fn byte(&mut self) -> Result<u8, HeaderError> {
        let byte = *self.bytes.get(self.at).ok_or(HeaderError::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn jump(&mut self, length: u64) -> Result<(), HeaderError> {
        let at =
            usize::try_from(length).ok().and_then(|length| self.at.checked_add(length)).ok_or(HeaderError::Damaged)?;
        self.at = at;
        if at > self.bytes.len() { Err(HeaderError::Short) } else { Ok(()) }
    }

    fn signed(&mut self) -> Result<i64, HeaderError> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn number(&mut self) -> Result<u64, HeaderError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(HeaderError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One field of each type, and the number of a field far from the last one.
    #[test]
    fn values_that_are_skipped() {
        let bytes = [
            0x11, // 1: true
            0x12, // 2: false
            0x13, 0x7f, // 3: a byte
            0x16, 0x80, 0x01, // 4: i64
            0x17, 1, 2, 3, 4, 5, 6, 7, 8, // 5: a number of 64 bits
            0x18, 2, 0, 0, // 6: two bytes
            0x19, 0x21, 1, 2, // 7: two truths
            0x1a, 0xf5, 0x01, 0x04, // 8: a set of one i32, in the long form
            0x1b, 0x01, 0x58, 0x02, 0x01, 0x00, // 9: a map of one i32 to a byte
            0x1b, 0x00, // 10: an empty map
            0x1c, 0x15, 0x02, 0x1c, 0x00, 0x00, // 11: a structure with a structure
            0x05, 0xc8, 0x01, 0x0e, // 100: 7
            0x00, 0xff,
        ];
        let mut fields = Fields::new(&bytes);
        let mut ids = Vec::new();
        while let Some(field) = fields.next().unwrap() {
            ids.push(field.id);
            if field.id == 100 {
                assert_eq!(fields.size(field), Ok(7));
            } else {
                fields.skip(field).unwrap();
            }
        }
        assert_eq!((ids, fields.position()), ((1..=11).chain([100]).collect(), bytes.len() as u64 - 1));
    }

    /// Structures in each other end with an error, not with the stack. A long list of nothing does not take time.
    #[test]
    fn hostile_values() {
        let skip = |bytes: &[u8]| {
            let mut fields = Fields::new(bytes);
            let field = fields.next().unwrap().unwrap();
            fields.skip(field)
        };
        assert_eq!(skip(&vec![0x1c; 100_000]), Err(HeaderError::Damaged));
        assert_eq!(skip(&vec![0x19; 100_000]), Err(HeaderError::Damaged));
        assert_eq!(skip(&[0x19, 0xf0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]), Err(HeaderError::Damaged));
        assert_eq!(
            skip(&[0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            Err(HeaderError::Damaged)
        );
        // The number 65538 is 2 in 16 bits.
        assert!(matches!(Fields::new(&[0x05, 0x84, 0x80, 0x08, 0x02]).next(), Err(HeaderError::Damaged)));
        assert_eq!(
            skip(&[0x16, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            Err(HeaderError::Damaged)
        );
    }
}
