//! Writes summaries as bytes and reads them back: the state of the aggregate function.
//!
//! The engine computes a summary for each part of the input and sends it to the part that merges
//! them.
//!
//! Format, little endian: count, WKB bytes, then the box of all outlines and each kept box as four
//! `f64`. Hashes are not stored, because they follow from the boxes. The length is checked, so
//! damaged bytes are an error.

use super::{Entry, KEPT, Sample, bits, hash};
use crate::outline::Bounds;

impl Sample {
    /// Returns the summary as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(48 + 32 * self.kept.len());
        let mut push = |word: u64| bytes.extend(word.to_le_bytes());
        push(self.count);
        push(self.wkb_bytes);
        bits(&self.bounds).into_iter().for_each(&mut push);
        for entry in &self.kept {
            bits(&entry.bounds).into_iter().for_each(&mut push);
        }
        bytes
    }

    /// Reads the bytes of [`to_bytes`](Sample::to_bytes); `None` if they are damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let (count, wkb_bytes) = (words.next()?, words.next()?);
        let mut bounds = || {
            let mut number = || Some(f64::from_bits(words.next()?));
            let (x0, y0, x1, y1) = (number()?, number()?, number()?, number()?);
            Some(Bounds { min: [x0, y0], max: [x1, y1] })
        };
        let all = bounds()?;
        let kept = std::iter::from_fn(bounds).map(|bounds| Entry { hash: hash(&bounds), bounds }).collect();
        let sample = Self { count, wkb_bytes, bounds: all, kept };
        (bytes.len() == 48 + 32 * sample.kept.len() && sample.kept.len() <= KEPT).then_some(sample)
    }
}
