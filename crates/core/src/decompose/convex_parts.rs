//! Lists of parts.

use alloc::vec::Vec;
use core::fmt;

/// Convex parts of an outline: for each the indices of its corners, counter-clockwise.
///
/// Parts that share a border share the vertices on it, so they stay shut wherever they are placed; a part may therefore have vertices in the middle of a
/// straight side. Vertices that lie on each other go by the index of the first.
///
/// ```
/// use carom::decompose::PolygonWithHoles;
///
/// let corner = PolygonWithHoles::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], &[])?;
/// assert_eq!(corner.convex_parts().len(), 2);
/// let points = corner.points();
/// for part in corner.convex_parts().iter() {
///     let polygon: Vec<_> = part.iter().map(|&i| points[i as usize]).collect();
///     assert!(carom::Shape::convex_polygon(&polygon).is_ok());
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ConvexParts {
    indices: Vec<u32>,
    ends: Vec<u32>,
}

impl ConvexParts {
    pub(super) fn with_capacity(indices: usize, parts: usize) -> Self {
        Self { indices: Vec::with_capacity(indices), ends: Vec::with_capacity(parts) }
    }

    /// Adds a corner to the part that is not yet closed.
    #[inline(always)]
    pub(super) fn push(&mut self, index: u32) {
        self.indices.push(index);
    }

    /// Closes the part.
    #[inline(always)]
    pub(super) fn close(&mut self) {
        self.ends.push(self.indices.len() as u32);
    }

    /// How many parts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Never, for the parts of an outline.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The indices of all parts, one part behind the other.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Where each part ends in [`indices`](Self::indices).
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The parts in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.ends.len()).map(|i| self.part(i))
    }

    fn part(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.indices[start as usize..self.ends[i] as usize]
    }
}

impl fmt::Debug for ConvexParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
