//! Stores lists of convex parts in one array of indices.
//!
//! A list of lists would allocate once per part. Here all indices are in one array, and a second
//! array has the end of each part.

use alloc::vec::Vec;
use core::fmt;

/// Convex parts of a polygon. Each part is a list of point indices, counter-clockwise.
///
/// Parts that share a border share the vertices on it. So there is never a gap between them, in any
/// pose. Therefore a part may have vertices in the middle of a straight side. For vertices at one
/// position, the index of the first is used.
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

    /// Adds a vertex to the last part, which is not closed yet.
    #[inline(always)]
    pub(super) fn push(&mut self, index: u32) {
        self.indices.push(index);
    }

    /// Closes the last part.
    #[inline(always)]
    pub(super) fn close(&mut self) {
        self.ends.push(self.indices.len() as u32);
    }

    /// Returns the number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no parts; never for the parts of a polygon.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the point indices of all parts, one part after the other.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Returns the end of each part in [`indices`](Self::indices).
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Returns the parts in order.
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
