//! Stores outlines in few bytes. All that a search needs of one, besides its WKB, is in 48 bytes.

use super::outlines::Outlines;
use crate::outline::{Bounds, Geometry};

/// The box of an outline, and the place of its WKB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The empty box if the outline is not valid.
    pub(super) bounds: Bounds,
    chunk: u32,
    start: u32,
    length: u32,
    /// True if it is a small ring that is certainly simple.
    is_ring: bool,
}

impl Entry {
    /// No outline.
    pub(super) const EMPTY: Self = Self { bounds: Bounds::EMPTY, chunk: 0, start: 0, length: 0, is_ring: false };

    /// Returns the entry after a number of chunks were put before its own.
    pub(super) fn in_later_chunks(self, before: usize) -> Self {
        Self { chunk: self.chunk + before as u32, ..self }
    }

    /// Loads the entry.
    pub(super) fn touch(&self) -> u32 {
        self.bounds.min[0].to_bits() as u32 ^ self.length
    }

    /// Loads the start and the end of the WKB.
    pub(super) fn touch_wkb(&self, chunks: &[Vec<u8>]) -> u32 {
        let wkb = self.wkb(chunks);
        wkb.first().zip(wkb.last()).map_or(0, |(&first, &last)| u32::from(first ^ last))
    }

    /// Returns the WKB.
    fn wkb<'a>(&self, chunks: &'a [Vec<u8>]) -> &'a [u8] {
        &chunks[self.chunk as usize][self.start as usize..][..self.length as usize]
    }

    /// Returns a valid geometry, and true if it is a small ring that is certainly simple.
    pub(super) fn geometry<'a>(&self, chunks: &'a [Vec<u8>]) -> (Geometry<'a>, Option<bool>) {
        (Geometry::Wkb(self.wkb(chunks)), Some(self.is_ring))
    }
}

/// Outlines for an index.
///
/// ```
/// use std::sync::Arc;
///
/// use carom_functions::{Index, Outlines, Predicate, Search};
/// use datafusion::arrow::array::{ArrayRef, StringArray};
///
/// let read = |texts: &[&str]| {
///     let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
///     Outlines::read(&column).map(|outlines| outlines.packed())
/// };
/// let batches = vec![read(&["POINT (0 0)", "POINT (9 0)"])?, read(&["POINT (1 0)"])?];
/// assert_eq!((batches[0].count(), batches[1].count()), (2, 1));
/// let search = Search { predicate: Predicate::Within(1.0), index_is_first: true };
/// let (index, indices) = Index::new(batches, search);
/// assert_eq!((index.count(), indices.len()), (3, 3));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packed {
    /// One per row.
    pub(super) entries: Vec<Entry>,
    /// The WKB of valid rows, one after the other. A chunk has less than 2³² bytes.
    pub(super) chunks: Vec<Vec<u8>>,
}

impl Outlines {
    /// Copies the outlines for an index, so that they do not keep larger blocks of a file alive.
    #[must_use]
    pub fn packed(&self) -> Packed {
        let wkb = |row: usize| if self.is_valid(row) { self.wkb(row) } else { &[] };
        let rows = 0..self.count();
        let mut left: usize = rows.clone().map(|row| wkb(row).len()).sum();
        let mut packed = Packed { entries: Vec::with_capacity(rows.len()), chunks: Vec::new() };
        let mut chunk = Vec::with_capacity(left.min(u32::MAX as usize));
        for row in rows {
            let wkb = wkb(row);
            if chunk.len() + wkb.len() > u32::MAX as usize {
                let next = Vec::with_capacity(left.min(u32::MAX as usize));
                packed.chunks.push(std::mem::replace(&mut chunk, next));
            }
            packed.entries.push(Entry {
                bounds: self.bounds(row),
                chunk: packed.chunks.len() as u32,
                start: chunk.len() as u32,
                length: wkb.len() as u32,
                is_ring: self.is_ring(row),
            });
            chunk.extend_from_slice(wkb);
            left -= wkb.len();
        }
        packed.chunks.push(chunk);
        packed
    }
}

impl Packed {
    /// Returns the number of outlines.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the memory in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.chunks.iter().map(Vec::capacity).sum::<usize>()
    }
}
