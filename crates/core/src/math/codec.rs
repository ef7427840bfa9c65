//! Numbers as bytes and back: little-endian, whole numbers as short as they are (LEB128), nothing read beyond the end.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::pose::Pose;
use super::vector::check_point;
use crate::error::{Error, ErrorKind};

/// Appends numbers to bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Seven bits a byte, the lowest first.
    pub(crate) fn varint_u64(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn float(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    pub(crate) fn point(&mut self, p: DVec2) {
        self.float(p.x);
        self.float(p.y);
    }

    pub(crate) fn pose(&mut self, pose: &Pose) {
        self.point(pose.translation());
        self.float(pose.cos());
        self.float(pose.sin());
    }

    pub(crate) fn points(&mut self, points: &[DVec2]) {
        self.varint_u64(points.len() as u64);
        for &p in points {
            self.point(p);
        }
    }
}

/// Reads what a [`Writer`] wrote, and refuses all else.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, length: bytes.len() }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// What is wrong, and where.
    #[cold]
    pub(crate) fn invalid_data(&self, what: &str) -> Error {
        damaged(&format!("byte {}: {what}", self.length - self.rest.len()))
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some((head, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.invalid_data("the end is missing"));
        };
        self.rest = rest;
        Ok(head)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn varint_u64(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.invalid_data("a whole number above 2⁶⁴"))
    }

    pub(crate) fn varint_u32(&mut self) -> Result<u32, Error> {
        let value = self.varint_u64()?;
        u32::try_from(value).map_err(|_| self.invalid_data("a whole number above 2³²"))
    }

    /// How many things follow that take at least `least` bytes each: never more than there are bytes, so that nothing too large is set aside for them.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, Error> {
        let count = self.varint_u64()?;
        let most = self.rest.len() / least.max(1);
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= most)
            .ok_or_else(|| self.invalid_data("more things than bytes"))
    }

    pub(crate) fn float(&mut self) -> Result<f64, Error> {
        let bytes = self.take(8)?;
        Ok(bytes.try_into().map_or(0.0, |bytes| f64::from_bits(u64::from_le_bytes(bytes))))
    }

    pub(crate) fn finite(&mut self) -> Result<f64, Error> {
        let value = self.float()?;
        if value.is_finite() { Ok(value) } else { Err(self.invalid_data("a number that is none")) }
    }

    pub(crate) fn vector(&mut self) -> Result<DVec2, Error> {
        Ok(DVec2::new(self.finite()?, self.finite()?))
    }

    /// A point in range.
    pub(crate) fn point(&mut self) -> Result<DVec2, Error> {
        let point = self.vector()?;
        check_point("point", point).map_err(|_| self.invalid_data("a point out of range"))
    }

    pub(crate) fn pose(&mut self) -> Result<Pose, Error> {
        let (translation, cos, sin) = (self.point()?, self.float()?, self.float()?);
        Pose::from_stored(translation, cos, sin).ok_or_else(|| self.invalid_data("a pose that is none"))
    }

    pub(crate) fn points(&mut self) -> Result<Vec<DVec2>, Error> {
        let count = self.count(16)?;
        (0..count).map(|_| self.point()).collect()
    }
}

/// The error of bytes that are not what they should be.
#[cold]
pub(crate) fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the data are damaged, or of another kind: {what}"))
}

/// A hash of bytes, eight at a time, the same on every machine: for comparing states and finding damage, not for secrets.
///
/// Multiply and fold, as in Vigna's `SplitMix64`.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let h = (hash ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h ^ h >> 29
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = mix(mix(hash, u64::from_le_bytes(last)), bytes.len() as u64);
    let hash = (hash ^ hash >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_come_back_and_too_large_ones_are_refused() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut writer = Writer::default();
            writer.varint_u64(value);
            assert_eq!(Reader::new(&writer.0).varint_u64().unwrap(), value);
            assert_eq!(Reader::new(&writer.0[1..]).varint_u64().is_err(), writer.0.len() == 1);
        }
        assert!(Reader::new(&[0xff; 9]).varint_u64().is_err() && Reader::new(&[0xff; 11]).varint_u64().is_err());
        // 2⁶⁴ in ten bytes.
        assert!(Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]).varint_u64().is_err());
    }

    #[test]
    fn every_bit_counts_in_a_hash() {
        let bytes: Vec<u8> = (0..37).collect();
        let before = hash(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(hash(&other), before);
        }
        assert_ne!(hash(&[0; 8]), hash(&[0; 9]));
    }
}
