//! Reads and writes numbers in binary, little-endian, with LEB128 varints; and hashes bytes.
//!
//! Input: numbers, points and poses. Output: bytes, and back with the same bits. The reader checks
//! every length and range and never reads beyond the end. Errors have the byte offset.
//!
//! A general serialization format would store names and types of fields. Snapshots contain the same
//! few types many times, so the format has neither. A varint has seven bits per byte: slots, counts
//! and ids mostly take one or two bytes.
//!
//! ```text
//! varint   seven bits per byte, lowest first; the highest bit is set in all bytes but the last
//! float    8 bytes; a point has two floats, a pose four: translation, cosine and sine
//! list     number of elements as a varint, then the elements
//! ```
//!
//! A count is compared with the bytes that remain before memory is allocated. So damaged data
//! cannot cause a large allocation.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::pose::Pose;
use super::vector::check_point;
use crate::error::{Error, ErrorKind};

/// Appends numbers to a byte buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Appends an integer as LEB128: seven bits per byte, lowest bits first.
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

    /// Appends the translation, the cosine and the sine: 32 bytes.
    pub(crate) fn pose(&mut self, pose: &Pose) {
        self.point(pose.translation());
        self.float(pose.cos());
        self.float(pose.sin());
    }

    /// Appends the number of points and their coordinates.
    pub(crate) fn points(&mut self, points: &[DVec2]) {
        self.list(points, |out, &p| out.point(p));
    }

    /// Appends the number of elements and each element.
    pub(crate) fn list<T>(&mut self, elements: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.varint_u64(elements.len() as u64);
        for element in elements {
            write(self, element);
        }
    }
}

/// Reads the output of a [`Writer`]; returns an error for data that are too short or out of range.
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

    /// Returns an error with the byte offset of the current position.
    #[cold]
    pub(crate) fn invalid_data(&self, problem: &str) -> Error {
        damaged(&format!("byte {}: {problem}", self.length - self.rest.len()))
    }

    /// Reads `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some((head, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.invalid_data("the data end too early"));
        };
        self.rest = rest;
        Ok(head)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    /// Reads a LEB128 integer; returns an error if it has more than 64 bits.
    pub(crate) fn varint_u64(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // Bits beyond the 64th would be lost.
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.invalid_data("an integer is 2⁶⁴ or more"))
    }

    pub(crate) fn varint_u32(&mut self) -> Result<u32, Error> {
        let value = self.varint_u64()?;
        u32::try_from(value).map_err(|_| self.invalid_data("an integer is 2³² or more"))
    }

    /// Reads the number of elements that follow, each of at least `min_size` bytes.
    ///
    /// Returns an error if the rest of the data is too short for them. So a damaged count never
    /// causes a large allocation.
    pub(crate) fn count(&mut self, min_size: usize) -> Result<usize, Error> {
        let count = self.varint_u64()?;
        let max_count = self.rest.len() / min_size.max(1);
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= max_count)
            .ok_or_else(|| self.invalid_data("a count is larger than the remaining data"))
    }

    pub(crate) fn float(&mut self) -> Result<f64, Error> {
        let bytes = self.take(8)?;
        Ok(bytes.try_into().map_or(0.0, |bytes| f64::from_bits(u64::from_le_bytes(bytes))))
    }

    /// Reads a finite number of any magnitude.
    pub(crate) fn finite(&mut self) -> Result<f64, Error> {
        let value = self.float()?;
        if value.is_finite() { Ok(value) } else { Err(self.invalid_data("a number is not finite")) }
    }

    pub(crate) fn vector(&mut self) -> Result<DVec2, Error> {
        Ok(DVec2::new(self.finite()?, self.finite()?))
    }

    /// Reads a point and checks that its coordinates are in range.
    pub(crate) fn point(&mut self) -> Result<DVec2, Error> {
        let point = self.vector()?;
        check_point("point", point).map_err(|_| self.invalid_data("a point is out of range"))
    }

    pub(crate) fn pose(&mut self) -> Result<Pose, Error> {
        let (translation, cos, sin) = (self.point()?, self.float()?, self.float()?);
        Pose::from_stored(translation, cos, sin).ok_or_else(|| self.invalid_data("a pose is not a rotation"))
    }

    pub(crate) fn points(&mut self) -> Result<Vec<DVec2>, Error> {
        self.list(16, Self::point)
    }

    /// Reads a list whose elements have at least `min_size` bytes.
    pub(crate) fn list<T>(
        &mut self,
        min_size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut elements = Vec::new();
        for _ in 0..self.count(min_size)? {
            elements.push(read(self)?);
        }
        Ok(elements)
    }
}

/// Returns the error for data that cannot be decoded.
#[cold]
pub(crate) fn damaged(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the data are damaged or have another format: {problem}"))
}

/// Computes a 64-bit hash of bytes, eight at a time, equal on every machine.
///
/// For comparing states and detecting damage; not cryptographic. Multiplies and folds as
/// `SplitMix64` (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014;
/// constants by Vigna).
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

/// Returns a hash of words (after G. Fowler, L. C. Noll, K.-P. Vo; one word at a time, with a rotation).
pub(crate) fn fnv_hash<T: Copy + Into<u64>>(words: &[T]) -> u64 {
    words
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &word| (hash.rotate_left(29) ^ word.into()).wrapping_mul(0x0100_0000_01b3))
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
